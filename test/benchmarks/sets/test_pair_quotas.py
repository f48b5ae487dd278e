"""How many pairs of each type a set should have."""

from __future__ import annotations

from hypothesis import given, strategies as st

from vantage.benchmarks.sets.noisy_pairs import EVEN, PAPER, TYPES, numbers_of
from vantage.benchmarks.sets.pair_quotas import LEAST_OF_TYPE, Quota, quotas_of, still_wanted
from vantage.types import NoiseType


def test_a_set_of_500_comes_near_the_paper_and_has_enough_of_each_type() -> None:
    quotas = quotas_of(500, PAPER)
    assert quotas[NoiseType.POSITION] == Quota(120, 150, 180)
    assert quotas[NoiseType.COLOR] == Quota(44, 55, 66)
    assert quotas[NoiseType.MATERIAL] == Quota(25, 25, 30)
    assert quotas[NoiseType.COUNT] == Quota(25, 29, 34)
    assert min(quota.least for quota in quotas.values()) == LEAST_OF_TYPE


@given(st.integers(0, 700), st.lists(st.floats(0.0, 10.0), min_size=8, max_size=8).filter(lambda w: sum(w) > 0.1))
def test_what_is_wanted_is_within_the_quota(pairs: int, weights: list[float]) -> None:
    shares = dict(zip(TYPES, weights, strict=True))
    quotas = quotas_of(pairs, shares)
    assert sum(quota.wanted for quota in quotas.values()) == pairs
    for kind, quota in quotas.items():
        assert quota.wanted == numbers_of(pairs, shares)[kind]
        assert 0 <= quota.least <= quota.wanted <= quota.most
        assert quota.holds(quota.wanted)
        assert not quota.holds(quota.most + 1)
        assert not quota.holds(quota.least - 1)


def test_a_small_set_should_have_what_is_wanted_and_may_have_a_little_more() -> None:
    assert quotas_of(16, EVEN) == dict.fromkeys(TYPES, Quota(2, 2, 4))


def test_types_without_a_share_have_no_quota() -> None:
    assert quotas_of(10, {NoiseType.COLOR: 1.0, NoiseType.SHAPE: 0.0}) == {NoiseType.COLOR: Quota(10, 10, 12)}
    assert {quota.wanted for quota in quotas_of(0, PAPER).values()} == {0}


def test_what_others_have_too_much_of_is_taken_from_those_that_have_most() -> None:
    quotas = quotas_of(500, PAPER)
    assert still_wanted(quotas, {}) == PAPER
    found = {kind: number for kind, number in PAPER.items() if kind is not NoiseType.MATERIAL}
    assert still_wanted(quotas, found | {NoiseType.COLOR: 66}) == {
        kind: 14 if kind is NoiseType.MATERIAL else 0 for kind in TYPES
    }
    left = still_wanted(quotas, {NoiseType.COLOR: 66, NoiseType.SHAPE: 37})
    assert sum(left.values()) == 500 - 66 - 37
    assert left[NoiseType.MATERIAL] == 25
    assert all(left[kind] >= quotas[kind].least for kind in left if left[kind])


def test_nothing_is_wanted_of_a_set_that_has_enough() -> None:
    found = dict.fromkeys(TYPES, 1000)
    assert set(still_wanted(quotas_of(500, PAPER), found).values()) == {0}
