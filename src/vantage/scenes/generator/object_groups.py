"""Objects that belong together: furniture with furniture, what lies on a desk, pairs of shoes, rows of books."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vantage.scenes.generator.object_models import Model
from vantage.scenes.generator.placement import FLAT, GAP, HEAD, Room, body_front
from vantage.scenes.geometry import Surface
from vantage.scenes.spec import ObjectSpec, Wall

_MONITORS = 0.7  # share of desks with a monitor; some of the others have a laptop

_LAPTOPS = 0.65

_MICE = 0.8

_BACK, _AISLE = 0.14, 0.06  # m: from the back of a desk to the middle of its monitor; before the foot of that

_SLACK = 0.03  # m by which the objects of a workplace are out of line

_TURN = 0.05  # rad

_SMALL_TRIES = 12

_SHOES_APART = 0.115  # m between the middles of a pair

_TRIES = 60

_UNIT_COLORS = ("white", "gray", "blue", "green")  # of which all worktops of a kitchen have one

_STANDS = 8  # places tried for a television and what it stands on

_CHAIRS = 2  # least number around a table

_KITCHEN_AISLE = 0.9  # m before worktops

_BEHIND_CHAIR = 0.36  # m between some armchairs and the wall, in which toys get lost

_SEAM = 0.012  # m between units of one row


def before(obj: ObjectSpec, ahead: float, aside: float = 0.0) -> tuple[float, float]:
    """A point in the frame of an object: ``ahead`` m along its x and ``aside`` m along its y."""
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    return obj.position[0] + c * ahead - s * aside, obj.position[1] + s * ahead + c * aside


def beside(room: Room, host: int, model: Model, gap: float = 0.06) -> int | None:
    """Stand an object beside another one, both with their backs in one line; None where neither side is free."""
    owner, (low, high) = room.obj(host), model.reach()
    outer_low, outer_high = room.home.models[host - 1].extent()
    for side in (1, -1) if room.rng.random() < 0.5 else (-1, 1):
        aside = outer_high[1] + gap - low[1] if side > 0 else outer_low[1] - gap - high[1]
        x, y = before(owner, outer_low[0] - low[0], aside)
        placed = room.try_put(model, (x, y, 0.0), owner.yaw)
        if placed is not None:
            return placed
    return None


def seating_group(room: Room) -> bool:
    """A sofa with a low table on a rug before it, a television across, and an armchair or two."""
    sofa = room.along_wall(room.model("sofa"), tries=2 * _TRIES, aisle=0.3)
    if sofa is None:
        return False
    host = room.obj(sofa)
    front = room.home.models[sofa - 1].extent()[1][0]
    rug = room.model("rug", avoid=(host.color,))
    depth = rug.extent()[1][0]
    for shift in (0.0, 0.2, -0.2, 0.4, -0.4):
        x, y = before(host, front + 0.03 + depth, shift)
        placed = room.try_put(rug, (x, y, 0.0), host.yaw)
        if placed is not None:
            table = room.model("coffee table", avoid=(rug.style.color,))
            room.onto(table, placed, "top", tries=20, turn=0.0, part=((0.0, -0.2, 0.0), (0.12, 0.2, 0.0)))
            break
    else:
        table = room.model("coffee table", avoid=(host.color,))
        room.try_put(table, (*before(host, front + 0.40 + table.extent()[1][0]), 0.0), host.yaw)
    across = [wall for wall in room.walls if abs(math.remainder(wall.facing - host.yaw - math.pi, math.tau)) < 0.1]
    if not _television(room, across) and not _television(room, room.walls):
        return False
    for _ in range(int(room.rng.integers(1, 3))):
        gap = _BEHIND_CHAIR if room.rng.random() < 0.4 else GAP
        room.along_wall(room.model("armchair"), tries=_TRIES, aisle=0.3, gap=gap)
    return True


def _television(room: Room, walls: Sequence[Wall]) -> bool:
    """A cabinet at one of some walls with a television on it; False where they fit nowhere."""
    for _ in range(_STANDS):
        empty = room.mark()
        stand = room.along_wall(room.model("cabinet"), walls, aisle=0.6)
        if stand is None:
            return False
        if room.onto(room.model("television"), stand, "top", turn=0.0) is not None:
            return True
        room.undo(empty)
    return False


def bed_corner(room: Room) -> bool:
    """A bed with its head to the wall, nightstands at its sides, and often a rug."""
    bed = room.along_wall(room.model("bed"), tries=2 * _TRIES, aisle=0.45)
    if bed is None:
        return False
    for _ in range(2 if room.rng.random() < 0.6 else 1):
        beside(room, bed, room.model("nightstand"))
    if room.rng.random() < 0.5:
        rug = room.model("rug" if room.rng.random() < 0.6 else "round rug", avoid=(room.obj(bed).color,))
        low, high = rug.extent()
        owner, (outer_low, outer_high) = room.obj(bed), room.home.models[bed - 1].extent()
        for aside in (outer_high[1] + 0.05 - low[1], outer_low[1] - 0.05 - high[1]):
            if room.try_put(rug, (*before(owner, 0.2, aside), 0.0), owner.yaw) is not None:
                break
    return True


def desk_corner(room: Room) -> bool:
    """A desk at a wall and a seat before it."""
    desk = room.along_wall(room.model("desk", states=("closed",)), tries=2 * _TRIES, aisle=0.42)
    if desk is None:
        return False
    host = room.obj(desk)
    name = "office chair" if room.label == "office" or room.rng.random() < 0.3 else "chair"
    return _seat(room, room.model(name, avoid=(host.color,)), host)


def _seat(room: Room, chair: Model, host: ObjectSpec) -> bool:
    front = room.home.models[host.instance_id - 1].extent()[1][0]
    for away in (front + 0.12, front + 0.20, front + 0.30):
        for aside in (0.2, -0.2, 0.0):
            x, y = before(host, away, aside)
            if room.try_put(chair, (x, y, 0.0), host.yaw + math.pi, in_aisle=True) is not None:
                return True
    return False


def dining_group(room: Room) -> bool:
    """A table with two chairs at least; False where a room has no space for it."""
    for _ in range(_TRIES):
        empty = room.mark()
        table = room.model("table" if room.rng.random() < 0.6 else "round table")
        low, high = table.extent()
        reach = max(high[0] - low[0], high[1] - low[1]) * 0.5 + GAP
        x, y = (float(room.rng.uniform(room.low[k] + reach, room.high[k] - reach)) for k in (0, 1))
        placed = room.try_put(table, (x, y, 0.0), 0.5 * math.pi * int(room.rng.integers(2)))
        if placed is not None:
            if _chairs(room, placed) >= _CHAIRS:
                return True
            room.undo(empty)
    return False


def _chairs(room: Room, table: int) -> int:
    """Stand chairs around a table; returns how many found a place."""
    host, (_, high) = room.obj(table), room.home.models[table - 1].extent()
    chair = room.model("chair", avoid=(host.color,))
    along = (0.3, -0.3) if high[1] > 0.58 and host.kind == "table" else (0.0,)
    seats = [(side * (high[0] + 0.08), aside, 0.0 if side < 0 else math.pi) for side in (1, -1) for aside in along]
    seats += [(0.0, side * (high[1] + 0.08), -side * 0.5 * math.pi) for side in (1, -1)]
    placed = 0
    for ahead, aside, turn in seats:
        x, y = before(host, ahead, aside)
        if room.rng.random() < 0.85 and room.try_put(chair, (x, y, 0.0), host.yaw + turn) is not None:
            placed += 1
    return placed


def kitchen_rows(room: Room) -> bool:
    """Worktops, sink, stove and machines in rows along one or two walls."""
    color = _UNIT_COLORS[int(room.rng.integers(len(_UNIT_COLORS)))]
    units = [room.model("stove"), room.model("counter", color), room.model("kitchen sink", color)]
    if room.rng.random() < 0.7:
        units.append(room.model("dishwasher"))
    models = [room.model("fridge"), *(units[int(k)] for k in room.rng.permutation(len(units)))]
    for count in range(len(models), 1, -1):
        if _row(room, models[:count]):
            rest = models[count:]
            return (len(rest) > 1 and _row(room, rest)) or all(_row(room, [model]) for model in rest)
    return False


def _row(room: Room, models: Sequence[Model]) -> bool:
    """Stand units side by side along a wall, all or none."""
    widths = [model.extent()[1][1] - model.extent()[0][1] for model in models]
    total = sum(widths) + _SEAM * (len(widths) - 1)
    for _ in range(_TRIES):
        wall = room.walls[int(room.rng.integers(len(room.walls)))]
        free = 0.5 * (wall.length - total) - GAP - _swung_out(models)
        if free < 0:
            continue
        corner = float(room.rng.choice([-free, free, room.rng.uniform(-free, free)]))
        order = list(models) if room.rng.random() < 0.5 else list(models)[::-1]
        places = _places(order, wall, corner - 0.5 * total)
        deepest = max(body_front(model) - model.reach()[0][0] for model in order)
        front = wall.box(
            (corner - 0.5 * total, corner + 0.5 * total), (GAP + deepest, GAP + deepest + _KITCHEN_AISLE), (FLAT, HEAD)
        )
        if not room.is_free(front):
            continue
        if all(room.fits(model, position, wall.facing) for model, position, _ in places):
            empty = room.mark()
            if any(room.at_wall(model, wall, along) is None for model, _, along in places):
                room.undo(empty)
                continue
            room.keep_free(front)
            room.ways.add_station(*wall.place(corner, GAP + deepest + 0.5))
            return True
    return False


def _swung_out(models: Sequence[Model]) -> float:
    """How far the open doors of some units reach beyond their sides at most, m."""
    sides = [(model.extent(), model.reach()) for model in models]
    return max(max(low[1] - least[1], most[1] - high[1]) for (low, high), (least, most) in sides)


def _places(models: Sequence[Model], wall: Wall, start: float) -> list[tuple[Model, tuple[float, float, float], float]]:
    """Each unit with its position and how far along the wall that is, from a start along the wall on."""
    found = []
    for model in models:
        low, high = model.extent()
        along = start - low[1]
        found.append((model, (*wall.place(along, GAP - model.reach()[0][0]), 0.0), along))
        start += high[1] - low[1] + _SEAM
    return found


def washing_corner(room: Room) -> bool:
    """Toilet and basin with a mirror above, and a tub where there is room for it."""
    tub = room.rng.random() < 0.65
    if tub:
        corner = room.model("bathtub")
        half = 0.5 * (corner.extent()[1][1] - corner.extent()[0][1])
        for _ in range(_TRIES):
            wall = room.walls[int(room.rng.integers(len(room.walls)))]
            free = 0.5 * wall.length - GAP - half
            if free >= 0 and room.at_wall(corner, wall, float(room.rng.choice([-free, free])), 0.55) is not None:
                break
    if room.along_wall(room.model("toilet"), tries=2 * _TRIES, aisle=0.55) is None:
        return False
    basin = room.along_wall(room.model("washbasin"), tries=2 * _TRIES, aisle=0.6)
    if basin is None:
        return False
    host = room.obj(basin)
    wall = next(wall for wall in room.walls if abs(math.remainder(wall.facing - host.yaw, math.tau)) < 1e-3)
    c, s = math.cos(wall.facing), math.sin(wall.facing)
    along = c * (host.position[1] - wall.y) - s * (host.position[0] - wall.x)
    room.on_wall(room.model("mirror" if room.rng.random() < 0.6 else "round mirror"), wall, along, 1.2)
    return True


def workplaces(room: Room) -> None:
    """A monitor with a keyboard before it, or a laptop, on each desk, and often a mouse at the right hand."""
    for desk in room.objects("desk"):
        if room.rng.random() < _MONITORS:
            placed = _on_desk(room, desk, room.model("monitor"), at_back=True)
            if placed is not None:
                _add_keyboard(room, desk, placed)
        elif room.rng.random() < _LAPTOPS:
            placed = _on_desk(room, desk, room.model("laptop"), at_back=False)
            if placed is not None:
                _add_mouse(room, desk, placed)


def second_of_pair(room: Room, first: int) -> int | None:
    """Another one like an object, beside it; None where there is no space on either side."""
    obj, model = room.obj(first), room.home.models[first - 1]
    for aside in (_SHOES_APART, -_SHOES_APART):
        position = (*before(obj, 0.0, aside), obj.position[2])
        placed = room.try_put(model, position, obj.yaw, obj.relation, obj.parent, in_aisle=True)
        if placed is not None:
            return placed
    return None


def pair_on(room: Room, model: Model, owner: int, surface: str, turn: float) -> bool:
    """Put two alike side by side on one surface, or none."""
    for _ in range(_SMALL_TRIES):
        empty = room.mark()
        first = room.onto(model, owner, surface, turn=turn)
        if first is None:
            return False
        if second_of_pair(room, first) is not None:
            return True
        room.undo(empty)
    return False


def rows_of_books(room: Room) -> None:
    """Books that stand side by side on one level of each bookshelf."""
    for shelf in room.objects("bookshelf"):
        levels = room.surfaces_of(shelf.instance_id, "on")[1:4]
        surface = levels[int(room.rng.integers(len(levels)))]
        y, colors = surface.y_min + 0.01, list[str]()
        for _ in range(int(room.rng.integers(4, 7))):
            model = room.model("standing book", avoid=colors[-4:])
            low, high = model.extent()
            if high[2] < surface.clearance and _stand(room, model, shelf, surface, y - low[1]):
                colors.append(model.style.color)
                y += high[1] - low[1] + 0.002


def _on_desk(room: Room, desk: ObjectSpec, model: Model, at_back: bool) -> int | None:
    (top,) = room.surfaces_of(desk.instance_id, "on")
    ahead = top.x_min + _BACK if at_back else 0.5 * (top.x_min + top.x_max)
    reach = 0.3 * (top.y_max - top.y_min)
    part = ((ahead - _SLACK, -reach, 0.0), (ahead + _SLACK, reach, 0.0))
    return room.onto(model, desk.instance_id, top.name, _SMALL_TRIES, _TURN, part)


def _add_keyboard(room: Room, desk: ObjectSpec, monitor: int) -> None:
    keyboard = room.model("keyboard")
    ahead = room.home.models[monitor - 1].extent()[1][0] + _AISLE - keyboard.extent()[0][0]
    placed = _next_to(room, desk, monitor, keyboard, ahead, 0.0)
    if placed is not None:
        _add_mouse(room, desk, placed)


def _add_mouse(room: Room, desk: ObjectSpec, host: int) -> None:
    """The mouse: one who sits before the desk looks along its -x, so its right hand is at +y."""
    if room.rng.random() < _MICE:
        mouse = room.model("mouse")
        aside = room.home.models[host - 1].extent()[1][1] + _AISLE - mouse.extent()[0][1]
        _next_to(room, desk, host, mouse, 0.0, aside)


def _next_to(room: Room, desk: ObjectSpec, host: int, model: Model, ahead: float, aside: float) -> int | None:
    obj = room.obj(host)
    for _ in range(_SMALL_TRIES):
        x, y = before(obj, ahead + float(room.rng.uniform(0, _SLACK)), aside + float(room.rng.uniform(0, _SLACK)))
        yaw = desk.yaw + float(room.rng.uniform(-_TURN, _TURN))
        placed = room.try_put(model, (x, y, obj.position[2]), yaw, "on", desk.instance_id)
        if placed is not None:
            return placed
    return None


def _stand(room: Room, model: Model, host: ObjectSpec, surface: Surface, y: float) -> bool:
    x = surface.x_max - model.extent()[1][0] - 0.01
    position = (*before(host, x, y), host.position[2] + surface.z)
    return room.try_put(model, position, host.yaw, surface.relation, host.instance_id) is not None
