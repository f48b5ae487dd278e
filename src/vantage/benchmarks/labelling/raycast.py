"""Where a line of sight ends: exact intersections with the primitives of a scene, without pixels.

Labelling asks for thousands of viewpoints what they would show; casting some hundred rays against boxes, cylinders,
cones and ellipsoids answers in about a millisecond what a rendering would answer in a tenth of a second.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.ray_crossings import BOX, ELLIPSOID, FRUSTUM, Flags, Floats, crossings, is_inside
from vantage.benchmarks.labelling.rays import lines_blocked
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Matrix, rotation_matrix

UNIT_FACES = ("x-", "x+", "y-", "y+", "z-", "z+")  # by number
_KINDS = {"box": BOX, "ellipsoid": ELLIPSOID, "cylinder": FRUSTUM, "cone": FRUSTUM}


@dataclass(frozen=True, eq=False)
class Solid:
    """One primitive, a convex body.

    In its own frame it fills [-1, 1] on each axis and, where it is round, stands along z. Its faces may be open, as
    those of a container are.

    Attributes:
        instance_id: whose part it is.
        shape: ``box``, ``cylinder``, ``cone`` or ``ellipsoid``.
        T_world_unit: affine map (4, 4) from the frame in which the primitive fills [-1, 1]^3 to the world, m.
        closed: for each of ``UNIT_FACES`` (of the unit frame) whether it is there; round shapes use the two of z.
        ends: radii of a cone at z = -1 and z = 1, as fractions of 1.
        part: name of the part of the object that it belongs to.
        is_structure: whether it belongs to the building.
    """

    instance_id: int
    shape: str
    T_world_unit: Matrix
    closed: tuple[bool, ...] = (True,) * 6
    ends: tuple[float, float] = (1.0, 1.0)
    part: str = ""
    is_structure: bool = False

    @property
    def center(self) -> Floats:
        """World frame, m."""
        return self.T_world_unit[:3, 3]

    @cached_property
    def radius(self) -> float:
        """Of a sphere around the whole primitive, m."""
        columns = self.T_world_unit[:3, :3]
        corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) @ columns.T
        return float(np.linalg.norm(corners, axis=1).max())

    @property
    def is_open(self) -> bool:
        return not all(self.closed)


@dataclass(frozen=True, eq=False)
class _Batch:
    """Primitives of one kind, S of them, either all closed or all with open faces, as arrays.

    Attributes:
        members: their places in the list of all primitives.
        linear, offset: (S, 3, 3), transposed, and (S, 3): the map from the world to the unit frames.
        closed: (S, 6). ends: (S, 2).
    """

    kind: int
    members: NDArray[np.intp]
    linear: Floats
    offset: Floats
    closed: Flags
    ends: Floats

    def only(self, wanted: Flags) -> _Batch:
        """Those members that are wanted among all primitives."""
        which = wanted[self.members]
        return _Batch(
            self.kind,
            self.members[which],
            self.linear[which],
            self.offset[which],
            self.closed[which],
            self.ends[which],
        )

    def unit(self, points: Floats) -> Floats:
        """Points (N, 3) in all unit frames, (S, N, 3)."""
        return np.asarray(points @ self.linear + self.offset[:, None, :])

    def crossings(self, origin: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Where segments from ``origin`` (1 or N, 3) to ``points`` (N, 3) enter and leave each, (S, N)."""
        return crossings(self.kind, self.unit(origin), self.unit(points), self.closed, self.ends)

    def crossed(self, origin: Floats, points: Floats, end: Floats | float) -> Flags:
        """Which segments pass through a face of any before ``end`` of the way, (N,)."""
        enter, leave = self.crossings(origin, points)
        return np.asarray((((enter > 0) & (enter < end)) | ((leave > 0) & (leave < end))).any(axis=0))


class Bodies(NamedTuple):
    """Primitives, S of them, as ``lines_blocked`` takes them.

    Attributes:
        kinds: (S,). linear, offset: (S, 3, 3), transposed, and (S, 3): from the world to the unit frames.
        closed: (S, 6). ends: (S, 2). centers, radii: (S, 3) and (S,) of spheres around them, m.
    """

    kinds: Floats
    linear: Floats
    offset: Floats
    closed: Flags
    ends: Floats
    centers: Floats
    radii: Floats

    def at(self, rows: slice) -> Bodies:
        """Some of them; views, not copies."""
        return Bodies(
            self.kinds[rows],
            self.linear[rows],
            self.offset[rows],
            self.closed[rows],
            self.ends[rows],
            self.centers[rows],
            self.radii[rows],
        )

    def block(self, origin: Floats, points: Floats, margin: float = 0.01) -> Flags:
        """As ``Solids.block``."""
        if not len(points) or not len(self.kinds):
            return np.zeros(len(points), dtype=np.bool_)
        distance = np.linalg.norm(points - origin, axis=1)
        ends = 1.0 - margin / np.maximum(distance, 2 * margin)
        origin, points = np.asarray(origin, np.float64), np.ascontiguousarray(points, np.float64)
        blocked: Flags = lines_blocked(origin, points, ends, *self)
        return blocked


def bodies_of(solids: Sequence[Solid]) -> Bodies:
    """Primitives as arrays."""
    maps = np.linalg.inv(np.array([solid.T_world_unit for solid in solids]).reshape(-1, 4, 4))
    return Bodies(
        np.array([float(_KINDS[solid.shape]) for solid in solids]),
        np.ascontiguousarray(maps[:, :3, :3].transpose(0, 2, 1)),
        np.ascontiguousarray(maps[:, :3, 3]),
        np.array([solid.closed for solid in solids], dtype=np.bool_).reshape(-1, 6),
        np.array([solid.ends for solid in solids], dtype=np.float64).reshape(-1, 2),
        np.array([solid.center for solid in solids]).reshape(-1, 3),
        np.array([solid.radius for solid in solids]),
    )


