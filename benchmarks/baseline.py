"""Records digests of everything that dehusk writes for the data, to check whether a code change changes any output.

    python benchmarks/baseline.py DATA -o old.sqlite --of HEAD~3 --keep    # output of that commit
    python benchmarks/baseline.py DATA -o new.sqlite --keep                # output of this checkout
    python benchmarks/baseline.py --compare old.sqlite new.sqlite          # counts; exits with 1 if any differ
    python benchmarks/baseline.py --compare old.sqlite new.sqlite --show evidence text docs/rust-book/foo.html

An entry is the digest of one format of one page, by one method:

    template              the template as in its file: one for each site, or host of single pages
    text, markdown, html  the output of a page
    removed, removed.X    the removed regions with reasons; one field of them, for example `removed.reason`
    fit                   how well the page fits the template
    row, row.X            the page's line of `--format jsonl`; one field of it, for example `row.title`
    parts, parts.X        its line of `--format jsonl --parts`; one field of all its parts, for example `parts.role`
    parts.row.X           one other field of that line, for example `parts.row.title`

The default method cleans every page. Parts are slow (20 to 50 times as long as parsing), so they are recorded only for
the first 5 pages of a site, and for every fourth host of single pages. Of single pages, removed regions are recorded
for the same hosts. Rows are written by jobs: for a site with the saved and loaded template, for single pages with what
the job itself learns, by host. The other methods learn 8 pages and clean 4, of the 3 sites of each set whose names have
the smallest hashes. `--every N` takes every N-th site and host in that order, so its entries are a subset of those of a
whole run: compare them with `--common`.

If something raises, the digest is "error: ..." instead. An interrupted run can be resumed. With `--keep`, the output is
stored beside its digest, for `--show`. The collecting code uses only the data's layout and the public API of dehusk, so
that it works with any commit.
"""

import argparse
import contextlib
import difflib
import gzip
import hashlib
import json
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
PARTS = 5
"""Number of pages of a site whose parts are recorded."""
PARTS_EVERY = 4
"""Parts and removed regions are recorded for one in so many hosts of single pages."""
SITES, LEARNED, CLEANED = 3, 8, 4
"""For the papers' methods: numbers of sites of each set, of pages to learn from, and of pages to clean."""
HOSTS = 40
"""Number of hosts of single pages in a unit."""
NAMED = 3
"""Number of differing entries that are named for each format, from different sets and methods."""
FIELDS = ("path", "kind", "reason", "confidence", "text")
"""The recorded fields of a removed region."""

Entry = tuple[str, str, str, str, str, bytes | None]
"""Set, method, format, name, digest, and the compressed output."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of work: a site, or the single pages of some hosts."""

    dataset: str
    name: str
    where: Path
    methods: tuple[str, ...]
    keep: bool


class Entries:
    """The entries of a unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.all: list[Entry] = []

    def add(self, method: str, form: str, name: str, make: Callable[[], str | None]) -> None:
        """Adds one format of a page: its output, or the error."""
        digest, value = tried(make)
        packed = zlib.compress(value.encode("utf-8", "surrogatepass")) if self._unit.keep and value else None
        self.all.append((self._unit.dataset, method, form, name, digest, packed))

    def add_fields(self, method: str, form: str, name: str, values: dict[str, Any]) -> None:
        """Adds the digest of each field. The values are stored with the whole row."""
        for field, value in values.items():
            digest = digest_of(json.dumps(value, ensure_ascii=False))
            self.all.append((self._unit.dataset, method, f"{form}.{field}", name, digest, None))


def digest_of(text: str) -> str:
    """A short hash."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def tried(make: Callable[[], str | None]) -> tuple[str, str | None]:
    """The digest of an output, and the output; if making it raises, an error text and None."""
    try:
        value = make()
    except Exception as error:  # noqa: BLE001  # a page that raises is a finding
        return f"error: {type(error).__name__}: {error}"[:300], None
    return ("error: not written", None) if value is None else (digest_of(value), value)


# Collecting: this must work with the code of any commit.


def site_folders(data: Path) -> dict[str, list[Path]]:
    """The sites of each set, sorted by the hashes of their names."""
    sets: dict[str, list[Path]] = defaultdict(list)
    for pattern in ("docs/*", "manuals/*", "news/*", "products/*/*"):
        for folder in data.glob(pattern):
            if (folder / "pages").is_dir():
                kind = pattern.partition("/")[0]
                sets[f"news-{folder.name.partition('-')[0]}" if kind == "news" else kind].append(folder)
    return {
        name: sorted(folders, key=lambda one: digest_of(one.relative_to(data).as_posix()))
        for name, folders in sorted(sets.items())
    }


