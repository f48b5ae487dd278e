"""A Gaussian cloud from a scene specification: flat Gaussians on every surface, with looks and light baked in."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.errors import UsageError
from vantage.scenes.generator import BODY_RADIUS, EYE_HEIGHT, generate_room
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec, object_bounds
from vantage.scenes.spec_checks import check_spec
from vantage.spatial import Viewpoint
from vantage.splats import harmonics
from vantage.splats.cloud import GaussianCloud
from vantage.splats.painting.covering import cover
from vantage.splats.painting.lighting import Lighting
from vantage.splats.painting.surfaces import Samples, join
from vantage.splats.scene_file import save_scene

Array = NDArray[np.float64]

OPACITY = 0.995
_THICKNESS = 0.05  # of a Gaussian, in widths of its cell


def cloud_from_spec(spec: SceneSpec, density: float = 1.0) -> GaussianCloud:
    """Cover every visible surface of a scene; the same specification gives the same bytes.

    Instance ids are exact. Opaque Gaussians of degree 0, about 150,000 for a room at a density of 1.

    Args:
        spec: a scene that ``check`` accepts.
        density: Gaussians per area relative to the usual.

    Raises:
        SceneError: the scene contradicts itself or names an unknown look.
        UsageError: the density is not positive.
    """
    if not (density > 0 and math.isfinite(density)):
        raise UsageError(f"a cloud cannot have a density of {density}; give a positive number, 1 is usual")
    check_spec(spec)
    covered = [piece for thing in spec.objects for piece in cover(thing, spec, density)]
    samples = join([piece.samples for piece in covered])
    counts = [len(piece.samples) for piece in covered]

    def spread(values: list[float]) -> Array:
        return np.repeat(np.asarray(values, dtype=np.float64), counts)

    colors = np.concatenate([piece.colors for piece in covered])
    glow = spread([piece.finish.glow for piece in covered])[:, None]
    gloss = spread([piece.finish.gloss for piece in covered])
    sharpness = spread([piece.finish.sharpness for piece in covered])
    lighting = Lighting(spec, samples.points)
    colors = colors * (glow + (1.0 - glow) * lighting.shade(samples.points, samples.normals))
    colors += (gloss * lighting.highlight(samples.points, samples.normals, sharpness))[:, None]
    colors = np.clip(colors, 0.0, 1.0)
    wide = spread([piece.spread for piece in covered])[:, None] * samples.widths
    thin = np.clip(_THICKNESS * samples.widths.min(axis=1), 0.0004, 0.002)
    return GaussianCloud(
        means=samples.points.astype(np.float32),
        scales=np.column_stack([wide, thin]).astype(np.float32),
        quaternions=_quaternions(samples).astype(np.float32),
        opacities=np.full(len(samples), OPACITY, np.float32),
        sh=((colors - 0.5) / harmonics.C0).astype(np.float32)[:, None, :],
        instances=np.repeat(np.array([piece.instance_id for piece in covered], np.int32), counts),
    )


def make_scene(seed: int, folder: str | Path, name: str | None = None, density: float = 1.0) -> Path:
    """Generate a room and write its folder: ``spec.json``, ``graph.json``, ``cloud.ply`` and ``scene.yaml``.

    Raises:
        SceneError: no room can be made from this seed.
        UsageError: the density is not positive.
    """
    target = Path(folder)
    spec = generate_room(seed, name or target.name)
    graph = SceneGraph.from_spec(spec)
    cloud = cloud_from_spec(spec, density)
    words = sorted({node.label for node in graph.things()})
    shows = f"a generated room with {len(graph.things())} things: {', '.join(words)}"
    return save_scene(target, spec, graph, cloud, name=spec.name, start=first_view(spec), shows=shows)


def first_view(spec: SceneSpec) -> Viewpoint:
    """A view of most of the room from eye height near the emptiest corner."""
    low, high = np.asarray(spec.bounds_min), np.asarray(spec.bounds_max)
    middle = 0.5 * (low + high)
    boxes = [object_bounds(thing) for thing in spec.objects if not thing.is_structure]
    best, best_gap = middle[:2], -math.inf
    for sx, sy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        inset = 0.5 * (high - low)[:2] - 0.7
        spot = middle[:2] + (sx, sy) * inset
        gap = min((_box_gap(spot, box) for box in boxes), default=math.inf)
        if gap > best_gap:
            best, best_gap = spot, gap
    if best_gap < 2 * BODY_RADIUS:
        best = middle[:2]
    target = (2 * middle[0] - best[0], 2 * middle[1] - best[1], 0.75)
    return Viewpoint.looking_at((best[0], best[1], EYE_HEIGHT), target)


def _box_gap(spot: Array, box: tuple[tuple[float, float, float], tuple[float, float, float]]) -> float:
    """Distance of the eye at a spot (2,) from a box, m."""
    eye = np.array([spot[0], spot[1], EYE_HEIGHT])
    outside = np.maximum(np.maximum(np.asarray(box[0]) - eye, eye - np.asarray(box[1])), 0.0)
    return float(np.linalg.norm(outside))


def _quaternions(samples: Samples) -> Array:
    """Unit quaternions w x y z of the frames (tangent, normal x tangent, normal), (N, 4) (Shepperd's method)."""
    x, z = samples.tangents, samples.normals
    y = np.cross(z, x)
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
