"""Limited cameras in an empty room: which views they reach in how many actions follows from the axes that they keep."""

from __future__ import annotations

import math

import numpy as np
import pytest
from row_tables import each_row

from vantage.benchmarks.labelling.lattice import ViewLattice
from vantage.benchmarks.labelling.limited_ways import ALL, HEIGHT, LEVEL, PITCHED, ROTATION, START, LimitedWays
from vantage.planning.actions import ActionSpace, GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.spatial import Viewpoint
from vantage.splats.space.occupancy import OccupancyGrid
from vantage.worlds.limits import MotionLimits

STEP, TURN = 0.25, math.pi / 6
START_VIEW = Viewpoint(0.5, 0.5, 0.5, 0.0, 0.0)
EVERY = (ROTATION, LEVEL, HEIGHT, PITCHED, ALL)


def lattice(space: ActionSpace) -> ViewLattice:
    """An empty room of 1 m."""
    grid = OccupancyGrid((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 0.1, np.zeros((10, 10, 10), dtype=np.bool_))
    room = MotionLimits((0.1,) * 3, (0.9,) * 3, -1.1, 1.1, max_translation=0.5, max_rotation=1.0)
    return ViewLattice.of(grid, room, 0.1, space, (0.5, 0.5, 0.5))


class OneView:
    """A single viewpoint answers."""

    def __init__(self, found: ViewLattice, viewpoint: Viewpoint) -> None:
        self.which = found.nearest(viewpoint)
        assert found.viewpoint(*self.which).distance(viewpoint) < 1e-6
        self.possible = np.ones((len(found.positions), len(found.yaws)), dtype=np.bool_)

    def answer(self, position: int, heading: int) -> bool:
        return (position, heading) == self.which


def solved(space: ActionSpace, goal: Viewpoint, budget: int) -> tuple[str, ...]:
    found = lattice(space)
    return LimitedWays(found, budget).solving(OneView(found, goal), *found.nearest(START_VIEW))


GANTRY = GantryActions(STEP, TURN)


@each_row(
    "goal, budget, ways",
    [
        (START_VIEW, 0, (START, *EVERY)),
        (Viewpoint(0.5, 0.5, 0.5, TURN, 0.0), 1, EVERY),
        (Viewpoint(0.5, 0.5, 0.5, 0.0, -TURN), 1, (ROTATION, PITCHED, ALL)),
        (Viewpoint(0.75, 0.5, 0.5, 0.0, 0.0), 1, (LEVEL, HEIGHT, PITCHED, ALL)),
        (Viewpoint(0.5, 0.5, 0.75, 0.0, 0.0), 1, (HEIGHT, ALL)),
        (Viewpoint(0.75, 0.5, 0.5, 0.0, TURN), 2, (PITCHED, ALL)),
        (Viewpoint(0.75, 0.5, 0.75, 0.0, TURN), 3, (ALL,)),
        (Viewpoint(0.75, 0.5, 0.75, 0.0, TURN), 2, ()),
    ],
)
def test_a_way_reaches_what_its_axes_and_the_budget_allow(goal: Viewpoint, budget: int, ways: tuple[str, ...]) -> None:
    assert solved(GANTRY, goal, budget) == ways


def test_turns_before_moves_along_the_heading_count() -> None:
    """From a heading beside the axes, a move sideways takes a turn there and back."""
    space, start = EgocentricActions(STEP, TURN, "heading"), Viewpoint(0.5, 0.5, 0.5, TURN, 0.0)
    found = lattice(space)
    goal = OneView(found, Viewpoint(0.75, 0.5, 0.5, TURN, 0.0))
    assert LEVEL not in LimitedWays(found, 2).solving(goal, *found.nearest(start))
    assert LEVEL in LimitedWays(found, 3).solving(goal, *found.nearest(start))


def test_only_possible_views_are_judged() -> None:
    found = lattice(GANTRY)
    goal = OneView(found, Viewpoint(0.75, 0.5, 0.5, 0.0, 0.0))
    goal.possible[goal.which] = False
    assert LimitedWays(found, 25).solving(goal, *found.nearest(START_VIEW)) == ()


def test_a_viewpoint_is_found_on_its_lattice() -> None:
    found = lattice(GANTRY)
    for position, heading in ((0, 0), (5, 17), (len(found.positions) - 1, len(found.yaws) - 1)):
        assert found.nearest(found.viewpoint(position, heading)) == (position, heading)
    assert found.viewpoint(*found.nearest(START_VIEW)).distance(START_VIEW) == pytest.approx(0.0)
