"""A line of G-code as words: letters with numbers, commands by modal group, values by letter (Grbl 1.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from vantage.worlds.rig.emulators.grbl_settings import RefusalError

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
