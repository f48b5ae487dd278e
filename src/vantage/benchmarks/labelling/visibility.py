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
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.aspects import Aspects, all_aspects
from vantage.benchmarks.labelling.home_moves import moved_home
from vantage.benchmarks.labelling.needed_visibility import Needs, needs_of
from vantage.benchmarks.labelling.projection import half_cone, pixels_of, seen_area
from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.surface_samples import sample_surface
from vantage.benchmarks.labelling.targets import Target, TargetView
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.errors import SceneError
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec, load_spec
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.types import FIRST_VIEW_RULE, NOTHING_TO_SEE, Point, Poses, TruthQuestion, ViewShortfall

_REMEMBERED = 20_000  # positions whose lines of sight are kept
_SPARSE = 16  # points of a target that stand for all of it
_CLOSE = 0.002  # m: how far before a print something must be to hide it

_Key = tuple[int, tuple[str, ...]]  # a target, or some of its parts


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
        self.home = home
        self._solids, self._structure = solids, solids.structure()
        self._aspects = dict(aspects or {})
        self._targets: dict[_Key, Target] = {}
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

    def judged_by(self, settings: VisibilitySettings) -> SceneVisibility:
        """The same scene by other thresholds, but as many ``samples``; what is known of its surfaces is shared."""
        other = copy(self)
        other.settings = replace(settings, samples=self.settings.samples)
        return other

    def moved(self, poses: Poses) -> SceneVisibility:
        """The same scene with things and joints where poses say; itself where only boxes are known of it.

        Raises:
            SceneError: it has no such thing or joint.
        """
        if self.home is None or not poses:
            return self
        return SceneVisibility.of_home(moved_home(self.home, poses), self.settings)

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
        pixels = seen_area(samples, points, viewpoint, intrinsics, visible, self.settings.view_rule)
        areas = samples.areas
        return TargetView(
            fraction=float(areas[visible].sum() / areas[exposed].sum()),
            top_fraction=float(areas[visible & top].sum() / areas[top].sum()) if top.any() else 0.0,
            pixels=pixels,
            cut_off=float(areas[exposed & ~inside].sum() / areas[exposed].sum()),
        )

    def breadth(self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics) -> float:
        """Area of a target that a view shows, over the area that it has from its broadest side: little where it is
        hidden, cut off or seen edge-on.

        Raises:
            SceneError: the scene has no such target.
        """
        known, pixels = self._target((target, ())), self.view(target, viewpoint, intrinsics).pixels
        area = pixels * math.dist(known.sphere[0], viewpoint.position) ** 2 / (intrinsics.fx * intrinsics.fy)
        return area / max(known.broadest, 1e-9)

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
        return math.sqrt(area * intrinsics.fx * intrinsics.fy / getattr(self.settings, needs_of(truth).pixels))

    def answers(
        self,
        truth: TruthQuestion,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        depth: NDArray[Any] | None = None,
    ) -> bool:
        """Whether one look from a viewpoint suffices to answer a question; see ``shortfall``."""
        return self.shortfall(truth, viewpoint, intrinsics, depth) is None

    def shortfall(
        self,
        truth: TruthQuestion,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        depth: NDArray[Any] | None = None,
    ) -> ViewShortfall | None:
        """Why one look from a viewpoint does not suffice to answer a question: the first test that it fails, the
        cheapest tests first. None where it suffices.

        Every target must show enough of itself, and of the top of what things are counted on or absent from. A question
        without targets is answered by no single view.

        Args:
            depth: as in ``fractions``.
        """
        targets, needs = truth.target_instances, needs_of(truth)
        if not targets:
            return NOTHING_TO_SEE
        tests: tuple[Callable[[int], ViewShortfall | None], ...] = (
            lambda target: self._off_axis(target, viewpoint, intrinsics),
            lambda target: self._too_small(target, viewpoint, intrinsics, needs),
            lambda target: self._too_little(target, viewpoint, intrinsics, depth, needs),
        )
        found = (test(target) for test in tests for target in targets)
        lacks = next((each for each in found if each is not None), None)
        lacks = lacks or self._aspect_lacking(targets, needs, viewpoint, intrinsics, depth)
        return lacks or (self._place_lacking(targets, viewpoint, intrinsics, depth) if needs.among else None)

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
            reads = needs.print and aspects is not None and self._is_read(aspects, needs)
            if aspects is not None and reads and aspects.print_shortfall(eye, self.settings, focal=1.0):
                return False
            if aspects is not None and needs.state and number == 0 and aspects.state_shortfall(eye, self.settings):
                return False
            samples = self._target((target, ())).samples
            exposed, unhidden = self._sight((target, ()), eye, with_rays=True)
            counted = samples.top if needs.absent else exposed
            seen = samples.areas[counted & unhidden].sum() / max(float(samples.areas[counted].sum()), 1e-12)
            if seen < (self.settings.top_fraction if needs.absent else self.settings.fraction):
                return False
        return True

    def _aspect_lacking(
        self,
        targets: tuple[int, ...],
        needs: Needs,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        depth: NDArray[Any] | None,
    ) -> ViewShortfall | None:
        """Why a view does not show the texts to be read, or what tells the state of the first target."""
        position = viewpoint.position
        for target in targets if needs.print else ():
            aspects = self._aspects.get(target)
            if aspects is None or not self._is_read(aspects, needs):
                continue
            lacks = aspects.print_shortfall(position, self.settings, intrinsics.fx)
            prints = (self._print_covered(each.points, viewpoint, intrinsics) for each in aspects.texts)
            lacks = lacks or next((each for each in prints if each is not None), None)
            if lacks is not None:
                return replace(lacks, target=target)
        first = targets[0]
        aspects = self._aspects.get(first) if needs.state else None
        if aspects is None:
            return None
        pixels = self._view((first, ()), viewpoint, intrinsics, depth).pixels
        if pixels < self.settings.state_pixels:
            return ViewShortfall("pixels", pixels, self.settings.state_pixels, first)
        lacks = aspects.state_shortfall(position, self.settings)
        if lacks is not None:
            return replace(lacks, target=first)
        for part in aspects.moving:
            fraction = self._view((first, (part,)), viewpoint, intrinsics, depth).fraction
            if not fraction >= self.settings.part_fraction:
                return ViewShortfall("part visible", fraction, self.settings.part_fraction, first)
        return None

    def _is_read(self, aspects: Aspects, needs: Needs) -> bool:
        """Whether the words on a target have to be read; by the first rule those on all targets had to be."""
        every = not needs.words or self.settings.view_rule == FIRST_VIEW_RULE
        return every or any(each.words in needs.words for each in aspects.texts)

    def _place_lacking(
        self, targets: tuple[int, ...], viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None
    ) -> ViewShortfall | None:
        """Why too little of what all targets stand on shows: there may be more. The first rule let it be.

        What hangs on a wall stands on nothing.
        """
        known = () if self.home is None else self.home.objects
        places = {(obj.relation, obj.parent) for obj in known if obj.instance_id in targets}
        relation, place = places.pop() if len(places) == 1 else ("", 0)
        if relation != "on" or self.settings.view_rule == FIRST_VIEW_RULE or len(self._structure.of(place)):
            return None
        seen = self.view(place, viewpoint, intrinsics, depth).top_fraction
        return _below("top visible", seen, self.settings.place_fraction, place)

    def _print_covered(self, points: Floats, viewpoint: Viewpoint, intrinsics: Intrinsics) -> ViewShortfall | None:
        """Why too few points of a print lie in the image with nothing before them; None where enough do."""
        inside, _, _ = pixels_of(apply(invert(viewpoint.T_world_camera_optical()), points), intrinsics)
        needed = self.settings.print_share if self.exact else 1.0
        seen = float(inside.mean())
        if not self.exact or seen < needed:
            return None if inside.all() else ViewShortfall("print visible", seen, needed)
        free = ~self._solids.block(viewpoint.position, points[inside], margin=_CLOSE)
        return _below("print visible", float(free.sum()) / len(points), needed)

    def _too_little(
        self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[Any] | None, needs: Needs
    ) -> ViewShortfall | None:
        """Why a view shows too little of a target; it is called hidden or cut off where that alone is too much."""
        view, needed = self.view(target, viewpoint, intrinsics, depth), self.settings.fraction
        if needs.absent and not view.top_fraction >= self.settings.top_fraction:
            return ViewShortfall("top visible", view.top_fraction, self.settings.top_fraction, target)
        if not needs.absent and not view.fraction >= needed:
            hidden = 1.0 - view.fraction - view.cut_off
            if hidden > 1.0 - needed:
                return ViewShortfall("hidden", hidden, 1.0 - needed, target)
            if view.cut_off > 1.0 - needed:
                return ViewShortfall("cut off", view.cut_off, 1.0 - needed, target)
            return ViewShortfall("visible", view.fraction, needed, target)
        return self._few_pixels(view.pixels, target, needs)

    def _off_axis(self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics) -> ViewShortfall | None:
        """Why the whole target lies outside of a cone around the image; the cheapest test, so it comes first."""
        center, radius = self._target((target, ())).sphere
        dx, dy, dz = center[0] - viewpoint.x, center[1] - viewpoint.y, center[2] - viewpoint.z
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        if distance <= radius:
            return None
        level = math.cos(viewpoint.pitch)
        ahead = (
            dx * level * math.cos(viewpoint.yaw) + dy * level * math.sin(viewpoint.yaw) + dz * math.sin(viewpoint.pitch)
        )
        off_axis, half = math.acos(max(-1.0, min(1.0, ahead / distance))), half_cone(intrinsics)
        wide = math.asin(radius / distance)
        return ViewShortfall("off axis", off_axis - wide, half, target) if off_axis > half + wide else None

    def _too_small(
        self, target: int, viewpoint: Viewpoint, intrinsics: Intrinsics, needs: Needs
    ) -> ViewShortfall | None:
        """Why too little of a target lies in the image to suffice, whatever may hide it; needs no rays."""
        samples = self._target((target, ())).samples
        points = apply(invert(viewpoint.T_world_camera_optical()), samples.points)
        inside, _, _ = pixels_of(points, intrinsics)
        wanted = inside & (samples.top if needs.absent else samples.facing(viewpoint.position))
        pixels = seen_area(samples, points, viewpoint, intrinsics, wanted, self.settings.view_rule)
        return self._few_pixels(pixels, target, needs)

    def _few_pixels(self, pixels: float, target: int, needs: Needs) -> ViewShortfall | None:
        return _below("pixels", pixels, getattr(self.settings, needs.pixels), target)

    def _target(self, key: _Key) -> Target:
        known = self._targets.get(key)
        if known is None:
            target, parts = key
            own = self._solids.of(target, parts)
            if not len(own):
                raise SceneError(f"the scene has no object {target}; the gold data belong to another scene")
            known = Target(sample_surface(self._solids, target, self.settings.samples, parts=parts), own)
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


def _below(test: str, measured: float, needed: float, target: int = 0) -> ViewShortfall | None:
    return None if measured >= needed else ViewShortfall(test, measured, needed, target)
