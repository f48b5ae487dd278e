"""What the questions of sets are like: types, relations and answers, and what their words alone tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vantage.benchmarks.excalibur.label_quotas import RELATION_SHARES, TYPE_SHARES
from vantage.planning import LanguagePrior
from vantage.types import Episode, Truth, TruthQuestion

_FOLDS = 5  # of houses


@dataclass(frozen=True)
class Asked:
    """One question with its right answer and the house it is about."""

    house: str
    text: str
    gold: TruthQuestion


@dataclass(frozen=True)
class Distribution:
    """Shares 0..1.

    Attributes:
        answers: how often each, by type.
        language: share of right answers of a model of the words of other houses' questions; None of one house alone.
        chance: share that answers drawn by their frequency in the type would get right.
    """

    houses: int
    questions: int
    types: Mapping[str, float]
    relations: Mapping[str, float]
    yes: Mapping[str, float]
    answers: Mapping[str, Mapping[str, int]]
    weighed: float
    opened: float
    language: float | None
    chance: float

    def to_json(self) -> dict[str, Any]:
        return {key: dict(value) if isinstance(value, Mapping) else value for key, value in vars(self).items()}

    @property
    def text(self) -> str:
        lines = [f"{self.houses} houses, {self.questions} questions; share %, in the paper, and of yes"]
        for name, share in (*self.types.items(), *self.relations.items()):
            paper = {**TYPE_SHARES, **RELATION_SHARES}[name]
            yes = f"  yes {100 * self.yes[name]:4.1f}" if name in self.yes else ""
            lines.append(f"  {name:10} {100 * share:5.1f}  {100 * paper:5.1f}{yes}")
        lines.append(f"  to be weighed {100 * self.weighed:.1f} %, to be opened {100 * self.opened:.1f} %")
        words = "not measured in one house" if self.language is None else f"{100 * self.language:.1f} %"
        lines.append(f"  right by words alone: {words}; by chance {100 * self.chance:.1f} %")
        return "\n".join(lines)


def asked_in(episodes: Iterable[Episode], truths: Mapping[str, Truth], phase: str) -> list[Asked]:
    """The questions of one phase of episodes."""
    return [
        Asked(episode.scene, question.text, gold)
        for episode in episodes
        for question in episode.questions
        for gold in truths[episode.episode_id].questions
        if question.phase == phase and gold.is_about(question)
    ]


def distribution_of(asked: Sequence[Asked]) -> Distribution:
    """Of at least one question."""
    golds = [each.gold for each in asked]
    relations = [set(filter(None, gold.category.split(", "))) for gold in golds]
    polar = [(gold, of) for gold, of in zip(golds, relations, strict=True) if gold.kind == next(iter(TYPE_SHARES))]
    yes = {next(iter(TYPE_SHARES)): _share(gold.answer == "yes" for gold, _ in polar)}
    yes |= {name: _share(gold.answer == "yes" for gold, of in polar if name in of) for name in RELATION_SHARES}
    answers: dict[str, Counter[str]] = {kind: Counter() for kind in TYPE_SHARES}
    for gold in golds:
        answers.setdefault(gold.kind, Counter())[gold.answer] += 1
    chance = sum(
        number * number / sum(found.values()) for found in answers.values() for number in found.values()
    ) / len(golds)
    return Distribution(
        len({each.house for each in asked}),
        len(golds),
        {kind: _share(gold.kind == kind for gold in golds) for kind in TYPE_SHARES},
        {name: _share(name in of for of in relations) for name in RELATION_SHARES},
        yes,
        {kind: dict(found.most_common()) for kind, found in answers.items()},
        _share(bool(gold.to_weigh) for gold in golds),
        _share(bool(gold.to_open) for gold in golds),
        told_by_words(asked),
        chance,
    )


def told_by_words(asked: Sequence[Asked]) -> float | None:
    """Share of right answers of a model of words, each by one that was fitted on other houses; None of one house."""
    houses = sorted({each.house for each in asked})
    folds = min(_FOLDS, len(houses))
    if folds < 2:
        return None
    right = 0
    for fold in range(folds):
        judged = set(houses[fold::folds])
        model = LanguagePrior.fit((each.text, each.gold.answer) for each in asked if each.house not in judged)
        right += sum(model.answer(each.text)[0] == each.gold.answer for each in asked if each.house in judged)
    return right / len(asked)


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
