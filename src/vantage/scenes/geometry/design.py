"""Objects made of primitives: their parts, what their joints move, and where others can be put on or in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry.movement import QUARTER, moved
from vantage.scenes.spec import COLORS, Color, Joint, Part
from vantage.types import Point

DARK: Color = (0.12, 0.12, 0.13)
STEEL: Color = (0.62, 0.63, 0.65)
OAK: Color = (0.55, 0.37, 0.20)
PAPER: Color = (0.95, 0.93, 0.86)
LEAF: Color = (0.14, 0.52, 0.20)
WHITE: Color = COLORS["white"]
GLASS: Color = (0.70, 0.80, 0.84)
WATER: Color = (0.45, 0.66, 0.80)
DIRT: Color = (0.34, 0.22, 0.11)

TUBE = ("z-", "z+")  # open faces of an upright pipe
CUP = ("z+",)  # open face of what is filled from above

_SHEET = 0.0025  # m: thickness of a panel


def hinge(part: str, axis: Point, origin: Point, high: float = QUARTER) -> Joint:
    """A closed door or lid, by the axis about which it opens and a point on it (object frame, m)."""
    return Joint(part, "hinge", axis, origin, 0.0, high, 0.0)


def slide(part: str, origin: Point, high: float) -> Joint:
    """A closed drawer that comes out by ``high`` m to the front."""
    return Joint(part, "slide", (1.0, 0.0, 0.0), origin, 0.0, high, 0.0)


def opened(design: Design, names: Iterable[str] | None = None) -> Design:
    """A closed design with the named parts (all that have joints, when none are named) at the ends of their ranges."""
    joints = {joint.part: joint for joint in design.joints if names is None or joint.part in names}
    parts = [
        moved(part, joints[part.name], joints[part.name].high - joints[part.name].position)
        if part.name in joints
        else part
        for part in design.parts
    ]
    after = [replace(joint, position=joint.high) if joint.part in joints else joint for joint in design.joints]
    return Design(tuple(parts), design.surfaces, tuple(after))


def scaled(design: Design, factor: float) -> Design:
    """The same object, larger or smaller."""

    def part(old: Part) -> Part:
        return replace(old, center=_point(factor * np.asarray(old.center)), size=_point(factor * np.asarray(old.size)))

    def surface(old: Surface) -> Surface:
        edges = (factor * value for value in (old.z, old.x_min, old.x_max, old.y_min, old.y_max, old.clearance))
        return Surface(old.relation, old.name, *edges)

    def joint(old: Joint) -> Joint:
        unit = factor if old.kind == "slide" else 1.0
        low, high, position = (unit * value for value in (old.low, old.high, old.position))
        origin = _point(factor * np.asarray(old.origin))
        return replace(old, origin=origin, low=low, high=high, position=position)

    return Design(
        tuple(part(each) for each in design.parts),
        tuple(surface(each) for each in design.surfaces),
        tuple(joint(each) for each in design.joints),
    )


def _point(values: NDArray[np.float64]) -> Point:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z


@dataclass(frozen=True)
class Style:
    """What an object is asked to look like.

    Attributes:
        color, material: words; the material is empty where no word is right.
        rgb: tone of its color, 0..1.
        states: that it shows, such as ``open``.
        text: that is printed on it, empty for none.
    """

    color: str
    material: str
    rgb: Color
    states: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Surface:
    """A level rectangle that objects can rest on, in the object frame, m.

    Attributes:
        relation: what an object put there is to the owner, ``on`` or ``in``.
        name: which of the owner's surfaces it is, such as ``top`` or ``inside``.
        z: its height.
        x_min, x_max, y_min, y_max: its edges.
        clearance: free height above it.
    """

    relation: str
    name: str
    z: float
    x_min: float
    x_max: float
    y_min: float
    y_max: float
    clearance: float = 10.0


@dataclass(frozen=True)
class Design:
    """The parts of one object in its own frame (x to its front, z up, origin at the centre of its base)."""

    parts: tuple[Part, ...]
    surfaces: tuple[Surface, ...] = ()
    joints: tuple[Joint, ...] = ()


Builder = Callable[[Style, np.random.Generator], Design]


def length(rng: np.random.Generator, low: float, high: float, step: float = 0.01) -> float:
    """A random length between two, in whole steps, m."""
    return round(float(rng.uniform(low, high)) / step) * step


def box(
    x: float,
    y: float,
    z: float,
    sx: float,
    sy: float,
    sz: float,
    rgb: Color,
    look: str = "",
    open_faces: tuple[str, ...] = (),
) -> Part:
    """A box whose base is centred at (x, y, z)."""
    return Part("box", (x, y, z + 0.5 * sz), (sx, sy, sz), rgb, open_faces, look=look)


def panel(x: float, y: float, z: float, sy: float, sz: float, rgb: Color, look: str, text: str = "") -> Part:
    """A sheet that is seen from the front only, at x, with its lower edge centred at (y, z)."""
    sheet = box(x - 0.5 * _SHEET, y, z, _SHEET, sy, sz, rgb, look, ("x-", "y+", "y-", "z+", "z-"))
    return replace(sheet, text=text)


def label(x: float, y: float, z: float, sy: float, sz: float, text: str, rgb: Color = PAPER) -> Part:
    """A flat printed label at x, with its lower edge centred at (y, z)."""
    return panel(x, y, z, sy, sz, rgb, "label", text)


def sleeve(z: float, diameter: float, height: float, text: str, rgb: Color = PAPER) -> Part:
    """A printed label around an upright cylinder, its print to the front."""
    return replace(disc(0, 0, z, diameter, height, rgb, "label", TUBE), text=text)


def disc(
    x: float,
    y: float,
    z: float,
    diameter: float,
    height: float,
    rgb: Color,
    look: str = "",
    open_faces: tuple[str, ...] = (),
    ends: tuple[float, float] | None = None,
) -> Part:
    """An upright cylinder, or a frustum with the given end radii, whose base is centred at (x, y, z)."""
    shape = "cylinder" if ends is None else "cone"
    size = (diameter, diameter, height)
    return Part(shape, (x, y, z + 0.5 * height), size, rgb, open_faces, ends=ends or (1.0, 0.0), look=look)


def ball(x: float, y: float, z: float, sx: float, sy: float, sz: float, rgb: Color, look: str = "") -> Part:
    """An ellipsoid whose lowest point is (x, y, z)."""
    return Part("ellipsoid", (x, y, z + 0.5 * sz), (sx, sy, sz), rgb, look=look)


def rod(
    axis: str,
    center: tuple[float, float, float],
    diameter: float,
    length: float,
    rgb: Color,
    look: str = "",
    ends: tuple[float, float] | None = None,
    open_faces: tuple[str, ...] = (),
) -> Part:
    """A lying cylinder, or frustum, about its centre."""
    size = (length, diameter, diameter) if axis == "x" else (diameter, length, diameter)
    shape = "cylinder" if ends is None else "cone"
    return Part(shape, center, size, rgb, open_faces, axis, ends or (1.0, 0.0), look)


def legs(span_x: float, span_y: float, thickness: float, height: float, rgb: Color, look: str = "") -> list[Part]:
    """Four legs at the corners of a span."""
    x, y = 0.5 * (span_x - thickness), 0.5 * (span_y - thickness)
    return [box(sx * x, sy * y, 0.0, thickness, thickness, height, rgb, look) for sx in (-1, 1) for sy in (-1, 1)]


def named(name: str, parts: Iterable[Part]) -> list[Part]:
    """The same primitives as one part of the object under a name."""
    return [replace(part, name=name) for part in parts]


def surface(
    relation: str, name: str, z: float, sx: float, sy: float, clearance: float = 10.0, x: float = 0.0, y: float = 0.0
) -> Surface:
    """A rectangle of size (sx, sy) centred at (x, y)."""
    return Surface(relation, name, z, x - 0.5 * sx, x + 0.5 * sx, y - 0.5 * sy, y + 0.5 * sy, clearance)
