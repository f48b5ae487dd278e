"""Which view to take next: what it would show, against the way to it. Shared by all agents that plan their looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import CoverageMap
from vantage.planning.actions import OFFSETS, ActionSpace, rotations
from vantage.planning.view_planning.end_views import ENOUGH, EndView, best_first
from vantage.planning.view_planning.information_gain import REACH, SLACK, Panorama, Sweep
from vantage.planning.view_planning.ray_ends import RayEnds
from vantage.planning.view_planning.reachability import Cell, Lattice, Reach, free_cells, turns, ways_round
from vantage.planning.view_planning.travel import Plan, PlanValuation, Worth, leading_sweeps, orders
from vantage.planning.view_planning.turning import Detours, Turning
from vantage.spatial import Intrinsics, Viewpoint
from vantage.worlds import WorldInfo

NEGLIGIBLE = 15.0  # weighted voxels below which a look is not worth its way
_EFFORT = 3.0  # actions that any look costs besides the way to it
_MAX_CELLS = 300
_PLACES, _SWEEPS = 6, 3  # whose plans are valued as a whole: of the best positions, and at the best one of all
_VERTICAL = frozenset(offset for offset in OFFSETS if offset[2])
_PRICE = 0.02  # of an action on the way to a view of some objects, in the quality of that view
_TRIED = 8  # best such views to which a way is looked for
_KEPT_TURNS = 16  # headings for which turns are remembered
_CRAMPED = 60  # reachable positions below which nobody knows yet what looks there are, unless there are hardly more
_STUCK = 12  # reachable positions below which the camera squeezes through

# Ways round to the first yaws of sweeps, rotations through the sweeps, and detours to them.
_Turns = tuple[dict[tuple[int, int], int | None], NDArray[np.float64], dict[bool, Detours]]


@dataclass(frozen=True)
class Goal:
    """A view worth taking, or several in a row that end with it.

    Attributes:
        worth: in weighted voxels.
        actions: that lead to it: rotations, translations, and the turns of a sweep.
        path: the viewpoints on the way, the present one first.
    """

    viewpoint: Viewpoint
    worth: float
    actions: tuple[str, ...]
    path: tuple[Viewpoint, ...]


class ViewPlanner:
    """Weighs every heading, and sweeps over several, at many positions that can be reached through space seen free.

    Attributes:
        exhausted: at the last choice no view, however far away, was worth a look any more.
        wanted_left: the most that any view was worth at the last choice for what was wanted.
        cramped: ways were known to so few positions of the lattice then that other looks may turn up.
    """

    def __init__(self, actions: ActionSpace, info: WorldInfo, start: Viewpoint, coverage: CoverageMap) -> None:
        self._actions, self._info, self._start, self._coverage = actions, info, start, coverage
        self._turning = Turning(actions, info.limits, start)
        self._lattice = Lattice(start, actions.translation, info.limits)
        self._panorama: Panorama | None = None
        self._blocked: set[tuple[Cell, Cell]] = set()
        self._looked: set[tuple[int, ...]] = set()
        self._ends: RayEnds | None = None
        self._turned: dict[object, _Turns] = {}
        self.exhausted = False
        self.wanted_left = 0.0
        self.cramped = False

    def looked(self, viewpoint: Viewpoint) -> None:
        """A view was taken: taking it again is worth nothing."""
        self._looked.add(self._heading_at(viewpoint))

    def bumped(self, here: Viewpoint, target: Viewpoint) -> None:
        """The way from here to a target is closed, or the turn."""
        cells = self._lattice.cell(here), self._lattice.cell(target)
        if cells[0] != cells[1]:
            self._blocked |= {cells, cells[::-1]}
        else:
            self._turning.close(cells[0], here.yaw, target.yaw)

    def shows(
        self, viewpoint: Viewpoint, points: NDArray[np.float64], intrinsics: Intrinsics, slack: float = SLACK
    ) -> NDArray[np.bool_]:
        """Which points (N, 3) a view shows with nothing known in between, but for ``slack`` m before them; (N,)."""
        return self._headings(viewpoint, intrinsics).shows(self._coverage, viewpoint, points, slack)

    def choose(
        self,
        current: Viewpoint,
        intrinsics: Intrinsics,
        budget: int,
        weights: Callable[[bool], NDArray[np.float32]],
        wanted: Worth | None = None,
        leading: float = np.inf,
        reach: float = REACH,
    ) -> Goal | None:
        """The best plan by worth per action, or None when none within the budget is worth its way any more.

        A sweep is worth the unknown space that all its looks show together, and the best of them for what is wanted. Of
        the best sweeps, each in several orders of its turns and its way, the one is chosen whose whole way shows most.

        Args:
            weights: what each unknown voxel is worth, given whether ``wanted`` leads.
            wanted: worth of views for another reason than unknown space.
            leading: from which worth on ``wanted`` leads.
            reach: how far a look into unknown space counts, m.
        """
        panorama = self._headings(current, intrinsics)
        ways_on = self._reach(current)
        self.cramped = len(ways_on.cells) < min(_CRAMPED, ways_on.steps.size // 4)
        cells = _spread(ways_on.cells)
        positions = self._lattice.positions(cells)
        headings = len(panorama.yaws), len(panorama.pitches)
        ways, turning, detours = self._turns(panorama, current)
        shown = np.zeros((len(positions), *headings), np.float32)
        if wanted is not None:
            shown += wanted(panorama, positions)
        taken = self._taken(panorama, cells, self._looked)
        for position, heading in taken:
            shown.reshape(len(positions), -1)[position, heading] = 0.0
        shown[:, [yaw for yaw in range(headings[0]) if ways[yaw, 0] is None]] = 0.0
        self.wanted_left = float(shown.max())
        leads = self.wanted_left >= leading
        voxels = weights(leads)
        if self._ends is None:
            self._ends = RayEnds(self._lattice.shape, panorama.directions)
        rows = self._ends.rows(cells)
        gains = panorama.gains(self._coverage, voxels, positions, taken, reach, (self._ends.table, rows))
        worth = panorama.best_look(shown) + gains
        worth[:, np.isinf(turning)] = 0.0
        effort = ways_on.steps[tuple(cells.T)][:, None] + self._turns_of_ways(turning, detours, ways_on, cells)
        self.exhausted = not (worth >= NEGLIGIBLE).any()  # a view that is only too far away may still show it
        rate = np.where((worth >= NEGLIGIBLE) & (effort <= budget), worth / (effort + _EFFORT), 0.0)
        plans: list[Plan] = []
        for place, number in leading_sweeps(rate, _PLACES, _SWEEPS):
            sweep = panorama.sweeps[number]
            plans += self._plans(current, panorama, sweep, ways[sweep.yaw, sweep.turns], ways_on, cells[place], detours)
        if not plans:
            return None
        valuation = PlanValuation(
            panorama, self._coverage, self._indices(panorama), self._is_taken, voxels, wanted, reach
        )
        values = valuation.worth(plans)
        best = max(range(len(plans)), key=lambda k: values[k] / (len(plans[k].actions) + _EFFORT))
        return Goal(plans[best].path[-1], values[best], plans[best].actions, plans[best].path)

    def best_view(
        self,
        current: Viewpoint,
        intrinsics: Intrinsics,
        budget: int,
        end: EndView,
        taken: Sequence[tuple[Viewpoint, float]] = (),
        least: float = 0.0,
    ) -> Goal | None:
        """The cheapest way to a view that shows some objects well; where none does, to the one that shows them best. A
        better look makes up for a few more actions.

        Args:
            budget: most actions that it may take.
            taken: views that were taken, with the quality that they really had.
            least: quality that a view must surpass.
        """
        panorama = self._headings(current, intrinsics)
        ways_on = self._reach(current)
        cells = self._with_taken(_spread(ways_on.cells), ways_on, taken)
        ways, turning, detours = self._turns(panorama, current)
        headings = len(panorama.yaws) * len(panorama.pitches)
        effort = ways_on.steps[tuple(cells.T)][:, None] + self._turns_of_ways(
            turning[:headings], detours, ways_on, cells
        )
        positions = self._lattice.positions(cells)
        known = {
            spot: found for view, found in taken for spot in self._taken(panorama, cells, (self._heading_at(view),))
        }

        def value(some: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
            quality = end.expected(panorama, self._coverage, positions[some], intrinsics.fx).reshape(len(some), -1)
            rows = {int(place): row for row, place in enumerate(some)}
            for (place, heading), found in known.items():
                if place in rows:
                    quality[rows[place], heading] = found
            possible = (quality > least) & (effort[some] <= budget)
            return quality, np.where(possible, quality - _PRICE * np.where(possible, effort[some], 0.0), -np.inf)

        best_seen = end.most(positions, intrinsics.fx)
        for (place, _), found in known.items():
            best_seen[place] = max(best_seen[place], found)
        most = best_seen - _PRICE * np.where(effort <= budget, effort, np.inf).min(axis=1)
        for place, heading, quality in islice(best_first(most, value), _TRIED):
            sweep = panorama.sweeps[heading]
            plans = self._plans(current, panorama, sweep, ways[sweep.yaw, 0], ways_on, cells[place], detours)
            plans = [plan for plan in plans if 0 < len(plan.actions) <= budget]
            if plans:
                best = min(plans, key=lambda plan: len(plan.actions))
                return Goal(best.path[-1], quality, best.actions, best.path)
        return None

    def _with_taken(
        self, cells: NDArray[np.int64], reach: Reach, taken: Sequence[tuple[Viewpoint, float]]
    ) -> NDArray[np.int64]:
        """Cells (N, 3), with those of good views that were taken and can be reached."""
        known = {tuple(cell) for cell in cells.tolist()}
        more = dict.fromkeys(self._lattice.cell(view) for view, found in taken if found >= ENOUGH)
        further = [cell for cell in more if cell not in known and reach.leads_to(cell)]
        return np.concatenate([cells, np.array(further, np.int64)]) if further else cells

    def _plans(
        self,
        current: Viewpoint,
        panorama: Panorama,
        sweep: Sweep,
        yaw_steps: int | None,
        reach: Reach,
        cell: NDArray[np.int64],
        detours: Mapping[bool, Detours],
    ) -> list[Plan]:
        """Ways to take a sweep at a lattice position."""
        i, j, k = (int(value) for value in cell)
        x, y, z = (float(value) for value in self._lattice.position((i, j, k)))
        first = Viewpoint(x, y, z, float(panorama.yaws[sweep.yaw]), float(panorama.pitches[sweep.pitch]))
        further = rotations(self._actions, sweep.turns, 0)
        to_first = turns(current, first, self._actions, yaw_steps)
        way = reach.way((i, j, k))
        through = detours.get(all(offset in _VERTICAL for offset in way)) if way else None
        return orders(current, self._actions, to_first, way, further, through.to(sweep) if through else ())

    def _turns(self, panorama: Panorama, current: Viewpoint) -> _Turns:
        """Turns to all sweeps from the current heading: ways round, their rotations, and detours."""
        key = current.yaw, current.pitch, self._turning.state(self._lattice.cell(current))
        if key not in self._turned:
            while len(self._turned) >= _KEPT_TURNS:
                del self._turned[next(iter(self._turned))]
            ways = self._ways_round(panorama, current)
            self._turned[key] = ways, self._rotations(panorama, current, ways), self._detours(panorama, current)
        return self._turned[key]

    def _detours(self, panorama: Panorama, current: Viewpoint) -> dict[bool, Detours]:
        """Turns by way of headings at which translations lead along the lattice, for ways straight up or down (True)
        and for others; none for ways that can be gone at the present heading."""
        here = {offset for _, offset in self._turning.moves(current.yaw, current.pitch)}
        found = {}
        for vertical in (True, False):
            needed = self._turning.offsets.intersection(_VERTICAL) if vertical else self._turning.offsets
            if not needed <= here:
                stands = self._turning.stands(panorama, needed)
                found[vertical] = Detours(self._turning, panorama, current, self._lattice.cell(current), stands)
        return found

    def _turns_of_ways(
        self, turning: NDArray[np.float64], detours: Mapping[bool, Detours], reach: Reach, cells: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Rotations on the way to each sweep at each cell, shape (cells, sweeps), or (sweeps,) where they are the same
        from all; ``turning`` holds those on the spot."""
        if not detours:
            return turning
        here = cells[0]
        straight = np.abs(cells - here)
        moves = reach.steps[tuple(cells.T)]
        vertical = (straight[:, :2] == 0).all(axis=1) & (moves == straight[:, 2])
        costs = np.repeat(turning[None], len(cells), axis=0)
        for upright, through in detours.items():
            costs[(vertical == upright) & (moves > 0)] = through.costs[: len(turning)]
        return costs

    def _indices(self, panorama: Panorama) -> Callable[[Viewpoint], tuple[int, int]]:
        """Gives the indices of the yaw and the pitch of a viewpoint, the nearest ones where turns were not exact."""
        yaws, pitches = self._by_heading(panorama)

        def indices(viewpoint: Viewpoint) -> tuple[int, int]:
            yaw, pitch = self._turning.turned(viewpoint.yaw, viewpoint.pitch)
            if yaw in yaws and pitch in pitches:
                return yaws[yaw], pitches[pitch]
            away = np.abs(np.angle(np.exp(1j * (np.asarray(panorama.yaws) - viewpoint.yaw))))
            return int(np.argmin(away)), int(np.argmin(np.abs(np.asarray(panorama.pitches) - viewpoint.pitch)))

        return indices

    def _is_taken(self, viewpoint: Viewpoint) -> bool:
        return self._heading_at(viewpoint) in self._looked

    def _reach(self, current: Viewpoint) -> Reach:
        """Ways through space seen free; up to a voxel closer to objects, which may fill no more than its far side,
        where there are hardly any otherwise."""
        here, radius = self._lattice.cell(current), self._info.body_radius
        for closer in (0.0, 0.5, 1.0):
            margin = max(radius - closer * self._coverage.voxel, 0.0)
            free = free_cells(self._lattice, self._coverage, margin)
            reach = Reach(free, here, self._blocked, self._turning.offsets)
            if len(reach.cells) >= _STUCK:
                break
        return reach

    def _headings(self, current: Viewpoint, intrinsics: Intrinsics) -> Panorama:
        """Headings that rotations lead to from the current one; the same for a whole episode."""
        if self._panorama is None:
            yaws, pitches = self._turning.headings(current)
            self._panorama = _panorama(intrinsics, tuple(yaws), tuple(pitches))
        return self._panorama

    def _heading_at(self, viewpoint: Viewpoint) -> tuple[int, ...]:
        """The cell of a viewpoint, and its rotations from the heading at the start."""
        return (*self._lattice.cell(viewpoint), *self._turning.turned(viewpoint.yaw, viewpoint.pitch))

    def _taken(
        self, panorama: Panorama, cells: NDArray[np.int64], looked: Iterable[tuple[int, ...]]
    ) -> list[tuple[int, int]]:
        """Indices (position, heading) of the views that were taken already."""
        index = {(i, j, k): number for number, (i, j, k) in enumerate(cells.tolist())}
        yaws, pitches = self._by_heading(panorama)
        found = []
        for i, j, k, yaw, pitch in looked:
            at = index.get((i, j, k))
            if at is not None and yaw in yaws and pitch in pitches:
                found.append((at, yaws[yaw] * len(panorama.pitches) + pitches[pitch]))
        return found

    def _by_heading(self, panorama: Panorama) -> tuple[dict[int, int], dict[int, int]]:
        """Indices of yaws and of pitches by their rotations from the heading at the start."""
        yaws = {self._turning.turned(yaw, 0.0)[0]: k for k, yaw in enumerate(panorama.yaws)}
        return yaws, {self._turning.turned(0.0, pitch)[1]: k for k, pitch in enumerate(panorama.pitches)}

    def _rotations(
        self, panorama: Panorama, current: Viewpoint, ways: dict[tuple[int, int], int | None]
    ) -> NDArray[np.float64]:
        """Rotations from the current heading through each sweep, shape (sweeps,); infinite where no way leads."""
        pitch = np.rint(np.abs(panorama.pitches - current.pitch) / self._actions.rotation).tolist()
        yaw = {way: np.inf if steps is None else abs(steps) + abs(way[1]) for way, steps in ways.items()}
        return np.array([yaw[sweep.yaw, sweep.turns] + pitch[sweep.pitch] for sweep in panorama.sweeps])

    def _ways_round(self, panorama: Panorama, current: Viewpoint) -> dict[tuple[int, int], int | None]:
        """Rotations to the yaw of a sweep that goes on over so many turns, by (yaw, turns), positive to the left: the
        short way round where that is open, else the other one; None where both are closed."""
        both = [ways_round(current.yaw, float(yaw), self._actions.rotation) for yaw in panorama.yaws]
        cell, is_open = self._lattice.cell(current), self._turning.is_open
        return {
            (yaw, further): next((steps for steps in both[yaw] if is_open(cell, current.yaw, steps, further)), None)
            for yaw, further in panorama.ways
        }


@lru_cache(maxsize=8)
def _panorama(intrinsics: Intrinsics, yaws: tuple[float, ...], pitches: tuple[float, ...]) -> Panorama:
    """Episodes that begin with the same heading share one."""
    return Panorama(intrinsics, np.array(yaws), np.array(pitches))


def _spread(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """At most ``_MAX_CELLS`` of the cells (N, 3), which come nearest first: near ones closely, far ones loosely."""
    if len(cells) <= _MAX_CELLS:
        return cells
    share = np.arange(_MAX_CELLS) / _MAX_CELLS
    return cells[np.unique((len(cells) * share**1.5).astype(np.int64))]
