"""Krippendorff's alpha against published values, its definition pair by pair, and the package of that name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples

from vantage.benchmarks.statistics.krippendorff_alpha import MOST_VALUES, Level, alpha_over_scenes

Units = Sequence[Sequence[float]]

# Krippendorff 2011, section C: four observers, twelve units, gaps left out; the last unit has one value.
PUBLISHED: Units = (
    (1, 1, 1),
    (2, 2, 3, 2),
    (3, 3, 3, 3),
    (3, 3, 3, 3),
    (2, 2, 2, 2),
    (1, 2, 3, 4),
    (4, 4, 4, 4),
    (1, 1, 2, 1),
    (2, 2, 2, 2),
    (5, 5, 5),
    (1, 1),
    (3,),
)


def alpha(units: Units, level: Level) -> float:
    return alpha_over_scenes("alpha", "alpha", ["home"] * len(units), units, level).value


def by_definition(units: Units, level: Level) -> float:
    """Every ordered pair of values of a unit, and every ordered pair of all values."""
    paired = [values for values in units if len(values) > 1]
    every = [value for values in paired for value in values]
    counts = Counter(every)

    def distance(one: float, other: float) -> float:
        if level is Level.NOMINAL:
            return float(one != other)
        if level is Level.INTERVAL:
            return float(one - other) ** 2
        low, high = min(one, other), max(one, other)
        between = sum(number for value, number in counts.items() if low <= value <= high)
        return 0.0 if one == other else float(between - (counts[one] + counts[other]) / 2) ** 2

    seen = sum(distance(*pair) / (len(values) - 1) for values in paired for pair in permutations(values, 2))
    chance = sum(distance(*pair) for pair in permutations(every, 2))
    return 1 - seen * (len(every) - 1) / chance if chance else math.nan


@each_row("level, value", [(Level.NOMINAL, 0.743), (Level.ORDINAL, 0.815), (Level.INTERVAL, 0.849)])
def test_the_published_example(level: Level, value: float) -> None:
    assert alpha(PUBLISHED, level) == pytest.approx(value, abs=5e-4)


@each_row(
    "units, level, value",
    [
        # two raters, ten units, values 0 and 1: o01 = 4 of n = 20, n0 = 14, n1 = 6: 1 - 19 * 4 / (2 * 14 * 6 / 2)
        ([(0, 1), (1, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (1, 0), (1, 1)], Level.NOMINAL, 2 / 21),
        ([(1, 1), (2, 2)], Level.NOMINAL, 1.0),
        ([(1, 5), (5, 1)], Level.INTERVAL, -0.5),  # worse than chance: 1 - 3 * 64 / (2 * (4 * 52 - 144))
        ([("yes", "yes"), ("no", "no"), ("no", "yes")], Level.NOMINAL, 1 - 5 * 2 / 18),
    ],
)
def test_values_worked_out_by_hand(units: Units, level: Level, value: float) -> None:
    assert alpha(units, level) == pytest.approx(value)


TABLES = st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.5, 5.0]), max_size=4), max_size=12)


@pytest.mark.parametrize("level", list(Level))
@settings(max_examples=examples(40))
@given(units=TABLES)
def test_it_is_what_its_definition_says(units: Units, level: Level) -> None:
    assert alpha(units, level) == pytest.approx(by_definition(units, level), abs=1e-9, nan_ok=True)


@pytest.mark.needs("agree")
@pytest.mark.parametrize("level", list(Level))
@settings(max_examples=examples(25))
@given(units=TABLES)
def test_it_is_what_the_package_of_that_name_finds(units: Units, level: Level) -> None:
    import krippendorff

    found = alpha(units, level)
    if math.isnan(found):  # for which the package raises
        return
    table = [[values[k] if k < len(values) else math.nan for values in units] for k in range(4)]
    assert found == pytest.approx(krippendorff.alpha(table, level_of_measurement=level.value), abs=1e-9)


@each_row("units", [[], [[1.0]], [(3, 3), (3, 3)], [(1,), (2,), ()]])
def test_where_nothing_differs_there_is_none(units: Units) -> None:
    for level in Level:
        figure = alpha_over_scenes("alpha", "alpha", [str(k) for k in range(len(units))], units, level)
        assert math.isnan(figure.value)
        assert figure.n == sum(len(values) > 1 for values in units)


def test_equal_marks_of_odd_size_are_not_taken_for_different_ones() -> None:
    assert math.isnan(alpha([(4.1, 4.1), (4.1, 4.1, 4.1)], Level.INTERVAL))


def test_the_interval_is_over_whole_scenes() -> None:
    scenes = [f"home_{k % 6}" for k in range(24)]
    units = [(k % 5, k % 5 if k % 6 else (k + 2) % 5) for k in range(24)]
    once = alpha_over_scenes("alpha", "alpha", scenes, units, Level.NOMINAL)
    twice = alpha_over_scenes("alpha", "alpha", [*scenes, *scenes], [*units, *units], Level.NOMINAL)
    assert once.low < once.value < once.high <= 1.0
    assert (twice.low, twice.high) == (pytest.approx(once.low, abs=0.02), pytest.approx(once.high, abs=0.02))
    alone = alpha_over_scenes("alpha", "alpha", ["home"] * 24, units, Level.NOMINAL)
    assert (alone.value, math.isnan(alone.low)) == (once.value, True)


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="2 units are of 1 scenes"):
        alpha_over_scenes("alpha", "alpha", ["home"], [(1, 2), (2, 2)], Level.NOMINAL)
    many = [(float(k), k + 0.5) for k in range(MOST_VALUES)]
    with pytest.raises(ValueError, match="50 different values are too many"):
        alpha_over_scenes("alpha", "alpha", ["home"] * len(many), many, Level.ORDINAL)
    assert alpha(many, Level.INTERVAL) == pytest.approx(by_definition(many, Level.INTERVAL))
