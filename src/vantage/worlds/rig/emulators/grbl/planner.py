"""Look-ahead planning of straight blocks: trapezoidal speed profiles that always end at rest, in closed form.

Corner speeds follow the junction deviation of Grbl (S. Jeon, "Improving Grbl: Cornering Algorithm", 2011).
"""

from __future__ import annotations

import math
from collections import deque
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


@dataclass(frozen=True, eq=False)
class _Piece:
    """Constant acceleration on one block for ``duration`` s from time ``begin`` on."""

    block: Block
    begin: float
    duration: float
    distance: float
    speed: float
    acceleration: float

    @property
    def end(self) -> float:
        return self.begin + self.duration

    def state(self, t: float) -> tuple[float, float]:
        """Distance along the block and speed, ``t`` s after ``begin``."""
        t = min(t, self.duration)
        speed = max(0.0, self.speed + self.acceleration * t)
        return self.distance + 0.5 * (self.speed + speed) * t, speed


class Planner:
    """Blocks on their way. Times are s on one clock and never go back.

    Attributes:
        position: where the motor counters are at ``advance``'s last time.
        speed: along the path, then.
        blocks: the one under way and those after it.
        end: when the motion comes to rest (the block's end or that of a hold); None while at rest.
        feed, rapid: overrides, 1.0 for none.
    """

    def __init__(self, capacity: int, position: Sequence[float]) -> None:
        self.capacity = capacity
        self.position = tuple(position)
        self.speed = 0.0
        self.blocks: deque[Block] = deque()
        self.holding = False
        self.feed = self.rapid = 1.0
        self._distance = 0.0
        self._pieces: deque[_Piece] = deque()

    @property
    def free(self) -> int:
        return self.capacity - len(self.blocks)

    @property
    def end(self) -> float | None:
        return self._pieces[-1].end if self._pieces else None

    @property
    def moving(self) -> bool:
        return bool(self._pieces)

    @property
    def last(self) -> tuple[float, ...]:
        """Where the blocks end."""
        return self.blocks[-1].target if self.blocks else self.position

    def block_end(self) -> float | None:
        """When the block under way is done; None while at rest or in a hold that ends within it."""
        for piece in self._pieces:
            if piece.block is not self.blocks[0]:
                return piece.begin
        return None if self.holding else self.end

    def time_at(self, block: Block, distance: float) -> float | None:
        """When the motion gets so far on a block; None if it comes to rest before."""
        for piece in self._pieces:
            if piece.block is block and piece.state(piece.duration)[0] >= distance - TINY:
                way = max(0.0, distance - piece.distance)
                root = math.sqrt(max(0.0, piece.speed**2 + 2.0 * piece.acceleration * way))
                return min(piece.end, piece.begin + (2.0 * way / (piece.speed + root) if way else 0.0))
        return None

    def add(self, block: Block, now: float, accelerations: Sequence[float], deviation: float) -> None:
        """Append a block that starts where the last one ends."""
        self.advance(now)
        if self.blocks:
            block.entry = junction_speed(self.blocks[-1], block, accelerations, deviation)
        self.blocks.append(block)
        if not self.holding:
            self._plan(now)

    def advance(self, now: float) -> None:
        """Go on to a time."""
        while self._pieces and self._pieces[0].end <= now:
            piece = self._pieces.popleft()
            self._reach(piece, piece.duration)
            if not self._pieces:
                self._rest()
            while self._pieces and self.blocks[0] is not self._pieces[0].block:
                self._next()
        if self._pieces:
            self._reach(self._pieces[0], max(0.0, now - self._pieces[0].begin))

    def hold(self, now: float) -> None:
        """Brake along the path as hard as each block allows."""
        self.advance(now)
        self.holding = True
        speed, distance, begin = self.speed, self._distance, now
        self._pieces.clear()
        for block in self.blocks:
            if speed <= 0.0:
                break
            left = block.length - distance
            rest = math.sqrt(max(0.0, speed**2 - 2.0 * block.acceleration * left))
            begin = self._append(block, begin, distance, speed, rest, -block.acceleration)
            speed, distance = rest, 0.0

    def resume(self, now: float) -> None:
        """Go on after a hold, or change the speed after an override."""
        self.advance(now)
        self.holding = False
        self._plan(now)

    def clear(self, position: Sequence[float] | None = None) -> None:
        """At rest at once, with nothing to do; ``position`` puts the counters elsewhere."""
        self.blocks.clear()
        self._pieces.clear()
        self.holding, self.speed, self._distance = False, 0.0, 0.0
        if position is not None:
            self.position = tuple(position)

    def _reach(self, piece: _Piece, t: float) -> None:
        self._distance, self.speed = piece.state(t)
        self.position = piece.block.at(self._distance)

    def _next(self) -> None:
        self.position = self.blocks.popleft().target
        self._distance = 0.0

    def _rest(self) -> None:
        """After the last piece: all is done, or a hold has ended on the way."""
        self.speed = 0.0
        while self.blocks and (not self.holding or self._distance >= self.blocks[0].length - TINY):
            self._next()

    def _nominal(self, block: Block) -> float:
        return min(block.top, block.top * self.rapid if block.rapid else block.speed * self.feed)

    def _plan(self, now: float) -> None:
        blocks = list(self.blocks)
        self._pieces.clear()
        if not blocks:
            return
        lengths = [block.length for block in blocks]
        lengths[0] -= self._distance
        most = [self._nominal(block) for block in blocks]
        exits = [0.0] * len(blocks)
        for i in range(len(blocks) - 1, 0, -1):
            fastest = math.sqrt(exits[i] ** 2 + 2.0 * blocks[i].acceleration * lengths[i])
            exits[i - 1] = min(blocks[i].entry, most[i], most[i - 1], fastest)
        speed, distance, begin = self.speed, self._distance, now
        for block, length, cruise, leave in zip(blocks, lengths, most, exits, strict=True):
            reach = 2.0 * block.acceleration * length
            leave = min(max(leave, math.sqrt(max(0.0, speed**2 - reach))), math.sqrt(speed**2 + reach))
            begin = self._trapezoid(block, begin, distance, length, speed, cruise, leave)
            speed, distance = leave, 0.0

    def _trapezoid(
        self, block: Block, begin: float, distance: float, length: float, enter: float, cruise: float, leave: float
    ) -> float:
        a = block.acceleration
        top = min(max(cruise, leave), math.sqrt(0.5 * (enter**2 + leave**2) + a * length))
        if enter > cruise:
            top = max(cruise, leave)
        top = max(top, min(enter, leave))
        change = abs(top**2 - enter**2) / (2.0 * a)
        level = length - change - abs(top**2 - leave**2) / (2.0 * a)
        begin = self._append(block, begin, distance, enter, top, a if top > enter else -a)
        if level > 0.0 and top > 0.0:
            self._pieces.append(_Piece(block, begin, level / top, distance + change, top, 0.0))
            begin += level / top
        return self._append(block, begin, distance + change + max(0.0, level), top, leave, -a if leave < top else a)

    def _append(self, block: Block, begin: float, distance: float, enter: float, leave: float, a: float) -> float:
        duration = abs(leave - enter) / abs(a)
        if duration > 0.0:
            self._pieces.append(_Piece(block, begin, duration, distance, enter, a))
        return begin + duration
