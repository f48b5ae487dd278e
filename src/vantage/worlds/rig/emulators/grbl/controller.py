"""An emulated Grbl 1.1 controller without a port: bytes and the time go in, lines and motion come out.

Its owner passes the time; everything that happened until then is computed event by event, so that motion is exact
however rarely that is.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable, Sequence

from vantage.worlds.rig.emulators.grbl import motion as grbl_motion, status_reports as grbl_reports
from vantage.worlds.rig.emulators.grbl.axes import Axis
from vantage.worlds.rig.emulators.grbl.commands import Input, Job, execute
from vantage.worlds.rig.emulators.grbl.gcode import Parser
from vantage.worlds.rig.emulators.grbl.motion import KEPT, Motion
from vantage.worlds.rig.emulators.grbl.replies import Alarm, Replies
from vantage.worlds.rig.emulators.grbl.settings import GrblSettings, RefusalError

RESET, STATUS, FEED_HOLD, RESUME = (0x18,), (ord("?"), 0x80), (ord("!"), 0x82), (ord("~"), 0x81)
SAFETY_DOOR, CANCEL, ALL_STATUS = 0x84, 0x85, 0x87
_STEPS = {0x91: 10, 0x92: -10, 0x93: 1, 0x94: -1, 0x9A: 10, 0x9B: -10, 0x9C: 1, 0x9D: -1}  # percent
_RAPID = {0x95: 1.0, 0x96: 0.5, 0x97: 0.25}
_LEAST, _MOST = 10, 200  # percent


def is_realtime(byte: int) -> bool:
    """Whether a byte never gets into a line."""
    return byte >= 0x80 or byte in RESET + STATUS + FEED_HOLD + RESUME


def execute_realtime(c: Controller, byte: int) -> None:
    """Execute a realtime command; nothing where the byte is none or does not fit the state."""
    jog = c.state == "Jog"
    if byte in RESET:
        c.reset()
    elif byte in (*STATUS, ALL_STATUS):
        if byte == ALL_STATUS:
            c.reports.refresh()
        c.say(c.reports.write(c))
    elif byte == CANCEL or (byte in FEED_HOLD and jog):
        if jog:
            c.cancel_jog()
    elif byte in FEED_HOLD:
        if not (c.motion.homing or c.locked or c.sleeping or c.checking or c.suspended):
            c.suspend("hold")
    elif byte in RESUME:
        if c.suspended and not c.motion.planner.moving and not c.door_open:
            c.resume()
    elif byte == SAFETY_DOOR:
        c.open_door(ajar=False)
    else:
        _override(c, byte)


def _override(c: Controller, byte: int) -> None:
    planner = c.motion.planner
    before = planner.feed, planner.rapid, c.spin
    if 0x90 <= byte <= 0x94:
        planner.feed = _changed(100 * planner.feed, byte) / 100
    elif byte in _RAPID:
        planner.rapid = _RAPID[byte]
    elif 0x99 <= byte <= 0x9D:
        c.spin = _changed(c.spin, byte)
    if (planner.feed, planner.rapid, c.spin) != before:
        c.reports.refresh()
        if planner.moving and not planner.holding:
            c.motion.resume()


def _changed(percent: float, byte: int) -> int:
    return min(max(round(percent) + _STEPS[byte], _LEAST), _MOST) if byte in _STEPS else 100


BLOCKS = 15
HOLD, DOOR = "hold", "door"


class Controller:
    """The state of the controller at ``now``. Not for several threads at once.

    Attributes:
        locked: Alarm: only ``$H`` and ``$X`` are taken. ``critical``: not even they, before a reset.
        suspended: ``hold`` or ``door`` while no line is read, else empty.
        spin: spindle override, percent.
        wake: when something that was asked for is to be looked at again.
        received: times at which each real-time byte came.
    """

    def __init__(
        self, axes: Sequence[Axis], now: float = 0.0, seed: int = 0, blocks: int = BLOCKS, firmware: str = "Grbl"
    ) -> None:
        self.axes = tuple(axes)
        self.firmware = grbl_reports.FIRMWARES[firmware]
        self.settings = GrblSettings(axes)
        self.motion = Motion(axes, self.settings, blocks, now)
        self.parser: Parser = Parser(axes)
        self.replies = Replies(seed)
        self.input = Input()
        self.reports = grbl_reports.StatusReports()
        self.now = now
        self.locked = self.critical = self.sleeping = self.checking = self.door_open = False
        self.suspended = ""
        self.spin = 100
        self.wake = math.inf
        self.received: dict[int, deque[float]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._job: Job | None = None
        self._ready: Callable[[], bool] = lambda: True
        self.power_up()

    @property
    def homed(self) -> bool:
        return len(self.motion.homed) == len(self.axes)

    @property
    def state(self) -> str:
        """As in status reports."""
        planner = self.motion.planner
        if self.motion.homing is not None:
            return "Home"
        if self.locked:
            return "Alarm"
        if self.sleeping:
            return "Sleep"
        if self.suspended == DOOR:
            return f"Door:{2 if planner.moving else 1 if self.door_open else 0}"
        jog = bool(planner.blocks) and planner.blocks[0].jog
        if self.suspended or (planner.holding and not jog):
            return f"Hold:{int(planner.moving)}"
        if self.checking:
            return "Check"
        return "Jog" if jog else "Run" if planner.blocks else "Idle"

    def say(self, line: str) -> None:
        self.replies.say(line, self.now)

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host that came at a time, or now where that has passed."""
        self.advance(now)
        for byte in data:
            if is_realtime(byte):
                self.received[byte].append(self.now)
                execute_realtime(self, byte)
            elif byte:
                self.input.put(byte)
            self._work()

    def next_event(self) -> float:
        """When the next event occurs without further input; infinity if none does."""
        block_end = self.motion.planner.block_end() if self._job is not None else None
        return min(self.wake, self.motion.next_event(), math.inf if block_end is None else block_end)

    def advance(self, now: float) -> None:
        """Reckon everything up to a time."""
        while (event := self.next_event()) <= now:
            self._to(event)
        self._to(max(now, self.now))

    def raise_alarm(self, alarm: Alarm) -> None:
        """Everything queued is lost; the position too, unless the motion had ended by braking."""
        self._halt(lost=alarm != Alarm.SOFT_LIMIT)
        self.locked, self.critical = True, alarm.critical
        self._job, self.suspended = None, ""
        self.say(f"ALARM:{alarm.value}")
        if self.critical:
            self.say("[MSG:Reset to continue]")

    def suspend(self, why: str) -> None:
        """Brake, and read no line before ``~``."""
        self.suspended = why
        self.motion.hold()

    def resume(self) -> None:
        self.suspended = ""
        self.motion.resume()

    def open_door(self, ajar: bool = True) -> None:
        """The safety door, or the byte that stands for it."""
        self.door_open = self.door_open or ajar
        if self.motion.homing is not None:
            self.raise_alarm(Alarm.HOMING_DOOR)
            self._restart()
        elif not (self.locked or self.sleeping or self.checking):
            self.say("[MSG:Check Door]")
            if self.state == "Jog":
                self.cancel_jog()
            self.suspend(DOOR)

    def cancel_jog(self) -> None:
        """Brake; further jogs that wait are forgotten."""
        self.input = Input()
        self._job = None
        self.motion.hold()
        self._sync()

    def reset(self) -> None:
        """Ctrl-X: at rest the position is kept, in motion it is lost."""
        if self.motion.moving:
            self.raise_alarm(Alarm.RESET_IN_MOTION if self.motion.homing is None else Alarm.HOMING_RESET)
        self._restart()

    def power_up(self) -> None:
        """Switch on, or restart by itself: the counters are 0 wherever the axes are."""
        self.motion.power_up()
        self.locked = bool(self.settings.mask(22))
        self._restart()

    def settings_changed(self) -> None:
        """Steps per mm may be others now; the axes stay, their coordinates too."""
        self.motion.mechanism.steps = self.settings.each("steps")
        self.reports.refresh()

    def _restart(self) -> None:
        """What every reset does."""
        self._halt(lost=False)
        self.input = Input()
        self.parser.reset()
        self.motion.planner.feed = self.motion.planner.rapid = 1.0
        self.spin = 100
        self._job, self.wake, self.suspended = None, math.inf, ""
        self.locked = self.locked or self.sleeping
        self.critical = self.sleeping = self.checking = False
        self.reports.refresh()
        self.say("")
        self.say(self.firmware.banner)
        if self.locked:
            self.say("[MSG:'$H'|'$X' to unlock]")
        elif self.door_open:
            self.open_door()

    def _halt(self, lost: bool) -> None:
        self.motion.halt(lost)
        self._sync()

    def _sync(self) -> None:
        """With nothing queued, the next motion starts from where the axes are; fractions of a step are kept."""
        planner, steps = self.motion.planner, self.motion.mechanism.steps
        gaps = (abs(a - b) * n for a, b, n in zip(self.parser.position, planner.position, steps, strict=True))
        if not planner.blocks and max(gaps) > 1.0:
            self.parser.position = planner.position

    def _to(self, now: float) -> None:
        self.now = now
        event = self.motion.advance(now)
        if event == grbl_motion.TRIPPED:
            self.raise_alarm(Alarm.HARD_LIMIT)
        elif event == grbl_motion.HOMING_FAILED and self.motion.homing is not None:
            self.raise_alarm(self.motion.homing.alarm)
            self._restart()
        elif event == grbl_motion.HOMED:
            self.locked = False
            self._sync()
        elif event == grbl_motion.RESTED and self._job is None:
            self._sync()
        if now >= self.wake:
            self.wake = math.inf
        self._work()

    def _work(self) -> None:
        """Read lines and go on with the one at hand until something has to be waited for."""
        while True:
            if self._job is None:
                line = None if self.suspended or self.critical or self.sleeping else self.input.line()
                if line is None:
                    return
                self._job, self._ready = execute(self, line), lambda: True
            if not self._ready():
                return
            try:
                self._ready = next(self._job)
                continue
            except StopIteration as end:
                answer = end.value
            except RefusalError as refusal:
                answer = f"error:{refusal.code}"
            self._job = None
            if not self.checking:
                self._sync()
            if answer:
                self.say(answer)
