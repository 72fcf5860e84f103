"""The demo site: the main text of each page is kept."""

import re

import pytest

import dehusk
import demo_site

PAGES = demo_site.pages()
PARTS = {part: {name: html for name, html in PAGES.items() if name.startswith(part)} for part in ("shop/", "blog/")}


def in_order(wanted: str, text: str) -> bool:
    """Whether all the expected words are in the text, in order."""
    rest = iter(re.findall(r"\w+", text))
    return all(word in rest for word in re.findall(r"\w+", wanted))


@pytest.mark.parametrize("method", ["evidence", "rtdm"])
@pytest.mark.parametrize("part", PARTS)
def test_every_page_keeps_its_own_words_and_loses_its_menus(part: str, method: str) -> None:
    template = dehusk.learn(PARTS[part].values(), method=method)
    assert len(PARTS[part]) >= 12
    for name, html in PARTS[part].items():
        cleaned = template.clean(html)
        assert in_order(demo_site.kernel(name, labels=False), cleaned.text), name
        assert cleaned.share_removed > 0.1
    footers = {"shop/": "newsletter", "blog/": "whatever serif you have"}
    assert not any(footers[part] in template.clean(html).text for html in PARTS[part].values())


@pytest.mark.parametrize("method", ["evidence", "rtdm"])
@pytest.mark.parametrize("script", ["ru", "ar", "zh", "ja", "de"])
def test_pages_in_other_scripts_are_cleaned_as_well(script: str, method: str) -> None:
    template = dehusk.learn(PARTS["blog/"].values(), method=method)
    (name,) = [name for name in PARTS["blog/"] if f"/{script}/" in name]
    cleaned = template.clean(PAGES[name])
    assert in_order(demo_site.kernel(name), cleaned.text)
    assert cleaned.metadata.language == script
    assert "Front page" not in cleaned.text
