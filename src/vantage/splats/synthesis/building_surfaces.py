"""Covers the building: inner faces of walls around their openings, floors laid with boards or tiles, ceilings.

Openings get their sides through the thickness of the wall, doorways their floor. A wall is left out where furniture and
fixtures hide it, so that nothing shines through their edges.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.looks import LOOKS, SKIRTING, Pattern, finish_of, pattern_of, seed_of
from vantage.scenes.spec import ObjectSpec, Opening, Part, part_reach
from vantage.splats.synthesis.pieces import UPRIGHT, Neighbours, Piece, Plan, base_of, place_in
from vantage.splats.synthesis.samples import Array
from vantage.splats.synthesis.sheets import Cover, Sheet, Stroke, Vector, graded_cells, pitched_cells

_CLOSED_FIXTURE = 0.84  # share of its rectangle that an object on a wall must cover for the wall to be left out there
_CLOSED_BACK = 0.97  # the same for furniture, below which one can look
_GAP = 0.05  # m: furniture that stands farther from a wall hides nothing of it
_CELL = 0.05  # m: largest cell
_SPREAD = {"floor": 0.72, "wall": 0.76, "ceiling": 0.72}  # of Gaussians in cells: few edges here could blur
_LAID_SPREAD = 0.72  # of patterned floors, whose pieces would mix
_BEHIND_FIXTURE = 0.004  # m: how far a wall reaches behind what is fixed to it
_BEHIND_FURNITURE = 0.035  # m: the same for furniture, past which one can look along the wall
_UNDER = 0.004  # m: how far a floor reaches under what stands on it, past whose foot it would shine
_SHARP, _BLURRED = 0.016, 0.045  # m: largest cells at the outlines of thin and of other objects
_BROAD, _SLIM = 0.09, 0.01  # m: half the breadth of what hides the floor under it, and of what is just noticed
_AROUND, _SMALL = 0.014, 0.35  # m: largest cells around what is small and hangs on a wall, half its largest extent
_FOOT = 0.022  # m: largest cell around what is not broad
_JOINT = 0.13  # m: longest piece of a joint
_JOINT_SPREAD = 0.5
_LIFT = 0.001  # m: of joints before their tiles
_COARSEST = 1.8  # factor of cells: even in a sparse cloud walls are no scattered dots
_USUAL = 0.12  # m: largest cell where the look asks for nothing else
_SOLID = 0.045  # m: walls that are thinner show what is on their other side where they have large cells,
_THIN = 3.5  # largest cell of these, in thicknesses
_POST = 0.001  # m: least breadth of a wall beside a hole


def cover_building(structure: ObjectSpec, near: Neighbours, plan: Plan, coarseness: float) -> None:
    """Add what covers a floor, wall or ceiling to a plan; only the face towards the room is painted.

    Raises:
        SceneError: a part has an unknown look.
    """
    names = {name: number for number, name in enumerate(structure.part_names, start=1)}
    coarseness = min(coarseness, _COARSEST)
    covers = _floor_covers(structure, near, coarseness)
    if structure.label == "wall":
        covers = _wall_covers(structure, near, coarseness)
    for number, part in enumerate(structure.parts):
        pattern = pattern_of(structure, part, near.room_label(structure.room))
        finish = pattern.finish if pattern else finish_of(structure, part)
        scale = 1.0 if structure.label == "ceiling" else coarseness  # seen from just below, wide Gaussians are haze
        spacing = scale * (finish.spacing or _USUAL)
        if structure.label == "wall" and part.size[0] < _SOLID:
            spacing = min(spacing, _THIN * part.size[0])
        spread = _LAID_SPREAD if pattern and structure.label == "floor" else _SPREAD[structure.label]
        seed = seed_of(structure, number)
        piece = Piece(structure, part, names[part.name], finish, spacing, spread, seed, False)
        face = _inner_face(structure, part)
        at = plan.add(piece)
        if pattern and structure.label == "floor":
            _lay_floor(at, piece, pattern, face, covers, plan)
        else:
            plan.sheets.append(_plain_sheet(at, face, spacing, covers))
        if pattern:
            _joints(piece, pattern, face, covers, plan)
        if number == 0 and structure.label == "wall":
            add_reveals(structure, near, at, plan)
        if number == 0 and structure.label == "floor":
            add_thresholds(structure, near, at, plan)


@dataclass(frozen=True)
class _Face:
    """The inner face of a part: a corner, its edges (m), and the axes of the frame that they run along."""

    corner: Vector
    along_u: Vector
    along_v: Vector
    axes: tuple[int, int]

    @property
    def extent(self) -> tuple[float, float]:
        """m"""
        return math.hypot(*self.along_u), math.hypot(*self.along_v)

    @property
    def normal(self) -> Vector:
        """Unit vector into the room."""
        x, y, z = np.cross(self.along_u, self.along_v) / math.prod(self.extent)
        return float(x), float(y), float(z)


def _inner_face(structure: ObjectSpec, part: Part) -> _Face:
    (x, y, z), (a, b, h) = part.center, part.size
    if structure.label == "wall":
        return _Face((x + 0.5 * a, y - 0.5 * b, z - 0.5 * h), (0.0, b, 0.0), (0.0, 0.0, h), (1, 2))
    if structure.label == "floor":
        return _Face((x - 0.5 * a, y - 0.5 * b, z + 0.5 * h), (a, 0.0, 0.0), (0.0, b, 0.0), (0, 1))
    return _Face((x - 0.5 * a, y - 0.5 * b, z - 0.5 * h), (0.0, b, 0.0), (a, 0.0, 0.0), (1, 0))


def _plain_sheet(piece: int, face: _Face, spacing: float, covers: Sequence[Cover]) -> Sheet:
    columns, rows = (graded_cells(round(length, 9), round(spacing, 6)) for length in face.extent)
    return Sheet(piece, face.corner, face.along_u, face.along_v, columns, rows, _on(face, covers))


def _on(face: _Face, covers: Sequence[Cover]) -> tuple[Cover, ...]:
    """The covers that touch a face, in its own frame instead of that of the structure."""
    u, v = face.corner[face.axes[0]], face.corner[face.axes[1]]
    width, height = face.extent
    found = []
    for cover in covers:
        x, y = cover.middle[0] - u, cover.middle[1] - v
        reach = math.hypot(*cover.half) if cover.angle else 0.0
        a, b = (max(half, reach) + 0.3 for half in cover.half)
        if -a < x < width + a and -b < y < height + b:
            found.append(dataclasses.replace(cover, middle=(x, y)))
    return tuple(found)


def _wall_covers(wall: ObjectSpec, near: Neighbours, coarseness: float) -> list[Cover]:
    """What hangs on a wall or stands against it, and the skirting, in y and z of the wall's frame."""
    low = min(part.center[1] - 0.5 * part.size[1] for part in wall.parts)
    high = max(part.center[1] + 0.5 * part.size[1] for part in wall.parts)
    edge = (0.5 * (low + high), 0.5 * SKIRTING)
    covers = [Cover(edge, (0.5 * (high - low) + 1.0, 0.5 * SKIRTING), reach=1.0, finest=0.06)]
    for obj in near.around(wall):
        dial = _dial(obj, wall)
        if dial is not None:
            covers.append(dial)
            continue
        hidden = hidden_rectangle(obj, wall)
        if hidden is None:
            covers += _behind(obj, wall)
            continue
        middle, half = 0.5 * (hidden.low + hidden.high), 0.5 * (hidden.high - hidden.low)
        reach = _BEHIND_FIXTURE if hidden.fixed else _BEHIND_FURNITURE
        finest = coarseness * (_SHARP if hidden.fixed or hidden.shallow else _BLURRED)
        finest = _AROUND if hidden.fixed and half.max() < _SMALL else finest
        covers.append(Cover(_pair(middle), _pair(half), reach=reach, finest=finest))
    return covers


