"""Which of the drafts are asked: such as words alone do not answer, with answers that come out even.

Each place in a house has some drafts, those of yes/no questions with either answer. A model of words that was fitted on
drafts of other houses drops those of which it holds the right answer for likelier than not. Of what is left that draft
is taken by which runs of words, families and relations come to stand as often with one answer as with another. Each
place is looked at several times, as what is right for it depends on what the others ask.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from vantage.benchmarks.excalibur.needed_evidence import steps_of
from vantage.benchmarks.excalibur.question_drafts import Draft
from vantage.benchmarks.excalibur.question_labels import YES_NO
from vantage.planning import LanguagePrior
from vantage.questions import programs as steps

SURE = 0.55  # probability from which on an answer is told by the words of the question: the model is cautious
_FOLDS = 2  # parts of the houses, of which each is tried by a model that was fitted on the others
_LEAST_HOUSES = 6  # from which on there is something to fit
_SWEEPS = 4  # over all places
_HOUSE, _ALL = 8, 4  # weights of a house and of all houses beside that of a run of words
_LONGEST = 3  # words in a run, as the model of words has it
_PLAIN = frozenset((word,) for word in ("a", "an", "the", "of", "is", "are", "there", "to", "that"))  # say little alone
_WORD = re.compile(r"[a-z]+")

Choices = Sequence[Sequence[Draft]]  # for each place in a house


def chosen(houses: Sequence[Choices]) -> list[list[Draft]]:
    """One draft for each place of each house, in their order; the same drafts give the same choice."""
    balance = _Balance()
    unsure = _not_told(houses)
    found: list[list[Draft | None]] = [[None] * len(places) for places in houses]
    for _ in range(_SWEEPS):
        for number, (places, kept, taken) in enumerate(zip(houses, unsure, found, strict=True)):
            for place, drafts in enumerate(places):
                before, taken[place] = taken[place], None
                if before is not None:
                    balance.add(before, number, -1)
                asked = {draft.text for draft in taken if draft is not None}
                fresh = [draft for draft in kept[place] if draft.text not in asked] or drafts
                best = min(fresh, key=lambda draft: balance.cost(draft, number))
                balance.add(best, number, 1)
                taken[place] = best
    return [[draft for draft in taken if draft is not None] for taken in found]


def _not_told(houses: Sequence[Choices]) -> list[list[list[Draft]]]:
    """The drafts of each place that a model of words does not answer rightly; where it so answers all of them, the
    one of which it is least sure."""
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
        self._told: dict[str, tuple[tuple[object, float], ...]] = {}

    def add(self, draft: Draft, house: int, times: int) -> None:
        sign = times if draft.answer == "yes" else -times
        for feature, _ in self._features(draft, house):
            if draft.kind == YES_NO:
                self._yes[feature] += sign
            else:
                self._given[feature, draft.answer] += times

    def cost(self, draft: Draft, house: int) -> float:
        """By how much one more raises the weighted sum of the squares, for each feature."""
        features = self._features(draft, house)
        if draft.kind != YES_NO:
            return sum(weight * self._given[feature, draft.answer] for feature, weight in features)
        sign = 1 if draft.answer == "yes" else -1
        return sum(weight * (2 * sign * self._yes[feature] + 1) for feature, weight in features) / len(features)

    def _features(self, draft: Draft, house: int) -> tuple[tuple[object, float], ...]:
        """Each once, with its weight."""
        if draft.text not in self._told:
            told: list[object] = [("kind", draft.kind), ("family", draft.family), ("shape", _shape(draft.program))]
            told += [("relation", relation) for relation in sorted(draft.relations)]
            self._told[draft.text] = (*((each, _ALL) for each in told), *((run, 1.0) for run in _runs(draft.text)))
        return ((("house", house), _HOUSE), *self._told[draft.text])


def _shape(program: steps.Program) -> tuple[str, ...]:
    """A program without its words."""
    return tuple(
        " ".join((type(step).__name__, getattr(step, "attribute", "") or getattr(step, "relation", "")))
        for step in steps_of(program)
    )


def _runs(text: str) -> list[object]:
    """Runs of one to three words, each once; those that begin the question are told apart from those within it."""
    words = _WORD.findall(text.lower())
    lengths = range(1, _LONGEST + 1)
    found = dict.fromkeys(tuple(words[k : k + length]) for length in lengths for k in range(len(words) - length + 1))
    return [*(run for run in found if run not in _PLAIN), *(("first", *words[:length]) for length in lengths)]
