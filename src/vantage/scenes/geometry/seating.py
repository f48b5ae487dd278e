"""Where a thing can be put on, in or beside another one, found from the geometry of their primitives alone.

A thing stands on a level face, within its outline, and its box enters nothing. Boxes are taken in the frame of the
place, so that a place that is turned loses no room; the box of what is turned against it is larger than that thing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.geometry.solids import Array, Flags, Shape, Solid
from vantage.scenes.geometry.support import encloses
from vantage.scenes.spec import ObjectSpec
from vantage.types import Point

_TRIES = 25  # places along each side of a face
_DEPTH = 0.002  # m: what enters something less deeply does not
_EDGE = 0.005  # m between a thing and the edge of its face
_PROBE = 0.01  # m: a cube that shows whether a face is inside of something
_BESIDE = (0.02, 0.30)  # m: gaps between a thing and what it stands beside
_TURNS = (0.0, 0.5 * math.pi)  # rad, to the place


@dataclass(frozen=True)
class Seat:
    """Where the frame of a thing is put, m and rad in the world."""

    position: Point
    yaw: float


@dataclass(frozen=True)
class _Face:
    """A level face in the frame of its owner: corners of its box at its height, m, and whether it is an ellipse."""

    low: Array
    high: Array
    round: bool


def can_hold(place: ObjectSpec, inside: bool) -> bool:
    """Whether an object has any level face on it, or inside of it."""
    return bool(_faces(place, inside))


def seat_of(thing: ObjectSpec, place: ObjectSpec, others: Iterable[ObjectSpec], inside: bool) -> Seat | None:
    """A free place for a thing on or in an object; None where it does not fit anywhere.

    The largest face on which it fits is taken, and there the place nearest to its middle.

    Args:
        others: all that may be in the way, with or without the two.
        inside: whether it is put in rather than on.
    """
    own = Shape.of(place.parts).placed((0.0, 0.0, 0.0), 0.0)
    hollow = own.shape.hollow
    blocked = _boxes(others, place, (thing.instance_id, place.instance_id))
    solid = ~hollow if inside else np.ones(len(hollow), dtype=np.bool_)
    low, high = (np.concatenate(sides) for sides in zip(blocked, (own.low[solid], own.high[solid]), strict=True))
    for face in _faces(place, inside):
        for turn in _TURNS:
            box = _box(thing, turn)
            spots = _spots(face, box)
            free = _free(spots, box, low, high)
            if inside:
                free &= _contained(spots, box, own, place)
            if free.any():
                return _seat(spots[int(np.argmax(free))], turn, place)
    return None


def seat_beside(
    thing: ObjectSpec, place: ObjectSpec, support: ObjectSpec | None, others: Iterable[ObjectSpec], floor: float
) -> Seat | None:
    """A free place for a thing next to an object, on what carries that; None where there is none.

    Args:
        support: what carries the object; None for the floor.
        others: all that may be in the way, the object and the building too.
        floor: height of the floor, m.
    """
    frame = place if support is None else support
    low, high = _boxes(others, frame, (thing.instance_id, *(() if support is None else (support.instance_id,))))
    [(near_low, near_high)] = zip(*(side[None] for side in _bounds(place, frame)), strict=True)
    if support is None:
        reach = max(np.ptp(_box(thing, 0.0), axis=0)[:2]) + _BESIDE[1]
        level = floor - frame.position[2]
        faces = [_Face(np.append(near_low[:2] - reach, level), np.append(near_high[:2] + reach, level), False)]
    else:
        own = Shape.of(support.parts).placed((0.0, 0.0, 0.0), 0.0)
        low, high = (
            np.concatenate(sides) for sides in ((low, own.low[~own.shape.hollow]), (high, own.high[~own.shape.hollow]))
        )
        base = float(near_low[2])
        faces = [face for face in _all_faces(own, support) if abs(float(face.low[2]) - base) <= 0.01]
    for face in faces:
        for turn in _TURNS:
            box = _box(thing, turn)
            spots = _spots(face, box)
            apart = np.maximum(near_low[:2] - (spots[:, :2] + box[1, :2]), spots[:, :2] + box[0, :2] - near_high[:2])
            gaps = np.hypot(*np.maximum(apart, 0.0).T)
            free = _free(spots, box, low, high) & (gaps >= _BESIDE[0]) & (gaps <= _BESIDE[1])
            if free.any():
                nearest = np.where(free, gaps.round(3), np.inf)
                return _seat(spots[int(np.argmin(nearest))], turn, frame)
    return None


def _faces(place: ObjectSpec, inside: bool) -> list[_Face]:
    """Level faces inside of an object, or those that are not, the largest first."""
    own = Shape.of(place.parts).placed((0.0, 0.0, 0.0), 0.0)
    solid, probe = Solid.of(place), _probe(place)
    found = []
    for face in _all_faces(own, place):
        middle = 0.5 * (face.low + face.high) + np.array([0.0, 0.0, 0.5 * _PROBE])
        seat = _seat(middle, 0.0, place)
        if encloses(place, solid, probe.placed(seat.position, seat.yaw)) == inside:
            found.append(face)
    return found


def _probe(place: ObjectSpec) -> Shape:
    cube = np.full((1, 3), 0.5 * _PROBE)
    no = np.zeros(1, dtype=np.bool_)
    return Shape(np.zeros((1, 3)), cube, no, no, np.zeros(1), no)


def _all_faces(own: Solid, place: ObjectSpec) -> list[_Face]:
    """Tops of what is solid, and bottoms of boxes that are hollow; the largest first, of equals the highest."""
    faces = []
    for k, part in enumerate(place.parts):
        if own.shape.leaning[k] or own.shape.angles[k] or (part.shape in ("ellipsoid", "cone") and not part.open_faces):
            continue
        hollow = bool(own.shape.hollow[k])
        if hollow and (part.shape != "box" or "z-" in part.open_faces):
            continue
        level = own.low[k, 2] if hollow else own.high[k, 2]
        low, high = own.low[k].copy(), own.high[k].copy()
        low[2] = high[2] = level
        faces.append(_Face(low, high, part.is_round))
    return sorted(faces, key=lambda face: (-round(float(np.prod((face.high - face.low)[:2])), 4), -float(face.low[2])))


def _box(thing: ObjectSpec, turn: float) -> Array:
    """Low and high corner (2, 3) of a thing about its origin, turned by an angle."""
    return Shape.of(thing.parts).placed((0.0, 0.0, 0.0), turn).bounds


def _spots(face: _Face, box: Array) -> Array:
    """Places (N, 3) of a thing's origin on a face, those nearest to the middle of the face first."""
    low, high = face.low[:2] - box[0, :2] + _EDGE, face.high[:2] - box[1, :2] - _EDGE
    if (low > high).any():
        return np.zeros((0, 3))
    x, y = (np.linspace(low[k], high[k], _TRIES) for k in (0, 1))
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    middle, half = 0.5 * (face.low + face.high)[:2], 0.5 * (face.high - face.low)[:2]
    offsets = places + 0.5 * (box[0, :2] + box[1, :2]) - middle
    if face.round:
        corner = np.abs(offsets) + 0.5 * (box[1, :2] - box[0, :2])
        within = ((corner / half) ** 2).sum(axis=1) <= 1.0
        places, offsets = places[within], offsets[within]
    order = np.argsort(np.hypot(*offsets.T).round(6), kind="stable")
    return np.column_stack([places[order], np.full(len(order), face.low[2] - box[0, 2])])


