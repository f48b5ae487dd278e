"""Two runs of the same episodes against numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.benchmarks.statistics.paired import difference, run_differences, same_episodes


def run(marks: dict[str, float], steps: int, agent: str = "search") -> list[EpisodeScore]:
    """A complete episode for each mark; the scene stands before the dash of its id."""
    return [
        EpisodeScore(
            name,
            agent=agent,
            complete=True,
            judge_score=mark,
            success=mark == 5,
            steps=steps,
            spl=0.5 * (mark == 5),
            scene=name.split("-")[0],
            question="which color?",
        )
        for name, mark in marks.items()
    ]


def test_only_complete_episodes_of_the_same_scene_and_question_are_compared() -> None:
    (one,) = run({"s1-1": 5}, 4)
    assert len(same_episodes([one], [one])) == 1
    for other in (
        replace(one, scene="s2"),
        replace(one, question="which shape?"),
        replace(one, complete=False),
        replace(one, episode_id="s1-2"),
    ):
        assert same_episodes([one], [other]) == ()


def test_differences_are_of_the_first_run_from_the_second_over_what_both_completed() -> None:
    first = run({"s1-1": 5, "s1-2": 5, "s2-1": 1, "s3-1": 5}, 4)
    second = run({"s1-1": 1, "s1-2": 5, "s2-1": 3, "s9-1": 1}, 10, "coverage")
    found = {figure.key: figure for figure in run_differences(first, second)}
    assert {key: figure.n for key, figure in found.items() if figure.n != 3} == {"right": 0, "shown": 0}
    assert found["success"].value == pytest.approx(1 / 3)
    assert found["c"].value == pytest.approx((100 + 0 - 50) / 3)
    assert found["spl"].value == pytest.approx(0.5 / 3)
    assert found["steps"].value == found["steps"].low == found["steps"].high == -6
    assert found["collisions"].value == 0


def test_scenes_are_drawn_whole() -> None:
    """Forty episodes of two scenes, of which one gains all and one nothing, tell no more than two."""
    first = run({f"s{k % 2}-{k}": 5 if k % 2 else 1 for k in range(40)}, 1)
    second = run({f"s{k % 2}-{k}": 1 for k in range(40)}, 1)
    success = next(each for each in run_differences(first, second) if each.key == "success")
    assert (success.value, success.low, success.high) == (0.5, 0.0, 1.0)


def test_pairs_without_both_values_are_left_out() -> None:
    first, second = run({"s1-1": 5, "s2-1": 5}, 1), run({"s1-1": 1, "s2-1": 1}, 1)
    pairs = same_episodes([first[0], replace(first[1], spl=math.nan)], second)
    assert difference("spl", "SPL", pairs, lambda s: s.spl).n == 1
    assert math.isnan(difference("spl", "SPL", (), lambda s: s.spl).value)
