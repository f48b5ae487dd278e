"""The viewpoints of one scene that are whole actions apart, and the fewest actions from one to another.

Positions are whole translations apart along the world's axes and collisions depend on the position alone, so the free
positions form a graph that is built once. Where translations follow the heading, they are all made at one heading at
which they lead along that graph; turns to it and on from it come on top by their number.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.errors import UsageError
from vantage.planning import OFFSETS, PITCH, YAW, ActionSpace, Offset, rotations
from vantage.spatial import Viewpoint, wrap_angle
from vantage.splats.space import OccupancyGrid
from vantage.types import Point
from vantage.worlds import MotionLimits

Whole = NDArray[np.int64]

_SLACK = 1e-6  # as in worlds.limits
_NEVER = 10**6  # actions to what cannot be reached


@dataclass(frozen=True, eq=False)
class Ways:
    """Ways from one viewpoint of a lattice to all: turns, then all translations at one heading, then further turns.

    Attributes:
        actions: (P, H) the fewest; -1 where no way leads.
        moves: (P, H) translations among them.
    """

    actions: Whole
    moves: Whole
    _lattice: ViewLattice
    _start: tuple[int, int]
    _group: Whole  # (P, H) of headings with the same translations, at one of which these are made
    _stands: Sequence[Whole]  # for each group (H,) the heading at which they are made on the way to each
    _distances: Sequence[Whole]  # for each group (P,)

    def names(self, position: int, heading: int) -> tuple[str, ...]:
        """The actions of one with the fewest; only to what can be reached."""
        lattice, (start, first) = self._lattice, self._start
        if position == start:
            return lattice.rotations(first, heading)
        group = int(self._group[position, heading])
        stand = int(self._stands[group][heading])
        way = lattice.way(self._distances[group], position, stand)
        return lattice.rotations(first, stand) + way + lattice.rotations(stand, heading)


@dataclass(frozen=True, eq=False)
class ViewLattice:
    """Free positions, the headings at each, and which translations lead from one position to the next.

    Attributes:
        positions: (P, 3), m, world frame.
        neighbours: (P, 6) where one translation along each of ``OFFSETS`` leads, -1 for nowhere.
        yaws, pitches: (H,) rad, all headings.
    """

    actions: ActionSpace
    positions: Floats
    neighbours: Whole
    yaws: Floats
    pitches: Floats
    turnable: bool = True

    @staticmethod
    def of(
        occupancy: OccupancyGrid, limits: MotionLimits, radius: float, actions: ActionSpace, anchor: Point
    ) -> ViewLattice:
        """All positions that are whole translations from an anchor and free for a body of a radius (m).

        Raises:
            UsageError: a full turn is no whole number of rotations.
        """
        circle = round(math.tau / actions.rotation)
        if abs(circle * actions.rotation - math.tau) > 1e-6:
            raise UsageError(
                f"actions.rotation is {actions.rotation} rad, of which a full turn is no multiple; "
                "divide 2 pi by a whole number"
            )
        axes = [
            _steps(low, high, middle, actions.translation)
            for low, high, middle in zip(limits.bounds_min, limits.bounds_max, anchor, strict=True)
        ]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        shape = grid.shape[:3]
        points = grid.reshape(-1, 3)
        free = np.array([occupancy.sphere_free(point, radius) for point in points], dtype=np.bool_)
        numbers = np.full(len(points), -1, dtype=np.int64)
        numbers[free] = np.arange(free.sum())
        neighbours = np.full((int(free.sum()), 6), -1, dtype=np.int64)
        if actions.translation <= limits.max_translation + _SLACK:
            _connect(neighbours, points, numbers.reshape(shape), occupancy, radius)
        up = math.floor((limits.pitch_max + _SLACK) / actions.rotation)
        down = math.floor((-limits.pitch_min + _SLACK) / actions.rotation)
        yaws, pitches = np.meshgrid(np.arange(circle), np.arange(-down, up + 1), indexing="ij")
        turnable = actions.rotation <= limits.max_rotation + _SLACK
        headings = [wrap_angle(float(k) * actions.rotation) for k in yaws.ravel()]
        return ViewLattice(
            actions,
            points[free],
            neighbours,
            np.array(headings),
            np.asarray(pitches.ravel() * actions.rotation, np.float64),
            turnable,
        )

    def ways(self, start: int, heading: int) -> Ways:
        """Ways from a position and a heading to all others."""
        from_here = self._between[heading]
        actions = np.full((len(self.positions), len(self.yaws)), _NEVER, dtype=np.int64)
        moves, chosen = np.zeros_like(actions), np.zeros_like(actions)
        stands, distances = [], []
        for number, (offsets, headings) in enumerate(self._groups):
            nearest_first = headings[np.argsort(from_here[headings], kind="stable")]
            detours = from_here[nearest_first][:, None] + self._between[nearest_first]
            stands.append(nearest_first[detours.argmin(axis=0)])
            distances.append(self.distances(start, offsets))
            moved = np.where(distances[-1] < 0, _NEVER, distances[-1])[:, None]
            fewer = moved + detours.min(axis=0) < actions
            actions = np.where(fewer, moved + detours.min(axis=0), actions)
            moves, chosen = np.where(fewer, moved, moves), np.where(fewer, number, chosen)
        actions[start], moves[start] = from_here, 0
        return Ways(np.where(actions < _NEVER, actions, -1), moves, self, (start, heading), chosen, stands, distances)

    def is_shortest(self, heading: int, actions: int) -> bool:
        """Whether no way at all from a heading to such views has fewer actions than the one that ``ways`` found.

        Translations at other headings lead to positions beside the lattice, and what is seen there is not known. Ways
        that are too short to have one after a turn are all known.
        """
        if self.actions.frame == "world":
            return True
        all_moves = self._groups[0][0] if self._groups else ()
        return actions <= (2 if len(self._moves(heading)) == len(all_moves) else 1)

    def distances(self, start: int, offsets: Collection[Offset] | None = None) -> Whole:
        """Fewest translations from a position to each, (P,); -1 where none lead.

        Args:
            offsets: that translations may have; None for all that the actions have at any heading.
        """
        wanted = {each for group, _ in self._groups for each in group} if offsets is None else offsets
        ways = [number for number, offset in enumerate(OFFSETS) if offset in wanted]
        found = np.full(len(self.positions), -1, dtype=np.int64)
        found[start] = 0
        edge = np.array([start], dtype=np.int64)
        steps = 0
        while len(edge):
            steps += 1
            reached = np.unique(self.neighbours[edge][:, ways])
            edge = reached[(reached >= 0) & (found[reached] < 0)]
            found[edge] = steps
        return found

    def turns(self, heading: int) -> Whole:
        """Rotations from a heading to each, (H,); -1 where none lead."""
        rotation = self.actions.rotation
        circle = round(math.tau / rotation)
        yaw = np.rint((self.yaws - self.yaws[heading]) / rotation).astype(np.int64) % circle
        pitch = np.abs(np.rint((self.pitches - self.pitches[heading]) / rotation)).astype(np.int64)
        turns = np.minimum(yaw, circle - yaw) + pitch
        closed = np.zeros(len(turns), dtype=np.bool_) if self.turnable else turns > 0
        for axis, steps in ((YAW, yaw), (PITCH, pitch)):
            if not {(axis, 1), (axis, -1)} <= set(self.actions.turns):
                closed |= steps > 0
        return np.where(closed, -1, turns)

    def level(self, yaw_steps: int) -> int:
        """The heading after some rotations to the left from yaw 0, looking straight ahead."""
        yaw = wrap_angle(yaw_steps * self.actions.rotation)
        off = np.abs([wrap_angle(float(value) - yaw) for value in self.yaws]) + np.abs(self.pitches)
        return int(off.argmin())

    def nearest(self, viewpoint: Viewpoint) -> tuple[int, int]:
        """The position and the heading that are nearest to a viewpoint, each for itself."""
        position = int(np.linalg.norm(self.positions - viewpoint.position, axis=1).argmin())
        off = [abs(wrap_angle(float(yaw) - viewpoint.yaw)) for yaw in self.yaws]
        return position, int((np.array(off) + np.abs(self.pitches - viewpoint.pitch)).argmin())

    def viewpoint(self, position: int, heading: int) -> Viewpoint:
        x, y, z = (float(value) for value in self.positions[position])
        return Viewpoint(x, y, z, float(self.yaws[heading]), float(self.pitches[heading]))

    def way(self, distances: Whole, goal: int, heading: int) -> tuple[str, ...]:
        """The translations, made at a heading, of a shortest way to a position, from where ``distances`` count."""
        moves = {offset: name for name, offset in self._moves(heading)}
        names: list[str] = []
        here = goal
        while distances[here] > 0:
            for number, offset in enumerate(OFFSETS):
                before = int(self.neighbours[here, number ^ 1])
                if before >= 0 and distances[before] == distances[here] - 1 and offset in moves:
                    names.append(moves[offset])
                    here = before
                    break
        return tuple(reversed(names))

    def rotations(self, start: int, goal: int) -> tuple[str, ...]:
        """The turns from one heading to another, the short way round, yaw first."""
        rotation = self.actions.rotation
        yaw = round(wrap_angle(float(self.yaws[goal] - self.yaws[start])) / rotation)
        pitch = round(float(self.pitches[goal] - self.pitches[start]) / rotation)
        return rotations(self.actions, yaw, pitch)

    def _moves(self, heading: int) -> tuple[tuple[str, Offset], ...]:
        """The translations that a heading allows along the lattice, and their offsets."""
        viewpoint = Viewpoint(0.0, 0.0, 0.0, float(self.yaws[heading]), float(self.pitches[heading]))
        return self.actions.lattice_moves(viewpoint)

    @cached_property
    def _groups(self) -> tuple[tuple[tuple[Offset, ...], Whole], ...]:
        """Headings by the offsets that translations have there, the most offsets first; none without any."""
        found: dict[tuple[Offset, ...], list[int]] = {}
        for heading in range(len(self.yaws)):
            offsets = tuple(sorted(offset for _, offset in self._moves(heading)))
            if offsets:
                found.setdefault(offsets, []).append(heading)
        ordered = sorted(found.items(), key=lambda item: -len(item[0]))
        return tuple((offsets, np.array(headings, np.int64)) for offsets, headings in ordered)

    @cached_property
    def _between(self) -> Whole:
        """(H, H) rotations from each heading to each other one."""
        turns = np.array([self.turns(heading) for heading in range(len(self.yaws))])
        return np.where(turns < 0, _NEVER, turns)

    @cached_property
    def directions(self) -> Floats:
        """(H, 3) unit vectors of the optical axes."""
        level = np.cos(self.pitches)
        return np.stack([level * np.cos(self.yaws), level * np.sin(self.yaws), np.sin(self.pitches)], axis=1)

    def towards(self, positions: Whole, center: Point, radius: float, half_cone: float) -> Flags:
        """From which of some positions (N,) which headings meet a sphere within a cone (rad), (N, H)."""
        way = np.array(center) - self.positions[positions]
        distance = np.linalg.norm(way, axis=1)
        ahead = way @ self.directions.T / np.maximum(distance, 1e-9)[:, None]
        wide = half_cone + np.arcsin(np.clip(radius / np.maximum(distance, 1e-9), 0.0, 1.0))
        inside = distance <= radius
        return np.asarray(inside[:, None] | (np.arccos(np.clip(ahead, -1.0, 1.0)) <= wide[:, None]))


def _steps(low: float, high: float, anchor: float, step: float) -> Floats:
    """All values within limits that are whole steps from an anchor."""
    first, last = math.ceil((low - anchor - _SLACK) / step), math.floor((high - anchor + _SLACK) / step)
    return np.asarray(anchor + step * np.arange(first, last + 1), np.float64)


def _connect(neighbours: Whole, points: Floats, numbers: Whole, occupancy: OccupancyGrid, radius: float) -> None:
    """Fill in where the six translations lead."""
    index = np.arange(numbers.size).reshape(numbers.shape)
    for axis in range(3):
        low, high = (np.moveaxis(index, axis, 0)[side].ravel() for side in (slice(None, -1), slice(1, None)))
        flat = numbers.ravel()
        both = (flat[low] >= 0) & (flat[high] >= 0)
        for a, b in zip(low[both], high[both], strict=True):
            if occupancy.path_free(points[a], points[b], radius):
                neighbours[flat[a], 2 * axis] = flat[b]
                neighbours[flat[b], 2 * axis + 1] = flat[a]
