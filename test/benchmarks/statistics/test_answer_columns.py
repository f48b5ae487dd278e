"""The three columns: over which episodes they are, and how they follow from each other."""

from __future__ import annotations

from itertools import product

from vantage.benchmarks.statistics.answer_columns import BOTH, COLUMNS, RIGHT, SHOWN
from vantage.benchmarks.statistics.episode_score import EpisodeScore
from vantage.benchmarks.statistics.metrics import aggregate
from vantage.benchmarks.statistics.scene_bootstrap import column_over_scenes


def score(name: str, right: bool | None, shown: bool | None) -> EpisodeScore:
    success = bool(right) and shown is not False
    return EpisodeScore(name, scene=name[0], complete=True, right=right, shown=shown, success=success)


SCORES = [score(f"{k}", *flags) for k, flags in enumerate(product((True, False, None), repeat=2))]


def test_an_episode_of_which_a_column_cannot_be_told_is_left_out_of_it() -> None:
    assert [len(column.known(SCORES)) for column in COLUMNS] == [6, 6, 9]
    assert [sum(column.flags(SCORES)) for column in COLUMNS] == [3, 3, 2]
    assert [RIGHT.told(each) for each in SCORES[::3]] == ["yes", "no", "-"]


def test_tables_of_episodes_and_of_scenes_have_the_same_columns() -> None:
    figures = {figure.key: figure for figure in aggregate(SCORES)}
    for column in COLUMNS:
        over = column_over_scenes(column, SCORES)
        one = figures[column.key]
        assert (one.key, one.title, one.value, one.n, one.note) == (over.key, over.title, over.value, over.n, over.note)
    assert list(figures)[:3] == ["right", "shown", "success"]
    named = column_over_scenes(BOTH, SCORES, "clean_accuracy", "Clean")
    assert (named.key, named.title) == ("clean_accuracy", "Clean")


def test_without_an_episode_there_is_no_figure() -> None:
    nothing = column_over_scenes(SHOWN, [score("a", True, None)])
    assert nothing.n == 0
    assert nothing.value != nothing.value
