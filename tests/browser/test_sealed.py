"""Safe views of hostile pages in a real Chromium, without the policy that would also block all loading."""

import html

from playwright.sync_api import Page, Route

import dehusk
from browsing import Watched
from dehusk import render
from dehusk.render._html import NOTHING_LOADS
from dehusk.render.views import POLICY
from marked import as_html, marking

PLACE = "http://sealed.test/"
IMG = "<img src=//away.test/img onerror=alert(1)>"
MARKUP = (
    # Markup that a second parse reads differently.
    f'<noscript><p data-x="</noscript>{IMG}">a</p></noscript>',
    f"<noscript><style></noscript>{IMG}</style></noscript>",
    f"<form><math><mtext></form><form><mglyph><style></math>{IMG}",
    f'<math><annotation-xml encoding=text/html><style><img alt="</style>{IMG}"></style></annotation-xml></math>',
    f'<math><annotation-xml encoding=text/html><xmp><img alt="</xmp>{IMG}"></xmp></annotation-xml></math>',
    f'<math><mtext><textarea><!--</textarea><img alt="-->{IMG}"></mtext></math>',
    f'<svg><style><!--</style><img alt="-->{IMG}">',
    f'<svg></p><style><a id="</style>{IMG}">',
    f"<svg><title><style>{IMG}</style></title><desc><iframe srcdoc='{IMG}'></desc></svg>",
    f'{"<div>" * 600}<svg><style><img alt="</style>{IMG}"></style></svg>',
    f'<table><tr><td><svg><desc><table><style><img alt="</style>{IMG}">',
    f"<xmp></xmp>{IMG}</xmp><listing>&lt;img src=x onerror=alert(1)></listing><noframes></noframes>{IMG}</noframes>",
    f"<title></title>{IMG}</title><textarea></textarea>{IMG}</textarea><select><option>{IMG}</select>",
    f"<math><template>{IMG}</template><script>alert(1)</script><iframe src=//away.test/i></iframe><xmp>{IMG}</xmp>",
    f"<div><template shadowrootmode=open>{IMG}<link rel=stylesheet href=//away.test/s.css></template></div>",
    # Markup that loads something or leads to another page.
    "<img srcset='//away.test/a 1x, //away.test/b 2x' sizes=100vw><image src=//away.test/image>",
    "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='//away.test/x'/></svg>\">",
    "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'></svg>\">",
    "<picture><source srcset=//away.test/s><img src=//away.test/p></picture><img attributionsrc=//away.test/at>",
    "<base href=//away.test/><link rel=prefetch href=//away.test/pf><link rel=modulepreload href=//away.test/mp>",
    '<script type=speculationrules>{"prefetch":[{"urls":["http://away.test/spec"]}]}</script>',
    "<meta http-equiv=refresh content='0;url=http://away.test/r'><META HTTP-EQUIV=Refresh CONTENT='0;//away.test/r2'>",
    "<portal src=//away.test/po></portal><fencedframe src=//away.test/ff></fencedframe><embed src=//away.test/e>",
    f"<iframe srcdoc='{IMG}'></iframe><object data=//away.test/o><param name=movie value=//away.test/m></object>",
    "<form action=//away.test/f><input type=IMAGE src=//away.test/in><button formaction=//away.test/>x</button></form>",
    "<body background=//away.test/bg onload=alert(1)><table background=//away.test/tb><td background=//away.test/td>",
    "<video poster=//away.test/vp src=//away.test/v autoplay></video><audio src=//away.test/a autoplay></audio>",
    # Markup that runs scripts.
    "<input autofocus onfocus=alert(1)><div contenteditable autofocus onfocus=alert(1) tabindex=0>x</div>",
    "<details ontoggle=alert(1) open>x</details><marquee onstart=alert(1)>m</marquee><svg/onload=alert(1)>",
    "<math href='javascript:alert(1)'><mi xlink:href='javascript:alert(1)'>x</mi></math><script>alert(1)//",
)
STYLES = (
    r"x:u\72l(//away.test/1);background:\75 rl(//away.test/2);list-style:URL( //away.test/3 )",
    "background:image-set('//away.test/4' 1x);cursor:-webkit-image-set(url(//away.test/5) 1x),auto",
    "background:cross-fade(url(//away.test/6),url(//away.test/7));border-image-source:url(//away.test/8)",
    "font-family:'\\&#13;&#10;';background:url(//away.test/newline)",
    "x:url('data:image/png,' ')');background:url(//away.test/after);y:'",
    "x:url(data:image/png,'a);background:url(//away.test/bad)",
    "x:url('data:image/png,\\&#10;');background:url(//away.test/continued)",
    r"background:url(data:image/png,a\);background:url(//away.test/escaped);)",
    "--a:url(//away.test/var);background:var(--a);filter:url(//away.test/f#f);clip-path:url(//away.test/c#c)",
)
SHEETS = (
    r"@import'//a.test/1';@\000069mport '//away.test/2';@IMPORT/**/'//a.test/3';<!-- @import '//a.test/4'; -->",
    "@layer a;@import '//away.test/5' layer(x);p::before{content:url(//away.test/6)}",
    "@font-face{font-family:x;src:url(//away.test/7)}*{font-family:x}@media all{p{background:url(//away.test/8)}}",
    "p{x:url('data:image/png,' ')');background:url(//away.test/9);y:'}",
    "@property --u{syntax:'<image>';inherits:false;initial-value:url(//away.test/10)}p{background:var(--u)}",
    f"p{{background:url(//away.test/11</style>{IMG}<style>/*</style>{IMG}*/",
)
PAGES = (
    *MARKUP,
    *(f'<p style="{style}">x</p>' for style in STYLES),
    *(f"<style>{sheet}</style><p>x</p>" for sheet in SHEETS),
    f"<!DOCTYPE html PUBLIC 'a\">{IMG}' 'x'><p>x</p>",
    f"<frameset onload=alert(1)><frame src=//away.test/f><noframes>{IMG}</noframes></frameset>",
)


