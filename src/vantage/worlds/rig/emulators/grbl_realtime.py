"""The bytes that an emulated controller obeys at once, wherever they stand among others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vantage.worlds.rig.emulators.grbl_controller import Controller

RESET, STATUS, HOLD, RESUME = (0x18,), (ord("?"), 0x80), (ord("!"), 0x82), (ord("~"), 0x81)
DOOR, CANCEL, ALL_STATUS = 0x84, 0x85, 0x87
_STEPS = {0x91: 10, 0x92: -10, 0x93: 1, 0x94: -1, 0x9A: 10, 0x9B: -10, 0x9C: 1, 0x9D: -1}  # percent
_RAPID = {0x95: 1.0, 0x96: 0.5, 0x97: 0.25}
_LEAST, _MOST = 10, 200  # percent


def is_realtime(byte: int) -> bool:
    """Whether a byte never gets into a line."""
    return byte >= 0x80 or byte in RESET + STATUS + HOLD + RESUME


def obey(c: Controller, byte: int) -> None:
    """Do what a byte asks for; nothing where it fits neither the state nor any meaning."""
    jog = c.state == "Jog"
    if byte in RESET:
        c.reset()
    elif byte in (*STATUS, ALL_STATUS):
        if byte == ALL_STATUS:
            c.reports.refresh()
        c.say(c.reports.write(c))
    elif byte == CANCEL or (byte in HOLD and jog):
        if jog:
            c.cancel_jog()
    elif byte in HOLD:
        if not (c.motion.homing or c.locked or c.sleeping or c.checking or c.suspended):
            c.suspend("hold")
    elif byte in RESUME:
        if c.suspended and not c.motion.planner.moving and not c.door_open:
            c.resume()
    elif byte == DOOR:
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
