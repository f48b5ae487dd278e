"""Where a line of sight ends: exact intersections with the primitives of a scene, without pixels.

Labelling asks for thousands of viewpoints what they would show; casting some hundred rays against boxes, cylinders,
cones and ellipsoids answers in about a millisecond what a rendering would answer in a tenth of a second.

Every primitive is a convex body in its own frame, scaled so that it fills [-1, 1] on each axis and, where it is round,
stands along z. A line enters and leaves it at most once, each time through its side, its lower or its upper face; faces
may be open, as those of a container are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Matrix

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

UNIT_FACES = ("x-", "x+", "y-", "y+", "z-", "z+")  # by number


@dataclass(frozen=True, eq=False)
class Solid:
    """One primitive.

    Attributes:
        instance_id: whose part it is.
        shape: ``box``, ``cylinder``, ``cone`` or ``ellipsoid``.
        T_world_unit: affine map (4, 4) from the frame in which the primitive fills [-1, 1]^3 to the world, m.
        closed: for each of ``UNIT_FACES`` (of the unit frame) whether it is there; round shapes use the two of z.
        ends: radii of a cone at z = -1 and z = 1, as fractions of 1.
    """

    instance_id: int
    shape: str
    T_world_unit: Matrix
    closed: tuple[bool, ...] = (True,) * 6
    ends: tuple[float, float] = (1.0, 1.0)

    @cached_property
    def _unit_world(self) -> tuple[Matrix, Floats]:
        """The linear part, transposed, and the offset of the map from the world to the unit frame."""
        inverse = np.linalg.inv(self.T_world_unit)
        return np.ascontiguousarray(inverse[:3, :3].T), inverse[:3, 3]

    @property
    def center(self) -> Floats:
        """World frame, m."""
        return self.T_world_unit[:3, 3]

    @property
    def radius(self) -> float:
        """Of a sphere around the whole primitive, m."""
        columns = self.T_world_unit[:3, :3]
        corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) @ columns.T
        return float(np.linalg.norm(corners, axis=1).max())

    @property
    def is_open(self) -> bool:
        return not all(self.closed)

    def contains(self, points: Floats) -> Flags:
        """Which of the points (N, 3) lie inside, (N,); nothing lies inside an open shell."""
        if self.is_open:
            return np.zeros(len(points), dtype=np.bool_)
        linear, offset = self._unit_world
        x, y, z = (points @ linear + offset).T
        if self.shape == "box":
            return np.asarray((np.abs(x) <= 1) & (np.abs(y) <= 1) & (np.abs(z) <= 1))
        if self.shape == "ellipsoid":
            return np.asarray(x * x + y * y + z * z <= 1)
        radius = 0.5 * (self.ends[0] + self.ends[1]) + 0.5 * (self.ends[1] - self.ends[0]) * z
        return np.asarray((np.abs(z) <= 1) & (x * x + y * y <= radius * radius))

    def crossings(self, origin: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Where the segments from ``origin`` (3,) or (N, 3) to ``points`` (N, 3) pass through a face that is there.

        Returns:
            Two arrays (N,) with the share of the way, 0 at the origin and 1 at the point: where the line enters and
            where it leaves; inf where it misses or the face is open.
        """
        linear, offset = self._unit_world
        start = np.broadcast_to(origin @ linear + offset, points.shape)
        way = points @ linear + offset - start
        way = np.where(np.abs(way) < 1e-12, 1e-12, way)
        if self.shape == "box":
            enter, leave, first, last = _through_box(start, way)
        elif self.shape == "ellipsoid":
            enter, leave, first, last = _through_sphere(start, way)
        else:
            enter, leave, first, last = _through_frustum(start, way, self.ends)
        hit = enter < leave
        closed = np.array(self.closed)
        return np.where(hit & closed[first], enter, np.inf), np.where(hit & closed[last], leave, np.inf)


Crossing = tuple[Floats, Floats, NDArray[np.intp], NDArray[np.intp]]  # enter, leave, and through which face each


