"""Which view to take next: what it would show, against the way to it. Shared by all agents that plan their looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vantage.errors import UsageError
from vantage.perception.map import CoverageMap
from vantage.planning.actions import LATTICE_MOVES, ActionSpace
from vantage.planning.view_planning.information_gain import REACH, SLACK, Panorama, Sweep
from vantage.planning.view_planning.reachability import Cell, Lattice, Reach, free_cells, turns, ways_round
from vantage.planning.view_planning.travel import Plan, PlanValuation, Worth, leading_sweeps, orders
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.worlds import WorldInfo

NEGLIGIBLE = 15.0  # weighted voxels below which a look is not worth its way
_EFFORT = 3.0  # actions that any look costs besides the way to it
_MAX_CELLS = 300
_PLACES, _SWEEPS = 6, 3  # whose plans are valued as a whole: of the best positions, and at the best one of all
_STUCK = 12  # reachable positions below which the camera squeezes through


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
    """

    def __init__(self, actions: ActionSpace, info: WorldInfo, start: Viewpoint, coverage: CoverageMap) -> None:
        self._actions, self._info, self._start, self._coverage = actions, info, start, coverage
        if actions.lattice_moves != LATTICE_MOVES:
            raise UsageError(
                f"action space '{actions.name}' does not move along the world axes, as agents that plan views "
                "need; use another agent, or action space gantry"
            )
        self._lattice = Lattice(start, actions.translation, info.limits)
        self._panorama: Panorama | None = None
        self._blocked: set[tuple[Cell, Cell]] = set()
        self._closed_turns: set[tuple[Cell, int, int]] = set()  # where, from and to which yaw
        self._looked: set[tuple[int, ...]] = set()
        self.exhausted = False
        self.wanted_left = 0.0

    def looked(self, viewpoint: Viewpoint) -> None:
        """A view was taken: taking it again is worth nothing."""
        self._looked.add((*self._lattice.cell(viewpoint), *self._heading(viewpoint.yaw, viewpoint.pitch)))

    def bumped(self, here: Viewpoint, target: Viewpoint) -> None:
        """The way from here to a target is closed, or the turn."""
        cells = self._lattice.cell(here), self._lattice.cell(target)
        yaws = self._heading(here.yaw, 0.0)[0], self._heading(target.yaw, 0.0)[0]
        if cells[0] != cells[1]:
            self._blocked |= {cells, cells[::-1]}
        elif yaws[0] != yaws[1]:
            self._closed_turns |= {(cells[0], *yaws), (cells[0], *yaws[::-1])}

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
        cells = _spread(ways_on.cells)
        positions = self._lattice.positions(cells)
        headings = len(panorama.yaws), len(panorama.pitches)
        ways = self._ways_round(panorama, current)
        shown = np.zeros((len(positions), *headings), np.float32)
        if wanted is not None:
            shown += wanted(panorama, positions)
        taken = self._taken(panorama, cells)
        for position, heading in taken:
            shown.reshape(len(positions), -1)[position, heading] = 0.0
        shown[:, [yaw for yaw in range(headings[0]) if ways[yaw, 0] is None]] = 0.0
        self.wanted_left = float(shown.max())
        leads = self.wanted_left >= leading
        voxels = weights(leads)
        worth = panorama.best_look(shown) + panorama.gains(self._coverage, voxels, positions, taken, reach)
        turning = self._turning(panorama, current, ways)
        worth[:, np.isinf(turning)] = 0.0
        effort = ways_on.steps[tuple(cells.T)][:, None] + turning
        self.exhausted = not (worth >= NEGLIGIBLE).any()  # a view that is only too far away may still show it
        rate = np.where((worth >= NEGLIGIBLE) & (effort <= budget), worth / (effort + _EFFORT), 0.0)
        plans: list[Plan] = []
        for place, number in leading_sweeps(rate, _PLACES, _SWEEPS):
            sweep = panorama.sweeps[number]
            plans += self._plans(current, panorama, sweep, ways[sweep.yaw, sweep.turns], ways_on, cells[place])
        if not plans:
            return None
        valuation = PlanValuation(
            panorama, self._coverage, self._indices(panorama), self._is_taken, voxels, wanted, reach
        )
        values = valuation.worth(plans)
        best = max(range(len(plans)), key=lambda k: values[k] / (len(plans[k].actions) + _EFFORT))
        return Goal(plans[best].path[-1], values[best], plans[best].actions, plans[best].path)

    def _plans(
        self,
        current: Viewpoint,
        panorama: Panorama,
        sweep: Sweep,
        yaw_steps: int | None,
        reach: Reach,
        cell: NDArray[np.int64],
    ) -> list[Plan]:
        """Ways to take a sweep at a lattice position."""
        i, j, k = (int(value) for value in cell)
        x, y, z = (float(value) for value in self._lattice.position((i, j, k)))
        first = Viewpoint(x, y, z, float(panorama.yaws[sweep.yaw]), float(panorama.pitches[sweep.pitch]))
        further = ["yaw+" if sweep.turns > 0 else "yaw-"] * abs(sweep.turns)
        to_first = turns(current, first, self._actions.rotation, yaw_steps)
        return orders(current, self._actions, to_first, reach.actions((i, j, k)), further)

    def _indices(self, panorama: Panorama) -> Callable[[Viewpoint], tuple[int, int]]:
        """Gives the indices of the yaw and the pitch of a viewpoint."""
        yaws, pitches = self._by_heading(panorama)

        def indices(viewpoint: Viewpoint) -> tuple[int, int]:
            yaw, pitch = self._heading(viewpoint.yaw, viewpoint.pitch)
            return yaws[yaw], pitches[pitch]

        return indices

    def _is_taken(self, viewpoint: Viewpoint) -> bool:
        return (*self._lattice.cell(viewpoint), *self._heading(viewpoint.yaw, viewpoint.pitch)) in self._looked

    def _reach(self, current: Viewpoint) -> Reach:
        """Ways through space seen free; up to a voxel closer to objects, which may fill no more than its far side,
        where there are hardly any otherwise."""
        here, radius = self._lattice.cell(current), self._info.body_radius
        for closer in (0.0, 0.5, 1.0):
            margin = max(radius - closer * self._coverage.voxel, 0.0)
            reach = Reach(free_cells(self._lattice, self._coverage, margin), here, self._blocked)
            if len(reach.cells) >= _STUCK:
                break
        return reach

    def _headings(self, current: Viewpoint, intrinsics: Intrinsics) -> Panorama:
        """Headings that rotations lead to from the current one; the same for a whole episode."""
        if self._panorama is None:
            rotation, limits = self._actions.rotation, self._info.limits
            count = max(1, round(2 * np.pi / rotation))
            yaws = np.array([wrap_angle(current.yaw + k * rotation) for k in range(count)])
            pitches = current.pitch + np.arange(-count, count + 1) * rotation
            allowed = pitches[(pitches >= limits.pitch_min - 1e-6) & (pitches <= limits.pitch_max + 1e-6)]
            self._panorama = _panorama(intrinsics, tuple(yaws.tolist()), tuple(allowed.tolist()))
        return self._panorama

    def _taken(self, panorama: Panorama, cells: NDArray[np.int64]) -> list[tuple[int, int]]:
        """Indices (position, heading) of the views that were taken already."""
        index = {(int(i), int(j), int(k)): number for number, (i, j, k) in enumerate(cells)}
        yaws, pitches = self._by_heading(panorama)
        found = []
        for i, j, k, yaw, pitch in self._looked:
            at = index.get((i, j, k))
            if at is not None and yaw in yaws and pitch in pitches:
                found.append((at, yaws[yaw] * len(panorama.pitches) + pitches[pitch]))
        return found

    def _by_heading(self, panorama: Panorama) -> tuple[dict[int, int], dict[int, int]]:
        """Indices of yaws and of pitches by their rotations from the heading at the start."""
        yaws = {self._heading(yaw, 0.0)[0]: k for k, yaw in enumerate(panorama.yaws)}
        return yaws, {self._heading(0.0, pitch)[1]: k for k, pitch in enumerate(panorama.pitches)}

    def _turning(
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
        return {
            (yaw, further): next((steps for steps in both[yaw] if self._can_turn(current, steps, further)), None)
            for yaw, further in panorama.ways
        }

    def _can_turn(self, current: Viewpoint, steps: int, further: int) -> bool:
        """Whether so many rotations, and as many further ones, are open; positive to the left."""
        rotation = self._actions.rotation
        if not self._info.limits.can_turn(current.yaw, steps * rotation, further * rotation):
            return False
        if not self._closed_turns:
            return True
        cell, around = self._lattice.cell(current), round(2 * np.pi / rotation)
        first = self._heading(current.yaw, 0.0)[0]
        passed = [first + k for k in _steps_to(steps)] + [first + steps + k for k in _steps_to(further)]
        return not any((cell, a % around, b % around) in self._closed_turns for a, b in pairwise(passed))

    def _heading(self, yaw: float, pitch: float) -> tuple[int, int]:
        """Rotations from the heading at the start."""
        rotation = self._actions.rotation
        around = round(2 * np.pi / rotation)
        return round(wrap_angle(yaw - self._start.yaw) / rotation) % around, round(
            (pitch - self._start.pitch) / rotation
        )


@lru_cache(maxsize=8)
def _panorama(intrinsics: Intrinsics, yaws: tuple[float, ...], pitches: tuple[float, ...]) -> Panorama:
    """Episodes that begin with the same heading share one."""
    return Panorama(intrinsics, np.array(yaws), np.array(pitches))


def _steps_to(count: int) -> range:
    """0, 1, 2, ..., or 0, -1, -2, ..., to a count."""
    return range(0, count + (1 if count >= 0 else -1), 1 if count >= 0 else -1)


def _spread(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """At most ``_MAX_CELLS`` of the cells (N, 3), which come nearest first: near ones closely, far ones loosely."""
    if len(cells) <= _MAX_CELLS:
        return cells
    share = np.arange(_MAX_CELLS) / _MAX_CELLS
    return cells[np.unique((len(cells) * share**1.5).astype(np.int64))]
