"""How far two judges agree on the same recordings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from vantage.benchmarks.statistics import EpisodeScore, Figure, interval, number, spearman_over_scenes

_Key = tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """Two judges' marks of the episodes of one benchmark, over all agents.

    Attributes:
        first, second: names of the judges.
        spearman: correlation of the ranks of their marks.
        alone: episodes that only one of them marked.
    """

    benchmark: str
    first: str
    second: str
    spearman: Figure
    alone: int

    def text(self) -> str:
        """One line for a terminal."""
        one_sided = f"; {self.alone} marked by one alone" if self.alone else ""
        return (
            f"agreement on {self.benchmark}: {self.first} against {self.second}: "
            f"Spearman {number(self.spearman.value)} {interval(self.spearman)}, {self.spearman.n} episodes{one_sided}"
        )


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
    return Agreement(benchmark, one, other, figure, len(by_one.keys() ^ by_other.keys()))
