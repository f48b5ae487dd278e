"""The bench of training environments steps them and the bare world alike, and refuses sets too small to share."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_search import SMALL, small_search_set

from vantage.bench.training import bench_training
from vantage.errors import UsageError

pytestmark = pytest.mark.needs("learning")


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_search_set(tmp_path_factory)


def test_steps_of_the_environment_and_of_the_bare_world_are_told(episodes: Path) -> None:
    found = bench_training(episodes, SMALL, size=16, workers=1, steps=5, world="splat")
    assert (found["size"], found["workers"], found["reference"]) == ([16, 16], 1, "world")
    assert 5 <= found["steps"] <= 50
    assert found["steps_per_second"] == pytest.approx(found["steps"] / found["seconds"], rel=0.01)
    bare = found["world"]["steps_per_second"]
    assert found["speedup"] == pytest.approx(found["steps_per_second"] / bare, rel=0.01)
    assert min(found["cpu_ms"], found["world"]["cpu_ms"], found["reset_s"]) > 0.0
    assert found["memory_mb"] > 10.0
    assert found["met"] == (found["steps_per_second"] >= found["bounds"]["steps_per_second"])


def test_each_worker_needs_an_episode(episodes: Path) -> None:
    with pytest.raises(UsageError, match=r"gives 4 episodes with steps; take at least 7"):
        bench_training(episodes, SMALL, workers=7, world="splat")
