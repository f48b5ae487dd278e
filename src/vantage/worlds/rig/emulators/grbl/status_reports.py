"""Reports of an emulated controller: status reports, ``$G``, ``$#`` and ``$I``, as in Grbl 1.1."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vantage.worlds.rig.emulators.grbl import settings as mask
from vantage.worlds.rig.emulators.grbl.gcode import Parser

if TYPE_CHECKING:
    from vantage.worlds.rig.emulators.grbl.controller import Controller


@dataclass(frozen=True)
class Firmware:
    """How a controller introduces itself."""

    banner: str
    version: str
    more: tuple[str, ...] = ()


FIRMWARES = {
    "Grbl": Firmware("Grbl 1.1h ['$' for help]", "1.1h"),
    "grblHAL": Firmware("GrblHAL 1.1f ['$' or '$HELP' for help]", "1.1f", ("[FIRMWARE:grblHAL]",)),
}
HELP = "[HLP:$$ $# $G $I $x=val $J=line $RST=$ $SLP $C $X $H ~ ! ? ctrl-x]"
_BUSY, _CALM = 30, 10  # reports between two that hold the work offset
_INCH = 25.4


class StatusReports:
    """Writes the answers to ``?``; offsets and overrides come now and then, or after they have changed."""

    def __init__(self) -> None:
        self._until_offsets = self._until_overrides = 0
        self._homed: bool | None = None

    def refresh(self) -> None:
        """Show everything in the next reports."""
        self._until_offsets = self._until_overrides = 0
        self._homed = None

    def write(self, controller: Controller) -> str:
        """One report."""
        settings, parser, planner = controller.settings, controller.parser, controller.motion.planner
        shown = settings.mask(10)
        inches = 1.0 / _INCH if settings.mask(13) else 1.0
        place = controller.motion.mechanism.reading()
        if not shown & mask.MPOS:
            place = tuple(a - b for a, b in zip(place, parser.offset, strict=True))
        fields = [controller.state, f"{'MPos' if shown & mask.MPOS else 'WPos'}:{_numbers(place, inches)}"]
        if shown & mask.BUFFERS:
            fields.append(f"Bf:{planner.free},{controller.input.room}")
        if shown & mask.LINES and planner.blocks and planner.blocks[0].line:
            fields.append(f"Ln:{planner.blocks[0].line}")
        if shown & mask.FEED:
            fields.append(f"FS:{60.0 * planner.speed * inches:.0f},{parser.modes.spin:.0f}")
        pins = "".join(controller.motion.mechanism.axes[i].letter for i in controller.motion.mechanism.triggered())
        pins += "D" if controller.door_open else ""
        if shown & mask.PINS and pins:
            fields.append(f"Pn:{pins}")
        return f"<{'|'.join(fields + self._now_and_then(controller, shown, inches))}>"

    def _now_and_then(self, controller: Controller, shown: int, inches: float) -> list[str]:
        parser, fields = controller.parser, []
        if parser.offset_changed:
            self._until_offsets, parser.offset_changed = 0, False
        pause = _BUSY if controller.motion.planner.moving else _CALM
        if shown & mask.OFFSETS and self._until_offsets <= 0:
            fields.append(f"WCO:{_numbers(parser.offset, inches)}")
            self._until_offsets, self._homed = pause, None
            self._until_overrides = max(1, self._until_overrides)
        elif shown & mask.OVERRIDES and self._until_overrides <= 0:
            feed, rapid = round(100 * controller.motion.planner.feed), round(100 * controller.motion.planner.rapid)
            fields.append(f"Ov:{feed},{rapid},{controller.spin}")
            self._until_overrides = pause
        self._until_offsets -= 1
        self._until_overrides -= 1
        if controller.homed != self._homed:
            self._homed = controller.homed
            fields.append(f"H:{int(controller.homed)}")
        return fields


def modes(parser: Parser) -> str:
    """The answer to ``$G``."""
    m = parser.modes
    rate = 0.0 if math.isnan(m.rate) else m.rate
    return (
        f"[GC:{m.motion} {m.system} {m.plane} {m.units} {m.distance} {m.feed} {m.spindle} {m.coolant} "
        f"T{m.tool} F{rate:.0f} S{m.spin:.0f}]"
    )


def offsets(parser: Parser, inch: bool) -> Iterator[str]:
    """The answer to ``$#``."""
    unit = 1.0 / _INCH if inch else 1.0
    for name, values in parser.offsets.items():
        yield f"[{name}:{_numbers(values, unit)}]"
    yield f"[G92:{_numbers(parser.shift, unit)}]"
    yield "[TLO:0.000]"
    yield f"[PRB:{_numbers(parser.zeros, unit)}:0]"


def build(firmware: Firmware, letters: str, blocks: int, room: int) -> Iterator[str]:
    """The answer to ``$I``: V variable spindle, N line numbers, H homing of single axes."""
    yield f"[VER:{firmware.version}.20260101:emulated]"
    yield f"[OPT:VNH,{blocks},{room}]"
    yield f"[AXS:{len(letters)}:{letters}]"
    yield from firmware.more


def _numbers(values: Sequence[float], unit: float) -> str:
    return ",".join(f"{value * unit + 0.0:.3f}" for value in values)
