"""Runs the fuzz targets: `python fuzz/run.py --seconds 60` shares the time among all, and exits with 1 if one fails.

The corpus stays in `build/fuzz`, and the next run continues from it. With a seed, a run starts fresh and tries the same
inputs in the same order. An input that broke a guarantee is in `build/fuzz/TARGET/broken`;
`python fuzz/run.py TARGET FILE` runs it again.
"""

import argparse
import io
import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

from promises import scratch

LONGEST, LONGEST_PAGE = 4096, 400
"""The largest input. Problems of longer inputs are found by benchmarks/growth.py."""
PAGES = ("write", "clean", "tell", "compare")
"""Targets that work on pages, and so are slow."""
SECONDS_A_RUN = 25
MEGABYTES = 2048
SLOW = {"clean": 8, "write": 3, "tell": 3, "compare": 3, "store": 2, "linked": 2, "route": 2}
SHARES = {**SLOW, "template_text": 0.2, "body": 0.3}
"""How many times as much time a target gets as the others."""


def main() -> int:
    """Fuzzes all targets in turn, or runs one input."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", help="one target (default: all)")
    parser.add_argument("file", nargs="?", type=Path, help="an input to run once")
    parser.add_argument("--seconds", type=int, default=60, help="how long, in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="try the same inputs each time (default: others each time)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="what is found (default: %(default)s)")
    options = parser.parse_args()
    if options.file:
        from targets import TARGETS

        TARGETS[options.target](options.file.read_bytes())
        return 0
    if options.seed:
        options.folder /= f"seed-{options.seed}"
        shutil.rmtree(options.folder, ignore_errors=True)
    targets = _instrumented()
    names = [options.target] if options.target else list(targets)
    second = options.seconds / sum(SHARES.get(name, 1) for name in names)
    times = {name: max(1, round(SHARES.get(name, 1) * second)) for name in names}
    broken = [name for name in names if not _holds(targets[name], times[name], options.seed, options.folder / name)]
    print(f"broken: {', '.join(broken)}" if broken else "nothing broke")
    return bool(broken)


def _instrumented() -> dict[str, Callable[[bytes], None]]:
    """The targets, instrumented for the fuzzer."""
    import atheris

    with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["dehusk"]):
        from targets import TARGETS
    return dict(TARGETS)


def _holds(target: Callable[[bytes], None], seconds: int, seed: int, place: Path) -> bool:
    """Fuzzes a target in a separate process; returns whether all guarantees held."""
    name = target.__name__
    for part in ("corpus", "seeds", "broken"):
        (place / part).mkdir(parents=True, exist_ok=True)
    with scratch():
        child = os.fork()  # a new process would take seconds to import everything again
        if not child:
            _fuzz(target, seconds, seed, place)
        code = os.waitpid(child, 0)[1]
    told = (place / "log").read_text("utf-8", "replace")
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", told) or re.findall(r"^#(\d+)\t", told, re.MULTILINE)
    found = re.findall(r"cov: (\d+)", told)
    print(f"{name:14} {runs[-1] if runs else 0:>9} runs, {found[-1] if found else 0:>6} points", flush=True)
    if code:
        print("\n".join(told.splitlines()[-40:]))
    return not code


def _fuzz(target: Callable[[bytes], None], seconds: int, seed: int, place: Path) -> None:
    """Fuzzes until the time is over or a guarantee is broken; then the process ends."""
    import atheris

    from seeds import seeds

    with (place / "log").open("wb") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
    with atheris.instrument_imports(include=["dehusk"]):
        for number, first in enumerate(seeds()[target.__name__]):
            (place / "seeds" / f"{number:03}").write_bytes(first)
            target(first)  # some modules are imported lazily
    limits = [f"-max_total_time={seconds}", f"-timeout={SECONDS_A_RUN}", f"-rss_limit_mb={MEGABYTES}", f"-seed={seed}"]
    longest = LONGEST_PAGE if target.__name__ in PAGES else LONGEST
    more = [f"-max_len={longest}", f"-artifact_prefix={place}/broken/", "-print_final_stats=1", "-verbosity=1"]
    atheris.Setup([sys.argv[0], *limits, *more, str(place / "corpus"), str(place / "seeds")], target)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
