"""Mean marks by category of question."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vantage.benchmarks.statistics.episode_score import EpisodeScore
from vantage.benchmarks.statistics.metrics import Figure, normalised
from vantage.benchmarks.statistics.scene_bootstrap import mean_over_scenes

ALL = "all"


def marks_by_category(
    scores: Iterable[EpisodeScore],
    category: Callable[[EpisodeScore], str] = lambda score: score.category,
    note: str = "mean of (score - 1) / 4 * 100",
) -> tuple[Figure, ...]:
    """C of the complete episodes of every category, by name, and then over all of them, with intervals over scenes.

    C is the mean over episodes of 100 * (clip(mark, 1, 5) - 1) / 4. An episode without an answer counts 0, as a mark of
    1 does; one to which the judge gave no mark is left out.

    Args:
        category: that an episode counts among; empty for one that counts among none, and only over all.
    """
    done = [score for score in scores if score.complete]
    names = sorted({category(score) for score in done} - {""})
    members = {name: [score for score in done if category(score) == name] for name in names} | {ALL: done}
    return tuple(_mean(name, each, note) for name, each in members.items())


def _mean(name: str, scores: list[EpisodeScore], note: str) -> Figure:
    marks, scenes = [normalised(score.judge_score) for score in scores], [score.scene for score in scores]
    return mean_over_scenes(name, f"C, {name}", scenes, marks, unit="0-100", note=note)
