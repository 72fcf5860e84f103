"""The demo site: a shop and a blog of Tidewater, a harbour town that does not exist.

`dehusk demo` writes it and cleans it; `python examples/demo_site.py OUT` only writes its pages.

The site has two templates with nothing in common (`shop/` and `blog/`, the latter with posts in six
languages), a home page of its own and one page without any template (`about/plain.html`).  From Python,
`pages` gives the HTML of every page and `kernel` the main text that should survive when a page is cleaned.
The words and looks are in `_demo_texts`, the markup is here; nothing depends on chance or on the date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING
from urllib.parse import quote

from dehusk.cli import _demo_texts as texts

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["kernel", "pages", "write"]

BASE_URL = "https://tidewater.example/"
HOME_PATH = "index.html"
PLAIN_PATH = "about/plain.html"
RELATED = (1, 5, 9)  # a related post is this many posts further on
UNSPACED = ("ja", "zh")  # languages that put no spaces between words

# ------------------------------------------------------------------------------------------ the shop template

SHOP_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$name | Tidewater Harbour Shop</title>
<meta name="description" content="$description">
<style>$css</style>
</head>
<body>
<header class="top">
<a class="logo" href="${root}index.html">
<svg viewBox="0 0 40 40" aria-hidden="true"><circle cx="20" cy="20" r="20" fill="#0f766e"/>
<path d="M6 24q7-7 14 0t14 0M6 30q7-7 14 0t14 0" fill="none" stroke="#fff" stroke-width="3"/></svg>
Tidewater Harbour Shop</a>
<form class="search" action="${root}index.html" role="search">
<input type="search" name="q" placeholder="Search the shop" aria-label="Search the shop">
<button>Search</button>
</form>
<nav aria-label="Main">
<ul class="menu">
<li><a href="${root}index.html">Home</a></li>
<li class="active"><a href="${root}index.html#shop">Shop</a></li>
<li><a href="${root}index.html#journal">Journal</a></li>
<li><a href="${root}about/plain.html">About us</a></li>
</ul>
</nav>
<span class="basket">Basket: <b id="basket">0</b></span>
</header>
<!-- breadcrumb -->
<nav class="crumbs" aria-label="Breadcrumb">
<a href="${root}index.html">Home</a> &rsaquo;
<a href="${root}index.html#$category">$category_name</a> &rsaquo;
<span>$name</span>
</nav>
<div class="columns">
<aside class="side">
<h2>Categories</h2>
<ul>
$categories
</ul>
<h2>Good to know</h2>
<p>Every parcel leaves on the morning ferry, packed in paper and straw.</p>
</aside>
<main class="product" itemscope itemtype="https://schema.org/Product">
<img src="$picture" alt="$alt" width="400" height="400">
<div class="record">
<h1 itemprop="name">$name</h1>
<p class="price" itemprop="price">$price</p>
<dl class="facts">
$facts
</dl>
<div class="description" itemprop="description">
$text
</div>
<button class="buy" type="button">Add to basket</button>
</div>
<section class="specs">
<h2>Specification</h2>
<table>
$specs
</table>
</section>
</main>
</div>
<section class="related">
<h2>You may also like</h2>
<ul>
$related
</ul>
</section>
<footer class="foot">
<form class="news" action="${root}index.html">
<strong>News from the quay</strong>
<span>One letter a month, never in a storm.</span>
<input type="email" name="email" placeholder="Your e-mail" aria-label="Your e-mail">
<button>Subscribe</button>
</form>
<ul class="legal">
<li><a href="${root}about/plain.html#delivery">Delivery</a></li>
<li><a href="${root}about/plain.html#returns">Returns</a></li>
<li><a href="${root}about/plain.html#privacy">Privacy</a></li>
</ul>
<p>© 2024 Tidewater Harbour Shop. All prices include tax.</p>
</footer>
<script>
document.querySelector(".buy").addEventListener("click", () => {
  const basket = document.getElementById("basket");
  basket.textContent = Number(basket.textContent) + 1;
});
</script>
</body>
</html>
""")

# ------------------------------------------------------------------------------------------ the blog template

