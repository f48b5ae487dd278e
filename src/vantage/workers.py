"""Worker processes that end with the process that started them, whatever ended that one."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, TypeVar

from vantage.errors import VantageError
from vantage.heap import limit_heap

T = TypeVar("T")

_ENDING = 10.0  # s in which workers that are to end at once have done so; the rest is killed
_ORPHANED = 1  # exit status of a worker


def ending_with_this_process(command: Sequence[str]) -> list[str]:
    """A command line whose process gets SIGTERM when the thread that starts it ends, this process killed included.

    Where the system has no ``setpriv`` (util-linux), the command as it is.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--", *command] if setpriv is not None else list(command)


class WorkerPool:
    """Processes that run functions until the block ends.

    When the block ends well or with an error, functions that run are waited for and those that wait are not started.
    When it is interrupted, or this process is killed, the workers end at once, in the middle of what they do: each
    watches a pipe whose other end only this process has.

    Args:
        held: kept by each worker as long as it lives, such as claims of folders.
    """

    def __init__(self, workers: int, *held: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._watched, self._alive = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(self._watched, held))
        self._workers: set[BaseProcess] = set()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """As an executor's. Workers that this starts do not hear Ctrl-C, which goes to all processes of a terminal."""
        before = set(multiprocessing.active_children())
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._pool.submit(function, *arguments)
        finally:
            self._workers |= set(multiprocessing.active_children()) - before
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)

    def map(self, function: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """The results of a function for each of its arguments, in their order, as the built-in ``map``.

        Raises:
            VantageError: a worker died.
        """
        running = [self.submit(function, *each) for each in zip(*arguments, strict=True)]
        try:
            for future in running:
                yield future.result()
        except BrokenProcessPool as error:
            raise VantageError("a worker process died, perhaps for lack of memory; use fewer workers") from error

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None and not issubclass(kind, Exception):
                self._end()
            self._pool.shutdown(cancel_futures=True)
        except BaseException:
            self._end()
            raise
        finally:
            self._watched.close()
            self._alive.close()

    def _end(self) -> None:
        self._alive.close()
        ends = time.monotonic() + _ENDING
        for worker in self._workers:
            worker.join(max(0.0, ends - time.monotonic()))
            worker.kill()


def _begin(watched: Connection, held: tuple[Any, ...]) -> None:
    """What a worker does first."""
    limit_heap()
    threading.Thread(target=_end_with, args=(watched,), name="parent watch", daemon=True).start()


def _end_with(watched: Connection) -> None:
    """Wait for the end of the process that started this one. Nothing is ever sent, so whatever comes is its end."""
    with suppress(EOFError, OSError):
        watched.recv_bytes()
    os._exit(_ORPHANED)
