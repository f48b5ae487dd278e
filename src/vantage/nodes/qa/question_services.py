"""The services of the QA node: ask, check, confirm, cancel. Where a person must agree, answers wait.

Requests may take long: a limited number is worked on at once, others queue; each has a deadline and can be canceled.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError as Late
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from vantage.answering.symbolic import meant, proposes
from vantage.config import AgentSettings
from vantage.errors import UsageError, VantageError
from vantage.models import cutoff
from vantage.nodes.qa.observed_views import ObservedViews
from vantage.nodes.qa.pending_corrections import Correction, PendingCorrections
from vantage.runs import Ruling, awaits_person, ruled, withheld
from vantage.types import Answer, NoiseReport, Question, Verdict

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


class RequestQueue:
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


class QuestionServices:
    """Answers, checks, confirms and cancels questions for the QA node. Thread-safe.

    Args:
        own: name of this node.
        told: called with each correction that is opened or ended.
        timeout: deadline of a request, s.

    Attributes:
        requests: those that are being answered, or wait.
        desk: corrections that wait for a person.
    """

    def __init__(
        self,
        own: str,
        observed: ObservedViews,
        settings: AgentSettings,
        timeout: float,
        told: Callable[[Correction, Ruling], None],
    ) -> None:
        self._observed, self._settings = observed, settings
        self.requests, self.pending = RequestQueue(timeout), PendingCorrections(own, told)
        self._numbers = itertools.count(1)

    def ask(self, episode_id: str, question_id: str, text: str) -> Answer:
        """The answer; a proposal where a person must agree first.

        Raises:
            VantageError: there is no question, too many requests wait, or this one was taken back or is late.
        """
        job = self.requests.run
        answer = job(episode_id, question_id, lambda: self._observed.ask(episode_id, question_id, text))
        if not (self._settings.require_confirmation and awaits_person(answer)):
            return answer
        return self._propose(episode_id, self._observed.question(episode_id, question_id, text), answer)

    def check(self, episode_id: str, question_id: str, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether the question was understood, whether its premises hold, and what is wrong with them.

        Raises:
            VantageError: as for ``ask``.
        """
        job = self.requests.run
        found = job(episode_id, question_id, lambda: self._observed.check(episode_id, question_id, text))
        report = found[2]
        if self._settings.require_confirmation and proposes(report):
            question = self._observed.question(episode_id, question_id, text)
            proposed = Answer(question_id, "", Verdict.NEEDS_CONFIRMATION, report.confidence, report)
            self._propose(episode_id, question, proposed)
        return found

    def confirm(self, episode_id: str, question_id: str, accept: bool) -> Answer:
        """A person said whether a correction is what was meant: the answer to the corrected question, or that there
        is none.

        By then more may have been seen. Where something else seems to be meant now, that waits for a person in turn.

        Raises:
            VantageError: no such correction waits, or as for ``ask``.
        """
        if self._settings.require_confirmation or self._waits(episode_id, question_id):
            waited = self.pending.rule(episode_id, question_id, Ruling.ACCEPTED if accept else Ruling.REFUSED)
            if not accept:
                return ruled(waited.answer, Ruling.REFUSED)
            return self._answer(waited)
        question = self._observed.corrected(episode_id, question_id)
        return self.requests.run(episode_id, question_id, lambda: self._observed.confirm(question, accept))

    def cancel(self, episode_id: str, question_id: str) -> str:
        """Take requests and corrections back; empty ids stand for all. Returns what was taken back, in words.

        Raises:
            UsageError: nothing of that name waits.
        """
        requests = self.requests.cancel(episode_id, question_id)
        corrections = self.pending.cancel(episode_id, question_id)
        if requests + corrections == 0:
            which = f"no question '{question_id}'" if question_id else "no question"
            raise UsageError(f"{which} waits for an answer or a person; there is nothing to take back")
        counts = ((requests, "request"), (corrections, "correction"))
        said = [f"{count} {what}{'s' * (count > 1)}" for count, what in counts if count]
        return f"{' and '.join(said)} {'was' if requests + corrections == 1 else 'were'} taken back"

    def begin(self) -> None:
        """What was seen is of another place from now on, and so are the corrections that this node waits for."""
        self.pending.cancel_own()

    def close(self, reason: str) -> None:
        """Give up whatever waits, because the node goes away."""
        self.requests.close(reason)
        self.pending.cancel_own()

    def _waits(self, episode_id: str, question_id: str) -> bool:
        """Whether some node waits for a person's word on a question."""
        waiting = [item for item in self.pending.open if item.question.question_id == question_id]
        return any(episode_id in ("", item.episode_id) for item in waiting)

    def _answer(self, accepted: Correction) -> Answer:
        """The answer to what a person accepted."""
        question, name = accepted.question, accepted.question.question_id
        answer = self.requests.run(accepted.episode_id, name, lambda: self._observed.confirm(question, True))
        if not awaits_person(answer):
            return answer
        if self._settings.require_confirmation and meant(answer.noise) != meant(accepted.answer.noise):
            return self._propose(accepted.episode_id, question, answer)
        return ruled(answer, Ruling.ACCEPTED)

    def _propose(self, episode_id: str, question: Question, answer: Answer) -> Answer:
        """Let a correction wait for a person. A question without an id gets one, by which it can be confirmed."""
        name = question.question_id or f"asked-{next(self._numbers)}"
        proposed = withheld(replace(answer, question_id=name))
        question = replace(question, question_id=name)
        self.pending.propose(episode_id, question, proposed, self._settings.confirmation_timeout)
        return proposed