def _behind(obj: ObjectSpec, wall: ObjectSpec) -> list[Cover]:
    """A stretch of a wall that shows through and around an object that hangs on it, which needs small cells."""
    along = wall_distance(obj, wall)
    if along is None or obj.parent != wall.instance_id:
        return []
    centers = np.array([part.center for part in obj.parts])
    halves = np.array([part_reach(part) for part in obj.parts])
    low: Array = (centers - halves).min(axis=0)[1:]
    high: Array = (centers + halves).max(axis=0)[1:]
    middle = 0.5 * (low + high) + (along, obj.position[2] - wall.position[2])
    return [Cover(_pair(middle), _pair(0.5 * (high - low)), reach=None, finest=_BLURRED)]


def _dial(obj: ObjectSpec, wall: ObjectSpec) -> Cover | None:
    """The disc of a wall behind a round clock or mirror that hangs on it; None for other things."""
    along = wall_distance(obj, wall)
    if along is None or obj.parent != wall.instance_id:
        return None
    widest = max(obj.parts, key=lambda part: part.size[1] * part.size[2])
    if widest.shape != "cylinder" or widest.axis != "x" or widest.is_turned:
        return None
    middle = (along + widest.center[1], obj.position[2] - wall.position[2] + widest.center[2])
    half = (0.5 * widest.size[1], 0.5 * widest.size[2])
    return Cover(middle, half, round=True, reach=_BEHIND_FIXTURE, finest=_AROUND)


