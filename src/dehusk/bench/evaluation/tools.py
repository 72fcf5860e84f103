"""Other extractors and parsers to compare with, and timing."""

import logging
import re
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar

from dehusk.bench.evaluation._shared_runs import without_shared_runs
from dehusk.page import Page
from dehusk.page.elements import html_of, plain_text
from dehusk.templates.cleaned import Cleaned

Tool = Callable[[bytes], object]

Said = Mapping[str, str | None]
"""The metadata that a tool extracts: title, author and date."""
MetadataTool = Callable[[bytes, str | None], Said]


def resiliparse() -> Tool:
    """Extracts the main content as text."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    detect = import_module("resiliparse.parse.encoding").detect_encoding
    tree = import_module("resiliparse.parse.html").HTMLTree
    return lambda html: extract(tree.parse_from_bytes(html, detect(html)), main_content=True)


def readability() -> Tool:
    """Extracts the main content as HTML: it has no text output."""
    document = import_module("readability").Document
    return lambda html: document(html.decode("utf-8", "replace")).summary()


def justext() -> Tool:
    """Extracts paragraphs, using the stop words of the page's language; none for languages that it does not know."""
    module = import_module("justext")
    lists = cache(module.get_stoplist)

    def extract(html: bytes) -> str:
        name = stop_words_for(html, module.get_stoplists(), lists)
        known = {"stoplist": lists(name)} if name else {"stoplist": frozenset(), **_NO_STOP_WORDS}
        return "\n".join(part.text for part in module.justext(html, **known) if not part.is_boilerplate)

    return extract


_NO_STOP_WORDS = {"stopwords_low": 0, "stopwords_high": 0}
"""What jusText's documentation advises without a list of stop words."""

_LANGUAGES = dict(
    pair.split("=")
    for pair in [
        "ar=Arabic",
        "bg=Bulgarian",
        "cs=Czech",
        "da=Danish",
        "de=German",
        "el=Greek",
        "en=English",
        "es=Spanish",
        "et=Estonian",
        "fa=Persian",
        "fi=Finnish",
        "fr=French",
        "hr=Croatian",
        "hu=Hungarian",
        "id=Indonesian",
        "it=Italian",
        "ko=Korean",
        "lt=Lithuanian",
        "lv=Latvian",
        "nl=Dutch",
        "no=Norwegian_Bokmal",
        "pl=Polish",
        "pt=Portuguese",
        "ro=Romanian",
        "ru=Russian",
        "sk=Slovak",
        "sl=Slovenian",
        "sr=Serbian",
        "sv=Swedish",
        "tr=Turkish",
        "uk=Ukrainian",
    ]
)
"""The lists of jusText by the code of their language."""

_SPACELESS = ("zh", "ja", "th")
_LEAST_STOP_WORDS = 0.1
"""A language is guessed only if this share of the words are its stop words."""


def stop_words_for(html: bytes, names: Collection[str], words_of: Callable[[str], AbstractSet[str]]) -> str | None:
    """The name of the list for a page: by its lang attribute, else the list with most of its words. None for none."""
    page = Page(html)
    code = (page.language or "").lower().partition("-")[0]
    if code in _SPACELESS:
        return None
    if _LANGUAGES.get(code) in names:
        return _LANGUAGES[code]
    said = [word.lower() for word in re.findall(r"[^\W\d_]+", plain_text(page.whole))]
    known = [name for name in _LANGUAGES.values() if name in names]
    share, best = max(((sum(word in words_of(name) for word in said), name) for name in known), default=(0, ""))
    return best if said and share >= _LEAST_STOP_WORDS * len(said) else None


def boilerpy() -> Tool:
    """Extracts the text of an article."""
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()
    return lambda html: extractor.get_content(html.decode("utf-8", "replace"))


def newspaper() -> Tool:
    """Extracts the text of an article, without fetching pictures."""
    read = _newspaper()
    return lambda html: read(html, None).text


def rs_trafilatura() -> Tool:
    """Extracts text, with default settings."""
    extract = import_module("rs_trafilatura").extract_bytes
    return lambda html: extract(html).main_content


def turbohtml_content() -> Tool:
    """Extracts the main content with the parser's own function, as text."""
    parse = import_module("turbohtml").parse
    return lambda html: parse(html).main_text()


def trafilatura_metadata() -> MetadataTool:
    """Extracts the metadata that comes with the text."""
    extract = import_module("trafilatura").bare_extraction

    def said(html: bytes, url: str | None) -> Said:
        document = extract(html, url=url, with_metadata=True)
        return {name: getattr(document, name, None) for name in ("title", "author", "date")}

    return said


def newspaper_metadata() -> MetadataTool:
    """Extracts the title, the date, and all author names joined with commas."""
    read = _newspaper()

    def said(html: bytes, url: str | None) -> Said:
        article = read(html, url)
        date = article.publish_date.date().isoformat() if article.publish_date else None
        return {"title": article.title, "author": ", ".join(article.authors), "date": date}

    return said


def rs_trafilatura_metadata() -> MetadataTool:
    """Extracts the metadata that comes with the text."""
    extract = import_module("rs_trafilatura").extract_bytes

    def said(html: bytes, url: str | None) -> Said:
        document = extract(html, url=url)
        return {"title": document.title, "author": document.author, "date": document.date}

    return said


def _imported(module: str, name: str) -> Tool:
    """A function of another package, unchanged."""
    tool: Tool = getattr(import_module(module), name)
    return tool


