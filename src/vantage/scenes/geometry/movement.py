"""Parts that joints move: to any angle, back to where they are closed, and a home with its joints at given places."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.geometry.solids import Shape, Solid
from vantage.scenes.spec import AXES, Joint, ObjectSpec, Part, SceneSpec
from vantage.spatial import Matrix, rotation_matrix, rotation_vector
from vantage.types import Point

QUARTER = 0.5 * math.pi

_WHOLE = 1e-6  # quarter turns: what counts as a whole number of them
_STRAIGHT = 1e-6  # cosine: what differs less from an axis is along it
_SHUT = 0.005  # share of its range by which a joint that counts as closed may be off
_TOUCH = 0.003  # m: gap across which something still lies on the bottom of a drawer


def moved(part: Part, joint: Joint, travel: float) -> Part:
    """A primitive carried along by a joint, to any angle.

    Where it ends up along the axes of its object, its size and faces tell so, and it is not turned; only a part that
    bears print stays turned, since its words are on its front.

    Args:
        part: in the object frame.
        joint: of its object; only its kind, axis and origin matter.
        travel: how far the joint moves from where it is, m or rad.
    """
    if joint.kind == "slide":
        return replace(part, center=_point(np.asarray(part.center) + travel * np.asarray(joint.axis)))
    whole = _quarter_turn(joint, travel)
    turn = rotation_matrix(_point(travel * np.asarray(joint.axis))) if whole is None else whole
    origin = np.asarray(joint.origin)
    swung = replace(part, center=_point(origin + turn @ (np.asarray(part.center) - origin)))
    if part.is_turned:
        turn = turn @ rotation_matrix(part.rotation)
    axes = np.rint(turn)
    along = bool(np.abs(turn - axes).max() < _STRAIGHT)
    if along and (not part.text or np.array_equal(axes, np.eye(3))):
        return _along_axes(swung, axes)
    return replace(swung, rotation=rotation_vector(turn))


def closed_parts(parts: Sequence[Part], joints: Sequence[Joint]) -> tuple[Part, ...]:
    """The same primitives with all joints at the low ends of their ranges."""
    moving = {joint.part: joint for joint in joints if joint.position != joint.low}
    return tuple(
        moved(part, moving[part.name], moving[part.name].low - moving[part.name].position)
        if part.name in moving
        else part
        for part in parts
    )


def posed(home: SceneSpec, positions: Mapping[tuple[int, str], float], carried: bool = True) -> SceneSpec:
    """A home with joints at given positions.

    A joint that is off its closed end by less than half a percent of its range is closed. What is said to be open or
    closed is said to be what it then is.

    Args:
        positions: rad or m, by instance id and the name of the moving part; joints that are not named stay.
        carried: whether what lies in a drawer comes along with it.

    Raises:
        SceneError: no such object or joint, or a position outside the range of its joint.
    """
    by_instance: dict[int, dict[str, float]] = {}
    for (instance, part), position in positions.items():
        by_instance.setdefault(instance, {})[part] = position
    known = {obj.instance_id: obj for obj in home.objects}
    for instance in by_instance:
        if instance not in known:
            raise SceneError(f"scene '{home.name}' has no object {instance} whose joint could be set; name one it has")
    shifts = _drawn(home, by_instance) if carried else {}
    objects = []
    for old in home.objects:
        x, y, z = np.add(old.position, shifts.get(old.instance_id, np.zeros(3))).tolist()
        obj = replace(old, position=(x, y, z)) if old.instance_id in shifts else old
        objects.append(_posed_object(obj, by_instance[old.instance_id]) if old.instance_id in by_instance else obj)
    return replace(home, objects=tuple(objects))


def _posed_object(obj: ObjectSpec, positions: Mapping[str, float]) -> ObjectSpec:
    joints = {joint.part: joint for joint in obj.joints}
    for name in positions:
        if name not in joints:
            raise SceneError(f"{obj.label} {obj.instance_id} has no joint '{name}'{did_you_mean(name, sorted(joints))}")
    after = {
        name: replace(joints[name], position=_within(joints[name], position, obj))
        for name, position in positions.items()
    }
    parts = tuple(
        moved(part, joints[part.name], after[part.name].position - joints[part.name].position)
        if part.name in after and after[part.name].position != joints[part.name].position
        else part
        for part in obj.parts
    )
    found = tuple(after.get(joint.part, joint) for joint in obj.joints)
    word = "open" if any(joint.position > joint.low for joint in found) else "closed"
    states = tuple(word if state in ("open", "closed") else state for state in obj.states)
    return replace(obj, parts=parts, joints=found, states=states)


def _within(joint: Joint, position: float, obj: ObjectSpec) -> float:
    slack = _SHUT * (joint.high - joint.low)
    if not joint.low - slack <= position <= joint.high + slack:
        raise SceneError(
            f"the joint '{joint.part}' of {obj.label} {obj.instance_id} cannot be at {position:g}; "
            f"give a position from {joint.low:g} to {joint.high:g}"
        )
    return joint.low if position <= joint.low + slack else min(float(position), joint.high)


def _drawn(home: SceneSpec, positions: Mapping[int, Mapping[str, float]]) -> dict[int, Matrix]:
    """How far (3,) things go with the drawers that they lie in, with all that rests on them."""
    children: dict[int, list[ObjectSpec]] = {}
    for obj in home.objects:
        children.setdefault(obj.parent, []).append(obj)
    shifts: dict[int, Matrix] = {}
    for obj in home.objects:
        for joint in obj.joints:
            if joint.kind != "slide" or joint.part not in positions.get(obj.instance_id, {}):
                continue
            travel = _within(joint, positions[obj.instance_id][joint.part], obj) - joint.position
            way = travel * (rotation_matrix((0.0, 0.0, obj.yaw)) @ np.asarray(joint.axis))
            drawer = [part for part in obj.parts if part.name == joint.part and not part.open_faces]
            waiting = [child for child in children.get(obj.instance_id, ()) if _lies_on(child, obj, drawer)]
            while waiting:
                child = waiting.pop()
                shifts[child.instance_id] = shifts.get(child.instance_id, np.zeros(3)) + way
                waiting += children.get(child.instance_id, ())
    return shifts


def _lies_on(child: ObjectSpec, owner: ObjectSpec, parts: Sequence[Part]) -> bool:
    """Whether an object rests with its middle on one of some primitives of another."""
    if not parts:
        return False
    bounds, under = Solid.of(child).bounds, Shape.of(parts).placed(owner.position, owner.yaw)
    middle = bounds.mean(axis=0)[:2]
    level = np.abs(under.high[:, 2] - bounds[0, 2]) <= _TOUCH
    return bool((level & (under.low[:, :2] < middle).all(axis=1) & (under.high[:, :2] > middle).all(axis=1)).any())


def _quarter_turn(joint: Joint, travel: float) -> Matrix | None:
    """The exact rotation (3, 3) of whole quarter turns about a coordinate axis, None for others."""
    turns = travel / QUARTER
    axis = np.asarray(joint.axis)
    if np.abs(axis).max() <= 1.0 - _WHOLE or abs(turns - round(turns)) > _WHOLE:
        return None
    x, y, z = np.rint(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    single = np.eye(3) + cross + cross @ cross  # Rodrigues' formula at a right angle
    turn: Matrix = np.linalg.matrix_power(single, round(turns) % 4)
    return turn


def _along_axes(part: Part, turn: Matrix) -> Part:
    """A part after whole quarter turns about its center, said by its size, axis and faces."""
    image = turn @ np.eye(3)[AXES.index(part.axis)]
    flipped = image.sum() < 0
    return replace(
        part,
        size=_point(np.abs(turn) @ np.asarray(part.size)),
        open_faces=tuple(_turned_face(face, turn) for face in part.open_faces),
        axis=AXES[int(np.abs(image).argmax())],
        ends=(part.ends[1], part.ends[0]) if flipped and part.shape == "cone" else part.ends,
        rotation=(0.0, 0.0, 0.0),
    )


def _turned_face(face: str, turn: Matrix) -> str:
    sign = 1.0 if face[1] == "+" else -1.0
    normal = sign * turn[:, AXES.index(face[0])]
    axis = int(np.abs(normal).argmax())
    return AXES[axis] + ("+" if normal[axis] > 0 else "-")


def _point(values: Matrix) -> Point:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z
