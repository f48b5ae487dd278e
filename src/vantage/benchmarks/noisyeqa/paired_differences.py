"""Noisy questions beside their clean twins, and one agent beside another on the same questions.

The twins of a pair start at the same place in the same scene and differ in their premise, so differences within pairs
tell what the false premise did. Twins of type LATENT differ in more: that a thing is absent shows only once a whole
place was seen, and its twin asks about one thing, so their ways are not compared.
Episodes ``<pair>-noisy`` and ``<pair>-clean`` are a pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vantage.benchmarks.sets.noisy_pairs import CLEAN, NOISY, pair_name
from vantage.benchmarks.statistics.metrics import EpisodeScore, Figure
from vantage.benchmarks.statistics.scene_bootstrap import mean_over_scenes


@dataclass(frozen=True)
class Pair:
    """Two complete episodes of the same scene: a noisy one and its twin, or the same one by two agents."""

    first: EpisodeScore
    second: EpisodeScore

    @property
    def scene(self) -> str:
        return self.first.scene


def is_half(episode_id: str) -> bool:
    """Whether an episode is one of a pair, by its name."""
    return pair_name(episode_id)[1] != ""


def twins(scores: Iterable[EpisodeScore]) -> tuple[Pair, ...]:
    """(noisy, clean) of every pair of which both are complete and of the same scene, by pair."""
    done = [score for score in scores if score.complete]
    halves: dict[str, dict[str, EpisodeScore]] = {NOISY: {}, CLEAN: {}}
    for score in done:
        pair, half = pair_name(score.episode_id)
        if half:
            halves[half][pair] = score
    noisy, clean = halves[NOISY], halves[CLEAN]
    return tuple(
        Pair(noisy[pair], clean[pair])
        for pair in sorted(noisy.keys() & clean.keys())
        if noisy[pair].scene == clean[pair].scene
    )


def same_episodes(first: Iterable[EpisodeScore], second: Iterable[EpisodeScore]) -> tuple[Pair, ...]:
    """The episodes that two runs both completed, by id; of the same scene and with the same question."""
    one = {score.episode_id: score for score in first if score.complete}
    other = {score.episode_id: score for score in second if score.complete}
    return tuple(
        Pair(one[episode], other[episode])
        for episode in sorted(one.keys() & other.keys())
        if (one[episode].scene, one[episode].question) == (other[episode].scene, other[episode].question)
    )


def difference(
    key: str,
    title: str,
    pairs: Sequence[Pair],
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
