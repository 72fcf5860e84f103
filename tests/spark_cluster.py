"""A Spark cluster of separate processes on loopback, stopped with its context."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
PATIENCE = 300  # seconds to wait; long, because a busy machine must not fail the tests

# Compile quickly, since nothing here runs for long.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.executor.memory": "512m",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.files.maxPartitionBytes": "65536",  # many tasks for little data
    "spark.sql.files.openCostInBytes": "1",
}


def environment() -> dict[str, str]:
    """The environment of Spark's scripts: where Spark and Python are, and that nothing leaves the machine."""
    return {
        **os.environ,
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def until(
    found: Callable[[], object], *processes: subprocess.Popen[bytes], meanwhile: Callable[[], None] | None = None
) -> None:
    """Waits for a condition while these processes are alive, and calls a function now and then."""
    end = time.monotonic() + PATIENCE
    for number in count():
        if found():
            return
        assert all(process.poll() is None for process in processes), "ended too soon"
        assert time.monotonic() < end, "did not happen"
        if meanwhile and number % 10 == 0:
            meanwhile()
        time.sleep(0.05)


def below(process: int) -> list[int]:
    """The descendants of this process."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of a program, in brackets, may contain anything.
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def kill(processes: list[int]) -> None:
    """Kills them at once, as a power cut would."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def peaks(processes: list[int], name: bytes = b"pyspark.daemon") -> dict[int, int]:
    """The peak memory, in bytes, of each Python worker of Spark among these processes, or of others with a name."""
    found = {}
    for process in processes:
        try:
            if name in Path(f"/proc/{process}/cmdline").read_bytes():
                status = Path(f"/proc/{process}/status").read_text()
                found[process] = int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024
        except (OSError, IndexError):
            continue  # it has ended
    return found


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Cluster:
    """A master and some workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int) -> None:
        """Waits until the master knows all workers."""
        port = _free_port()
        self.address = f"spark://127.0.0.1:{port}"
        master = self._start("master.Master", "--port", str(port), "--webui-port", "0")
        until(lambda: "I have been elected leader" in self._log(0), master)
        self.workers = [
            self._start("worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0", self.address)
            for _ in range(workers)
        ]
        until(lambda: self._log(0).count("Registering worker") == workers, *self._started)

    def _log(self, number: int) -> str:
        return (self._folder / f"{number}.log").read_text("utf-8", "replace")

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{len(self._started)}.log").open("wb") as log:
            command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", "--host", "127.0.0.1"]
            environ = {
                **environment(),
                "SPARK_WORKER_DIR": str(self._folder),
                "SPARK_DAEMON_MEMORY": "256m",
                "SPARK_DAEMON_JAVA_OPTS": _JAVA,
            }
            process = subprocess.Popen(
                [*command, *options], stdout=log, stderr=log, env=environ, start_new_session=True
            )
        self._started.append(process)
        return process

    def processes(self) -> list[int]:
        """All living processes of the cluster."""
        return [one for process in self._started for one in (process.pid, *below(process.pid))]

    def lose(self, worker: subprocess.Popen[bytes]) -> None:
        """Kills a worker with its executor and all their descendants."""
        kill([worker.pid, *below(worker.pid)])
        worker.wait()

    def close(self) -> None:
        """Leaves no process behind. Executors are in the process group of their worker, Python is not."""
        kill(self.processes())
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """Runs a cluster while the context is open."""
    folder.mkdir()
    running = Cluster(folder)
    try:
        running.start(workers)
        yield running
    finally:
        running.close()


@contextmanager
def submitted(cluster: Cluster, log: Path, *job: str) -> Iterator[subprocess.Popen[bytes]]:
    """A running job, which is stopped with its context if it has not ended."""
    settings = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")]
    command = [str(HOME / "bin" / "spark-submit"), "--master", cluster.address, *settings, *job]
    with log.open("wb") as written:
        process = subprocess.Popen(command, stdout=written, stderr=written, env=environment(), start_new_session=True)
    try:
        yield process
    finally:
        kill([process.pid, *below(process.pid)])
        process.wait()