def site_units(data: Path, methods: list[str], every: int, *, keep: bool) -> Iterator[Unit]:
    """Each site, with the methods to clean it by."""
    for dataset, folders in site_folders(data).items():
        for number, folder in enumerate(folders):
            if number % every == 0:
                chosen = methods if number < SITES else methods[:1]
                yield Unit(dataset, folder.relative_to(data).as_posix(), folder, tuple(chosen), keep)


def page_units(data: Path, folder: Path, methods: list[str], every: int, *, keep: bool) -> Iterator[Unit]:
    """The single pages, written to files of a few hosts each."""
    for file in sorted(data.glob("pages/*.jsonl.gz")):
        name = file.name.removesuffix(".jsonl.gz")
        hosts: dict[str, list[str]] = defaultdict(list)
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                line = json.dumps({"url": row["url"], "html": row["html"]})
                hosts[urlsplit(row["url"]).hostname or ""].append(line)
        taken = sorted(hosts, key=digest_of)[::every]
        for start in range(0, len(taken), HOSTS):
            target = folder / f"{name}-{start:05d}.jsonl"
            with target.open("w", encoding="utf-8") as out:
                out.writelines(f"{line}\n" for host in taken[start : start + HOSTS] for line in hosts[host])
            yield Unit(f"pages-{name}", f"pages/{name}/{start:05d}", target, tuple(methods[:1]), keep)


def collected(unit: Unit) -> tuple[str, list[Entry]]:
    """Collects a unit; returns its name and its entries."""
    entries = Entries(unit)
    with tempfile.TemporaryDirectory() as name:
        if unit.where.is_dir():
            for method in unit.methods:
                collect_site(entries, unit, method, Path(name) / method)
        else:
            collect_pages(entries, unit, Path(name))
    return unit.name, entries.all


def collect_site(entries: Entries, unit: Unit, method: str, folder: Path) -> None:
    """Collects a site by one method: the default on all pages, another on a few."""
    import dehusk

    whole = method == unit.methods[0]
    pages = unit.where / "pages"
    files = sorted(file for file in pages.rglob("*") if file.is_file())
    names = [file.relative_to(pages).as_posix() for file in files]
    html = [file.read_bytes() for file in files]
    made = [dehusk.Page(data, name=name) for data, name in zip(html, names, strict=True)]
    template = learned(entries, method, unit.name, made if whole else made[:LEARNED])
    del made
    if template is None:
        return
    some = folder / "some"
    saved = folder / "site.husk"
    for name, data in list(zip(names, html, strict=True))[: PARTS if whole else CLEANED]:
        (some / name).parent.mkdir(parents=True, exist_ok=True)
        (some / name).write_bytes(data)
    template.save(saved)
    for name, data in list(zip(names, html, strict=True))[: None if whole else CLEANED]:
        collect_page(entries, method, f"{unit.name}/{name}", template, dehusk.Page(data, name=name))
    here = [f"{unit.name}/{name}" for name in names]
    if whole:
        every_row = tried_rows(partial(rows, pages, folder / "rows.jsonl", parts=False, template=saved), folder)
        collect_rows(entries, method, "row", dict(zip(here, names, strict=True)), every_row)
    few = here[: PARTS if whole else CLEANED]
    with_parts = tried_rows(partial(rows, some, folder / "parts.jsonl", parts=True, template=saved), folder)
    collect_rows(entries, method, "parts", dict(zip(few, names, strict=False)), with_parts)


def collect_pages(entries: Entries, unit: Unit, folder: Path) -> None:
    """Collects single pages; those of one host are learned together, as in a crawl."""
    import dehusk

    (method,) = unit.methods
    before = unit.name.rpartition("/")[0]
    hosts: dict[str, list[dict[str, str]]] = defaultdict(list)
    with unit.where.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            hosts[urlsplit(row["url"]).hostname or ""].append(row)
    for host, here in hosts.items():
        pages = [dehusk.Page(row["html"], url=row["url"]) for row in here]
        template = learned(entries, method, f"{before}/{host}", pages)
        for row in here if template is not None else ():
            page = dehusk.Page(row["html"], url=row["url"])
            collect_page(entries, method, f"{before}/{row['url']}", template, page, reasons=in_parts(host))
    every_row = tried_rows(partial(rows, unit.where, folder / "rows.jsonl", parts=False), folder)
    urls = [row["url"] for here in hosts.values() for row in here]
    collect_rows(entries, method, "row", {f"{before}/{url}": url for url in urls}, every_row)
    few = [row for host, here in hosts.items() if in_parts(host) for row in here]
    if few:
        some = folder / "some.jsonl"
        some.write_text("".join(json.dumps(row) + "\n" for row in few), "utf-8")
        with_parts = tried_rows(partial(rows, some, folder / "parts.jsonl", parts=True), folder)
        collect_rows(entries, method, "parts", {f"{before}/{row['url']}": row["url"] for row in few}, with_parts)


