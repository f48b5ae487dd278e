"""Compiled ways over a floor cost what they cost step by step."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from vantage.planning.skills.floor_ways import way_costs


def plain(stands, straight, aslant, start, away):
    """Dijkstra, written plainly."""
    costs = np.full(stands.shape, np.inf)
    costs[start] = away
    queue = [(away, start)]
    while queue:
        cost, (i, j) = heapq.heappop(queue)
        if cost > costs[i, j]:
            continue
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                cell = i + di, j + dj
                inside = 0 <= cell[0] < stands.shape[0] and 0 <= cell[1] < stands.shape[1]
                if (di, dj) == (0, 0) or not inside or not stands[cell]:
                    continue
                further = cost + float((straight if di == 0 or dj == 0 else aslant)[cell])
                if further < costs[cell]:
                    costs[cell] = further
                    heapq.heappush(queue, (further, cell))
    return costs


@pytest.mark.parametrize("seed", range(8))
def test_costs_are_those_of_the_plain_search(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 14, size=2))
    stands = rng.random(shape) > 0.35
    straight = 0.05 * (1.0 + 2.0 * rng.random(shape))
    aslant = math.sqrt(2.0) * straight
    start = tuple(int(rng.integers(0, size)) for size in shape)
    away = float(rng.random())
    found = way_costs(stands, straight, aslant, start, away)
    assert (found == plain(stands, straight, aslant, start, away)).all()
    assert found[start] == away


def test_where_no_way_leads_it_is_infinite():
    stands = np.array([[True, False, True]])
    ones = np.ones(stands.shape)
    assert way_costs(stands, ones, ones, (0, 0), 0.0).tolist() == [[0.0, math.inf, math.inf]]
