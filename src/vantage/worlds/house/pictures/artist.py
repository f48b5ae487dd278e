"""A thread in which all of a house is drawn, because an OpenGL context belongs to one; one that hangs is left alone."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import Any, TypeVar

from vantage.errors import WorldError

T = TypeVar("T")

Job = tuple[Future[Any], Callable[[], Any]]


class Artist:
    """Does one work after another in a thread of its own, which keeps no program from ending."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._late: Future[Any] | None = None
        self._thread = threading.Thread(target=_draw, args=(self._jobs,), name="house-pictures", daemon=True)
        self._thread.start()
        weakref.finalize(self, self._jobs.put, None)

    def do(self, work: Callable[[], T], seconds: float) -> T:
        """What a work gives.

        Raises:
            WorldError: it is not done after so many seconds, or the one before still is not.
        """
        if self._hangs:
            raise _too_late("an earlier one still is not done")
        done: Future[T] = Future()
        self._jobs.put((done, work))
        if not wait([done], seconds).done:
            self._late = done
            raise _too_late(f"it is not done after {seconds:g} s")
        return done.result()

    def end(self, seconds: float) -> None:
        """End the thread, or leave it to itself where that takes longer or something hangs in it."""
        self._jobs.put(None)
        if not self._hangs:
            self._thread.join(seconds)

    @property
    def _hangs(self) -> bool:
        return self._late is not None and not self._late.done()


def _too_late(reason: str) -> WorldError:
    return WorldError(
        f"a picture of the house is not drawn, {reason}; OpenGL may hang: start the program anew, with fewer pixels or "
        "with MUJOCO_GL=osmesa"
    )


def _draw(jobs: SimpleQueue[Job | None]) -> None:
    while (job := jobs.get()) is not None:
        _do(*job)
        del job  # nothing of a house is held while there is nothing to draw


def _do(done: Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(result)
