"""A home as it is after things in it were moved: what a judge looks at where a world tells the poses of its things."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vantage.scenes.geometry import posed
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Matrix, rotation_matrix, rotation_vector
from vantage.types import Point, Poses

_UPRIGHT = 1e-4  # by which the cosine of the angle between its axis and the vertical may differ from 1 (0.8 degrees)


def moved_home(home: SceneSpec, poses: Poses) -> SceneSpec:
    """The home with its things and joints where poses say, and on or off as they say; what these do not name stays.

    Joints that a physics engine takes a little beyond the end of their range are at its end.

    Raises:
        SceneError: the home has no such thing or joint.
    """
    ranges = {(obj.instance_id, joint.part): joint for obj in home.objects for joint in obj.joints}
    joints = {
        key: min(max(position, ranges[key].low), ranges[key].high) if key in ranges else position
        for key, position in poses.joints.items()
    }
    known = posed(home, joints, carried=False)
    switched = (
        _switched(obj, poses.switched[obj.instance_id]) if obj.instance_id in poses.switched else obj
        for obj in known.objects
    )
    objects = tuple(
        placed(obj, poses.things[obj.instance_id]) if obj.instance_id in poses.things else obj for obj in switched
    )
    return replace(known, objects=objects)


def placed(obj: ObjectSpec, T_world_object: Matrix) -> ObjectSpec:
    """An object somewhere else, turned in any way: its parts are turned where it does not stand upright."""
    position, rotation = _point(T_world_object[:3, 3]), T_world_object[:3, :3]
    if rotation[2, 2] >= 1.0 - _UPRIGHT:
        return replace(obj, position=position, yaw=math.atan2(float(rotation[1, 0]), float(rotation[0, 0])))
    return replace(obj, position=position, yaw=0.0, parts=tuple(_turned(part, rotation) for part in obj.parts))


def _switched(obj: ObjectSpec, on: bool) -> ObjectSpec:
    word = "on" if on else "off"
    return replace(obj, states=tuple(word if state in ("on", "off") else state for state in obj.states))


def _turned(part: Part, rotation: Matrix) -> Part:
    own = rotation_matrix(part.rotation)
    return replace(part, center=_point(rotation @ np.asarray(part.center)), rotation=rotation_vector(rotation @ own))


def _point(values: Matrix) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z
