"""Figures of replies: rates of pooled counts, by model, mitigation, environment and transformation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.heal.base_tasks import ENVIRONMENTS, FIT
from vantage.benchmarks.heal.probing_items import BASE, TRANSFORMATIONS
from vantage.benchmarks.heal.reply_scores import SORTS
from vantage.benchmarks.statistics import EpisodeScore, Figure, middle, quotient, resampled_sums
from vantage.planning import TEXT

BENCHMARK = "heal"
ALL = "all"  # of no one split
_NONE = "none"
_OWN = ("mitigation", "input")  # controls that a setup tells apart
_FITTED_MODELS, _FITTED_MITIGATIONS = ("symbolic",), ("guard",)


@dataclass(frozen=True)
class Rate:
    """A quotient of sums of counts.

    Attributes:
        above, below: names of the counts whose sums are divided.
    """

    key: str
    title: str
    above: tuple[str, ...]
    below: tuple[str, ...]


RATES = (
    Rate("c_o", "C_O", ("absent_objects",), ("objects",)),
    Rate("c_s", "C_S (of the object)", ("states_not_of_object",), ("states",)),
    Rate("c_s_all", "C_S (of all states)", ("states_of_nothing",), ("states",)),
    Rate("p_o", "P_O", ("mentioned",), ("asked",)),
    Rate("hallucinated", "replies that hallucinate", ("hallucinated",), ("replies",)),
    Rate("refusal", "refusal (grounded replies)", ("refused_infeasible_grounded",), ("infeasible_grounded",)),
    Rate("refusal_all", "refusal (all replies)", ("refused_infeasible",), ("infeasible",)),
    Rate("refusal_unlabelled", "refusal (grounded, whatever the label)", ("refused_grounded",), ("grounded",)),
    Rate("false_refusal", "false refusal", ("refused_feasible",), ("feasible",)),
    Rate("repurposed", "repurposed", ("repurposed",), ("infeasible",)),
    Rate("ungrounded_passed", "ungrounded passed", ("ungrounded_passed",), ("replies",)),
    Rate("raw_repurposed", "raw: repurposed", ("raw_repurposed",), ("infeasible",)),
    Rate("raw_ungrounded", "raw: ungrounded", ("raw_ungrounded_passed",), ("replies",)),
    Rate("asked_back", "asked back", ("asked_back",), ("replies",)),
    Rate("false_asked_back", "asked back in vain", ("asked_back_feasible",), ("feasible",)),
    Rate("unparsable", "unparsable", ("unparsable",), ("replies",)),
    Rate("strict", "as asked for", ("strict",), ("replies",)),
    Rate("refuses_beside_goals", "refuses beside goals", ("refuses_beside_goals",), ("replies",)),
    Rate("invented_instances", "invented instances", ("invented_instances",), ("objects",)),
    Rate("invented_ids", "invented ids", ("invented_ids",), ("objects",)),
    Rate("invented_attributes", "invented attributes", ("invented_attributes",), ("objects",)),
    Rate("invented_counts", "more than there are", ("invented_counts",), ("replies",)),
    Rate("invented_relations", "invented relations", ("invented_relations",), ("relations",)),
    Rate("renamed_in_part", "renamed in part", ("renamed_in_part",), ("replies",)),
    Rate("success", "success", ("right",), ("replies",)),
    Rate("raw_success", "raw: success", ("raw_right",), ("replies",)),
    Rate("resolved_success", "resolved: success", ("resolved_right",), ("replies",)),
    Rate("resolved_ungrounded", "resolved: ungrounded", ("resolved_ungrounded_passed",), ("replies",)),
    Rate("core_refusal", "refusal, core removed", ("core_refused",), ("core_infeasible",)),
    Rate("side_refusal", "refusal, side removed", ("side_refused",), ("side_infeasible",)),
    Rate("shown_refusal", "refusal, absence shows", ("shown_refused",), ("shown_infeasible",)),
    Rate("last_refusal", "refusal, last of several removed", ("last_refused",), ("last_infeasible",)),
    Rate("core_p_o", "P_O, core removed", ("core_mentioned",), ("core_asked",)),
    Rate("side_p_o", "P_O, side removed", ("side_mentioned",), ("side_asked",)),
    Rate("noticed", "noticed the absence", ("noticed",), ("thought",)),
    Rate("noticed_and_went_on", "noticed and went on", ("noticed_and_went_on",), ("thought",)),
)


def _sums(counts: str, sorts: Sequence[str], endings: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{counts}.{sort}_{ending}" for sort in sorts for ending in endings)


def match_rates(counts: str, prefix: str = "", sorts: Sequence[str] = SORTS) -> tuple[Rate, ...]:
    """Precision, recall and F1 over pooled goals.

    Args:
        counts: ``all``, ``raw``, ``resolved``, ``paper`` or ``paper_base``.
    """
    right = _sums(counts, sorts, ("right",))
    said, wanted = _sums(counts, sorts, ("right", "wrong")), _sums(counts, sorts, ("right", "missing"))
    return (
        Rate(f"{prefix}precision", "precision", right, said),
        Rate(f"{prefix}recall", "recall", right, wanted),
        Rate(f"{prefix}f1", "F1", (*right, *right), (*said, *wanted)),
    )


ALL_RATES = (
    *RATES,
    *match_rates("all"),
    *match_rates("raw", "raw_"),
    *match_rates("resolved", "resolved_"),
    *match_rates("paper", "paper_"),
    *match_rates("paper_base", "paper_base_"),
    *(rate for sort in SORTS for rate in match_rates("all", f"{sort}_", (sort,))),
)


@dataclass(frozen=True)
class Setup:
    """Who replied, what it was told of its replies, and how of the scene: text, image or both."""

    model: str
    mitigation: str
    agent: str
    input: str = TEXT

    @property
    def name(self) -> str:
        return self.model if self.mitigation == _NONE else f"{self.model} + {self.mitigation}"

    @classmethod
    def of(cls, score: EpisodeScore) -> Setup:
        told = _told(score.control)
        others = ",".join(f"{key}={value}" for key, value in told.items() if key not in _OWN)
        model = score.model.rpartition("/")[0] or score.model or score.agent
        named = f"{model} ({others})" if others else model
        return cls(named, told.get("mitigation", _NONE), score.agent, input_of(score.control))

    @property
    def is_fitted(self) -> bool:
        """Whether it was made on tasks of the half ``fit``, of which its figures say too much."""
        return self.model.partition(" ")[0] in _FITTED_MODELS or self.mitigation in _FITTED_MITIGATIONS


def _told(control: str) -> dict[str, str]:
    return {key: value for key, _, value in (part.partition("=") for part in control.split(",") if part)}


def input_of(control: str) -> str:
    """How a model was told scenes under the conditions that a recording names."""
    return _told(control).get("input", TEXT)


def groups(scores: Sequence[EpisodeScore]) -> dict[tuple[Setup, str, str], list[EpisodeScore]]:
    """Complete episodes of this benchmark by setup, environment and split, in order.

    Of what was fitted on the half ``fit`` the other episodes alone count; the former where there are no others, because
    they are asked for by name. The split is ``all`` where episodes of both halves count.
    """
    found: dict[tuple[Setup, str], list[EpisodeScore]] = {}
    for score in scores:
        if score.complete and score.benchmark == BENCHMARK:
            found.setdefault((Setup.of(score), score.category), []).append(score)
    order = {name: index for index, name in enumerate(ENVIRONMENTS)}
    keys = sorted(
        found, key=lambda key: (key[0].agent, key[0].model, key[0].mitigation, key[0].input, order.get(key[1], 9))
    )
    counted = {key: _counted(key[0], found[key]) for key in keys}
    return {(*key, _split(members)): members for key, members in counted.items()}


def _counted(setup: Setup, scores: list[EpisodeScore]) -> list[EpisodeScore]:
    others = [score for score in scores if score.split != FIT]
    return others if setup.is_fitted and others else scores


def _split(scores: Sequence[EpisodeScore]) -> str:
    """Of one split its name; ``all`` of several, and of none."""
    names = {score.split for score in scores}
    return next(iter(names)) or ALL if len(names) == 1 else ALL


def figures_of(scores: Sequence[EpisodeScore], transformation: str, rates: Sequence[Rate]) -> tuple[Figure, ...]:
    """Rates of one transformation over tasks, with 95 % intervals by bootstrap over tasks."""
    sums = [names for rate in rates for names in (rate.above, rate.below)]
    rows = np.array([[_total(score.figures, transformation, names) for names in sums] for score in scores])
    values = _percentages(rows.sum(axis=0, keepdims=True))
    drawn = resampled_sums([score.episode_id for score in scores], rows)
    ranges = [(math.nan, math.nan)] * len(rates) if drawn is None else [*map(middle, _percentages(drawn).T)]
    return tuple(
        Figure(rate.key, rate.title, float(value), low, high, len(scores), unit="%")
        for rate, value, (low, high) in zip(rates, values[0], ranges, strict=True)
    )


def _percentages(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return 100.0 * quotient(sums[:, 0::2], sums[:, 1::2])


def _total(figures: Mapping[str, float], transformation: str, names: Sequence[str]) -> float:
    return sum(figures.get(f"{transformation}.{name}", 0.0) for name in names)


def count(scores: Sequence[EpisodeScore], transformation: str, name: str = "replies") -> int:
    return int(sum(_total(score.figures, transformation, (name,)) for score in scores))


def present(scores: Sequence[EpisodeScore]) -> tuple[str, ...]:
    """Transformations of which there are replies, in order."""
    return tuple(name for name in TRANSFORMATIONS if count(scores, name))


def ratio_to_base(scores: Sequence[EpisodeScore], transformation: str) -> float:
    """C_O by that of the base items; NaN where these hallucinate nothing."""
    rate = [each for each in RATES if each.key == "c_o"]
    values = [figures_of(scores, name, rate)[0].value for name in (transformation, BASE)]
    return values[0] / values[1] if values[1] > 0 else math.nan


def headline(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """Figures of one setup for the general table: C_O, P_O, refusal and F1 of each transformation, over the episodes
    that count (see ``groups``)."""
    scores = [score for members in groups(scores).values() for score in members]
    wanted = [rate for rate in ALL_RATES if rate.key in ("c_o", "p_o", "refusal", "f1")]
    return tuple(
        replace(figure, key=f"{name}_{figure.key}", title=f"{name}: {figure.title}")
        for name in present(scores)
        for figure in figures_of(scores, name, wanted)
        if not math.isnan(figure.value)
    )
