"""Requests that take their time: so many at once, the others in a line; each can be taken back and has a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, field
from typing import Any, TypeVar

from vantage.errors import VantageError
from vantage.models.budget import cutoff

T = TypeVar("T")
MOST = 64  # that are being answered or wait, before others are refused
AT_ONCE = 4  # that are being answered


@dataclass(eq=False)
class _Ticket:
    episode_id: str
    question_id: str
    outcome: Future[Any] = field(default_factory=Future)
    over: threading.Event = field(default_factory=threading.Event)  # nobody waits for the outcome any more
    working: bool = False

    def __post_init__(self) -> None:
        self.outcome.add_done_callback(lambda _: self.over.set())


class Requests:
    """Carries jobs out in threads of its own, while whoever asked waits. Thread-safe.

    A job that is given up while it works begins no further call to a model, but ends by itself, and nobody hears of it;
    until then it counts as one of those being answered.

    Args:
        timeout: deadline of a request, the wait in the line included, s.
        most: requests that may be open; more are refused.
        at_once: jobs that work at the same time.

    Attributes:
        served, refused, canceled, late: how many requests ended so.
    """

    def __init__(self, timeout: float, most: int = MOST, at_once: int = AT_ONCE) -> None:
        self._timeout, self._most, self._at_once = timeout, most, at_once
        self._changed = threading.Condition()
        self._line: list[_Ticket] = []
        self._working = 0
        self._closed = ""
        self.served = self.refused = self.canceled = self.late = 0

    @property
    def open(self) -> int:
        """Requests that somebody waits for."""
        with self._changed:
            return len(self._line)

    def run(self, episode_id: str, question_id: str, job: Callable[[], T]) -> T:
        """Do a job when it is its turn and return what it returns.

        Raises:
            VantageError: too many requests wait, this one was taken back or is late, or what the job raised.
        """
        ends = time.monotonic() + self._timeout
        ticket = self._enter(episode_id, question_id)
        try:
            self._await_turn(ticket, ends)
            if not ticket.outcome.done():
                threading.Thread(target=self._work, args=(ticket, job), name="request", daemon=True).start()
            result: T = ticket.outcome.result(max(0.0, ends - time.monotonic()))
        except Late:
            with self._changed:
                self.late += 1
            raise VantageError(
                f"no answer within {self._timeout:g} s; ask again, or give the node a longer ask_timeout"
            ) from None
        finally:
            with self._changed:
                self._line.remove(ticket)
                ticket.outcome.cancel()
                self._changed.notify_all()
        with self._changed:
            self.served += 1
        return result

    def cancel(self, episode_id: str = "", question_id: str = "", reason: str = "the question was taken back") -> int:
        """Take requests back; empty ids stand for all. Returns how many there were."""
        with self._changed:
            found = [
                ticket
                for ticket in self._line
                if not ticket.outcome.done()
                and episode_id in ("", ticket.episode_id)
                and question_id in ("", ticket.question_id)
            ]
            for ticket in found:
                ticket.outcome.set_exception(VantageError(reason))
            self.canceled += len(found)
            self._changed.notify_all()
        return len(found)

    def close(self, reason: str) -> None:
        """Take all requests back and refuse others from now on."""
        with self._changed:
            self._closed = reason
        self.cancel(reason=reason)

    def _enter(self, episode_id: str, question_id: str) -> _Ticket:
        with self._changed:
            if self._closed:
                raise VantageError(self._closed)
            if len(self._line) >= self._most:
                self.refused += 1
                raise VantageError(f"{len(self._line)} requests wait already; ask again when they are answered")
            ticket = _Ticket(episode_id, question_id)
            self._line.append(ticket)
            return ticket

    def _await_turn(self, ticket: _Ticket, ends: float) -> None:
        """Until the job may begin, or nobody wants it any more.

        Raises:
            Late: it is not its turn by then.
        """

        def first() -> bool:
            waiting = next((item for item in self._line if not item.working and not item.outcome.done()), None)
            return ticket.outcome.done() or (self._working < self._at_once and waiting is ticket)

        with self._changed:
            if not self._changed.wait_for(first, max(0.0, ends - time.monotonic())):
                raise Late
            if not ticket.outcome.done():
                ticket.working = True
                self._working += 1
                self._changed.notify_all()

    def _work(self, ticket: _Ticket, job: Callable[[], Any]) -> None:
        try:
            with cutoff(self._timeout, ticket.over):
                result = job()
            self._settle(ticket, result, None)
        except VantageError as error:
            self._settle(ticket, None, error)
        finally:
            self._settle(ticket, None, VantageError("the question could not be worked on; the node's log says why"))
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def _settle(self, ticket: _Ticket, result: Any, error: VantageError | None) -> None:
        """Only the first outcome counts."""
        with self._changed:
            if ticket.outcome.done():
                return
            if error is None:
                ticket.outcome.set_result(result)
            else:
                ticket.outcome.set_exception(error)