class Solids:
    """The primitives of a scene."""

    def __init__(self, solids: Iterable[Solid]) -> None:
        self._solids = tuple(solids)
        self._centers = np.array([solid.center for solid in self._solids]).reshape(-1, 3)
        self._radii = np.array([solid.radius for solid in self._solids])
        batches = [self._batch(kind, open_) for kind in (BOX, ELLIPSOID, FRUSTUM) for open_ in (False, True)]
        self._batches = [batch for batch in batches if len(batch.members)]

    @staticmethod
    def from_spec(spec: SceneSpec) -> Solids:
        """The parts of all objects."""
        return Solids(solid for obj in spec.objects for solid in object_solids(obj))

    @staticmethod
    def from_graph(graph: SceneGraph) -> Solids:
        """The bounding box of every node; all that is known of a captured scene."""
        solids = []
        for node in graph.nodes:
            low, high = np.array(node.bounds_min), np.array(node.bounds_max)
            half = np.maximum(0.5 * (high - low), 1e-6)
            solids.append(Solid(node.instance_id, "box", _affine(np.eye(3), 0.5 * (low + high), half)))
        return Solids(solids)

    def __len__(self) -> int:
        return len(self._solids)

    def __iter__(self) -> Iterator[Solid]:
        return iter(self._solids)

    def of(self, instance_id: int, parts: Collection[str] = ()) -> Solids:
        """The primitives of one object, or of those of its parts that are named."""
        return Solids(
            solid for solid in self._solids if solid.instance_id == instance_id and (not parts or solid.part in parts)
        )

    def structure(self) -> Solids:
        """The primitives of the building."""
        return Solids(solid for solid in self._solids if solid.is_structure)

    def contain(self, points: Floats) -> Flags:
        """Which of the points (N, 3) lie inside of any primitive, (N,); nothing lies inside an open shell."""
        inside = np.zeros(len(points), dtype=np.bool_)
        if not len(points):
            return inside
        low, high = points.min(axis=0), points.max(axis=0)
        gap = np.maximum(np.maximum(low - self._centers, self._centers - high), 0.0)
        near = np.asarray(np.linalg.norm(gap, axis=1) <= self._radii)
        for batch in (batch.only(near) for batch in self._batches):
            whole = np.asarray(batch.closed.all(axis=1))[:, None]
            inside |= (is_inside(batch.kind, batch.unit(points), batch.ends) & whole).any(axis=0)
        return inside

    def block(self, origin: Floats, points: Floats, margin: float = 0.01) -> Flags:
        """Which of the points (N, 3) cannot be seen from ``origin`` (3,), (N,).

        Args:
            margin: how far before a point a surface must lie to hide it, m.
        """
        return self._bodies.block(origin, points, margin)

    def meet(self, points: Floats, way: Floats) -> Flags:
        """Which of the segments from points (N, 3) along ``way`` (3,) pass through any primitive, (N,)."""
        met = np.zeros(len(points), dtype=np.bool_)
        for batch in self._batches:
            met |= batch.crossed(points, points + way, 1.0)
        return met

    def crossings(self, origin: Floats, points: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Where segments from ``origin`` (3,) to ``points`` (N, 3) pass through each primitive.

        Returns:
            Two arrays (S, N) with the share of the way, 0 at the origin and 1 at the point: where the line enters and
            where it leaves; inf where it misses or the face is open. And the instance ids (S,).
        """
        enters: list[Floats] = [np.zeros((0, len(points)))]
        leaves: list[Floats] = [np.zeros((0, len(points)))]
        names = []
        for batch in self._batches:
            enter, leave = batch.crossings(origin[None], points)
            enters.append(enter)
            leaves.append(leave)
            names += [self._solids[k].instance_id for k in batch.members]
        return np.concatenate(enters), np.concatenate(leaves), np.array(names, dtype=np.intp)

    def _batch(self, kind: int, open_: bool) -> _Batch:
        members = [k for k, s in enumerate(self._solids) if _KINDS[s.shape] == kind and s.is_open == open_]
        maps = [np.linalg.inv(self._solids[k].T_world_unit) for k in members]
        return _Batch(
            kind,
            np.array(members, dtype=np.intp),
            np.array([inverse[:3, :3].T for inverse in maps]).reshape(-1, 3, 3),
            np.array([inverse[:3, 3] for inverse in maps]).reshape(-1, 3),
            np.array([self._solids[k].closed for k in members], dtype=np.bool_).reshape(-1, 6),
            np.array([self._solids[k].ends for k in members], dtype=np.float64).reshape(-1, 2),
        )

    @cached_property
    def _bodies(self) -> Bodies:
        return bodies_of(self._solids)


def object_solids(obj: ObjectSpec) -> Iterable[Solid]:
    """The parts of an object, world frame."""
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    R_world_object = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    for part in obj.parts:
        center = R_world_object @ np.array(part.center) + np.array(obj.position)
        yield _part_solid(obj, part, R_world_object, center)


def _part_solid(obj: ObjectSpec, part: Part, R_world_object: Matrix, center: Floats) -> Solid:
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
    R_world_part = R_world_object @ rotation_matrix(part.rotation) if part.is_turned else R_world_object
    T_world_unit = _affine(R_world_part @ turn, center, turn.T @ half)
    return Solid(obj.instance_id, part.shape, T_world_unit, closed, ends, part.name, obj.is_structure)


def _affine(rotation: Matrix, center: Floats, half: Floats) -> Matrix:
    transform = np.eye(4)
    transform[:3, :3] = rotation * np.abs(half)
    transform[:3, 3] = center
    return transform
