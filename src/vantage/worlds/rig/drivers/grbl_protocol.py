"""The Grbl 1.1 protocol as grblHAL and FluidNC speak it: lines of a controller, and texts of error and alarm codes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ERRORS = {
    1: "a word without its letter",
    2: "a letter without a proper number",
    3: "an unknown '$' command",
    4: "a negative number where a positive one is needed",
    5: "homing is not enabled",
    6: "the step pulse is too short",
    7: "its stored settings could not be read and were replaced by defaults",
    8: "a '$' command while it was not idle",
    9: "G-code is locked out by an alarm",
    10: "soft limits need homing",
    11: "the line is too long",
    12: "the step rate of a setting is too high",
    13: "the safety door is open",
    14: "a start-up line is too long",
    15: "the jog target lies beyond the travel",
    16: "a jog command with other G-code in it",
    17: "laser mode needs a PWM output",
    18: "it was reset",
    20: "an unknown G-code command",
    21: "two commands of one modal group",
    22: "no feed rate",
    23: "a command needs a whole number",
    24: "two commands that need axis words",
    25: "a word was repeated",
    26: "no axis words where they are needed",
    27: "a wrong line number",
    28: "a value is missing",
    29: "the work coordinate system does not exist",
    30: "G53 needs G0 or G1",
    31: "axis words that nothing uses",
    32: "an arc without axis words in its plane",
    33: "an impossible target",
    34: "a wrong arc radius",
    35: "an arc without offsets in its plane",
    36: "words that nothing uses",
    37: "a tool length offset on the wrong axis",
    38: "the tool number is too high",
}
_HAL_ERRORS = {
    39: "a value out of range",
    45: "a limit switch is engaged; only homing is allowed",
    46: "it must be homed first",
    49: "its self-test failed",
    50: "its emergency stop is engaged",
    51: "a motor driver reports a fault",
}
_ALARMS = {
    1: "a limit switch was hit; the position is lost",
    2: "a target lies beyond its soft limits",
    3: "it was reset while moving; the position is lost",
    4: "the probe is not in its initial state",
    5: "the probe touched nothing",
    6: "homing was interrupted by a reset",
    7: "the safety door was opened during homing",
    8: "homing could not leave a limit switch; check its wiring and $27",
    9: "homing found no limit switch; check its wiring and the travel $130 to $135",
}
_HAL_ALARMS = {
    10: "its emergency stop is engaged; release it",
    11: "it must be homed first",
    12: "a limit switch is engaged; move the axis off it",
    13: "the probe protection tripped",
    14: "the spindle did not reach its speed",
    15: "homing found no second limit switch of a squared axis",
    16: "its self-test failed",
    17: "a motor driver reports a fault",
    18: "the homing settings contradict each other",
}
_FLUID_ALARMS = {
    10: "the spindle did not obey",
    11: "an input was active at start-up",
    12: "it cannot tell which limit switch is engaged",
    13: "its emergency stop is engaged; release it",
    14: "it must be homed first",
    15: "it has just started",
    16: "an input expander restarted",
    17: "a G-code error",
    18: "the probe hit its hard limit",
}
_POSITION_KEPT = frozenset({2, 4, 5})  # alarms after which the controller still knows where it is

GRBL, GRBLHAL, FLUIDNC = "Grbl", "grblHAL", "FluidNC"


def error_text(code: int, firmware: str = GRBL) -> str:
    """What ``error:code`` says, in words."""
    more = _HAL_ERRORS if firmware == GRBLHAL else {}
    return _ERRORS.get(code) or more.get(code) or f"see error {code} in the manual of {firmware}"


def alarm_text(code: int, firmware: str = GRBL) -> str:
    """What ``ALARM:code`` says, in words."""
    more = {GRBLHAL: _HAL_ALARMS, FLUIDNC: _FLUID_ALARMS}.get(firmware, {})
    return _ALARMS.get(code) or more.get(code) or f"see alarm {code} in the manual of {firmware}"


def alarm_keeps_position(code: int) -> bool:
    """Whether the position can be trusted after an alarm; where that is not known, it cannot."""
    return code in _POSITION_KEPT


# Realtime bytes: acted on wherever they stand
HOLD, RESET, FEED_100 = b"!", b"\x18", b"\x90"
STATUS_QUERY, FULL_STATUS_QUERY = b"?", b"\x87"
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
        position: machine coordinates, mm or degrees, in the order of ``LETTERS``; None where it is not reported.
        blocks: free places in the planner; -1 where that is not reported.
        feed: override in percent, ``homed``: of grblHAL; None where they are not reported, as in most reports.
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
    """Machine coordinates; those of the work are of use only where the offset is reported along with them."""
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
