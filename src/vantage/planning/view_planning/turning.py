"""Turns on the spot: which are open, and those by way of a heading at which translations lead along the lattice."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vantage.errors import UsageError
from vantage.planning.actions import PITCH, YAW, ActionSpace, Offset, rotations
from vantage.planning.view_planning.information_gain import Panorama, Sweep
from vantage.planning.view_planning.reachability import Cell, ways_round
from vantage.spatial import Viewpoint, wrap_angle
from vantage.worlds import MotionLimits

_MOST_DETOURS = 2  # of equal worth that are tried as plans


class Turning:
    """Headings that rotations lead to from the one at the start, and which of these rotations are open.

    Attributes:
        offsets: of all translations along the lattice that some heading allows.

    Raises:
        UsageError: a translation leads along the lattice from none of the headings.
    """

    def __init__(self, actions: ActionSpace, limits: MotionLimits, start: Viewpoint) -> None:
        self.actions, self._limits, self._start = actions, limits, start
        self._around = round(math.tau / actions.rotation)
        self._closed: set[tuple[Cell, int, int]] = set()  # where, from and to which yaw
        yaws, pitches = self.headings(start)
        moves = [move for yaw, pitch in product(yaws, pitches) for move in self.moves(yaw, pitch)]
        names = {name for name, _ in moves}
        beside = [name for name in actions.names if _moves_camera(actions, name, start) and name not in names]
        if not moves or beside:
            cause = f" with '{beside[0]}'" if beside else ""
            raise UsageError(
                f"action space '{actions.name}' does not move along the world axes{cause} from any heading that "
                f"rotations lead to from yaw {start.yaw:.3f} and pitch {start.pitch:.3f} rad, as agents that plan "
                "views need; use another agent, or action space gantry"
            )
        self.offsets = frozenset(offset for _, offset in moves)

    def headings(self, viewpoint: Viewpoint) -> tuple[list[float], list[float]]:
        """Yaws and pitches that rotations lead to, rad; the first yaw is that of the viewpoint."""
        rotation, limits, count = self.actions.rotation, self._limits, max(1, self._around)
        turns = count if self._has(YAW) else 1
        yaws = [wrap_angle(viewpoint.yaw + k * rotation) for k in range(turns)]
        steps = range(-count, count + 1) if self._has(PITCH) else range(1)
        pitches = [viewpoint.pitch + k * rotation for k in steps]
        low, high = limits.pitch_min - 1e-6, limits.pitch_max + 1e-6
        return yaws, [pitch for pitch in pitches if low <= pitch <= high]

    def moves(self, yaw: float, pitch: float) -> tuple[tuple[str, Offset], ...]:
        """The translations that lead along the lattice at a heading (rad), and their offsets."""
        return self.actions.lattice_moves(Viewpoint(0.0, 0.0, 0.0, yaw, pitch))

    def turned(self, yaw: float, pitch: float) -> tuple[int, int]:
        """Rotations of a heading (rad) from the one at the start: to the left, once round at most, and up."""
        rotation = self.actions.rotation
        left = round(wrap_angle(yaw - self._start.yaw) / rotation) % self._around
        return left, round((pitch - self._start.pitch) / rotation)

    def close(self, cell: Cell, before: float, after: float) -> None:
        """A turn from one yaw (rad) to another ended in a collision."""
        first, last = (self.turned(yaw, 0.0)[0] for yaw in (before, after))
        if first != last:
            self._closed |= {(cell, first, last), (cell, last, first)}

    def state(self, cell: Cell) -> object:
        """On what besides the heading it depends which turns are open at a cell: nothing while none was closed."""
        return (cell, len(self._closed)) if self._closed else None

    @property
    def all_open(self) -> bool:
        """Whether every turn is, wherever and from whatever yaw."""
        limits = self._limits
        return not self._closed and (math.isinf(limits.yaw_min) or math.isinf(limits.yaw_max))

    def is_open(self, cell: Cell, yaw: float, *legs: int) -> bool:
        """Whether so many rotations, one leg after the other, are open from a yaw (rad); positive to the left."""
        if not self._limits.can_turn(yaw, *(leg * self.actions.rotation for leg in legs)):
            return False
        if not self._closed:
            return True
        at = self.turned(yaw, 0.0)[0]
        for leg in legs:
            side = 1 if leg > 0 else -1
            for _ in range(abs(leg)):
                if (cell, at % self._around, (at + side) % self._around) in self._closed:
                    return False
                at += side
        return True

    def stands(self, panorama: Panorama, offsets: Collection[Offset]) -> list[tuple[int, int]]:
        """Headings of a panorama, as indices of yaw and pitch, that allow translations with all of some offsets."""
        wanted = set(offsets)
        return [
            (i, j)
            for (i, yaw), (j, pitch) in product(enumerate(panorama.yaws), enumerate(panorama.pitches))
            if wanted <= {offset for _, offset in self.moves(float(yaw), float(pitch))}
        ]

    def _has(self, axis: str) -> bool:
        return {(axis, 1), (axis, -1)} <= set(self.actions.turns)


def _moves_camera(actions: ActionSpace, name: str, viewpoint: Viewpoint) -> bool:
    return actions.apply(name, viewpoint).distance(viewpoint) > 0.0


@dataclass(frozen=True)
class Detour:
    """Names of the rotations to a stand, where translations are made, and of those on to the first look of a sweep."""

    there: tuple[str, ...]
    onwards: tuple[str, ...]


class Detours:
    """Turns from a viewpoint to the sweeps of a panorama by way of one of some stands, which are headings.

    Attributes:
        costs: fewest rotations through each sweep, shape (sweeps,); infinite where no way leads.
    """

    def __init__(
        self,
        turning: Turning,
        panorama: Panorama,
        current: Viewpoint,
        cell: Cell,
        stands: Iterable[tuple[int, int]],
    ) -> None:
        self._turning, self._panorama, self._current, self._cell = turning, panorama, current, cell
        self._stands = list(stands)
        self._legs: dict[tuple[int, int, int], tuple[int, int] | None] = {}
        number = {way: k for k, way in enumerate(panorama.ways)}
        rows = [number[sweep.yaw, sweep.turns] for sweep in panorama.sweeps]
        columns = [sweep.pitch for sweep in panorama.sweeps]
        self.costs = np.asarray(self._all.min(axis=2, initial=np.inf)[rows, columns])

    def to(self, sweep: Sweep) -> list[Detour]:
        """The shortest ones to a sweep, by stands of different yaws, those first that turn least first."""
        costs = self._all[self._panorama.ways.index((sweep.yaw, sweep.turns)), sweep.pitch]
        found: dict[int, Detour] = {}
        for k in np.lexsort((self._first_turns, costs)):
            yaw, pitch = self._stands[k]
            legs = self._legs_by(sweep.yaw, sweep.turns, yaw)
            if legs is None or costs[k] > costs.min() or len(found) == _MOST_DETOURS:
                break
            up, down = self._pitch_steps(self._current.pitch, pitch), self._pitch_steps(pitch, sweep.pitch)
            actions = self._turning.actions
            detour = Detour(rotations(actions, legs[0], up), rotations(actions, legs[1], down))
            found.setdefault(yaw, detour)
        return list(found.values())

    @cached_property
    def _all(self) -> NDArray[np.float64]:
        """Rotations through the sweeps, shape (ways of the panorama, pitches, stands)."""
        pitches = range(len(self._panorama.pitches))
        up = np.array([abs(self._pitch_steps(self._current.pitch, pitch)) for _, pitch in self._stands])
        down = np.array([[abs(self._pitch_steps(pitch, goal)) for _, pitch in self._stands] for goal in pitches])
        yaws = {yaw: k for k, yaw in enumerate(dict.fromkeys(yaw for yaw, _ in self._stands))}
        ways = self._panorama.ways
        find = self._short_costs if self._turning.all_open else self._open_costs
        costs = find(list(yaws)).reshape(len(ways), len(yaws))
        yaw = costs[:, [yaws[yaw] for yaw, _ in self._stands]]
        return np.asarray(yaw[:, None, :] + down[None, :, :] + up, np.float64)

    def _open_costs(self, stands: list[int]) -> NDArray[np.float64]:
        """Rotations of the yaw to stands, to the first look of each way of the panorama, and through it."""
        return np.array([[self._yaw_cost(*way, stand) for stand in stands] for way in self._panorama.ways])

    def _short_costs(self, stands: list[int]) -> NDArray[np.float64]:
        """The same where all turns are open, so that the short ways round are the fewest."""
        rotation, yaws = self._turning.actions.rotation, self._panorama.yaws.tolist()
        there = [abs(ways_round(self._current.yaw, yaws[stand], rotation)[0]) for stand in stands]
        onwards = np.array([[abs(ways_round(yaws[stand], yaw, rotation)[0]) for stand in stands] for yaw in yaws])
        first, further = np.array(self._panorama.ways, np.int64).T
        return np.asarray(onwards[first] + np.array(there) + np.abs(further)[:, None], np.float64)

    @property
    def _first_turns(self) -> NDArray[np.float64]:
        """Rotations to each of the stands, shape (stands,)."""
        rotation = self._turning.actions.rotation
        yaws = [abs(ways_round(self._current.yaw, float(self._panorama.yaws[k]), rotation)[0]) for k, _ in self._stands]
        pitches = [abs(self._pitch_steps(self._current.pitch, pitch)) for _, pitch in self._stands]
        return np.array(yaws, np.float64) + pitches

    def _pitch_steps(self, start: float | int, goal: int) -> int:
        """Rotations up from a pitch (rad, or an index) to that of an index."""
        pitches = self._panorama.pitches
        begin = float(pitches[start]) if isinstance(start, int) else start
        return round((float(pitches[goal]) - begin) / self._turning.actions.rotation)

    def _yaw_cost(self, first: int, further: int, stand: int) -> float:
        """Rotations of the yaw to a stand, to the first look of a sweep, and through it."""
        legs = self._legs_by(first, further, stand)
        return math.inf if legs is None else abs(legs[0]) + abs(legs[1]) + abs(further)

    def _legs_by(self, first: int, further: int, stand: int) -> tuple[int, int] | None:
        """Rotations of the yaw to a stand and on to the first look of a sweep; None where no way leads."""
        key = first, further, stand
        if key not in self._legs:
            rotation, yaws = self._turning.actions.rotation, self._panorama.yaws
            there = ways_round(self._current.yaw, float(yaws[stand]), rotation)
            onwards = ways_round(float(yaws[stand]), float(yaws[first]), rotation)
            options = sorted(product(there, onwards), key=lambda legs: abs(legs[0]) + abs(legs[1]))
            is_open = self._turning.is_open
            self._legs[key] = next(
                (legs for legs in options if is_open(self._cell, self._current.yaw, *legs, further)), None
            )
        return self._legs[key]
