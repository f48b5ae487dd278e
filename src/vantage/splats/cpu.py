"""A renderer of Gaussian clouds for machines without a GPU."""

from __future__ import annotations

import os
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Matrix, invert
from vantage.splats import cpu_kernels as kernels
from vantage.splats.cloud import GaussianCloud
from vantage.splats.renderer import BLACK, FAR, NEAR, RenderedView, Rgb

_FAINT = 1.0 / 255.0


@dataclass(frozen=True)
class _Prepared:
    """What does not depend on the camera; see ``cpu_kernels.project`` for the layout."""

    geometry: NDArray[np.float32]
    sh: NDArray[np.float32]
    slots: NDArray[np.int32]
    names: NDArray[np.int32]


def _prepare(cloud: GaussianCloud) -> _Prepared:
    drawn = cloud.select(cloud.opacities >= _FAINT) if (cloud.opacities < _FAINT).any() else cloud
    covariance = drawn.covariances().reshape(-1, 9)
    opacity = drawn.opacities.astype(np.float64)
    geometry = np.empty((len(drawn), 11), np.float32)
    geometry[:, 0:3] = drawn.means
    geometry[:, 3:9] = covariance[:, (0, 1, 2, 4, 5, 8)]
    geometry[:, 9] = np.log2(opacity)
    geometry[:, 10] = np.sqrt(2.0 * np.log(opacity / _FAINT))
    names, slots = np.unique(drawn.instances, return_inverse=True)
    return _Prepared(geometry, drawn.sh, slots.reshape(-1).astype(np.int32), names.astype(np.int32))


class CpuRenderer:
    """Draws in tiles of 16 x 16 pixels on a few threads; safe to use from several threads at once.

    The camera-independent part of a cloud is computed at its first rendering and kept as long as the cloud lives.
    """

    def __init__(self, threads: int = 2) -> None:
        self.threads = max(1, threads)
        self._prepared: weakref.WeakKeyDictionary[GaussianCloud, _Prepared] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def prepare(self, cloud: GaussianCloud) -> None:
        """Do now what the first rendering of a cloud would do."""
        self._prepared_of(cloud)

    def close(self) -> None:
        """Release the threads; a later rendering starts them anew."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def render(
        self,
        cloud: GaussianCloud,
        T_world_camera_optical: Matrix,
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
    ) -> RenderedView:
        """See ``Renderer.render``."""
        prepared = self._prepared_of(cloud)
        height, width = intrinsics.height, intrinsics.width
        columns, rows = -(-width // kernels.TILE), -(-height // kernels.TILE)
        n = len(prepared.geometry)
        records = np.empty((n, kernels.RECORD), np.float32)
        keys = np.empty(n, np.int32)
        boxes = np.empty((n, 4), np.int32)
        pose = np.asarray(T_world_camera_optical, dtype=np.float64)
        view, eye = np.ascontiguousarray(invert(pose)[:3]), np.ascontiguousarray(pose[:3, 3])
        lens = (intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy)
        camera = np.array([width, height, *lens, near, far], dtype=np.float64)

        edges = np.linspace(0, n, self.threads + 1).astype(np.int64)
        found = self._spread(
            lambda part: kernels.project(
                edges[part],
                edges[part + 1],
                prepared.geometry,
                prepared.sh,
                prepared.slots,
                view,
                eye,
                camera,
                records,
                keys,
                boxes,
            )
        )
        spans = np.stack([edges[:-1], np.array(found, dtype=np.int64)], axis=1)
        order = kernels.sort_by_depth(keys, spans)
        starts, entries = kernels.fill_tiles(order, boxes, columns, rows)

        rgb = np.empty((height, width, 3), np.uint8)
        depth = np.empty((height, width), np.float32)
        alpha = np.empty((height, width), np.float32)
        instances = np.empty((height, width), np.int32)
        behind = np.asarray(background, dtype=np.float32)
        vote = bool(prepared.names.any())
        self._spread(
            lambda part: kernels.composite(
                part,
                self.threads,
                starts,
                entries,
                records,
                boxes,
                columns,
                vote,
                prepared.names,
                behind,
                rgb,
                depth,
                alpha,
                instances,
            )
        )
        return RenderedView(rgb, depth, alpha, instances)

    def _prepared_of(self, cloud: GaussianCloud) -> _Prepared:
        with self._lock:
            prepared = self._prepared.get(cloud)
        if prepared is None:
            prepared = _prepare(cloud)
            with self._lock:
                prepared = self._prepared.setdefault(cloud, prepared)
        return prepared

    def _spread(self, work: Any) -> list[Any]:
        """Results of ``work(part)`` for every thread."""
        if self.threads == 1:
            return [work(0)]
        with self._lock:
            if self._pool is None or self._process != os.getpid():  # threads do not survive a fork
                self._process = os.getpid()
                self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="splat")
            others = [self._pool.submit(work, part) for part in range(1, self.threads)]
        return [work(0), *(other.result() for other in others)]
