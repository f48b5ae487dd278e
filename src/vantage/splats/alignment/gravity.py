"""Where up is and where the floor lies, from the shape of a cloud alone.

The floor is a large plane with next to nothing below it. In a closed room six planes are like that, and more evidence
decides: floor and ceiling are larger than walls, furniture stands below the middle of a room, and tables, seats and
shelves are level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vantage.errors import SceneError
from vantage.spatial import Matrix
from vantage.splats.alignment.planes import (
    Floats,
    Plane,
    SurfaceSamples,
    find_outer_planes,
    find_planes,
    sample_surfaces,
)
from vantage.splats.cloud import GaussianCloud
from vantage.splats.upright import UP_AXES, axis_of, nearest_axis, turn_between, turning, yaw_rotation

_BELOW = 0.04  # share of the samples that may lie below a floor: reflections and floaters
_HINT_CONE = math.cos(math.radians(35.0))  # how far a floor's normal may be from the axis that a person named
_PARALLEL, _LEVEL = math.cos(math.radians(10.0)), math.sin(math.radians(10.0))
_FURNISHED = 0.05  # share of the samples that stands in a room
_COARSE, _FILLED = 0.05, 0.5  # cells, in sizes of the cloud, and the share of them that furniture fills at most
_WHOLE_FACE = 0.6  # of the outline, for a plane to close the scene to one side
_WALL = 0.08  # share of the samples on an upright plane that is worth being parallel to
_FLAT_TOP = 0.04  # share of the samples on a level plane that closes the content upwards
_SUPPORT, _LOW_CONTENT, _LEVEL_SURFACES, _COVER, _STANDING = 4.0, 3.0, 2.0, 1.0, 0.5  # weights of the evidence
_USUAL = {"z": 0.2, "-y": 0.2, "y": 0.1}  # reconstructions often leave gravity near one of these axes
_CERTAINTY = 4.0  # of a lead of 1 in the score


@dataclass(frozen=True, eq=False)
class Alignment:
    """How a cloud stands, in its own units.

    Attributes:
        up: (3,) unit vector in the cloud frame.
        floor: ``up @ p`` of points p on the floor.
        confidence: 0..1, that ``up`` is not another direction.
        floor_share: 0..1 of the surface that lies on the floor; 0 where ``up`` was given and no floor found.
        walls: number of planes perpendicular to the floor.
        enclosed: whether walls stand around furniture, as in a room; otherwise the cloud is seen from outside.
        rotation: R_world_cloud (3, 3): Z up, and walls, where there are any, along the axes.
        low, high: (3,) corners of the content after ``rotation``, without outliers; the floor is at ``floor``.
        height: of the content above the floor; to the ceiling or a flat top, where there is one.
        points: (M, 3) samples of the surfaces after ``rotation``.
    """

    up: Floats
    floor: float
    confidence: float
    floor_share: float
    walls: int
    enclosed: bool
    rotation: Matrix
    low: Floats
    high: Floats
    height: float
    points: Floats


@dataclass(frozen=True, eq=False)
class _Candidate:
    plane: Plane
    score: float


def find_alignment(cloud: GaussianCloud, up_hint: Matrix | None = None, seed: int = 0) -> Alignment:
    """Find gravity and the floor; the same cloud and seed give the same result.

    Args:
        up_hint: (3,) roughly up in the cloud frame. Only floors facing within 35 degrees of it are considered; where
            there is none, it is taken as it is.

    Raises:
        SceneError: too few Gaussians, or no floor and no hint.
    """
    samples = sample_surfaces(cloud, seed)
    axes = [axis_of(name) for name in UP_AXES]
    hint = None if up_hint is None else np.asarray(up_hint, dtype=np.float64) / np.linalg.norm(up_hint)
    outer = find_outer_planes(samples, _BELOW, axes if hint is None else [*axes, hint], seed)
    floors = [plane for plane in outer if hint is None or float(plane.normal @ hint) >= _HINT_CONE]
    inside = _inside(samples, outer)
    if floors:
        ranked = _ranked(samples, floors, outer, samples.points if inside is None else inside)
        floor = ranked[0].plane
        rivals = [entry.score for entry in ranked[1:] if float(entry.plane.normal @ floor.normal) < _PARALLEL]
        confidence = 1.0 / (1.0 + math.exp(-_CERTAINTY * (ranked[0].score - max(rivals, default=0.0))))
    elif hint is not None:
        lowest = float(np.percentile(samples.points @ hint, 0.5))
        floor, confidence = Plane(hint, lowest, 0.0), 0.5
    else:
        raise SceneError(
            "no floor was found, as no large flat surface has all else on one side of it; say which axis of the cloud "
            "points up"
        )
    walls = [plane for plane in find_planes(samples, seed) if abs(float(plane.normal @ floor.normal)) < _LEVEL]
    rotation = _rotation(floor.normal, walls)
    points = samples.points @ rotation.T
    low, high = np.percentile(points, [0.5, 99.5], axis=0)
    tops = [plane for plane in outer if float(plane.normal @ floor.normal) < -_PARALLEL and plane.share >= _FLAT_TOP]
    highest = float(np.percentile(points[:, 2], 99.8))
    top = max((float(np.median(points[samples.on(plane), 2])) for plane in tops), default=highest)
    return Alignment(
        up=floor.normal,
        floor=floor.offset,
        confidence=confidence,
        floor_share=floor.share,
        walls=len(walls),
        enclosed=inside is not None,
        rotation=rotation,
        low=low,
        high=high,
        height=top - floor.offset,
        points=points,
    )


def _inside(samples: SurfaceSamples, outer: list[Plane]) -> Floats | None:
    """What stands between the outermost planes, (K, 3), where these close a furnished room, and None elsewhere.

    The faces of an object close it as well, but inside there is nothing, or a haze that fills it.
    """
    if sum(_cover(samples, plane) > _WHOLE_FACE for plane in outer) < 4:
        return None
    inner = np.ones(len(samples.points), np.bool_)
    for plane in outer:
        inner &= np.abs(samples.heights(plane)) > 3.0 * samples.tolerance
    within = samples.points[inner]
    if len(within) < _FURNISHED * len(samples.points):
        return None
    edge = _COARSE * samples.size
    _, counts = np.unique(np.floor(within / edge).astype(np.int64), axis=0, return_counts=True)
    space = float(np.prod((np.percentile(within, 99.0, axis=0) - np.percentile(within, 1.0, axis=0)) / edge + 1.0))
    return within if np.count_nonzero(counts > 1) < _FILLED * space else None


def _ranked(samples: SurfaceSamples, floors: list[Plane], outer: list[Plane], content: Floats) -> list[_Candidate]:
    """How well each plane would do as the floor of ``content`` (K, 3), best first."""
    flat_normals = samples.normals[samples.flat]
    ranked = []
    for plane in floors:
        top = max(float(np.percentile(samples.heights(plane), 99.0)), samples.tolerance)
        middle = float(np.clip((content @ plane.normal - plane.offset) / top, 0.0, 1.0).mean())
        opposite = sum(other.share for other in outer if float(other.normal @ plane.normal) < -_PARALLEL)
        level = float((np.abs(flat_normals @ plane.normal) > _PARALLEL).mean()) if len(flat_normals) else 0.0
        usual = _USUAL.get(nearest_axis(plane.normal), 0.0) if np.abs(plane.normal).max() > _PARALLEL else 0.0
        score = (
            _SUPPORT * (plane.share + 0.5 * opposite)
            + _LOW_CONTENT * (1.0 - 2.0 * middle)
            + _LEVEL_SURFACES * level
            + _COVER * _cover(samples, plane)
            + _STANDING * _standing(samples, plane)
            + usual
        )
        ranked.append(_Candidate(plane, score))
    return sorted(ranked, key=lambda entry: -entry.score)


def _cover(samples: SurfaceSamples, plane: Plane) -> float:
    """0..1: what share of the outline of all, seen along the normal, the samples on the plane fill."""
    across = np.linalg.svd(plane.normal[None])[2][1:]
    cells = np.floor(samples.points @ across.T / (4.0 * samples.tolerance)).astype(np.int64)
    key = cells[:, 0] * (1 << 32) + cells[:, 1]
    outline, counts = np.unique(key, return_counts=True)
    outline = outline[counts > 1]  # floaters are alone
    return float(np.isin(outline, key[samples.on(plane)]).mean()) if len(outline) else 0.0


def _standing(samples: SurfaceSamples, plane: Plane) -> float:
    """-1..1: how broad the footprint on a plane is in its narrow direction, less how far the middle of all is off it.

    A strip along the side of an object, or feet that it would fall from, are no ground to stand on.
    """
    foot = samples.points[samples.on(plane)]
    middle = foot.mean(axis=0)
    beside = samples.points.mean(axis=0) - middle
    beside -= (beside @ plane.normal) * plane.normal
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.cov((foot - middle).T)), 0.0))[1:]
    reach = max(2.0 * float(np.linalg.norm(spread)), samples.tolerance)
    breadth = float(spread[0] / spread[1]) if spread[1] > 0 else 0.0
    return breadth - min(1.0, float(np.linalg.norm(beside)) / reach)


def _rotation(up: Matrix, walls: list[Plane]) -> Matrix:
    """R_world_cloud: the least turn that puts the cloud upright, then the least one that puts the walls on the axes."""
    upright = turning(nearest_axis(up))
    rotation = turn_between(upright @ up, np.array([0.0, 0.0, 1.0])) @ upright
    widest = max(walls, key=lambda plane: plane.share, default=None)
    if widest is not None and widest.share >= _WALL:
        x, y, _ = rotation @ widest.normal
        off_axis = math.remainder(math.atan2(y, x), math.pi / 2)
        rotation = yaw_rotation(-off_axis) @ rotation
    return rotation
