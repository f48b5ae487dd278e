"""Plans as a whole: orders of turns and ways, and what they show on their way."""

import math
from dataclasses import replace

import numpy as np
import pytest

from vantage.perception.map.coverage import FREE, UNKNOWN, CoverageMap
from vantage.planning.actions import GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.planning.view_planning.information_gain import Panorama
from vantage.planning.view_planning.travel import Plan, PlanValuation, leading_sweeps, orders
from vantage.planning.view_planning.turning import Detour
from vantage.spatial import Intrinsics, Viewpoint

ACTIONS = GantryActions(0.25, math.pi / 6)
HERE = Viewpoint(1.0, 1.5, 1.0, 0.0, 0.0)
YAWS = np.arange(12) * math.pi / 6


def test_orders_hold_the_same_actions_and_start_here():
    plans = orders(HERE, ACTIONS, ["yaw-"], [(1, 0, 0)] * 4, ["yaw+", "yaw+"])
    assert len({plan.actions for plan in plans}) == len(plans) >= 3
    for plan in plans:
        assert sorted(plan.actions) == sorted(["yaw-", "x+", "x+", "x+", "x+", "yaw+", "yaw+"])
        assert plan.path[0] == HERE
        assert len(plan.path) == len(plan.actions) + 1
        assert plan.path[-1].x == pytest.approx(2.0)
    assert ("yaw-", "x+", "x+", "yaw+", "x+", "x+", "yaw+") in {plan.actions for plan in plans}


def test_where_there_is_no_way_there_is_one_order():
    assert [plan.actions for plan in orders(HERE, ACTIONS, ["yaw-"], [], ["yaw-"])] == [("yaw-", "yaw-")]


def test_the_best_sweeps_come_first_and_none_is_worth_nothing():
    rate = np.array([[1.0, 0.0, 3.0], [5.0, 4.0, 0.0], [0.0, 0.0, 0.0]], np.float32)
    assert leading_sweeps(rate, 3, 3) == [(1, 0), (0, 2), (1, 1)]
    assert leading_sweeps(np.zeros((2, 3), np.float32), 2, 2) == []


def valuation(coverage, wanted=None, taken=()):
    return PlanValuation(
        Panorama(Intrinsics.from_fov(64, 48, 1.2), YAWS, np.zeros(1)),
        coverage,
        lambda view: (round(view.yaw / (math.pi / 6)) % 12, 0),
        lambda view: view in taken,
        np.ones(coverage.shape, np.float32),
        wanted,
    )


def room():
    coverage = CoverageMap((0, 0, 0), (4.0, 3.0, 2.0))
    coverage._states[:] = FREE
    return coverage


def test_a_way_is_worth_more_with_the_eyes_on_what_is_unknown():
    """Both plans end at the same view; one walks there backwards."""
    coverage = room()
    coverage._states[30:] = UNKNOWN
    away = replace(HERE, yaw=math.pi)
    ahead = Plan(("yaw+",) * 6 + ("x+",) * 4, tuple(ACTIONS.replay(away, ("yaw+",) * 6 + ("x+",) * 4)))
    backwards = Plan(("x+",) * 4 + ("yaw+",) * 6, tuple(ACTIONS.replay(away, ("x+",) * 4 + ("yaw+",) * 6)))
    first, second = valuation(coverage).worth([ahead, backwards])
    assert first > second > 0.0


def test_views_that_were_taken_are_worth_nothing():
    coverage = room()
    coverage._states[30:] = UNKNOWN
    plan = Plan(("x+",), tuple(ACTIONS.replay(HERE, ("x+",))))
    assert valuation(coverage).worth([plan])[0] > 0.0
    assert valuation(coverage, taken=(plan.path[-1],)).worth([plan]) == [0.0]


def test_what_is_wanted_counts_by_its_best_view_and_a_little_by_all():
    def wanted(panorama, positions):
        shown = np.zeros((len(positions), 12, 1), np.float32)
        shown[:, 0] = 100.0 * positions[:, :1]
        return shown

    way = ("x+",) * 4
    facing = Plan(way, tuple(ACTIONS.replay(HERE, way)))
    turned = Plan(way, tuple(ACTIONS.replay(replace(HERE, yaw=math.pi), way)))
    first, second = valuation(room(), wanted).worth([facing, turned])
    assert second == 0.0
    assert 180.0 < first < 300.0


HEADING = EgocentricActions(0.25, math.pi / 6, "heading")
LEFT, RIGHT, AHEAD = "turn_left", "turn_right", "move_forward"


def test_orders_go_the_way_at_headings_that_allow_it_alone():
    way = [(1, 0, 0)] * 2
    plans = [plan.actions for plan in orders(HERE, HEADING, [LEFT], way, [LEFT] * 2)]
    assert plans == [
        (AHEAD, AHEAD, LEFT, LEFT, LEFT),
        (LEFT, LEFT, LEFT, "move_right", "move_right"),
        (AHEAD, LEFT, LEFT, LEFT, "move_right"),
    ]
    turned = replace(HERE, yaw=math.pi / 6)
    detours = [Detour((RIGHT,), (LEFT, LEFT))]
    plans = orders(turned, HEADING, [LEFT], way, [LEFT], detours)
    assert (RIGHT, AHEAD, AHEAD, LEFT, LEFT, LEFT) in {plan.actions for plan in plans}
    for plan in plans:
        assert plan.path == tuple(HEADING.replay(turned, plan.actions))
        assert (plan.path[-1].x, plan.path[-1].y) == pytest.approx((HERE.x + 0.5, HERE.y))
        assert plan.path[-1].yaw == pytest.approx(math.pi / 2)


def test_without_a_heading_that_allows_the_way_there_is_no_plan():
    assert orders(replace(HERE, yaw=math.pi / 6), HEADING, [], [(1, 0, 0)], [LEFT]) == []
