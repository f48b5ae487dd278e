"""Turns on the spot, and detours by headings at which translations lead along the lattice."""

import math

import numpy as np
import pytest

from vantage.errors import UsageError
from vantage.planning.actions import OFFSETS, GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.planning.view_planning.information_gain import Panorama
from vantage.planning.view_planning.turning import Detours, Turning
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.worlds.limits import MotionLimits

STEP = math.pi / 6
START = Viewpoint(1.0, 1.0, 1.0, STEP, 0.0)
LIMITS = MotionLimits(pitch_min=-1.1, pitch_max=1.1)
HEADING, CAMERA = EgocentricActions(0.25, STEP, "heading"), EgocentricActions(0.25, STEP, "camera")
CELL = (0, 0, 0)


def turned(space, start=START, limits=LIMITS):
    turning = Turning(space, limits, start)
    yaws, pitches = turning.headings(start)
    return turning, Panorama(Intrinsics.from_fov(64, 48, 1.2), np.array(yaws), np.array(pitches))


@pytest.mark.parametrize("space", [HEADING, CAMERA])
def test_detours_are_the_shortest_by_any_stand(space):
    turning, panorama = turned(space)
    stands = turning.stands(panorama, OFFSETS)
    found = Detours(turning, panorama, START, CELL, stands)
    for sweep, cost in list(zip(panorama.sweeps, found.costs, strict=True))[:200]:
        goal = Viewpoint(1.0, 1.0, 1.0, float(panorama.yaws[sweep.yaw]), float(panorama.pitches[sweep.pitch]))
        by = [
            Viewpoint(1.0, 1.0, 1.0, float(panorama.yaws[yaw]), float(panorama.pitches[pitch])) for yaw, pitch in stands
        ]
        assert cost == min(apart(START, stand) + apart(stand, goal) for stand in by) + abs(sweep.turns)
        for detour in found.to(sweep):
            stand = space.replay(START, detour.there)[-1]
            assert {offset for _, offset in space.lattice_moves(stand)} == set(OFFSETS)
            end = space.replay(stand, detour.onwards)[-1]
            assert apart(end, goal) == 0
            assert len(detour.there) + len(detour.onwards) + abs(sweep.turns) == cost


def apart(one, other):
    return round(abs(wrap_angle(other.yaw - one.yaw)) / STEP) + round(abs(other.pitch - one.pitch) / STEP)


def test_of_equal_detours_the_one_that_turns_least_first_comes_first():
    turning, panorama = turned(HEADING)
    found = Detours(turning, panorama, START, CELL, turning.stands(panorama, OFFSETS))
    behind = next(sweep for sweep in panorama.sweeps if abs(wrap_angle(panorama.yaws[sweep.yaw])) > 3.1)
    assert [len(detour.there) for detour in found.to(behind)] == [2, 5]


def test_stands_are_where_translations_lead_along_the_axes():
    turning, panorama = turned(HEADING)
    assert len(turning.stands(panorama, OFFSETS)) == 4 * len(panorama.pitches)
    assert len(turning.stands(panorama, OFFSETS[4:])) == 12 * len(panorama.pitches)
    turning, panorama = turned(CAMERA)
    level = [(yaw, pitch) for yaw, pitch in turning.stands(panorama, OFFSETS[4:])]
    assert len(turning.stands(panorama, OFFSETS)) == 4
    assert {round(float(panorama.pitches[pitch]), 9) for _, pitch in level} == {0.0}
    turning, panorama = turned(GantryActions(0.25, STEP))
    assert len(turning.stands(panorama, OFFSETS)) == 12 * len(panorama.pitches)


def test_a_closed_turn_is_gone_round():
    turning, panorama = turned(HEADING)
    turning.close(CELL, START.yaw, 0.0)
    assert not turning.is_open(CELL, START.yaw, -1)
    assert not turning.is_open(CELL, START.yaw, 2, -4)
    assert turning.is_open(CELL, START.yaw, 11)
    assert turning.is_open((1, 0, 0), START.yaw, -1)
    found = Detours(turning, panorama, START, CELL, turning.stands(panorama, OFFSETS))
    at_once = next(k for k, sweep in enumerate(panorama.sweeps) if abs(panorama.yaws[sweep.yaw] - math.pi / 2) < 1e-6)
    assert found.to(panorama.sweeps[at_once])[0].there[:2] == ("turn_left",) * 2


def test_where_a_camera_never_turns_to_costs_no_end():
    limits = MotionLimits(pitch_min=-1.1, pitch_max=1.1, yaw_min=-0.1, yaw_max=1.7)
    turning, panorama = turned(HEADING, limits=limits)
    found = Detours(turning, panorama, START, CELL, turning.stands(panorama, OFFSETS))
    for sweep, cost in zip(panorama.sweeps, found.costs, strict=True):
        ahead = [float(panorama.yaws[sweep.yaw]) + k * STEP for k in (0, sweep.turns)]
        within = all(-0.1 <= wrap_angle(yaw) <= 1.7 for yaw in ahead)
        assert math.isfinite(cost) == (within and abs(sweep.turns) <= 3)
        assert bool(found.to(sweep)) == math.isfinite(cost)


def test_a_start_beside_the_axes_is_refused_in_one_sentence():
    cause = r"'egocentric' does not move along the world axes with 'move_forward' from any heading .* yaw 0\.200"
    with pytest.raises(UsageError, match=cause):
        Turning(HEADING, LIMITS, Viewpoint(0.0, 0.0, 1.0, 0.2, 0.0))
    with pytest.raises(UsageError, match=r"pitch 0\.200"):
        Turning(CAMERA, LIMITS, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.2))
    assert Turning(HEADING, LIMITS, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.2)).offsets == set(OFFSETS)
