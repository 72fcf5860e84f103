"""Style sheets that load nothing."""

import pytest

from dehusk.render.views import media, tame


@pytest.mark.parametrize(
    "css",
    [
        "p{background:red url(http://a.test/x.png) no-repeat}",
        "p{background:red URL( 'http://a.test/x.png' ) no-repeat}",
        'p{background:url("//a.test/x)y.png"}',
        r"p{background:u\72l(http://a.test/)}",
        r"p{background:\000075RL(http://a.test/)}",
        r"p{background:\75 rl(http://a.test/)}",
        "@import 'http://a.test/x.css';",
        r"@\69mport url(http://a.test/x.css) screen;",
        "@namespace url(http://a.test/);@charset 'x';",
        "p{background:image-set('http://a.test/x' 1x)}",
        "p{background:-webkit-image-set(url(http://a.test/x) 1x)}",
        "p{width:expression(http())}",
        "/* url( */p{background:url(http://a.test/)}",
        "p{content:'/*';background:url(http://a.test/);x:'*/'}",
        "@font-face{src:url(http://a.test/x.woff)}",
        "p{background:url(http://a.test",
        "p{content:'\\\r\n';background:url(http://a.test/)}",
        "p{content:'\\\f';background:url(http://a.test/)}",
    ],
)
def test_nothing_is_loaded_in_any_notation(css: str) -> None:
    tamed = tame(css)
    for sign in ("http", "url(", "image-set", "expression", "import"):
        assert sign not in tamed.replace("-off-('http://a.test/x' 1x)", "").replace("-off-(http())", "").replace(
            "@-off- 'http://a.test/x.css'", ""
        )


@pytest.mark.parametrize("text", ['"data:image/png," ")"', '"data:image/png,\n)', "'data:image/png,' url(x)"])
def test_text_after_a_quoted_url_is_read_as_in_browsers(text: str) -> None:
    assert "http" not in tame(f"p{{x:url({text});background:url(http://a.test/)}}")
    assert "x:-off-(" in tame(f"p{{x:url({text})}}")


def test_styles_that_load_nothing_are_kept() -> None:
    css = '@media (width>9em){.a\\:b>c{color:red;content:"url(x)";background:url(data:image/png;base64,AA==)}}'
    assert tame(css) == css


def test_a_style_sheet_cannot_end_its_element() -> None:
    assert "</" not in tame("p{content:'</style><script>'}/*</style>*/ </style>")


def test_links_are_found_by_the_attribute_that_they_have_when_sealed() -> None:
    assert tame("a:link,a:any-link b,a[href^='x'],.link{}") == "a[data-href],a[data-href] b,a[data-href^='x'],.link{}"


def test_simple_media_queries_are_kept() -> None:
    assert media("screen and (min-width: 20em)") == "screen and (min-width: 20em)"
    assert media('"><script>') == "all"


@pytest.mark.parametrize("hostile", ["\\", '"', "/*", "url(", "url('", "a", "\\61", "@", "-"])
def test_a_long_hostile_sheet_takes_linear_time(hostile: str) -> None:
    assert tame(hostile * 50_000) is not None
