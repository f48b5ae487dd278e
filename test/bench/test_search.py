"""The bench of searching agents runs, counts what was walked, and refuses sets that are too small to share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.bench import search as bench
from vantage.bench.memory import growth
from vantage.bench.search import bench_search
from vantage.errors import SceneError, UsageError
from vantage.runs.batch import Job, prepared
from vantage.spatial import wrap_angle


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_search_set(tmp_path_factory, FEW, max_steps=6)


@pytest.mark.needs("time")
def test_steps_are_counted_against_the_random_walk(episodes: Path) -> None:
    found = bench_search(episodes, SMALL, agents=("coverage", "random"), workers=1)
    assert found["reference"] == "random"
    assert found["size"] == [160, 120]
    coverage = found["agents"]["coverage"]
    assert coverage["steps"] > 0
    assert found["steps_per_second"] == pytest.approx(coverage["steps"] / coverage["seconds"], rel=0.02)
    assert found["world"]["steps"] == coverage["steps"], "the bare world goes the same ways"
    for name, other in (("random", found["agents"]["random"]), ("world", found["world"])):
        expected = coverage["steps_per_second"] / other["steps_per_second"]
        assert found["speedup"][name] == pytest.approx(expected, rel=0.02)
    assert found["memory"]["episodes"] == 2
    assert 10 < found["memory"]["most_mb"] < 10_000


def test_a_bare_world_that_goes_elsewhere_is_found_out(episodes: Path) -> None:
    job, episode_set = prepared(Job(episodes, Path(), "splat", "random", SMALL))
    episode = episode_set.episodes[0]
    turned = replace(episode.start, yaw=wrap_angle(episode.start.yaw + episode_set.info.actions.rotation))
    assert bench._replay(job, [episode], [(("yaw+", turned),)]).steps == 1
    with pytest.raises(SceneError, match=r"step 1 \('yaw\+'\) of '.*' leads elsewhere"):
        bench._replay(job, [episode], [(("yaw+", episode.start),)])


def test_growth_is_of_the_second_half_over_the_first() -> None:
    assert growth([100.0, 200.0, 210.0, 190.0]) == pytest.approx(0.05)
    assert growth([100.0]) == 0.0


def test_each_worker_needs_an_episode(episodes: Path) -> None:
    with pytest.raises(UsageError, match="give at least 3"):
        bench_search(episodes, SMALL, workers=3)
