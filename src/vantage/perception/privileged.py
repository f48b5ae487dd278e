"""A perceiver that reads the simulator's instance ids, but only as far as the one view supports it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError
from vantage.perception.compiled import compiled
from vantage.spatial import Intrinsics, apply
from vantage.types import Detection, InstanceLabel, Observation, Point

_SAMPLES = 1200  # pixels per instance that locate it; more do not change a 2nd percentile
_TRIM = 0.02
_MIN_CORE = 12  # pixels of one quality that are enough to locate a thing
_BEND = 0.04  # relative bend of the inverse depth over 4 pixels beyond which surfaces mix
_DEPTH_SLACK = 0.05  # m by which a thing without clean pixels may be deeper than half its width


_NO_DEPTH, _ON_BORDER, _OFF_BORDER, _INNER = 0, 1, 2, 3


class PrivilegedPerceiver:
    """One detection per instance of which the view shows enough pixels.

    Labels come with ``min_pixels`` pixels, color, material and states with twice as many: a far thing is noticed
    before it is made out. The confidence is pixels / (pixels + min_pixels). Bounds are the 2nd to 98th percentile of
    the visible surface without the border of its mask and without silhouettes, where a rendered depth mixes the thing
    with what is before or behind it.
    """

    name = "privileged"

    def __init__(self, min_pixels: int = 60) -> None:
        """
        Raises:
            VantageError: ``min_pixels`` is not positive.
        """
        if min_pixels < 1:
            raise VantageError(f"min_pixels is {min_pixels}; give at least 1 pixel")
        self.min_pixels = min_pixels
        self.attribute_pixels = 2 * min_pixels

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """The instances that this view shows, by falling number of pixels.

        Raises:
            VantageError: the observation has no instance ids, no legend or no depth, or sizes that disagree.
        """
        ids, depth, legend = self._inputs(observation)
        flat = ids.ravel()
        shown = np.flatnonzero(flat)
        keys = flat[shown]
        if keys.size and keys.min() > 0 and keys.max() < 65536:
            keys = keys.astype(np.uint16)  # radix sort
        order = np.argsort(keys, kind="stable")
        keys, shown = keys[order], shown[order]
        starts = np.flatnonzero(np.concatenate([[keys.size > 0], keys[1:] != keys[:-1]]))
        ends = np.append(starts, keys.size)[1:]
        quality = _quality(np.ascontiguousarray(ids), np.ascontiguousarray(depth)).ravel()
        T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
        found = []
        for start, end in zip(starts, ends, strict=True):
            label = legend.get(int(keys[start]))
            if end - start < self.min_pixels or label is None:
                continue
            pixels = shown[start:end]
            located = self._clean(pixels, quality[pixels], depth.ravel()[pixels], observation.intrinsics)
            if located.size == 0:
                continue
            located = located[:: max(1, located.size // _SAMPLES)]
            points = apply(T_world_camera_optical, _backproject(observation, depth, located))
            found.append(self._detection(label, ids.shape, pixels, points))
        return tuple(sorted(found, key=lambda detection: -detection.pixels))

    @staticmethod
    def _clean(
        pixels: NDArray[np.int64], quality: NDArray[np.uint8], depth: NDArray[np.float32], camera: Intrinsics
    ) -> NDArray[np.int64]:
        """The best pixels to locate a thing by: inner ones, else those near its median depth."""
        for least in (_INNER, _OFF_BORDER):
            inner: NDArray[np.int64] = pixels[quality >= least]
            if inner.size >= _MIN_CORE:
                return inner
        valid = quality > _NO_DEPTH
        pixels, depth = pixels[valid], depth[valid]
        if pixels.size == 0:
            return pixels
        middle = float(np.median(depth))
        columns = pixels % camera.width
        reach = _DEPTH_SLACK + 0.5 * float(columns.max() - columns.min() + 1) * middle / camera.fx
        near: NDArray[np.int64] = pixels[np.abs(depth - middle) <= reach]
        return near

    def _detection(
        self, label: InstanceLabel, shape: tuple[int, ...], pixels: NDArray[np.int64], points: NDArray[np.float64]
    ) -> Detection:
        height, width = shape
        rows, columns = pixels[[0, -1]] // width, pixels % width
        top, bottom, left, right = int(rows[0]), int(rows[1]), int(columns.min()), int(columns.max())
        points = np.sort(points, axis=0)
        last = len(points) - 1
        low, high = points[round(_TRIM * last)], points[round((1 - _TRIM) * last)]
        made_out = pixels.size >= self.attribute_pixels
        return Detection(
            instance_id=label.instance_id,
            label=label.label,
            color=label.color if made_out else "",
            material=label.material if made_out else "",
            confidence=pixels.size / (pixels.size + self.min_pixels),
            pixels=int(pixels.size),
            box=(left, top, right - left + 1, bottom - top + 1),
            center=_point(points[last // 2]),
            bounds_min=_point(low),
            bounds_max=_point(high),
            states=label.states if made_out else (),
            truncated=left == 0 or top == 0 or right == width - 1 or bottom == height - 1,
        )

    @staticmethod
    def _inputs(observation: Observation) -> tuple[NDArray[np.int32], NDArray[np.float32], dict[int, InstanceLabel]]:
        ids, depth, legend = observation.instances, observation.depth, observation.legend
        if ids is None or depth is None or legend is None:
            parts = {"instance ids": ids, "a legend": legend, "depth": depth}
            missing = [name for name, part in parts.items() if part is None]
            raise VantageError(
                f"the privileged perceiver needs {' and '.join(missing)} in each observation and got none; "
                "use a simulated world with world.instances on, or another perceiver"
            )
        shape = (observation.intrinsics.height, observation.intrinsics.width)
        if ids.shape != shape or depth.shape != shape:
            raise VantageError(
                f"instance image {ids.shape} and depth image {depth.shape} must have the size {shape} of the camera; "
                "give images of one view"
            )
        return ids, depth, dict(legend)


@compiled
def _quality(ids: NDArray[np.int32], depth: NDArray[np.float32]) -> NDArray[np.uint8]:
    """How far each pixel (H, W) can be trusted to lie on the surface of its instance.

    ``_OFF_BORDER``: its four neighbours are of the same instance. ``_INNER``: so are those two pixels away, and along
    both axes the inverse depth, which is linear in the image of a plane, does not bend.
    """
    height, width = ids.shape
    quality = np.zeros((height, width), dtype=np.uint8)
    for row in range(height):
        for column in range(width):
            z = depth[row, column]
            if not 0.0 < z < 1e6:
                continue
            quality[row, column] = _ON_BORDER
            if not (2 <= row < height - 2 and 2 <= column < width - 2):
                continue
            key = ids[row, column]
            if key == 0 or (
                ids[row - 1, column] != key
                or ids[row + 1, column] != key
                or ids[row, column - 1] != key
                or ids[row, column + 1] != key
            ):
                continue
            quality[row, column] = _OFF_BORDER
            if (
                ids[row - 2, column] != key
                or ids[row + 2, column] != key
                or ids[row, column - 2] != key
                or ids[row, column + 2] != key
            ):
                continue
            across = abs(z / depth[row, column - 2] + z / depth[row, column + 2] - 2.0)
            along = abs(z / depth[row - 2, column] + z / depth[row + 2, column] - 2.0)
            if across < _BEND and along < _BEND:
                quality[row, column] = _INNER
    return quality


def _backproject(
    observation: Observation, depth: NDArray[np.float32], pixels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Points (N, 3) in the optical frame, m, of flat pixel indices."""
    camera = observation.intrinsics
    z = depth.ravel()[pixels].astype(np.float64)
    x = (pixels % camera.width + 0.5 - camera.cx) * z / camera.fx
    y = (pixels // camera.width + 0.5 - camera.cy) * z / camera.fy
    return np.stack([x, y, z], axis=1)


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])
