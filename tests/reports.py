"""Reads the data of reports."""

import base64
import gzip
import json
from typing import Any


def data_of(html: str) -> dict[str, Any]:
    """The data of a report with its views decompressed: a list for each method."""
    data: dict[str, Any] = json.loads(html.split('id="data">', 1)[1].split("</script>", 1)[0])
    views = data["views"]
    data["views"] = [[json.loads(gzip.decompress(base64.b64decode(one))) for one in some.values()] for some in views]
    return data
