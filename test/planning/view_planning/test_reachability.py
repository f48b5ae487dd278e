import math

import numpy as np

from vantage.config import Settings
from vantage.perception.map.coverage import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.actions import GantryActions
from vantage.planning.agents.observing_agent import coverage_of
from vantage.planning.view_planning.reachability import Lattice, Reach, free_cells, turns, ways_round
from vantage.spatial import Viewpoint
from vantage.worlds import WorldInfo
from vantage.worlds.limits import MotionLimits

LIMITS = MotionLimits((0.2, 0.2, 0.2), (3.8, 2.8, 1.8))
START = Viewpoint(1.0, 1.0, 1.0, 0.0, 0.0)


def empty_room():
    coverage = CoverageMap((0, 0, 0), (4, 3, 2), voxel=0.1)
    coverage._states[:] = FREE
    return coverage


def test_lattice_covers_the_limits_and_finds_its_cells():
    lattice = Lattice(START, 0.25, LIMITS)
    cells = np.argwhere(np.ones(lattice.shape, bool))
    points = lattice.positions(cells)
    assert points.shape == (len(cells), 3)
    assert points.min() >= 0.2
    assert (points <= np.array(LIMITS.bounds_max) + 1e-9).all()
    np.testing.assert_allclose(points[0], lattice.corner)
    cell = lattice.cell(Viewpoint(1.5, 0.75, 1.25, 2.0, 0.1))
    np.testing.assert_allclose(lattice.position(cell), (1.5, 0.75, 1.25))


def test_free_cells_agree_with_the_sphere_test_of_the_map():
    coverage = empty_room()
    rng = np.random.default_rng(1)
    coverage._states[rng.random(coverage.shape) < 0.01] = OCCUPIED
    lattice = Lattice(START, 0.25, LIMITS)
    free = free_cells(lattice, coverage, 0.17)
    assert 0 < free.sum() < free.size
    for cell in np.ndindex(lattice.shape):
        assert free[cell] == coverage.is_free_sphere(lattice.position(cell), 0.17), cell


def test_paths_are_shortest_and_go_around_walls():
    coverage = empty_room()
    coverage._states[20, 5:, :] = OCCUPIED  # a wall at x = 2 m with a gap near y = 0.2 m
    lattice = Lattice(START, 0.25, LIMITS)
    reach = Reach(free_cells(lattice, coverage, 0.1), lattice.cell(START), set())
    goal = lattice.cell(Viewpoint(3.0, 1.0, 1.0, 0.0, 0.0))
    way = reach.way(goal)
    assert len(way) == reach.steps[goal] == 8 + 2 * 3
    assert way.count((0, -1, 0)) == way.count((0, 1, 0)) == 3


def test_a_collision_closes_an_edge():
    lattice = Lattice(START, 0.25, LIMITS)
    free = np.ones(lattice.shape, bool)
    start = lattice.cell(START)
    ahead = (start[0] + 1, start[1], start[2])
    reach = Reach(free, start, {(start, ahead)})
    assert reach.steps[ahead] == 3


def test_a_collision_beyond_the_lattice_closes_nothing():
    free = np.ones((3, 3, 1), np.bool_)
    reach = Reach(free, (1, 1, 0), {((3, 1, 0), (2, 1, 0)), ((2, 1, 0), (3, 1, 0)), ((-1, 0, 0), (0, 0, 0))})
    assert len(reach.cells) == 9


def test_turns_take_the_short_way():
    step = math.pi / 6
    actions = GantryActions(0.25, step)
    assert turns(Viewpoint(0, 0, 0, 3.0, 0), Viewpoint(0, 0, 0, 3.0 + 2 * step - 2 * math.pi, -step), actions) == [
        "yaw+",
        "yaw+",
        "pitch-",
    ]
    assert turns(START, START, actions) == []
    assert turns(START, Viewpoint(0, 0, 0, step, 0), actions, -11) == ["yaw-"] * 11


def test_there_are_two_ways_round():
    step = math.pi / 6
    assert ways_round(0.0, 2 * step, step) == (2, -10)
    assert ways_round(0.0, -2 * step, step) == (-2, 10)
    assert ways_round(2.9, 2.9 + step - math.tau, step) == (1, -11)
    assert ways_round(1.0, 1.0, step) == (0, 12)


def test_what_stands_on_the_floor_bars_a_camera_that_keeps_its_height():
    """A low table is no obstacle to a sphere above it, but to the robot that carries the camera."""
    coverage = empty_room()
    coverage._states[:, :, 0] = OCCUPIED  # the floor itself
    coverage._states[18:22, 8:12, 1:5] = OCCUPIED
    coverage._states[18:22, 20:24, 1:5] = UNKNOWN  # nobody looked there: it is tried
    level = MotionLimits((0.2, 0.2, 1.399), (3.8, 2.8, 1.401))
    start = Viewpoint(1.0, 1.0, 1.4, 0.0, 0.0)
    assert level.keeps_height
    assert not LIMITS.keeps_height
    lattice = Lattice(start, 0.25, level)
    assert lattice.shape[2] == 1
    free = free_cells(lattice, coverage, 0.2)
    assert free[lattice.cell(start)]
    assert not free[lattice.cell(Viewpoint(2.0, 1.0, 1.4, 0.0, 0.0))]
    assert free[lattice.cell(Viewpoint(2.0, 2.25, 1.4, 0.0, 0.0))]
    assert (coverage.states[18:22, 8:12, 14] == FREE).all(), "the map itself stays as it is"


def test_the_map_of_a_camera_that_keeps_its_height_reaches_from_the_floor_up():
    level = MotionLimits((0.2, 0.2, 1.399), (3.8, 2.8, 1.401))
    info = WorldInfo("house", frozenset({"rgb"}), frozenset({"viewpoint"}), 0.2, level)
    coverage = coverage_of(Settings(), info)
    assert coverage.origin[2] == 0.0
    assert coverage.shape[2] * coverage.voxel > 2.5
