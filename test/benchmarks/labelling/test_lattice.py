"""The lattice of viewpoints against brute force over every single state."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from fewer_actions import LevelActions

from vantage.benchmarks.labelling.lattice import ViewLattice
from vantage.errors import UsageError
from vantage.planning.actions import ActionSpace, GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.spatial import Viewpoint, wrap_angle
from vantage.splats.space.occupancy import OccupancyGrid
from vantage.types import Point
from vantage.worlds.limits import MotionLimits

RADIUS = 0.1
SPACE = GantryActions(0.25, math.pi / 6)
ANCHOR = (0.55, 0.55, 0.55)


def grid() -> OccupancyGrid:
    """2 x 2 x 1 m with a wall at x = 1 that leaves a gap at high y."""
    occupied = np.zeros((20, 20, 10), dtype=np.bool_)
    occupied[10, :14] = True
    return OccupancyGrid((0.0, 0.0, 0.0), (2.0, 2.0, 1.0), 0.1, occupied)


def limits(**changes: float) -> MotionLimits:
    low, high = (RADIUS,) * 3, (2.0 - RADIUS, 2.0 - RADIUS, 1.0 - RADIUS)
    return MotionLimits(low, high, -1.1, 1.1, **changes)


def lattice(**changes: float) -> ViewLattice:
    return ViewLattice.of(grid(), limits(**changes), RADIUS, SPACE, ANCHOR)


def nearest(found: ViewLattice, point: Point) -> int:
    return int(np.linalg.norm(found.positions - np.array(point), axis=1).argmin())


def brute_force(
    start: Viewpoint,
    space: ActionSpace | Straight,
    limits: MotionLimits,
    free: Callable[[Point, Point], bool],
    satisfies: Callable[[Viewpoint], bool],
) -> int | None:
    """Dijkstra over every single state."""

    def key(viewpoint: Viewpoint) -> tuple[int, ...]:
        parts = (
            viewpoint.x,
            viewpoint.y,
            viewpoint.z,
            math.cos(viewpoint.yaw),
            math.sin(viewpoint.yaw),
            viewpoint.pitch,
        )
        return tuple(round(value * 1e4) for value in parts)

    queue: list[tuple[int, int, Viewpoint]] = [(0, 0, start)]
    best, tick = {key(start): 0}, 0
    while queue:
        cost, _, viewpoint = heapq.heappop(queue)
        if satisfies(viewpoint):
            return cost
        if cost > best[key(viewpoint)]:
            continue
        for action in space.names:
            target = space.apply(action, viewpoint)
            if limits.violation(viewpoint, target) is not None:
                continue
            if not free((viewpoint.x, viewpoint.y, viewpoint.z), (target.x, target.y, target.z)):
                continue
            if cost + 1 < best.get(key(target), 10**9):
                best[key(target)] = cost + 1
                tick += 1
                heapq.heappush(queue, (cost + 1, tick, target))
    return None


def test_positions_are_whole_steps_from_the_anchor_and_free() -> None:
    found, occupancy = lattice(), grid()
    steps = (found.positions - np.array(ANCHOR)) / SPACE.translation
    assert np.allclose(steps, steps.round())
    assert all(occupancy.sphere_free(point, RADIUS) for point in found.positions)
    assert len(found.positions) > 100


def test_distances_and_turns_are_those_of_brute_force() -> None:
    found, occupancy = lattice(), grid()
    rng = np.random.default_rng(0)
    for _ in range(5):
        start, goal = (int(k) for k in rng.integers(len(found.positions), size=2))
        heading, end = found.level(int(rng.integers(12))), int(rng.integers(len(found.yaws)))
        target = found.viewpoint(goal, end)

        def arrived(viewpoint: Viewpoint, target: Viewpoint = target) -> bool:
            turned = abs(wrap_angle(viewpoint.yaw - target.yaw)) + abs(viewpoint.pitch - target.pitch)
            return viewpoint.distance(target) < 1e-6 and turned < 1e-6

        def free(a: Point, b: Point) -> bool:
            return occupancy.path_free(a, b, RADIUS)

        known = brute_force(found.viewpoint(start, heading), SPACE, limits(), free, arrived)
        ways = found.ways(start, heading)
        actions = ways.names(goal, end)
        assert len(actions) == known == ways.actions[goal, end]
        assert ways.moves[goal, end] == found.distances(start)[goal]
        assert arrived(SPACE.replay(found.viewpoint(start, heading), actions)[-1])


def test_the_way_leads_around_the_wall() -> None:
    found = lattice()
    left, right = nearest(found, (0.8, 0.3, 0.55)), nearest(found, (1.3, 0.3, 0.55))
    straight = np.abs(found.positions[left] - found.positions[right]).sum() / SPACE.translation
    assert found.distances(left)[right] > straight + 4


def test_what_the_limits_forbid_is_not_done() -> None:
    stuck = lattice(max_translation=0.1)
    assert (stuck.distances(0) >= 0).sum() == 1
    stiff = lattice(max_rotation=0.1)
    assert (stiff.turns(0) >= 0).sum() == 1
    assert np.abs(lattice().pitches).max() <= 1.1


def test_headings_that_may_show_a_object() -> None:
    found = lattice()
    here = nearest(found, ANCHOR)
    center = (float(found.positions[here][0]) + 1.0, float(found.positions[here][1]), float(found.positions[here][2]))
    shown = found.towards(np.array([here]), center, 0.05, 0.6)[0]
    off = np.arccos(np.clip(np.cos(found.pitches) * np.cos(found.yaws), -1, 1))
    assert (shown == (off <= 0.6 + math.asin(0.05))).all()
    assert found.towards(np.array([here]), center, 1.5, 0.6).all()  # from inside every heading shows some of it


def test_rotations_that_do_not_close_a_circle_are_refused() -> None:
    with pytest.raises(UsageError, match="full turn"):
        ViewLattice.of(grid(), limits(), RADIUS, GantryActions(0.25, 1.0), ANCHOR)


EGO = {frame: EgocentricActions(0.25, math.pi / 6, frame) for frame in ("world", "heading", "camera")}


@dataclass(frozen=True)
class Straight:
    """A space without the translations that lead beside the lattice."""

    whole: ActionSpace

    @property
    def names(self) -> tuple[str, ...]:
        return self.whole.names

    def apply(self, name: str, viewpoint: Viewpoint) -> Viewpoint:
        there = self.whole.apply(name, viewpoint)
        along = {move for move, _ in self.whole.lattice_moves(viewpoint)} | set(self.whole.turns.values())
        return there if name in along else viewpoint


def views(space: ActionSpace, **changes: float) -> ViewLattice:
    return ViewLattice.of(grid(), limits(**changes), RADIUS, space, ANCHOR)


@pytest.mark.parametrize("frame", list(EGO))
def test_ways_are_the_fewest_of_those_along_the_lattice(frame: str) -> None:
    space, occupancy = EGO[frame], grid()
    found = views(space)
    rng = np.random.default_rng(3)
    for _ in range(2):
        start, goal = (int(k) for k in rng.integers(len(found.positions), size=2))
        heading, end = found.level(int(rng.integers(12))), int(rng.integers(len(found.yaws)))
        begin, target = found.viewpoint(start, heading), found.viewpoint(goal, end)

        def arrived(viewpoint: Viewpoint, target: Viewpoint = target) -> bool:
            turned = abs(wrap_angle(viewpoint.yaw - target.yaw)) + abs(viewpoint.pitch - target.pitch)
            return viewpoint.distance(target) < 1e-6 and turned < 1e-6

        def free(a: Point, b: Point) -> bool:
            return occupancy.path_free(a, b, RADIUS)

        ways = found.ways(start, heading)
        actions = ways.names(goal, end)
        assert len(actions) == ways.actions[goal, end] == brute_force(begin, Straight(space), limits(), free, arrived)
        assert sum(name.startswith("move_") for name in actions) == ways.moves[goal, end]
        path = space.replay(begin, actions)
        assert arrived(path[-1])
        assert all(limits().violation(a, b) is None for a, b in pairwise(path))
        assert all(free(_point(a), _point(b)) for a, b in pairwise(path))


def _point(viewpoint: Viewpoint) -> Point:
    return viewpoint.x, viewpoint.y, viewpoint.z


@pytest.mark.parametrize("frame", list(EGO))
def test_what_is_called_shortest_is_the_fewest_of_all_ways(frame: str) -> None:
    """Near views anywhere, so that an exact search over all positions, also beside the lattice, is small."""
    space = EGO[frame]
    found = views(space)
    box = MotionLimits((0.1,) * 3, (0.9, 0.9, 0.9), -1.1, 1.1)
    inside = (found.positions < 0.9 + 1e-6).all(axis=1)
    rng = np.random.default_rng(5)
    bounds = proven = 0
    for _ in range(40):
        start = int(rng.choice(np.flatnonzero(inside)))
        heading = found.level(int(rng.integers(12)))
        ways = found.ways(start, heading)
        close = np.argwhere((ways.actions > 0) & (ways.actions <= 3) & inside[:, None])
        goal, end = close[int(rng.integers(len(close)))]
        target = found.viewpoint(int(goal), int(end))

        def answers(viewpoint: Viewpoint, target: Viewpoint = target) -> bool:
            turned = abs(wrap_angle(viewpoint.yaw - target.yaw)) + abs(viewpoint.pitch - target.pitch)
            return viewpoint.distance(target) < 0.2 and turned < 0.7

        satisfying = [
            int(ways.actions[p, h])
            for p in np.flatnonzero(inside)
            for h in range(len(found.yaws))
            if ways.actions[p, h] >= 0 and answers(found.viewpoint(int(p), h))
        ]
        fewest = min(satisfying)
        exact = brute_force(found.viewpoint(start, heading), space, box, lambda a, b: True, answers)
        assert exact is not None
        assert exact <= fewest
        if found.is_shortest(heading, fewest):
            assert exact == fewest
        bounds += not found.is_shortest(heading, fewest)
        proven += found.is_shortest(heading, fewest)
    assert proven > 0
    assert (bounds > 0) == (frame != "world"), "ways along the world's axes are the fewest, whatever their length"


def test_a_diagonal_may_be_shorter_than_the_bound() -> None:
    """From a heading of 30 degrees, forward once sees what the lattice shows after a turn and a move."""
    space = EGO["heading"]
    found = views(space)
    start, heading = nearest(found, (0.3, 0.3, 0.55)), found.level(1)
    ahead = space.apply("move_forward", found.viewpoint(start, heading))
    near = [p for p in range(len(found.positions)) if math.dist(found.positions[p], ahead.position) < 0.14]
    bound = min(int(found.ways(start, heading).actions[p, heading]) for p in near)
    assert bound > 1
    assert not found.is_shortest(heading, bound)


def test_translations_come_first_where_the_heading_allows_them() -> None:
    found = views(EGO["heading"])
    start, goal = nearest(found, (0.3, 0.3, 0.55)), nearest(found, (0.8, 0.3, 0.55))
    forward = ("move_forward",) * 2
    assert found.ways(start, found.level(0)).names(goal, found.level(2)) == (*forward, "turn_left", "turn_left")
    assert found.ways(start, found.level(1)).names(goal, found.level(0)) == ("turn_right", *forward)
    up = nearest(found, (0.3, 0.3, 0.8))
    assert found.ways(start, found.level(1)).names(up, found.level(1)) == ("move_up",)
    backwards = found.ways(start, found.level(6)).names(goal, found.level(6))
    assert backwards == ("move_backward",) * 2


def test_a_space_with_fewer_actions_has_ways_to_fewer_views() -> None:
    found = views(LevelActions(0.25, math.pi / 6))
    start = nearest(found, (0.3, 0.3, 0.55))
    ways = found.ways(start, found.level(0))
    level, same = np.abs(found.pitches) < 1e-9, np.abs(found.positions[:, 2] - 0.55) < 1e-6
    assert (ways.actions[same][:, level] >= 0).all()
    assert (ways.actions[~same] < 0).all()
    assert (ways.actions[:, ~level] < 0).all()
    assert ((found.distances(start) >= 0) == same).all()