def opened(page: Page, *documents: str) -> None:
    """Opens all these documents at once, each in a frame that allows everything."""
    frames = "".join(f'<iframe srcdoc="{html.escape(document)}"></iframe>' for document in documents)

    def answer(route: Route) -> None:
        if route.request.url == PLACE:
            route.fulfill(body=f"<!DOCTYPE html>{frames}", content_type="text/html")
        else:
            route.abort()

    page.route("**/*", answer)
    page.goto(PLACE)
    page.wait_for_timeout(300)


def test_sealing_alone_lets_nothing_run_or_load(page: Page, watched: Watched) -> None:
    views = [render.numbered_html(marking(f"{hostile}<p>Words to read.</p>"), []) for hostile in PAGES]
    opened(page, *(view.replace(POLICY, "") for view in views))
    assert all(POLICY in view for view in views)
    assert len(page.frames) == len(PAGES) + 1
    assert watched.requests == [PLACE]
    assert watched.dialogs == []


def test_written_html_and_the_page_of_changes_load_nothing_without_their_policy_too(
    page: Page, watched: Watched
) -> None:
    cleaned = [as_html(f"{hostile}<p>Words to read.</p>", url="http://away.test/") for hostile in PAGES]
    changes = [dehusk.diff("<p>Words.</p>", f"{hostile}<p>Words to read.</p>").html for hostile in PAGES]
    opened(page, *(written.replace(NOTHING_LOADS, "") for written in (*cleaned, *changes)))
    assert all(NOTHING_LOADS in written for written in (*cleaned, *changes))
    assert len(page.frames) == 2 * len(PAGES) + 1
    assert watched.requests == [PLACE]
    assert watched.dialogs == []


def test_without_sealing_the_same_pages_run_and_load(page: Page, watched: Watched) -> None:
    opened(page, *PAGES)
    for _ in range(100):  # each dialog stops the page until it is dismissed
        if watched.dialogs and len({*watched.requests}) > len(PAGES) / 2:
            break
        page.wait_for_timeout(100)
    assert {"1"} == {*watched.dialogs}
    assert len({*watched.requests}) > len(PAGES) / 2
