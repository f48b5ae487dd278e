"""Which drafts of all houses are asked: published shares, balanced answers, nothing that words alone tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from vantage.benchmarks.excalibur.label_quotas import RELATION_SHARES, TYPE_SHARES
from vantage.benchmarks.excalibur.question_drafts import RELATIONS, TYPES, YES_NO, Draft
from vantage.planning import LanguagePrior

_FOLDS = 5  # of houses, each judged by a model of the others
_UNEVEN = 1.1  # times as often as the second commonest, the commonest answer of a family may be given
_EVEN, _UNBALANCED = 3.0, 0.3  # weights beside those of shares: of yes and no, and of answers that are too common
_AGAIN = 0.05  # of a family that was asked about before


def not_told_by_words(drafts: Mapping[str, Sequence[Draft]], sure: float) -> dict[str, list[Draft]]:
    """The drafts of each house without those of whose answer a model of the other houses' words is surer than that.

    It does not count whether the model is right, so that its mistakes tell nothing either. One house alone keeps all.
    """
    names = sorted(drafts)
    folds = min(_FOLDS, len(names))
    kept: dict[str, list[Draft]] = {}
    for fold in range(folds):
        judged = names[fold::folds]
        known = [each for name in names if name not in judged for each in drafts[name]]
        model = LanguagePrior.fit((each.text, each.answer) for each in known)
        for name in judged:
            kept[name] = [each for each in drafts[name] if model.answer(each.text)[1] <= sure]
    return kept


class Chooser:
    """Chooses house after house, so that shares and answers come out even over all."""

    def __init__(self) -> None:
        self._kinds: Counter[str] = Counter()
        self._relations: Counter[str] = Counter()
        self._yes: Counter[tuple[str, bool]] = Counter()
        self._answers: dict[str, Counter[str]] = {}
        self._count = 0

    def choose(self, drafts: Sequence[Draft], count: int, rng: np.random.Generator) -> list[Draft]:
        """So many drafts of a house, or all that there are, in random order."""
        left = [drafts[k] for k in rng.permutation(len(drafts))]
        chosen: list[Draft] = []
        families: Counter[str] = Counter()
        while left and len(chosen) < count:
            costs = [self._cost(draft) + _AGAIN * families[draft.family] / count for draft in left]
            draft = left.pop(int(np.argmin(costs)))
            families[draft.family] += 1
            self._take(draft)
            chosen.append(draft)
        return [chosen[k] for k in rng.permutation(len(chosen))]

    def _take(self, draft: Draft) -> None:
        self._count += 1
        self._kinds[draft.kind] += 1
        self._relations.update(draft.relations)
        self._answers.setdefault(draft.family, Counter())[draft.answer] += 1
        for group in _groups(draft):
            self._yes[group, draft.answer == "yes"] += 1

    def _cost(self, draft: Draft) -> float:
        """How far all would be from what is wanted with a draft more, in questions."""
        total = self._count + 1
        off = sum((self._kinds[kind] + (kind == draft.kind) - TYPE_SHARES[kind] * total) ** 2 for kind in TYPES)
        off += sum(
            (self._relations[each] + (each in draft.relations) - RELATION_SHARES[each] * total) ** 2
            for each in RELATIONS
        )
        for group in _groups(draft):
            off += _EVEN * (self._yes[group, draft.answer == "yes"] + 1 - self._yes[group, draft.answer != "yes"])
        return math.sqrt(max(off, 0.0) + 100.0) + _UNBALANCED * self._is_common(draft)

    def _is_common(self, draft: Draft) -> bool:
        """Whether its answer would be too common in its family."""
        found = Counter(self._answers.get(draft.family, ()))
        found[draft.answer] += 1
        (top, most), *rest = found.most_common(2)
        return top == draft.answer and most > 2 and most > _UNEVEN * (rest[0][1] if rest else 0)


def _groups(draft: Draft) -> tuple[str, ...]:
    """In which yes and no are balanced: each relation, and the family."""
    return (draft.family, *sorted(draft.relations)) if draft.kind == YES_NO else ()
