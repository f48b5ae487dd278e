"""Yes or no questions to a model about remembered views, each asked once.

The question whether views show enough is that of NoisyEQA (section 4) and Explore-EQA, put about several at once.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.answering.vlm.view_memory import View
from vantage.models import Model, prompt

CONFIDENCE_PROMPT = "confidence"
_MOST_KEPT = 8192  # probabilities
_MOST_QUESTIONS = 256  # of which is kept what was asked about
_LIKELY = 0.5  # probability of yes from which on a model sees a thing
_BLANK = 127  # grey value of a picture that shows nothing
_SHORT = 60  # characters of a reply in which the word may stand anywhere
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True)
class AskedSet:
    """Views that a model was asked about together, and its probability that they show enough."""

    views: tuple[View, ...]
    enough: float | None


def filled(name: str, number: int, **values: object) -> str:
    """A prompt about so many pictures, which speaks of one or of several."""
    one = {
        "pictures": "This picture was",
        "shown": "the picture shows",
        "these": "this picture",
        "images": "the image",
        "whole": "Does this one picture",
    }
    several = {
        "pictures": f"These {number} pictures, 1 to {number}, were",
        "shown": "the pictures show",
        "these": "these pictures",
        "images": "the images",
        "whole": "Do these pictures together",
    }
    text = prompt(name)
    own = {field: word for field, word in (one if number == 1 else several).items() if field in text.fields}
    return text.fill(**own, **values)


class YesNo:
    """Not safe for several threads.

    Args:
        blank: what was found out about pictures of nothing, by their shape; it holds for as long as the model does.
    """

    def __init__(self, model: Model, blank: dict[tuple[int, ...], float] | None = None) -> None:
        self._model = model
        self._told: OrderedDict[tuple[str, str], float | None] = OrderedDict()
        self._blank = {} if blank is None else blank
        self._sets: OrderedDict[str, list[AskedSet]] = OrderedDict()
        self._weighed: dict[tuple[str, bool], int] = {}
        self._truer: dict[tuple[str, str], None] = {}  # pairs of which the first was found truer
        self._lacking: dict[tuple[str, str], None] = {}  # things, and views that do not show them

    def of(self, text: str, *views: View) -> float | None:
        """The probability of yes about one view, or several together, 0..1; None where the model says neither.

        Raises:
            ModelError: the model cannot be asked.
        """
        key = text, " ".join(view.key for view in views)
        if key not in self._told:
            self._keep(key, self._ask(text, tuple(view.image for view in views)))
        return self._told[key]

    def shown_in(self, name: str, thing: str, views: Sequence[View], most: int) -> tuple[tuple[View, ...], int]:
        """Views that show a thing, as far as is known, and about how many it is known that they show none.

        Several go into one call, and of what a call denies each view is known.

        Args:
            name: of the prompt, which takes a thing.
            most: pictures that go into one call.

        Raises:
            ModelError: the model cannot be asked.
        """
        new = [view for view in views if (thing, view.key) not in self._lacking]
        for first in range(0, len(new), most):
            group = tuple(new[first : first + most])
            told = self.of(filled(name, len(group), thing=thing), *group)
            if told is not None and told >= _LIKELY:
                return group, len(views) - len(new)
            if told is not None:
                self._lacking.update(dict.fromkeys((thing, view.key) for view in group))
        while len(self._lacking) > _MOST_KEPT:
            del self._lacking[next(iter(self._lacking))]
        return (), sum((thing, view.key) in self._lacking for view in views)

    def is_truer(self, name: str, one: str, other: str, views: Sequence[View]) -> bool | None:
        """Whether a model finds one statement truer than another, asked in both orders; None where it says neither.

        What it once found so is not asked again about other views.

        Args:
            name: of the prompt, which takes a first and a second statement.

        Raises:
            ModelError: the model cannot be asked.
        """
        if (one, other) in self._truer:
            return True
        texts = [filled(name, len(views), first=a, second=b) for a, b in ((one, other), (other, one))]
        right, wrong = (self.of(text, *views) for text in texts)
        if right is None or wrong is None:
            return None
        if right > _LIKELY > wrong:
            self._truer[one, other] = None
            while len(self._truer) > _MOST_KEPT:
                del self._truer[next(iter(self._truer))]
            return True
        return False

    def enough(self, question: str, views: tuple[View, ...]) -> float | None:
        """The probability that some views show enough to answer a question; kept with the views.

        Raises:
            ModelError: the model cannot be asked.
        """
        told = self.of(filled(CONFIDENCE_PROMPT, len(views), question=question), *views)
        self._sets.setdefault(question, []).append(AskedSet(views, told))
        while len(self._sets) > _MOST_QUESTIONS:
            self._sets.popitem(last=False)
        return told

    def asked(self, question: str) -> list[AskedSet]:
        """The views that were asked about, in the order in which they were."""
        return self._sets.get(question, [])

    def does_not_suffice(self, question: str, views: tuple[View, ...]) -> None:
        """Note that the model could not tell the answer from views, whatever it had said of them."""
        sets = self._sets.get(question, [])
        self._sets[question] = [replace(each, enough=0.0) if each.views == views else each for each in sets]

    def newly_seen(self, question: str, views: Sequence[View], final: bool) -> list[View]:
        """Views about which it was not decided yet whether to ask; in the end, all that were not asked about, once."""
        asked = {view.key for each in self.asked(question) for view in each.views}
        since = self._weighed.get((question, final), 0) if asked else 0  # what was asked long ago is forgotten first
        return [view for view in views if view.number > since and view.key not in asked]

    def weighed(self, question: str, views: Sequence[View], final: bool) -> None:
        """Note that it was decided about all views until now."""
        self._weighed[question, final] = max((view.number for view in views), default=0)
        while len(self._weighed) > 2 * _MOST_QUESTIONS:
            del self._weighed[next(iter(self._weighed))]

    def of_nothing(self, question: str, view: View) -> float:
        """How sure it is that an evenly grey picture of the size of a view shows enough: who says so says it of any.
        Asked once for each size, with the first question.

        Raises:
            ModelError: the model cannot be asked.
        """
        image = view.image
        if image.shape not in self._blank:
            text = filled(CONFIDENCE_PROMPT, 1, question=question)
            self._blank[image.shape] = self._ask(text, (np.full_like(image, _BLANK),)) or 0.0
        return self._blank[image.shape]

    def _keep(self, key: tuple[str, str], value: float | None) -> None:
        self._told[key] = value
        while len(self._told) > _MOST_KEPT:
            self._told.popitem(last=False)

    def _ask(self, text: str, images: tuple[NDArray[np.uint8], ...]) -> float | None:
        """1 or 0 by the word where the model tells no probabilities."""
        probability = self._model.yes_probability(text, images)
        if probability is not None:
            return min(max(probability, 0.0), 1.0) if probability == probability else None
        return _told_in(self._model.chat(text, images))


def _told_in(reply: str) -> float | None:
    """1 or 0 where a reply is yes or no, or begins with one of them; None where it is something else."""
    reply = reply.strip(" \n\t*\"'`.")
    first = _WORD.match(reply)
    if len(reply) > _SHORT:
        return float(first[1].lower() == "yes") if first else None
    words = {word.lower() for word in _WORD.findall(reply)}
    return float("yes" in words) if len(words) == 1 else None
