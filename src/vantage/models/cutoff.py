"""An end for all calls that one request makes: a moment after which, or an event with which, no further one begins.

It holds for the thread, or task, that sets it. Threads that it starts need a copy of its context
(``contextvars.copy_context``).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from vantage.errors import ModelError
from vantage.models.calls import Deadline


@dataclass(frozen=True)
class _Cutoff:
    deadline: Deadline
    canceled: threading.Event
    outer: _Cutoff | None


_CUTOFF: ContextVar[_Cutoff | None] = ContextVar("cutoff", default=None)


@contextmanager
def cutoff(seconds: float, canceled: threading.Event | None = None) -> Iterator[None]:
    """Within it, models begin no call after so many s, or once the event is set. One within another shortens it."""
    token = _CUTOFF.set(_Cutoff(Deadline(seconds), canceled or threading.Event(), _CUTOFF.get()))
    try:
        yield
    finally:
        _CUTOFF.reset(token)


def check_cutoff() -> None:
    """
    Raises:
        ModelError: the request is canceled or late, so that no further call may begin.
    """
    for each in _around():
        if each.canceled.is_set():
            raise ModelError("the request was canceled, so no further call to a model was made; ask again")
        if each.deadline.over:
            raise ModelError(
                f"the {each.deadline.seconds:g} s of the request are over, so no further call to a model was made; "
                "give it more time"
            )


def seconds_left() -> float:
    """Until the end of the request; infinite where it has none."""
    return min((each.deadline.left for each in _around()), default=math.inf)


def _around() -> Iterator[_Cutoff]:
    each = _CUTOFF.get()
    while each is not None:
        yield each
        each = each.outer
