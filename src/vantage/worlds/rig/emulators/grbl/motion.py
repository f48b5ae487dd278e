"""Motion of an emulated controller: planner, homing and machine together, with soft limits, switches and measures."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from vantage.worlds.rig.emulators.grbl.axes import Axis, Mechanism
from vantage.worlds.rig.emulators.grbl.gcode import Move
from vantage.worlds.rig.emulators.grbl.homing import Homing
from vantage.worlds.rig.emulators.grbl.planner import Planner, make_block
from vantage.worlds.rig.emulators.grbl.settings import GrblSettings

TRIPPED, RESTED, HOMED, HOMING_FAILED = "tripped", "rested", "homed", "homing failed"  # events
KEPT = 10_000  # times that are remembered
_TINY = 1e-6  # mm or degrees
_OVERSHOOT = 0.25  # of the braking distance: what a motor runs on when its steps end at once


class Motion:
    """Moves the axes up to ``now``.

    Attributes:
        homed: axes whose coordinates can be trusted, by number.
        rest_times: when motions ended.
        longest_queue: the most s that motion would have gone on for without any further word from the host.
    """

    def __init__(self, axes: Sequence[Axis], settings: GrblSettings, blocks: int, now: float) -> None:
        self.axes, self.settings = tuple(axes), settings
        self.mechanism = Mechanism(axes, settings.each("steps"))
        self.planner = Planner(blocks, (0.0,) * len(axes))
        self.homing: Homing | None = None
        self.homed: set[int] = set()
        self.now = now
        self.rest_times: deque[float] = deque(maxlen=KEPT)
        self.longest_queue = 0.0
        self._sticking = False
        self._trip = math.inf
        self._targets: tuple[int, ...] = ()

    @property
    def moving(self) -> bool:
        return self.planner.moving or self.homing is not None

    def next_event(self) -> float:
        """When something happens next; infinity if nothing does."""
        end = math.inf if self.planner.end is None else self.planner.end
        return min(self._trip, end, math.inf if self.homing is None else self.homing.end)

    def advance(self, now: float) -> str:
        """Go on to a time, not beyond ``next_event``; the event that happened then, empty for none."""
        self.now = now
        moved = self.planner.moving
        self.planner.advance(now)
        if self.homing is not None:
            self.homing.advance(now)
            if self.homing.done:
                self._end_homing(self.homing)
                return HOMED
            return HOMING_FAILED if self.homing.alarm else ""
        self.mechanism.follow(self.planner.position)
        if now >= self._trip:
            return TRIPPED
        if moved and not self.planner.moving:
            self._rest()
            return RESTED
        return ""

    def queue(self, move: Move) -> None:
        """Put a motion into the planner, which has room for it."""
        start, target = self.planner.last, self._stepped(move.target)
        rates, accelerations = self.settings.each("rates"), self.settings.each("accelerations")
        speed = (math.dist(start, target) if move.inverse else 1.0) * move.rate / 60.0
        marks = {"line": move.line, "rapid": move.rapid, "jog": move.jog}
        block = make_block(start, target, speed, rates, accelerations, **marks)
        if block is not None:
            self.planner.add(block, self.now, accelerations, self.settings[11])
            self._replanned()

    def hold(self) -> None:
        """Brake along the path."""
        self.planner.hold(self.now)
        if self.planner.blocks and not self.planner.moving:
            self._rest()
        self._replanned()

    def resume(self) -> None:
        """Go on after a hold, or with other overrides."""
        self.planner.resume(self.now)
        self._replanned()

    def halt(self, lost: bool) -> None:
        """Stand still at once with nothing to do. ``lost``: steps went missing, so that coordinates are wrong now."""
        if lost:
            self.homed.clear()
            if self.planner.moving:
                block = self.planner.blocks[0]
                way = _OVERSHOOT * self.planner.speed**2 / (2.0 * block.acceleration)
                self.mechanism.lose([way * d for d in block.direction])
        if self.moving:
            self.rest_times.append(self.now)
        self.homing, self._trip = None, math.inf
        self.planner.clear(self.mechanism.resync())

    def power_up(self) -> None:
        """The counters are 0 wherever the axes are."""
        self.halt(lost=False)
        self.homed.clear()
        self.mechanism.forget()
        self.planner.clear(self.mechanism.resync())

    def home(self, axes: Sequence[int]) -> None:
        """Start the homing cycle: Z first, then the others together."""
        groups = [[i for i in axes if (self.axes[i].letter == "Z") is first] for first in (True, False)]
        self.homed -= set(axes)
        self._targets = tuple(axes)
        self.homing = Homing(self.mechanism, self.settings, [group for group in groups if group], self.now)
        self._replanned()

    def stick(self) -> None:
        """From now on, the axis that moves most does not follow; where none moves, the next one that would."""
        self._sticking = True
        self._replanned()

    def free(self) -> None:
        """The stuck axis follows again."""
        self._sticking, self.mechanism.stuck = False, None
        self._replanned()

    def rates(self) -> list[float]:
        """Commanded speed of each axis now, mm/s or degrees/s."""
        under_way = {} if self.homing is None else self.homing.rates()
        if self.planner.moving:
            under_way = {i: self.planner.speed * d for i, d in enumerate(self.planner.blocks[0].direction)}
        return [under_way.get(i, 0.0) for i in range(len(self.axes))]

    def outside(self, target: Sequence[float]) -> bool:
        """Whether soft limits forbid a target; they hold for axes that have homed."""
        if not self.settings.mask(20):
            return False
        for i in self.homed:
            low, high = self._range(i)
            if not low - 0.5 / self.mechanism.steps[i] <= target[i] <= high + 0.5 / self.mechanism.steps[i]:
                return True
        return False

    def _range(self, i: int) -> tuple[float, float]:
        """What soft limits allow: the travel ($130), from the end where the axis homes."""
        axis, travel = self.axes[i], self.settings.each("travels")[i]
        down = self.settings.mask(23) >> i & 1
        return (axis.lower, axis.lower + travel) if down else (axis.upper - travel, axis.upper)

    def _stepped(self, target: Sequence[float]) -> tuple[float, ...]:
        """The nearest whole steps, within the soft limits where they hold."""
        found = []
        for i, value in enumerate(target):
            steps = self.mechanism.steps[i]
            step = round(value * steps)
            if i in self.homed and self.settings.mask(20):
                low, high = self._range(i)
                step = min(max(step, math.ceil(low * steps - _TINY)), math.floor(high * steps + _TINY))
            found.append(step / steps)
        return tuple(found)

    def _rest(self) -> None:
        """Jogs that were held are over; where axes did not follow, the counters agree with the encoders again."""
        self.rest_times.append(self.now)
        planner = self.planner
        if planner.blocks and planner.blocks[0].jog:
            planner.clear(self.mechanism.resync())
        elif not planner.blocks:
            position = self.mechanism.resync()
            slipped = math.dist(position, planner.position) > _TINY
            planner.clear(position if slipped else None)

    def _end_homing(self, homing: Homing) -> None:
        position = list(self.mechanism.reading())
        for i in self._targets:
            self.mechanism.datum[i] = 0.0
            position[i] = homing.place(self.axes[i], i)
        self.homed |= set(self._targets)
        self.homing = None
        self.rest_times.append(self.now)
        self.mechanism.resync()
        self.planner.clear(self._stepped(position))

    def _replanned(self) -> None:
        """After a change of the plan: when is it over, does it trip a switch, which axis gets stuck in it?"""
        planner = self.planner
        if self._sticking and self.mechanism.stuck is None and self.moving:
            rates = [abs(d) for d in planner.blocks[0].direction] if planner.moving else []
            self.mechanism.stuck = rates.index(max(rates)) if self.homing is None else self.homing.under_way[0]
        if self.homing is not None:
            self.homing.refresh()
        if planner.end is not None and not planner.holding:
            self.longest_queue = max(self.longest_queue, planner.end - self.now)
        self._trip = self._next_trip() if self.settings.mask(21) and planner.moving else math.inf

    def _next_trip(self) -> float:
        for block in self.planner.blocks:
            way = self.mechanism.crossing(block.start, block.direction, block.length)
            if way is not None:
                time = self.planner.time_at(block, way)
                return math.inf if time is None else max(time, self.now)
        return math.inf
