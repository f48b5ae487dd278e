"""A Gaussian cloud from a scene specification: flat Gaussians on all visible surfaces, looks and light baked in.

Sizes of the cells that surfaces are divided into, so that a home of any size is quick to render and sharp.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import UsageError
from vantage.jit import kernel
from vantage.scenes.generator import USUAL_LAYOUT, HomeLayout, generate_home, varied
from vantage.scenes.geometry import first_view
from vantage.scenes.graph import SceneGraph
from vantage.scenes.looks import Patch, finish_of
from vantage.scenes.spec import (
    ObjectSpec,
    RoomMap,
    SceneSpec,
    check_spec,
    rooms_of,
)
from vantage.splats import harmonics
from vantage.splats.cloud import GaussianCloud
from vantage.splats.scene_file import save_scene
from vantage.splats.synthesis.building_surfaces import cover_building
from vantage.splats.synthesis.hollows import brightness, openness
from vantage.splats.synthesis.lighting import Lighting
from vantage.splats.synthesis.object_surfaces import LARGEST_CELL, cover_object, object_coarseness, usual_cell
from vantage.splats.synthesis.pieces import Neighbours, Piece, Plan
from vantage.splats.synthesis.rings import ring_samples
from vantage.splats.synthesis.samples import Array, Samples, cross, join
from vantage.splats.synthesis.sheets import sheet_samples, stroke_samples
from vantage.splats.synthesis.voxels import SceneVoxels

_FIRST, _EACH, _MOST = 120_000, 27_000, 325_000  # Gaussians of a home whatever its size, for each room, at most
_FINEST, _COARSEST = 0.9, 3.0
_SEEN = 0.55  # share of the faces of objects that are neither hidden nor left out
_EDGES = 2.2  # cells more along a side than its length asks for, because they are small at both ends
_MORE, _SLOWER = 2.05, 0.45  # measured on homes of 1 to 10 rooms: small cells at outlines, factor and power of the cell
_BUILDING = 0.12  # m: cell of walls, floors and ceilings
_HALVINGS = 20


def coarseness(spec: SceneSpec) -> float:
    """Factor for the cells of all objects with which a home has about as many Gaussians as it should.

    Raises:
        SceneError: a part has an unknown look.
    """
    goal = min(_FIRST + _EACH * len(rooms_of(spec)), _MOST)
    sides = _sides(spec)
    low, high = math.log(_FINEST), math.log(_COARSEST)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _count(sides, math.exp(middle)) > goal else (low, middle)
    return math.exp(low)


def _sides(spec: SceneSpec) -> Array:
    """Of the faces of all parts: both extents, the cell and the usual cell of the object, m; (F, 4)."""
    rows = []
    for obj in spec.objects:
        usual = usual_cell(obj)
        for part in obj.parts:
            x, y, z = part.size
            cell = min(finish_of(obj, part).spacing or usual, 0.3 * max(part.size))
            if obj.is_structure:
                a, b = sorted(part.size)[1:]
                rows.append((a / _SEEN, b, _BUILDING, _BUILDING))
            elif part.shape == "box":
                rows += [(a, b, cell, usual) for a, b in ((x, y), (y, z), (x, z)) for _ in range(2)]
            else:
                rows.append((0.5 * math.pi * (x + y + z - max(part.size)), max(part.size), cell, usual))
    return np.array(rows).reshape(-1, 4)


def _count(sides: Array, factor: float) -> float:
    a, b, cell, usual = sides.T
    own = object_coarseness(np.minimum(usual, LARGEST_CELL), factor)
    count = _SEEN * ((a / (own * cell) + _EDGES) * (b / (own * cell) + _EDGES))
    return _MORE * float((own**_SLOWER * count).sum())


_MARGIN = 0.6  # cells that a sample must lie inside another solid
_KINDS = {"box": 0, "ellipsoid": 1, "cylinder": 2, "cone": 3}
_THICKNESS = 0.05  # of a Gaussian, in widths of its cell
_FEWEST = 20  # Gaussians of an object, even of one that nobody can see


def cloud_from_spec(spec: SceneSpec, density: float = 1.0) -> GaussianCloud:
    """Cover every visible surface of a scene; the same specification gives the same bytes.

    Instance and part ids are exact. Gaussians are of degree 0 and opaque, those of drinking glasses aside: at a density
    of 1 about 150,000 for a room and 400,000 for a home of ten.

    Args:
        spec: a scene that ``check`` accepts.
        density: Gaussians per area relative to the usual.

    Raises:
        SceneError: the scene contradicts itself, names an unknown look or prints unknown letters.
        UsageError: the density is not positive.
    """
    if not (density > 0 and math.isfinite(density)):
        raise UsageError(f"a cloud cannot have a density of {density}; give a positive number, 1 is usual")
    check_spec(spec)
    return _covered(spec, spec.objects, coarseness(spec) / math.sqrt(density), np.zeros((0, 3)))


def cloud_of_objects(spec: SceneSpec, instances: Collection[int], points: Array, scale: float) -> GaussianCloud:
    """Cover some objects of a scene as ``cloud_from_spec`` covers all of them.

    Args:
        instances: ids of these objects.
        points: (N, 3) places on the surfaces of the others, m: what encloses air and throws shadows.
        scale: of the cells, as ``coarseness`` has it.

    Raises:
        SceneError: an object has an unknown look.
    """
    return _covered(spec, [obj for obj in spec.objects if obj.instance_id in instances], scale, points)


def _covered(spec: SceneSpec, objects: Iterable[ObjectSpec], scale: float, others: Array) -> GaussianCloud:
    """``others`` (N, 3) are places on the surfaces of what is not covered."""
    plan, near = Plan(), Neighbours(spec)
    for obj in objects:
        (cover_building if obj.is_structure else cover_object)(obj, near, plan, scale)
    local = join([sheet_samples(plan.sheets), ring_samples(plan.rings), stroke_samples(plan.strokes)])
    placed = _in_objects(local, plan.pieces)
    free = ~inside_other_parts(placed, plan.pieces)
    local, samples = local.select(free), _in_world(placed.select(free), plan.pieces)
    air = SceneVoxels(spec, np.concatenate([samples.points, others]))
    seen = np.flatnonzero(_kept(samples, plan.pieces, air))
    seen = seen[np.argsort(samples.pieces[seen], kind="stable")]
    local, samples = local.select(seen), samples.select(seen)
    colors = _lit(_painted(local, plan.pieces), openness(local, plan.pieces), samples, plan.pieces, spec, air)
    return _cloud(samples, plan.pieces, colors)


def make_scene(
    seed: int,
    folder: str | Path,
    name: str | None = None,
    density: float = 1.0,
    rooms: int = 1,
    layout: HomeLayout = USUAL_LAYOUT,
    cloud: bool = True,
    vary: int | None = None,
) -> Path:
    """Generate a home and write its folder: ``spec.json``, ``graph.json``, ``cloud.ply`` and ``scene.yaml``.

    Args:
        cloud: whether to paint it; a home without a cloud has no ``cloud.ply``.
        vary: seed by which masses and sizes of light things are varied, None to leave them as they are.

    Raises:
        SceneError: no home can be made from this seed.
        UsageError: the density is not positive.
    """
    target = Path(folder)
    spec = generate_home(seed, rooms, name or target.name, layout)
    if vary is not None:
        spec = varied(spec, vary)
    return save_home(spec, target, in_words(spec), density, cloud)


def in_words(spec: SceneSpec) -> str:
    """What a generated home shows."""
    labels = [obj.label for obj in spec.objects if not obj.is_structure]
    kind = "room" if len(rooms_of(spec)) == 1 else f"home of {len(spec.rooms)} rooms"
    return f"a generated {kind} with {len(labels)} things: {', '.join(sorted(set(labels)))}"


def save_home(spec: SceneSpec, folder: str | Path, shows: str, density: float = 1.0, cloud: bool = True) -> Path:
    """Paint a home and write its folder, as ``make_scene``; ``shows`` says in words what it is.

    Raises:
        SceneError: the home contradicts itself.
        UsageError: the density is not positive.
    """
    graph, painted = SceneGraph.from_spec(spec), cloud_from_spec(spec, density) if cloud else None
    return save_scene(folder, spec, graph, painted, name=spec.name, start=first_view(spec), shows=shows)


def _in_objects(samples: Samples, pieces: Sequence[Piece]) -> Samples:
    """Samples of parts that are turned, as they are in the frames of their objects."""
    if not any(piece.turn for piece in pieces):
        return samples
    points, tangents, normals = samples.points.copy(), samples.tangents.copy(), samples.normals.copy()
    for number, piece in enumerate(pieces):
        if piece.turn is not None:
            rows = np.flatnonzero(samples.pieces == number)
            points[rows] = piece.turn.applied(points[rows])
            for ways in (tangents, normals):
                ways[rows] = ways[rows] @ piece.turn.rotation.T
    return Samples(points, tangents, normals, samples.widths, samples.pieces)


def _in_world(samples: Samples, pieces: Sequence[Piece]) -> Samples:
    objects = [piece.obj for piece in pieces]
    yaw = np.array([obj.yaw for obj in objects])
    c, s = np.cos(yaw)[samples.pieces], np.sin(yaw)[samples.pieces]

    def turned(vectors: Array) -> Array:
        x, y, z = vectors.T
        return np.stack([c * x - s * y, s * x + c * y, z], axis=1)

    moved = turned(samples.points) + np.array([obj.position for obj in objects])[samples.pieces]
    return Samples(moved, turned(samples.tangents), turned(samples.normals), samples.widths, samples.pieces)


def _kept(samples: Samples, pieces: Sequence[Piece], air: SceneVoxels) -> NDArray[np.bool_]:
    """Which samples can be seen; of objects that nobody sees, such as those in a closed cabinet, all are kept."""
    seen = ~air.faces_enclosed_air(samples.points, samples.normals)
    instances = _per_piece(samples, [piece.obj.instance_id for piece in pieces])
    count = np.bincount(instances, weights=seen, minlength=instances.max(initial=0) + 1)
    kept: NDArray[np.bool_] = seen | (count[instances] < _FEWEST)
    return kept


def _per_piece(samples: Samples, values: Sequence[float]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.asarray(values)[samples.pieces]
    return found


def _painted(samples: Samples, pieces: Sequence[Piece]) -> Array:
    """The color (N, 3) of every sample in white light."""
    finishes = list({id(piece.finish): piece.finish for piece in pieces}.values())
    place = {id(finish): number for number, finish in enumerate(finishes)}
    finish = np.array([place[id(piece.finish)] for piece in pieces])[samples.pieces]
    centers, sizes, colors = (
        np.array([getattr(piece.part, name) for piece in pieces]) for name in ("center", "size", "rgb")
    )
    seeds = np.array([piece.seed for piece in pieces], dtype=np.int64)
    shifts = np.array([_shift(piece) for piece in pieces])
    painted = np.empty((len(samples), 3))
    for number, each in enumerate(finishes):
        rows = np.flatnonzero(finish == number)
        piece, points = samples.pieces[rows], samples.points[rows]
        patch = Patch(points + shifts[piece], points - centers[piece], sizes[piece], colors[piece], seeds[piece])
        painted[rows] = each.paint(patch)
    return painted


def _shift(piece: Piece) -> Array:
    """From a part that is covered as if it were not turned to where its texture begins, m (3,)."""
    if piece.turn is None:
        return np.zeros(3)
    center = np.asarray(piece.part.center)
    shift: Array = piece.turn.applied(center[None])[0] - center
    return shift


def _lit(
    colors: Array, share: Array, samples: Samples, pieces: Sequence[Piece], spec: SceneSpec, air: SceneVoxels
) -> Array:
    """The same colors in the light of the scene, 0..1; ``share`` (N,) of it gets to where they are."""
    lighting = Lighting(spec, air)
    where = RoomMap(rooms_of(spec))
    numbers = {obj.instance_id: where.number(obj) for obj in spec.objects}
    rooms = _per_piece(samples, [numbers[piece.obj.instance_id] for piece in pieces])
    glow, gloss, sharpness = (
        np.array([getattr(piece.finish, name) for piece in pieces])[samples.pieces]
        for name in ("glow", "gloss", "sharpness")
    )
    light = lighting.shade(samples.points, samples.normals, rooms) * brightness(share, colors)[:, None]
    shown = colors * (glow[:, None] + (1.0 - glow[:, None]) * light)
    shiny = np.flatnonzero(gloss > 0)
    shine = lighting.highlight(samples.points[shiny], samples.normals[shiny], rooms[shiny], sharpness[shiny])
    shown[shiny] += (gloss[shiny] * share[shiny] * shine)[:, None]
    return np.clip(shown, 0.0, 1.0)


def _cloud(samples: Samples, pieces: Sequence[Piece], colors: Array) -> GaussianCloud:
    wide = np.array([piece.spread for piece in pieces])[samples.pieces][:, None] * samples.widths
    thin = np.clip(_THICKNESS * samples.widths.min(axis=1), 0.0004, 0.002)
    return GaussianCloud(
        means=samples.points.astype(np.float32),
        scales=np.column_stack([wide, thin]).astype(np.float32),
        quaternions=_quaternions(samples).astype(np.float32),
        opacities=np.array([piece.finish.opacity for piece in pieces], np.float32)[samples.pieces],
        sh=((colors - 0.5) / harmonics.C0).astype(np.float32)[:, None, :],
        instances=_per_piece(samples, [piece.obj.instance_id for piece in pieces]).astype(np.int32),
        parts=_per_piece(samples, [piece.part_id for piece in pieces]).astype(np.int32),
    )


def _quaternions(samples: Samples) -> Array:
    """Unit quaternions w x y z of the frames (tangent, normal x tangent, normal), (N, 4) (Shepperd's method)."""
    x, z = samples.tangents, samples.normals
    y = cross(z, x)
    m = np.stack([x, y, z], axis=2)
    diagonal = np.stack([m.trace(axis1=1, axis2=2), m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]], axis=1)
    largest = diagonal.argmax(axis=1)
    skew = np.stack([m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], axis=1)
    result = np.empty((len(m), 4))
    for k in range(4):
        rows = largest == k
        if k == 0:
            result[rows, 0], result[rows, 1:] = 1.0 + diagonal[rows, 0], skew[rows]
            continue
        i = k - 1
        j, l = (i + 1) % 3, (i + 2) % 3  # noqa: E741
        result[rows, 0] = skew[rows, i]
        result[rows, 1 + i] = 1.0 + m[rows, i, i] - m[rows, j, j] - m[rows, l, l]
        result[rows, 1 + j] = m[rows, i, j] + m[rows, j, i]
        result[rows, 1 + l] = m[rows, i, l] + m[rows, l, i]
    result /= np.linalg.norm(result, axis=1, keepdims=True)
    return result


