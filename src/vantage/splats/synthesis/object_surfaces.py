"""Covers furniture and other objects: every visible face, with small cells where something lies against it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from vantage.scenes.geometry import covered_faces
from vantage.scenes.looks import FINE, LOOKS, finish_of, ink_color, seed_of, text_layout, text_strokes
from vantage.scenes.spec import FACES, ObjectSpec, Part, object_bounds, part_reach
from vantage.splats.synthesis.building_surfaces import wall_distance
from vantage.splats.synthesis.pieces import Neighbours, Piece, Plan, Turn, base_of, frames_of, place_in
from vantage.splats.synthesis.rings import part_rings
from vantage.splats.synthesis.sheets import Cover, Sheet, Stroke, Vector, graded_cells

_SPREAD = 0.65  # standard deviation of a Gaussian in widths of its cell: closed, and still crisp
_WIDE_SPREAD = 0.70  # the same for large objects, whose cells are wide enough to show gaps
_CELL = 0.052  # usual cell in diagonals of an object,
SMALLEST_CELL, LARGEST_CELL = 0.0068, 0.048  # and its limits, m
_SMALL_SHARE = 0.4  # power of the coarseness that scales the smallest objects
_TOP_SPACING = 0.025  # m: of faces on which objects stand, whose feet a coarser face would hide
_FLAT_SIDES = (("x+", "x-"), ("y+", "y-"), ("z+", "z-"))
_THIN = 2.0  # widest cell of a board in thicknesses, so that its far side does not show through,
_LEAST_BOARD = 0.034  # m: unless it is smaller than this
_TOUCH = 0.004  # m: what is nearer lies against a face
_LONGEST = 0.11  # m: longest cell along the grain, whose end would stick out of short boards
_RIM = 0.012  # m: of narrower faces the cells are longer,
_RIM_STRETCH = 2.5  # by this factor
_PLATE = 0.012  # m: what is thinner hides what it lies against without showing its own sides much
_PLATE_EDGE = 0.018  # m: largest cell of a face at the outline of a plate
_INK_SPREAD = 0.5  # standard deviation of a stroke in its extents
_FOOT = 0.012  # m: half the breadth of what hides the face that it stands on
_MOST_FEET = 4
_BOX_FACES: dict[str, tuple[Vector, Vector, Vector]] = {  # corner and edges in half sizes, normals pointing out
    "x+": ((1, -1, -1), (0, 2, 0), (0, 0, 2)),
    "x-": ((-1, 1, -1), (0, -2, 0), (0, 0, 2)),
    "y+": ((1, 1, -1), (-2, 0, 0), (0, 0, 2)),
    "y-": ((-1, -1, -1), (2, 0, 0), (0, 0, 2)),
    "z+": ((-1, -1, 1), (2, 0, 0), (0, 2, 0)),
    "z-": ((-1, 1, -1), (2, 0, 0), (0, -2, 0)),
}


def cover_object(obj: ObjectSpec, near: Neighbours, plan: Plan, coarseness: float) -> None:
    """Add what covers an object to a plan; ``coarseness`` scales its cells, those of small objects less.

    Raises:
        SceneError: a part has an unknown look, or a letter that cannot be printed.
    """
    usual = usual_cell(obj)
    coarseness = object_coarseness(usual, coarseness)
    spread = _SPREAD if usual < 0.02 else _WIDE_SPREAD
    back = min(part.center[0] - part_reach(part)[0] for part in obj.parts)
    backed = any(wall_distance(obj, wall) is not None for wall in near.walls(obj))
    base, stands = base_of(obj), stands_on_something(obj, near)
    feet = [foot for child in near.children(obj) for foot in _feet(child, obj)]
    names = {name: number for number, name in enumerate(obj.part_names, start=1)}
    for turn, number, part, others, covered in _in_their_frames(obj):
        finish = finish_of(obj, part)
        spacing = coarseness * (finish.spacing or usual)
        seed = seed_of(obj, number)
        solid = not part.open_faces and part.shape != "cone"
        piece = Piece(obj, part, names[part.name], finish, spacing, spread, seed, solid, turn)
        at = plan.add(piece)
        unseen = set(covered) | set(part.open_faces)
        if not part.open_faces and turn is None:  # one sees the inside of the others
            unseen |= {"z-"} if stands and part.center[2] - 0.5 * part.size[2] - base < 1e-6 else set()
            unseen |= {"x-"} if backed and part.center[0] - 0.5 * part.size[0] - back < 1e-6 else set()
        cell = min(spacing, 0.3 * max(part.size))
        if part.shape == "box":
            plates = [_plate(other) for other in others if other is not part and _is_plate(other)]
            against = [*plates, *feet] if turn is None else plates
            _cover_box(piece, at, plan, cell, coarseness, unseen, against)
        else:
            cell = min(cell, FINE) if part.text else cell
            plan.rings += part_rings(at, part, cell, sorted(unseen), _sleeves(part, others))
        if part.text:
            _add_text(piece, plan)


def _in_their_frames(obj: ObjectSpec) -> Iterator[tuple[Turn | None, int, Part, list[Part], list[str]]]:
    """Every part, with how it is turned, its number, all parts that are turned alike, and its faces that these hide."""
    for turn, members in frames_of(obj):
        parts = [part for _, part in members]
        for (number, part), covered in zip(members, covered_faces(parts), strict=True):
            yield turn, number, part, parts, covered


def usual_cell(obj: ObjectSpec) -> float:
    """The largest cell of an object whose look asks for nothing else, m."""
    return min(max(_CELL * math.dist(*object_bounds(obj)), SMALLEST_CELL), LARGEST_CELL)


def object_coarseness(usual: Any, coarseness: float) -> Any:
    """What is left of a coarseness for objects of some usual cells (m); a number for a number."""
    size = (usual - SMALLEST_CELL) / (LARGEST_CELL - SMALLEST_CELL)
    return coarseness ** (_SMALL_SHARE + (1.0 - _SMALL_SHARE) * size)


def stands_on_something(obj: ObjectSpec, near: Neighbours) -> bool:
    """Whether nobody can see it from below."""
    parent = near.parent(obj)
    if parent is None:
        return abs(obj.position[2] + base_of(obj) - near.spec.bounds_min[2]) < 1e-3
    return parent.label != "wall"


def _cover_box(
    piece: Piece, at: int, plan: Plan, cell: float, coarseness: float, unseen: set[str], against: Sequence[_Solid]
) -> None:
    part = piece.part
    if not unseen & set(_FLAT_SIDES[int(np.argmin(part.size))]):
        cell = min(cell, max(_THIN * min(part.size), _LEAST_BOARD * coarseness))
    half = [0.5 * extent for extent in part.size]
    for face in FACES:
        if face in unseen:
            continue
        corner, along_u, along_v = ((x * half[0], y * half[1], z * half[2]) for x, y, z in _BOX_FACES[face])
        corner = (corner[0] + part.center[0], corner[1] + part.center[1], corner[2] + part.center[2])
        size = min(cell, _TOP_SPACING * coarseness) if face == "z+" else cell
        lengths = [round(math.hypot(*edge), 9) for edge in (along_u, along_v)]
        stretch = _RIM_STRETCH if min(lengths) < _RIM else 1.0  # nobody looks at a rim closely
        columns, rows = (
            graded_cells(length, round(extent, 6), stretch)
            for length, extent in zip(lengths, _extents(piece, size, along_u, along_v), strict=True)
        )
        sheet = Sheet(at, corner, along_u, along_v, columns, rows)
        covers = [cover for solid in against if (cover := _cover_on(sheet, face, solid, coarseness)) is not None]
        if part.text and face == part.print_face:
            covers.append(_text_zone(part))
        plan.sheets.append(dataclasses.replace(sheet, covers=tuple(covers)) if covers else sheet)


def _extents(piece: Piece, size: float, along_u: Vector, along_v: Vector) -> tuple[float, float]:
    """Extents (m) of a cell along two edges of a face, ``size`` squared in area: longer along the grain of its part."""
    longest = int(np.argmax(piece.part.size))
    long = max(size, min(size * math.sqrt(piece.finish.grain), _LONGEST))
    if along_u[longest]:
        return long, size * size / long
    return (size * size / long, long) if along_v[longest] else (size, size)


@dataclasses.dataclass(frozen=True)
class _Solid:
    """What may lie against a face: its middle and half its extents (m) in the frame of the face's object."""

    middle: Vector
    half: Vector
    yaw: float
    round: bool
    finest: float