def _floor_covers(floor: ObjectSpec, near: Neighbours, coarseness: float) -> list[Cover]:
    """The broad objects that stand on a floor, in x and y of the floor's frame; for ceilings there are none."""
    covers: list[Cover] = []
    if floor.label != "floor":
        return covers
    top = max(part.center[2] + 0.5 * part.size[2] for part in floor.parts)
    for obj in near.around(floor):
        x, y, z, yaw = place_in(obj, floor)
        base = base_of(obj)
        if obj.relation == "in" or not abs(z + base - top) < 0.01:
            continue
        c, s = math.cos(yaw), math.sin(yaw)
        flat = max(part.center[2] + part_reach(part)[2] for part in obj.parts) - base < 0.03
        for part in obj.parts:
            half = (0.5 * part.size[0], 0.5 * part.size[1])
            upright = part.shape == "box" or (part.shape == "cylinder" and part.axis == "z")
            if part.is_turned or part.center[2] - 0.5 * part.size[2] - base > 0.005 or min(half) < _SLIM:
                continue
            a, b = part.center[:2]
            middle = (x + c * a - s * b, y + s * a + c * b)
            finest = coarseness * (_SHARP if flat or min(half) > _BROAD else _FOOT)
            reach = _UNDER if upright and min(half) > _BROAD else None
            covers.append(Cover(middle, half, yaw, part.shape != "box", reach, finest))
    return covers


def _pair(values: Array) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _lay_floor(at: int, piece: Piece, pattern: Pattern, face: _Face, covers: Sequence[Cover], plan: Plan) -> None:
    """Rows of boards or tiles, cut where a piece ends."""
    x, y, z = face.corner
    length, depth = face.extent
    for row in range(math.floor(y / pattern.width + 1e-6), math.ceil((y + depth) / pattern.width - 1e-6)):
        low, high = max(y, row * pattern.width), min(y + depth, (row + 1) * pattern.width)
        strip = _Face((x, low, z), face.along_u, (0.0, high - low, 0.0), face.axes)
        columns = pitched_cells(x + pattern.shift(row), length, pattern.length / pattern.cells[0])
        rows = pitched_cells(low, high - low, pattern.width / pattern.cells[1])
        plan.sheets.append(Sheet(at, strip.corner, strip.along_u, strip.along_v, columns, rows, _on(strip, covers)))


def _joints(piece: Piece, pattern: Pattern, face: _Face, covers: Sequence[Cover], plan: Plan) -> None:
    """Thin lines between boards or tiles, where nothing hides them."""
    r, g, b = (min(1.0, pattern.joint * value) for value in piece.part.rgb)
    part = dataclasses.replace(piece.part, rgb=(r, g, b), look="")
    number = plan.add(dataclasses.replace(piece, part=part, finish=LOOKS[""], spread=_JOINT_SPREAD))
    lines: Array = np.array(list(_lines(face, pattern))).reshape(-1, 4)
    for cover in _on(face, covers):
        lines = lines[cover.depth(lines[:, :2]) < 0.0]
    u_axis, v_axis = (np.asarray(edge) / math.hypot(*edge) for edge in (face.along_u, face.along_v))
    normal = np.asarray(face.normal)
    corner = np.asarray(face.corner) + _LIFT * normal
    middles = corner + lines[:, :1] * u_axis + lines[:, 1:2] * v_axis
    for middle, (_, _, length, turned) in zip(middles.tolist(), lines.tolist(), strict=True):
        along = v_axis if turned else u_axis
        plan.strokes.append(Stroke(number, middle, tuple(along), tuple(normal), length, pattern.joint_width))


