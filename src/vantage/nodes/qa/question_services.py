"""What the services of the QA node do: ask, check, confirm, cancel. Where a person must agree, answers wait."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from vantage.answering.symbolic.wording import meant, proposes
from vantage.config import AgentSettings
from vantage.errors import UsageError
from vantage.nodes.qa.observed_views import Watcher
from vantage.nodes.qa.pending_corrections import Correction, Desk
from vantage.nodes.qa.request_limits import Requests
from vantage.runs.confirmation import Ruling, awaits_person, ruled, withheld
from vantage.types import Answer, NoiseReport, Question, Verdict


class Asking:
    """Thread-safe.

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
        watcher: Watcher,
        settings: AgentSettings,
        timeout: float,
        told: Callable[[Correction, Ruling], None],
    ) -> None:
        self._watcher, self._settings = watcher, settings
        self.requests, self.desk = Requests(timeout), Desk(own, told)
        self._numbers = itertools.count(1)

    def ask(self, episode_id: str, question_id: str, text: str) -> Answer:
        """The answer; a proposal where a person must agree first.

        Raises:
            VantageError: there is no question, too many requests wait, or this one was taken back or is late.
        """
        job = self.requests.run
        answer = job(episode_id, question_id, lambda: self._watcher.ask(episode_id, question_id, text))
        if not (self._settings.require_confirmation and awaits_person(answer)):
            return answer
        return self._propose(episode_id, self._watcher.question(episode_id, question_id, text), answer)

    def check(self, episode_id: str, question_id: str, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether the question was understood, whether its premises hold, and what is wrong with them.

        Raises:
            VantageError: as for ``ask``.
        """
        job = self.requests.run
        found = job(episode_id, question_id, lambda: self._watcher.check(episode_id, question_id, text))
        report = found[2]
        if self._settings.require_confirmation and proposes(report):
            question = self._watcher.question(episode_id, question_id, text)
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
            waited = self.desk.rule(episode_id, question_id, Ruling.ACCEPTED if accept else Ruling.REFUSED)
            if not accept:
                return ruled(waited.answer, Ruling.REFUSED)
            return self._answer(waited)
        question = self._watcher.corrected(episode_id, question_id)
        return self.requests.run(episode_id, question_id, lambda: self._watcher.confirm(question, accept))

    def cancel(self, episode_id: str, question_id: str) -> str:
        """Take requests and corrections back; empty ids stand for all. Returns what was taken back, in words.

        Raises:
            UsageError: nothing of that name waits.
        """
        requests = self.requests.cancel(episode_id, question_id)
        corrections = self.desk.cancel(episode_id, question_id)
        if requests + corrections == 0:
            which = f"no question '{question_id}'" if question_id else "no question"
            raise UsageError(f"{which} waits for an answer or a person; there is nothing to take back")
        counts = ((requests, "request"), (corrections, "correction"))
        said = [f"{count} {what}{'s' * (count > 1)}" for count, what in counts if count]
        return f"{' and '.join(said)} {'was' if requests + corrections == 1 else 'were'} taken back"

    def begin(self) -> None:
        """What was seen is of another place from now on, and so are the corrections that this node waits for."""
        self.desk.cancel_own()

    def close(self, reason: str) -> None:
        """Give up whatever waits, because the node goes away."""
        self.requests.close(reason)
        self.desk.cancel_own()

    def _waits(self, episode_id: str, question_id: str) -> bool:
        """Whether some node waits for a person's word on a question."""
        keys = [item.key for item in self.desk.open]
        return (episode_id, question_id) in keys or (not episode_id and question_id in [key[1] for key in keys])

    def _answer(self, accepted: Correction) -> Answer:
        """The answer to what a person accepted."""
        question, key = accepted.question, accepted.key
        answer = self.requests.run(*key, lambda: self._watcher.confirm(question, True))
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
        self.desk.propose(episode_id, question, proposed, self._settings.confirmation_timeout)
        return proposed
