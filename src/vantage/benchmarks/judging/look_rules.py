"""Whether the look that counts shows what a question needs: the last look alone, or the best of the evidence and it."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.benchmarks.judging.judges import Case
from vantage.types import ViewShortfall

GROUNDED_AT = 0.15  # least visible fraction at which a target counts as seen


@dataclass(frozen=True)
class Look:
    """What the look that counts shows of what a question needs.

    Attributes:
        shown: whether it shows that; None where nothing has to be seen, or where the recording does not tell.
        why: why it does not; None where it does, or where the recording does not tell.
    """

    shown: bool | None = None
    why: ViewShortfall | None = None


def best_look(case: Case, least: float = GROUNDED_AT) -> Look:
    """By the evidence and the last look: each target is visible enough in one of them."""
    if case.visible is None:
        return Look()
    if case.visible >= least:
        return Look(True)
    return Look(False, ViewShortfall("visible", case.visible, least))


def last_look(case: Case) -> Look:
    """By the last look alone, as the view rule judged it when it was recorded."""
    return Look(case.end_answers, None if case.end_answers else case.end_shortfall)
