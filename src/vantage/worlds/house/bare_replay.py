"""What motions of a house world cost MuJoCo alone: the same physics steps with the same controls, and plain renders.

The reference of ``vantage bench step --world house``. The model is as MuJoCo compiles it, or looks for collisions where
the world does, so that what is left is the cost of the world's own code. Pictures are those of
``mujoco.Renderer``, as its documentation uses it: one pass for color, and one each for depth and segmentation.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Viewpoint
from vantage.worlds.house.physics import Simulation

_SHOWN = (0, 1, 2, 4)  # groups of geoms


@dataclass(frozen=True, eq=False)
class Motion:
    """The physics steps of one command, as often as the controls stayed the same, and where the camera came to.

    Attributes:
        controls: so many steps with these controls.
        scopes: which bodies could collide meanwhile (2, nbody): ``body_contype`` and ``body_conaffinity``.
    """

    controls: tuple[tuple[int, NDArray[np.float64]], ...]
    scopes: tuple[NDArray[np.int32], ...]
    viewpoint: Viewpoint


class MotionRecorder:
    """Notes what a simulation does from now on."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.begin = sim.snapshot()
        self._begun = sim.time
        self._seen: list[tuple[int, NDArray[np.float64]]] = []
        self._scopes: list[NDArray[np.int32]] = []
        sim.watchers.append(self._watch)

    def take(self) -> Motion:
        """What happened since it was last asked."""
        found, scopes = tuple(self._seen), tuple(self._scopes)
        self._seen, self._scopes = [], []
        return Motion(found, scopes, self.sim.viewpoint())

    def close(self) -> None:
        """Note no more."""
        self.sim.watchers.remove(self._watch)

    def _watch(self) -> None:
        count = round((self.sim.time - self._begun) / self.sim.model.opt.timestep)
        self._begun = self.sim.time
        self._seen.append((count, self.sim.data.ctrl.copy()))
        self._scopes.append(np.array([self.sim.model.body_contype, self.sim.model.body_conaffinity], np.int32))


class BareReplay:
    """Does recorded motions again with nothing but MuJoCo.

    Args:
        color: of color pictures; None for physics alone.
        small: of depth and ids; None for none.
        narrow: whether only those bodies can collide that could in the world.
    """

    def __init__(
        self, recorder: MotionRecorder, color: Intrinsics | None, small: Intrinsics | None, narrow: bool = False
    ) -> None:
        self._narrow = narrow
        self._model, self._begin = _as_compiled(recorder.sim.model), recorder.begin
        self._data = mujoco.MjData(self._model)
        self._color = None if color is None else _renderer(self._model, color)
        self._depth = None if small is None else _renderer(self._model, small)
        self._ids = None if small is None else _renderer(self._model, small)
        if self._depth is not None and self._ids is not None:
            self._depth.enable_depth_rendering()
            self._ids.enable_segmentation_rendering()
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = [group in _SHOWN for group in range(len(self._option.geomgroup))]
        self._option.sitegroup[:] = 0

    def restart(self) -> None:
        """Back to where the recording began."""
        mujoco.mj_copyData(self._data, self._model, self._begin.data)

    def step(self, motion: Motion) -> None:
        """One motion, and its pictures."""
        model, data = self._model, self._data
        for (count, control), scope in zip(motion.controls, motion.scopes, strict=True):
            data.ctrl[:] = control
            if self._narrow:
                model.body_contype[:], model.body_conaffinity[:] = scope
            mujoco.mj_step(model, data, count)
        for renderer in (self._color, self._depth, self._ids):
            if renderer is not None:
                renderer.update_scene(data, _camera(motion.viewpoint), self._option)
                renderer.render()

    def close(self) -> None:
        """Give the OpenGL contexts back."""
        for renderer in (self._color, self._depth, self._ids):
            if renderer is not None:
                renderer.close()


def _as_compiled(model: mujoco.MjModel) -> mujoco.MjModel:
    """A copy in which every body may collide, as the compiler has it; a simulation leaves out what rests far away."""
    found = copy.copy(model)
    for bits, of_geoms in ((found.body_contype, found.geom_contype), (found.body_conaffinity, found.geom_conaffinity)):
        bits[:] = 0
        np.bitwise_or.at(bits, found.geom_bodyid, of_geoms)
    return found


def _renderer(model: mujoco.MjModel, camera: Intrinsics) -> mujoco.Renderer:
    model.vis.global_.fovy = math.degrees(2.0 * math.atan2(0.5 * camera.height, camera.fy))
    renderer = mujoco.Renderer(model, camera.height, camera.width)
    renderer.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = False
    renderer.scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
    return renderer


def _camera(viewpoint: Viewpoint) -> mujoco.MjvCamera:
    camera = mujoco.MjvCamera()
    camera.type = mujoco.mjtCamera.mjCAMERA_FREE
    camera.distance, camera.azimuth, camera.elevation = 1.0, math.degrees(viewpoint.yaw), math.degrees(viewpoint.pitch)
    camera.lookat[:] = viewpoint.position + viewpoint.rotation()[:, 0]
    return camera
