"""Choices among drafts leave no word on one side, where the drafts allow that."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vantage.benchmarks.noisyeqa.word_balance import Draft, WordBalance, by_balance, difference

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


def test_the_draft_that_makes_up_for_another_comes_first() -> None:
    orders = by_balance([[draft("green", "white"), draft("blue", "red")]], [0], [draft("red", "blue")])
    assert orders == [[1, 0]]


def test_words_of_many_pairs_are_balanced() -> None:
    rng = np.random.default_rng(1)
    offered = [[draft(*rng.permutation(COLORS)[:2]) for _ in range(8)] for _ in range(40)]
    first, chosen = (
        surplus([drafts[order[0]] for drafts, order in zip(offered, orders, strict=True)])
        for orders in ([list(range(8))] * 40, by_balance(offered, list(range(40))))
    )
    worst, best = (max(abs(number) for number in balance.surplus.values()) for balance in (first, chosen))
    assert best <= 1 < worst


def test_each_type_is_balanced_by_itself() -> None:
    made = [draft("red", "blue", "COLOR"), draft("blue", "red", "LATENT")]
    orders = by_balance([[draft("green", "white"), draft("red", "blue", "LATENT")]], [0], made)
    assert orders == [[1, 0]]


def test_drafts_of_one_home_that_exclude_each_other_are_not_both_first() -> None:
    twice = [draft("red", "blue", "COLOR", "mug 1"), draft("green", "white", "COLOR", "mug 2")]
    orders = by_balance([twice, twice], [0, 0])
    assert sorted(order[0] for order in orders) == [0, 1]
    apart = by_balance([twice[:1], twice[:1]], [0, 1])
    assert apart == [[0], [0]]


def test_every_draft_keeps_a_place_and_the_order_is_always_the_same() -> None:
    rng = np.random.default_rng(2)
    offered = [[draft(*rng.permutation(COLORS)[:2]) for _ in range(k % 5)] for k in range(20)]
    orders = by_balance(offered, [k // 4 for k in range(20)])
    assert [Counter(order) for order in orders] == [Counter(range(len(drafts))) for drafts in offered]
    assert orders == by_balance(offered, [k // 4 for k in range(20)])
