"""Choosing the next view in a drawn map."""

import math
from dataclasses import replace

import numpy as np
import pytest
from fewer_actions import LevelActions, StillActions

from vantage.perception.map.coverage import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.actions import GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.planning.view_planning.end_views import ENOUGH, EndView, Shown
from vantage.planning.view_planning.view_planner import ViewPlanner
from vantage.spatial import Intrinsics, Viewpoint
from vantage.worlds.limits import MotionLimits
from vantage.worlds.protocol import WorldInfo

START = Viewpoint(1.0, 1.0, 1.0, 0.0, 0.0)
CAMERA = Intrinsics.from_fov(64, 48, 1.2)
INFO = WorldInfo("drawn", frozenset(), frozenset(), 0.1, MotionLimits((0.2, 0.2, 0.2), (5.8, 2.8, 1.8)))
ACTIONS = GantryActions(0.25, math.pi / 6)


def planner(known_up_to):
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = UNKNOWN
    coverage._states[: round(known_up_to / 0.1)] = FREE
    return ViewPlanner(ACTIONS, INFO, START, coverage), coverage


def even(coverage):
    return lambda leads: np.ones(coverage.shape, np.float32)


def test_it_looks_towards_the_unknown_and_says_how_to_get_there():
    views, coverage = planner(3.0)
    goal = views.choose(START, CAMERA, 60, even(coverage))
    assert goal is not None
    assert abs(goal.viewpoint.yaw) < 1.0
    assert goal.path[0] == START
    assert goal.path[-1].distance(goal.viewpoint) < 1e-9
    assert len(goal.path) == len(goal.actions) + 1
    assert not views.exhausted


def test_a_view_taken_is_worth_nothing_and_in_the_end_none_is():
    views, coverage = planner(3.0)
    first = views.choose(START, CAMERA, 60, even(coverage))
    views.looked(first.viewpoint)
    second = views.choose(START, CAMERA, 60, even(coverage))
    assert second.viewpoint != first.viewpoint
    coverage._states[:] = FREE
    assert views.choose(START, CAMERA, 60, even(coverage)) is None
    assert views.exhausted


def test_what_is_too_far_for_the_budget_is_not_chosen_but_not_exhausted():
    views, coverage = planner(5.8)
    coverage._states[:] = FREE
    coverage._states[52:, :8, :8] = UNKNOWN
    assert views.choose(Viewpoint(1.0, 1.0, 1.0, math.pi, 0.0), CAMERA, 1, even(coverage)) is None
    assert not views.exhausted


def test_wanted_views_lead():
    views, coverage = planner(5.9)
    asked = []

    def weights(leads):
        asked.append(leads)
        return np.ones(coverage.shape, np.float32)

    def wanted(panorama, positions):
        worth = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        worth[:, 3] = 5000.0
        return worth

    goal = views.choose(START, CAMERA, 60, weights, wanted, leading=100.0)
    assert asked == [True]
    assert goal.viewpoint.yaw == START.yaw + 3 * ACTIONS.rotation


def test_where_all_around_is_unknown_it_sweeps_and_where_little_is_it_looks_once():
    views, coverage = planner(0.0)
    coverage._states[5:15, 5:15, 5:15] = FREE  # a meter around the start
    views.looked(START)
    goal = views.choose(START, CAMERA, 60, even(coverage))
    turns = [action for action in reversed(goal.actions) if action == goal.actions[-1]]
    assert turns[0] in ("yaw+", "yaw-")
    assert len(turns) >= 2
    assert goal.path[-1] == goal.viewpoint
    assert goal.path == tuple(ACTIONS.replay(START, goal.actions))
    once = views.choose(START, CAMERA, 1, even(coverage))  # no time to turn further
    assert len(once.actions) <= 1
    assert once.worth < goal.worth


def test_it_says_how_much_is_left_of_what_was_wanted():
    views, coverage = planner(3.0)
    assert views.choose(START, CAMERA, 60, even(coverage)) is not None
    assert views.wanted_left == 0.0

    def wanted(panorama, positions):
        worth = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        worth[0, 0, 0] = 400.0
        worth[0, 3, 0] = 70.0
        return worth

    left = []
    for _ in range(3):
        views.choose(START, CAMERA, 60, even(coverage), wanted)
        left.append(views.wanted_left)
        panorama = views._headings(START, CAMERA)
        for yaw in panorama.yaws[[0] if len(left) == 1 else [3]]:
            views.looked(replace(START, yaw=float(yaw), pitch=float(panorama.pitches[0])))
    assert left == [400.0, 70.0, 0.0]


def test_a_way_that_was_closed_is_not_taken_again():
    views, coverage = planner(3.0)
    coverage._states[:, :] = FREE
    coverage._states[55:] = UNKNOWN
    goal = views.choose(START, CAMERA, 60, even(coverage))
    moves = [action for action in goal.actions if action.endswith(("+", "-")) and action[0] in "xyz"]
    ahead = ACTIONS.apply(moves[0], START)
    views.bumped(START, ahead)
    again = views.choose(START, CAMERA, 60, even(coverage))
    assert again.path[[action in moves for action in again.actions].index(True) + 1].position.tolist() != (
        ahead.position.tolist()
    )


