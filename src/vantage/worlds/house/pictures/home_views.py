"""Pictures of a home, one after another, with things, joints and the robot where they are told to be."""

from __future__ import annotations

import math
from collections.abc import Mapping

import mujoco
import numpy as np

from vantage.errors import SceneError
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import InstanceLabel, Poses, Posture
from vantage.worlds.house.bodies import MovingPart, build_house
from vantage.worlds.house.house_legend import HouseLegend
from vantage.worlds.house.pictures.drawing import Picture, Pictures
from vantage.worlds.house.robot import BASE_JOINTS, PREFIX, RobotDescription, base_of

_CAMERAS = 2  # that are kept: one of a page and one of a recording
_UNMOVED = Poses()


class HomeViews:
    """Draws one home as the house world does; for one thread, in threads of its own, until ``close``."""

    def __init__(self, home: SceneSpec, robot: RobotDescription | None = None) -> None:
        """
        Args:
            robot: that stands in it, at first in the origin; None for none.

        Raises:
            SceneError: the home contradicts itself, or its bodies cannot be made.
        """
        self.home, self._robot = home, robot
        self._house = build_house(home, robot=robot, asleep=False)
        self._data = mujoco.MjData(self._house.model)
        self._legend = HouseLegend(self._house, SceneGraph.from_spec(home))
        self._pictures: dict[Intrinsics, Pictures] = {}
        self._joints = {(part.instance, part.part): part.joint for part in self._house.parts}
        self._moved = _UNMOVED
        self._posture: Posture | None = None
        self._put()

    @property
    def size(self) -> int:
        """Bytes that it takes, nearly: the model, and what of it each OpenGL context has."""
        return int(self._house.model.nbuffer) * (1 + len(self._pictures))

    @property
    def legend(self) -> Mapping[int, InstanceLabel]:
        """What ids stand for with things and joints as they are now."""
        return self._legend.now(self)

    def part_position(self, part: MovingPart) -> float:
        """Of a drawer, door, lid or flap: rad or m, as in the specification."""
        return float(self._data.joint(part.joint).qpos[0])

    def place(self, moved: Poses, posture: Posture | None = None) -> None:
        """Put all that can be moved where it was moved to, and the rest where the home has it.

        Args:
            posture: of the robot, one that ``stands_so``; None for where it is at first.

        Raises:
            SceneError: the home has no such thing or joint; everything stays as it was.
        """
        if moved is self._moved and posture is self._posture:
            return
        things, joints = moved.things.keys() - self._house.movable.keys(), moved.joints.keys() - self._joints.keys()
        unknown = [f"thing {instance}" for instance in sorted(things)]
        unknown += [f"joint '{part}' of {instance}" for instance, part in sorted(joints)]
        if unknown:
            raise SceneError(
                f"home '{self.home.name}' has no {unknown[0]} that could be moved; give the home as it was when that "
                "was recorded"
            )
        self._moved, self._posture = moved, posture
        self._put()

    def view(self, viewpoint: Viewpoint, camera: Intrinsics, ceilings: bool = True) -> Picture:
        """Color, depth and ids, all of the camera's size; read-only.

        Raises:
            WorldError, UsageError: there is nothing to draw with, or the picture takes too long.
        """
        pictures = self._pictures.get(camera)
        if pictures is None:
            while len(self._pictures) >= _CAMERAS:
                self._pictures.pop(next(iter(self._pictures))).close()
            pictures = self._pictures[camera] = Pictures(self._house, camera, camera)
        return pictures.take(self._data, viewpoint.T_world_camera_optical(), ceilings)

    def close(self) -> None:
        """Give the OpenGL contexts back."""
        while self._pictures:
            self._pictures.popitem()[1].close()

    def _put(self) -> None:
        model, data = self._house.model, self._data
        mujoco.mj_resetData(model, data)
        for instance, pose in self._moved.things.items():
            first = int(model.jnt_qposadr[model.joint(f"free/{instance}").id])
            turn = np.empty(4)
            mujoco.mju_mat2Quat(turn, np.ascontiguousarray(pose[:3, :3], np.float64).ravel())
            data.qpos[first : first + 7] = *pose[:3, 3], *turn
        for key, position in self._moved.joints.items():
            data.joint(self._joints[key]).qpos[0] = position
        if self._posture is not None:
            for joint, position in zip(BASE_JOINTS, base_of(self._posture), strict=True):
                data.joint(joint).qpos[0] = position
            for name, position in self._posture.joints.items():
                data.joint(f"{PREFIX}{name}").qpos[0] = position
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_camlight(model, data)


def viewpoint_above(home: SceneSpec, camera: Intrinsics) -> Viewpoint:
    """From where a camera sees all of a home without its ceilings, straight from above with the world's x upwards."""
    (x0, y0, _), (x1, y1, _) = home.bounds_min, home.bounds_max
    away = max((x1 - x0) * camera.fy / camera.height, (y1 - y0) * camera.fx / camera.width)
    top = min([room.height for room in home.rooms] or [home.bounds_max[2]])
    return Viewpoint(0.5 * (x0 + x1), 0.5 * (y0 + y1), top + away, 0.0, -0.5 * math.pi)