def _lines(face: _Face, pattern: Pattern) -> Iterator[tuple[float, float, float, float]]:
    """Middles (u and v, m), lengths (m) and directions (0 along u, 1 along v) of the joints of a face."""
    u, v = face.corner[face.axes[0]], face.corner[face.axes[1]]
    length, depth = face.extent
    top = min(v + depth, pattern.top)
    for row in range(math.floor(v / pattern.width + 1e-6), math.ceil(top / pattern.width - 1e-6)):
        low, high = max(v, row * pattern.width), min(top, (row + 1) * pattern.width)
        if high < v + depth - 1e-6:
            for middle, width in zip(*pitched_cells(0.0, length, _JOINT), strict=True):
                yield float(middle), high - v, float(width), 0.0
        for edge in np.cumsum(pitched_cells(u + pattern.shift(row), length, pattern.length)[1])[:-1]:
            yield float(edge), 0.5 * (low + high) - v, high - low, 1.0


def add_thresholds(floor: ObjectSpec, near: Neighbours, at: int, plan: Plan) -> None:
    """The floor in doorways up to the middle of the wall, where the floor itself does not reach under it."""
    top = max(part.center[2] + 0.5 * part.size[2] for part in floor.parts)
    for opening in near.spec.openings:
        if floor.room not in opening.rooms or opening.low[2] > floor.position[2] + top + 0.01:
            continue
        low, high = (np.subtract(corner, floor.position)[:2] for corner in (opening.low, opening.high))
        if any(
            (np.abs(0.5 * (low + high) - part.center[:2]) < 0.5 * np.asarray(part.size[:2])).all()
            for part in floor.parts
        ):
            continue
        columns, rows = (pitched_cells(0.0, float(length), _CELL) for length in high - low)
        corner = (float(low[0]), float(low[1]), top)
        plan.sheets.append(
            Sheet(at, corner, (float(high[0] - low[0]), 0.0, 0.0), (0.0, float(high[1] - low[1]), 0.0), columns, rows)
        )


def add_reveals(wall: ObjectSpec, near: Neighbours, at: int, plan: Plan) -> None:
    """The sides of the holes in a wall, through its thickness, where no frame hides them."""
    back = min(part.center[0] - 0.5 * part.size[0] for part in wall.parts)
    front = max(part.center[0] + 0.5 * part.size[0] for part in wall.parts)
    left = min(part.center[1] - 0.5 * part.size[1] for part in wall.parts)
    right = max(part.center[1] + 0.5 * part.size[1] for part in wall.parts)
    frames = {obj.instance_id: obj for obj in near.around(wall)}
    for opening in near.spec.openings:
        low, high = _in_frame(opening, wall)
        if not (low[0] < 0.5 * (back + front) < high[0] and left - 1e-6 < low[1] and high[1] < right + 1e-6):
            continue
        frame = frames.get(opening.instance)
        for axis, sign in ((1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)):
            if axis == 2 and sign > 0 and low[2] < 0.01:
                continue  # the threshold belongs to the floor
            if axis == 1 and (low[1] - left if sign > 0 else right - high[1]) < _POST:
                continue  # the hole ends where the wall does
            if frame is None or not _is_framed(frame, wall, low, high, axis, sign, 0.5 * (back + front)):
                plan.sheets.append(_reveal(at, (back, front), low, high, axis, sign))


def _reveal(at: int, span: tuple[float, float], low: Array, high: Array, axis: int, sign: float) -> Sheet:
    """The side of a hole at its lower (sign 1) or upper end of an axis, facing into the hole."""
    other = 3 - axis
    corner = [span[0], 0.0, 0.0]
    corner[axis], corner[other] = (low if sign > 0 else high)[axis], low[other]
    across, along = [span[1] - span[0], 0.0, 0.0], [0.0, 0.0, 0.0]
    along[other] = float(high[other] - low[other])
    u, v = (across, along) if np.cross(across, along)[axis] * sign > 0 else (along, across)
    columns, rows = (
        graded_cells(round(across[0], 9), _CELL) if edge is across else pitched_cells(0.0, along[other], _CELL)
        for edge in (u, v)
    )
    x, y, z = (float(value) for value in corner)
    return Sheet(at, (x, y, z), (u[0], u[1], u[2]), (v[0], v[1], v[2]), columns, rows)


