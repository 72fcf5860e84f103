"""dehusk edit: correct a template."""

import argparse
import getpass
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path

from dehusk.base.errors import UsageError, shown
from dehusk.base.files import written_whole
from dehusk.cli import examples
from dehusk.cli._common import add_choice, add_fetching, add_page_seconds, add_store, fetching
from dehusk.cli._telling import say, tell_missing
from dehusk.jobs.editing import Checked, Editable, InFile, InStore, check, column_edit, pages_for, read_within
from dehusk.marking.edits import Edit, Scope
from dehusk.outputs.target import refuse_sources
from dehusk.page import Page
from dehusk.templates.selectors import SiteRules, as_json, column_selectors, site_rules
from dehusk.templates.template import Template

ALL = "all"
COLUMNS = "columns"
MOST_PAGES = 24
"""How many pages the selectors of columns are tried on, at most."""

EXPORTS: Mapping[str, Callable[[SiteRules], str]] = {"css": lambda rules: rules.css, "ftr": lambda rules: rules.ftr}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk edit`."""
    parser.add_argument(
        "template", nargs="?", type=Path, metavar="FILE", help="a template file of one site, written by dehusk learn"
    )
    add_store(parser)
    parser.add_argument("--site", metavar="NAME", help="with --store: which site (default: none)")
    action = parser.add_mutually_exclusive_group()
    selector_help = "PLACE is a CSS selector from the body down, as dehusk reports it for removed regions"
    action.add_argument("--keep", metavar="PLACE", help=f"keep this region; {selector_help} (default: list all edits)")
    action.add_argument("--drop", metavar="PLACE", help="remove this region (default: list all edits)")
    action.add_argument(
        "--drop-column", metavar="NAME", help="leave this column out of tables (default: list all edits)"
    )
    action.add_argument("--keep-column", metavar="NAME", help="keep this column after all (default: list all edits)")
    action.add_argument(
        "--rename-column", metavar="OLD=NEW", help="give a column of tables another name (default: list all edits)"
    )
    action.add_argument("--undo", metavar="ID", help=f"undo an edit, or {ALL} of them (default: list all edits)")
    said = parser.add_argument_group("with --keep and --drop")
    add_choice(said, "--scope", list(Scope), "where the edit applies (default: site)")
    said.add_argument(
        "--family", metavar="N", help="with --scope family: which one, as the report names it (default: the only one)"
    )
    said.add_argument("--page", metavar="NAME", help="with --scope page: the URL or name of the page (default: none)")
    said.add_argument("--why", default="", metavar="TEXT", help="the reason for the edit (default: none)")
    said.add_argument("--by", metavar="NAME", help="the author of the edit (default: your user name)")
    parser.add_argument(
        "--check",
        nargs="*",
        metavar="SOURCE",
        help="look for the places of all edits on these pages, and exit with 1 if one of them is on no page "
        "(default: do not; with --store and no SOURCE: the pages that it learned from)",
    )
    export = parser.add_argument_group("export for other programs")
    add_choice(
        export,
        "--export",
        [*EXPORTS, COLUMNS],
        "write the selectors of removed and kept regions: a style sheet, or a site config of Full-Text RSS, which "
        "wallabag reads; or those of the columns of tables, for Scrapy and parsel (default: none)",
    )
    export.add_argument(
        "--from",
        nargs="+",
        dest="pages",
        default=[],
        metavar="SOURCE",
        help="with --export: pages to find selectors on (default: the pages in the store)",
    )
    export.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="with --export: the file to write (default: standard output)"
    )
    add_fetching(parser)
    add_page_seconds(parser, "with --check and --export: skip a page that takes")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    examples(
        parser,
        "dehusk edit site.husk --keep 'body > main > div.byline' --why 'the author is part of the text'",
        "dehusk edit site.husk --check crawl/",
    )


def run(options: argparse.Namespace) -> int:
    """Adds or undoes an edit, or lists, checks or exports all edits."""
    of_column = options.drop_column or options.keep_column or options.rename_column
    if (options.scope or options.family or options.page) and not (options.keep or options.drop):
        raise UsageError("--scope, --family and --page need --keep or --drop")
    if (options.why or options.by) and not (options.keep or options.drop or of_column):
        raise UsageError("--why and --by need --keep or --drop, or an edit of a column")
    if (options.pages or options.output) and not options.export:
        raise UsageError("--from and -o need --export")
    with _opened(options) as target:
        if options.export:
            return _export(target, options)
        if options.undo is not None:
            _undo(target, options)
        elif options.keep is not None or options.drop is not None:
            _edit(target, options)
        elif of_column:
            _edit_column(target, options)
        elif options.check is None:
            _list(target.template())
        return 0 if options.check is None else _check(target, options)


def _opened(options: argparse.Namespace) -> AbstractContextManager[Editable]:
    if options.template and options.store:
        raise UsageError("give a template file or --store, not both")
    if not options.template and not options.store:
        raise UsageError("which template? give its file, or a store with --store and --site")
    if options.store and options.site is None:
        raise UsageError(f"a store has many sites; choose one with --site (dehusk store {options.store} lists them)")
    if options.site is not None and not options.store:
        raise UsageError("--site needs --store")
    return InStore(Path(options.store), options.site) if options.store else nullcontext(InFile(options.template))


def _edit(target: Editable, options: argparse.Namespace) -> None:
    keep = options.keep is not None
    edit = Edit.new(
        options.keep if keep else options.drop,
        keep=keep,
        scope=options.scope or Scope.SITE,
        family=options.family,
        page=options.page,
        by=_user() if options.by is None else options.by,
        why=options.why,
    )
    target.edit(edit)
    say(f"edit {edit.id}: {edit.path} {'is kept' if keep else 'is removed'}; to undo: --undo {edit.id}", options)


def _edit_column(target: Editable, options: argparse.Namespace) -> None:
    renamed, equals, name = (options.rename_column or "").partition("=")
    if options.rename_column and not (equals and name):
        raise UsageError(f"{options.rename_column}: write the old and the new name as OLD=NEW")
    column = renamed or options.drop_column or options.keep_column
    by = _user() if options.by is None else options.by
    edit = column_edit(target.template(), column, keep=not options.drop_column, name=name, by=by, why=options.why)
    target.edit(edit)
    what = f"is {name} now" if name else "is kept" if edit.keep else "is left out"
    say(f"edit {edit.id}: the column {column} {what}; to undo: --undo {edit.id}", options)


def _undo(target: Editable, options: argparse.Namespace) -> None:
    names = [edit.id for edit in target.template().edits] if options.undo == ALL else [options.undo]
    if not names:
        say("there are no edits to undo", options)
    for name in names:
        target.undo(name)
        say(f"edit {name} is undone", options)


def _list(template: Template, checked: Checked | None = None) -> None:
    """Prints a line for each edit, with tabs between the columns."""
    print("id", "what", "where", "pages", "at", "by", "place", "why", sep="\t")
    for edit in template.edits:
        where = _where(edit, template)
        pages = f"{checked.pages_with[edit.id]} of {checked.pages}" if checked else "-"
        action = "rename" if edit.name else "keep" if edit.keep else "drop"
        by, why = shown(edit.by) or "-", shown(edit.why) or "-"
        print(edit.id, action, where, pages, edit.at, by, shown(_place(edit)), why, sep="\t")


def _place(edit: Edit) -> str:
    """What an edit is about: a place, or a column."""
    if not edit.column:
        return edit.path
    return f"column {edit.column}" + (f" is {edit.name}" if edit.name else "")


def _where(edit: Edit, template: Template) -> str:
    if edit.column:
        return "tables"
    if edit.scope is Scope.PAGE:
        return f"page {shown(edit.page or '')}"
    family = template.family_of(edit)
    return "site" if edit.scope is Scope.SITE else f"family {family}" if family else "a family that is gone"


def _export(target: Editable, options: argparse.Namespace) -> int:
    if options.keep or options.drop or options.undo or options.check is not None:
        raise UsageError("--export cannot be combined with --keep, --drop, --undo or --check")
    if options.output is not None:
        refuse_sources([options.output], [Path(options.template or options.store), *map(Path, options.pages)])
    template = target.template()
    pages = _pages(target, template, options.pages, "--from", options)
    if options.export == COLUMNS:
        text = as_json(column_selectors(template, list(islice(pages, MOST_PAGES))))
    else:
        text = EXPORTS[options.export](site_rules(template, pages))
    if options.output is None:
        print(text, end="")
    else:
        with written_whole(options.output) as file:
            file.write(text)
        say(f"selectors written: {options.output}", options)
    return 0


def _pages(
    target: Editable, template: Template, given: Sequence[str], option: str, options: argparse.Namespace
) -> Iterable[Page]:
    """The given pages, or else the pages that the template was learned from, without those that take too long."""
    pages = pages_for(template, given, fetching(options)) if given else target.sample()
    if pages is None:
        raise UsageError(f"a template file has no pages; give pages of the site with {option}")
    late = lambda page: say(f"skipped {page.name}: {page.reason}", options)  # noqa: E731
    return read_within(template, pages, options.page_seconds, late)


def _check(target: Editable, options: argparse.Namespace) -> int:
    template = target.template()
    checked = check(template, _pages(target, template, options.check, "--check", options))
    _list(template, checked)
    missing = [edit for edit in template.edits if not edit.column and not checked.pages_with[edit.id]]
    tell_missing({template.site: missing}, options)
    return 1 if missing else 0


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user id without a name
        return ""
