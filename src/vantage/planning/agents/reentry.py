"""When going on pays: what is won by looking again is worth the less, the longer it takes (EXCALIBUR, section 3.4).

Refined answers count ``Acc_exp + (Acc_ref - Acc_exp) * exp(-k T3)``: with an expected gain G after T steps, g more for
c further steps pay as long as ``(G + g) * exp(-k c) > G``.

What a question may still win is the chance that its answer is wrong as far as finding out more would put it right. That
is shared by all that it turns on: things to open, to weigh, to look at, and space in which something may be that was
not found. An answer that is not sure, and of which the reasoner names nothing that would make it surer, as that there
is nothing of a kind, turns on the space that was not seen. An answer gives way to a surer one alone.

What is expected of looking, opening and weighing is taken by what each of them has won so far in this house next to
what was expected of it: where handles are missed or looks tell nothing new, that soon counts little.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vantage.answering import LookAt, LookFor
from vantage.types import Answer, Question

_SOLVED = 0.92  # that a question is answered right once all that it turns on was found out
_TRIFLE = 0.04  # of one question: what may be won there is not looked for
_PRIOR = 0.03  # share of all questions that one kind of doing may be expected to win before it has to have won any


@dataclass(frozen=True)
class Stake:
    """What a question may still win.

    Attributes:
        gain: as a share of all questions.
        hints: what it turns on, and what part of the gain each may bring.
    """

    question: Question
    gain: float
    hints: Mapping[LookFor, float]

    @classmethod
    def of(cls, question: Question, gain: float, hints: Sequence[LookFor]) -> Stake:
        """A gain that is shared evenly by what a question turns on; closed things of which any may hold what is looked
        for count together as one."""
        closed = sum(hint.what is LookAt.OPEN for hint in hints)
        parts = len(hints) - closed + bool(closed)
        each = gain / parts
        return cls(question, gain, {hint: each / closed if hint.what is LookAt.OPEN else each for hint in hints})

    def kept(self, hints: Mapping[LookFor, float]) -> Stake:
        """The same with those things alone."""
        return replace(self, gain=sum(hints.values()), hints=hints)


class Reentry:
    """Questions that were answered once and will be again, and what looking again may win.

    Args:
        look_for: what a question in words still turns on.
        answer: what would be answered now.
        discount: k, by which each step lessens what is won.
    """

    def __init__(
        self,
        look_for: Callable[[str], tuple[LookFor, ...]],
        answer: Callable[[Question], Answer],
        discount: float,
    ) -> None:
        self._look_for, self._answer, self._discount = look_for, answer, discount
        self.questions: tuple[Question, ...] = ()
        self._at_first: Mapping[str, float] = {}
        self._stamp = -1
        self._stakes: tuple[Stake, ...] = ()
        self._certainties: dict[str, float] = {}
        self._given: dict[str, Answer] = {}
        self._doing: tuple[str, float, float] | None = None
        self._expected: defaultdict[str, float] = defaultdict(float)
        self._won: defaultdict[str, float] = defaultdict(float)

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
        self._certainties = {each.question_id: self._answer(each).confidence for each in self.questions}
        stakes = (self._stake(each) for each in self.questions)
        self._stakes = tuple(stake for stake in stakes if stake.gain * len(self.questions) > _TRIFLE)

    def _stake(self, question: Question) -> Stake:
        gain = max(_SOLVED - self._certainties[question.question_id], 0.0) / len(self.questions)
        return Stake.of(question, gain, self._look_for(question.text) or (LookFor(LookAt.ANYWHERE, ""),))

    def answered(self, question: Question, answer: Answer) -> Answer:
        """An answer to a question, or the one that was given to the same words before, where that was surer."""
        former = self._given.get(question.text)
        if former is not None and former.confidence >= answer.confidence:
            answer = replace(former, question_id=answer.question_id, phase=answer.phase)
        self._given[question.text] = answer
        return answer

    def begun(self, kind: str, gain: float, stamp: int) -> None:
        """Something of a kind is done from now on of which that gain was expected, without regard to ``trust``."""
        self.concluded(stamp)
        self._doing = kind, gain, self._at_stake(stamp)

    def concluded(self, stamp: int) -> None:
        """What was begun last is over."""
        if self._doing is not None:
            kind, gain, before = self._doing
            self._expected[kind] += gain
            self._won[kind] += max(before - self._at_stake(stamp), 0.0)
            self._doing = None

    def trust(self, kind: str) -> float:
        """By what the gain that is expected of something of a kind is to be taken, 0..1."""
        return min((_PRIOR + self._won[kind]) / (_PRIOR + self._expected[kind]), 1.0)

    def _at_stake(self, stamp: int) -> float:
        return sum(stake.gain for stake in self.stakes(stamp))

    def pays(self, gain: float, cost: float, stamp: int) -> bool:
        """Whether a gain, as a share of all questions, is worth so many steps, with what was won already at stake."""
        now = self.certainties(stamp)
        won = sum(max(now[key] - before, 0.0) for key, before in self._at_first.items()) / max(len(now), 1)
        return (won + gain) * math.exp(-self._discount * cost) > won
