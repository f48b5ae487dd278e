"""What a view really shows, judged from geometry: for gold data and grounding, independent of every perceiver.

A target is sampled on its surface. A sample counts as exposed when it faces the camera and the target itself does not
hide it; it counts as visible when it also lies in the image and nothing else hides it. The visible fraction is visible
area over exposed area: 1 for an unobstructed target that lies in the image as a whole.

What hides a sample is found by casting rays at the primitives of the scene where these are known exactly. A rendered
depth image would be worse: at an outline it holds a mean of what is in front and what is behind, so that half a candle
beside a chair counts as hidden. Where only bounding boxes are known, the depth image decides, because a box hides what
stands under a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.crossings import Flags, Floats
from vantage.benchmarks.sightlines import Solids
from vantage.benchmarks.surface_samples import SurfaceSamples, sample_surface
from vantage.errors import SceneError
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec_file import load_spec
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.types import NoiseType, Point, TruthQuestion

_REMEMBERED = 20_000  # positions whose lines of sight are kept


@dataclass(frozen=True)
class VisibilitySettings:
    """When a view counts as showing a target.

    Attributes:
        samples: least number on the surface of a target; large ones get more.
        depth_tolerance: how far behind the observed depth a sample may lie, m.
        depth_slope: the same as a share of the distance.
        fraction: least visible fraction of a target that has to be recognised.
        top_fraction: least visible fraction of the top of a support on which something is said to be absent.
        pixels: least projected area of the visible part, in pixels.
    """

    samples: int = 240
    depth_tolerance: float = 0.04
    depth_slope: float = 0.01
    fraction: float = 0.35
    top_fraction: float = 0.9
    pixels: float = 300.0


@dataclass(frozen=True)
class TargetView:
    """How much of a target a view shows: share of its exposed area, share of all its top, and pixels."""

    fraction: float
    top_fraction: float
    pixels: float


class _Target:
    """What is known of one target: samples of its surface, its own primitives and a sphere around the samples."""

    def __init__(self, samples: SurfaceSamples, own: Solids) -> None:
        self.samples, self.own = samples, own
        points = samples.points if len(samples) else np.zeros((1, 3))
        center = 0.5 * (points.min(axis=0) + points.max(axis=0))
        radius = float(np.linalg.norm(points - center, axis=1).max())
        self.sphere = ((float(center[0]), float(center[1]), float(center[2])), radius)


class SceneVisibility:
    """Judges views of one scene.

    Args:
        exact: the primitives are the true shapes, so that depth images are not needed.
    """

    def __init__(self, solids: Solids, settings: VisibilitySettings | None = None, exact: bool = True) -> None:
        self.settings = settings or VisibilitySettings()
        self.exact = exact
        self._solids = solids
        self._targets: dict[int, _Target] = {}
        self._sights: dict[tuple[int, float, float, float], tuple[Flags, Flags]] = {}

    @staticmethod
    def of_scene(
        folder: str | Path | None, graph: SceneGraph, settings: VisibilitySettings | None = None
    ) -> SceneVisibility:
        """From the specification in a scene folder (``spec.json``), otherwise from the boxes of the graph.

        Captures that were placed into a generated scene are in the graph alone: then the boxes decide too.
        """
        path = None if folder is None else Path(folder) / "spec.json"
        if path is not None and path.is_file():
            spec = load_spec(path)
            if {node.instance_id for node in graph.nodes} <= {thing.instance_id for thing in spec.objects}:
                return SceneVisibility(Solids.from_spec(spec), settings)
        return SceneVisibility(Solids.from_graph(graph), settings, exact=False)

    def fractions(
        self, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None, targets: Iterable[int]
    ) -> dict[int, float]:
        """Visible fraction of each target in a frame, by instance id.

        Args:
            depth: (H, W), z in the optical frame, m, NaN where nothing is seen. Without it, and where the scene is
                known exactly, rays are cast instead.
        """
        return {target: self.view(target, viewpoint, intrinsics, depth).fraction for target in dict.fromkeys(targets)}

    def view(
        self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None = None
    ) -> TargetView:
        """How much of one target a view shows.

        Raises:
            SceneError: the scene has no such target.
        """
        samples = self._target(target).samples
        depth = None if self.exact else depth
        exposed, unhidden = self._sight(target, viewpoint, with_rays=depth is None)
        shown = exposed & unhidden
        if not shown.any():
            return TargetView(0.0, 0.0, 0.0)
        points = apply(invert(viewpoint.T_world_camera_optical()), samples.points)
        inside, rows, columns = _pixels(points, intrinsics)
        visible = shown & inside
        if depth is not None and visible.any():
            at = np.flatnonzero(visible)
            observed = depth[rows[at], columns[at]]
            behind = self.settings.depth_tolerance + self.settings.depth_slope * points[at, 2]
            visible[at] = np.isfinite(observed) & (points[at, 2] <= observed + behind)
        top = samples.top
        pixels = _projected_areas(samples, points, viewpoint, intrinsics, visible)
        areas = samples.areas
        return TargetView(
            fraction=float(areas[visible].sum() / areas[exposed].sum()),
            top_fraction=float(areas[visible & top].sum() / areas[top].sum()) if top.any() else 0.0,
            pixels=pixels,
        )

    def center(self, target: int) -> Point:
        """Of a target, m, world frame.

        Raises:
            SceneError: the scene has no such target.
        """
        return self._target(target).sphere[0]

    def answers(
        self,
        truth: TruthQuestion,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        depth: NDArray[Any] | None = None,
    ) -> bool:
        """Whether one look from a viewpoint suffices to answer a question.

        Every target must show enough of itself; where something is absent, nearly all of the free top of the support
        must be seen. A question without targets is answered by no single view.

        Args:
            depth: as in ``fractions``.
        """
        targets, absent = truth.target_instances, claims_absence(truth)
        if not targets or any(self._out_of_sight(target, viewpoint, intrinsics) for target in targets):
            return False
        if any(self._too_small(target, viewpoint, intrinsics, absent) for target in targets):
            return False
        return all(self._suffices(target, viewpoint, intrinsics, depth, absent) for target in targets)

    def _suffices(
        self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None, absent: bool
    ) -> bool:
        view = self.view(target, viewpoint, intrinsics, depth)
        seen = view.top_fraction if absent else view.fraction
        needed = self.settings.top_fraction if absent else self.settings.fraction
        return seen >= needed and view.pixels >= self.settings.pixels

    def _out_of_sight(self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics) -> bool:
        """Whether the whole target lies outside of a cone around the image; the cheapest test, so it comes first."""
        center, radius = self._target(target).sphere
        dx, dy, dz = center[0] - viewpoint.x, center[1] - viewpoint.y, center[2] - viewpoint.z
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        if distance <= radius:
            return False
        level = math.cos(viewpoint.pitch)
        ahead = (
            dx * level * math.cos(viewpoint.yaw) + dy * level * math.sin(viewpoint.yaw) + dz * math.sin(viewpoint.pitch)
        )
        off_axis = math.acos(max(-1.0, min(1.0, ahead / distance)))
        across = max(intrinsics.cx, intrinsics.width - intrinsics.cx) / intrinsics.fx
        down = max(intrinsics.cy, intrinsics.height - intrinsics.cy) / intrinsics.fy
        return off_axis > math.atan(math.hypot(across, down)) + math.asin(radius / distance)

    def _too_small(self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, absent: bool) -> bool:
        """Whether too little of a target lies in the image to suffice, whatever may hide it; needs no rays."""
        samples = self._target(target).samples
        points = apply(invert(viewpoint.T_world_camera_optical()), samples.points)
        inside, _, _ = _pixels(points, intrinsics)
        wanted = inside & (samples.top if absent else samples.facing(viewpoint.position))
        return _projected_areas(samples, points, viewpoint, intrinsics, wanted) < self.settings.pixels

    def _target(self, target: int) -> _Target:
        known = self._targets.get(target)
        if known is None:
            own = self._solids.of(target)
            if not len(own):
                raise SceneError(f"the scene has no object {target}; the gold data belong to another scene")
            known = _Target(sample_surface(self._solids, target, self.settings.samples), own)
            self._targets[target] = known
        return known

    def _sight(self, target: int, viewpoint: Viewpoint, with_rays: bool) -> tuple[Flags, Flags]:
        """Which samples are exposed at a position, and which of them nothing else hides (all, without rays)."""
        samples, own = self._target(target).samples, self._target(target).own
        position = viewpoint.position
        key = (target if with_rays else -target, viewpoint.x, viewpoint.y, viewpoint.z)
        known = self._sights.get(key)
        if known is None:
            exposed = samples.facing(position)
            exposed[exposed] = ~own.block(position, samples.points[exposed])
            unhidden = exposed.copy()
            if with_rays:
                unhidden[exposed] = ~self._solids.block(position, samples.points[exposed])
            known = exposed, unhidden
            if len(self._sights) >= _REMEMBERED:
                self._sights.clear()
            self._sights[key] = known
        return known


def claims_absence(truth: TruthQuestion) -> bool:
    """Whether the truth is that something is not there, so that its targets are the places where it could be."""
    words = truth.answer.lower().replace(",", " ").replace(".", " ").split()
    return truth.noise_type == NoiseType.LATENT or (truth.kind == "existence" and words[:1] == ["no"])


def least_seen(frames: Sequence[Mapping[int, float]], targets: Iterable[int]) -> float | None:
    """Largest visible fraction over frames of the target that is seen least; None without targets."""
    best = [max((frame.get(target, 0.0) for frame in frames), default=0.0) for target in dict.fromkeys(targets)]
    return min(best) if best else None


def _pixels(points: Floats, intrinsics: Intrinsics) -> tuple[Flags, NDArray[np.intp], NDArray[np.intp]]:
    """Which points (N, 3) in the optical frame fall into the image, and the row and column of each."""
    ahead = points[:, 2] > 1e-3
    uv = intrinsics.project(np.where(ahead[:, None], points, 1.0))
    columns, rows = np.floor(uv[:, 0]).astype(np.intp), np.floor(uv[:, 1]).astype(np.intp)
    inside = ahead & (columns >= 0) & (columns < intrinsics.width) & (rows >= 0) & (rows < intrinsics.height)
    return inside, np.where(inside, rows, 0), np.where(inside, columns, 0)


def _projected_areas(
    samples: SurfaceSamples, points: Floats, viewpoint: Viewpoint, intrinsics: Intrinsics, visible: Flags
) -> float:
    """Pixels covered by the visible samples: a patch of area A, normal n at p covers fx fy A |n.p| / z^3."""
    rays = samples.points[visible] - viewpoint.position
    tilt = np.abs((samples.normals[visible] * rays).sum(axis=1))
    return float((intrinsics.fx * intrinsics.fy * samples.areas[visible] * tilt / points[visible, 2] ** 3).sum())
