"""What looks and sweeps over several of them would show, in drawn maps."""

import math

import numpy as np
import pytest

from vantage.perception.map.coverage import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.view_planning.information_gain import (
    Panorama,
    facing,
    steepness,
    surface_closeness,
)
from vantage.planning.view_planning.rays import are_clear
from vantage.spatial import Intrinsics

CAMERA = Intrinsics.from_fov(64, 48, 1.2)
YAWS = np.arange(12) * math.pi / 6
HERE = np.array([[2.0, 1.5, 1.0]])


def room(state=FREE, size=(4.0, 3.0, 2.0)):
    coverage = CoverageMap((0, 0, 0), size)
    coverage._states[:] = state
    return coverage


def even(coverage):
    return np.ones(coverage.shape, np.float32)


def panorama(pitches=(0.0,), camera=CAMERA):
    return Panorama(camera, YAWS, np.array(pitches))


def test_gain_is_highest_towards_the_unknown():
    coverage = room()
    coverage._states[30:, :, :] = UNKNOWN  # beyond x = 3 m
    looks = Panorama(CAMERA, np.arange(4) * math.pi / 2, np.zeros(1))
    gains = looks.gains(coverage, even(coverage), HERE)
    assert gains.shape == (1, len(looks.sweeps))
    assert gains[0, 0] > 0
    assert gains[0, 2] == 0
    doubled = looks.gains(coverage, 2 * even(coverage), HERE)
    assert doubled == pytest.approx(2 * gains)


def test_sweeps_are_single_looks_first_and_then_turn_to_both_sides():
    looks = panorama(pitches=(-0.5, 0.0))
    single = looks.sweeps[: len(YAWS) * 2]
    assert [(sweep.yaw * 2 + sweep.pitch,) for sweep in single] == [sweep.headings for sweep in single]
    assert all(sweep.turns == 0 for sweep in single)
    for sweep in looks.sweeps[len(single) :]:
        side = 1 if sweep.turns > 0 else -1
        assert len(sweep.headings) == abs(sweep.turns) + 1 <= len(YAWS)
        around = [(sweep.yaw + side * k) % len(YAWS) for k in range(abs(sweep.turns) + 1)]
        assert sweep.headings == tuple(2 * yaw + sweep.pitch for yaw in around)
    assert len({(sweep.yaw, sweep.pitch, sweep.turns) for sweep in looks.sweeps}) == len(looks.sweeps)


def test_a_sweep_gains_what_its_looks_show_together_and_each_only_once():
    coverage, looks = room(UNKNOWN), panorama()
    (gains,) = looks.gains(coverage, even(coverage), HERE)
    alone = gains[: len(YAWS)]
    for k, sweep in enumerate(looks.sweeps[len(YAWS) :], len(YAWS)):
        parts = alone[list(sweep.headings)]
        assert parts.max() < gains[k] < parts.sum()  # neighbours overlap
    k = next(k for k, sweep in enumerate(looks.sweeps) if sweep.turns == 2)
    first = looks.sweeps[k].headings[0]
    (rest,) = looks.gains(coverage, even(coverage), HERE, [(0, first)])
    assert gains[k] == pytest.approx(alone[first] + rest[k])


def test_looks_that_were_taken_gain_nothing_there_and_as_much_elsewhere():
    coverage, looks = room(UNKNOWN), panorama()
    positions = np.concatenate([HERE, HERE + 0.25])
    before = looks.gains(coverage, even(coverage), positions)
    after = looks.gains(coverage, even(coverage), positions, [(0, 3)])
    assert after[0, 3] == 0.0
    assert 0.0 < after[0, 4] < before[0, 4]  # half of it was shown
    assert after[0, 9] == before[0, 9]
    assert (after[1] == before[1]).all()
    all_taken = looks.gains(coverage, even(coverage), positions, [(0, k) for k in range(len(YAWS))])
    assert not all_taken[0].any()


def test_far_space_counts_more_than_near_space_by_the_square_of_its_distance():
    """Rays diverge: the same share of a view stands for four times the space at twice the distance."""
    looks, here = panorama(camera=Intrinsics.from_fov(64, 48, 0.8)), np.array([[0.05, 4.05, 4.05]])
    gains = []
    for ahead in (10, 20, 30):  # voxels
        coverage = room(size=(5.0, 8.0, 8.0))
        coverage._states[ahead] = UNKNOWN  # a sheet across the view
        gains.append(looks.gains(coverage, even(coverage), here)[0, 0])
    assert gains[1] / gains[0] == pytest.approx(4.0, rel=0.1)
    assert gains[2] / gains[0] == pytest.approx(9.0, rel=0.1)


