"""When going on pays: what is won by looking again is worth the less, the longer it takes (EXCALIBUR, section 3.4).

Refined answers count ``Acc_exp + (Acc_ref - Acc_exp) * exp(-k T3)``: with an expected gain G after T steps, g more for
c further steps pay as long as ``(G + g) * exp(-k c) > G``.

What a question may still win is the chance that its answer is wrong as far as finding out more would put it right. That
is shared by all that it turns on: things to open, to weigh, to look at, and space in which something may be that was
not found. An answer that is not sure, and of which the reasoner names nothing that would make it surer, as that there
is nothing of a kind, turns on the space that was not seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from vantage.answering import Assessment, LookAt, LookFor
from vantage.types import Answer, Question, Verdict

_SOLVED = 0.92  # that a question is answered right once all that it turns on was found out
_UNSURE = 0.5  # the most that an answer counts for which the reasoner could not decide
_TRIFLE = 0.04  # of one question: what may be won there is not looked for
_OPEN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION)
_SOMEWHERE = (LookAt.ANYWHERE, LookAt.LABEL)


@dataclass(frozen=True)
class Stake:
    """What a question may still win.

    Attributes:
        gain: as a share of all questions.
        hints: what it turns on.
    """

    question: Question
    gain: float
    hints: tuple[LookFor, ...]

    @property
    def is_lost(self) -> bool:
        """Whether something may be anywhere."""
        return any(hint.what in _SOMEWHERE for hint in self.hints)


def certainty(found: Assessment, answer: Answer) -> float:
    """How likely an answer is right, 0..1, that was given where this could be said of its question."""
    return min(answer.confidence, _UNSURE) if found.verdict in _OPEN else answer.confidence


class Reentry:
    """Questions that were answered once and will be again, and what looking again may win.

    Args:
        assess: what can be said of a question in words now.
        answer: what would be answered now.
        discount: k, by which each step lessens what is won.
    """

    def __init__(
        self, assess: Callable[[str], Assessment], answer: Callable[[Question], Answer], discount: float
    ) -> None:
        self._assess, self._answer, self._discount = assess, answer, discount
        self.questions: tuple[Question, ...] = ()
        self._at_first: Mapping[str, float] = {}
        self._stamp = -1
        self._stakes: tuple[Stake, ...] = ()
        self._certainties: dict[str, float] = {}

    def asked(self, questions: Iterable[Question], stamp: int) -> None:
        """These were asked at a stamp (ns); the first time counts."""
        if not self.questions:
            self.questions = tuple(questions)
            self._at_first = dict(self.certainties(stamp))

    def stakes(self, stamp: int) -> tuple[Stake, ...]:
        """What each question may still win after the view of a stamp (ns), without those that can win next to nothing;
        worked out once for each view."""
        self._look(stamp)
        return self._stakes

    def certainties(self, stamp: int) -> Mapping[str, float]:
        """How likely the answer to each question is right, by its id."""
        self._look(stamp)
        return self._certainties

    def _look(self, stamp: int) -> None:
        if stamp == self._stamp:
            return
        self._stamp = stamp
        found = {each.question_id: self._assess(each.text) for each in self.questions}
        self._certainties = {
            each.question_id: certainty(found[each.question_id], self._answer(each)) for each in self.questions
        }
        stakes = (self._stake(each, found[each.question_id]) for each in self.questions)
        self._stakes = tuple(stake for stake in stakes if stake.gain * len(self.questions) > _TRIFLE)

    def _stake(self, question: Question, found: Assessment) -> Stake:
        gain = max(_SOLVED - self._certainties[question.question_id], 0.0) / len(self.questions)
        return Stake(question, gain, found.look_for or (LookFor(LookAt.ANYWHERE, ""),))

    def pays(self, gain: float, cost: float, stamp: int) -> bool:
        """Whether a gain, as a share of all questions, is worth so many steps, with what was won already at stake."""
        now = self.certainties(stamp)
        won = sum(max(now[key] - before, 0.0) for key, before in self._at_first.items()) / max(len(now), 1)
        return (won + gain) * math.exp(-self._discount * cost) > won
