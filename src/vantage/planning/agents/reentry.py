"""When going on pays: what is won by looking again is worth the less, the longer it takes (EXCALIBUR, section 3.4).

Refined answers count ``Acc_exp + (Acc_ref - Acc_exp) * exp(-k T3)``: with an expected gain G after T steps, g more for
c further steps pay as long as ``(G + g) * exp(-k c) > G``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from vantage.answering import Assessment
from vantage.types import Question, Verdict

_GUESS = 0.35  # that an answer is right of which the reasoner does not say how sure it is
_SOLVED = 0.9  # that a question is answered right once all that it turns on was found out
_OPEN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION)


def certainty(found: Assessment) -> float:
    """How likely the answer of an assessment is right, 0..1."""
    if found.verdict in _OPEN:
        return min(_GUESS, found.confidence or _GUESS)
    return found.confidence


class Reentry:
    """Questions that were answered once and will be again, and what looking again may win.

    Args:
        assess: what can be said of a question in words now.
        discount: k, by which each step lessens what is won.
    """

    def __init__(self, assess: Callable[[str], Assessment], discount: float) -> None:
        self._assess, self._discount = assess, discount
        self.questions: tuple[Question, ...] = ()
        self._at_first: Mapping[str, float] = {}
        self._stamp, self._found = -1, dict[str, Assessment]()

    def asked(self, questions: Iterable[Question], stamp: int) -> None:
        """These were asked at a stamp (ns); the first time counts."""
        if not self.questions:
            self.questions = tuple(questions)
            self._at_first = self.certainties(stamp)

    def assessments(self, stamp: int) -> Mapping[str, Assessment]:
        """What can be said of each question by its id, after the view of a stamp (ns); worked out once for each."""
        if stamp != self._stamp:
            self._stamp = stamp
            self._found = {each.question_id: self._assess(each.text) for each in self.questions}
        return self._found

    def certainties(self, stamp: int) -> dict[str, float]:
        """How likely the answer to each question is right, by its id."""
        return {key: certainty(found) for key, found in self.assessments(stamp).items()}

    def gain(self, questions: Iterable[Question], stamp: int, waiting: Mapping[str, int] | None = None) -> float:
        """What one thing to do is expected to win that helps some questions, as a share of all.

        Args:
            waiting: how many such things each question waits for; one where that is not given.
        """
        now = self.certainties(stamp)
        gains = [
            max(_SOLVED - now[each.question_id], 0.0) / max(1, (waiting or {}).get(each.question_id, 1))
            for each in questions
        ]
        return sum(gains) / max(len(self.questions), 1)

    def pays(self, gain: float, cost: float, stamp: int) -> bool:
        """Whether a gain is worth so many steps, with what was won already at stake."""
        now = self.certainties(stamp)
        won = sum(max(now[key] - before, 0.0) for key, before in self._at_first.items()) / max(len(now), 1)
        return (won + gain) * math.exp(-self._discount * cost) > won
