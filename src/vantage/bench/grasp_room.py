"""Whether two fingers can be around a thing in a home at all: for those who judge, by geometry alone.

The hand of the robot, palm and fingers without an arm, is put around the thing in many ways, with 1 cm between each
finger and its sides; in one of them it has to meet nothing that is there, and the arm has to bring it there from free
floor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import mujoco
import numpy as np

from vantage.scenes.spec import ObjectSpec, SceneSpec, object_bounds
from vantage.spatial import Matrix, rigid
from vantage.types import Point
from vantage.worlds.house import HouseModel, RobotDescription, build_house

_PITCHES = tuple(math.radians(degrees) for degrees in (0, 15, 30, 45, 60, 75, 90))  # of the hand, below level
_SHARES = (-0.45, -0.2, 0.0, 0.2, 0.45)  # of its length, away from its middle, at which a thing is taken
_HEIGHTS = (0.15, 0.4, 0.6, 0.8, 1.0)  # of its height: fingers go on a little beyond the tool
_ROUND, _AROUND = 1.15, 12  # length by width up to which a thing is round, and directions in which it is taken then
_SLACK = 0.015  # m by which a thing has to be narrower than the open hand
_FLAT = 0.015  # m: what rises less above what it stands on has no sides for fingers
_BESIDE = 0.01  # m between a finger and the side that it is to press on
_TOUCHING = 0.002  # m that the hand may enter what it meets
_NEAR = 0.35  # m around the thing, in which the hand can meet something

Reaches = Callable[[Point, float, float], bool]  # a point (m), and heading and pitch (rad) of a hand there


@dataclass(frozen=True)
class Pinch:
    """One way to have the fingers around a thing.

    Attributes:
        T_world_tool: (4, 4).
        width: between the fingers, m.
        yaw, pitch: rad, in which the hand points.
    """

    T_world_tool: Matrix
    width: float
    yaw: float
    pitch: float


def is_narrow(obj: ObjectSpec, opening: float) -> bool:
    """Whether two fingers that open so far (m) fit around the box of a thing, and it has sides for them."""
    low, high = _box(obj)
    return bool(high[2] - low[2] >= _FLAT and min(high[:2] - low[:2]) <= opening - _SLACK)


class GraspRoom:
    """Of one home and one robot."""

    def __init__(self, home: SceneSpec, robot: RobotDescription) -> None:
        self._home, self._robot = home, robot

    def has_grasp(self, obj: ObjectSpec, reaches: Reaches) -> bool:
        """Whether fingers can be around a thing, with the hand where it meets nothing and the arm gets to."""
        around = self._geoms_near(obj)
        for pinch in pinches(obj, self._robot.hand.opening):
            x, y, z = pinch.T_world_tool[:3, 3].tolist()
            if self._is_free(pinch, around) and reaches((x, y, z), pinch.yaw, pinch.pitch):
                return True
        return False

    @cached_property
    def _house(self) -> HouseModel:
        return build_house(self._home, robot=self._robot, appearance=False)

    @cached_property
    def _data(self) -> mujoco.MjData:
        data = mujoco.MjData(self._house.model)
        for joint in self._robot.finger_joints:
            data.joint(f"robot/{joint.name}").qpos[0] = 0.5 * self._robot.hand.opening
        mujoco.mj_kinematics(self._house.model, data)
        return data

    @cached_property
    def _hand(self) -> list[tuple[int, Matrix, float]]:
        """Geoms of the open hand, their poses (4, 4) in the frame of the tool, and the way that they close, along y."""
        model, data = self._house.model, self._data
        hand = data.body("robot/hand_link")
        tool = hand.xmat.reshape(3, 3) @ [self._robot.hand.tool, 0.0, 0.0] + hand.xpos
        back = np.linalg.inv(rigid(hand.xmat.reshape(3, 3), tool))
        closing = {"hand_link": 0.0, "finger_left_link": -1.0, "finger_right_link": 1.0}
        ways = {model.body(f"robot/{name}").id: way for name, way in closing.items()}
        found = np.flatnonzero(np.isin(model.geom_bodyid, list(ways)) & (model.geom_contype != 0))
        return [
            (int(k), back @ rigid(data.geom_xmat[k].reshape(3, 3), data.geom_xpos[k]), ways[int(model.geom_bodyid[k])])
            for k in found
        ]

    def _geoms_near(self, obj: ObjectSpec) -> list[int]:
        """Of the home, the thing itself included, for the palm must not be in it."""
        model, data = self._house.model, self._data
        middle = np.mean(object_bounds(obj), axis=0)
        solid = (model.geom_contype != 0) & (self._house.instance_of_geom != 0)
        away = np.linalg.norm(data.geom_xpos - middle, axis=1) - model.geom_rbound
        plane = model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
        return np.flatnonzero(solid & ((away < _NEAR) | plane)).tolist()

    def _is_free(self, pinch: Pinch, around: list[int]) -> bool:
        model, data, line = self._house.model, self._data, np.zeros(6)
        for geom, T_tool_geom, way in self._hand:
            pose = pinch.T_world_tool @ T_tool_geom
            pose[:3, 3] += 0.5 * way * (self._robot.hand.opening - pinch.width) * pinch.T_world_tool[:3, 1]
            data.geom_xpos[geom], data.geom_xmat[geom] = pose[:3, 3], pose[:3, :3].ravel()
            reach = model.geom_rbound[geom]
            for other in around:
                far = np.linalg.norm(data.geom_xpos[other] - pose[:3, 3]) > reach + model.geom_rbound[other]
                if far and model.geom_type[other] != mujoco.mjtGeom.mjGEOM_PLANE:
                    continue
                if mujoco.mj_geomDistance(model, data, geom, other, 0.01, line) < -_TOUCHING:
                    return False
        return True


def pinches(obj: ObjectSpec, opening: float) -> Iterator[Pinch]:
    """Ways to have fingers that open so far (m) left and right of the box of a thing, of all pitches."""
    if not is_narrow(obj, opening):
        return
    low, high = _box(obj)
    size, middle = high - low, 0.5 * (low + high)
    is_round = max(size[:2]) <= _ROUND * min(size[:2])
    turns = [math.pi * k / _AROUND for k in range(_AROUND)] if is_round else [0.0, 0.5 * math.pi]
    for turn in turns:  # of the length between the fingers, in the frame of the thing
        across = min(size[:2]) if is_round else size[1] if turn == 0.0 else size[0]
        long = min(size[:2]) if is_round else size[0] if turn == 0.0 else size[1]
        if across > opening - _SLACK:
            continue
        for yaw in (obj.yaw + turn, obj.yaw + turn + math.pi):
            ahead = np.array([math.cos(yaw), math.sin(yaw), 0.0])
            for pitch in _PITCHES:
                forward = math.cos(pitch) * ahead - [0.0, 0.0, math.sin(pitch)]
                aside = np.array([-ahead[1], ahead[0], 0.0])
                rotation = np.stack([forward, aside, np.cross(forward, aside)], axis=1)
                for share in _SHARES:
                    for height in _HEIGHTS:
                        point = _in_world(obj, middle) + share * long * ahead
                        point[2] = obj.position[2] + low[2] + height * size[2]
                        yield Pinch(rigid(rotation, point), min(across + 2.0 * _BESIDE, opening), yaw, pitch)


def _box(obj: ObjectSpec) -> tuple[Matrix, Matrix]:
    """Corners (3,) of the box around a thing, m, in its own frame."""
    low, high = object_bounds(replace(obj, yaw=0.0, position=(0.0, 0.0, 0.0)))
    return np.array(low), np.array(high)


def _in_world(obj: ObjectSpec, point: Matrix) -> Matrix:
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    turned = c * point[0] - s * point[1], s * point[0] + c * point[1], point[2]
    return np.asarray(np.add(turned, obj.position))
