"""The report in a real browser."""

import shutil
import subprocess

import pytest

import demo_site
from dehusk.cli import main

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --virtual-time-budget=3000"
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: the report is not looked at in a browser")


@pytest.fixture(scope="module")
def dom(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a browser makes of the report on the demo site, whose heads hold what a report could trip over."""
    tmp_path = tmp_path_factory.mktemp("report")
    for name, html in demo_site.pages().items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        tripped = html.replace("<head>", '<head><!-- </script> & "q" --><link rel=stylesheet href=/gone.css>', 1)
        (tmp_path / "site" / name).write_text(tripped, "utf-8")
    assert main(["show", str(tmp_path / "site"), "-o", str(tmp_path / "report.html"), "-q"]) == 0
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    shown = subprocess.run(
        [str(CHROMIUM), *QUIET.split(), profile, "--dump-dom", (tmp_path / "report.html").as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return shown.stdout


def test_a_browser_draws_the_pages_the_bars_and_the_template(dom: str) -> None:
    assert dom.count('aria-pressed="') == 8
    assert dom.count('role="tab"') == 3
    assert dom.count("data-name=") == len(demo_site.pages())
    assert 'id="template" sandbox="" title="The template" srcdoc="' in dom


def test_the_page_shown_first_is_tinted_and_loads_nothing(dom: str) -> None:
    view = dom.split('id="view">', 1)[1].split("</iframe>", 1)[0]
    assert "data-husk-removed" in view
    assert "default-src 'none'" in view
    assert "gone.css" not in view
