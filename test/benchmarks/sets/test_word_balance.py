"""Lots are drawn so that no word is expected on one side more than on the other, where the drafts allow that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vantage.benchmarks.sets.word_balance import Draft, WordBalance, by_balanced_lot, difference

COLORS = ("red", "blue", "green", "white")


def draft(false: str, true: str, noise: str = "COLOR", *keys: str) -> Draft:
    return Draft(f"Where is the {false} mug?", f"Where is the {true} mug?", noise, frozenset(keys))


def surplus(drafts: list[Draft]) -> WordBalance:
    balance = WordBalance()
    for each in drafts:
        balance.add(difference(each))
    return balance


def test_only_what_differs_counts() -> None:
    found = difference(draft("red", "blue"))
    assert found["", "red"] == found["COLOR", "red"] == 1
    assert found["", "blue"] == found["COLOR", "blue"] == -1
    assert found["", "the", "red"] == 1
    assert found["", "with", "mug", "red"] == 1
    assert ("", "mug") not in found
    assert difference(draft("red", "red")) == {}


def test_the_cost_is_the_change_of_the_sum_of_squares() -> None:
    balance, one, other = WordBalance(), difference(draft("red", "blue")), difference(draft("blue", "green"))
    before = balance.cost(one)
    balance.add(one)
    assert sum(number**2 for number in balance.surplus.values()) == before
    further = balance.cost(other)
    balance.add(other)
    assert sum(number**2 for number in balance.surplus.values()) == before + further
    balance.add(other, -1)
    assert sum(number**2 for number in balance.surplus.values()) == before


def orders(offered: list[list[Draft]], made: Sequence[Draft] = (), seed: int = 0) -> list[list[int]]:
    return by_balanced_lot(offered, np.random.default_rng(seed), made)


def test_the_draft_that_makes_up_for_another_comes_first() -> None:
    offered = [[draft("green", "white"), draft("blue", "red")]]
    assert all(orders(offered, [draft("red", "blue")], seed) == [[1, 0]] for seed in range(5))


def lopsided() -> list[list[Draft]]:
    """Drafts of 60 pairs, five of six of which claim falsely that something is red."""
    rng = np.random.default_rng(1)
    others = COLORS[1:]
    return [
        [draft("red", other) if rng.random() < 5 / 6 else draft(other, "red") for other in rng.choice(others, 12)]
        for _ in range(60)
    ]


def test_a_word_is_expected_as_often_on_either_side() -> None:
    offered = lopsided()
    left = surplus([drafts[0] for drafts in offered]).surplus["", "red"]
    drawn = [
        surplus([drafts[order[0]] for drafts, order in zip(offered, orders(offered, (), seed), strict=True)])
        for seed in range(40)
    ]
    numbers = [balance.surplus["", "red"] for balance in drawn]
    assert left > 30
    assert abs(np.mean(numbers)) < 4.0
    assert 3.0 < np.std(numbers) < 2 * np.sqrt(60)  # as of fair coins: not exact in any one set


def test_each_type_is_balanced_by_itself() -> None:
    made = [draft("red", "blue", "COLOR"), draft("blue", "red", "LATENT")]
    assert orders([[draft("green", "white"), draft("red", "blue", "LATENT")]], made) == [[1, 0]]


def test_drafts_that_exclude_each_other_are_not_both_first() -> None:
    twice = [draft("red", "blue", "COLOR", "mug 1"), draft("green", "white", "COLOR", "mug 2")]
    assert all(sorted(order[0] for order in orders([twice, twice], (), seed)) == [0, 1] for seed in range(5))
    assert orders([twice[:1], twice[:1]]) == [[0], [0]]  # where there is no other


def test_rare_drafts_are_shared_out() -> None:
    """Only 20 of 40 pairs can claim that something is blue; as many claim that it is red."""
    red = [draft("red", "blue", "SHAPE", f"red {k}") for k in range(60)]
    blue = [draft("blue", "red", "SHAPE", f"blue {k}") for k in range(20)]
    offered = [[*red[k : k + 20], *blue] for k in range(40)]
    for seed in range(3):
        first = [drafts[order[0]] for drafts, order in zip(offered, orders(offered, (), seed), strict=True)]
        assert abs(surplus(first).surplus["", "red"]) <= 12
        assert len({key for each in first for key in each.keys}) == 40


def test_every_draft_keeps_a_place_and_the_order_is_always_the_same() -> None:
    rng = np.random.default_rng(2)
    offered = [[draft(*rng.permutation(COLORS)[:2]) for _ in range(k % 5)] for k in range(20)]
    made = orders(offered)
    assert [sorted(order) for order in made] == [list(range(len(drafts))) for drafts in offered]
    assert made == orders(offered)
    assert made != orders(offered, (), 1)
