"""Straight lines that a planner drives: how fast they may be driven, and how fast the corners between them.

Corner speeds follow the junction deviation of Grbl (S. Jeon, "Improving Grbl: Cornering Algorithm", 2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_STRAIGHT = 0.999999  # cosine between directions that count as one line
TINY = 1e-9  # mm or degrees


@dataclass(eq=False)
class Block:
    """A straight line in machine coordinates.

    Attributes:
        start, target: mm or degrees, one number an axis.
        speed: asked for, per s; capped by ``top``. Rapid blocks ask for infinity.
        top, acceleration: the most that every axis on this line can do, per s and s^2.
        entry: the most that the corner before it allows, per s.
        line: number given by the host, 0 for none.
    """

    start: tuple[float, ...]
    target: tuple[float, ...]
    speed: float
    top: float
    acceleration: float
    direction: tuple[float, ...]
    length: float
    entry: float = 0.0
    line: int = 0
    rapid: bool = False
    jog: bool = False

    def at(self, distance: float) -> tuple[float, ...]:
        """Where the axes are after so much of the line."""
        if distance >= self.length:
            return self.target
        return tuple(a + d * distance for a, d in zip(self.start, self.direction, strict=True))


def make_block(
    start: Sequence[float],
    target: Sequence[float],
    speed: float,
    rates: Sequence[float],
    accelerations: Sequence[float],
    **marks: bool | int,
) -> Block | None:
    """A block within what each axis can do, or None where there is no way to go."""
    way = [b - a for a, b in zip(start, target, strict=True)]
    length = math.sqrt(sum(w * w for w in way))
    if length < TINY:
        return None
    direction = tuple(w / length for w in way)
    block = Block(
        tuple(start),
        tuple(target),
        speed,
        _along(direction, rates),
        _along(direction, accelerations),
        direction,
        length,
    )
    for name, value in marks.items():
        setattr(block, name, value)
    return block


def _along(direction: Sequence[float], most: Sequence[float]) -> float:
    return min(m / abs(d) for m, d in zip(most, direction, strict=True) if d)


def junction_speed(before: Block, after: Block, accelerations: Sequence[float], deviation: float) -> float:
    """The most speed at which the corner between two blocks is taken; infinite on a straight line."""
    cosine = sum(a * b for a, b in zip(before.direction, after.direction, strict=True))
    if cosine >= _STRAIGHT:
        return math.inf
    if cosine <= -_STRAIGHT:
        return 0.0
    turn = [b - a for a, b in zip(before.direction, after.direction, strict=True)]
    size = math.sqrt(sum(t * t for t in turn))
    half = math.sqrt(0.5 * (1.0 + cosine))
    acceleration = _along([t / size for t in turn], accelerations)
    return math.sqrt(acceleration * deviation * half / (1.0 - half))