def inside_other_parts(samples: Samples, pieces: Sequence[Piece]) -> NDArray[np.bool_]:
    """Samples (N,) in the frames of their objects; the pieces of an object follow each other."""
    instances = np.array([piece.obj.instance_id for piece in pieces], dtype=np.int64)
    starts = np.flatnonzero(np.diff(instances, prepend=-1))
    ends = np.append(starts[1:], len(pieces))
    group = np.searchsorted(starts, np.arange(len(pieces)), side="right") - 1
    kinds = np.array([_KINDS[piece.part.shape] if piece.solid else -1 for piece in pieces], dtype=np.int64)
    axes = np.array(["xyz".index(piece.part.axis) for piece in pieces], dtype=np.int64)
    centers = np.array([piece.part.center for piece in pieces], dtype=np.float64)
    halves = 0.5 * np.array([piece.part.size for piece in pieces], dtype=np.float64)
    margins = _MARGIN * np.array([piece.spacing for piece in pieces], dtype=np.float64)
    kinds[[k for k, piece in enumerate(pieces) if piece.turn is not None]] = -1  # a leaf that stands ajar hides little
    inside = np.zeros(len(samples), dtype=np.bool_)
    _mark(
        np.ascontiguousarray(samples.points),
        samples.pieces,
        starts[group],
        ends[group],
        kinds,
        axes,
        centers,
        halves,
        margins,
        inside,
    )
    return inside


@kernel
def _mark(
    points: Any, pieces: Any, first: Any, last: Any, kinds: Any, axes: Any, centers: Any, halves: Any, margins: Any,
    inside: Any,
) -> None:  # fmt: skip
    offset = np.empty(3)
    for n in range(len(points)):
        own = pieces[n]
        for other in range(first[own], last[own]):
            if other == own or kinds[other] < 0:
                continue
            margin = margins[own]
            least = min(halves[other, 0], min(halves[other, 1], halves[other, 2]))
            if least <= margin:
                continue
            for k in range(3):
                offset[k] = abs(points[n, k] - centers[other, k]) / (halves[other, k] - margin)
            if kinds[other] == 0:
                reach = max(offset[0], max(offset[1], offset[2]))
            elif kinds[other] == 1:
                reach = math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
            else:
                along = axes[other]
                a, b = (along + 1) % 3, (along + 2) % 3
                reach = max(offset[along], math.sqrt(offset[a] ** 2 + offset[b] ** 2))
            if reach < 1.0:
                inside[n] = True
                break
