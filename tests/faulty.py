"""A job for tests of failures; run as a script, the job on small disks, in a process that may mount them."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import dehusk
from dehusk.base.errors import OutputError
from dehusk.jobs.job import Job
from dehusk.outputs import CHOICES

FRAME = "<body><ul><li><a href=/>Home</a><li><a href=/all>All tides</a></ul>{}<div>Set in whatever serif is near</div>"
PAGES = [FRAME.format(f"<p>Tide {number} came at {number} o'clock and left.") for number in range(3)]
TEMPLATE = dehusk.learn(PAGES, method="bottom-up")
OUTPUTS = [
    name
    for form in CHOICES.values()
    for name in ([f"out{one}" for one in form.suffixes] if form.one_file else [form.name])
]
"""A name for each kind of output: a folder has the name of its format."""


def job(source: Path, out: Path) -> Job:
    """A job in one process: without a time limit no page needs another, and thousands of these jobs run."""
    form = out.name if out.name in CHOICES else None
    return Job(source, out, template=TEMPLATE, jobs=1, format=form, page_seconds=0)


def found(out: Path) -> dict[str, bytes]:
    """The files of an output by name; the name of a single file is ""."""
    files = [out] if out.is_file() else [file for file in out.rglob("*") if file.is_file()]
    return {"" if file == out else file.relative_to(out).as_posix(): file.read_bytes() for file in files}


def leftovers(folder: Path) -> list[str]:
    return [file.name for file in folder.rglob("*") if file.name.endswith((".part", ".unfinished"))]


OWN_DISKS = ["unshare", "--user", "--map-root-user", "--mount"]
"""Runs a command that may mount disks which only it can see; not everywhere permitted."""


def may_mount() -> bool:
    """Whether a process without privileges may have disks of its own, and change them afterwards."""
    steps = ("mount -t tmpfs -o size=12k,nr_inodes=5 none", "mount -o remount,rw,size=10m,nr_inodes=1000", "umount")
    with TemporaryDirectory() as folder:
        words = [*OWN_DISKS, "sh", "-c", " && ".join(f"{step} {folder}" for step in steps)]
        return bool(shutil.which("unshare")) and not subprocess.run(words, capture_output=True, check=False).returncode


DISKS = ((("size=12k,nr_inodes=5",), "no space left"), (("size=12k", "remount,ro"), "read-only file system"))
"""Options of the disks, and what an error says about them."""


def try_disks(folder: Path) -> None:
    """Runs the job on disks without room, which get more room afterwards, for each output."""
    source, disk = folder / "in", folder / "disk"
    for options, why in DISKS:
        for name in OUTPUTS:
            mount("-t", "tmpfs", "-o", options[0], "none", str(disk))
            for more in options[1:]:
                mount("-o", more, str(disk))
            said = failed(source, disk / name)
            assert why in said, (name, said)
            assert len(said.splitlines()) == 1, (name, said)
            whole = found(folder / "good" / name)
            assert found(disk / name).items() <= whole.items(), name
            mount("-o", "remount,rw,size=10m,nr_inodes=1000", str(disk))
            job(source, disk / name).run()
            assert (found(disk / name), leftovers(disk)) == (whole, []), name
            subprocess.run(["umount", disk], check=True)


def failed(source: Path, out: Path) -> str:
    """The error of a job, which must fail."""
    try:
        job(source, out).run()
    except OutputError as error:
        return str(error)
    raise AssertionError(f"{out} was written")


def mount(*words: str) -> None:
    """Mounts a disk, or changes how it is mounted."""
    subprocess.run(["mount", *words], check=True)


if __name__ == "__main__":
    try_disks(Path(sys.argv[1]))
