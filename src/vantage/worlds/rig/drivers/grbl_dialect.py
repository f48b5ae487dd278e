"""The language of Grbl 1.1 as grblHAL and FluidNC speak it: what a controller says, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass

HOLD, RESET, ASK, ASK_ALL, FEED_100 = b"!", b"\x18", b"?", b"\x87", b"\x90"  # realtime: acted on wherever they stand
LETTERS = "XYZABC"  # axes in the order of reports and settings

_STATES = frozenset(["Idle", "Run", "Hold", "Jog", "Alarm", "Door", "Check", "Home", "Sleep", "Tool", "Starting"])
_AT_REST = frozenset({("Hold", 0), ("Door", 0), ("Door", 1)})
_CODE = re.compile(r"(error|ALARM):(\d{1,3})")
_SETTING = re.compile(r"\$([A-Za-z0-9_/]+)=(.*)")
_NUMBER = re.compile(r"-?\d+\.?\d*")
_BANNER = re.compile(r"grbl(?:hal)? \d+\.?\w*.*\[.*\]", re.IGNORECASE)


@dataclass(frozen=True)
class Ok:
    """The oldest unanswered line was taken."""


@dataclass(frozen=True)
class Error:
    """The oldest unanswered line was refused."""

    code: int


@dataclass(frozen=True)
class Alarm:
    """Everything has been shut down."""

    code: int


@dataclass(frozen=True)
class Setting:
    """One line of ``$$``, such as ``$110=5000.000``."""

    key: str
    value: str


@dataclass(frozen=True)
class Banner:
    """It has just started or been reset."""

    text: str


@dataclass(frozen=True)
class Message:
    """Anything in brackets: ``[VER:...]``, ``[MSG:...]``; or a start-up line that was run, after ``>``."""

    kind: str
    text: str


@dataclass(frozen=True)
class Garbage:
    """A line that no controller says."""

    text: str


@dataclass(frozen=True)
class Report:
    """The answer to ``?``.

    Attributes:
        state: ``Idle``, ``Run``, ``Hold``, ...
        part: the number after the state, such as 1 in ``Hold:1``; -1 for none.
        position: machine coordinates, mm or degrees, in the order of ``LETTERS``; None where it cannot be told.
        blocks: free places in the planner; -1 where that is not told.
        feed: override in percent, ``homed``: of grblHAL; None where they are not told, as in most reports.
    """

    state: str
    part: int = -1
    position: tuple[float, ...] | None = None
    blocks: int = -1
    feed: int | None = None
    homed: bool | None = None

    @property
    def resting(self) -> bool:
        """Nothing moves, and nothing will without a command."""
        return self.state in ("Idle", "Alarm", "Check", "Sleep") or (self.state, self.part) in _AT_REST


Reply = Ok | Error | Alarm | Setting | Banner | Message | Garbage | Report


def parse(line: bytes) -> Reply | None:
    """What one line says, without its end; None where it is empty."""
    try:
        text = line.decode("ascii").strip()
    except UnicodeDecodeError:
        return Garbage(_printable(line))
    if not text:
        return None
    if text == "ok":
        return Ok()
    if text.startswith("<"):
        return _report(text) or Garbage(_printable(line))
    if text.startswith("[") and text.endswith("]"):
        kind, _, rest = text[1:-1].partition(":")
        return Message(kind, rest)
    if text.startswith(">"):
        return Message(">", text[1:])
    code = _CODE.fullmatch(text)
    if code:
        return (Error if code[1] == "error" else Alarm)(int(code[2]))
    setting = _SETTING.fullmatch(text)
    if setting:
        return Setting(setting[1], setting[2])
    return Banner(text) if _BANNER.fullmatch(text) else Garbage(_printable(line))


def _report(text: str) -> Report | None:
    if not text.endswith(">"):
        return None
    head, *rest = text[1:-1].split("|")
    state, colon, part = head.partition(":")
    if state not in _STATES or (colon and not part.isdecimal()):
        return None
    fields: dict[str, str] = {}
    for item in rest:
        name, _, value = item.partition(":")
        if not name.isalnum() or name in fields:
            return None
        fields[name] = value
    try:
        return Report(
            state,
            int(part) if colon else -1,
            _position(fields),
            int(_numbers(fields["Bf"])[0]) if "Bf" in fields else -1,
            int(_numbers(fields["Ov"])[0]) if "Ov" in fields else None,
            fields["H"].startswith("1") if "H" in fields else None,
        )
    except ValueError:
        return None


def _position(fields: dict[str, str]) -> tuple[float, ...] | None:
    """Machine coordinates; those of the work are of use only where the offset is told along with them."""
    if "MPos" in fields:
        return _numbers(fields["MPos"])
    if "WPos" not in fields:
        raise ValueError("a report without a position")
    if "WCO" not in fields:
        return None
    work, offset = _numbers(fields["WPos"]), _numbers(fields["WCO"])
    return tuple(w + o for w, o in zip(work, offset, strict=True))


def _numbers(text: str) -> tuple[float, ...]:
    parts = text.split(",")
    if not all(_NUMBER.fullmatch(part) for part in parts):
        raise ValueError("expected numbers")
    return tuple(float(part) for part in parts)


def _printable(line: bytes) -> str:
    text = line.decode("ascii", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)[:80]
