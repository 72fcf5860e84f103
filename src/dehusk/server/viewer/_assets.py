"""The files of the viewer: served one by one, or all of them in one file with what it shows."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

_LINKED = re.compile(r'<link rel="stylesheet" href="viewer/(\w+\.css)">')
_SCRIPT = re.compile(r'<script src="viewer/(\w+\.js)"></script>')
_DATA = '<script type="application/json" id="data">null</script>'


def read(name: str) -> str:
    """A file of the viewer."""
    return files("dehusk.server.viewer").joinpath(name).read_text("utf-8")


def inlined(data: dict[str, Any]) -> str:
    """The viewer as one file that needs nothing else, with what it shows. Only its own scripts may run."""
    page = read("index.html")
    scripts = {name: f"\n{read(name)}" for name in _SCRIPT.findall(page)}
    hashes = " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts.values())
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "form-action 'none'; base-uri 'none'"
    )
    page = page.replace(
        '<meta charset="utf-8">',
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">',
        1,
    )
    page = _LINKED.sub(lambda found: f"<style>\n{read(found[1])}</style>", page)
    page = _SCRIPT.sub(lambda found: f"<script>{scripts[found[1]]}</script>", page)
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace(_DATA, _DATA.replace("null", packed), 1)