def _free(spots: Array, box: Array, low: Array, high: Array) -> Flags:
    """At which places (N,) the box of a thing enters none of other boxes (M, 3)."""
    shared = np.minimum(spots[:, None] + box[1], high) - np.maximum(spots[:, None] + box[0], low)
    free: Flags = ~(shared > _DEPTH).all(axis=2).any(axis=1)
    return free


def _contained(spots: Array, box: Array, own: Solid, place: ObjectSpec) -> Flags:
    """At which places (N,) a thing stays within the hollow boxes of the place that its face lies in."""
    kept = np.ones(len(spots), dtype=np.bool_)
    if not len(spots):
        return kept
    base = float(spots[0, 2] + box[0, 2])
    middle = spots[:, :2].mean(axis=0)
    for k, part in enumerate(place.parts):
        around = (own.low[k, :2] < middle).all() and (own.high[k, :2] > middle).all()
        if not own.shape.hollow[k] or part.shape != "box" or not around:
            continue
        if own.low[k, 2] - _DEPTH <= base < own.high[k, 2]:
            kept &= (spots[:, :2] + box[0, :2] >= own.low[k, :2]).all(axis=1)
            kept &= (spots[:, :2] + box[1, :2] <= own.high[k, :2]).all(axis=1)
            if "z+" not in part.open_faces:
                kept &= spots[:, 2] + box[1, 2] <= own.high[k, 2]
    return kept


def _boxes(others: Iterable[ObjectSpec], frame: ObjectSpec, without: Sequence[int]) -> tuple[Array, Array]:
    """Corners (M, 3) of the boxes around all parts of other objects, in the frame of one."""
    lows, highs = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for other in others:
        if other.instance_id not in without:
            placed = _placed(other, frame)
            lows.append(placed.low)
            highs.append(placed.high)
    return np.concatenate(lows), np.concatenate(highs)


def _bounds(obj: ObjectSpec, frame: ObjectSpec) -> Array:
    return _placed(obj, frame).bounds


def _placed(obj: ObjectSpec, frame: ObjectSpec) -> Solid:
    """An object in the frame of another."""
    c, s = math.cos(frame.yaw), math.sin(frame.yaw)
    x, y, z = np.subtract(obj.position, frame.position).tolist()
    return Shape.of(obj.parts, obj.is_structure).placed((c * x + s * y, c * y - s * x, z), obj.yaw - frame.yaw)


def _seat(spot: Array, turn: float, frame: ObjectSpec) -> Seat:
    c, s = math.cos(frame.yaw), math.sin(frame.yaw)
    x, y, z = spot.tolist()
    position = (
        round(frame.position[0] + c * x - s * y, 9),
        round(frame.position[1] + s * x + c * y, 9),
        round(frame.position[2] + z, 9),
    )
    return Seat(position, frame.yaw + turn)
