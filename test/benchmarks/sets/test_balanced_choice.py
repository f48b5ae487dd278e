"""Of many drafts as many are chosen as are wanted, and none whose words give it away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from vantage.benchmarks.sets.balanced_choice import balanced_places
from vantage.benchmarks.sets.word_balance import Draft

COLORS = ("red", "blue", "green", "white")


def draft(false: str, true: str, number: int, noise: str = "COLOR", home: str = "a") -> Draft:
    return Draft(f"Where is the {false} mug?", f"Where is the {true} mug?", noise, frozenset({str(number)}), home)


def chosen(
    drafts: Sequence[Draft],
    wanted: dict[str, int],
    made: Sequence[Draft] = (),
    balanced: bool = True,
    most: int = 99,
    limits: dict[str, int] | None = None,
) -> list[Draft]:
    places = balanced_places(drafts, wanted, most, np.random.default_rng(3), made, balanced, limits)
    assert places == balanced_places(drafts, wanted, most, np.random.default_rng(3), made, balanced, limits)
    return [drafts[k] for k in places]


def red(drafts: Sequence[Draft]) -> int:
    """In how many more noisy than clean questions something is red."""
    return sum(("red" in each.noisy) - ("red" in each.clean) for each in drafts)


def one_sided(number: int, start: int = 0, noise: str = "COLOR") -> list[Draft]:
    return [draft("red", COLORS[1 + k % 3], start + k, noise) for k in range(number)]


def mixed(number: int, start: int, noise: str = "SHAPE") -> list[Draft]:
    rng = np.random.default_rng(7)
    pairs = (rng.permutation(COLORS)[:2].tolist() for _ in range(number))
    return [draft(false, true, start + k, noise) for k, (false, true) in enumerate(pairs)]


def test_of_lopsided_drafts_those_are_taken_that_make_up_for_each_other() -> None:
    drafts = [*one_sided(50), *(draft("blue", "red", 50 + k) for k in range(10))]
    taken = chosen(drafts, {"COLOR": 20})
    assert len(taken) == 20
    assert abs(red(taken)) ** 2 <= 2 * 20 + 3


def test_what_cannot_be_balanced_gives_way_to_other_types() -> None:
    drafts = [*one_sided(40), *mixed(80, 40)]
    taken = chosen(drafts, {"COLOR": 20, "SHAPE": 20})
    numbers = Counter(each.noise for each in taken)
    assert numbers["COLOR"] < 8
    assert numbers["SHAPE"] == 40 - numbers["COLOR"]
    unbalanced = chosen(drafts, {"COLOR": 20, "SHAPE": 20}, balanced=False)
    assert Counter(each.noise for each in unbalanced) == {"COLOR": 20, "SHAPE": 20}


def test_other_types_take_no_more_places_than_their_limits() -> None:
    drafts = [*one_sided(40), *mixed(80, 40), *mixed(80, 120, "COUNT")]
    wanted, limits = {"COLOR": 20, "SHAPE": 20, "COUNT": 10}, {"COLOR": 24, "SHAPE": 24, "COUNT": 12}
    numbers = Counter(each.noise for each in chosen(drafts, wanted, limits=limits))
    assert numbers["COLOR"] < 8
    assert (numbers["SHAPE"], numbers["COUNT"]) == (24, 12)


def test_what_is_dropped_is_made_up_for_by_the_same_type_first() -> None:
    drafts = [*one_sided(40), *(draft("blue", "red", 40 + k) for k in range(40)), *mixed(80, 80)]
    numbers = Counter(each.noise for each in chosen(drafts, {"COLOR": 20, "SHAPE": 20}))
    assert numbers == {"COLOR": 20, "SHAPE": 20}


def test_fewer_are_taken_where_no_others_are_left() -> None:
    assert 0 < len(chosen(one_sided(40), {"COLOR": 20})) < 8
    assert len(chosen(one_sided(40), {"COLOR": 20}, balanced=False)) == 20
    assert chosen([], {"COLOR": 5}) == []
    assert chosen(one_sided(4), {"SHAPE": 5}) == []


def test_pairs_that_were_made_count() -> None:
    drafts = [*one_sided(10), *(draft("blue", "red", 10 + k) for k in range(10))]
    taken = chosen(drafts, {"COLOR": 6}, [draft("red", "blue", 100 + k) for k in range(6)])
    assert red(taken) < 0
    assert not chosen(one_sided(1), {"COLOR": 1}, one_sided(1))  # the same was asked


def test_a_home_gives_no_more_than_its_share() -> None:
    drafts = [*mixed(40, 0), *(draft("red", "blue", 40 + k, "SHAPE", "b") for k in range(2))]
    assert Counter(each.home for each in chosen(drafts, {"SHAPE": 10}, most=4)) == {"a": 4, "b": 2}
    made = [draft("red", "blue", 100, "SHAPE", "a")]
    assert Counter(each.home for each in chosen(drafts, {"SHAPE": 10}, made, most=4))["a"] == 3
