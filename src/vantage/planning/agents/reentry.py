"""When going on pays: what was gained by looking again is worth the less, the longer it took (EXCALIBUR, section 3.4).

Refined answers count ``Acc_exp + (Acc_ref - Acc_exp) * exp(-k T3)``: with an expected gain G after T steps, g more for
c further steps pay as long as ``(G + g) * exp(-k c) > G``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vantage.answering import Assessment
from vantage.types import Question, Verdict

_UNDECIDED = 0.35  # that an answer is right which does not say how sure it is, of things that are not decided
_SOLVED = 0.9  # that a question is answered right once all that it turns on was found out


def certainty(found: Assessment) -> float:
    """How likely the answer of an assessment is right, 0..1."""
    if found.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION):
        return min(_UNDECIDED, found.confidence or _UNDECIDED)
    return found.confidence


@dataclass(frozen=True)
class Stakes:
    """What there is to win in a phase in which questions are known.

    Attributes:
        at_first: certainty of each question when it was answered, by id.
        discount: k, per step.
    """

    at_first: Mapping[str, float]
    discount: float

    def won(self, now: Mapping[str, float]) -> float:
        """Expected gain so far, as a share of all questions."""
        gains = [max(now[key] - before, 0.0) for key, before in self.at_first.items()]
        return sum(gains) / max(len(gains), 1)

    def open_gain(self, questions: Sequence[Question], now: Mapping[str, float], jobs: Mapping[str, int]) -> float:
        """What one job is expected to win that helps some questions, as a share of all.

        Args:
            jobs: how many jobs each question still waits for.
        """
        gains = [max(_SOLVED - now[each.question_id], 0.0) / max(jobs[each.question_id], 1) for each in questions]
        return sum(gains) / max(len(self.at_first), 1)

    def pays(self, gain: float, cost: float, won: float) -> bool:
        """Whether a gain is worth so many steps, with what was won already at stake."""
        return (won + gain) * math.exp(-self.discount * cost) > won
