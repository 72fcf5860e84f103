"""The signs of blocks, plain and compiled."""

import sys
from array import array

import pytest

from conftest import kernel_versions
from dehusk.page import Page
from dehusk.roles import _vocabulary, judged, sight, weighing
from dehusk.roles.observing import SIGNS

HTML = """<title>The tide | Island Post</title><body><div class="logo nav">Island Post</div>
<ul id=menu><li><a href=/news>News</a><li><a href="https://twitter.com/share?u=1">Share</a></ul>
<article><h1>The tide</h1><p class=byline>By Ada Holm, 4 May 2024</p>
<p>The tide came in at noon, and by two the whole of the quay stood under water.</p><pre><code>rm -r sea</code></pre>
<table><tr><th>Sea<th>Depth<tr><td>North<td>700 m</table></article>
<div class=comments><h3>2 comments</h3><p>So wet!</p><blockquote><p>Indeed.</p></blockquote></div>
<footer>\xa9 2024 Island Post. All rights reserved. <a href="/a">Home</a> \xbb <a href="#top">Top</a></footer>"""


def roles(page: Page) -> list[tuple[str, str, float]]:
    flags = [text == "So wet!" for text in page.tree.text]
    return [(one.block.text, str(one.role), one.confidence) for one in judged(page, flags, "article")]


def test_plain_and_compiled_kernels_give_the_same_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = roles(Page(HTML))
    for name in ("shapes", "sight", "signs"):  # each imports those before it
        monkeypatch.setitem(sys.modules, f"dehusk.kernels.{name}", kernel_versions(name)[0].values[0])
    seen, signs = sys.modules["dehusk.kernels.sight"], sys.modules["dehusk.kernels.signs"]
    monkeypatch.setattr(_vocabulary, "Shape", sys.modules["dehusk.kernels.shapes"].Shape)
    monkeypatch.setattr(weighing, "Weights", signs.Weights)
    monkeypatch.setattr(sight, "weights", weighing.weights.__wrapped__)
    monkeypatch.setattr(sight, "ways", lambda: seen.Ways(array("d", [0.9] * len(SIGNS))))
    monkeypatch.setattr(sight, "known_shape", _vocabulary.shape_of)
    for name in ("Signs", "Statement"):
        monkeypatch.setattr(sight, name, getattr(signs, name))
    monkeypatch.setattr(sight, "Sight", seen.Sight)
    plain = roles(Page(HTML))
    assert [role[:2] for role in plain] == [role[:2] for role in expected]
    assert len({role for _, role, _ in plain}) > 4