def in_parts(host: str) -> bool:
    """Whether parts are recorded for this host's single pages."""
    return int(digest_of(host), 16) % PARTS_EVERY == 0


def learned(entries: Entries, method: str, name: str, pages: list[Any]) -> Any:
    """Learns and records the template of some pages; None if learning fails."""
    import dehusk

    found: list[dehusk.Template] = []

    def make() -> str:
        found.append(dehusk.learn(pages, method=method))
        return json.dumps(found[0].to_json(), ensure_ascii=False)

    entries.add(method, "template", name, make)
    return found[0] if found else None


def collect_page(entries: Entries, method: str, name: str, template: Any, page: Any, *, reasons: bool = True) -> None:
    """Collects all outputs of a page except rows; with `reasons`, the removed regions too."""
    cleaned = template.clean(page)
    for form in ("text", "markdown", "html"):
        entries.add(method, form, name, partial(getattr, cleaned, form))
    entries.add(method, "fit", name, lambda: repr(cleaned.fit))
    if not reasons:
        return
    gone: list[dict[str, Any]] = []

    def make() -> str:
        gone.extend({field: getattr(one, field) for field in FIELDS} for one in cleaned.removed)
        return json.dumps(gone, ensure_ascii=False)

    entries.add(method, "removed", name, make)
    entries.add_fields(method, "removed", name, {field: [one[field] for one in gone] for field in FIELDS})


def rows(source: Path, output: Path, *, parts: bool, template: Path | None = None) -> dict[str, str]:
    """Runs a job; returns the lines that it writes, by page name."""
    import dehusk

    options = {"parts": True} if parts else {}
    dehusk.Job(source, output, format="jsonl", output_options=options, template=template, jobs=1, page_seconds=0).run()
    with output.open(encoding="utf-8", newline="\n") as lines:
        return {json.loads(line)["name"]: line for line in lines}


