"""The bench of searching agents runs, counts what was walked, and refuses sets that are too small to share."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_search import SIZES, SMALL, small_benchmark

from vantage.bench.search import bench_search
from vantage.errors import UsageError


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench") / "set"
    small_benchmark().make(folder, **SIZES, settings=SMALL)
    return folder


def test_steps_are_counted_against_the_random_walk(episodes: Path) -> None:
    found = bench_search(episodes, SMALL, agents=("coverage", "random"), workers=1)
    assert found["reference"] == "random"
    assert found["size"] == [160, 120]
    coverage = found["agents"]["coverage"]
    assert coverage["steps"] > 0
    assert found["steps_per_second"] == pytest.approx(coverage["steps"] / coverage["seconds"], rel=0.02)


def test_each_worker_needs_an_episode(episodes: Path) -> None:
    with pytest.raises(UsageError, match="give at least 5"):
        bench_search(episodes, SMALL, workers=5)
