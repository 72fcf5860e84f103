"""The search for start tags, compared with a regular expression, plain and compiled."""

import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions

both = pytest.mark.parametrize("kernel", kernel_versions("starts"))
PIECES = [b"<html", b"<BODY x", b"<iFrame", b"<textarea", b"<title>", b"<", b"</title>", b"<b>", b"<br>", b"h", b"o"]


@both
def test_start_tags_in_any_case_are_found(kernel: ModuleType) -> None:
    html = b"<!doctype html><HTML><title>x</title><bOdy><b><iframe></iframe><textarea></textarea><h1><img><t"
    tags = [html[at : at + 4] for at in kernel.starts(html)]
    assert tags == [b"<HTM", b"<tit", b"<bOd", b"<ifr", b"<tex"]


@both
@given(st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_it_finds_what_a_regular_expression_finds(kernel: ModuleType, html: bytes) -> None:
    assert kernel.starts(html) == [tag.start() for tag in re.finditer(rb"(?i)<(?=ht|bo|if|te|ti)", html)]


@both
@given(st.lists(st.sampled_from([*PIECES, b"/"])).map(b"".join))
def test_it_counts_what_begins_no_end_tag(kernel: ModuleType, html: bytes) -> None:
    assert kernel.tags(html) == html.count(b"<") - html.count(b"</")


@both
@given(st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_it_counts_what_may_be_a_root(kernel: ModuleType, html: bytes) -> None:
    assert kernel.roots(html) == len(re.findall(rb"(?i)<(?=ht|bo)", html))


class Own(bytes):
    """Bytes of a class of its own, as callers may have them."""


@both
def test_bytes_of_any_class_are_read(kernel: ModuleType) -> None:
    html = Own(b"<html><title>x</title><body><p>")
    assert (kernel.starts(html), kernel.roots(html), kernel.tags(html)) == ([0, 6, 22], 2, 4)
