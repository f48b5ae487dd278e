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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.aspects import Aspects, AspectSettings, all_aspects, legible_distance
from vantage.benchmarks.labelling.home_moves import moved_home
from vantage.benchmarks.labelling.needed_visibility import Needs, needs_of
from vantage.benchmarks.labelling.projection import half_cone, pixels_of, projected_area
from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.surface_samples import SurfaceSamples, sample_surface
from vantage.config import CameraSettings
from vantage.errors import FormatError, SceneError
from vantage.registry import did_you_mean
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec, load_spec
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.types import Point, Poses, TruthQuestion
from vantage.wording import shown

_REMEMBERED = 20_000  # positions whose lines of sight are kept
_MOST_SAMPLES, _MOST_THRESHOLD = 10**5, 1e8
_SPARSE = 16  # points of a target that stand for all of it
_CLOSE = 0.002  # m: how far before a print something must be to hide it

_Key = tuple[int, tuple[str, ...]]  # a target, or some of its parts


@dataclass(frozen=True)
class VisibilitySettings(AspectSettings):
    """When a view counts as showing a target, and what is to be told of it.

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

    @staticmethod
    def of(thresholds: Mapping[str, float], where: str) -> VisibilitySettings:
        """As an episode set keeps them; those that it does not name are the usual ones.

        Raises:
            FormatError: there is no such threshold, or it cannot be so high or low; begins with ``where``.
        """
        known = {item.name for item in fields(VisibilitySettings)}
        for key, value in thresholds.items():
            if key not in known:
                raise FormatError(f"{where}: there is no '{key}'{did_you_mean(key, sorted(known))}")
            low, high = (1, _MOST_SAMPLES) if key == "samples" else (0.0, _MOST_THRESHOLD)
            if not low <= value <= high:
                raise FormatError(f"{where}: {key} = {shown(value)} is outside [{low}, {high}]")
        given = dict(thresholds)
        samples = int(given.pop("samples", VisibilitySettings.samples))
        return VisibilitySettings(samples=samples, **given)

    def through(self, camera: CameraSettings) -> VisibilitySettings:
        """The same for another camera: print is read where its letters have as many pixels."""
        lens = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        return replace(self, print_distance=legible_distance(lens.fx))


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
        self.area, self.top_area = float(samples.areas.sum()), float(samples.areas[samples.top].sum())
        points = samples.points if len(samples) else np.zeros((1, 3))
        center = 0.5 * (points.min(axis=0) + points.max(axis=0))
        radius = float(np.linalg.norm(points - center, axis=1).max())
        self.sphere = ((float(center[0]), float(center[1]), float(center[2])), radius)


class SceneVisibility:
    """Judges views of one scene.

    Args:
        solids: all primitives.
        exact: the primitives are the true shapes, not boxes around them, so that rays may decide what is hidden.
        aspects: what tells the states and printed texts of objects, by instance id; those that lack here need nothing
            special.
        home: that they are of, as far as it is known.
    """

    def __init__(
        self,
        solids: Solids,
        settings: VisibilitySettings | None = None,
        exact: bool = True,
        aspects: Mapping[int, Aspects] | None = None,
        home: SceneSpec | None = None,
    ) -> None:
        self.settings = settings or VisibilitySettings()
        self.exact = exact
        self._home = home
        self._solids, self._structure = solids, solids.structure()
        self._aspects = dict(aspects or {})
        self._targets: dict[_Key, _Target] = {}
        self._sights: dict[tuple[_Key, bool, float, float, float], tuple[Flags, Flags]] = {}

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
            if {node.instance_id for node in graph.nodes} <= {obj.instance_id for obj in spec.objects}:
                return SceneVisibility.of_home(spec, settings)
        return SceneVisibility(Solids.from_graph(graph), settings, exact=False)

    @staticmethod
    def of_home(home: SceneSpec, settings: VisibilitySettings | None = None) -> SceneVisibility:
        """From a specification: shapes are exact."""
        return SceneVisibility(Solids.from_spec(home), settings, aspects=all_aspects(home.objects), home=home)

    def moved(self, poses: Poses) -> SceneVisibility:
        """The same scene with things and joints where poses say; itself where only boxes are known of it.

        Raises:
            SceneError: it has no such thing or joint.
        """
        if self._home is None or not poses:
            return self
        return SceneVisibility.of_home(moved_home(self._home, poses), self.settings)

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
        return self._view((target, ()), viewpoint, intrinsics, depth)

    def _view(self, key: _Key, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None) -> TargetView:
        samples = self._target(key).samples
        depth = None if self.exact else depth
        exposed, unhidden = self._sight(key, viewpoint.position, with_rays=depth is None)
        shown = exposed & unhidden
        if not shown.any():
            return TargetView(0.0, 0.0, 0.0)
        points = apply(invert(viewpoint.T_world_camera_optical()), samples.points)
        inside, rows, columns = pixels_of(points, intrinsics)
        visible = shown & inside
        if depth is not None and visible.any():
            at = np.flatnonzero(visible)
            observed = depth[rows[at], columns[at]]
            behind = self.settings.depth_tolerance + self.settings.depth_slope * points[at, 2]
            visible[at] = np.isfinite(observed) & (points[at, 2] <= observed + behind)
        top = samples.top
        pixels = projected_area(samples, points, viewpoint, intrinsics, visible)
        areas = samples.areas
        return TargetView(
            fraction=float(areas[visible].sum() / areas[exposed].sum()),
            top_fraction=float(areas[visible & top].sum() / areas[top].sum()) if top.any() else 0.0,
            pixels=pixels,
        )

    def sphere(self, target: int) -> tuple[Point, float]:
        """Centre and radius of a sphere around the visible surface of a target, m, world frame.

        Raises:
            SceneError: the scene has no such target.
        """
        return self._target((target, ())).sphere

    def farthest(self, truth: TruthQuestion, target: int, intrinsics: Intrinsics) -> float:
        """A distance (m) from its sphere beyond which a target is certainly too small to answer a question."""
        known = self._target((target, ()))
        area = known.top_area if needs_of(truth).absent else known.area
        return math.sqrt(area * intrinsics.fx * intrinsics.fy / self.settings.pixels)

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
        targets, needs = truth.target_instances, needs_of(truth)
        if not targets or any(self._out_of_sight(target, viewpoint, intrinsics) for target in targets):
            return False
        if any(self._too_small(target, viewpoint, intrinsics, needs.absent) for target in targets):
            return False
        if not all(self._suffices(target, viewpoint, intrinsics, depth, needs.absent) for target in targets):
            return False
        return self._aspects_shown(targets, needs, viewpoint, intrinsics, depth)

    def past_walls(self, target: int, positions: Floats) -> Flags:
        """From which positions (N, 3) a line to some point of a target meets no part of the building, (N,).

        A few points of the target stand for all; most of a home is ruled out so, at once and not spot by spot.
        """
        samples = self._target((target, ())).samples
        free = np.zeros(len(positions), dtype=np.bool_)
        if not len(samples):  # no view shows what has no surface that is not covered
            return free
        if not self.exact:
            return ~free
        for k in np.unique(np.linspace(0, len(samples) - 1, _SPARSE).round().astype(np.intp)):
            point = samples.points[k] + _CLOSE * samples.normals[k]
            free[~free] = ~self._structure.block(point, positions[~free])
        return free

    def could_answer(self, truth: TruthQuestion, position: Point) -> bool:
        """Whether a question may be answered from a position by looking in the right direction.

        Only where shapes are exact can it be ruled out.
        """
        needs, eye = needs_of(truth), np.array(position)
        if not self.exact:
            return True
        for number, target in enumerate(truth.target_instances):
            aspects = self._aspects.get(target)
            if aspects is not None and needs.print and not aspects.print_in_reach(eye, self.settings):
                return False
            if aspects is not None and needs.state and number == 0 and not aspects.state_in_reach(eye, self.settings):
                return False
            samples = self._target((target, ())).samples
            exposed, unhidden = self._sight((target, ()), eye, with_rays=True)
            counted = samples.top if needs.absent else exposed
            seen = samples.areas[counted & unhidden].sum() / max(float(samples.areas[counted].sum()), 1e-12)
            if seen < (self.settings.top_fraction if needs.absent else self.settings.fraction):
                return False
        return True

    def _aspects_shown(
        self,
        targets: tuple[int, ...],
        needs: Needs,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        depth: NDArray[Any] | None,
    ) -> bool:
        """Whether a view shows the texts that have to be read and what tells the state of the first target."""
        position = viewpoint.position
        for target in targets if needs.print else ():
            aspects = self._aspects.get(target)
            if aspects is not None and not (
                aspects.print_in_reach(position, self.settings)
                and all(self._legible(each.points, viewpoint, intrinsics) for each in aspects.texts)
            ):
                return False
        aspects = self._aspects.get(targets[0]) if needs.state else None
        if aspects is None:
            return True
        if self._view((targets[0], ()), viewpoint, intrinsics, depth).pixels < self.settings.state_pixels:
            return False
        return aspects.state_in_reach(position, self.settings) and all(
            self._view((targets[0], (part,)), viewpoint, intrinsics, depth).fraction >= self.settings.part_fraction
            for part in aspects.moving
        )

    def _legible(self, points: Floats, viewpoint: Viewpoint, intrinsics: Intrinsics) -> bool:
        """Whether enough points of a print lie in the image with nothing before them."""
        inside, _, _ = pixels_of(apply(invert(viewpoint.T_world_camera_optical()), points), intrinsics)
        if not self.exact or float(inside.mean()) < self.settings.print_share:
            return bool(inside.all())
        free = ~self._solids.block(viewpoint.position, points[inside], margin=_CLOSE)
        return float(free.sum()) / len(points) >= self.settings.print_share

    def _suffices(
        self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None, absent: bool
    ) -> bool:
        view = self.view(target, viewpoint, intrinsics, depth)
        seen = view.top_fraction if absent else view.fraction
        needed = self.settings.top_fraction if absent else self.settings.fraction
        return seen >= needed and view.pixels >= self.settings.pixels

    def _out_of_sight(self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics) -> bool:
        """Whether the whole target lies outside of a cone around the image; the cheapest test, so it comes first."""
        center, radius = self._target((target, ())).sphere
        dx, dy, dz = center[0] - viewpoint.x, center[1] - viewpoint.y, center[2] - viewpoint.z
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        if distance <= radius:
            return False
        level = math.cos(viewpoint.pitch)
        ahead = (
            dx * level * math.cos(viewpoint.yaw) + dy * level * math.sin(viewpoint.yaw) + dz * math.sin(viewpoint.pitch)
        )
        off_axis = math.acos(max(-1.0, min(1.0, ahead / distance)))
        return off_axis > half_cone(intrinsics) + math.asin(radius / distance)

    def _too_small(self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, absent: bool) -> bool:
        """Whether too little of a target lies in the image to suffice, whatever may hide it; needs no rays."""
        samples = self._target((target, ())).samples
        points = apply(invert(viewpoint.T_world_camera_optical()), samples.points)
        inside, _, _ = pixels_of(points, intrinsics)
        wanted = inside & (samples.top if absent else samples.facing(viewpoint.position))
        return projected_area(samples, points, viewpoint, intrinsics, wanted) < self.settings.pixels

    def _target(self, key: _Key) -> _Target:
        known = self._targets.get(key)
        if known is None:
            target, parts = key
            own = self._solids.of(target, parts)
            if not len(own):
                raise SceneError(f"the scene has no object {target}; the gold data belong to another scene")
            known = _Target(sample_surface(self._solids, target, self.settings.samples, parts=parts), own)
            self._targets[key] = known
        return known

    def _sight(self, key: _Key, position: Floats, with_rays: bool) -> tuple[Flags, Flags]:
        """Which samples are exposed at a position, and which of them nothing else hides (all, without rays)."""
        samples, own = self._target(key).samples, self._target(key).own
        x, y, z = (float(value) for value in position)
        known = self._sights.get((key, with_rays, x, y, z))
        if known is None:
            exposed = samples.facing(position)
            exposed[exposed] = ~own.block(position, samples.points[exposed])
            unhidden = exposed.copy()
            if with_rays:
                unhidden[exposed] = ~self._solids.block(position, samples.points[exposed])
            known = exposed, unhidden
            if len(self._sights) >= _REMEMBERED:
                self._sights.clear()
            self._sights[key, with_rays, x, y, z] = known
        return known
