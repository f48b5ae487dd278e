"""How far two judges agree on the same recordings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from vantage.benchmarks.statistics import EpisodeScore, Figure, interval, number, proportion, spearman_over_scenes

_MOST_LISTED = 20  # disagreements, on a terminal
_Key = tuple[str, ...]


@dataclass(frozen=True)
class Disagreement:
    """Two marks of one episode, each with its reason."""

    episode_id: str
    agent: str
    first: float
    why_first: str
    second: float
    why_second: str


@dataclass(frozen=True)
class Agreement:
    """Two judges' marks of the episodes of one benchmark, over all agents.

    Attributes:
        first, second: names of the judges.
        spearman: correlation of the ranks of their marks.
        equal: share of equal marks, with Wilson's interval.
        kappa: Cohen's, over marks; NaN where both always give one and the same.
        alone: episodes that only one of them marked.
        disagreements: every episode of which the marks differ.
    """

    benchmark: str
    first: str
    second: str
    spearman: Figure
    equal: Figure
    kappa: float
    alone: int
    disagreements: tuple[Disagreement, ...] = ()

    def text(self) -> str:
        """For a terminal, with the first disagreements."""
        one_sided = f"; {self.alone} marked by one alone" if self.alone else ""
        kappa = "" if math.isnan(self.kappa) else f", Cohen's kappa {self.kappa:.2f}"
        lines = [
            f"agreement on {self.benchmark}: {self.first} against {self.second}: "
            f"Spearman {number(self.spearman.value)} {interval(self.spearman)}, {self.spearman.n} episodes{one_sided}",
            f"  equal marks {number(self.equal.value)} {interval(self.equal)}{kappa}",
        ]
        for each in self.disagreements[:_MOST_LISTED]:
            lines.append(
                f"  {each.episode_id} ({each.agent}): {each.first:g} ({each.why_first}) against {each.second:g}"
            )
            lines[-1] += f" ({each.why_second})"
        if len(self.disagreements) > _MOST_LISTED:
            lines.append(f"  and {len(self.disagreements) - _MOST_LISTED} more, see --json")
        return "\n".join(lines)


def agreements(scores: Iterable[EpisodeScore]) -> tuple[Agreement, ...]:
    """One for every two judges of every benchmark; none where all complete scores are of one judge."""
    marks: dict[str, dict[str, dict[_Key, EpisodeScore]]] = {}
    for score in scores:
        if score.complete:
            marks.setdefault(score.benchmark, {}).setdefault(score.judge, {})[_episode(score)] = score
    return tuple(
        _agreement(benchmark, (one, judges[one]), (other, judges[other]))
        for benchmark, judges in sorted(marks.items())
        for one, other in combinations(judges, 2)
    )


def _episode(score: EpisodeScore) -> _Key:
    return score.agent, score.perception, score.model, score.control, score.episode_id


def _agreement(
    benchmark: str, first: tuple[str, dict[_Key, EpisodeScore]], second: tuple[str, dict[_Key, EpisodeScore]]
) -> Agreement:
    (one, by_one), (other, by_other) = first, second
    both = sorted(by_one.keys() & by_other.keys())
    figure = spearman_over_scenes(
        "spearman",
        f"{one} against {other}",
        [by_one[key].scene for key in both],
        [by_one[key].judge_score for key in both],
        [by_other[key].judge_score for key in both],
    )
    pairs = [(by_one[key], by_other[key]) for key in both]
    differing = tuple(
        Disagreement(a.episode_id, a.agent, a.judge_score, a.judge_reason, b.judge_score, b.judge_reason)
        for a, b in pairs
        if a.judge_score != b.judge_score
    )
    equal = proportion("equal", "equal marks", (a.judge_score == b.judge_score for a, b in pairs))
    kappa = cohens_kappa([a.judge_score for a, _ in pairs], [b.judge_score for _, b in pairs])
    return Agreement(benchmark, one, other, figure, equal, kappa, len(by_one.keys() ^ by_other.keys()), differing)


def cohens_kappa(ones: Sequence[float], others: Sequence[float]) -> float:
    """Agreement beyond that of chance (Cohen 1960): (p_o - p_e) / (1 - p_e); NaN where chance alone agrees always."""
    if not ones:
        return math.nan
    by_chance = sum(ones.count(mark) * others.count(mark) for mark in {*ones, *others}) / len(ones) ** 2
    observed = sum(a == b for a, b in zip(ones, others, strict=True)) / len(ones)
    return math.nan if by_chance == 1.0 else (observed - by_chance) / (1.0 - by_chance)
