"""Points spread evenly over the surfaces of objects, with the directions in which they face."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.benchmarks.labelling.raycast import Solid, Solids

_LIFT = 0.005  # m: a point is covered where a step this far off its surface leads into a body
_CELL = 0.01  # m^2
_ROOM = 0.08  # m above a surface without which nothing is put there
_DIRECTIONS = 96  # in which a way out of a closed object is looked for
_STRIDE = 37  # without a factor in common with their number
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


Patch = tuple[Floats, Floats, Floats]  # points, unit normals and areas in the frame of the unit primitive


@dataclass(frozen=True, eq=False)
class SurfaceSamples:
    """Samples of one object's surface in the world frame.

    Attributes:
        points: (N, 3), m.
        normals: (N, 3), unit, outwards.
        areas: (N,), m^2 of surface that each sample stands for.
        top: (N,) samples that face up and have room above them: where other objects can be.
    """

    points: Floats
    normals: Floats
    areas: Floats
    top: Flags

    def __len__(self) -> int:
        return len(self.points)

    def facing(self, position: Floats) -> Flags:
        """Which samples face a camera at ``position`` (3,), (N,)."""
        towards = position - self.points
        return np.asarray((self.normals * towards).sum(axis=1) > 0.05 * np.linalg.norm(towards, axis=1))


def sample_surface(
    scene: Solids, instance_id: int, least: int = 240, most: int = 900, parts: Collection[str] = ()
) -> SurfaceSamples:
    """Samples of the uncovered surface of one object, about one each 100 cm^2; the same ones every time.

    Left out is what no camera can see: samples inside of other parts, where objects touch, and inside of closed
    objects.

    Args:
        least, most: numbers of samples before any are left out.
        parts: names of the parts to take samples of; all when none are named.
    """
    own = scene.of(instance_id, parts)
    total = sum(_area(solid, face) for solid in own for face in _faces(solid))
    if total <= 0:
        return _join([])
    count = min(max(least, round(total / _CELL)), most)
    patches = [
        _sample_face(solid, face, max(1, round(count * _area(solid, face) / total)))
        for solid in own
        for face in _faces(solid)
    ]
    samples = _join(patches)
    lifted = samples.points + _LIFT * samples.normals
    keep = ~scene.contain(lifted)
    keep[keep] = ~_enclosed(own, lifted[keep], samples.normals[keep])
    top = (samples.normals[:, 2] > 0.7) & ~own.meet(lifted, np.array([0.0, 0.0, _ROOM]))
    return SurfaceSamples(samples.points[keep], samples.normals[keep], samples.areas[keep], top[keep])


def _enclosed(own: Solids, points: Floats, normals: Floats) -> Flags:
    """Which points (N, 3) the object itself closes in, but for one direction at most: a crack."""
    ways, _, _ = _sphere(_DIRECTIONS)
    ways_out = np.zeros(len(points), dtype=np.int64)
    for k in range(_DIRECTIONS):  # from all sides by turns, so that most points are soon done
        way = ways[_STRIDE * k % _DIRECTIONS]
        before = np.flatnonzero((normals @ way > 0.0) & (ways_out < 2))
        if len(before):
            ways_out[before] += ~own.meet(points[before], 10.0 * way)
    return np.asarray(ways_out < 2)


def _faces(solid: Solid) -> tuple[int, ...]:
    """The faces that are there, by number; of a round shape 0 stands for its side. Open shells have inner faces too."""
    if solid.shape == "box":
        outer = tuple(face for face in range(6) if solid.closed[face])
    elif solid.shape == "ellipsoid":
        outer = (0,)
    else:
        outer = (0, *(face for face in (4, 5) if solid.closed[face] and solid.ends[face - 4] > 0))
    return outer + tuple(face + 6 for face in outer) if solid.is_open else outer


def _area(solid: Solid, face: int) -> float:
    """m^2, for how many samples a face gets; round sides are approximated."""
    a, b, c = (float(value) for value in np.linalg.norm(solid.T_world_unit[:3, :3], axis=0))
    face %= 6
    if solid.shape == "box":
        return 4.0 * (b * c, a * c, a * b)[face // 2]
    if solid.shape == "ellipsoid":
        p = 1.6075  # Knud Thomsen's formula, within 1.1 %
        return float(4.0 * math.pi * (((a * b) ** p + (a * c) ** p + (b * c) ** p) / 3.0) ** (1.0 / p))
    mean = 0.5 * (a + b)
    if face == 0:
        slant = math.hypot(2.0 * c, mean * (solid.ends[1] - solid.ends[0]))
        return math.pi * mean * (solid.ends[0] + solid.ends[1]) * slant
    return math.pi * a * b * solid.ends[face - 4] ** 2


def _sample_face(solid: Solid, face: int, count: int) -> SurfaceSamples:
    """Samples of one face; which of them are on top is decided later."""
    inner, face_number = face >= 6, face % 6
    if solid.shape == "box":
        unit, normals, weights = _square(face_number, count, solid.T_world_unit)
    elif solid.shape == "ellipsoid":
        unit, normals, weights = _sphere(count)
    elif face_number == 0:
        unit, normals, weights = _side(count, solid.ends)
    else:
        unit, normals, weights = _disc(count, solid.ends[face_number - 4], 1.0 if face_number == 5 else -1.0)
    linear = solid.T_world_unit[:3, :3]
    points = unit @ linear.T + solid.T_world_unit[:3, 3]
    normals = normals @ np.linalg.inv(linear)  # normals map with the inverse transpose, areas with its length
    length = np.linalg.norm(normals, axis=1)
    areas = weights * length * abs(float(np.linalg.det(linear)))
    normals = normals / length[:, None] * (-1.0 if inner else 1.0)
    return SurfaceSamples(points, normals, areas, np.zeros(len(points), dtype=np.bool_))


def _square(face: int, count: int, T_world_unit: Floats) -> Patch:
    """A grid over one face of [-1, 1]^3 whose cells are about square in the world."""
    axis, sign = face // 2, 1.0 if face % 2 else -1.0
    others = [k for k in range(3) if k != axis]
    size = np.linalg.norm(T_world_unit[:3, :3], axis=0)[others]
    across = min(count, max(1, round(math.sqrt(count * size[0] / size[1]))))
    along = max(1, round(count / across))
    grid = np.stack(np.meshgrid(_middles(across), _middles(along), indexing="ij"), axis=-1).reshape(-1, 2)
    points, normals = np.empty((len(grid), 3)), np.zeros((len(grid), 3))
    points[:, axis], points[:, others] = sign, grid
    normals[:, axis] = sign
    return points, normals, np.full(len(points), 4.0 / len(points))


def _middles(count: int) -> Floats:
    return (np.arange(count) + 0.5) / count * 2.0 - 1.0


def _sphere(count: int) -> Patch:
    """Points of a spiral of golden angles, evenly spread over a unit sphere."""
    z = _middles(count)
    angle = _GOLDEN * np.arange(count)
    radius = np.sqrt(1.0 - z * z)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)
    return points, points.copy(), np.full(count, 4.0 * math.pi / count)


def _side(count: int, ends: tuple[float, float]) -> Patch:
    """A spiral on the side of a frustum."""
    z, angle = _middles(count), _GOLDEN * np.arange(count)
    radius = 0.5 * (ends[0] + ends[1]) + 0.5 * (ends[1] - ends[0]) * z
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)
    slope = 0.5 * (ends[0] - ends[1])
    normals = np.stack([np.cos(angle), np.sin(angle), np.full(count, slope)], axis=1) / math.hypot(1.0, slope)
    return points, normals, radius * (4.0 * math.pi * math.hypot(1.0, slope) / count)


def _disc(count: int, radius: float, z: float) -> Patch:
    """A sunflower pattern on a cap of a frustum."""
    angle = _GOLDEN * np.arange(count)
    distance = radius * np.sqrt((np.arange(count) + 0.5) / count)
    points = np.stack([distance * np.cos(angle), distance * np.sin(angle), np.full(count, z)], axis=1)
    normals = np.zeros((count, 3))
    normals[:, 2] = z
    return points, normals, np.full(count, math.pi * radius * radius / count)


def _join(patches: list[SurfaceSamples]) -> SurfaceSamples:
    empty = SurfaceSamples(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0, dtype=np.bool_))
    parts = patches or [empty]
    return SurfaceSamples(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.areas for part in parts]),
        np.concatenate([part.top for part in parts]),
    )
