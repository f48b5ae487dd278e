"""EXCALIBUR's figures over the episodes of a setup, with intervals over whole houses, and differences of two setups."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.excalibur.excalibur_scores import OTHER_KS, USUAL_K, key_of, key_of_k
from vantage.benchmarks.excalibur.question_labels import RELATIONS, TYPES
from vantage.benchmarks.statistics import (
    EpisodeScore,
    Figure,
    difference,
    figure_of_sums,
    mean_over_scenes,
    quotient,
    same_episodes,
)

BENCHMARK = "excalibur"
_HARDER = ("pixels", "degraded", "", "privileged")  # kinds of perception, the harder ones first
_FRICTION = "grasp=friction"
HEADLINE = ("acc_exp", "acc_ref", "t3", "exqa")
_PLACE = {  # of which a value follows for exploring and, with _ref, for both times
    "coverage": ("Floor in view", True, ""),
    "things_seen": ("Things seen", True, ""),
    "containers_opened": ("Opened", False, "things"),
    "things_weighed": ("Lifted", False, "things"),
    "needed_weighed": ("Lifted of those asked about", True, ""),
    "acc_weight_lifted": ("Right where all was lifted", True, ""),
}
_WRONG = {
    "wrong_not_gathered": "Evidence never gathered",
    "wrong_not_seen": "of that, not seen",
    "wrong_not_lifted": "not lifted",
    "wrong_not_opened": "not opened",
    "wrong_misused": "Gathered and misused",
}
_DIFFERENCES = {"acc_exp": "Acc_exp", "acc_ref": "Acc_ref", "exqa": "ExQA"}

Value = Callable[[EpisodeScore], float]


@dataclass(frozen=True)
class Setup:
    """What was run. ``control`` says how things are grasped and weight is felt, too."""

    perception: str
    control: str
    agent: str
    model: str
    judge: str

    @staticmethod
    def of(score: EpisodeScore) -> Setup:
        return Setup(score.perception, score.control, score.agent, score.model, score.judge)

    @property
    def said(self) -> dict[str, str]:
        """The parts of the control by name, such as ``grasp`` and ``feel``."""
        return dict(part.split("=", 1) for part in self.control.split(",") if "=" in part)

    @property
    def name(self) -> str:
        """For people: who, seeing, grasping and feeling how."""
        seen = f"perception {self.perception}" if self.perception else "sees nothing"
        return ", ".join(filter(None, (self.agent, self.model, seen, self.control)))

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts as tables do: what is harder first."""
        harder = _HARDER.index(self.perception) if self.perception in _HARDER else -1
        return (harder, self.perception, _FRICTION not in self.control, self.control, self.agent, self.model)


def setups_of(scores: Iterable[EpisodeScore]) -> dict[Setup, list[EpisodeScore]]:
    """The complete episodes of each setup of the benchmark, in the order of tables."""
    found: dict[Setup, list[EpisodeScore]] = {}
    for score in scores:
        if score.complete and score.benchmark == BENCHMARK and "acc_exp" in score.figures:
            found.setdefault(Setup.of(score), []).append(score)
    return {setup: found[setup] for setup in sorted(found, key=lambda setup: setup.order)}


def figures(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """All figures over the complete episodes of one setup."""
    done = [score for score in scores if score.complete]
    return (*headline(done), *by_name(done), *of_the_place(done), *wrong_answers(done))


def headline(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """Acc_exp, Acc_ref, T3, ExQA as the mean of episodes and of the means, and at other k."""
    k = _k_of(scores)
    others = [_mean(scores, key_of_k(other), f"ExQA, k {other:g}", note="mean of episodes") for other in OTHER_KS]
    return (
        _mean(scores, "acc_exp", "Acc_exp", note="right after exploring"),
        _mean(scores, "acc_ref", "Acc_ref", note="right after re-entry"),
        _mean(scores, "t3", "T3", percent=False, unit="steps", note="of the re-entry"),
        _mean(scores, "exqa", "ExQA", note=f"mean of episodes, k {k:g}"),
        _of_means(scores, k),
        *others,
    )


def by_name(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """Acc_exp and Acc_ref by type of question and by relation: means over the episodes that ask such."""
    return tuple(
        _mean(scores, f"acc_{word}_{key_of(name)}", f"Acc_{word}, {name}")
        for name in (*TYPES, *RELATIONS)
        for word in ("exp", "ref")
    )


def of_the_place(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """What was seen, opened and lifted until the first and the second answers."""
    return tuple(
        _mean(scores, f"{key}{suffix}", f"{title}{', both times' if suffix else ''}", percent=percent, unit=unit)
        for key, (title, percent, unit) in _PLACE.items()
        for suffix in ("", "_ref")
    )


def wrong_answers(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """Shares of all questions that were answered wrongly, by why."""
    return tuple(
        _mean(scores, f"{key}{suffix}", f"{title}{', after re-entry' if suffix else ''}", note="share of all questions")
        for key, title in _WRONG.items()
        for suffix in ("", "_ref")
    )


def differences(setups: Mapping[Setup, Sequence[EpisodeScore]]) -> dict[tuple[Setup, Setup], tuple[Figure, ...]]:
    """Every two setups of agents on the houses that both went through, the second minus the first."""
    found = {}
    for one, other in combinations(setups, 2):
        pairs = same_episodes(setups[other], setups[one])
        if pairs:
            found[other, one] = tuple(
                difference(key, title, pairs, _value(key), percent=True) for key, title in _DIFFERENCES.items()
            )
    return found


def _mean(
    scores: Sequence[EpisodeScore], key: str, title: str, *, percent: bool = True, unit: str = "", note: str = ""
) -> Figure:
    known = [(score.scene, value) for score in scores if math.isfinite(value := _value(key)(score))]
    scenes, values = [scene for scene, _ in known], [value for _, value in known]
    return mean_over_scenes(key, title, scenes, values, percent=percent, unit=unit, note=note)


def _of_means(scores: Sequence[EpisodeScore], k: float) -> Figure:
    """ExQA of mean accuracies and mean steps, over the episodes that have all three."""
    keys = ("acc_exp", "acc_ref", "t3")
    rows = np.array([[*(_value(key)(score) for key in keys), 1.0] for score in scores], np.float64).reshape(-1, 4)
    whole = np.asarray(np.isfinite(rows).all(axis=1))
    scenes = [score.scene for score, kept in zip(scores, whole, strict=True) if kept]

    def statistic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        exploring, again, steps = (quotient(sums[:, column], sums[:, 3]) for column in range(3))
        return exploring + (again - exploring) * np.exp(-k * steps)

    note = f"of mean accuracies and steps, k {k:g}"
    return figure_of_sums("exqa_of_means", "ExQA of means", scenes, rows[whole], statistic, percent=True, note=note)


def _k_of(scores: Sequence[EpisodeScore]) -> float:
    """The k of the episodes; the usual one where they have none or several."""
    known = {score.figures.get("k", USUAL_K) for score in scores}
    return known.pop() if len(known) == 1 else USUAL_K


def _value(key: str) -> Value:
    return lambda score: score.figures.get(key, math.nan)
