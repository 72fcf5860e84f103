"""Worker processes of the service: a page that crashes or blocks one does not affect other requests.

A worker is killed when its request is cancelled: after the time limit, or when the client disconnects. The next request
gets a new worker.
"""

import asyncio
import json
import pickle
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic_core import PydanticSerializationError

from dehusk.base.errors import DehuskError, OutputError
from dehusk.base.processes import PAGE_MEMORY, Process, memory_share
from dehusk.base.processes import Answer as Answering
from dehusk.base.system import cores
from dehusk.server._journal import Journal
from dehusk.server.answers import QUESTIONS, Answer, Desk, MissingError, ServiceFiles

DIED = "the worker process ended unexpectedly; try again, or leave out this page"
LONGEST_ERROR = 1000
"""Characters of an error: it may quote what a client sent, more than once."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: HTTP status and JSON body."""

    status: int
    body: bytes
    trace: str = ""
    """The traceback of a failure of dehusk, for the journal."""


class Workers:
    """A pool of worker processes, started on demand."""

    def __init__(
        self,
        files: ServiceFiles,
        count: int | None = None,
        memory: int = PAGE_MEMORY,
        journal: Journal | None = None,
    ) -> None:
        self._journal = journal or Journal()
        count = count or max(2, cores())
        self._files = files
        self._memory = min(memory, memory_share(count))
        self._turns = asyncio.Semaphore(count)
        self._threads = ThreadPoolExecutor(count)  # each waits for one process
        self._idle: list[Process] = []

    async def ask(self, name: str, *question: object) -> Reply:
        """Sends a request to the next free worker and returns its reply. Cancelling kills the worker."""
        async with self._turns:
            process = self._next()
            asked = pickle.dumps((name, question))
            asking = asyncio.get_running_loop().run_in_executor(self._threads, _asked, process, asked)
            try:
                reply = await asyncio.shield(asking)
            except BaseException:
                process.kill()
                await asyncio.wait([asking])
                process.end()
                raise
            if reply is None:
                process.end()
                return failure(500, DIED)
            self._idle.append(process)
            if reply.trace:
                self._journal.note(reply.trace)
            return reply

    def _next(self) -> Process:
        """An idle worker, or a new one. Idle workers that have ended, killed by the system or a user, are dropped."""
        while self._idle:
            process = self._idle.pop()
            if not process.has_ended():
                return process
            process.end()
        return self._started()

    async def warm(self) -> None:
        """Starts one worker, so that the first request need not wait for it."""
        self._idle.append(self._started())

    async def close(self) -> None:
        """Ends all idle workers. Call it when no requests are open."""
        while self._idle:
            self._idle.pop().end()
        self._threads.shutdown(wait=False)

    def _started(self) -> Process:
        return Process(answering, self._files, memory=self._memory)


def failure(status: int, error: str) -> Reply:
    """A reply with an error message of one line, cut to `LONGEST_ERROR`."""
    from dehusk.server._models import Error

    return Reply(status, Error(error=" ".join(error.split())[:LONGEST_ERROR]).model_dump_json().encode())


def _asked(process: Process, question: bytes) -> Reply | None:
    """Sends a request and waits for the reply; None if the process ended."""
    process.send(question)
    data = process.receive()
    if data is None:
        return None
    body = 6 + int.from_bytes(data[2:6])
    return Reply(int.from_bytes(data[:2]), data[body:], data[6:body].decode(errors="replace"))


def answering(files: ServiceFiles) -> Answering:
    """The answer function of a worker process."""
    return partial(_answer, Desk(files))


def _answer(desk: Desk, data: bytes) -> bytes:
    """Answers a serialized request: two bytes of status, four with the length of the traceback, both texts.

    The reply is not pickled: a worker that a page has taken over must not take over the service.
    """
    name, question = pickle.loads(data)  # noqa: S301  # from ourselves
    reply = _reply(desk, name, question)
    trace = reply.trace.encode(errors="replace")
    return reply.status.to_bytes(2) + len(trace).to_bytes(4) + trace + reply.body


def _reply(desk: Desk, name: str, question: Sequence[object]) -> Reply:
    """Answers a request; errors become error replies."""
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
    except Exception:  # noqa: BLE001  # a bug fails one request; the operator sees the traceback
        failed = failure(500, "dehusk failed on this request; see the log of the service")
        return replace(failed, trace=traceback.format_exc())


def _json(answer: Answer) -> bytes:
    many = not isinstance(answer, BaseModel)
    model = TypeAdapter[Any](list[BaseModel] if many else type(answer))
    given = list(answer) if many else answer
    try:
        return model.dump_json(given, serialize_as_any=many)
    except PydanticSerializationError:  # a name or text that is not Unicode: JSON can escape it
        return json.dumps(model.dump_python(given, mode="json", serialize_as_any=many)).encode()
