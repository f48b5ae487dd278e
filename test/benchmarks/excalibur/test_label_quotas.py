"""Quotas of houses hold the published shares."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.benchmarks.excalibur.label_quotas import RELATION_SHARES, TYPE_SHARES, quotas
from vantage.benchmarks.excalibur.question_labels import COUNT, ON_TOP, QUERY


def drawn(houses: int, count: int = 20, seed: int = 0):
    rngs = [np.random.default_rng([seed, house]) for house in range(houses)]
    return [each for house, rng in enumerate(rngs) for each in quotas(count, rng, house, seed)]


@pytest.mark.parametrize("count", [20, 7])
def test_shares_of_types_and_relations_are_the_published_ones_on_average(count):
    found = drawn(200, count)
    kinds = Counter(each.kind for each in found)
    relations = Counter(relation for each in found for relation in each.relations)
    for kind, share in TYPE_SHARES.items():
        assert abs(kinds[kind] / len(found) - share) < 0.02, kind
    for relation, share in RELATION_SHARES.items():
        assert abs(relations[relation] / len(found) - share) < 0.02, relation


def test_a_single_house_of_twenty_questions_has_counts_and_queries_to_within_one_question():
    for seed in range(50):
        kinds = Counter(each.kind for each in quotas(20, np.random.default_rng(seed)))
        assert all(abs(kinds[kind] - 20 * TYPE_SHARES[kind]) < 1 for kind in (COUNT, QUERY))


@pytest.mark.parametrize("houses", [9, 10, 30])
def test_all_houses_of_a_set_have_the_shares_to_within_one_question(houses):
    for seed in range(10):
        found = drawn(houses, seed=seed)
        numbers = Counter(each.kind for each in found)
        numbers.update(relation for each in found for relation in each.relations)
        for name, share in {COUNT: TYPE_SHARES[COUNT], QUERY: TYPE_SHARES[QUERY], **RELATION_SHARES}.items():
            assert abs(numbers[name] - share * len(found)) < 1, name
        assert numbers[ON_TOP] >= 1


@given(st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_any_number_of_questions_gets_as_many_quotas_with_few_relations_each(count, seed):
    found = quotas(count, np.random.default_rng(seed))
    assert len(found) == count
    assert all(len(each.relations) <= 4 for each in found)
    assert found == quotas(count, np.random.default_rng(seed))