def tried_rows(make: Callable[[], dict[str, str]], folder: Path) -> dict[str, str] | Exception:
    """The lines of a job, or the exception if it fails."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001  # a finding, too; temporary names differ from run to run
        return RuntimeError(f"{type(error).__name__}: {error}".replace(str(folder), "FOLDER"))


def collect_rows(
    entries: Entries, method: str, form: str, names: dict[str, str], found: dict[str, str] | Exception
) -> None:
    """Collects the lines of pages, whole and by field. `names` maps names of entries to names in the lines."""
    for entry, name in names.items():
        if isinstance(found, Exception):
            entries.add(method, form, entry, partial(_raise, found))
            continue
        line = found.get(name)
        entries.add(method, form, entry, lambda line=line: line)  # type: ignore[misc]
        row = json.loads(line) if line else {}
        if form == "row":
            entries.add_fields(method, form, entry, row)
        else:
            fields = sorted({field for part in row.get("parts", ()) for field in part})
            by_field = {field: [part.get(field) for part in row["parts"]] for field in fields}
            entries.add_fields(method, form, entry, by_field)
            entries.add_fields(method, "parts.row", entry, {key: row[key] for key in row if key != "parts"})


def _raise(error: Exception) -> str:
    raise error


def known_methods() -> list[str]:
    """The names of the methods, the default first, as the command line lists them."""
    told = subprocess.run([sys.executable, "-m", "dehusk", "methods"], check=True, capture_output=True, text=True)
    heads = [line.partition(":")[0] for line in told.stdout.splitlines() if line[:1].strip()]
    heads.sort(key=lambda head: "(default)" not in head)
    return [head.partition(" ")[0] for head in heads]


def collect(options: argparse.Namespace) -> None:
    """Collects all units that are not done yet."""
    import dehusk

    source = os.environ["PYTHONPATH"]
    if not str(dehusk.__file__).startswith(source):
        sys.exit(f"{dehusk.__file__} was imported, not the code in {source}")
    began = time.monotonic()
    methods = known_methods()
    base = opened(options.output, {"code": code_of(Path(source)), "every": options.every, "keep": options.keep})
    done = {name for (name,) in base.execute("SELECT name FROM done")}
    with contextlib.closing(base), tempfile.TemporaryDirectory() as name:
        units = [
            *site_units(options.data, methods, options.every, keep=options.keep),
            *page_units(options.data, Path(name), methods, options.every, keep=options.keep),
        ]
        todo = [unit for unit in units if unit.name not in done]
        print(f"{len(units)} sites and files, {len(todo)} to do; methods: {', '.join(methods)}", flush=True)
        # spawn: the processes must not inherit the connection to the file.
        with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
            waiting = [pool.submit(collected, unit) for unit in todo]
            for number, one in enumerate(as_completed(waiting), 1):
                unit, entries = one.result()
                with base:
                    base.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)", entries)
                    base.execute("INSERT INTO done VALUES (?)", (unit,))
                print(f"{time.monotonic() - began:6.0f} s {number:4d} {unit}: {len(entries)}", flush=True)
        count, wrong = base.execute("SELECT count(*), total(digest LIKE 'error:%') FROM entries").fetchone()
    spent = os.times()
    used = sum(spent[:4])
    print(
        f"{count:,} entries, {int(wrong):,} of them errors; {time.monotonic() - began:.0f} s, {used:.0f} s of processor"
    )


# The file of entries.


def opened(path: Path, made: dict[str, Any]) -> sqlite3.Connection:
    """Opens the file of entries, new or to resume. Exits if it was made with other code or options."""
    base = sqlite3.connect(path)
    with base:
        base.execute("CREATE TABLE IF NOT EXISTS made (what TEXT)")
        base.execute("CREATE TABLE IF NOT EXISTS done (name TEXT PRIMARY KEY)")
        base.execute(
            "CREATE TABLE IF NOT EXISTS entries (dataset TEXT, method TEXT, format TEXT, name TEXT, digest TEXT, "
            "value BLOB, PRIMARY KEY (dataset, method, format, name)) WITHOUT ROWID"
        )
        before = base.execute("SELECT what FROM made").fetchone()
        what = json.dumps(made)
        if before is None:
            base.execute("INSERT INTO made VALUES (?)", (what,))
        elif before != (what,):
            sys.exit(f"{path} was made with other code or options; choose another file, or delete it")
    return base


def code_of(source: Path) -> str:
    """A digest of all source files."""
    files = sorted(file for file in source.rglob("*") if file.suffix in {".py", ".pxd", ".json"})
    return digest_of("\n".join(f"{file.relative_to(source)} {digest_of(file.read_text('utf-8'))}" for file in files))


# The code of a commit.


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Checks a commit out into a temporary folder, with compiled kernels."""
    git = shutil.which("git") or "git"
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        subprocess.run([git, "-C", ROOT, "worktree", "add", "--quiet", "--detach", tree, commit], check=True)
        try:
            compile_kernels(tree)
            yield tree / "src"
        finally:
            subprocess.run([git, "-C", ROOT, "worktree", "remove", "--force", tree], check=True)


