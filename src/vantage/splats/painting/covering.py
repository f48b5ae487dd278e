"""Covers the parts of things with samples, except where nobody can ever see them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec, object_bounds
from vantage.splats.painting.building_faces import slab_patches, wall_distance
from vantage.splats.painting.looks import LOOKS, Finish, Patch
from vantage.splats.painting.surfaces import Samples, part_samples

Array = NDArray[np.float64]

_SPREAD = 0.62  # standard deviation of a Gaussian in widths of its cell: closed, and still crisp
_WIDE_SPREAD = 0.68  # the same for large things, whose cells are wide enough to show gaps
_STRUCTURE_SPREAD = {"floor": 0.72, "wall": 0.80, "ceiling": 0.85}  # the building has no edges that could blur
_FLAT_SIDES = (("x+", "x-"), ("y+", "y-"), ("z+", "z-"))
_TOP_SPACING = 0.025  # m: of faces on which things stand, whose feet a coarser face would hide
_THIN = 1.6  # widest cell of a board in thicknesses, so that its far side does not show through
_MARGIN = 0.6  # spacings that a sample must lie inside another solid to count as buried


@dataclass(frozen=True)
class Covered:
    """The samples of one part in the world frame, with what its look says about them."""

    samples: Samples
    colors: Array
    finish: Finish
    instance_id: int
    spread: float


def cover(thing: ObjectSpec, spec: SceneSpec, density: float) -> list[Covered]:
    """Samples of every part of a thing in its scene, at a density relative to the usual.

    Raises:
        SceneError: a part has an unknown look.
    """
    low, high = object_bounds(thing)
    usual = min(max(0.052 * math.dist(low, high), 0.0068), 0.048)
    base = min(part.center[2] - 0.5 * part.size[2] for part in thing.parts)
    rests = not thing.is_structure and abs(thing.position[2] + base - spec.bounds_min[2]) < 1e-3
    spread = _STRUCTURE_SPREAD.get(thing.label, _SPREAD if usual < 0.02 else _WIDE_SPREAD)
    core = _sealed_core(thing, spec)
    back = min(part.center[0] - 0.5 * part.size[0] for part in thing.parts)
    backed = any(wall_distance(thing, wall) is not None for wall in spec.objects if wall.label == "wall")
    pieces = []
    for number, part in enumerate(thing.parts):
        finish = _finish(thing, part)
        spacing = (finish.spacing or usual) / math.sqrt(density)
        seed = 31 * thing.instance_id + number
        if thing.is_structure:
            patches = slab_patches(thing, part, spec, spacing, seed)
        else:
            on_floor = rests and part.center[2] - 0.5 * part.size[2] - base < 1e-6
            others = [each for k, each in enumerate(thing.parts) if k != number]
            unseen = [*_covered_faces(part, others), *(("z-",) if on_floor else ())]
            if backed and part.center[0] - 0.5 * part.size[0] - back < 1e-6:
                unseen.append("x-")
            cell = min(spacing, 0.3 * max(part.size))
            if part.shape == "box" and not {*unseen, *part.open_faces} & set(_FLAT_SIDES[np.argmin(part.size)]):
                cell = min(cell, max(_THIN * min(part.size), _TOP_SPACING))
            local = part_samples(part, cell, unseen, min(cell, _TOP_SPACING / math.sqrt(density)))
            hidden = np.zeros(len(local), dtype=bool)
            for other in others:
                hidden |= _within(local.points, other, _MARGIN * spacing)
            if core is not None:
                ahead = local.points + 0.05 * local.normals
                hidden |= ((ahead > core[0]) & (ahead < core[1])).all(axis=1)
            patches = [Patch(part, local.select(~hidden), seed)]
        pieces += [
            Covered(_to_world(patch.samples, thing), finish.paint(patch), finish, thing.instance_id, spread)
            for patch in patches
            if len(patch.samples)
        ]
    return pieces


def _finish(thing: ObjectSpec, part: Part) -> Finish:
    look = part.look or thing.material
    if look not in LOOKS:
        hint = did_you_mean(look, sorted(LOOKS))
        raise SceneError(f"{thing.label} {thing.instance_id} has the unknown look '{look}'{hint}")
    return LOOKS[look]


def _sealed_core(thing: ObjectSpec, spec: SceneSpec) -> tuple[Array, Array] | None:
    """The space (two corners in the object frame) that nobody sees because it is shut in; None for other things."""
    holds = any(other.parent == thing.instance_id and other.relation == "in" for other in spec.objects)
    body = [part for part in thing.parts if part.shape == "box" and not part.look]
    if "closed" not in thing.states or not holds or not body:
        return None
    low = np.min([np.subtract(part.center, np.multiply(0.5, part.size)) for part in body], axis=0)
    high = np.max([np.add(part.center, np.multiply(0.5, part.size)) for part in body], axis=0)
    return low + 0.01, high - 0.01


def _covered_faces(part: Part, others: list[Part]) -> list[str]:
    """Faces of a box that lie wholly inside or against another box of the same object."""
    solid = [other for other in others if other.shape == "box" and not other.open_faces]
    if part.shape != "box" or not solid:
        return []
    lows = np.array([np.subtract(other.center, np.multiply(0.5, other.size)) for other in solid]) - 1e-4
    highs = np.array([np.add(other.center, np.multiply(0.5, other.size)) for other in solid]) + 1e-4
    covered = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            low = np.subtract(part.center, np.multiply(0.5, part.size))
            high = np.add(part.center, np.multiply(0.5, part.size))
            low[axis] = high[axis] = part.center[axis] + 0.5 * sign * part.size[axis]
            if ((lows <= low) & (highs >= high)).all(axis=1).any():
                covered.append("xyz"[axis] + ("+" if sign > 0 else "-"))
    return covered


def _within(points: Array, part: Part, margin: float) -> NDArray[np.bool_]:
    """Which points lie deeper than a margin (m) inside a solid part, all in the object frame."""
    half = 0.5 * np.asarray(part.size) - margin
    if part.open_faces or half.min() <= 0 or part.shape == "cone":
        return np.zeros(len(points), dtype=bool)
    offset = np.abs(points - np.asarray(part.center)) / half
    if part.shape == "box":
        reach = offset.max(axis=1)
    elif part.shape == "ellipsoid":
        reach = np.linalg.norm(offset, axis=1)
    else:
        along = "xyz".index(part.axis)
        across = [k for k in range(3) if k != along]
        reach = np.maximum(offset[:, along], np.linalg.norm(offset[:, across], axis=1))
    return np.asarray(reach < 1.0)


def _to_world(samples: Samples, thing: ObjectSpec) -> Samples:
    c, s = math.cos(thing.yaw), math.sin(thing.yaw)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return Samples(
        samples.points @ turn + np.asarray(thing.position),
        samples.tangents @ turn,
        samples.normals @ turn,
        samples.widths,
        samples.uv,
    )