def text_of(tool: Tool, html: bytes) -> str:
    """The content that a tool extracts, converted to text if it is HTML. Passes on exceptions of the tool."""
    content = str(tool(html) or "")
    return plain_text(Page(content).whole) if content.startswith("<") else content


@contextmanager
def muted() -> Iterator[None]:
    """Suppresses logs and warnings: other tools print many about odd pages."""
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


def _newspaper() -> Callable[[bytes, str | None], Any]:
    """Reads articles offline: with `fetch_images` off, newspaper4k still fetches pictures to find the largest one."""
    module = import_module("newspaper")
    settings = module.configuration.Configuration()
    settings.fetch_images = False
    for scheme in ("http://", "https://"):
        import_module("newspaper.network").session.mount(scheme, _offline())

    def read(html: bytes, url: str | None) -> Any:
        article = module.Article(url or "https://page.invalid/", config=settings)
        article.download(input_html=html_of(Page(html).whole))
        article.parse()
        return article

    return read


def _offline() -> Any:
    """An adapter for sessions of requests that refuses every request."""
    requests = import_module("requests")

    def send(*_: object, **__: object) -> None:
        raise requests.exceptions.ConnectionError("nothing is fetched")

    return type("Offline", (requests.adapters.BaseAdapter,), {"send": send, "close": lambda _: None})()


Tools = Mapping[str, tuple[str, Callable[[], Tool]]]
"""Tools by name, each with its package and a function that loads it."""

EXTRACTORS: Tools = {
    "resiliparse": ("resiliparse", resiliparse),
    "trafilatura": ("trafilatura", partial(_imported, "trafilatura", "extract")),
    "readability-lxml": ("readability-lxml", readability),
    "jusText": ("justext", justext),
    "boilerpy3": ("boilerpy3", boilerpy),
    "newspaper4k": ("newspaper4k", newspaper),
    "rs-trafilatura": ("rs-trafilatura", rs_trafilatura),
    "turbohtml": ("turbohtml", turbohtml_content),
}

SITE_TOOLS: Mapping[str, Callable[[Sequence[str]], list[str]]] = {"mdream's rule": without_shared_runs}
"""Rules of other tools for the texts of all pages of a site, by name."""

PARSERS: Tools = {
    "turbohtml, parsing alone": ("turbohtml", partial(_imported, "turbohtml", "parse")),
    "selectolax, parsing alone": ("selectolax", partial(_imported, "selectolax.lexbor", "LexborHTMLParser")),
    "lxml, parsing alone": ("lxml", partial(_imported, "lxml.html", "document_fromstring")),
}


METADATA: Mapping[str, tuple[str, Callable[[], MetadataTool]]] = {
    "trafilatura": ("trafilatura", trafilatura_metadata),
    "newspaper4k": ("newspaper4k", newspaper_metadata),
    "rs-trafilatura": ("rs-trafilatura", rs_trafilatura_metadata),
}

Ready = TypeVar("Ready")


def installed(tools: Mapping[str, tuple[str, Callable[[], Ready]]]) -> dict[str, Ready]:
    """Loads the tools that are installed."""
    usable = {}
    for name, (_, ready) in tools.items():
        try:
            with muted():  # some warn when they are imported
                usable[name] = ready()
        except ImportError:
            continue
    return usable


Clock = Callable[[], float]
Given = TypeVar("Given")
Result = TypeVar("Result")

PROCESSOR: Clock = time.process_time
"""Processor time of this process, which other work on the machine disturbs least."""

WALL: Clock = time.perf_counter
"""Wall-clock time, for work in several processes."""


class Timed(NamedTuple, Generic[Result]):
    """The result of some work, and the seconds of its fastest round."""

    result: Result
    seconds: float


def timed(work: Callable[[], Result], *, rounds: int = 1, clock: Clock = PROCESSOR) -> Timed[Result]:
    """Does some work several times; returns the last result and the best time."""
    best = inf
    for _ in range(rounds):
        started = clock()
        result = work()
        best = min(best, clock() - started)
    return Timed(result, best)


def in_turns(
    works: Mapping[str, Callable[[Given], object]], given: Given, *, rounds: int, clock: Clock = PROCESSOR
) -> dict[str, float]:
    """The seconds that each of several works takes on the same input; without those that fail on it.

    They take turns, so that a slow moment of the machine does not fall on one of them alone.
    """
    best: dict[str, float] = {}
    failed: set[str] = set()
    for _ in range(rounds):
        for name, work in works.items():
            if name in failed:
                continue
            started = clock()
            try:
                work(given)
            except Exception:  # noqa: BLE001  # other tools may raise anything
                failed.add(name)
            else:
                best[name] = min(best.get(name, inf), clock() - started)
    return {name: seconds for name, seconds in best.items() if name not in failed}


OUTPUTS: Mapping[str, Callable[[Cleaned], object]] = {
    "text": lambda cleaned: cleaned.text,
    "Markdown": lambda cleaned: cleaned.markdown,
    "HTML": lambda cleaned: cleaned.html,
    "row": lambda cleaned: (cleaned.text, cleaned.metadata),
    "parts": lambda cleaned: (cleaned.text, cleaned.metadata, cleaned.parts),
    "row+parts": lambda cleaned: cleaned.to_dict(("text", "parts")),
    "reasons": lambda cleaned: (cleaned.text, cleaned.removed),
}
"""What a cleaned page can be asked for, by the name of a column.

A row is text and metadata. Parts are found, and not written; `row+parts` writes all of them.
"""
