"""How far the labels of questions can be told from their words alone, without a look at any scene.

Words and pairs of neighboring words (TF-IDF) go into a logistic regression, both as scikit-learn has them by default.
It learns from the questions about some scenes and is tried on those about the others, so that no scene is in both
parts. Intervals are over scenes; see ``scene_bootstrap``.
"""

from __future__ import annotations

import importlib.util
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics.figure_text import interval, number
from vantage.benchmarks.statistics.metrics import Figure, wilson
from vantage.benchmarks.statistics.scene_bootstrap import mean_over_scenes, share_over_scenes

LEAST = 100  # questions, which are 50 pairs: a share of fewer is uncertain by more than the margin of a group
MARGIN, GROUP_MARGIN = 0.05, 0.10  # above what always saying the commonest label of a group gives
MOST_RANKED = 0.57  # of the pairs; 0.5 is chance
_PARTS = 5  # of the scenes, each tried once


@dataclass(frozen=True)
class LabelledQuestion:
    """A question, and what its words alone must not tell.

    Attributes:
        label: such as ``noisy`` and ``clean``, or the answer.
        scene: questions about one scene are never in both parts.
        group: questions that figures are also told of by themselves, and whose commonest label is no secret.
        pair: which two questions differ in nothing but what their labels tell; empty for none.
    """

    text: str
    label: str
    scene: str
    group: str = ""
    pair: str = ""


