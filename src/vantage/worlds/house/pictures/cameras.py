"""Pictures of a house: color, depth and ids from any pose, with any pinhole camera."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.errors import WorldError
from vantage.spatial import Intrinsics, Matrix, apply
from vantage.worlds.house.bodies import HouseModel, MovingPart
from vantage.worlds.house.looks import OVERHEAD, SEEN
from vantage.worlds.house.pictures.gl import Release, make_context
from vantage.worlds.house.pictures.sight_lines import SightLines, whole_picture

NEAR, FAR = 0.02, 60.0  # m: of the planes between which something is seen
_SHOWN = (0, 1, SEEN)  # groups of geoms that are drawn
_HIDDEN = 5  # a group of geoms that nothing draws
_FONT = 50
_SLACK = 0.004  # m that a point of a picture of depth may be beside where it is


class HouseCamera:
    """Draws a house; for one thread, that which made it, until ``close``.

    Attributes:
        shows_ceilings: without them, one looks into the rooms from above.
    """

    def __init__(self, house: HouseModel, color: Intrinsics, small: Intrinsics | None = None) -> None:
        """Args:
            color: of color pictures.
            small: of depth and ids; those of color pictures where None.

        Raises:
            WorldError: there is no OpenGL.
        """
        self.shows_ceilings = True
        self._house = house
        self._color, self._small = color, small or color
        self._model = house.model
        width = max(self._color.width, self._small.width)
        height = max(self._color.height, self._small.height)
        self._model.vis.global_.offwidth, self._model.vis.global_.offheight = width, height
        self._model.vis.quality.offsamples = 0
        self._gl: Any = make_context(width, height)
        self._context: Any = mujoco.MjrContext(self._model, _FONT)
        self._release = Release(self, self._gl, self._context)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._scene = mujoco.MjvScene(self._model, self._model.ngeom + 100)
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = [group in _SHOWN for group in range(len(self._option.geomgroup))]
        self._option.sitegroup[:] = 0
        self._groups = self._model.geom_group.copy()
        self.shows_ceilings = True
        self._drawn = np.flatnonzero(np.isin(self._groups, (*_SHOWN, OVERHEAD)))
        self._camera = mujoco.MjvCamera()
        self._sight = SightLines(house.home)
        # The rooms (G, 2) from which each geom can be seen; those of the robot and of what is in a doorway from all.
        self._everywhere: NDArray[np.bool_] = house.instance_of_geom == 0
        rooms = {obj.instance_id: self._sight.where.number(obj) for obj in house.home.objects}
        self._rooms = np.array(
            [self._sight.rooms_beside(number, rooms.get(number, 0)) for number in house.instance_of_geom.tolist()],
            dtype=np.int64,
        ).reshape(-1, 2)
        self._carried = np.flatnonzero(np.isin(house.instance_of_geom, list(house.movable)))
        self._edges = [part for part in house.parts if _is_edge(self._model, part)]
        self._edge_of_geom = np.zeros(self._model.ngeom, np.int32)  # number of the edge that a geom may show, from 1
        for number, part in enumerate(self._edges, 1):
            body = self._model.site_bodyid[self._model.site(part.handle).id]
            self._edge_of_geom[self._model.geom_bodyid == body] = number
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = False
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False

    def color_image(self, data: mujoco.MjData, T_world_camera_optical: Matrix) -> NDArray[np.uint8]:
        """RGB (H, W, 3)."""
        self._update(data, self._color, T_world_camera_optical)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = False
        self._scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = False
        return self._draw(self._color, None)

    def depth_and_ids(
        self, data: mujoco.MjData, T_world_camera_optical: Matrix
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Depth along the optical axis (H, W) in m, NaN where nothing is; ids (H, W), 0 for the robot and nothing."""
        self._update(data, self._small, T_world_camera_optical)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = True
        self._scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = True
        raw = np.empty((self._small.height, self._small.width), np.float32)
        segments = _segments(self._draw(self._small, raw))
        depth = _metric(raw[::-1])
        geoms = self._geoms()
        ids = np.where(geoms < 0, 0, self._house.id_of_geom[geoms])[segments]
        edges = np.where(geoms < 0, 0, self._edge_of_geom[geoms])
        if edges.any():
            self._mark_edges(ids, edges[segments], depth, data, T_world_camera_optical)
        return depth, ids

    def close(self) -> None:
        """Give the OpenGL context back."""
        self._release()
        self._context = self._gl = None

    def _update(self, data: mujoco.MjData, intrinsics: Intrinsics, T_world_camera: Matrix) -> None:
        if self._context is None:
            raise WorldError("the camera of the house was closed; make a new one")
        self._option.geomgroup[OVERHEAD] = self.shows_ceilings
        self._model.geom_group[:] = np.where(self._in_view(data, intrinsics, T_world_camera), self._groups, _HIDDEN)
        mujoco.mjv_updateScene(
            self._model, data, self._option, None, self._camera, mujoco.mjtCatBit.mjCAT_ALL, self._scene
        )
        self._model.geom_group[:] = self._groups
        right, up = 0.5 * intrinsics.width, 0.5 * intrinsics.height
        scale_x, scale_y = NEAR / intrinsics.fx, NEAR / intrinsics.fy
        for each in self._scene.camera:
            each.pos[:] = T_world_camera[:3, 3]
            each.forward[:] = T_world_camera[:3, 2]
            each.up[:] = -T_world_camera[:3, 1]
            each.frustum_near, each.frustum_far = NEAR, FAR
            each.frustum_center = (right - intrinsics.cx) * scale_x
            each.frustum_width = right * scale_x
            each.frustum_top = intrinsics.cy * scale_y
            each.frustum_bottom = (intrinsics.cy - 2 * up) * scale_y

    def _in_view(self, data: mujoco.MjData, intrinsics: Intrinsics, T_world_camera: Matrix) -> NDArray[np.bool_]:
        """Which geoms (G,) may reach into the picture, by the balls around them and the rooms that they are in."""
        drawn = self._drawn
        local = (data.geom_xpos[drawn] - T_world_camera[:3, 3]) @ T_world_camera[:3, :3]
        radius = self._model.geom_rbound[drawn]
        parts = np.asarray(whole_picture(intrinsics))[None]
        rooms = self._sight.seen(intrinsics, T_world_camera)
        if rooms is not None:
            self._find_carried(data)
            first, second = rooms[self._rooms[drawn, 0]], rooms[self._rooms[drawn, 1]]
            parts = np.where([True, False, True, False], np.minimum(first, second), np.maximum(first, second))
            parts[self._everywhere[drawn]] = whole_picture(intrinsics)
        x, y, depth = local.T
        left, right, top, bottom = parts.T
        near = (depth > NEAR - radius) & (left < right)
        for place, low, high in ((x, left, right), (y, top, bottom)):
            near &= low * depth - place < radius * np.sqrt(1.0 + low * low)
            near &= place - high * depth < radius * np.sqrt(1.0 + high * high)
        seen = np.zeros(self._model.ngeom, dtype=np.bool_)
        seen[drawn] = near | (radius == 0.0)
        return seen

    def _find_carried(self, data: mujoco.MjData) -> None:
        """Note in which room everything is that can be carried about."""
        if not len(self._carried):
            return
        x, y, _ = data.geom_xpos[self._carried].T
        found = self._sight.rooms_at(x, y)
        self._rooms[self._carried] = found[:, None]
        self._everywhere[self._carried] = found < 0

    def _draw(self, intrinsics: Intrinsics, depth: NDArray[np.float32] | None) -> NDArray[np.uint8]:
        self._gl.make_current()
        picture = np.empty((intrinsics.height, intrinsics.width, 3), np.uint8)
        area = mujoco.MjrRect(0, 0, intrinsics.width, intrinsics.height)
        mujoco.mjr_render(area, self._scene, self._context)
        mujoco.mjr_readPixels(picture, depth, area, self._context)
        return np.ascontiguousarray(picture[::-1])

    def _geoms(self) -> NDArray[np.int32]:
        """The geom of each segment of the last scene, from 1; -1 for what is none."""
        count = self._scene.ngeom
        table = np.full(count + 1, -1, np.int32)
        for geom in self._scene.geoms[:count]:
            if geom.objtype == mujoco.mjtObj.mjOBJ_GEOM and geom.segid >= 0:
                table[geom.segid + 1] = geom.objid
        return table

    def _mark_edges(
        self,
        ids: NDArray[np.int32],
        edges: NDArray[np.int32],
        depth: NDArray[np.float32],
        data: mujoco.MjData,
        T_world_camera: Matrix,
    ) -> None:
        """Give the ids of handles to what is seen of edges that are handles: of parts ``edges`` (H, W), 0 for none."""
        lens = self._small
        rows, columns = np.nonzero(edges)
        numbers, z = edges[rows, columns], depth[rows, columns].astype(np.float64)
        x, y = (columns + 0.5 - lens.cx) * z / lens.fx, (rows + 0.5 - lens.cy) * z / lens.fy
        points = apply(T_world_camera, np.stack([x, y, z], axis=1))
        for number in np.unique(numbers):
            part = self._edges[number - 1]
            mine, site = np.flatnonzero(numbers == number), data.site(part.handle)
            local = (points[mine] - site.xpos) @ site.xmat.reshape(3, 3)
            inside = (np.abs(local) <= self._model.site(part.handle).size + _SLACK).all(axis=1)
            ids[rows[mine[inside]], columns[mine[inside]]] = part.handle_id


def _is_edge(model: mujoco.MjModel, part: MovingPart) -> bool:
    """Whether the handle of a part is an edge of it, not a geom of its own."""
    return bool(model.site_type[model.site(part.handle).id] == mujoco.mjtGeom.mjGEOM_BOX)


def _segments(picture: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Numbers (H, W) that are colors (H, W, 3)."""
    weights = np.array([1, 256, 65536], np.int32)
    found: NDArray[np.int32] = picture.astype(np.int32) @ weights
    return found


def _metric(depth: NDArray[np.float32]) -> NDArray[np.float32]:
    """Depth in m of a depth buffer that is 0 at the near plane and 1 at the far one."""
    share = depth.astype(np.float64)
    found = NEAR * FAR / (FAR - share * (FAR - NEAR))
    return np.where(share < 1.0, found, np.nan).astype(np.float32)
