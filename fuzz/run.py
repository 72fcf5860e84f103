"""Fuzzes: `python fuzz/run.py --seconds 60` shares the time among all targets, and ends with 1 where one of them broke.

What is found stays in the folder (`build/fuzz`): the next run goes on from there. An input that broke a promise is in
`build/fuzz/TARGET/broken`; `python fuzz/run.py TARGET FILE` runs it once more.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

LONGEST = 4096
"""Bytes of an input. What only longer ones show is looked for in benchmarks/growth.py."""
SECONDS_A_RUN = 25
MEGABYTES = 2048


def main() -> int:
    """Fuzzes all targets in turn, or one in this process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", help="one target (default: all)")
    parser.add_argument("file", nargs="?", type=Path, help="an input to run once")
    parser.add_argument("--seconds", type=int, default=60, help="how long, in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="try the same inputs each time (default: others each time)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="what is found (default: %(default)s)")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file:
        from targets import TARGETS

        TARGETS[options.target](options.file.read_bytes())
        return 0
    if options.here:
        fuzz(options.target, options.seconds, options.seed, options.folder / options.target)
        return 0
    from seeds import seeds

    names = [options.target] if options.target else list(seeds())
    seconds = max(1, options.seconds // len(names))
    broken = [name for name in names if not _fuzzed(name, seconds, options.seed, options.folder)]
    print(f"broken: {', '.join(broken)}" if broken else "nothing broke")
    return bool(broken)


def _fuzzed(name: str, seconds: int, seed: int, folder: Path) -> bool:
    """Fuzzes a target in a process of its own; whether all promises held."""
    from seeds import seeds

    place = folder / name
    for part in ("corpus", "seeds", "broken"):
        (place / part).mkdir(parents=True, exist_ok=True)
    for number, first in enumerate(seeds()[name]):
        (place / "seeds" / str(number)).write_bytes(first)
    with (place / "log").open("w", encoding="utf-8", errors="replace") as log:
        limits = ["--seconds", str(seconds), "--seed", str(seed)]
        command = [sys.executable, __file__, name, "--here", *limits, "--folder", str(folder)]
        code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
    told = (place / "log").read_text("utf-8", "replace")
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", told) or re.findall(r"^#(\d+)\t", told, re.MULTILINE)
    found = re.findall(r"cov: (\d+)", told)
    print(f"{name:14} {runs[-1] if runs else 0:>9} runs, {found[-1] if found else 0:>6} points", flush=True)
    if code:
        print("\n".join(told.splitlines()[-40:]))
    return not code


def fuzz(name: str, seconds: int, seed: int, place: Path) -> None:
    """Fuzzes one target until the time is over, or it breaks."""
    import atheris

    with atheris.instrument_imports(include=["dehusk"]):
        from targets import TARGETS

    limits = [f"-max_total_time={seconds}", f"-timeout={SECONDS_A_RUN}", f"-rss_limit_mb={MEGABYTES}", f"-seed={seed}"]
    more = [f"-max_len={LONGEST}", f"-artifact_prefix={place}/broken/", "-print_final_stats=1", "-verbosity=1"]
    atheris.Setup([sys.argv[0], *limits, *more, str(place / "corpus"), str(place / "seeds")], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
