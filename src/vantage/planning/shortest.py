"""The exact shortest action sequence from a viewpoint to any viewpoint that satisfies a predicate.

Translations follow the world's axes and collisions depend on the position alone, so the five-dimensional search splits:
breadth-first over positions, and for each position the turns by their number. Candidates are tested in order of their
total number of actions, so the first that satisfies the predicate is optimal and none dearer is ever tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from vantage.planning.actions import ActionSpace
from vantage.spatial import Viewpoint
from vantage.types import Point
from vantage.worlds.limits import MotionLimits

MoveFree = Callable[[Point, Point], bool]  # whether the body may move on a straight line, m
Lattice = tuple[int, int, int]

_SLACK = 1e-6  # as in worlds.limits
_MOVES: tuple[tuple[str, Lattice], ...] = (
    ("x+", (1, 0, 0)),
    ("x-", (-1, 0, 0)),
    ("y+", (0, 1, 0)),
    ("y-", (0, -1, 0)),
    ("z+", (0, 0, 1)),
    ("z-", (0, 0, -1)),
)


@dataclass(frozen=True)
class ShortestPath:
    """An optimal action sequence.

    Attributes:
        actions: translations first, then yaw, then pitch.
        goal: the viewpoint that the actions lead to.
        length: of the path, m.
    """

    actions: tuple[str, ...]
    goal: Viewpoint
    length: float


@dataclass(frozen=True)
class _Place:
    """A position of the lattice around the start and how it was reached first."""

    viewpoint: Viewpoint  # with the start's yaw and pitch
    came_by: str = ""
    before: _Place | None = None

    def actions(self) -> tuple[str, ...]:
        names: list[str] = []
        place: _Place | None = self
        while place is not None and place.before is not None:
            names.append(place.came_by)
            place = place.before
        return tuple(reversed(names))


@dataclass(frozen=True)
class _Heading:
    """An orientation and the turns that lead to it."""

    yaw: float
    pitch: float
    actions: tuple[str, ...]


def shortest_path(
    start: Viewpoint,
    space: ActionSpace,
    limits: MotionLimits,
    move_free: MoveFree,
    satisfies: Callable[[Viewpoint], bool],
    max_actions: int = 40,
) -> ShortestPath | None:
    """The shortest action sequence from ``start`` to a viewpoint that ``satisfies`` accepts.

    Ties are broken the same way every time: fewer translations first, then the order of ``ActionSpace.NAMES``.

    Args:
        move_free: whether the body, which is free at the first point, reaches the second; asked for neighbours only.
        satisfies: asked at most once for a viewpoint, in order of the number of actions to it.
        max_actions: longest sequence to consider.

    Returns:
        None where no sequence of up to ``max_actions`` actions leads to such a viewpoint.
    """
    shells = _shells(start, space, limits, move_free)
    reached: list[list[_Place]] = []
    turned: list[list[_Heading]] = []
    for total in range(max_actions + 1):
        reached.append(next(shells, []))
        turned.append(list(_headings(start, total, space, limits)))
        for moves in range(total + 1):
            for place in reached[moves]:
                for heading in turned[total - moves]:
                    viewpoint = replace(place.viewpoint, yaw=heading.yaw, pitch=heading.pitch)
                    if satisfies(viewpoint):
                        return ShortestPath(place.actions() + heading.actions, viewpoint, moves * space.translation)
    return None


def replay(start: Viewpoint, space: ActionSpace, actions: tuple[str, ...]) -> list[Viewpoint]:
    """The viewpoints that actions aim at one after the other, the start included."""
    viewpoints = [start]
    for action in actions:
        viewpoints.append(space.apply(action, viewpoints[-1]))
    return viewpoints


def _shells(start: Viewpoint, space: ActionSpace, limits: MotionLimits, move_free: MoveFree) -> Iterator[list[_Place]]:
    """The free positions by their distance from the start in translations: 0, 1, 2, ..."""
    known: set[Lattice] = {(0, 0, 0)}
    shell: list[tuple[Lattice, _Place]] = [((0, 0, 0), _Place(start))]
    can_move = space.translation <= limits.max_translation + _SLACK
    while shell:
        yield [place for _, place in shell]
        following: list[tuple[Lattice, _Place]] = []
        for (i, j, k), place in shell if can_move else []:
            for name, (di, dj, dk) in _MOVES:
                index = (i + di, j + dj, k + dk)
                if index in known:
                    continue
                target = space.apply(name, place.viewpoint)
                if limits.pose_violation(target) is None and move_free(_point(place.viewpoint), _point(target)):
                    known.add(index)
                    following.append((index, _Place(target, name, place)))
        shell = following


def _headings(start: Viewpoint, turns: int, space: ActionSpace, limits: MotionLimits) -> Iterator[_Heading]:
    """The orientations that take exactly ``turns`` actions, whatever the position."""
    if turns > 0 and space.rotation > limits.max_rotation + _SLACK:
        return
    for yaw in _yaw_steps(turns, space.rotation):
        pitch = turns - abs(yaw)
        for sign in (1, -1) if pitch else (1,):
            actions = ("yaw+" if yaw > 0 else "yaw-",) * abs(yaw) + ("pitch+" if sign > 0 else "pitch-",) * pitch
            end = replay(start, space, actions)[-1]
            if limits.pitch_min - _SLACK <= end.pitch <= limits.pitch_max + _SLACK:
                yield _Heading(end.yaw, end.pitch, actions)


def _yaw_steps(most: int, rotation: float) -> Iterator[int]:
    """Signed yaw steps of up to ``most``, none of which is reached the other way round with fewer or as many."""
    circle = round(math.tau / rotation)
    if abs(circle * rotation - math.tau) > 1e-9:
        yield from range(most, -most - 1, -1)  # the full circle is no multiple of a step: every count is a new heading
        return
    yield from range(min(most, circle // 2), -min(most, (circle - 1) // 2) - 1, -1)


def _point(viewpoint: Viewpoint) -> Point:
    return viewpoint.x, viewpoint.y, viewpoint.z
