"""Which parts of a room are solid, from its splat scene or from what a depth camera has seen, in voxels."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import ConfigError, HardwareError, UnknownNameError
from vantage.file_references import referenced
from vantage.jit import kernel
from vantage.spatial import Intrinsics, Matrix, apply
from vantage.splats import find_scene, load_scene
from vantage.splats.space import OccupancyGrid, cached_free_space
from vantage.types import Point
from vantage.worlds.rig.collision.capsules import point_segment, segment_box

EMPTY, EDGE = -1, -2  # what is nearest where no voxel is
_MOST_VOXELS = 16_000_000
_MOST_PIXELS = 80_000  # of one depth image
_OWN = 0.02  # m around the rig's own bodies in which a depth camera sees those


class Grid(NamedTuple):
    """What kernels know about a room.

    Attributes:
        solid: (X, Y, Z) bool; voxel (i, j, k) spans ``low + voxel * [(i, j, k), (i + 1, j + 1, k + 1)]``.
        low, high: (3,) bounds, m, world frame.
        walled: whether everything beyond the bounds is solid too.
    """

    solid: Any
    low: Any
    high: Any
    voxel: float
    walled: bool


@kernel
def room_gap(grid: Any, a: Any, b: Any, reach: float) -> tuple[float, int]:
    """Distance of a segment from what is solid, at most ``reach`` m, and the flat index of the nearest voxel.

    It is 0 where the segment meets a voxel. The index is ``EDGE`` where the edge of a walled room is nearest, beyond
    which the distance is negative, and ``EMPTY`` where nothing is within reach.
    """
    gap, nearest = reach, EMPTY
    size = grid.solid.shape
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    corner, opposite, middle = np.empty(3), np.empty(3), np.empty(3)
    for k in range(3):
        below, above = min(a[k], b[k]), max(a[k], b[k])
        inside = min(below - grid.low[k], grid.high[k] - above)
        if grid.walled and inside < gap:
            gap, nearest = inside, EDGE
        first[k] = max(math.floor((below - reach - grid.low[k]) / grid.voxel), 0)
        last[k] = min(math.floor((above + reach - grid.low[k]) / grid.voxel), size[k] - 1)
    half = 0.5 * math.sqrt(3.0) * grid.voxel
    for i in range(first[0], last[0] + 1):
        for j in range(first[1], last[1] + 1):
            for k in range(first[2], last[2] + 1):
                if not grid.solid[i, j, k]:
                    continue
                corner[0] = grid.low[0] + i * grid.voxel
                corner[1] = grid.low[1] + j * grid.voxel
                corner[2] = grid.low[2] + k * grid.voxel
                for axis in range(3):
                    opposite[axis] = corner[axis] + grid.voxel
                    middle[axis] = corner[axis] + 0.5 * grid.voxel
                if point_segment(middle, a, b)[0] - half < gap:
                    distance = max(segment_box(a, b, corner, opposite)[0], 0.0)
                    if distance < gap:
                        gap, nearest = distance, (i * size[1] + j) * size[2] + k
    return gap, nearest


class RoomMap:
    """Solid voxels of a room.

    A splat scene ends at its walls: for whatever is kept out of it, everything beyond its bounds is solid too. What a
    depth camera has seen has no such end, and what it has not seen counts as free. A motion that is checked while the
    map changes sees each voxel as it was before or as it is afterwards.

    Attributes:
        grid: for kernels.
        what: what is solid, in words.
    """

    def __init__(self, solid: NDArray[np.bool_], low: Any, high: Any, voxel: float, walled: bool, what: str) -> None:
        low, high = np.array(low, dtype=np.float64), np.array(high, dtype=np.float64)
        self.grid = Grid(np.ascontiguousarray(solid), low, high, float(voxel), walled)
        self.what = what

    @staticmethod
    def of_scene(occupancy: OccupancyGrid) -> RoomMap:
        """The solid parts of a splat scene and everything beyond its bounds."""
        bounds = occupancy.bounds_min, occupancy.bounds_max
        return RoomMap(occupancy.occupied, *bounds, occupancy.voxel, True, "a solid part of the room")

    @staticmethod
    def empty() -> RoomMap:
        """A room of which nothing is known."""
        return RoomMap(np.zeros((1, 1, 1), np.bool_), np.zeros(3), np.ones(3), 1.0, False, "nothing")

    def nearest(self, a: Any, b: Any, reach: float) -> tuple[float, Point | None]:
        """The distance of a segment (both ends (3,), m, world frame) from what is solid, and the nearest solid point.

        Beyond the edge of a walled room the distance is negative. Where nothing is within ``reach`` m, it is ``reach``
        and there is no point.
        """
        start, end = (np.ascontiguousarray(p, dtype=np.float64) for p in (a, b))
        gap, index = room_gap(self.grid, start, end, float(reach))
        if index == EMPTY:
            return float(reach), None
        if index == EDGE:
            return float(gap), self._edge_point(start, end)
        corner = self.grid.low + self.grid.voxel * np.array(np.unravel_index(index, self.grid.solid.shape))
        share = segment_box(start, end, corner, corner + self.grid.voxel)[1]
        return float(gap), _point(np.clip(start + share * (end - start), corner, corner + self.grid.voxel))

    def contact(self, a: Any, b: Any, radius: float, clearance: float) -> Point | None:
        """Where a capsule comes within ``clearance`` m of something solid, or None."""
        return self.nearest(a, b, radius + clearance)[1]

    def _edge_point(self, start: Matrix, end: Matrix) -> Point:
        ends, low, high = np.stack([start, end]), self.grid.low, self.grid.high
        inside = np.stack([ends - low, high - ends])
        side, which, axis = np.unravel_index(int(np.argmin(inside)), inside.shape)
        point = ends[which].copy()
        point[axis] = (low, high)[side][axis]
        return _point(point)


class DepthMap(RoomMap):
    """What a depth camera has seen since the last ``clear``; it only grows, so removed objects stay until then."""

    def __init__(
        self, low: Any, high: Any, voxel: float = 0.05, hits: int = 3, nearest: float = 0.15, farthest: float = 4.0
    ) -> None:
        """An empty map between two corners, m, world frame; voxels grow where there would be more than 16 million.

        Args:
            hits: pixels that make a voxel solid.
            nearest, farthest: distances from the camera within which its depth counts, m; nearer is the rig itself.

        Raises:
            ConfigError: the corners are not finite or leave no space between them.
        """
        first, last = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        extent = last - first
        if not (np.isfinite(extent).all() and (extent > 0).all() and voxel > 0):
            raise ConfigError(f"no depth map fits between {first} and {last} m; give every joint finite limits")
        voxel = max(voxel, 1.01 * float(np.cbrt(extent.prod() / _MOST_VOXELS)))
        shape = np.ceil(extent / voxel - 1e-9).astype(int)
        solid = np.zeros(np.maximum(shape, 1), np.bool_)
        super().__init__(solid, first, last, voxel, False, "something that the depth camera saw")
        self._counts = np.zeros(solid.shape, np.uint8)
        self._hits = min(max(int(hits), 1), 255)
        self._range = nearest, farthest

    def add(
        self,
        depth: NDArray[np.float32],
        intrinsics: Intrinsics,
        T_world_camera_optical: Matrix,
        segments: Matrix | None = None,
        radii: Matrix | None = None,
    ) -> None:
        """Take in a depth image (H, W), m, NaN where nothing is seen.

        Args:
            segments, radii: (B, 2, 3) and (B,), m, world frame: the rig's own bodies, which are no obstacles.

        Raises:
            HardwareError: the image has another size than the intrinsics.
        """
        if depth.shape != (intrinsics.height, intrinsics.width):
            raise HardwareError(
                f"the depth image has {depth.shape[1]} x {depth.shape[0]} pixels, its intrinsics are for "
                f"{intrinsics.width} x {intrinsics.height}; check the camera's calibration"
            )
        points = intrinsics.backproject(depth, max(1, math.ceil(math.sqrt(depth.size / _MOST_PIXELS))))
        distances = np.linalg.norm(points, axis=1)
        seen = points[(distances >= self._range[0]) & (distances <= self._range[1])]
        world = np.ascontiguousarray(apply(T_world_camera_optical, seen.astype(np.float64)))
        own = np.zeros((0, 2, 3)) if segments is None else np.ascontiguousarray(segments, dtype=np.float64)
        wide = np.zeros(0) if radii is None else np.asarray(radii, dtype=np.float64) + _OWN
        _count(self.grid, self._counts, self._hits, world, own, wide)

    def clear(self) -> None:
        """Forget everything."""
        self._counts[:] = 0
        self.grid.solid[:] = False


def load_room(settings: Settings, name: str, folder: Path) -> RoomMap:
    """The map of a splat scene, by its name in ``world.scenes`` or by its path; with the voxels of ``world.voxel``.

    Args:
        folder: of the rig's file, in which paths begin and stay.

    Raises:
        ConfigError, UnknownNameError: there is no such scene.
        FormatError, SceneError: its files are wrong.
    """
    try:
        source = find_scene(settings.world.scenes, name)
    except (ConfigError, UnknownNameError):
        try:
            source = referenced(name, folder)
        except ValueError as error:
            raise ConfigError(f"rig.safety.room: {error}; or name a scene of your own world.scenes") from error
        if not source.exists():
            raise
    return RoomMap.of_scene(
        cached_free_space(load_scene(source), settings.world.voxel, settings.world.body_radius).solid
    )


def _point(values: Any) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z


@kernel
def _count(grid: Any, counts: Any, hits: int, points: Any, segments: Any, radii: Any) -> None:
    size = counts.shape
    for n in range(len(points)):
        p = points[n]
        i = math.floor((p[0] - grid.low[0]) / grid.voxel)
        j = math.floor((p[1] - grid.low[1]) / grid.voxel)
        k = math.floor((p[2] - grid.low[2]) / grid.voxel)
        if not (0 <= i < size[0] and 0 <= j < size[1] and 0 <= k < size[2]):
            continue
        own = False
        for m in range(len(radii)):
            own = own or point_segment(p, segments[m, 0], segments[m, 1])[0] < radii[m]
        if not own and counts[i, j, k] < hits:
            counts[i, j, k] += 1
            if counts[i, j, k] >= hits:
                grid.solid[i, j, k] = True
