"""Yes or no questions to a model about remembered views, each asked once, and the choice of the view to rely on.

The confidence question of each view is that of NoisyEQA (section 4) and Explore-EQA.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.answering.vlm.view_memory import View, spread
from vantage.models import Model, prompt

_MOST_KEPT = 8192  # probabilities
_BLANK = 127  # grey value of a picture that shows nothing
_SHORT = 60  # characters of a reply in which the word may stand anywhere
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


class YesNo:
    """Not safe for several threads."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._told: OrderedDict[tuple[str, str], float | None] = OrderedDict()

    def is_told(self, text: str, view: View) -> bool:
        """Whether a prompt was put about a view."""
        return (text, view.key) in self._told

    def of(self, text: str, view: View) -> float | None:
        """The probability of yes, 0..1; None where the model says neither.

        Raises:
            ModelError: the model cannot be asked.
        """
        key = text, view.key
        if key not in self._told:
            self._keep(key, self._ask(text, view.image))
        return self._told[key]

    def of_nothing(self, text: str, view: View) -> float | None:
        """The same about an evenly grey picture of the size of a view: who says yes to that says yes to anything.

        Raises:
            ModelError: the model cannot be asked.
        """
        image = view.image
        key = text, f"nothing, {image.shape}"
        if key not in self._told:
            self._keep(key, self._ask(text, np.full_like(image, _BLANK)))
        return self._told[key]

    def _keep(self, key: tuple[str, str], value: float | None) -> None:
        self._told[key] = value
        while len(self._told) > _MOST_KEPT:
            self._told.popitem(last=False)

    def _ask(self, text: str, image: NDArray[np.uint8]) -> float | None:
        """1 or 0 by the word where the model tells no probabilities."""
        probability = self._model.yes_probability(text, (image,))
        if probability is not None:
            return min(max(probability, 0.0), 1.0) if probability == probability else None
        return _told_in(self._model.chat(text, (image,)))


def _told_in(reply: str) -> float | None:
    """1 or 0 where a reply is yes or no, or begins with one of them; None where it is something else."""
    reply = reply.strip(" \n\t*\"'`.")
    first = _WORD.match(reply)
    if len(reply) > _SHORT:
        return float(first[1].lower() == "yes") if first else None
    words = {word.lower() for word in _WORD.findall(reply)}
    return float("yes" in words) if len(words) == 1 else None


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
    """Whether a text names one of some objects, or several of them."""
    lowered = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
    return any(f" {label}" in lowered for label in labels)
