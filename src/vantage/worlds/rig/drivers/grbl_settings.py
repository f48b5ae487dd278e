"""Identification of a Grbl controller: its firmware, its axes and its settings by number."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.errors import HardwareError
from vantage.worlds.rig.drivers.grbl_axes import Axes
from vantage.worlds.rig.drivers.grbl_controller import GrblController, Watch, unwatched
from vantage.worlds.rig.drivers.grbl_protocol import (
    FLUIDNC,
    FULL_STATUS_QUERY,
    GRBL,
    GRBLHAL,
    LETTERS,
    Message,
    Setting,
)

_FLUID = {
    "10": "steps_per_mm",
    "11": "max_rate_mm_per_min",
    "12": "acceleration_mm_per_sec2",
    "13": "max_travel_mm",
    "20": "soft_limits",
}
_REPORTS = 3  # bits of $10: machine positions and free blocks


def identify(controller: GrblController, axes: Axes, watch: Watch = unwatched) -> dict[str, float]:
    """Learn what the controller is and whether it fits; its numeric settings by number.

    Raises:
        HardwareError: it lacks an axis, reports too little, or has settings that do not fit the joints.
    """
    said = [reply for reply in controller.query("$I", watch=watch) if isinstance(reply, Message)]
    words = " ".join(f"{message.kind}:{message.text}" for message in said)
    controller.monitor.firmware = FLUIDNC if "FluidNC" in words else GRBLHAL if "grblHAL" in words else GRBL
    settings = _numbers(controller.query("$$", watch=watch))
    _check_axes(controller, axes, next((m.text for m in said if m.kind == "AXS"), ""))
    _check_reports(controller, settings)
    if controller.monitor.firmware == FLUIDNC:
        settings.update(_fluidnc_settings(controller, axes, settings, watch))
    if controller.monitor.firmware == GRBLHAL:
        controller.monitor.link.write(FULL_STATUS_QUERY)  # the next report says whether it is homed
        controller.wait(lambda: controller.monitor.reported_homed is not None, 0.5, watch)
    axes.check(settings)
    return settings


def _numbers(said: Sequence[object]) -> dict[str, float]:
    numbers = {}
    for reply in said:
        if isinstance(reply, Setting):
            value = {"true": "1", "false": "0"}.get(reply.value, reply.value)
            try:
                numbers[reply.key] = float(value)
            except ValueError:
                continue  # names, addresses and the like
    return numbers


def _check_axes(controller: GrblController, axes: Axes, told: str) -> None:
    """By ``[AXS:5:XYZAB]`` where it is sent, else by how many positions are reported."""
    report = controller.monitor.report
    letters = told.partition(":")[2]
    if not letters and report is not None and report.position is not None:
        letters = LETTERS[: len(report.position)]
    missing = [letter for letter in axes.letters if letter not in letters]
    if missing:
        raise HardwareError(
            f"the controller on {controller.monitor.port} has no axis {', '.join(missing)} "
            f"(it has {letters or 'none'}); correct 'axes' or use firmware built for more axes"
        )
    controller.monitor.axes = axes.count


def _check_reports(controller: GrblController, settings: dict[str, float]) -> None:
    """The mask is not set from here: it is kept in the board's memory, which is not this program's to change."""
    report = controller.monitor.report
    if report is None or report.position is None or report.blocks < 0 or not int(settings.get("10", 1)) & 1:
        mask = int(settings.get("10", 0)) | _REPORTS
        raise HardwareError(
            f"the controller on {controller.monitor.port} does not report machine positions and free blocks ($10); "
            f"set $10={mask}"
        )


def _fluidnc_settings(
    controller: GrblController, axes: Axes, known: dict[str, float], watch: Watch
) -> dict[str, float]:
    """FluidNC keeps the settings of its axes in a tree and shows at most some of them by number."""
    found = {}
    soft = True
    for letter in axes.letters:
        for number, name in _FLUID.items():
            key = "20" if number == "20" else f"{number}{LETTERS.index(letter)}"
            if key in known and number != "20":
                continue
            path = f"/axes/{letter.lower()}/{name}"
            value = _numbers(controller.query(f"${path}", watch=watch)).get(path)
            if value is not None:
                found[key] = value
                soft = soft and (number != "20" or bool(value))
    return {**found, "20": float(soft and bool(found.get("20", known.get("20", 0.0))))}