def _is_framed(
    frame: ObjectSpec, wall: ObjectSpec, low: Array, high: Array, axis: int, sign: float, middle: float
) -> bool:
    """Whether a part of what fills a hole lies against one of its sides."""
    x, y, z, yaw = place_in(frame, wall)
    spot = 0.5 * (low + high)
    spot[0], spot[axis] = middle, (low if sign > 0 else high)[axis] + sign * 0.01
    c, s = math.cos(yaw), math.sin(yaw)
    dx, dy = spot[0] - x, spot[1] - y
    local = np.array([c * dx + s * dy, c * dy - s * dx, spot[2] - z])
    return any(
        (np.abs(local - part.center) <= 0.5 * np.asarray(part.size) + 1e-6).all()
        for part in frame.parts
        if not part.is_turned
    )


def _in_frame(opening: Opening, wall: ObjectSpec) -> tuple[Array, Array]:
    """Corners (3,) of an opening in the frame of a wall, m."""
    c, s = math.cos(wall.yaw), math.sin(wall.yaw)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    corners = np.array([opening.low, opening.high]) - wall.position
    turned = corners @ turn.T
    return turned.min(axis=0), turned.max(axis=0)


@dataclass(frozen=True)
class HiddenRectangle:
    """A rectangle of a wall (y and z of two corners, m, in its frame) of which an object hides every bit.

    Attributes:
        fixed: whether the object hangs on the wall.
        shallow: whether only a thin board hides the wall from a person in front of it.
    """

    low: Array
    high: Array
    fixed: bool
    shallow: bool


def hidden_rectangle(obj: ObjectSpec, wall: ObjectSpec) -> HiddenRectangle | None:
    """What of a wall an object hides; None for objects with gaps at their back."""
    place = wall_distance(obj, wall)
    if place is None:
        return None
    back = min(part.center[0] - part_reach(part)[0] for part in obj.parts)
    boxes = [box for part in obj.parts if (box := _solid_back(part, back)) is not None]
    if not boxes:
        return None
    low, high = np.min([box[0] for box in boxes], axis=0), np.max([box[1] for box in boxes], axis=0)
    fixed = obj.parent == wall.instance_id
    needed = _CLOSED_FIXTURE if fixed else _CLOSED_BACK
    if sum(float(np.prod(box[1] - box[0])) for box in boxes) < needed * float(np.prod(high - low)):
        return None
    offset = np.array([place, obj.position[2] - wall.position[2]])
    front = max(part.center[0] + part_reach(part)[0] for part in obj.parts)
    widest = max(part.size[1] * part.size[2] for part in obj.parts)
    boards = [part for part in obj.parts if part.size[1] * part.size[2] > 0.4 * widest]
    shallow = max(part.center[0] + 0.5 * part.size[0] for part in boards) < back + 0.2 * (front - back)
    return HiddenRectangle(low + offset, high + offset, fixed, shallow)


def wall_distance(obj: ObjectSpec, wall: ObjectSpec) -> float | None:
    """How far along a wall (m, y of its frame) an object stands with its back to it; None when it does not."""
    x, y, _, turned = place_in(obj, wall)
    if obj.is_structure or abs(turned) > UPRIGHT:
        return None
    back = min(part.center[0] - part_reach(part)[0] for part in obj.parts)
    inner = max(part.center[0] + 0.5 * part.size[0] for part in wall.parts)
    ends = [part.center[1] + side * part.size[1] for part in wall.parts for side in (-0.5, 0.5)]
    if not -0.01 < x + back - inner < _GAP or not min(ends) < y < max(ends):
        return None
    return y


def _solid_back(part: Part, back: float) -> tuple[Array, Array] | None:
    """The rectangle (y, z) that a part covers when it reaches to within 2 cm of the back of its object."""
    center, half = np.asarray(part.center)[1:], 0.5 * np.asarray(part.size)[1:]
    if part.is_turned or part.center[0] - 0.5 * part.size[0] - back >= 0.02 or part.shape in ("ellipsoid", "cone"):
        return None
    if part.shape == "cylinder" and part.axis != "x" and part.size[0] > 0.1:
        return None  # it touches the wall along one line only
    if part.shape == "cylinder":
        half = half * {"x": (0.7, 0.7), "y": (0.95, 0.5), "z": (0.95, 1.0)}[part.axis]
    return center - half, center + half
