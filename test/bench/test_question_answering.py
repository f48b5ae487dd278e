"""The bench of questions runs on small views and counts what it says."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from vantage.bench.question_answering import bench_engine, bench_views, measure_live, restamped
from vantage.config import Settings
from vantage.questions.parsing.parser import parse
from vantage.splats.synthesis.from_spec import make_scene

SMALL = Settings().with_values({"camera.width": 80, "camera.height": 60, "agent.min_pixels": 30}, "test")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("bench") / "room"
    make_scene(1, folder, "room", density=0.15)
    return bench_views(Path(folder), SMALL, 8)


def test_questions_differ_and_most_are_understood(seen) -> None:  # type: ignore[no-untyped-def]
    views, texts = seen
    assert len(views) == 8
    assert len(set(texts)) == len(texts) > 30
    assert sum(parse(text) is not None for text in texts) > 0.8 * len(texts)


def test_answers_are_timed_with_and_without_a_memory(seen) -> None:  # type: ignore[no-untyped-def]
    views, texts = seen
    found = bench_engine(SMALL, views, texts, 4)
    for kind in ("live", "live_cpu", "still", "without"):
        assert (found[kind]["n"], found[kind]["median_ms"] > 0.0) == (4, True)
    assert found["live"]["reference"] == "ask in process, nothing seen"
    assert sum(found["verdicts"].values()) == len(texts)
    assert found["verdicts"]["ANSWERED"] > 0


def test_views_go_on_with_later_stamps(seen) -> None:  # type: ignore[no-untyped-def]
    views, _ = seen
    more = list(islice(restamped(views), 20))
    stamps = [view.stamp for view in more]
    assert stamps == sorted(set(stamps))
    assert stamps[0] > max(view.stamp for view in views)
    assert more[8].viewpoint == views[0].viewpoint


def test_what_comes_before_a_job_is_done_each_time_and_not_timed() -> None:
    log: list[str] = []
    times = measure_live("job", lambda: log.append("before"), lambda: log.append("job"), 2)
    assert len(times.milliseconds) == 2
    assert log == ["before", "job"] * 5
