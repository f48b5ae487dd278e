"""What looks show of all of a home, coarsely and within milliseconds: for places that are explored at length.

Each thing has few samples on its surface, and the floor of all rooms a grid of points. They count as shown where they
lie in the image and no primitive of the home hides them; things and joints that are moved are moved here, too. The
thresholds are those of ``SceneVisibility``, which samples densely and judges single views.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.home_moves import placed
from vantage.benchmarks.labelling.projection import half_cone, pixels_of, seen_area
from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.benchmarks.labelling.raycast import Bodies, Solids, bodies_of, object_solids
from vantage.benchmarks.labelling.surface_samples import SurfaceSamples, sample_surface
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.errors import SceneError
from vantage.scenes.geometry import posed
from vantage.scenes.spec import ObjectSpec, SceneSpec, points_inside
from vantage.spatial import Intrinsics, Matrix, Viewpoint, apply, invert
from vantage.types import Poses

_SAMPLES = 24  # of a thing
_CELL = 0.25  # m between points of the floor
_LIFT = 0.02  # m above the floor at which these lie
FLOOR_REACH = 5.0  # m: floor that is farther away does not count as shown

FreeFloor = Callable[[Floats], Flags]  # which of the points (N, 2) of a floor, m, count


@dataclass(frozen=True)
class PlaceShown:
    """What a look shows.

    Attributes:
        fractions: visible share of what each thing that was asked for turns to the camera, by instance id.
        enough: those of which that and their pixels suffice to recognise them.
        floor: (F,) which points of the floor.
    """

    fractions: dict[int, float]
    enough: frozenset[int]
    floor: Flags


class PlaceSight:
    """One home.

    Args:
        floor: which of the points of the floor on which nothing stands count; all where it is left out.

    Attributes:
        things: instance ids of all objects that are no part of the building.
        openable: those of them that open: that have a joint, but for doors and windows.
        floor_area: m2 of floor that counts.
    """

    def __init__(self, home: SceneSpec, settings: VisibilitySettings, floor: FreeFloor | None = None) -> None:
        self._home, self._settings = home, settings
        self._objects = {obj.instance_id: obj for obj in home.objects}
        self.things = tuple(obj.instance_id for obj in home.objects if not obj.is_structure)
        fills = {opening.instance for opening in home.openings}
        self.openable = tuple(key for key in self.things if self._objects[key].joints and key not in fills)
        self._solids = Solids.from_spec(home)
        self._bodies = bodies_of(tuple(self._solids))
        counts = [len(obj.parts) for obj in home.objects]
        ends = np.cumsum(counts)
        self._rows = {
            obj.instance_id: slice(int(end) - count, int(end))
            for obj, count, end in zip(home.objects, counts, ends, strict=True)
        }
        self._found: dict[int, SurfaceSamples] = {}  # where the home has the things; taken when they are asked for
        self._samples: dict[int, SurfaceSamples] = {}
        self._spheres: dict[int, tuple[Floats, float]] = {}
        points = _floor_points(home, self._solids)
        self._floor = points if floor is None else points[floor(points[:, :2])]
        self._moved = Poses()

    @property
    def floor_area(self) -> float:
        return len(self._floor) * _CELL * _CELL

    def area(self, floor: Flags) -> float:
        """m2 of the points of the floor that are told."""
        return float(floor.sum()) * _CELL * _CELL

    def opened(self, poses: Poses) -> set[int]:
        """Things of which a joint that was closed stands open by half its range or more."""
        found = set()
        for (key, part), position in poses.joints.items():
            joints = self._objects[key].joints if key in self._objects else ()
            joint = next((each for each in joints if each.part == part), None)
            if joint is None:
                continue
            half = 0.5 * (joint.low + joint.high)
            if joint.position < half <= position:
                found.add(key)
        return found.intersection(self.openable)

    def look(
        self, viewpoint: Viewpoint, intrinsics: Intrinsics, things: Collection[int], floor: Flags, moved: Poses
    ) -> PlaceShown:
        """What a look shows of some things, and of those points of the floor that are asked for.

        Args:
            floor: (F,) points that matter; all where it is empty.
            moved: where things and joints are that are not as the home has them. The same object as before stands for
                the same places.

        Raises:
            SceneError: the home has no such thing or joint.
        """
        self._move(moved)
        eye, T_world_camera = np.array(viewpoint.position), viewpoint.T_world_camera_optical()
        T_camera_world, axis = invert(T_world_camera), T_world_camera[:3, 2]
        for key in things:
            self._know(key)
        fractions: dict[int, float] = dict.fromkeys(things, 0.0)
        near = self._in_cone(tuple(fractions), eye, axis, intrinsics)
        enough = {key for key in near if self._shows(key, viewpoint, intrinsics, eye, T_camera_world, fractions)}
        wanted = np.flatnonzero(floor) if len(floor) else np.arange(len(self._floor))
        return PlaceShown(fractions, frozenset(enough), self._floor_shown(T_camera_world, intrinsics, eye, wanted))

    def _shows(
        self,
        key: int,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        eye: Floats,
        T_camera_world: Floats,
        fractions: dict[int, float],
    ) -> bool:
        """Whether a look shows enough of a thing; its visible fraction is put down."""
        samples = self._samples[key]
        points = apply(T_camera_world, samples.points)
        exposed = samples.facing(eye)
        visible = exposed & pixels_of(points, intrinsics)[0]
        visible[visible] = ~self._bodies.block(eye, samples.points[visible])
        if not visible.any():
            return False
        exposed[exposed] = ~self._own(key).block(eye, samples.points[exposed])
        fraction = float(samples.areas[visible].sum() / samples.areas[exposed | visible].sum())
        fractions[key] = fraction
        pixels = seen_area(samples, points, viewpoint, intrinsics, visible, self._settings.view_rule)
        return fraction >= self._settings.fraction and pixels >= self._settings.pixels

    def _floor_shown(
        self, T_camera_world: Floats, intrinsics: Intrinsics, eye: Floats, wanted: NDArray[np.intp]
    ) -> Flags:
        shown = np.zeros(len(self._floor), dtype=np.bool_)
        points = self._floor[wanted]
        at = np.flatnonzero(((points - eye) ** 2).sum(axis=1) < FLOOR_REACH**2)
        inside, _, _ = pixels_of(apply(T_camera_world, points[at]), intrinsics)
        at = at[inside]
        shown[wanted[at[~self._bodies.block(eye, points[at])]]] = True
        return shown

    def _in_cone(self, things: Sequence[int], eye: Floats, axis: Floats, intrinsics: Intrinsics) -> list[int]:
        """Things of which any part may lie in the image of a camera that looks along an axis."""
        spheres = [self._spheres[key] for key in things]
        ways = np.array([center for center, _ in spheres]).reshape(-1, 3) - eye
        radii = np.array([radius for _, radius in spheres])
        distances = np.linalg.norm(ways, axis=1)
        within = distances <= radii
        away = np.where(within, 1.0, distances)
        off_axis = np.arccos(np.clip(ways @ axis / away, -1.0, 1.0))
        near = within | (off_axis <= half_cone(intrinsics) + np.arcsin(np.where(within, 0.0, radii) / away))
        return [things[k] for k in np.flatnonzero(near).tolist()]

    def _own(self, key: int) -> Bodies:
        return self._bodies.at(self._rows[key])

    def _know(self, key: int) -> None:
        """
        Raises:
            SceneError: the home has no such thing.
        """
        if key in self._found:
            return
        if key not in self._objects:
            raise SceneError(f"the scene has no object {key}; the gold data belong to another scene")
        self._found[key] = sample_surface(self._solids, key, _SAMPLES, _SAMPLES)
        self._sample(key, self._posed(self._objects[key], self._moved), self._moved)

    # What is moved ----------------------------------------------------------------------------------------------------

    def _move(self, moved: Poses) -> None:
        if moved is self._moved:
            return
        changed = _changed(self._moved, moved)
        strange = next((key for key in changed if key not in self._objects), None)
        if strange is not None:
            raise SceneError(f"the scene has no object {strange}; the poses belong to another scene")
        self._moved = moved
        for key in changed:
            obj = self._posed(self._objects[key], moved)
            for column, values in zip(self._bodies, bodies_of(tuple(object_solids(obj))), strict=True):
                column[self._rows[key]] = values
            if key in self._found:
                self._sample(key, obj, moved)

    def _posed(self, obj: ObjectSpec, moved: Poses) -> ObjectSpec:
        joints = {joint.part: joint for joint in obj.joints}
        turned = {
            (key, part): min(max(position, joints[part].low), joints[part].high) if part in joints else position
            for (key, part), position in moved.joints.items()
            if key == obj.instance_id
        }
        if turned:
            alone = replace(self._home, objects=(replace(obj, parent=0),))
            obj = replace(posed(alone, turned, carried=False).objects[0], parent=obj.parent)
        pose = moved.things.get(obj.instance_id)
        return obj if pose is None else placed(obj, pose)

    def _sample(self, key: int, obj: ObjectSpec, moved: Poses) -> None:
        """Samples where a thing is now: taken along with it, or taken anew where a part of it was moved."""
        if any(instance == key for instance, _ in moved.joints):
            samples = sample_surface(Solids(object_solids(obj)), key, _SAMPLES, _SAMPLES)
        elif key in moved.things:
            start = self._objects[key]
            samples = _carried(self._found[key], moved.things[key] @ invert(_pose_of(start)))
        else:
            samples = self._found[key]
        self._samples[key], self._spheres[key] = samples, _sphere(samples)


def _changed(before: Poses, after: Poses) -> Iterable[int]:
    """Instance ids of what is told to be elsewhere, or no longer told of."""
    keys = {key for key in {*before.things, *after.things} if before.things.get(key) is not after.things.get(key)}
    joints = {key for key in {*before.joints, *after.joints} if before.joints.get(key) != after.joints.get(key)}
    return sorted(keys | {instance for instance, _ in joints})


def _pose_of(obj: ObjectSpec) -> Matrix:
    c, s = np.cos(obj.yaw), np.sin(obj.yaw)
    T_world_object = np.eye(4)
    T_world_object[:2, :2], T_world_object[:3, 3] = [[c, -s], [s, c]], obj.position
    return T_world_object


def _carried(samples: SurfaceSamples, motion: Matrix) -> SurfaceSamples:
    return replace(samples, points=apply(motion, samples.points), normals=samples.normals @ motion[:3, :3].T)


def _sphere(samples: SurfaceSamples) -> tuple[Floats, float]:
    points = samples.points if len(samples) else np.full((1, 3), 1e9)
    center = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return center, float(np.linalg.norm(points - center, axis=1).max())


def _floor_points(home: SceneSpec, solids: Solids) -> Floats:
    """Points (F, 3) of a grid over the floor of all rooms on which nothing stands."""
    found: list[Floats] = [np.zeros((0, 2))]
    for room in home.rooms:
        outline = np.array(room.outline)
        low, high = outline.min(axis=0), outline.max(axis=0)
        axes = [np.arange(a + 0.5 * _CELL, b, _CELL) for a, b in zip(low, high, strict=True)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        found.append(grid[points_inside(room.outline, grid[:, 0], grid[:, 1])])
    flat = np.concatenate(found)
    points = np.column_stack([flat, np.full(len(flat), _LIFT)])
    return points[~solids.contain(points)]
