"""Small things that belong together: what is on a desk to work with, a pair of shoes, a row of books."""

from __future__ import annotations

from vantage.scenes.generator.groups import before
from vantage.scenes.generator.object_models import Model
from vantage.scenes.generator.placing import Room
from vantage.scenes.geometry.design import Surface
from vantage.scenes.spec.spec import ObjectSpec

_MONITORS = 0.7  # share of desks with a monitor; some of the others have a laptop
_LAPTOPS = 0.65
_MICE = 0.8
_BACK, _AISLE = 0.14, 0.06  # m: from the back of a desk to the middle of its monitor; before the foot of that
_SLACK = 0.03  # m by which the things of a workplace are out of line
_TURN = 0.05  # rad
_TRIES = 12
_SHOES_APART = 0.115  # m between the middles of a pair


def workplaces(room: Room) -> None:
    """A monitor with a keyboard before it, or a laptop, on each desk, and often a mouse at the right hand."""
    for desk in room.things("desk"):
        if room.rng.random() < _MONITORS:
            placed = _on_desk(room, desk, room.model("monitor"), at_back=True)
            if placed is not None:
                _add_keyboard(room, desk, placed)
        elif room.rng.random() < _LAPTOPS:
            placed = _on_desk(room, desk, room.model("laptop"), at_back=False)
            if placed is not None:
                _add_mouse(room, desk, placed)


def second_of_pair(room: Room, first: int) -> int | None:
    """Another one like a thing, beside it; None where there is no space on either side."""
    thing, model = room.thing(first), room.home.models[first - 1]
    for aside in (_SHOES_APART, -_SHOES_APART):
        position = (*before(thing, 0.0, aside), thing.position[2])
        placed = room.try_put(model, position, thing.yaw, thing.relation, thing.parent, in_aisle=True)
        if placed is not None:
            return placed
    return None


def pair_on(room: Room, model: Model, owner: int, surface: str, turn: float) -> bool:
    """Put two alike side by side on one surface, or none."""
    for _ in range(_TRIES):
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
    for shelf in room.things("bookshelf"):
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
    return room.onto(model, desk.instance_id, top.name, _TRIES, _TURN, part)


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
    thing = room.thing(host)
    for _ in range(_TRIES):
        x, y = before(thing, ahead + float(room.rng.uniform(0, _SLACK)), aside + float(room.rng.uniform(0, _SLACK)))
        yaw = desk.yaw + float(room.rng.uniform(-_TURN, _TURN))
        placed = room.try_put(model, (x, y, thing.position[2]), yaw, "on", desk.instance_id)
        if placed is not None:
            return placed
    return None


def _stand(room: Room, model: Model, host: ObjectSpec, surface: Surface, y: float) -> bool:
    x = surface.x_max - model.extent()[1][0] - 0.01
    position = (*before(host, x, y), host.position[2] + surface.z)
    return room.try_put(model, position, host.yaw, surface.relation, host.instance_id) is not None
