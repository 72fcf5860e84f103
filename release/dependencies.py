"""What an installed dehusk consists of: licences, and an SBOM for a release.

    python release/dependencies.py licences            # a table; exits with 1 if a licence is not known to be fine
    python release/dependencies.py sbom -o FILE        # CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/)

Both read the packages that are installed beside this script: those that dehusk and its extras require, and what these
require. Extras that are not installed are named.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dehusk.base.files import written_whole

NAME = "dehusk"
EXTRAS = ("parquet", "serve", "mcp", "language", "spark")
"""The extras that add to what dehusk does. `bench` is for comparisons, and is not part of a release."""

FINE = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CNRI-Python", "ISC", "MIT", "MIT-0", "PSF-2.0"),
        *("MPL-2.0", "Python-2.0", "Unlicense", "Zlib", "CC0-1.0"),
    }
)
"""Licences (https://spdx.org/licenses/) under which a program of any licence may use an unchanged package."""

SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "BSD-3": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Other names of licences, as older packages give them."""

_LONGEST = 60  # characters of a licence's name; some packages have the whole text there


def main() -> int:
    """Prints the licences, or writes the SBOM."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["licences", "sbom"])
    parser.add_argument("-o", "--output", type=Path, help="the file for the SBOM")
    options = parser.parse_args()
    packages, missing = installed()
    if missing:
        print(f"not installed, so not listed: {', '.join(missing)}", file=sys.stderr)
    if options.what == "licences":
        return told(packages)
    if options.output is None:
        parser.error("where to write the SBOM? give a file with -o")
    with written_whole(options.output) as file:
        json.dump(sbom(packages), file, indent=1)
        file.write("\n")
    print(f"{options.output}: {len(packages)} packages")
    return 0


def installed() -> tuple[dict[str, Distribution], list[str]]:
    """The packages by name, dehusk first; and those that are required and not installed."""
    packages: dict[str, Distribution] = {}
    missing: dict[str, None] = {}
    waiting = [(NAME, frozenset(EXTRAS))]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        try:
            packages.setdefault(name, distribution(name))
        except PackageNotFoundError:
            missing[name] = None
            continue
        for one in required(packages[name], extras):
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return packages, sorted(missing)


def required(package: Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """What a package requires on this machine: names, each with the extras asked for."""
    for line in package.requires or ():
        requirement = Requirement(line)
        if not requirement.marker or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def licence(package: Distribution) -> str:
    """The licence that a package declares, as an SPDX expression if that is known; "" if it declares none."""
    declared: Sequence[str | None] = (package.metadata["License-Expression"], package.metadata["License"])
    classes = [name for name in package.metadata.get_all("Classifier") or () if name.startswith("License ::")]
    for name in (*declared, *(one.rpartition(":: ")[2] for one in classes)):
        if name and len(name.strip()) <= _LONGEST and "\n" not in name.strip():
            return str(SPDX.get(name.strip(), name.strip()))
    return ""


def is_fine(expression: str) -> bool:
    """Whether all licences of an expression are known to be fine; of alternatives, one is enough."""
    bare = re.sub(r"[()]", " ", expression)
    return any(all(one.strip() in FINE for one in re.split(r"\bAND\b", way)) for way in re.split(r"\bOR\b", bare))


def told(packages: Mapping[str, Distribution]) -> int:
    """Prints a table of licences. Returns 1 if one of them has to be looked at."""
    bad = [name for name, package in packages.items() if not is_fine(licence(package))]
    for name in sorted(packages):
        mark = "  <- look at this" if name in bad else ""
        print(f"{name:28} {packages[name].version:18} {licence(packages[name]) or 'none declared'}{mark}")
    print(f"{len(packages)} packages, {len(bad)} to look at")
    return bool(bad)


def sbom(packages: Mapping[str, Distribution]) -> dict[str, Any]:
    """The packages as CycloneDX. It has no date and no random number: the same packages give the same bytes."""
    parts = {name: component(name, package) for name, package in sorted(packages.items())}
    own = parts.pop(NAME)
    links = []
    for name, package in sorted(packages.items()):
        names = {one for one, _ in _all_required(package)} & packages.keys()
        links.append(
            {
                "ref": reference(name, package),
                "dependsOn": sorted(reference(one, packages[one]) for one in names),
            }
        )
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**own, "type": "application"}},
        "components": list(parts.values()),
        "dependencies": links,
    }


def _all_required(package: Distribution) -> Iterator[tuple[str, frozenset[str]]]:
    return required(package, frozenset(EXTRAS) if canonicalize_name(package.name) == NAME else frozenset())


def reference(name: str, package: Distribution) -> str:
    """The package URL (https://github.com/package-url/purl-spec)."""
    return f"pkg:pypi/{name}@{package.version}"


def component(name: str, package: Distribution) -> dict[str, Any]:
    """One package of an SBOM."""
    purl = reference(name, package)
    declared = licence(package)
    licences = {"licenses": [{"expression": declared}]} if is_fine(declared) else {}
    return {"type": "library", "bom-ref": purl, "name": name, "version": package.version, "purl": purl, **licences}


if __name__ == "__main__":
    sys.exit(main())