def _through_box(start: Floats, way: Floats) -> Crossing:
    with np.errstate(over="ignore"):
        low, high = (-1.0 - start) / way, (1.0 - start) / way
    near, far = np.minimum(low, high), np.maximum(low, high)
    axis_in, axis_out = near.argmax(axis=1), far.argmin(axis=1)
    rows = np.arange(len(way))
    upward_in, upward_out = way[rows, axis_in] > 0, way[rows, axis_out] > 0
    return (
        near[rows, axis_in],
        far[rows, axis_out],
        2 * axis_in + np.where(upward_in, 0, 1),  # going up it enters through the lower face
        2 * axis_out + np.where(upward_out, 1, 0),
    )


def _through_sphere(start: Floats, way: Floats) -> Crossing:
    enter, leave = _roots((way * way).sum(axis=1), (way * start).sum(axis=1), (start * start).sum(axis=1) - 1.0)
    side = np.zeros(len(way), dtype=np.intp)
    return enter, leave, side, side


def _through_frustum(start: Floats, way: Floats, ends: tuple[float, float]) -> Crossing:
    """The part of a line with |z| <= 1 and x^2 + y^2 <= (a + b z)^2."""
    a, b = 0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0])
    x, y, z = start.T
    dx, dy, dz = way.T
    radius = a + b * z
    square = dx * dx + dy * dy - b * b * dz * dz
    square = np.where(np.abs(square) < 1e-12, 1e-12, square)
    linear = dx * x + dy * y - b * dz * radius
    constant = x * x + y * y - radius * radius
    first, second = _roots(square, linear, constant)
    cap_low, cap_high = (-1.0 - z) / dz, (1.0 - z) / dz
    cap_in, cap_out = np.minimum(cap_low, cap_high), np.maximum(cap_low, cap_high)
    steep = square < 0  # then the line is inside the double cone outside of the two roots
    without_root = steep & ~np.isfinite(first)
    before = np.minimum(first, second) > cap_in
    side_in = np.where(steep, np.where(before, -np.inf, np.maximum(first, second)), first)
    side_out = np.where(steep, np.where(before, np.minimum(first, second), np.inf), second)
    side_in, side_out = np.where(without_root, -np.inf, side_in), np.where(without_root, np.inf, side_out)
    up = dz > 0
    enter, leave = np.maximum(side_in, cap_in), np.minimum(side_out, cap_out)
    face_in = np.where(side_in >= cap_in, 0, np.where(up, 4, 5))
    face_out = np.where(side_out <= cap_out, 0, np.where(up, 5, 4))
    return enter, leave, face_in, face_out


def _roots(square: Floats, linear: Floats, constant: Floats) -> tuple[Floats, Floats]:
    """Solutions of square t^2 + 2 linear t + constant = 0 in ascending order; inf and -inf where there are none."""
    discriminant = linear * linear - square * constant
    root = np.sqrt(np.maximum(discriminant, 0.0))
    one, other = (-linear - root) / square, (-linear + root) / square
    none = discriminant < 0
    return np.where(none, np.inf, np.minimum(one, other)), np.where(none, -np.inf, np.maximum(one, other))