def compile_kernels(tree: Path) -> None:
    """Compiles the kernels; copies those of this checkout if their sources are equal, which saves minutes."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    typed = [file.relative_to(tree) for file in sorted(tree.glob("src/**/*.pxd"))]
    sources = [Path("setup.py"), *typed, *(file.with_suffix(".py") for file in typed)]
    built = [file.with_suffix(suffix) for file in typed]
    ready = all((ROOT / file).is_file() for file in [*sources, *built])
    if ready and all((ROOT / file).read_bytes() == (tree / file).read_bytes() for file in sources):
        newest = max((ROOT / file).stat().st_mtime for file in sources)
        if all((ROOT / file).stat().st_mtime >= newest for file in built):
            for file in built:
                shutil.copy2(ROOT / file, tree / file)
            return
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", "--parallel=2"], cwd=tree, check=True
    )


def run(options: argparse.Namespace) -> int:
    """Runs --collect in a process that imports the requested code."""
    with checked_out(options.of) if options.of else contextlib.nullcontext(ROOT / "src") as source:
        command = [sys.executable, __file__, options.data, "-o", options.output, "--collect"]
        command += ["--every", str(options.every), "--jobs", str(options.jobs), *(["--keep"] if options.keep else [])]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": str(source)}, check=False).returncode


# Comparing.


def compare(old: Path, new: Path, *, common: bool) -> int:
    """Prints the differences by set, method and format; returns 1 if there are any."""
    base = both(old, new)
    kinds: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    names: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (dataset, method, form, name), (before, after) in joined(base):
        what = "same" if before == after else "old" if after is None else "new" if before is None else "differ"
        key = (dataset, method, form)
        kinds[key][what] += 1
        if what == "differ" or (what != "same" and not common):
            names[key].append(name)
    total = sum(kinds.values(), Counter[str]())
    if names:
        print("set             method               format                same  differ  only old  only new")
    for key in sorted(names):
        counts = kinds[key]
        numbers = f"{counts['same']:6d}  {counts['differ']:6d}  {counts['old']:8d}  {counts['new']:8d}"
        print(f"{key[0]:15s} {key[1]:20s} {key[2]:18s} {numbers}")
    by_format: dict[str, list[str]] = defaultdict(list)
    for (_, method, form), some in sorted(names.items()):
        by_format[form] += [f"--show {method} {form} {name}" for name in some[:1]]
    for form in sorted(by_format):
        print(*by_format[form][:NAMED], sep="\n")
    print(f"{total['same']:,} entries are the same, {total['differ']:,} differ", end="")
    print(f", {total['old']:,} are only in {old}, {total['new']:,} only in {new}")
    return 1 if names else 0


def both(old: Path, new: Path) -> sqlite3.Connection:
    """Opens two files in one connection, read-only."""
    base = sqlite3.connect(":memory:", uri=True)
    for name, path in (("old", old), ("new", new)):
        if not path.is_file():
            sys.exit(f"{path}: no such file")
        base.execute(f"ATTACH ? AS {name}", (f"{path.resolve().as_uri()}?mode=ro",))
    return base


def joined(base: sqlite3.Connection) -> Iterator[tuple[tuple[str, ...], tuple[str | None, str | None]]]:
    """The key of each entry of either file, and its digests in both."""
    sides: list[dict[tuple[str, ...], str]] = []
    for side in ("old", "new"):
        found = base.execute(f"SELECT dataset, method, format, name, digest FROM {side}.entries")  # noqa: S608
        sides.append({tuple(key): digest for *key, digest in found})
    before, after = sides
    yield from ((key, (before.get(key), after.get(key))) for key in sorted({*before, *after}))


def show(old: Path, new: Path, method: str, form: str, name: str) -> int:
    """Prints the difference of one entry."""
    base = both(old, new)
    whole, _, field = form.partition(".")
    sides: list[list[str]] = []
    for side in ("old", "new"):
        query = f"SELECT digest, value FROM {side}.entries WHERE method = ? AND format = ? AND name = ?"  # noqa: S608
        digest, value = base.execute(query, (method, whole, name)).fetchone() or ("no such entry", None)
        sides.append(lines_of(whole, field, value) if value is not None else [digest])
    difference = list(difflib.unified_diff(sides[0], sides[1], str(old), str(new), lineterm=""))
    print("\n".join(difference) if difference else "no difference")
    return 1 if difference else 0


def lines_of(form: str, field: str, value: bytes) -> list[str]:
    """An output as lines to compare; with `field`, only that field."""
    text = zlib.decompress(value).decode("utf-8", "surrogatepass")
    if form in {"text", "markdown", "html", "fit"}:
        return text.split("\n")
    data = json.loads(text)
    if form == "row" and field:
        data = data.get(field)
    elif field.startswith("row."):
        data = data.get(field.removeprefix("row."))
    elif field:
        data = [one.get(field) for one in (data["parts"] if form == "parts" else data)]
    return json.dumps(data, ensure_ascii=False, indent=1).split("\n")


def main() -> int:
    """Makes a file of entries, or compares two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of sites and pages")
    parser.add_argument("-o", "--output", type=Path, help="the file to write")
    parser.add_argument("--of", metavar="COMMIT", help="use the code of this commit (default: this checkout)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site and host (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--keep", action="store_true", help="store the outputs, for --show")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="compare two files")
    parser.add_argument("--common", action="store_true", help="compare only entries that both files have")
    parser.add_argument("--show", nargs=3, metavar=("METHOD", "FORMAT", "NAME"), help="print how one entry differs")
    parser.add_argument("--collect", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.compare and options.show:
        return show(*options.compare, *options.show)
    if options.compare:
        return compare(*options.compare, common=options.common)
    if options.data is None or options.output is None:
        parser.error("give the folder of the data and the file to write (-o), or two files to --compare")
    if options.collect:
        collect(options)
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