def _is_plate(part: Part) -> bool:
    return part.shape == "box" and min(part.size) < _PLATE


def _plate(part: Part) -> _Solid:
    x, y, z = part.size
    return _Solid(part.center, (0.5 * x, 0.5 * y, 0.5 * z), 0.0, False, FINE if part.text else _PLATE_EDGE)


def _feet(obj: ObjectSpec, support: ObjectSpec) -> list[_Solid]:
    """The broadest parts on which an object stands, in the frame of what carries it."""
    x, y, z, yaw = place_in(obj, support)
    c, s = math.cos(yaw), math.sin(yaw)
    base = base_of(obj)
    flat = max(part.center[2] + part_reach(part)[2] for part in obj.parts) - base < 0.05
    found = []
    for part in obj.parts:
        if part.is_turned:
            continue
        low = part.center[2] - 0.5 * part.size[2]
        share = part.ends[0] if part.shape == "cone" else 1.0
        half = (0.5 * share * part.size[0], 0.5 * share * part.size[1], 0.5 * part.size[2])
        upright = part.shape == "box" or (part.shape in ("cylinder", "cone") and part.axis == "z")
        if low - base > _TOUCH or not upright or min(half[:2]) < (_FOOT if not flat else 0.4 * _FOOT):
            continue
        a, b, h = part.center
        middle = (x + c * a - s * b, y + s * a + c * b, z + h)
        found.append(_Solid(middle, half, yaw, part.shape != "box", 0.006 if flat else 0.010))
    return sorted(found, key=lambda foot: -foot.half[0] * foot.half[1])[:_MOST_FEET]