class Solids:
    """The primitives of a scene."""

    def __init__(self, solids: Iterable[Solid]) -> None:
        self._solids = tuple(solids)
        self._centers = np.array([solid.center for solid in self._solids]).reshape(-1, 3)
        self._radii = np.array([solid.radius for solid in self._solids])

    @staticmethod
    def from_spec(spec: SceneSpec) -> Solids:
        """The parts of all objects."""
        return Solids(solid for thing in spec.objects for solid in _object_solids(thing))

    @staticmethod
    def from_graph(graph: SceneGraph) -> Solids:
        """The bounding box of every node; all that is known of a captured scene."""
        solids = []
        for node in graph.nodes:
            low, high = np.array(node.bounds_min), np.array(node.bounds_max)
            solids.append(Solid(node.instance_id, "box", _affine(np.eye(3), 0.5 * (low + high), 0.5 * (high - low))))
        return Solids(solids)

    def __len__(self) -> int:
        return len(self._solids)

    def of(self, instance_id: int) -> Solids:
        """The primitives of one object."""
        return Solids(solid for solid in self._solids if solid.instance_id == instance_id)

    def __iter__(self) -> Iterator[Solid]:
        return iter(self._solids)

    def contain(self, points: Floats) -> Flags:
        """Which of the points (N, 3) lie inside of any primitive, (N,)."""
        inside = np.zeros(len(points), dtype=np.bool_)
        for solid in self._near_box(points):
            inside |= solid.contains(points)
        return inside

    def block(self, origin: Floats, points: Floats, margin: float = 0.01) -> Flags:
        """Which of the points (N, 3) cannot be seen from ``origin`` (3,), (N,).

        Args:
            margin: how far before a point a surface must lie to hide it, m.
        """
        blocked = np.zeros(len(points), dtype=np.bool_)
        if not len(points):
            return blocked
        distance = np.linalg.norm(points - origin, axis=1)
        end = 1.0 - margin / np.maximum(distance, 2 * margin)
        for solid in self._between(origin, points):
            open_rays = np.flatnonzero(~blocked)
            if not len(open_rays):
                break
            enter, leave = solid.crossings(origin, points[open_rays])
            limit = end[open_rays]
            blocked[open_rays] = ((enter > 0) & (enter < limit)) | ((leave > 0) & (leave < limit))
        return blocked

    def meet(self, points: Floats, way: Floats) -> Flags:
        """Which of the segments from points (N, 3) along ``way`` (3,) pass through any primitive, (N,)."""
        met = np.zeros(len(points), dtype=np.bool_)
        for solid in self._solids:
            enter, leave = solid.crossings(points, points + way)
            met |= ((enter > 0) & (enter < 1)) | ((leave > 0) & (leave < 1))
        return met

    def _near_box(self, points: Floats) -> Sequence[Solid]:
        if not len(points):
            return ()
        low, high = points.min(axis=0), points.max(axis=0)
        gap = np.maximum(np.maximum(low - self._centers, self._centers - high), 0.0)
        return [self._solids[i] for i in np.flatnonzero(np.linalg.norm(gap, axis=1) <= self._radii)]

    def _between(self, origin: Floats, points: Floats) -> Sequence[Solid]:
        """The primitives that may touch the hull of ``origin`` and ``points``, those that fill most of it first."""
        if not len(self._solids):
            return ()
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        spread = float(np.linalg.norm(points - middle, axis=1).max())
        axis = middle - origin
        length = float(np.linalg.norm(axis))
        if length < 1e-9:
            return self._solids
        relative = self._centers - origin
        along = np.clip(relative @ (axis / length), 0.0, length)
        off = np.linalg.norm(relative - along[:, None] * (axis / length), axis=1)
        near = off <= self._radii + spread + 1e-9
        order = np.argsort(off - self._radii, kind="stable")
        return [self._solids[i] for i in order if near[i]]


def _object_solids(thing: ObjectSpec) -> Iterable[Solid]:
    c, s = math.cos(thing.yaw), math.sin(thing.yaw)
    R_world_object = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    for part in thing.parts:
        center = R_world_object @ np.array(part.center) + np.array(thing.position)
        yield _part_solid(thing.instance_id, part, R_world_object, center)


def _part_solid(instance_id: int, part: Part, R_world_object: Matrix, center: Floats) -> Solid:
    half = 0.5 * np.array(part.size)
    if part.shape in ("cylinder", "cone") and part.axis != "z":
        # Columns: where the unit frame's x, y and z (the axis of the primitive) point in the object frame.
        turn = {"x": np.eye(3)[:, [1, 2, 0]], "y": np.eye(3)[:, [2, 0, 1]]}[part.axis]
        faces = [f"{part.axis}-", f"{part.axis}+"]
    else:
        turn, faces = np.eye(3), ["z-", "z+"]
    if part.shape == "box":
        closed = tuple(face not in part.open_faces for face in UNIT_FACES)
    else:
        closed = (True, True, True, True, faces[0] not in part.open_faces, faces[1] not in part.open_faces)
    ends = part.ends if part.shape == "cone" else (1.0, 1.0)
    T_world_unit = _affine(R_world_object @ turn, center, turn.T @ half)
    return Solid(instance_id, part.shape, T_world_unit, closed, ends)


def _affine(rotation: Matrix, center: Floats, half: Floats) -> Matrix:
    transform = np.eye(4)
    transform[:3, :3] = rotation * np.abs(half)
    transform[:3, 3] = center
    return transform
