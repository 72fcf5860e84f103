"""Prints how many files and functions of dehusk are used to clean a page:  python benchmarks/paths.py

    dehusk.clean(html).text                          one page
    dehusk clean archive.warc.gz -o out.jsonl -j 2   an archive of some sites; parent and workers together

Counts named functions that are called outside of imports. Kernels run uncompiled, so that they count too. `--of COMMIT`
measures another commit. `--list` prints all files and functions.
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GIT = shutil.which("git") or "git"
SITES = 12
"""Number of sites in the archive."""

# As sitecustomize.py on the path, it makes every process record each function of dehusk that it calls, once.
TRACER = '''
import importlib.util, os, sys, threading

SOURCE = os.environ["DEHUSK_PATHS_SOURCE"]
PACKAGE = os.path.join(SOURCE, "dehusk") + os.sep
NOTES = os.open(os.environ["DEHUSK_PATHS_NOTES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
OPTIMIZED = 1  # CO_OPTIMIZED: not set for bodies of classes and modules
known = set()


class PlainKernels:
    """Imports kernels as plain Python."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith("dehusk.kernels."):
            return importlib.util.spec_from_file_location(name, os.path.join(SOURCE, *name.split(".")) + ".py")
        return None


def imports(frame):
    while frame := frame.f_back:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(PACKAGE):
            return not frame.f_code.co_filename.endswith("__main__.py")
    return False


def note(frame, event, _):
    code = frame.f_code
    if event != "call" or code in known or not code.co_filename.startswith(PACKAGE):
        return
    if code.co_name.startswith("<") or not code.co_flags & OPTIMIZED:
        known.add(code)
    elif not imports(frame):
        known.add(code)
        os.write(NOTES, f"{code.co_filename[len(PACKAGE):]} {code.co_qualname}\\n".encode())


def start():
    threading.setprofile(note)
    sys.setprofile(note)


sys.meta_path.insert(0, PlainKernels())
if os.environ.get("DEHUSK_PATHS_AT_ONCE"):
    start()
'''

ONE_PAGE = """
import sys
import dehusk, demo_site, sitecustomize
pages = list(demo_site.pages().values())
dehusk.clean(pages[1]).text  # load what is loaded once in a process
sitecustomize.start()
dehusk.clean(pages[0]).text
"""


def archive() -> bytes:
    """A WARC with the demo pages at several sites, enough of them to start workers."""
    sys.path.insert(0, str(ROOT / "examples"))
    import demo_site  # from examples/, which is not a package

    packed = bytearray()
    for site in range(SITES):
        for number, (name, html) in enumerate(demo_site.pages().items()):
            response = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}".encode()
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://site{site}.example/{name}\r\n"
                f"WARC-Record-ID: <urn:uuid:{site:08}-0000-0000-0000-{number:012}>\r\n"
                f"WARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(response)}\r\n\r\n"
            )
            packed += gzip.compress(head.encode() + response + b"\r\n\r\n")
    return bytes(packed)


def called(source: Path, folder: Path, command: list[str], *, at_once: bool) -> dict[str, set[str]]:
    """Runs a command; returns the functions that it calls, by file."""
    notes = folder / "notes"
    notes.unlink(missing_ok=True)
    path = os.pathsep.join(map(str, (folder, source, ROOT / "examples")))
    variables = {"PYTHONPATH": path, "DEHUSK_PATHS_SOURCE": str(source), "DEHUSK_PATHS_NOTES": str(notes)}
    if at_once:
        variables["DEHUSK_PATHS_AT_ONCE"] = "1"
    subprocess.run([sys.executable, *command], env={**os.environ, **variables}, cwd=folder, check=True)
    files: dict[str, set[str]] = defaultdict(set)
    for line in notes.read_text().splitlines():
        file, name = line.split(" ", 1)
        files[file].add(name)
    return files


def tell(title: str, files: dict[str, set[str]], *, everything: bool) -> None:
    """Prints the counts of one command."""
    model = [file for file in files if file.startswith(("kernels", "methods/evidence", "evidence"))]
    rest = {file: names for file, names in files.items() if file not in model}
    print(
        f"{title:48} {len(files):4} files {sum(map(len, files.values())):4} functions; "
        f"without kernels and the model {len(rest):4} files {sum(map(len, rest.values())):4} functions"
    )
    for file, names in sorted(files.items()) if everything else ():
        print(f"    {file} {len(names)}: {' '.join(sorted(names))}")


def main() -> None:
    """Prints a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", metavar="COMMIT", help="use the code of this commit (default: this checkout)")
    parser.add_argument("--list", action="store_true", help="print the files and their functions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(TRACER)
        source = ROOT / "src"
        if options.of:
            packed = subprocess.run([GIT, "archive", options.of, "src"], cwd=ROOT, check=True, capture_output=True)
            with tarfile.open(fileobj=BytesIO(packed.stdout)) as files:
                files.extractall(folder, filter="data")
            source = folder / "src"
        page = called(source, folder, ["-c", ONE_PAGE], at_once=False)
        tell("dehusk.clean(html).text", page, everything=options.list)
        (folder / "archive.warc.gz").write_bytes(archive())
        command = ["-m", "dehusk", "clean", "archive.warc.gz", "-o", "out.jsonl", "-j", "2", "-q"]
        tell(
            "dehusk clean archive.warc.gz -o out.jsonl -j 2",
            called(source, folder, command, at_once=True),
            everything=options.list,
        )


if __name__ == "__main__":
    main()
