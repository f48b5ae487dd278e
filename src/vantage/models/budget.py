"""Bounds on models: what a process may spend in calls, tokens, seconds and money, and until when a request may call.

A cutoff is a moment after which, or an event with which, no further call of one request begins. It holds for the
thread, or task, that sets it. Threads that it starts need a copy of its context (``contextvars.copy_context``).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import Enum, auto

from vantage.config import ModelSettings
from vantage.errors import ModelError
from vantage.models.protocol import Deadline

_MILLION = 1e6


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


class Contact(Enum):
    """How far a call got.

    Attributes:
        MADE: the server answered, be it with an error.
        REFUSED: it never got to its server.
        SILENT: nothing came for a whole deadline.
        CUT_SHORT: nothing came in less than a deadline, which may only be slow.
    """

    MADE = auto()
    REFUSED = auto()
    SILENT = auto()
    CUT_SHORT = auto()


@dataclass(frozen=True)
class Usage:
    """What was spent.

    Attributes:
        calls: begun, whether they succeeded or not; replies from the cache are none.
        tokens_in, tokens_out: sent and received.
        seconds: that calls took together.
        cost: in the currency of the prices.
        refused, silent: calls of these that never got to their server, or on which it was silent for a whole deadline.
        silent_on_end: silent calls since a server last answered.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    refused: int = 0
    silent: int = 0
    silent_on_end: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


class Ledger:
    """Adds up what all models that share it spend; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        return self._usage

    def begin(self, budget: Budget) -> None:
        """Count a call, unless a bound is reached already.

        Raises:
            ModelError: it is, and which.
        """
        with self._lock:
            budget.check(self._usage)
            self._usage = replace(self._usage, calls=self._usage.calls + 1)

    def end(
        self,
        seconds: float,
        tokens_in: int = 0,
        tokens_out: int = 0,
        cost: float = 0.0,
        contact: Contact = Contact.MADE,
    ) -> None:
        """Add what a call took once it is over."""
        with self._lock:
            spent = self._usage
            self._usage = Usage(
                spent.calls,
                spent.tokens_in + tokens_in,
                spent.tokens_out + tokens_out,
                spent.seconds + seconds,
                spent.cost + cost,
                spent.refused + (contact is Contact.REFUSED),
                spent.silent + (contact is Contact.SILENT),
                0 if contact is Contact.MADE else spent.silent_on_end + (contact is Contact.SILENT),
            )


PROCESS_LEDGER = Ledger()


@dataclass(frozen=True)
class Budget:
    """Bounds and prices of the settings; 0 bounds nothing."""

    settings: ModelSettings

    def check(self, usage: Usage) -> None:
        """
        Raises:
            ModelError: a bound is reached, so that no further call may begin.
        """
        bounds = (
            ("max_calls", usage.calls, self.settings.max_calls, "calls"),
            ("max_tokens", usage.tokens, self.settings.max_tokens, "tokens"),
            ("max_seconds", usage.seconds, self.settings.max_seconds, "s"),
            ("max_cost", usage.cost, self.settings.max_cost, "of money"),
        )
        for name, spent, bound, unit in bounds:
            if bound and spent >= bound:
                raise ModelError(
                    f"the budget model.{name} = {bound:g} {unit} is spent ({spent:g}); raise it, or 0 for no bound"
                )

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Of so many tokens, in the currency of the prices."""
        return (tokens_in * self.settings.price_in + tokens_out * self.settings.price_out) / _MILLION

    def longest_call(self, usage: Usage) -> float:
        """s that one call may take: its deadline, or less where less is left of ``max_seconds``."""
        bound = self.settings.max_seconds
        return min(self.settings.timeout, bound - usage.seconds) if bound else self.settings.timeout
