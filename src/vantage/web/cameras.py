"""How a visitor moves a camera: around a middle, through a room, or over it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Point

ORBIT, FLY, TOP = "orbit", "fly", "top"
MODES = (ORBIT, FLY, TOP)
_TURN = 0.006  # rad for each pixel of a drag
_STEP = 0.2  # m
_KEY_TURN = 0.15  # rad
_STEEPEST = 1.45  # rad
_FARTHEST = 500.0  # m


@dataclass(frozen=True)
class Orbit:
    """A camera that looks at a middle from a distance, m, with angles in rad."""

    middle: Point
    distance: float
    yaw: float = 0.8
    pitch: float = -0.9

    @property
    def viewpoint(self) -> Viewpoint:
        x, y, z = self.middle
        level = self.distance * math.cos(self.pitch)
        return Viewpoint(
            x - level * math.cos(self.yaw),
            y - level * math.sin(self.yaw),
            z - self.distance * math.sin(self.pitch),
            self.yaw,
            self.pitch,
        )

    @staticmethod
    def around(low: Point, high: Point) -> Orbit:
        """One that has a box, m, in view."""
        x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
        return Orbit((x, y, z), 1.1 * math.dist(low, high))

    def dragged(self, dx: float, dy: float) -> Orbit:
        """After the mouse went so many pixels."""
        return replace(self, yaw=wrap_angle(self.yaw - _TURN * dx), pitch=_level(self.pitch - _TURN * dy))

    def nearer(self, steps: float) -> Orbit:
        return replace(self, distance=min(_FARTHEST, max(0.1, self.distance * 0.9**steps)))

    def pressed(self, key: str) -> Orbit:
        """After a key: arrows and letters turn, + and - go nearer and away."""
        dx = {"a": 20, "arrowleft": 20, "d": -20, "arrowright": -20}.get(key, 0)
        dy = {"w": 20, "arrowup": 20, "s": -20, "arrowdown": -20}.get(key, 0)
        return self.dragged(dx, dy).nearer({"+": 1, "=": 1, "-": -1}.get(key, 0))


def fly_dragged(view: Viewpoint, dx: float, dy: float) -> Viewpoint:
    """A camera in a room after the mouse went so many pixels: what was grasped stays under it."""
    return replace(view, yaw=wrap_angle(view.yaw + _TURN * dx), pitch=_level(view.pitch + _TURN * dy))


def fly_pressed(view: Viewpoint, key: str) -> Viewpoint:
    """A camera in a room after a key: w, a, s, d go, q and e sink and rise, arrows turn."""
    ahead = {"w": _STEP, "+": _STEP, "=": _STEP, "s": -_STEP, "-": -_STEP}.get(key, 0.0)
    left = {"a": _STEP, "d": -_STEP}.get(key, 0.0)
    up = {"e": _STEP, "q": -_STEP}.get(key, 0.0)
    turn = {"arrowleft": _KEY_TURN, "arrowright": -_KEY_TURN}.get(key, 0.0)
    tilt = {"arrowup": _KEY_TURN, "arrowdown": -_KEY_TURN}.get(key, 0.0)
    cos, sin = math.cos(view.yaw), math.sin(view.yaw)
    return Viewpoint(
        _near(view.x + ahead * cos - left * sin),
        _near(view.y + ahead * sin + left * cos),
        _near(view.z + up),
        wrap_angle(view.yaw + turn),
        _level(view.pitch + tilt),
    )


def address_of(view: Viewpoint) -> str:
    """A viewpoint as it stands in an address."""
    return ",".join(f"{value:.6g}" for value in (view.x, view.y, view.z, view.yaw, view.pitch))


def viewpoint_in(text: str) -> Viewpoint | None:
    """The viewpoint of an address; None where the text, which anybody may have written, is none."""
    parts = text.split(",") if len(text) < 200 else []
    try:
        values = [float(part) for part in parts]
    except ValueError:
        return None
    if len(values) != 5 or not all(math.isfinite(value) and abs(value) <= _FARTHEST for value in values):
        return None
    return Viewpoint(values[0], values[1], values[2], wrap_angle(values[3]), _level(values[4]))


def _level(pitch: float) -> float:
    return min(_STEEPEST, max(-_STEEPEST, pitch))


def _near(value: float) -> float:
    return min(_FARTHEST, max(-_FARTHEST, value))