def test_the_best_look_of_a_sweep_is_what_it_is_worth_for_what_is_wanted():
    looks = panorama(pitches=(-0.5, 0.0))
    worth = np.random.default_rng(3).uniform(size=(5, len(YAWS), 2)).astype(np.float32)
    best = looks.best_look(worth)
    assert best.shape == (5, len(looks.sweeps))
    for k, sweep in enumerate(looks.sweeps):
        yaws = [heading // 2 for heading in sweep.headings]
        assert (best[:, k] == worth[:, yaws, sweep.pitch].max(axis=1)).all()


def test_over_a_rim_one_has_to_look_more_steeply_than_onto_a_table():
    point = np.zeros((1, 3))
    along, slanting, above = np.array([[2.0, 0.0, 0.0]]), np.array([[2.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 1.0]])
    for good in (0.3, 0.8):
        assert steepness(along, point, good)[0, 0] == 0.0
        assert steepness(above, point, good)[0, 0] == 1.0
    assert steepness(slanting, point, 0.3)[0, 0] == 1.0
    assert steepness(slanting, point, 0.8)[0, 0] == pytest.approx(5**-0.5 / 0.8)


def test_a_level_surface_is_seen_well_from_above_and_not_along_it():
    point = np.zeros((1, 3))
    looks = np.array([[0.0, 0.0, 1.2], [0.0, 0.0, 2.4], [1.2, 0.0, 0.1], [0.5, 0.0, -0.5]])
    above, higher, along, below = surface_closeness(looks, point, 1.2)[:, 0]
    assert above == pytest.approx(1.0)
    assert higher == pytest.approx(0.25)
    assert 0.0 < along < 0.1
    assert below == 0.0


def test_a_side_shows_well_up_to_half_a_right_angle():
    looks = np.array([[1.0, 0.0, 0.0], [1.0, 0.95, 0.0], [0.1, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    ahead, aslant, along, behind = facing(looks, np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0]]))[:, 0]
    assert (ahead, aslant, along, behind) == (1.0, 1.0, 0.0, 0.0)


def test_views_in_turn_gain_what_none_before_showed():
    coverage, looks = room(UNKNOWN), panorama()
    here = np.repeat(HERE, 3, axis=0)
    first, again, behind = looks.gains_in_turn(coverage, even(coverage), here, [(0, 0), (0, 0), (6, 0)])
    (alone,) = looks.gains_in_turn(coverage, even(coverage), here[:1], [(6, 0)])
    assert again < 0.5 * first
    assert 0.8 * alone < behind <= alone, "only the space around the camera is in both"
    assert looks.gains_in_turn(room(), even(coverage), here[:1], [(0, 0)]) == pytest.approx([0.0])


def test_a_point_with_a_margin_has_to_be_clear_of_the_border():
    coverage, looks = room(), panorama()
    point, worth = np.add(HERE, [1.0, 0.0, 0.0]), np.ones((1, 1))
    anyhow = looks.points_in_view(coverage, HERE, point, worth) > 0.0
    whole = looks.points_in_view(coverage, HERE, point, worth, margin=0.3) > 0.0
    assert 0 < whole.sum() < anyhow.sum()
    assert (anyhow | ~whole).all()


def test_rays_that_leap_find_what_rays_find_that_look_everywhere():
    rng = np.random.default_rng(6)
    coverage = room()
    coverage._states[rng.random(coverage.shape) < 0.02] = OCCUPIED
    everywhere = np.zeros_like(coverage.clearance)
    points = rng.uniform((-0.5, -0.5, -0.5), (4.5, 3.5, 2.5), (500, 3))
    clear = []
    for position in rng.uniform((0.1, 0.1, 0.1), (3.9, 2.9, 1.9), (20, 3)):
        of_map = coverage.origin, coverage.voxel, position, points, 0.15
        clear.append(are_clear(coverage.states, coverage.clearance, *of_map))
        assert np.array_equal(clear[-1], are_clear(coverage.states, everywhere, *of_map))
    assert 0.1 < np.mean(clear) < 0.9
