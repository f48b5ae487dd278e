"""``vantage bench qa`` in small: a question over DDS, many at once, and a short day of views."""

from __future__ import annotations

from pathlib import Path

import pytest
from ros_fixtures import new_domain

from vantage.bench.question_answering import bench_views
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.nodes.bench.qa_memory import ASK_EVERY, RATE, bench_day, watch
from vantage.nodes.bench.question_latency import bench_service
from vantage.splats.synthesis.from_spec import make_scene

SMALL = Settings().with_values({"camera.width": 80, "camera.height": 60, "agent.min_pixels": 30}, "test")
DAY = SMALL.with_values({"agent.perception": "degraded"}, "test")
HOURS = 0.02


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("bench") / "room"
    make_scene(1, folder, "room", density=0.15)
    return bench_views(Path(folder), SMALL, 8)


def test_questions_over_ros_are_timed_against_a_bare_service(seen, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    views, texts = seen
    found = bench_service(SMALL, views, texts, repetitions=3, parallel=50, rounds=1)
    figures = found["live"].data(found["bare"])
    assert {"median_ms", "p95_ms", "speedup"} <= figures.keys()
    assert figures["reference"] == "bare rclpy service, same message"
    assert (found["parallel"]["served"], found["parallel"]["lost"]) == (50, 0)


def test_a_day_is_watched_as_the_node_would(seen) -> None:  # type: ignore[no-untyped-def]
    views, texts = seen
    marks = list(watch(DAY, views, texts, HOURS))
    frames = round(HOURS * 3600 * RATE)
    assert [marks[0]["frames"], marks[-1]["frames"]] == [0, frames]
    assert 0 < marks[-1]["views"] < 0.6 * frames, "what does not change is left out"
    assert marks[-1]["asked"] == frames // ASK_EVERY > 0
    assert 0 < marks[-1]["objects"] < 500


def test_the_memory_of_a_day_is_that_of_a_process_of_its_own(seen) -> None:  # type: ignore[no-untyped-def]
    said: list[str] = []
    day = bench_day(DAY, *seen, 0.01, 3, said.append)
    assert (day["frames"], day["sampled"], day["hours"]) == (60, 3, 0.01)
    assert day["met"] == (day["most_mb"] <= day["bound_mb"])
    assert 20.0 < day["before_mb"] <= day["most_mb"]
    assert len(said) == len(day["marks"]) >= 2


def test_a_day_that_breaks_is_told(seen) -> None:  # type: ignore[no-untyped-def]
    views, texts = seen
    with pytest.raises(VantageError, match="ended with status 1"):
        bench_day(DAY.with_values({"agent.mode": "nacott"}, "test"), views, texts, 0.01, 1, lambda line: None)
