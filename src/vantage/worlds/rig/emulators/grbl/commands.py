"""What an emulated controller does with a line: ``$`` commands and G-code, step by step while the motion goes on."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from vantage.worlds.rig.emulators.grbl import status_reports as grbl_reports
from vantage.worlds.rig.emulators.grbl.gcode import Dwell, Move, Pause, read_number
from vantage.worlds.rig.emulators.grbl.replies import Alarm
from vantage.worlds.rig.emulators.grbl.settings import RefusalError

if TYPE_CHECKING:
    from vantage.worlds.rig.emulators.grbl.controller import Controller

Job = Generator[Callable[[], bool], None, str]
_SETTING = re.compile(r"\$(\d+)=(.*)")
_RESTORED = ("$", "#", "*")  # settings, offsets, both


ROOM = 128  # bytes, as in Grbl; what comes beyond is lost
MOST_LINE = 80  # characters without blanks and comments
OVERFLOW = "\x00"  # stands for a line that was too long


class Input:
    """Bytes become lines in capitals, without blanks and comments."""

    def __init__(self) -> None:
        self._bytes: deque[int] = deque()
        self._line: list[str] = []
        self._comment = ""
        self._too_long = self._after_return = False

    @property
    def room(self) -> int:
        """Bytes that can come before some are lost."""
        return ROOM - len(self._bytes)

    def put(self, byte: int) -> None:
        if self.room:
            self._bytes.append(byte)

    def line(self) -> str | None:
        """The next whole line, if it has come; ``OVERFLOW`` for one that is too long."""
        while self._bytes:
            character = chr(self._bytes.popleft())
            if character == "\n" and self._after_return:
                self._after_return = False
                continue
            self._after_return = character == "\r"
            if character in "\r\n":
                line = OVERFLOW if self._too_long else "".join(self._line)
                self._line, self._comment, self._too_long = [], "", False
                return line
            self._add(character)
        return None

    def _add(self, character: str) -> None:
        if self._comment:
            if self._comment == "(" and character == ")":
                self._comment = ""
        elif character in "(;":
            self._comment = character
        elif character > " " and character != "/":
            if len(self._line) >= MOST_LINE - 1:
                self._too_long = True
            else:
                self._line.append(character.upper())


def execute(c: Controller, line: str) -> Job:
    """Carry out a line. Yields what has to be waited for; returns the answer, empty for none.

    Raises:
        RefusalError: answered with ``error:``.
    """
    if line == OVERFLOW:
        raise RefusalError(11)
    if line.startswith("$"):
        return (yield from _system(c, line))
    if line:
        if c.locked or c.state == "Jog":
            raise RefusalError(9)
        return (yield from _gcode(c, line))
    return "ok"


def _gcode(c: Controller, line: str) -> Job:
    for action in c.parser.read(line):
        if isinstance(action, Move):
            yield from _move(c, action)
        elif not c.checking:
            yield lambda: not c.motion.planner.blocks and not c.suspended
            yield from _wait(c, action)
        if c.locked:
            return ""
    return "ok"


def _move(c: Controller, move: Move) -> Generator[Callable[[], bool], None, None]:
    if c.motion.outside(move.target):
        c.motion.hold()
        yield lambda: not c.motion.planner.moving
        c.raise_alarm(Alarm.SOFT_LIMIT)
    elif not c.checking:
        yield lambda: c.motion.planner.free > 0 and not c.suspended
        c.motion.queue(move)


def _wait(c: Controller, action: Dwell | Pause) -> Generator[Callable[[], bool], None, None]:
    if isinstance(action, Dwell):
        until = c.now + action.seconds
        c.wake = until
        yield lambda: c.now >= until and not c.suspended
    elif action.end:
        c.parser.end_program()
        c.motion.planner.feed = c.motion.planner.rapid = 1.0
        c.say("[MSG:Pgm End]")
    else:
        c.suspended = "hold"
        yield lambda: not c.suspended


def _system(c: Controller, line: str) -> Job:
    if line.startswith("$J="):
        return (yield from _jog(c, line[3:]))
    if line == "$H" or (line[:2] == "$H" and line[2:] in [axis.letter for axis in c.axes]):
        return (yield from _home(c, line[2:]))
    setting = _SETTING.fullmatch(line)
    if setting is not None:
        _need_calm(c)
        c.settings.change(int(setting.group(1)), read_number(setting.group(2)))
        c.settings_changed()
    elif line.startswith("$RST="):
        return _restore(c, line[5:])
    elif line in _QUERIES:
        for answer in _QUERIES[line](c):
            c.say(answer)
    elif line == "$X":
        _unlock(c)
    elif line == "$C":
        return _check(c)
    elif line == "$SLP":
        _need_calm(c)
        c.say("[MSG:Sleeping]")
        c.sleeping, c.locked = True, False
    else:
        raise RefusalError(3)
    return "ok"


def _jog(c: Controller, line: str) -> Job:
    if c.state not in ("Idle", "Jog"):
        raise RefusalError(8)
    move = c.parser.jog(line)
    if c.motion.outside(move.target):
        raise RefusalError(15)
    yield lambda: c.motion.planner.free > 0 and not c.suspended
    c.parser.position = move.target
    c.motion.queue(move)
    return "ok"


def _home(c: Controller, letter: str) -> Job:
    if not c.settings.mask(22):
        raise RefusalError(5)
    _need_calm(c)
    if c.door_open:
        raise RefusalError(13)
    c.motion.home([i for i, axis in enumerate(c.axes) if not letter or axis.letter == letter])
    yield lambda: c.motion.homing is None
    return "" if c.locked else "ok"


def _need_calm(c: Controller) -> None:
    if c.state not in ("Idle", "Alarm"):
        raise RefusalError(8)


def _unlock(c: Controller) -> None:
    if c.door_open:
        raise RefusalError(13)
    if c.locked:
        c.locked = False
        c.say("[MSG:Caution: Unlocked]")


def _check(c: Controller) -> str:
    if c.checking:
        c.say("[MSG:Disabled]")
        c.say("ok")
        c.reset()
        return ""
    if c.state != "Idle":
        raise RefusalError(8)
    c.checking = True
    c.say("[MSG:Enabled]")
    return "ok"


def _restore(c: Controller, what: str) -> str:
    _need_calm(c)
    if what not in _RESTORED:
        raise RefusalError(3)
    if what in "$*":
        c.settings.restore()
        c.settings_changed()
    if what in "#*":
        c.parser.restore()
    c.say("[MSG:Restoring defaults]")
    c.say("ok")
    c.reset()
    return ""


def _settings(c: Controller) -> list[str]:
    _need_calm(c)
    return list(c.settings.lines())


def _build(c: Controller) -> list[str]:
    _need_calm(c)
    letters = "".join(axis.letter for axis in c.axes)
    return list(grbl_reports.build(c.firmware, letters, c.motion.planner.capacity, ROOM))


def _offsets(c: Controller) -> list[str]:
    _need_calm(c)
    return list(grbl_reports.offsets(c.parser, bool(c.settings.mask(13))))


_QUERIES: dict[str, Callable[[Controller], list[str]]] = {
    "$": lambda c: [grbl_reports.HELP],
    "$$": _settings,
    "$I": _build,
    "$#": _offsets,
    "$G": lambda c: [grbl_reports.modes(c.parser)],
}
