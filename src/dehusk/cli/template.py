"""dehusk template: from one page and its links to its template."""

import argparse
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from dehusk import render
from dehusk.cli.common import add_fetching, fetcher, say
from dehusk.errors import SourceError, UsageError
from dehusk.files import reason, written_whole
from dehusk.methods import etdm
from dehusk.page import Page, unusable
from dehusk.sites.families import signature
from dehusk.sites.links import LIMIT, SIZE, Folder, Load, Subdigraph, complete_subdigraph, over
from dehusk.template import Family, Template
from dehusk.viewer.report import Share, choose, report, shown

_URLS = ("http://", "https://")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk template`."""
    parser.add_argument(
        "key", metavar="KEYPAGE", help="the URL of a page, or a file whose links lead to its neighbours"
    )
    parser.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="gets template.html, content.html and report.html"
    )
    parser.add_argument("--root", metavar="DIR", help="read no file outside this folder (default: that of KEYPAGE)")
    parser.add_argument(
        "--size", type=_number, default=SIZE, metavar="N", help="pages to compare it with (default: %(default)s)"
    )
    parser.add_argument(
        "--votes",
        type=_number,
        default=etdm.VOTES,
        metavar="V",
        help="on so many of them template is found again (default: %(default)s)",
    )
    parser.add_argument(
        "--limit", type=_number, default=LIMIT, metavar="N", help="links to follow at most (default: %(default)s)"
    )
    add_fetching(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Finds pages that link to each other, learns from them what of the key page is template, and writes it."""
    started = time.perf_counter()
    with ExitStack() as stack:
        key, load = _live(options, stack) if _is_live(options) else _saved(options)
        found = complete_subdigraph(key, load, size=options.size, limit=options.limit)
    if not found.pages:
        raise SourceError(f"{options.key}: no link leads to another page{_advice(options)}")
    pages = [key, *found.pages]
    if not _is_live(options):  # files got an address only for their links to resolve
        pages = [Page(page.html, name=page.name) for page in pages]
    rules = etdm.learn(pages, key=pages[0], votes=options.votes).rules
    learned = Template("etdm", (Family(signature(pages), rules),), len(pages))
    marking = learned.mark(pages[0])
    _write(Path(options.output), learned, pages)
    for warning in [*_shortfall(found, options), *marking.warnings]:
        say(f"warning: {options.key}: {warning}", options)
    say(_summary(found, marking.share_removed, time.perf_counter() - started, options), options)
    return 0


def _is_live(options: argparse.Namespace) -> bool:
    key: str = options.key
    return key.lower().startswith(_URLS)


def _live(options: argparse.Namespace, stack: ExitStack) -> tuple[Page, Load]:
    """The key page from the web, and a loader for its links."""
    if options.root:
        raise UsageError(f"--root is for files; {options.key} is a URL")
    fetching = fetcher(options, stack)
    return fetching.fetch(options.key), over(fetching.fetch)


def _saved(options: argparse.Namespace) -> tuple[Page, Load]:
    """The key page from a file, and a loader for the files its links lead to."""
    if "://" in options.key:
        raise UsageError(f"{options.key}: only http and https are fetched")
    file = Path(options.key)
    root = Path(options.root) if options.root else file.parent
    folder = Folder(root)
    place = folder.url(file)
    if place is None:
        raise UsageError(f"{file} is not inside {root}; give a --root that holds it")
    whole = file.resolve()
    if Path(options.output).resolve() in (root.resolve(), whole.parent):
        raise UsageError(f"{options.output} holds the pages that are read; choose another output")
    try:
        if file.is_dir():
            raise UsageError(f"{file} is a folder; name the page in it whose template you want")
        data = whole.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read {file}: {reason(error)}") from error
    if why := unusable(data):
        raise SourceError(f"{file}: {why}; give an HTML page")
    return Page(data, url=place, name=whole.relative_to(root.resolve()).as_posix()), folder


def _write(folder: Path, learned: Template, pages: Sequence[Page]) -> None:
    """The three files, all of them made before the first is written."""
    key = pages[0]
    shares = [Share(page.name, None, sum(map(len, page.tree.text)), learned.mark(page).share_removed) for page in pages]
    wanted = choose(shares)
    views = [shown(learned, page) for page in pages if page.name in wanted]
    files = {
        "template.html": render.template_html(learned.mark(key)),
        "content.html": learned.clean(key).html,
        "report.html": report(key.name, learned, shares, views, key),
    }
    for name, text in files.items():
        with written_whole(folder / name) as file:
            file.write(text)


def _advice(options: argparse.Namespace) -> str:
    if _is_live(options):
        return " of its host that can be fetched; start from a page with a menu"
    return f" in {options.root or Path(options.key).parent}; give the folder of the whole site with --root"


def _shortfall(found: Subdigraph, options: argparse.Namespace) -> list[str]:
    if len(found.pages) == options.size:
        return []
    have = f"only {len(found.pages)} pages that link to each other were" if len(found.pages) > 1 else "only 1 page was"
    return [f"{have} found, not {options.size}; see in report.html whether the template is right"]


def _summary(found: Subdigraph, share: float, seconds: float, options: argparse.Namespace) -> str:
    nowhere = f", {found.failed} link{'s' * (found.failed > 1)} led to none" if found.failed else ""
    report = Path(options.output) / "report.html"
    return (
        f"{found.loaded} pages loaded{nowhere}, {len(found.pages)} compared with the key page, "
        f"{share:.0%} of its text is template, {seconds:.1f} s: open {report} in a browser"
    )


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
