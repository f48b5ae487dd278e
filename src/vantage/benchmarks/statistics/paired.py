"""Two scores of the same thing, and mean differences within such pairs with intervals over whole scenes.

What both runs find hard or easy cancels within a pair, so that a difference is told from chance with fewer episodes
than by comparing two means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from vantage.benchmarks.statistics.answer_columns import COLUMNS, AnswerColumn
from vantage.benchmarks.statistics.episode_score import EpisodeScore
from vantage.benchmarks.statistics.metrics import Figure, normalised
from vantage.benchmarks.statistics.scene_bootstrap import mean_over_scenes


@dataclass(frozen=True)
class ScorePair:
    """Two complete episodes of the same scene: two questions that belong together, or one episode of two runs."""

    first: EpisodeScore
    second: EpisodeScore

    @property
    def scene(self) -> str:
        return self.first.scene


def same_episodes(first: Iterable[EpisodeScore], second: Iterable[EpisodeScore]) -> tuple[ScorePair, ...]:
    """The episodes that two runs both completed, by id; of the same scene and with the same question."""
    one = {score.episode_id: score for score in first if score.complete}
    other = {score.episode_id: score for score in second if score.complete}
    return tuple(
        ScorePair(one[episode], other[episode])
        for episode in sorted(one.keys() & other.keys())
        if (one[episode].scene, one[episode].question) == (other[episode].scene, other[episode].question)
    )


def difference(
    key: str,
    title: str,
    pairs: Sequence[ScorePair],
    value: Callable[[EpisodeScore], float],
    *,
    percent: bool = False,
    unit: str = "",
    note: str = "",
) -> Figure:
    """Mean of ``value(first) - value(second)`` with its interval over scenes; pairs without both values are left out,
    and ``n`` tells how many were taken."""
    gaps = [(pair.scene, value(pair.first) - value(pair.second)) for pair in pairs]
    told = [(scene, gap) for scene, gap in gaps if math.isfinite(gap)]
    scenes, numbers = [scene for scene, _ in told], [gap for _, gap in told]
    return mean_over_scenes(key, title, scenes, numbers, percent=percent, unit=unit, note=note)


def _flag(column: AnswerColumn, score: EpisodeScore) -> float:
    flag = column.flag(score)
    return math.nan if flag is None else float(flag)


def run_differences(
    first: Iterable[EpisodeScore], second: Iterable[EpisodeScore], note: str = ""
) -> tuple[Figure, ...]:
    """What the first run has more than the second on the episodes that both completed: right in words, shown, both,
    C, SPL, steps and collisions."""
    pairs = same_episodes(first, second)
    return (
        *(difference(each.key, each.title, pairs, partial(_flag, each), percent=True, note=note) for each in COLUMNS),
        difference("c", "C", pairs, lambda s: normalised(s.judge_score), unit="0-100", note=note),
        difference("spl", "SPL", pairs, lambda s: s.spl, unit="0-1", note=note),
        difference("steps", "Steps", pairs, lambda s: float(s.steps), unit="actions", note=note),
        difference("collisions", "Collisions", pairs, lambda s: float(s.collisions), note=note),
    )
