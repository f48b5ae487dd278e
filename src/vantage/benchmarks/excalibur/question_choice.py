"""Which of the drafts are asked: such as words alone do not answer, with answers that come out even.

Each place in a house has some drafts, those of yes/no questions with either answer. A model of words that was fitted on
drafts of other houses drops what it answers surely. Of what is left that draft is taken by which words, runs of words,
families and relations come to stand as often with one answer as with another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from vantage.benchmarks.excalibur.question_drafts import Draft
from vantage.benchmarks.excalibur.question_labels import YES_NO
from vantage.planning import LanguagePrior

SURE = 0.9  # probability from which on an answer is told by the words of the question
_FOLDS = 2  # parts of the houses, of which each is tried by a model that was fitted on the others
_LEAST_HOUSES = 6  # from which on there is something to fit
_HOUSE, _ALL = 8, 4  # weights of a house and of all houses beside that of a word
_WORD = re.compile(r"[a-z]+")
_PLAIN = frozenset({"a", "an", "the", "of", "is", "are", "there", "to", "that"})

Choices = Sequence[Sequence[Draft]]  # for each place in a house


def chosen(houses: Sequence[Choices]) -> list[list[Draft]]:
    """One draft for each place of each house, in their order; the same drafts give the same choice."""
    balance = _Balance()
    found = []
    for number, (places, unsure) in enumerate(zip(houses, _not_told(houses), strict=True)):
        taken: list[Draft] = []
        for drafts, kept in zip(places, unsure, strict=True):
            fresh = [draft for draft in kept if all(draft.text != other.text for other in taken)] or drafts
            costs = [balance.cost(draft, number) for draft in fresh]
            best = fresh[int(np.argmin(costs))]
            balance.add(best, number)
            taken.append(best)
        found.append(taken)
    return found


def _not_told(houses: Sequence[Choices]) -> list[list[list[Draft]]]:
    """The drafts of each place that a model of words does not answer surely and rightly; where it so answers all of
    them, the one of which it is least sure."""
    if len(houses) < _LEAST_HOUSES:
        return [[list(drafts) for drafts in places] for places in houses]
    priors = []
    for fold in range(_FOLDS):
        others = [places for number, places in enumerate(houses) if number % _FOLDS != fold]
        priors.append(
            LanguagePrior.fit((each.text, each.answer) for places in others for part in places for each in part)
        )
    return [[_unsure(drafts, priors[number % _FOLDS]) for drafts in places] for number, places in enumerate(houses)]


def _unsure(drafts: Sequence[Draft], prior: LanguagePrior) -> list[Draft]:
    told = []
    for draft in drafts:
        answer, probability = prior.answer(draft.text)
        told.append(probability if answer == draft.answer else 0.0)
    kept = [draft for draft, sure in zip(drafts, told, strict=True) if sure < SURE]
    return kept or [drafts[int(np.argmin(told))]]


class _Balance:
    """How often each feature of questions stands with each answer."""

    def __init__(self) -> None:
        self._yes: Counter[object] = Counter()  # more often than no
        self._given: Counter[object] = Counter()

    def add(self, draft: Draft, house: int) -> None:
        sign = 1 if draft.answer == "yes" else -1
        for feature, _ in _features(draft, house):
            if draft.kind == YES_NO:
                self._yes[feature] += sign
            else:
                self._given[feature, draft.answer] += 1

    def cost(self, draft: Draft, house: int) -> float:
        """By how much one more raises the weighted sum of the squares, for each feature."""
        if draft.kind != YES_NO:
            return sum(weight * self._given[feature, draft.answer] for feature, weight in _features(draft, house))
        sign = 1 if draft.answer == "yes" else -1
        rises = [weight * (2 * sign * self._yes[feature] + 1) for feature, weight in _features(draft, house)]
        return sum(rises) / len(rises)


def _features(draft: Draft, house: int) -> Iterator[tuple[object, float]]:
    """Each once, with its weight."""
    words = _WORD.findall(draft.text.lower())
    telling = [word for word in words if word not in _PLAIN]
    yield ("house", house), _HOUSE
    yield ("kind", draft.kind), _ALL
    yield ("family", draft.family), _ALL
    for relation in sorted(draft.relations):
        yield ("relation", relation), _ALL
    for feature in dict.fromkeys((*telling, *pairwise(words), ("first", *words[:2]))):
        yield feature, 1.0
