"""A renderer of Gaussian clouds for machines without a GPU."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError, UsageError
from vantage.spatial import Intrinsics, Matrix, invert
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.cpu_layout import CHUNK, Buffers, Layout, arrange
from vantage.splats.rendering.cpu_project import RECORD, TILE, cull, project
from vantage.splats.rendering.cpu_raster import NUMBERS, PIXELS, SCRATCH, raster
from vantage.splats.rendering.cpu_sort import list_tiles, sort_by_depth
from vantage.splats.rendering.renderer import BLACK, FAR, NEAR, RenderedView, Rgb

_MOST_LISTED = 1 << 25  # entries of tile lists at a time; larger pictures are drawn in bands
_MOST_PLANES = 1 << 16  # instance ids in one tile
_MOST_TILES = 1 << 15  # in a row or column
_LEAST_NEAR = 1e-6  # m


@dataclass(frozen=True)
class LinearView:
    """A ``RenderedView`` with colours before they are clipped and rounded, (H, W, 3) float32; for comparisons."""

    rgb: NDArray[np.float32]
    depth: NDArray[np.float32]
    alpha: NDArray[np.float32]
    instances: NDArray[np.int32]


@dataclass(frozen=True)
class _Shot:
    """What a picture is asked for: the arguments of ``Renderer.render``."""

    pose: Matrix
    intrinsics: Intrinsics
    background: Rgb
    near: float
    far: float
    classes: NDArray[np.int32] | None
    linear: bool = False


@dataclass(frozen=True)
class _Seen:
    """What a camera sees, ready to be listed by tile; see the kernels for the arrays."""

    columns: int
    rows: int
    spans: NDArray[np.int64]
    entries: NDArray[np.int64]
    records: NDArray[np.float32]
    boxes: NDArray[np.int64]
    counts: NDArray[np.int32]
    scratch: NDArray[np.float32]


class CpuRenderer:
    """Draws in tiles of 16 x 16 pixels on a few threads; safe to use from several threads at once.

    The camera-independent part of a cloud is computed at its first rendering and kept as long as the cloud lives.
    """

    def __init__(self, threads: int = 2) -> None:
        self.threads = max(1, threads)
        self._layouts: weakref.WeakKeyDictionary[GaussianCloud, Layout] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()
        self._idle: list[Buffers] = []
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    @property
    def name(self) -> str:
        """See ``Renderer.name``."""
        return "cpu"

    def prepare(self, cloud: GaussianCloud) -> None:
        """See ``Renderer.prepare``."""
        self._layout_of(cloud)

    def memory_bytes(self, cloud: GaussianCloud) -> int:
        """What is kept for a cloud, and for pictures, beside the cloud itself."""
        with self._lock:
            return self._layouts[cloud].nbytes + sum(buffers.nbytes for buffers in self._idle)

    def close(self) -> None:
        """See ``Renderer.close``."""
        with self._lock:
            pool, self._pool = self._pool, None
            self._idle.clear()
            self._layouts.clear()
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
        classes: NDArray[np.int32] | None = None,
    ) -> RenderedView:
        """See ``Renderer.render``."""
        shot = _Shot(T_world_camera_optical, intrinsics, background, near, far, classes)
        return self._draw(cloud, shot)[0]

    def render_batch(
        self,
        cloud: GaussianCloud,
        poses: Sequence[Matrix] | NDArray[np.float64],
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
        classes: NDArray[np.int32] | None = None,
    ) -> list[RenderedView]:
        """See ``Renderer.render_batch``."""
        shots = [_Shot(pose, intrinsics, background, near, far, classes) for pose in poses]
        return [self._draw(cloud, shot)[0] for shot in shots]

    def render_linear(
        self,
        cloud: GaussianCloud,
        T_world_camera_optical: Matrix,
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
    ) -> LinearView:
        """``render`` with colours as they were blended."""
        shot = _Shot(T_world_camera_optical, intrinsics, background, near, far, None, linear=True)
        view, colors = self._draw(cloud, shot)
        return LinearView(colors, view.depth, view.alpha, view.instances)

    def _draw(self, cloud: GaussianCloud, shot: _Shot) -> tuple[RenderedView, NDArray[np.float32]]:
        layout = self._layout_of(cloud)
        with self._lock:
            buffers = self._idle.pop() if self._idle else Buffers()
        seen = self._project(layout, shot, buffers)
        pictures = self._raster(layout, shot, buffers, seen)
        with self._lock:  # only now: after an error they may hold anything
            self._idle.append(buffers)
        return pictures

    def _project(self, layout: Layout, shot: _Shot, buffers: Buffers) -> _Seen:
        """Find, project and sort what a camera sees."""
        lens, threads = shot.intrinsics, self.threads
        columns, rows = -(-lens.width // TILE), -(-lens.height // TILE)
        if max(columns, rows) > _MOST_TILES:
            raise UsageError(
                f"a picture of {lens.width} x {lens.height} pixels cannot be rendered; {_MOST_TILES * TILE} is the most"
            )
        pose = np.asarray(shot.pose, dtype=np.float64)
        to_camera = invert(pose)[:3]
        to_camera[:, 3] += to_camera[:, :3] @ layout.center
        view = np.ascontiguousarray(to_camera, dtype=np.float32)
        eye = (pose[:3, 3] - layout.center).astype(np.float32)
        camera = np.array(
            [lens.width, lens.height, lens.fx, lens.fy, lens.cx, lens.cy, max(shot.near, _LEAST_NEAR), shot.far],
            dtype=np.float32,
        )
        chunks = buffers.take("chunks", len(layout.boxes), np.int32)
        found = cull(layout.boxes, view, camera, chunks)
        records = buffers.take("records", found * CHUNK * RECORD, np.float32)
        boxes = buffers.take("boxes", found * CHUNK, np.int64)
        counts = buffers.take("counts", threads * columns * rows, np.int32).reshape(threads, -1)
        scratch = buffers.take("scratch", threads * SCRATCH, np.float32).reshape(threads, -1)
        edges = np.array([found * part // threads for part in range(threads + 1)], dtype=np.int64)
        entries = buffers.take("entries", found * CHUNK, np.int64)
        spare = buffers.take("lists", found * CHUNK, np.int64)  # which are made later

        def project_and_sort(part: int) -> int:
            count: int = project(
                edges,
                chunks,
                layout.geometry,
                layout.harmonics,
                layout.coefficients,
                layout.slots,
                layout.origins,
                view,
                eye,
                camera,
                columns,
                scratch,
                records,
                boxes,
                counts,
                part,
            )
            sort_by_depth(int(edges[part]) * CHUNK, count, records, entries, spare)
            return count

        numbers = self._spread(project_and_sort, threads)
        spans = np.stack([edges[:-1] * CHUNK, np.array(numbers, dtype=np.int64)], axis=1)
        return _Seen(columns, rows, spans, entries, records, boxes, counts, scratch)

    def _raster(
        self, layout: Layout, shot: _Shot, buffers: Buffers, seen: _Seen
    ) -> tuple[RenderedView, NDArray[np.float32]]:
        """Blend it, band by band where the lists of tiles would take too much memory at once."""
        width, height = shot.intrinsics.width, shot.intrinsics.height
        size, none = (height, width), (0, 0)
        rgb = np.empty((*size, 3), np.uint8)
        linear = np.empty((*(size if shot.linear else none), 3), np.float32)
        depth, alpha = np.empty(size, np.float32), np.empty(size, np.float32)
        instances = np.empty(size, np.int32)
        kinds = np.zeros(0, np.int32) if shot.classes is None else _look_up(shot.classes, layout.names)
        classes = np.empty(none if shot.classes is None else size, np.int32)
        background = np.asarray(shot.background, dtype=np.float32)
        tiles = seen.columns * seen.rows
        starts = buffers.take("starts", self.threads * (tiles + 1), np.int64).reshape(self.threads, -1)
        per_row = seen.counts.reshape(self.threads, seen.rows, seen.columns).sum(axis=2, dtype=np.int64)
        planes = max(1, min(len(layout.names), int(seen.counts.sum(axis=0, dtype=np.int64).max())))
        if planes > _MOST_PLANES:
            raise SceneError(
                f"up to {planes} instance ids meet in one tile of the picture, but no more than {_MOST_PLANES} can be "
                "voted on; give the Gaussians of a thing one instance id"
            )
        ballots = buffers.take("votes", self.threads * planes * PIXELS, np.float32, zero=True).reshape(self.threads, -1)
        for first, last in _bands(per_row.sum(axis=0), _MOST_LISTED):
            edges = np.concatenate([[0], np.cumsum(per_row[:, first:last].sum(axis=1))])
            lists = buffers.take("lists", int(edges[-1]), np.int64)
            self._spread(partial(_list_part, seen, edges, first, last, starts, lists), self.threads)
            self._spread(
                partial(
                    raster,
                    np.zeros(1, np.int64),
                    first,
                    last,
                    seen.columns,
                    starts,
                    lists,
                    seen.records,
                    layout.names,
                    background,
                    seen.scratch,
                    ballots,
                    width,
                    height,
                    rgb.reshape(-1),
                    linear.reshape(-1),
                    depth.reshape(-1),
                    alpha.reshape(-1),
                    instances.reshape(-1),
                    kinds,
                    classes.reshape(-1),
                    NUMBERS,
                ),
                self.threads,
            )
        return RenderedView(rgb, depth, alpha, instances, None if shot.classes is None else classes), linear

    def _layout_of(self, cloud: GaussianCloud) -> Layout:
        with self._lock:
            layout = self._layouts.get(cloud)
        if layout is None:
            layout = arrange(cloud, self._spread, self.threads)
            with self._lock:
                layout = self._layouts.setdefault(cloud, layout)
        return layout

    def _spread(self, work: Callable[[int], Any], parts: int) -> list[Any]:
        """Results of ``work(part)`` for every part, one thread each while there are threads."""
        if self.threads == 1 or parts == 1:
            return [work(part) for part in range(parts)]
        with self._lock:
            if self._pool is None or self._process != os.getpid():  # threads do not survive a fork
                self._process = os.getpid()
                self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="splat")
            others = [self._pool.submit(work, part) for part in range(1, parts)]
        try:
            first = work(0)
        finally:
            wait(others)  # they write into the caller's arrays
        return [first, *(other.result() for other in others)]


def _list_part(
    seen: _Seen,
    edges: NDArray[np.int64],
    first: int,
    last: int,
    starts: NDArray[np.int64],
    lists: NDArray[np.int64],
    part: int,
) -> None:
    start, count = seen.spans[part]
    list_tiles(
        start,
        count,
        seen.entries,
        seen.boxes,
        seen.counts[part],
        seen.columns,
        first,
        last,
        edges[part],
        starts[part],
        lists,
    )


def _look_up(classes: NDArray[np.int32], names: NDArray[np.int32]) -> NDArray[np.int32]:
    """The class of each name, 0 for those outside the table."""
    table = np.asarray(classes, dtype=np.int32)
    kinds = np.zeros(len(names), np.int32)
    known = (names >= 0) & (names < len(table))
    kinds[known] = table[names[known]]
    return kinds


def _bands(per_row: NDArray[np.int64], most: int) -> list[tuple[int, int]]:
    """Ranges of rows whose sums stay within ``most``, or that are one row."""
    bands, first, total = [], 0, 0
    for row, entries in enumerate(per_row.tolist()):
        if row > first and total + entries > most:
            bands.append((first, row))
            first, total = row, 0
        total += entries
    return [*bands, (first, len(per_row))]