@dataclass(frozen=True)
class BoundedFigure:
    """A share of 0..1, and what it should not exceed; the value is NaN where it was not measured."""

    figure: Figure
    bound: float

    @property
    def exceeded(self) -> bool:
        return self.figure.value > self.bound

    @property
    def surely(self) -> bool:
        """Whether the whole interval lies above the bound."""
        return self.figure.low > self.bound

    @property
    def text(self) -> str:
        """``53.0 % [50.1, 55.9], at most 55.0 %``."""
        figure = self.figure
        return f"{number(figure.value, True)} {interval(figure)}, at most {number(self.bound, True)}"

    def to_json(self) -> dict[str, Any]:
        figure = self.figure
        return {"value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n, "bound": self.bound}


@dataclass(frozen=True)
class WordShortcut:
    """What words tell of the questions of a set.

    Attributes:
        accuracy: share of the questions whose label is told. by_group: the same of each group.
        twins: share of the pairs of which the right question is ranked first; ties count half.
        not_measured: why nothing was; empty where it was.
    """

    accuracy: BoundedFigure
    by_group: Mapping[str, BoundedFigure] = field(default_factory=dict)
    twins: BoundedFigure | None = None
    not_measured: str = ""

    def findings(self, surely: bool = False) -> list[str]:
        """One sentence for each bound that is exceeded.

        Args:
            surely: only those that the whole interval exceeds, and none in a set of fewer than ``LEAST`` questions.
        """
        if surely and self.accuracy.figure.n < LEAST:
            return []
        named = {"the words of the questions alone tell their labels": self.accuracy}
        for group, bounded in self.by_group.items():
            named[f"the words of {group} questions alone tell their labels"] = bounded
        if self.twins is not None:
            named["the words alone rank the right question of a pair first"] = self.twins
        return [
            f"{what}: {bounded.text}"
            for what, bounded in named.items()
            if (bounded.surely if surely else bounded.exceeded)
        ]

    @property
    def summary(self) -> str:
        """One line for people."""
        if self.not_measured:
            return f"how far words alone tell the labels was not measured: {self.not_measured}"
        ranked = f"; pairs ranked right: {self.twins.text}" if self.twins is not None else ""
        return f"labels told by words alone: {self.accuracy.text}{ranked}"

    def to_json(self) -> dict[str, Any]:
        return {
            "accuracy": self.accuracy.to_json(),
            "by_type": {group: bounded.to_json() for group, bounded in self.by_group.items()},
            "twins": None if self.twins is None else self.twins.to_json(),
            "findings": self.findings(),
            "not_measured": self.not_measured,
        }


def measure_shortcut(questions: Sequence[LabelledQuestion]) -> WordShortcut:
    """What the words of questions tell of their labels."""
    missing = _missing(questions)
    if missing:
        return WordShortcut(_bounded("accuracy", questions, None, MARGIN), not_measured=missing)
    shares, labels = _held_out(questions)
    told = [label == labels[k] for label, k in zip((q.label for q in questions), shares.argmax(axis=1), strict=True)]
    groups: dict[str, list[int]] = defaultdict(list)
    for k, question in enumerate(questions):
        groups[question.group].append(k)
    by_group = {
        group: _bounded(
            group,
            [questions[k] for k in members],
            [told[k] for k in members] if len(members) >= LEAST else None,
            GROUP_MARGIN,
        )
        for group, members in sorted(groups.items())
        if group
    }
    return WordShortcut(_bounded("accuracy", questions, told, MARGIN), by_group, _twins(questions, shares, labels))


def _missing(questions: Sequence[LabelledQuestion]) -> str:
    """What there must be for anything to be measured."""
    if not questions:
        return "the benchmark has no labels that words must not tell"
    if len({question.scene for question in questions}) < 2:
        return "that takes questions about two scenes at least"
    if len({question.label for question in questions}) < 2:
        return "all questions have the same label"
    if importlib.util.find_spec("sklearn") is None:
        return "it needs the extra 'shortcut'; run: make setup WITH=shortcut"
    return ""


def _bounded(
    key: str, questions: Sequence[LabelledQuestion], told: Sequence[bool] | None, margin: float
) -> BoundedFigure:
    """The share of questions that were told, against what the commonest label of each group gives."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        labels[question.group][question.label] += 1
    commonest = sum(max(counts.values()) for counts in labels.values())
    bound = min(commonest / len(questions) + margin, 1.0) if questions else math.nan
    title = "Told by words alone"
    if told is None:
        return BoundedFigure(Figure(key, title, math.nan, math.nan, math.nan, len(questions), percent=True), bound)
    return BoundedFigure(share_over_scenes(key, title, [question.scene for question in questions], told), bound)


def _twins(
    questions: Sequence[LabelledQuestion], shares: NDArray[np.float64], labels: Sequence[str]
) -> BoundedFigure | None:
    pairs: dict[str, list[int]] = defaultdict(list)
    for k, question in enumerate(questions):
        if question.pair:
            pairs[question.pair].append(k)
    ranked, scenes = [], []
    for members in pairs.values():
        if len(members) != 2 or questions[members[0]].label not in labels:
            continue
        first, second = shares[members, labels.index(questions[members[0]].label)]
        ranked.append(0.5 if math.isclose(first, second, rel_tol=1e-9) else float(first > second))
        scenes.append(questions[members[0]].scene)
    if not ranked:
        return None
    figure = mean_over_scenes("twins", "Pairs ranked right", scenes, ranked, percent=True)
    low, high = wilson(sum(ranked), len(ranked))
    if not math.isnan(figure.low):  # never narrower than Wilson's
        low, high = min(low, figure.low), max(high, figure.high)
    return BoundedFigure(replace(figure, low=low, high=high), MOST_RANKED)


def _held_out(questions: Sequence[LabelledQuestion]) -> tuple[NDArray[np.float64], list[str]]:
    """How likely each label is for each question, from those about other scenes; (n, labels), and the labels.

    A label of a single scene cannot be learned elsewhere: all of these are one that is never right.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.pipeline import make_pipeline

    scenes_of = defaultdict(set)
    for question in questions:
        scenes_of[question.label].add(question.scene)
    texts = np.array([question.text for question in questions], dtype=object)
    told = np.array([q.label if len(scenes_of[q.label]) > 1 else "" for q in questions], dtype=object)
    scenes = [question.scene for question in questions]
    labels = sorted(set(told))
    shares = np.zeros((len(texts), len(labels)))
    for learned, tried in GroupKFold(min(_PARTS, len(set(scenes)))).split(texts, groups=scenes):
        if len(set(told[learned])) < 2:
            shares[tried, labels.index(told[learned][0])] = 1.0
            continue
        model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=1000))
        model.fit(texts[learned], told[learned])
        columns = [labels.index(label) for label in model.classes_]
        shares[np.ix_(tried, columns)] = model.predict_proba(texts[tried])
    return shares, labels
