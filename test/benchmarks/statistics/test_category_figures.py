"""Mean marks by category."""

from __future__ import annotations

from vantage.benchmarks.statistics.category_figures import marks_by_category
from vantage.benchmarks.statistics.metrics import EpisodeScore


def score(number: int, category: str, mark: float, complete: bool = True) -> EpisodeScore:
    return EpisodeScore(
        f"e{number}", complete=complete, judge_score=mark, category=category, scene=f"home_{number % 2}"
    )


def test_marks_are_told_by_category_and_over_all_with_those_of_none() -> None:
    scores = [score(1, "state", 5.0), score(2, "state", 1.0), score(3, "count", 3.0), score(4, "", 5.0)]
    figures = marks_by_category([*scores, score(5, "state", 5.0, complete=False)])
    assert [(each.key, each.value, each.n) for each in figures] == [
        ("count", 50.0, 1),
        ("state", 50.0, 2),
        ("all", 62.5, 4),
    ]


def test_no_episode_has_no_mean() -> None:
    (figure,) = marks_by_category([])
    assert (figure.key, figure.n, figure.value == figure.value) == ("all", 0, False)


def test_any_grouping_will_do() -> None:
    figures = marks_by_category([score(1, "state", 5.0)], lambda each: each.scene, "by home")
    assert [(each.key, each.note) for each in figures] == [("home_1", "by home"), ("all", "by home")]
