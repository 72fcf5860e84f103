"""Pages and files for small data sets in any layout."""

import gzip
from pathlib import Path

WORDS = " ".join(f"word{number}" for number in range(30))


def page(title: str, content: str = WORDS) -> str:
    return f"<html><body><nav>Home News</nav><main><h1>{title}</h1><p>{content}</p></main></body></html>"


def write(file: Path, text: str | bytes) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
    return file