def _cover_on(sheet: Sheet, face: str, solid: _Solid, coarseness: float) -> Cover | None:
    """What of a face of a box a solid hides; None where it does not lie against it."""
    axis, sign = "xyz".index(face[0]), 1.0 if face[1] == "+" else -1.0
    near_side = sign * (solid.middle[axis] - sheet.corner[axis]) - solid.half[axis]
    far_side = near_side + 2 * solid.half[axis]
    if not (-_TOUCH < near_side < _TOUCH and far_side > 5e-4) or (solid.yaw and axis != 2):
        return None
    u, v = (next(k for k in range(3) if edge[k]) for edge in (sheet.along_u, sheet.along_v))
    u_sign, v_sign = math.copysign(1.0, sheet.along_u[u]), math.copysign(1.0, sheet.along_v[v])
    middle = (u_sign * (solid.middle[u] - sheet.corner[u]), v_sign * (solid.middle[v] - sheet.corner[v]))
    half = (solid.half[u], solid.half[v])
    reach = math.hypot(*half)
    lengths = abs(sheet.along_u[u]), abs(sheet.along_v[v])
    if any(not -reach < place < length + reach for place, length in zip(middle, lengths, strict=True)):
        return None
    return Cover(middle, half, u_sign * v_sign * solid.yaw, solid.round, 0.0015, coarseness * solid.finest)


def _text_zone(part: Part) -> Cover:
    width, height = (0.5 * extent + FINE for extent in text_layout(part).extent)
    if part.print_face == "z+":
        return Cover((0.5 * part.size[0], 0.5 * part.size[1]), (height, width), reach=None, finest=FINE)
    return Cover((0.5 * part.size[1], 0.5 * part.size[2]), (width, height), reach=None, finest=FINE)


def _add_text(piece: Piece, plan: Plan) -> None:
    """The ink on a part, as a piece of its own that counts as the same part."""
    part = piece.part
    inked = dataclasses.replace(part, rgb=ink_color(part), look="")
    at = plan.add(dataclasses.replace(piece, part=inked, finish=LOOKS[""], spread=_INK_SPREAD, solid=False))
    plan.strokes += (Stroke(at, *ink) for ink in text_strokes(part, text_layout(part)))


def _sleeves(part: Part, others: Sequence[Part]) -> list[tuple[float, float]]:
    """Stretches along the axis of a round part (m, about its middle) that a thin tube around it hides."""
    axis = "xyz".index(part.axis)
    across = [k for k in range(3) if k != axis]
    hidden = []
    for other in others:
        wider = [other.size[k] - part.size[k] for k in across]
        apart = max(abs(other.center[k] - part.center[k]) for k in across)
        tube = other.shape == "cylinder" and other.axis == part.axis and len(other.open_faces) == 2
        if other is not part and tube and apart < 1e-4 and min(wider) > 0 and max(wider) < 2 * _TOUCH:
            middle = other.center[axis] - part.center[axis]
            hidden.append((middle - 0.5 * other.size[axis] + 0.0015, middle + 0.5 * other.size[axis] - 0.0015))
    return hidden
