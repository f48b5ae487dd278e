"""Rigid motions of designed parts: what joints move, and the same thing at another size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.scenes.geometry.design import Design, Surface
from vantage.scenes.spec.spec import AXES, Joint, Part
from vantage.types import Point

QUARTER = 0.5 * math.pi

_WHOLE = 1e-6  # quarter turns: what counts as a whole number of them


def hinge(part: str, axis: Point, origin: Point, high: float = QUARTER) -> Joint:
    """A closed door or lid, by the axis about which it opens and a point on it (object frame, m)."""
    return Joint(part, "hinge", axis, origin, 0.0, high, 0.0)


def slide(part: str, origin: Point, high: float) -> Joint:
    """A closed drawer that comes out by ``high`` m to the front."""
    return Joint(part, "slide", (1.0, 0.0, 0.0), origin, 0.0, high, 0.0)


def moved(part: Part, joint: Joint, travel: float) -> Part:
    """A primitive carried along by a joint.

    Args:
        part: in the object frame.
        joint: of its object; only its kind, axis and origin matter.
        travel: how far the joint moves from where it is, m or rad.

    Raises:
        SceneError: a hinge does not turn about a coordinate axis by whole quarter turns; boxes could not show that.
    """
    if joint.kind == "slide":
        return replace(part, center=_point(np.asarray(part.center) + travel * np.asarray(joint.axis)))
    turn = _quarter_turns(joint, travel)
    origin = np.asarray(joint.origin)
    image = turn @ np.eye(3)[AXES.index(part.axis)]
    flipped = image.sum() < 0
    return replace(
        part,
        center=_point(origin + turn @ (np.asarray(part.center) - origin)),
        size=_point(np.abs(turn) @ np.asarray(part.size)),
        open_faces=tuple(_turned_face(face, turn) for face in part.open_faces),
        axis=AXES[int(np.abs(image).argmax())],
        ends=(part.ends[1], part.ends[0]) if flipped and part.shape == "cone" else part.ends,
    )


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
    """The same thing, larger or smaller."""

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


def _quarter_turns(joint: Joint, travel: float) -> NDArray[np.float64]:
    turns = travel / QUARTER
    axis = np.asarray(joint.axis)
    straight = np.abs(axis).max() > 1.0 - _WHOLE
    if not straight or abs(turns - round(turns)) > _WHOLE:
        raise SceneError(
            f"the hinge '{joint.part}' turns by {travel:.3f} rad about {joint.axis}; "
            "use a coordinate axis and multiples of pi / 2"
        )
    x, y, z = np.rint(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    single = np.eye(3) + cross + cross @ cross  # Rodrigues' formula at a right angle
    turn: NDArray[np.float64] = np.linalg.matrix_power(single, round(turns) % 4)
    return turn


def _turned_face(face: str, turn: NDArray[np.float64]) -> str:
    sign = 1.0 if face[1] == "+" else -1.0
    normal = sign * turn[:, AXES.index(face[0])]
    axis = int(np.abs(normal).argmax())
    return AXES[axis] + ("+" if normal[axis] > 0 else "-")


def _point(values: NDArray[np.float64]) -> Point:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z
