"""Which detection shows which known object, where the perceiver gives no identities.

Each pair has a cost in the manner of a negative log-likelihood: how far the box of the visible surface lies from the
known one, as a multiple of the expected error, and how badly the words agree. Of one view, each object has at most one
detection, and all are assigned together (Kuhn 1955, in the shortest-path form of Jonker and Volgenant 1987). That keeps
books apart that stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception import label_confusions
from vantage.perception.compiled import compiled
from vantage.perception.object_categories import BUILDING
from vantage.types import Detection, Point

_SPREAD, _SPREAD_PIXELS, _MOST_SPREAD = 0.015, 2000, 0.06  # m, pixels, m


def spread_of(pixels: Any) -> Any:
    """Expected error (m, standard deviation) of a position of which no simulator vouches, by the pixels it rests on:
    one number or an array of them."""
    return np.minimum(_MOST_SPREAD, _SPREAD * np.sqrt(_SPREAD_PIXELS / np.maximum(pixels, 1)))


@dataclass(frozen=True)
class Sighting:
    """One sighting, or what all sightings of an object together say.

    Attributes:
        low, high: of the visible surface, world frame, m.
        spread: expected error of these, m.
        whole: clear of the image border.
        room: the kind of room that a floor belongs to.
    """

    low: Point
    high: Point
    spread: float
    whole: bool
    label: str
    color: str
    material: str
    shape: str
    room: str

    @cached_property
    def row(self) -> tuple[float, ...]:
        """Low and high corner, spread, share of the box that may be hidden, and slack where boxes cross: 9 numbers."""
        partial = _WHOLE if self.whole else _PARTIAL
        return *self.low, *self.high, self.spread, partial, _BUILDING_CROSS if self.label in BUILDING else _CROSS

    @staticmethod
    def of(detection: Detection) -> Sighting:
        """As one view shows it."""
        return Sighting(
            detection.bounds_min,
            detection.bounds_max,
            float(spread_of(detection.pixels)),
            not detection.truncated,
            detection.label,
            detection.color,
            detection.material,
            detection.shape,
            detection.room,
        )


NEW = 9.0  # cost of a detection that is of an object not known yet

_IMPOSSIBLE = 1e6
_RESIDUAL = 0.01  # m by which boxes of one object differ even without noise
_PARTIAL, _WHOLE = 0.5, 0.25  # share of the shorter side by which a box may be shifted because part of it is hidden
_CROSS, _BUILDING_CROSS = 0.3, 0.05  # m
_MOST_CROSS = 3.0
_NEAR_FLOOR = 0.05  # m between two parts of one floor
_NEIGHBOURS, _SECOND_NEIGHBOURS = 2.5, 5.0  # cost of labels that are taken for each other, and of those once removed
_COLOR, _NEAR_COLOR, _MATERIAL, _SHAPE = 3.0, 2.0, 1.5, 1.0  # cost of words that differ

Floats = NDArray[np.float64]


def costs(seen: Sequence[Sighting], known: Sequence[Sighting], limit: float = NEW) -> Floats:
    """Cost of each pair, shape (len(seen), len(known)); no less than ``limit`` where it is not worth knowing."""
    if not seen or not known:
        return np.full((len(seen), len(known)), _IMPOSSIBLE)
    found = _box_costs(np.array([item.row for item in seen]), np.array([item.row for item in known]))
    for i, j in np.argwhere(found < limit).tolist():
        found[i, j] += _word_cost(seen[i], known[j])
    floors = [j for j, other in enumerate(known) if other.label == "floor"]
    for i, one in enumerate(seen):
        for j in floors if one.label == "floor" else ():
            if _is_one_floor(one, known[j]):
                found[i, j] = 0.0
    return found


def assign(pairs: Floats) -> list[int | None]:
    """For each row of a cost matrix (N, M) the column it belongs to, or None where a new one is cheaper."""
    rows, columns = pairs.shape
    used = np.flatnonzero((pairs < NEW).any(axis=0)) if columns else np.zeros(0, np.int64)
    matrix = np.full((rows, len(used) + rows), NEW)
    matrix[:, : len(used)] = np.minimum(pairs[:, used], _IMPOSSIBLE)
    return [int(used[column]) if column < len(used) else None for column in _shortest_paths(matrix)]


def _is_one_floor(one: Sighting, other: Sighting) -> bool:
    """Whether two floors overlap and are of rooms of one kind: seen parts of one floor may share no more than that."""
    if not one.room or one.room != other.room:
        return False
    return all(one.low[k] < other.high[k] + _NEAR_FLOOR and other.low[k] < one.high[k] + _NEAR_FLOOR for k in (0, 1))


@compiled
def _box_costs(boxes: Floats, known_boxes: Floats) -> Floats:
    found = np.empty((len(boxes), len(known_boxes)))
    for i in range(len(boxes)):
        for j in range(len(known_boxes)):
            box, known = boxes[i], known_boxes[j]
            variance = box[6] ** 2 + known[6] ** 2 + _RESIDUAL**2
            partial, cross = max(box[7], known[7]), min(box[8], known[8])
            cost, beyond, known_beyond = 0.0, 0.0, 0.0
            for axis in range(3):
                low, high = box[axis], box[axis + 3]
                known_low, known_high = known[axis], known[axis + 3]
                gap = max(0.0, low - known_high, known_low - high)
                shorter = min(high - low, known_high - known_low)
                sticks_out = max(0.0, known_low - low) + max(0.0, high - known_high)
                known_sticks_out = max(0.0, low - known_low) + max(0.0, known_high - high)
                shift = min(sticks_out, known_sticks_out, 0.5 * abs(low + high - known_low - known_high))
                cost += gap**2 / variance + shift**2 / (variance + (partial * shorter) ** 2)
                overlap = max(0.0, min(high, known_high) - max(low, known_low))
                beyond = max(beyond, sticks_out / (overlap + cross))
                known_beyond = max(known_beyond, known_sticks_out / (overlap + cross))
                if cost >= NEW:
                    break
            if min(beyond, known_beyond) > _MOST_CROSS:  # like two walls that meet in a corner
                cost = _IMPOSSIBLE
            found[i, j] = cost
    return found


def _word_cost(seen: Sighting, known: Sighting) -> float:
    if seen.label == known.label:
        cost = 0.0 if seen.room == known.room else _IMPOSSIBLE
    elif label_confusions.alike(seen.label, known.label):
        cost = _NEIGHBOURS
    elif any(label_confusions.alike(label, known.label) for label in label_confusions.LABELS.get(seen.label, ())):
        cost = _SECOND_NEIGHBOURS
    else:
        return _IMPOSSIBLE
    if seen.color and known.color and seen.color != known.color:
        cost += _NEAR_COLOR if known.color in label_confusions.COLORS.get(seen.color, ()) else _COLOR
    if seen.material and known.material and seen.material != known.material:
        cost += _MATERIAL
    if seen.shape and known.shape and seen.shape != known.shape:
        cost += _SHAPE
    return cost


@compiled
def _shortest_paths(matrix: Floats) -> NDArray[np.int64]:
    """The column of each row (N, M >= N) in the assignment of least total cost."""
    rows, columns = matrix.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    row_of = np.zeros(columns + 1, dtype=np.int64)  # 1-based; 0 stands for none
    before = np.zeros(columns + 1, dtype=np.int64)
    for row in range(1, rows + 1):
        row_of[0] = row
        column = 0
        slack = np.full(columns + 1, np.inf)
        visited = np.zeros(columns + 1, dtype=np.bool_)
        while row_of[column] != 0:
            visited[column] = True
            current, step, following = row_of[column], np.inf, 0
            for other in range(1, columns + 1):
                if visited[other]:
                    continue
                reduced = matrix[current - 1, other - 1] - row_price[current] - column_price[other]
                if reduced < slack[other]:
                    slack[other], before[other] = reduced, column
                if slack[other] < step:
                    step, following = slack[other], other
            for other in range(columns + 1):
                if visited[other]:
                    row_price[row_of[other]] += step
                    column_price[other] -= step
                else:
                    slack[other] -= step
            column = following
        while column != 0:
            row_of[column] = row_of[before[column]]
            column = before[column]
    found = np.empty(rows, dtype=np.int64)
    for column in range(1, columns + 1):
        if row_of[column] != 0:
            found[row_of[column] - 1] = column - 1
    return found
