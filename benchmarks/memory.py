"""Whether memory stays flat over a long job:  python benchmarks/memory.py IN.warc.gz OUT.wet.gz

Cleans the archive (benchmarks/make_warc.py makes one) to WET by the command line, with templates learned before, and
prints the resident memory of the process in each tenth of its time, as a ratio to the first.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from statistics import median


def resident(process: int) -> int:
    """Megabytes that a process has in memory; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")), 0)


def main() -> None:
    """Runs the job and watches it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive")
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    husk = f"{options.output}.husk"
    command = [sys.executable, "-m", "dehusk"]
    subprocess.run([*command, "learn", options.archive, "-o", husk], check=True)
    cleaning = [*command, "clean", options.archive, "-t", husk, "-o", str(options.output), "--format", "wet"]
    with subprocess.Popen(cleaning) as running:
        seen = []
        while running.poll() is None:
            time.sleep(0.2)
            seen.append(resident(running.pid))
    seen = [megabytes for megabytes in seen if megabytes]
    tenths = [median(seen[k * len(seen) // 10 : (k + 1) * len(seen) // 10]) for k in range(10)]
    print("tenth   MB   to the first")
    for number, megabytes in enumerate(tenths, 1):
        print(f"{number:5d} {megabytes:5.0f} {megabytes / tenths[0]:8.2f}")


if __name__ == "__main__":
    main()
