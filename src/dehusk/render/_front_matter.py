"""Front matter: metadata as YAML at the beginning of Markdown."""

import json
import re
from collections.abc import Mapping

# Characters that YAML does not allow as they are, or takes for the end of a line; JSON leaves them as they are.
_NOT_PRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def front_matter(about: Mapping[str, str | float | None]) -> str:
    """Returns the values that are known as a block of YAML. Every text is quoted, so none is read as something else."""
    lines = [f"{name}: {_value(value)}\n" for name, value in about.items() if value is not None]
    return f"---\n{''.join(lines)}---\n\n"


def _value(value: str | float) -> str:
    """Returns a value as YAML. A JSON string is a double-quoted text of YAML."""
    if not isinstance(value, str):
        return str(value)
    quoted = json.dumps(_SURROGATE.sub("\ufffd", " ".join(value.split())), ensure_ascii=False)
    return _NOT_PRINTED.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