BLOG_PAGE = Template("""<!DOCTYPE html>
<html lang="$lang" dir="$direction">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title &ndash; The Tidewater Journal</title>
<meta name="description" content="$teaser">
<meta name="author" content="$author">
<meta property="article:published_time" content="$published">
<link rel="canonical" href="$canonical">
<style>$css</style>
</head>
<body>
<div id="masthead" lang="en" dir="ltr">
<div class="name"><a href="${root}index.html#journal">The Tidewater Journal</a></div>
<p class="motto">Notes from a small harbour, printed when the tide allows</p>
<div id="sections">
<a href="${root}index.html">Front page</a>
$sections
<a href="${root}about/plain.html">About</a>
</div>
<svg viewBox="0 0 1200 56" preserveAspectRatio="none" aria-hidden="true">
<path d="M0 34q75-34 150 0t150 0 150 0 150 0 150 0 150 0 150 0 150 0V56H0z" fill="#34507f"/>
<path d="M0 42q50-24 100 0t100 0 100 0 100 0 100 0 100 0 100 0 100 0 100 0 100 0 100 0 100 0V56H0z"
 fill="#fffdf7"/></svg>
</div>
<div id="sheet">
<article class="post">
<h1>$title</h1>
<p class="byline" lang="en" dir="ltr">By $author on <time datetime="$published">$date</time></p>
<div class="entry">
$text
</div>
</article>
<ul class="tags" lang="en" dir="ltr">
$tags
</ul>
<div class="author" lang="en" dir="ltr">
<i></i>
<h2>About the author</h2>
<strong>$author</strong>
<p>$about</p>
</div>
</div>
<div id="related">
<h2 lang="en" dir="ltr">More from the journal</h2>
<div class="cards">
$related
</div>
</div>
<div id="colophon" lang="en" dir="ltr">
<p>Set in whatever serif you have, and stored on a computer in the net loft.</p>
<p><a href="${root}index.html#shop">Visit the shop</a>
<a href="${root}about/plain.html#privacy">Privacy</a>
<a href="${root}about/plain.html#about">Imprint</a></p>
<p>The Tidewater Journal, founded 1911, lost 1954, found again 2019.</p>
</div>
</body>
</html>
""")

# ---------------------------------------------------------------------------------------- the two other pages

HOME_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<meta name="description" content="The shop and the journal of Tidewater, a harbour town.">
<style>$css</style>
</head>
<body>
<main>
<h1>$title</h1>
$text
<h2 id="shop">The shop</h2>
<div class="grid">
$shop
</div>
<h2 id="journal">The journal</h2>
<div class="grid">
$journal
</div>
</main>
</body>
</html>
""")

PLAIN_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<meta name="description" content="What Tidewater is and how its shop works.">
</head>
<body>
<h1>$title</h1>
$text
</body>
</html>
""")

# ----------------------------------------------------------------------------------------------- the pictures


def data_uri(width: int, height: int, shapes: str) -> str:
    """Return a drawing as an address that needs no file."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{shapes}</svg>'
    return "data:image/svg+xml," + quote(" ".join(svg.split()), safe=" =:/',()")


def product_picture(product: texts.Product) -> str:
    """Draw a product in its own colour on a pale disc."""
    drawing = texts.DRAWINGS[product.slug].replace('"C"', f'"{product.tint}"')
    ground = (
        f'<rect width="200" height="200" fill="{product.tint}" opacity=".14"/>'
        '<circle cx="100" cy="104" r="84" fill="#fff" opacity=".6"/>'
    )
    return data_uri(200, 200, ground + drawing)


def scene_picture(name: str) -> str:
    """Draw a scene at the water's edge, in the evening."""
    sky = """<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#8fb8de"/>
<stop offset="1" stop-color="#ffd9a8"/></linearGradient><rect width="640" height="280" fill="url(#sky)"/>
<circle cx="120" cy="150" r="44" fill="#ffb45e"/>"""
    sea = """<path d="M0 224q40-20 80 0t80 0 80 0 80 0 80 0 80 0 80 0 80 0v56H0z" fill="#34507f"/>
<path d="M0 246q32-16 64 0t64 0 64 0 64 0 64 0 64 0 64 0 64 0 64 0 64 0v34H0z" fill="#17233f"/>"""
    return data_uri(640, 280, sky + texts.SCENES[name] + sea)


