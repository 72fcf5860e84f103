"""Other tools that take the content out of a page, or only parse it: what we are compared with.

None of them is needed: what is not installed is left out. `pip install --group bench` brings all of them.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

Tool = Callable[[bytes], object]


def resiliparse() -> Tool:
    """Its main content as text."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    detect = import_module("resiliparse.parse.encoding").detect_encoding
    tree = import_module("resiliparse.parse.html").HTMLTree
    return lambda html: extract(tree.parse_from_bytes(html, detect(html)), main_content=True)


def trafilatura() -> Tool:
    """Text, with its defaults."""
    extract: Tool = import_module("trafilatura").extract
    return extract


def readability() -> Tool:
    """The main content as HTML, which is what it gives."""
    document = import_module("readability").Document
    return lambda html: document(html.decode("utf-8", "replace")).summary()


def justext() -> Tool:
    """Paragraphs, with the stop words of English."""
    module = import_module("justext")
    words = module.get_stoplist("English")
    return lambda html: "\n".join(one.text for one in module.justext(html, words) if not one.is_boilerplate)


def boilerpy() -> Tool:
    """Text of an article."""
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()
    return lambda html: extractor.get_content(html.decode("utf-8", "replace"))


def turbohtml_content() -> Tool:
    """The parser's own idea of the main content, as text."""
    parse = import_module("turbohtml").parse
    return lambda html: parse(html).main_text()


def turbohtml_parse() -> Tool:
    """Parsing alone."""
    parse: Tool = import_module("turbohtml").parse
    return parse


def selectolax_parse() -> Tool:
    """Parsing alone."""
    parse: Tool = import_module("selectolax.lexbor").LexborHTMLParser
    return parse


def lxml_parse() -> Tool:
    """Parsing alone."""
    parse: Tool = import_module("lxml.html").document_fromstring
    return parse


Tools = Mapping[str, tuple[str, Callable[[], Tool]]]
"""Each tool with its package and what makes it ready."""

EXTRACTORS: Tools = {
    "resiliparse main content": ("resiliparse", resiliparse),
    "trafilatura": ("trafilatura", trafilatura),
    "readability-lxml": ("readability-lxml", readability),
    "jusText": ("justext", justext),
    "boilerpy3": ("boilerpy3", boilerpy),
    "turbohtml main content": ("turbohtml", turbohtml_content),
}

PARSERS: Tools = {
    "turbohtml, parsing alone": ("turbohtml", turbohtml_parse),
    "selectolax, parsing alone": ("selectolax", selectolax_parse),
    "lxml, parsing alone": ("lxml", lxml_parse),
}


def installed(tools: Tools) -> dict[str, Tool]:
    """Those of some tools that are installed, each ready to use."""
    found = {}
    for name, (_, ready) in tools.items():
        try:
            found[name] = ready()
        except ImportError:
            continue
    return found
