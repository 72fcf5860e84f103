"""The permissions and files of the extension."""

import json
import re
from pathlib import Path

EXTENSION = Path(__file__).parents[2] / "src" / "dehusk" / "extension"
MANIFEST = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))


def test_it_has_permissions_only_for_the_active_page_and_this_computer() -> None:
    assert MANIFEST["permissions"] == ["activeTab", "scripting", "storage"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    assert not MANIFEST.keys() & {"optional_permissions", "content_scripts", "web_accessible_resources"}


def test_its_pages_can_connect_only_to_this_computer() -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in MANIFEST["content_security_policy"]["extension_pages"].split(";")
    )
    assert policy.pop("connect-src") == "http://127.0.0.1:* http://localhost:*"
    assert set(policy.values()) <= {"'none'", "'self'"}
    assert policy["default-src"] == "'none'"


def test_all_files_that_are_named_exist() -> None:
    named = re.findall(r'"((?:[\w-]+/)?[\w-]+\.(?:js|html|css|png))"', (EXTENSION / "manifest.json").read_text("utf-8"))
    for page in EXTENSION.glob("*.html"):
        named += re.findall(r'(?:src|href)="([^"]+)"', page.read_text("utf-8"))
    assert named
    assert [name for name in named if not (EXTENSION / name).is_file()] == []


def test_its_scripts_make_no_html_and_no_code_from_text() -> None:
    for script in EXTENSION.rglob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML\s*=|insertAdjacentHTML|\beval\(|new Function", script.read_text("utf-8")
        ), script