def test_a_camera_that_is_boxed_in_squeezes_through_a_gap_that_may_be_as_wide_as_its_body():
    """In a map of voxels a gap is up to a voxel narrower on each side than it is."""
    info, start = replace(INFO, body_radius=0.15), replace(START, y=1.05)
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = OCCUPIED
    coverage._states[8:, 10] = FREE  # 0.1 m wide
    coverage._states[40:] = UNKNOWN
    goal = ViewPlanner(ACTIONS, info, start, coverage).choose(start, CAMERA, 60, even(coverage))
    assert goal is not None
    assert goal.viewpoint.x > start.x
    coverage._states[12] = OCCUPIED
    assert ViewPlanner(ACTIONS, info, start, coverage).choose(start, CAMERA, 60, even(coverage)) is None


def headed(*yaws):
    """Nothing but views in these directions is wanted."""

    def wanted(panorama, positions):
        worth = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        for yaw in yaws:
            worth[0, int(np.argmin(np.abs(np.angle(np.exp(1j * (panorama.yaws - yaw))))))] = 500.0
        return worth

    return wanted


def turning(yaw_min, yaw_max, start):
    """A planner for a camera that turns so far, in a room that is known."""
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = FREE
    limits = replace(INFO.limits, yaw_min=yaw_min, yaw_max=yaw_max)
    return ViewPlanner(ACTIONS, replace(INFO, limits=limits), start, coverage), coverage


def test_it_goes_the_other_way_round_where_a_turn_would_need_an_unwind():
    start = replace(START, yaw=2.9)
    views, coverage = turning(-3.18, 3.18, start)
    goal = views.choose(start, CAMERA, 60, even(coverage), headed(2.9 + ACTIONS.rotation))
    assert goal.actions == ("yaw-",) * 11
    assert views.choose(start, CAMERA, 8, even(coverage), headed(2.9 + ACTIONS.rotation)) is None
    assert not views.exhausted  # it is only too far away
    free, coverage = turning(-math.inf, math.inf, start)
    assert free.choose(start, CAMERA, 60, even(coverage), headed(2.9 + ACTIONS.rotation)).actions == ("yaw+",)


def test_a_sweep_does_not_cross_the_end_of_turning():
    start = replace(START, yaw=2.4)
    views, coverage = turning(-3.18, 3.18, start)
    coverage._states[:] = UNKNOWN
    coverage._states[5:15, 5:15, 5:15] = FREE
    ahead = start.yaw
    for action in views.choose(start, CAMERA, 60, even(coverage)).actions:
        ahead += {"yaw+": 1, "yaw-": -1}.get(action, 0) * ACTIONS.rotation
        assert -3.18 <= ahead <= 3.18


def test_where_a_camera_never_turns_to_is_nothing_to_look_for():
    views, coverage = turning(-1.6, 1.6, START)
    assert views.choose(START, CAMERA, 60, even(coverage), headed(math.pi)) is None
    assert views.exhausted
    assert views.wanted_left == 0.0
    assert views.choose(START, CAMERA, 60, even(coverage), headed(1.0)).actions == ("yaw+", "yaw+")


def test_a_turn_that_was_refused_is_not_tried_again():
    views, coverage = turning(-math.inf, math.inf, START)
    left = replace(START, yaw=ACTIONS.rotation)
    views.bumped(START, left)
    goal = views.choose(START, CAMERA, 60, even(coverage), headed(left.yaw))
    assert goal.actions == ("yaw-",) * 11
    back = views.choose(left, CAMERA, 60, even(coverage), headed(0.0))
    assert back.actions == ("yaw+",) * 11
    elsewhere = replace(START, x=2.0)
    assert views.choose(elsewhere, CAMERA, 60, even(coverage), headed(left.yaw)).actions == ("yaw+",)


@pytest.mark.parametrize("frame", ["world", "heading", "camera"])
@pytest.mark.parametrize("yaw", [0, 1])
def test_in_any_frame_its_ways_lead_along_the_lattice(frame, yaw):
    space, start = EgocentricActions(0.25, math.pi / 6, frame), replace(START, yaw=yaw * math.pi / 6)
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = FREE
    coverage._states[45:, :, :10] = UNKNOWN
    views = ViewPlanner(space, INFO, start, coverage)
    goal = views.choose(start, CAMERA, 60, even(coverage))
    assert goal.path == tuple(space.replay(start, goal.actions))
    assert goal.path[-1] == goal.viewpoint
    assert goal.viewpoint.x > start.x
    for before, action in zip(goal.path, goal.actions, strict=False):
        assert action in {*space.turns.values(), *(name for name, _ in space.lattice_moves(before))}
    lattice = (np.array([view.position for view in goal.path]) - start.position) / 0.25
    np.testing.assert_allclose(lattice, lattice.round(), atol=1e-9)


