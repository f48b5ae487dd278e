"""The confidence question of each view, and the view that is reliable by it (NoisyEQA, section 4; Explore-EQA)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vantage.answering.vlm.view_confidence import YesNo
from vantage.answering.vlm.view_memory import View, spread
from vantage.models.prompts import prompt

CONFIDENCE_PROMPT = "confidence"
MOST_ASKED = 24  # new views that a question is put to at once: each is a call, and two dozen show a room from all sides
_FOOLED = 0.5  # probability of yes for a picture of nothing from which on yes means nothing


@dataclass(frozen=True)
class Choice:
    """Which view to trust.

    Attributes:
        view: the most reliable one.
        confidence: probability that it suffices, 0..1; None where the model cannot tell.
        fooled: the model calls a picture of nothing sufficient, so that the probability says nothing.
        asked, known: views that were asked about, and views in memory.
    """

    view: View
    confidence: float | None
    fooled: bool
    asked: int
    known: int


def choose(question: str, views: Sequence[View], yes_no: YesNo) -> Choice:
    """The most reliable of some views, the newest of equals. Of many new ones, those are asked about that show what
    the question names, and those that differ most.

    Args:
        views: at least one, in the order in which they came.

    Raises:
        ModelError: the model cannot be asked.
    """
    text = prompt(CONFIDENCE_PROMPT).fill(question=question)
    known = [view for view in views if yes_no.is_told(text, view)]
    since = max((view.number for view in known), default=0)
    new = [view for view in views if view.number > since]
    naming = [view for view in new if names_any(question, view.labels)][-MOST_ASKED // 2 :]
    told = [(yes_no.of(text, view), view) for view in (*known, *spread(new, MOST_ASKED, naming))]
    probability, view = max(told, key=lambda pair: (-1.0 if pair[0] is None else pair[0], pair[1].number))
    fooled = False
    if probability is not None and probability >= _FOOLED:
        fooled = (yes_no.of_nothing(text, view) or 0.0) >= _FOOLED
    return Choice(view, probability, fooled, len(told), len(views))


def names_any(text: str, labels: frozenset[str]) -> bool:
    """Whether a text names one of some things, or several of them."""
    lowered = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
    return any(f" {label}" in lowered for label in labels)
