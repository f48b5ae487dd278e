"""The G-code interpreter of an emulated controller (Grbl 1.1): words of a line, modal state, offsets, motion."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from vantage.worlds.rig.emulators.grbl.axes import Axis
from vantage.worlds.rig.emulators.grbl.settings import RefusalError

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)")
_VALUES = "FIJKLNPQRST"
_NEVER_NEGATIVE = "FPST"
_GROUPS = {
    **dict.fromkeys(("G4", "G10", "G28", "G28.1", "G30", "G30.1", "G53", "G92", "G92.1"), "once"),
    **dict.fromkeys(("G0", "G1", "G80"), "motion"),
    **dict.fromkeys(("G17", "G18", "G19"), "plane"),
    **dict.fromkeys(("G90", "G91"), "distance"),
    **dict.fromkeys(("G93", "G94"), "feed"),
    **dict.fromkeys(("G20", "G21"), "units"),
    **dict.fromkeys(("G54", "G55", "G56", "G57", "G58", "G59"), "system"),
    **{"G40": "cutter", "G49": "length", "G61": "path", "G91.1": "arcs"},
    **dict.fromkeys(("M0", "M2", "M30"), "program"),
    **dict.fromkeys(("M3", "M4", "M5"), "spindle"),
    **dict.fromkeys(("M7", "M8", "M9"), "coolant"),
}
_NEEDS_AXES = ("G10", "G28.1", "G30.1", "G92")
_TAKES_AXES = ("G10", "G28", "G30", "G92")
MOST_LINE = 9_999_999


@dataclass
class Words:
    """What one line says.

    Attributes:
        commands: by modal group.
        values: by letter, axes included.
        axes: letters of axes that have a value.
    """

    commands: dict[str, str] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    axes: tuple[str, ...] = ()

    @property
    def once(self) -> str:
        return self.commands.get("once", "")


def read_number(text: str) -> float:
    """A plain decimal number; exponents are none of G-code.

    Raises:
        RefusalError: something else.
    """
    if not _NUMBER.fullmatch(text):
        raise RefusalError(2)
    return float(text)


def read_words(line: str, letters: Sequence[str]) -> Words:
    """Read a line that is stripped of blanks and comments and is in capitals.

    Args:
        letters: of the axes that the controller has.

    Raises:
        RefusalError: with the code of Grbl for what is wrong with it.
    """
    words = Words()
    place = 0
    while place < len(line):
        letter = line[place]
        if not "A" <= letter <= "Z":
            raise RefusalError(1)
        match = _NUMBER.match(line, place + 1)
        if match is None:
            raise RefusalError(2)
        _take(words, letter, float(match.group()), letters)
        place = match.end()
    words.axes = tuple(letter for letter in letters if letter in words.values)
    _check_axes(words)
    return words


def _take(words: Words, letter: str, value: float, letters: Sequence[str]) -> None:
    if letter in "GM":
        name = f"{letter}{value:g}"
        if letter == "M" and value != int(value):
            raise RefusalError(23)
        group = _GROUPS.get(name)
        if group is None:
            raise RefusalError(20)
        if group in words.commands:
            raise RefusalError(21)
        words.commands[group] = name
        return
    if letter not in _VALUES and letter not in letters:
        raise RefusalError(20)
    if letter in words.values:
        raise RefusalError(25)
    if letter == "N" and not (0 <= value <= MOST_LINE and value == int(value)):
        raise RefusalError(27)
    if letter in _NEVER_NEGATIVE and value < 0:
        raise RefusalError(4)
    words.values[letter] = value


def _check_axes(words: Words) -> None:
    """Axis words belong to one command only."""
    once = words.once
    if once in _TAKES_AXES and words.commands.get("motion") in ("G0", "G1"):
        raise RefusalError(24)
    if once in _NEEDS_AXES and not words.axes and not once.endswith(".1"):
        raise RefusalError(26)
    if words.axes and words.commands.get("motion") == "G80" and once not in _TAKES_AXES:
        raise RefusalError(31)


_INCH = 25.4  # mm
_JOG_COMMANDS = {"G20", "G21", "G90", "G91", "G53"}
_MODAL = ("motion", "system", "plane", "units", "distance", "feed", "spindle", "coolant")
SYSTEMS = ("G54", "G55", "G56", "G57", "G58", "G59")
STORED = ("G28", "G30")


@dataclass(frozen=True)
class Modes:
    """What stays in force from line to line. ``rate`` is mm or degrees per min; NaN while undefined."""

    motion: str = "G0"
    system: str = "G54"
    plane: str = "G17"
    units: str = "G21"
    distance: str = "G90"
    feed: str = "G94"
    spindle: str = "M5"
    coolant: str = "M9"
    rate: float = math.nan
    tool: int = 0
    spin: float = 0.0


@dataclass(frozen=True)
class Move:
    """Go straight to ``target`` (machine coordinates) with ``rate`` per min; ``inverse``: in 1 / rate min."""

    target: tuple[float, ...]
    rate: float = math.inf
    inverse: bool = False
    rapid: bool = False
    jog: bool = False
    line: int = 0


@dataclass(frozen=True)
class Dwell:
    """Wait so many s once all motion has ended."""

    seconds: float


@dataclass(frozen=True)
class Pause:
    """Once all motion has ended: a hold (M0), or the end of the program (M2, M30)."""

    end: bool


Action = Move | Dwell | Pause


class Parser:
    """Turns lines into actions.

    Attributes:
        modes: in force.
        position: machine coordinates where the last motion ends; set it after a motion that was cut short.
        offsets: of each coordinate system and stored positions; they outlive resets.
        shift: of G92.
        offset_changed: whether anybody should be told of new offsets.
    """

    def __init__(self, axes: Sequence[Axis]) -> None:
        self._axes = tuple(axes)
        self._letters = [axis.letter for axis in axes]
        self.position = self.zeros
        self.offsets: dict[str, tuple[float, ...]] = {}
        self.restore()
        self.reset()

    @property
    def zeros(self) -> tuple[float, ...]:
        return (0.0,) * len(self._axes)

    @property
    def offset(self) -> tuple[float, ...]:
        """Machine coordinates of the work zero."""
        return tuple(a + b for a, b in zip(self.offsets[self.modes.system], self.shift, strict=True))

    def restore(self) -> None:
        """Forget all offsets and stored positions."""
        self.offsets = dict.fromkeys((*SYSTEMS, *STORED), self.zeros)

    def reset(self) -> None:
        """Modes as after power-up."""
        self.modes = Modes()
        self.shift = self.zeros
        self.offset_changed = True

    def end_program(self) -> None:
        """What M2 and M30 put back."""
        self.modes = replace(
            self.modes, motion="G1", system="G54", plane="G17", distance="G90", feed="G94", spindle="M5", coolant="M9"
        )
        self.offset_changed = True

    def jog(self, line: str) -> Move:
        """The motion of ``$J=``; modes and position stay as they are.

        Raises:
            RefusalError: it holds anything but axes, a feed rate, a line number and a few modes.
        """
        words = read_words(line, self._letters)
        if set(words.commands.values()) - _JOG_COMMANDS or set(words.values) - {"F", "N", *words.axes}:
            raise RefusalError(16)
        if not words.axes:
            raise RefusalError(26)
        modes = self._modes(replace(self.modes, feed="G94", rate=math.nan), words)
        if not modes.rate > 0.0:
            raise RefusalError(22)
        return Move(self._target(words, modes), modes.rate, jog=True, line=int(words.values.get("N", 0)))

    def read(self, line: str) -> list[Action]:
        """The actions of a line, in order. The modes and the position change as if all of it were done.

        Raises:
            RefusalError: the line is wrong; nothing has changed.
        """
        words = read_words(line, self._letters)
        modes = self._modes(self.modes, words)
        self._check(words, modes)
        if modes.system != self.modes.system:
            self.offset_changed = True
        self.modes = modes
        return list(self._actions(words, modes))

    def _actions(self, words: Words, modes: Modes) -> Iterator[Action]:
        number = int(words.values.get("N", 0))
        once = words.once
        if once == "G4":
            yield Dwell(words.values["P"])
        elif once in STORED:
            if words.axes:
                yield self._go(self._target(words, modes), line=number, rapid=True)
            home = self.offsets[once]
            keep = words.axes or self._letters
            stored = zip(self._letters, home, self.position, strict=True)
            yield self._go(tuple(h if a in keep else p for a, h, p in stored), line=number, rapid=True)
        elif once in ("G10", "G28.1", "G30.1", "G92", "G92.1"):
            self._store(words, modes)
        elif words.axes:
            rapid = modes.motion == "G0"
            inverse = not rapid and modes.feed == "G93"
            target = self._target(words, modes)
            yield self._go(target, math.inf if rapid else modes.rate, inverse, rapid, line=number)
        program = words.commands.get("program")
        if program is not None:
            yield Pause(end=program != "M0")

    def _go(
        self,
        target: tuple[float, ...],
        rate: float = math.inf,
        inverse: bool = False,
        rapid: bool = False,
        line: int = 0,
    ) -> Move:
        self.position = target
        return Move(target, rate, inverse, rapid, line=line)

    def _modes(self, modes: Modes, words: Words) -> Modes:
        named: dict[str, Any] = {group: words.commands[group] for group in _MODAL if group in words.commands}
        modes = replace(modes, **named)
        values = words.values
        if "feed" in words.commands or modes.feed == "G93":
            modes = replace(
                modes, rate=math.nan if modes.feed != self.modes.feed or modes.feed == "G93" else modes.rate
            )
        if "F" in values:
            inch = _INCH if modes.units == "G20" and modes.feed == "G94" else 1.0
            modes = replace(modes, rate=values["F"] * inch)
        if "T" in values:
            modes = replace(modes, tool=int(values["T"]))
        return replace(modes, spin=values["S"]) if "S" in values else modes

    def _check(self, words: Words, modes: Modes) -> None:
        once, used = words.once, {"F", "N", "S", "T", *words.axes}
        if once == "G4":
            used.add("P")
            if "P" not in words.values:
                raise RefusalError(28)
        if once == "G10":
            used |= {"P", "L"}
            if not {"P", "L"} <= set(words.values):
                raise RefusalError(28)
            if words.values["L"] not in (2, 20):
                raise RefusalError(20)
            if words.values["P"] not in range(len(SYSTEMS) + 1):
                raise RefusalError(29)
        if once == "G53" and modes.motion not in ("G0", "G1"):
            raise RefusalError(30)
        moves = words.axes and once not in ("G10", "G28", "G28.1", "G30", "G30.1", "G92", "G92.1")
        if moves and modes.motion == "G80":
            raise RefusalError(31)
        if moves and modes.motion == "G1" and not modes.rate > 0.0:
            raise RefusalError(22)
        if set(words.values) - used:
            raise RefusalError(36)

    def _lengths(self, words: Words, modes: Modes) -> list[float | None]:
        """One an axis, mm or degrees; None where the line does not name it."""
        inch = _INCH if modes.units == "G20" else 1.0
        return [
            None if axis.letter not in words.values else words.values[axis.letter] * (1.0 if axis.rotary else inch)
            for axis in self._axes
        ]

    def _target(self, words: Words, modes: Modes) -> tuple[float, ...]:
        offset = self.zeros if words.once == "G53" else self._offset(modes)
        found = zip(self._lengths(words, modes), self.position, offset, strict=True)
        if modes.distance == "G91" and words.once != "G53":
            return tuple(p if value is None else p + value for value, p, _ in found)
        return tuple(p if value is None else o + value for value, p, o in found)

    def _offset(self, modes: Modes) -> tuple[float, ...]:
        return tuple(a + b for a, b in zip(self.offsets[modes.system], self.shift, strict=True))

    def _store(self, words: Words, modes: Modes) -> None:
        lengths = self._lengths(words, modes)
        once = words.once
        if once in ("G28.1", "G30.1"):
            self.offsets[once[:3]] = self.position
            return
        self.offset_changed = True
        if once == "G92.1":
            self.shift = self.zeros
            return
        base = self.offsets[modes.system]
        if once == "G92":
            found = zip(lengths, self.position, base, self.shift, strict=True)
            self.shift = tuple(s if value is None else p - b - value for value, p, b, s in found)
            return
        number = int(words.values["P"])
        name = SYSTEMS[number - 1] if number else modes.system
        old = self.offsets[name]
        if words.values["L"] == 2:
            self.offsets[name] = tuple(o if v is None else v for v, o in zip(lengths, old, strict=True))
        else:
            found = zip(lengths, self.position, old, self.shift, strict=True)
            self.offsets[name] = tuple(o if value is None else p - s - value for value, p, o, s in found)