def test_turns_to_where_the_way_can_be_gone_count_in_the_budget():
    """Half a turn away and one translation to the side: three actions for a gantry, five at a heading of 30 degrees."""
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = FREE
    start = replace(START, yaw=math.pi / 6)

    def wanted(panorama, positions):
        worth = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        aside = np.flatnonzero(np.linalg.norm(positions - (1.25, 1.0, 1.0), axis=1) < 0.01)
        worth[aside, 2] = 500.0  # two rotations to the left
        return worth

    taken = {}
    for space in (GantryActions(0.25, math.pi / 6), EgocentricActions(0.25, math.pi / 6, "heading")):
        views = ViewPlanner(space, INFO, start, coverage)
        least = next(n for n in range(1, 9) if views.choose(start, CAMERA, n, even(coverage), wanted) is not None)
        goal = views.choose(start, CAMERA, 60, even(coverage), wanted)
        taken[space.name] = least
        assert goal.viewpoint.x == pytest.approx(1.25)
        assert len(goal.actions) == least
    assert taken == {"gantry": 3, "egocentric": 3}  # a quarter turn lies on the way to it
    behind = replace(start, yaw=0.0)
    views = ViewPlanner(EgocentricActions(0.25, math.pi / 6, "heading"), INFO, start, coverage)
    assert views.choose(start, CAMERA, 60, even(coverage), at_heading((1.25, 1.0, 1.0), 1)).actions == (
        "turn_right",
        "move_forward",
        "turn_left",
        "turn_left",
    )
    assert views.choose(behind, CAMERA, 60, even(coverage), at_heading((1.25, 1.0, 1.0), 1)).actions == (
        "move_forward",
        "turn_left",
        "turn_left",
    )


def at_heading(spot, rotations):
    """Worth of the view at a position so many rotations to the left of the first heading."""

    def wanted(panorama, positions):
        worth = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        worth[np.linalg.norm(positions - spot, axis=1) < 0.01, rotations, len(panorama.pitches) // 2] = 500.0
        return worth

    return wanted


def test_with_fewer_axes_it_plans_in_these_alone():
    space = LevelActions(0.25, math.pi / 6)
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = FREE
    coverage._states[45:] = UNKNOWN
    goal = ViewPlanner(space, INFO, START, coverage).choose(START, CAMERA, 60, even(coverage))
    assert goal.viewpoint.x > START.x
    assert set(goal.actions) <= set(space.names)
    still = StillActions(0.25, math.pi / 6)
    goal = ViewPlanner(still, INFO, START, coverage).choose(START, CAMERA, 60, even(coverage))
    assert goal.viewpoint.x > START.x
    assert set(goal.actions) <= set(still.names)


LARGE_LENS = Intrinsics.from_fov(512, 512, math.pi / 2)
BEHIND = EndView([Shown((0.3, 0.9, 0.9), (0.5, 1.1, 1.1))])
AFAR = EndView([Shown((5.0, 1.4, 0.9), (5.1, 1.5, 1.0))])


def free_room():
    views, coverage = planner(6.0)
    coverage._states[:] = FREE
    return views, coverage


def test_the_cheapest_view_that_shows_some_objects_is_gone_to():
    views, _ = free_room()
    goal = views.best_view(START, LARGE_LENS, 25, BEHIND)
    assert goal.worth >= ENOUGH
    assert 0 < len(goal.actions) <= 7, "it turns round"
    assert goal.path[0] == START
    assert goal.path[-1] == goal.viewpoint
    far = views.best_view(START, LARGE_LENS, 25, AFAR)
    assert far.worth >= ENOUGH
    assert far.viewpoint.x > 3.0


def test_within_the_budget_it_is_the_best_one_that_surpasses_what_is_seen():
    views, _ = free_room()
    near = views.best_view(START, LARGE_LENS, 3, AFAR)
    assert 0.0 < near.worth < ENOUGH
    assert len(near.actions) <= 3
    assert views.best_view(START, LARGE_LENS, 3, AFAR, least=ENOUGH) is None
    assert views.best_view(START, LARGE_LENS, 0, BEHIND) is None


def test_views_that_were_tried_are_not_gone_to_again_but_those_seen_before_are():
    views, _ = free_room()
    first = views.best_view(START, LARGE_LENS, 25, BEHIND)
    views.looked(first.viewpoint)
    assert views.best_view(START, LARGE_LENS, 25, BEHIND).viewpoint == first.viewpoint
    assert views.best_view(START, LARGE_LENS, 25, BEHIND, [(first.viewpoint, 0.0)]).viewpoint != first.viewpoint


def test_no_view_shows_what_a_wall_hides():
    views, coverage = free_room()
    coverage._states[35:37] = OCCUPIED
    goal = views.best_view(START, LARGE_LENS, 60, AFAR)
    assert goal is None
