"""The bench of exploring agents goes through all phases, and refuses sets that are too small to share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_search import SMALL, small_search_set

from vantage.bench.exploring import bench_explore, shortened
from vantage.errors import UsageError
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, Phase, Question


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_search_set(tmp_path_factory)


@pytest.mark.needs("time")
def test_steps_memory_and_bags_are_told(episodes: Path) -> None:
    found = bench_explore(episodes, SMALL, ("coverage", "random"), workers=1, world="splat", steps=5, most=2)
    assert (found["reference"], found["episodes"]) == ("random", 2)
    for figures in found["agents"].values():
        assert 0 < figures["steps"] <= 10
        assert not figures["failed"]
        assert figures["bag_mb"] > 0
        assert figures["most_mb"] > 10
    first, last = (found["agents"][name]["steps_per_second"] for name in ("coverage", "random"))
    assert found["steps_per_second"] == first
    assert found["speedup"] == pytest.approx(first / last, rel=0.01)


def test_each_worker_needs_an_episode(episodes: Path) -> None:
    with pytest.raises(UsageError, match="take at least 2"):
        bench_explore(episodes, SMALL, workers=2, world="splat", most=1)


def test_every_phase_is_shortened() -> None:
    asked = (Question("q", "Is there a cup?", Phase.ANSWER.value),)
    phases = (
        EpisodePhase(Phase.EXPLORE.value, 100),
        EpisodePhase(Phase.ANSWER.value, 0, asked),
        EpisodePhase("reenter", 7, restored=True),
    )
    episode = Episode.of_phases("e", "toy", "home", Viewpoint(0.0, 0.0, 1.4, 0.0, 0.0), phases, 3)
    short = shortened(episode, 10)
    assert [phase.max_steps for phase in short.phases] == [10, 0, 7]
    assert [phase.questions for phase in short.phases] == [phase.questions for phase in phases]
    assert short.phases[2].restored
    assert short.seed == 3
    assert shortened(episode, 0) is episode
    single = replace(Episode("e", "toy", "home", episode.start, asked, 50), seed=3)
    assert shortened(single, 10).max_steps == 10
