"""Questions are answered by processes of their own: whatever a page does to one, the service still answers.

A process that takes too long is ended, and so is one whose question nobody waits for any more. The next question gets a
new one. Processes are fresh interpreters that read questions from their standard input and write answers to their
standard output. They have a process group of their own: Ctrl-C at a terminal reaches the service, which lets them
finish. When it is gone, they end.
"""

import asyncio
import os
import pickle
import resource
import signal
import sys
import traceback
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from pydantic import BaseModel, TypeAdapter

from dehusk.base.errors import DehuskError, OutputError
from dehusk.server.answers import QUESTIONS, Answer, Desk, MissingError, ServiceFiles

LENGTH = 8
"""Bytes that say how long a message is."""

MEMORY = 2_000_000_000
"""Bytes of memory that a process may take. 10 MB of nothing but elements take 1.7 GB, and usual pages a tenth of it."""

DIED = "the process that worked on it ended; try again, or leave out this page"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as JSON, and its status as HTTP has it."""

    status: int
    body: bytes


class Workers:
    """Some processes that answer questions. They are started when they are needed."""

    def __init__(self, place: ServiceFiles, most: int | None = None, memory: int = MEMORY) -> None:
        self._place = place
        self._memory = memory
        self._turns = asyncio.Semaphore(most or max(2, os.cpu_count() or 1))
        self._idle: list[Process] = []

    async def ask(self, name: str, *question: object) -> Reply:
        """Asks the next process that is free. Whoever stops waiting ends that process."""
        async with self._turns:
            process = self._idle.pop() if self._idle else await _started(self._place, self._memory)
            try:
                reply = await _asked(process, pickle.dumps((name, question)))
            except BaseException:
                await _ended(process)
                raise
            if reply is None:
                await _ended(process)
                return failure(500, DIED)
            self._idle.append(process)
            return reply

    async def warm(self) -> None:
        """Starts one process, so that the first question need not wait for it."""
        self._idle.append(await _started(self._place, self._memory))

    async def close(self) -> None:
        """Ends the processes that are free: all of them, once every question is answered."""
        while self._idle:
            await _ended(self._idle.pop())


def failure(status: int, error: str) -> Reply:
    """An error as the service answers it: one line."""
    from dehusk.server._models import Error

    return Reply(status, Error(error=" ".join(error.split())).model_dump_json().encode())


async def _started(place: ServiceFiles, memory: int) -> Process:
    code = f"import sys; sys.path[:] = {sys.path!r}; from dehusk.server._work import serve; serve({memory})"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-c",
        code,
        stdin=PIPE,
        stdout=PIPE,
        stderr=None if sys.stderr else DEVNULL,
        process_group=0,
    )
    assert process.stdin is not None  # noqa: S101  # for the type checker: it is a pipe
    process.stdin.write(_message(pickle.dumps(place)))
    return process


async def _asked(process: Process, question: bytes) -> Reply | None:
    """The answer; None if the process ended instead."""
    assert process.stdin is not None  # noqa: S101  # as above
    assert process.stdout is not None  # noqa: S101
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        process.stdin.write(_message(question))
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH))
        data = await process.stdout.readexactly(length)
        return Reply(int.from_bytes(data[:2]), data[2:])
    return None


async def _ended(process: Process) -> None:
    """Ends a process at once, and waits until it is gone."""
    with suppress(ProcessLookupError):
        process.kill()
    await asyncio.shield(process.wait())


def _message(data: bytes) -> bytes:
    return len(data).to_bytes(LENGTH) + data


def serve(memory: int) -> None:
    """What a process does: it answers until there are no more questions, within this many bytes of memory."""
    with suppress(ValueError, OSError):  # it has less already, or a system without such a limit
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for one in (signal.SIGINT, signal.SIGTERM):  # whoever stops the service lets the questions in work be answered
        signal.signal(one, signal.SIG_IGN)
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed by mistake is no answer
    with questions, answers:
        desk = Desk(pickle.loads(_read(questions) or b""))  # noqa: S301  # from ourselves
        while data := _read(questions):
            name, question = pickle.loads(data)  # noqa: S301  # from ourselves
            reply = _reply(desk, name, question)
            answers.write(_message(reply.status.to_bytes(2) + reply.body))
            answers.flush()


def _read(questions: IO[bytes]) -> bytes | None:
    """The next message; None if there is none."""
    return questions.read(int.from_bytes(length)) if (length := questions.read(LENGTH)) else None


def _reply(desk: Desk, name: str, question: Sequence[object]) -> Reply:
    """The answer to a question, or what is wrong with it."""
    try:
        return Reply(200, _json(QUESTIONS[name].answer(desk, *question)))
    except MissingError as error:
        return failure(404, str(error))
    except OutputError as error:
        return failure(503, str(error))
    except DehuskError as error:
        return failure(422, str(error))
    except MemoryError:
        return failure(413, "takes too much memory; give fewer or smaller pages")
    except Exception:  # noqa: BLE001  # a fault of ours costs one answer, and is told to whoever runs the service
        traceback.print_exc()
        return failure(500, "dehusk failed on this request; the service has printed why")


def _json(answer: Answer) -> bytes:
    if isinstance(answer, BaseModel):
        return answer.model_dump_json().encode()
    return TypeAdapter(list[BaseModel]).dump_json(list(answer), serialize_as_any=True)