# -------------------------------------------------------------------------------------------------- the prose

MARKS = {
    kind: re.compile(mark) for kind, mark in {"h2": "## ", "ul": "- ", "ol": r"\d{1,3}\. ", "blockquote": "> "}.items()
}
CONTINUED = re.compile(r"\n +")
INLINE = re.compile(
    r"\*(?P<em>[^*]{1,200})\*|`(?P<code>[^`]{1,200})`|\[(?P<label>[^\[\]]{1,200})\]\((?P<target>[^()]{1,200})\)"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of prose: its kind, and its items (one for a paragraph, one per line of code and so on)."""

    kind: str
    items: tuple[str, ...]


def parse_blocks(text: str, lang: str = "en") -> list[Block]:
    """Split a text in the markup of `_demo_texts` at its blank lines and parse the blocks."""
    glue = "" if lang in UNSPACED else " "
    return [parse_block(chunk, glue) for chunk in text.strip().split("\n\n")]


def parse_block(chunk: str, glue: str) -> Block:
    """Recognise a block by its first characters; `glue` joins the lines of a paragraph."""
    if chunk.startswith("```"):
        return Block("code", tuple(chunk.splitlines()[1:-1]))
    lines = CONTINUED.sub(glue, chunk).splitlines()
    if chunk.startswith("|"):
        return Block("table", tuple(lines))
    if chunk.startswith("!"):
        return Block("figure", tuple(cells(lines[0].removeprefix("!"))))
    for kind, mark in MARKS.items():
        if mark.match(chunk):
            return Block(kind, tuple(mark.sub("", line, count=1) for line in lines))
    return Block("p", (glue.join(lines),))


def cells(row: str) -> list[str]:
    """Split a row of a table."""
    return [cell.strip() for cell in row.strip("|").split("|")]


def block_plain(block: Block) -> str:
    """Return the words of a block without any markup."""
    match block.kind:
        case "code":
            return "\n".join(block.items)
        case "table":
            return "\n".join(" ".join(cells(row)) for row in block.items)
        case "figure":
            return block.items[-1]
        case _:
            return INLINE.sub(lambda found: found["em"] or found["code"] or found["label"], "\n".join(block.items))


def block_html(block: Block, root: str) -> str:
    """Return a block as HTML, for a page from which `root` leads to the top of the site."""
    items = [inline_html(item, root) for item in block.items]
    match block.kind:
        case "ul" | "ol":
            return element(block.kind, *(element("li", item) for item in items))
        case "blockquote":
            return element("blockquote", element("p", items[0]))
        case "code":
            return element("pre", element("code", escape(block_plain(block), quote=False)))
        case "table":
            head, *rows = map(cells, block.items)
            return element("table", table_row("th", head), *(table_row("td", row) for row in rows))
        case "figure":
            scene, alt, caption = block.items
            image = f'<img src="{scene_picture(scene)}" alt="{escape(alt)}">'
            return element("figure", image, element("figcaption", escape(caption)))
        case _:
            return element(block.kind, items[0])


def element(tag: str, *content: str) -> str:
    """Return an element; several pieces of content go on lines of their own."""
    inner = content[0] if len(content) == 1 else "\n" + "\n".join(content) + "\n"
    return f"<{tag}>{inner}</{tag}>"


def table_row(tag: str, row: Sequence[str]) -> str:
    """Return a row of a table, with all its cells of one kind."""
    return element("tr", *(element(tag, escape(cell)) for cell in row))


def inline_html(text: str, root: str) -> str:
    """Turn the inline markup of a piece of prose into HTML."""

    def replacement(found: re.Match[str]) -> str:
        if found["label"]:
            return f'<a href="{root}{found["target"]}">{found["label"]}</a>'
        return element("em", found["em"]) if found["em"] else element("code", found["code"])

    return INLINE.sub(replacement, escape(text, quote=False))


def prose_html(text: str, root: str, lang: str = "en") -> str:
    """Return a text in the markup of `_demo_texts` as HTML."""
    return "\n".join(block_html(block, root) for block in parse_blocks(text, lang))


def prose_plain(text: str, lang: str = "en") -> str:
    """Return a text in the markup of `_demo_texts` as plain text."""
    return "\n".join(map(block_plain, parse_blocks(text, lang)))


# -------------------------------------------------------------------------------------------------- the pages


def product_path(product: texts.Product) -> str:
    """Return the path of a product page."""
    return f"shop/{product.slug}.html"


def post_path(post: texts.Post) -> str:
    """Return the path of a post; posts that are not in English have a folder for their language."""
    return f"blog/{post.slug}.html" if post.lang == "en" else f"blog/{post.lang}/{post.slug}.html"


def root_of(path: str) -> str:
    """Return the relative link that leads from a page to the top of the site."""
    return "../" * path.count("/")


def facts_of(product: texts.Product) -> dict[str, str]:
    """Return the labelled facts below the price of a product."""
    return {"Maker": product.maker, "Material": product.material, "Rating": f"{product.rating} out of 5"}


def specs_of(product: texts.Product) -> dict[str, str]:
    """Return the specification of a product by label."""
    return dict(zip(texts.SPEC_LABELS, product.specs, strict=True))


def product_page(product: texts.Product) -> str:
    """Fill the shop template with a product."""
    root = root_of(product_path(product))
    return SHOP_PAGE.substitute(
        css=texts.SHOP_CSS,
        root=root,
        name=escape(product.name),
        description=escape(f"{product.name}, made of {product.material.lower()} by {product.maker}."),
        category=product.category,
        category_name=escape(texts.CATEGORIES[product.category]),
        categories=category_menu(product.category, root),
        picture=product_picture(product),
        alt=escape(f"Drawing of the {product.name}"),
        price=product.price,
        facts="\n".join(
            element("div", element("dt", label), element("dd", escape(value)))
            for label, value in facts_of(product).items()
        ),
        text=prose_html(product.text, root),
        specs="\n".join(
            element("tr", element("th", label), element("td", escape(value)))
            for label, value in specs_of(product).items()
        ),
        related=related_products(product, root),
    )


def related_products(product: texts.Product, root: str) -> str:
    """Return links to the other products of the category and of its partner category."""
    near = (product.category, texts.COMPANIONS[product.category])
    others = (other for other in texts.PRODUCTS if other.category in near and other != product)
    return "\n".join(
        f'<li><a href="{root}{product_path(other)}">{escape(other.name)} for {other.price}</a></li>' for other in others
    )


def category_menu(current: str, root: str) -> str:
    """Return the items of the side bar of the shop, one of them active."""
    states = {current: ' class="active"'}
    return "\n".join(
        f'<li{states.get(key, "")}><a href="{root}index.html#{key}">{escape(name)}</a></li>'
        for key, name in texts.CATEGORIES.items()
    )


def post_page(post: texts.Post) -> str:
    """Fill the blog template with a post."""
    path = post_path(post)
    root = root_of(path)
    author = texts.AUTHORS[post.author]
    day = date.fromisoformat(post.published)
    return BLOG_PAGE.substitute(
        css=texts.BLOG_CSS,
        root=root,
        lang=post.lang,
        direction=post.direction,
        title=escape(post.title),
        teaser=escape(post.teaser),
        author=escape(author.name),
        about=escape(author.about),
        published=post.published,
        date=f"{day.day} {day:%B %Y}",
        canonical=BASE_URL + path,
        sections=section_menu(post.section, root),
        text=prose_html(post.text, root, post.lang),
        tags="\n".join(f'<li><a href="{root}index.html#journal">{escape(tag)}</a></li>' for tag in post.tags),
        related=related_cards(post, root),
    )


def section_menu(current: str, root: str) -> str:
    """Return the items of the menu of the blog, one of them current."""
    states = {current: ' class="current"'}
    return "\n".join(
        f'<a{states.get(key, "")} href="{root}index.html#{key}">{escape(name)}</a>'
        for key, name in texts.SECTIONS.items()
    )


def related_cards(post: texts.Post, root: str) -> str:
    """Return teasers of three other posts."""
    here = texts.POSTS.index(post)
    others = (texts.POSTS[(here + step) % len(texts.POSTS)] for step in RELATED)
    return "\n".join(
        f'<div lang="{other.lang}" dir="{other.direction}">\n'
        f'<h3><a href="{root}{post_path(other)}">{escape(other.title)}</a></h3>\n'
        f"<p>{escape(other.teaser)}</p>\n</div>"
        for other in others
    )


def home_links() -> dict[str, dict[str, str]]:
    """Return the titles that the home page lists, by path, for each category and section."""
    links: dict[str, dict[str, str]] = {key: {} for key in (*texts.CATEGORIES, *texts.SECTIONS)}
    for product in texts.PRODUCTS:
        links[product.category][product_path(product)] = product.name
    for post in texts.POSTS:
        links[post.section][post_path(post)] = post.title
    return links


def home_page() -> str:
    """Return the home page, which links to all the others."""
    links = home_links()

    def groups(names: dict[str, str]) -> str:
        lines = []
        for key, name in names.items():
            lines += [f'<section id="{key}">', element("h3", escape(name)), "<ul>"]
            lines += [f'<li><a href="{path}">{escape(title)}</a></li>' for path, title in links[key].items()]
            lines += ["</ul>", "</section>"]
        return "\n".join(lines)

    return HOME_PAGE.substitute(
        css=texts.HOME_CSS,
        title=texts.HOME_TITLE,
        text=prose_html(texts.HOME_TEXT, root_of(HOME_PATH)),
        shop=groups(texts.CATEGORIES),
        journal=groups(texts.SECTIONS),
    )


def plain_page() -> str:
    """Return the page without a template: a title and paragraphs."""
    root = root_of(PLAIN_PATH)
    paragraphs = (
        prose_html(text, root).replace("<p>", f'<p id="{anchor}">', 1) for anchor, text in texts.PLAIN_TEXTS.items()
    )
    return PLAIN_PAGE.substitute(title=texts.PLAIN_TITLE, text="\n".join(paragraphs))


def pages() -> dict[str, str]:
    """Return the HTML of every page by its path relative to the top of the site."""
    return {
        HOME_PATH: home_page(),
        PLAIN_PATH: plain_page(),
        **{product_path(product): product_page(product) for product in texts.PRODUCTS},
        **{post_path(post): post_page(post) for post in texts.POSTS},
    }


# ------------------------------------------------------------------------------------ what cleaning must keep


def product_kernel(product: texts.Product, *, labels: bool) -> str:
    """Return the record of a product, with or without the labels that all products share."""

    def lines(pairs: dict[str, str]) -> list[str]:
        return [f"{label} {value}" if labels else value for label, value in pairs.items()]

    facts, specs = lines(facts_of(product)), lines(specs_of(product))
    return "\n".join([product.name, product.price, *facts, prose_plain(product.text), *specs])


def home_kernel() -> str:
    """Return the words of the home page, which has no others."""
    links = home_links()
    lines = [texts.HOME_TITLE, prose_plain(texts.HOME_TEXT)]
    for heading, names in (("The shop", texts.CATEGORIES), ("The journal", texts.SECTIONS)):
        lines.append(heading)
        for key, name in names.items():
            lines += [name, *links[key].values()]
    return "\n".join(lines)


def kernel(path: str, *, labels: bool = True) -> str:
    """Return the main text of a page, in the order of the page, with at least one line for each block.

    For a product this is the name, price, facts, description and specification; for a post, the title and
    body.  It excludes text that cleaning should drop, and text that it may either keep or drop (byline, tags,
    author, headings and buttons of a product).  Without `labels` it also excludes the labels of facts and
    specifications, which are the same for all products.
    """
    if path == HOME_PATH:
        return home_kernel()
    if path == PLAIN_PATH:
        return "\n".join([texts.PLAIN_TITLE, *map(prose_plain, texts.PLAIN_TEXTS.values())])
    for product in texts.PRODUCTS:
        if product_path(product) == path:
            return product_kernel(product, labels=labels)
    for post in texts.POSTS:
        if post_path(post) == path:
            return f"{post.title}\n{prose_plain(post.text, post.lang)}"
    raise KeyError(path)


# ------------------------------------------------------------------------------------------------- the files


def write(folder: Path) -> int:
    """Write the pages as UTF-8 files below a folder, which is made if it does not exist; return their number."""
    site = pages()
    for path, html in site.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(html, encoding="utf-8", newline="\n")
    return len(site)
