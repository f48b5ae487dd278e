"""Small objects on, in, under, behind and beside the furniture of a room, and which kinds belong where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vantage.scenes.generator.object_groups import before, beside, pair_on, rows_of_books, second_of_pair, workplaces
from vantage.scenes.generator.placement import Home, Room
from vantage.scenes.geometry import Surface
from vantage.scenes.spec import ObjectSpec

_PRINT = 0.25  # rad: printed objects face their room

_FILLINGS = ("ball", "can", "cup", "car", "apple")
_PLENTY = ((1, 1.4), (4, 1.25), (7, 1.0), (10, 0.95))  # chances of objects grow in homes of up to so many rooms
_FURTHER = 0.5  # factor of the chances of further objects in rooms as large as several
_TRIES = 16
_BESIDE = 0.08  # m between an object and what it stands beside
_BEHIND = 0.05  # m between an object and what it lies behind


@dataclass(frozen=True)
class PlacementRule:
    """How objects of one kind are placed in a kind of room.

    Attributes:
        name: catalog entry.
        place: ``on``, ``in``, ``under``, ``beside`` or ``behind``.
        hosts: labels of what they are put there, in order of preference where ``ordered``.
        count: least and largest number.
        chance: that a room has them.
        alike: chance that all of several are of one color.
        turn: by how much each is turned at most, rad.
        ordered: whether the first host that is there is taken, rather than any.
        surface: the only one of a host's surfaces that will do, empty where all will.
        pair: whether it is two alike side by side, whatever the count.
    """

    name: str
    place: str
    hosts: tuple[str, ...]
    count: tuple[int, int] = (1, 1)
    chance: float = 0.5
    alike: float = 0.4
    turn: float = 0.5
    ordered: bool = False
    surface: str = ""
    pair: bool = False


OBJECTS_BY_ROOM: dict[str, tuple[PlacementRule, ...]] = {
    "kitchen": (
        PlacementRule("microwave", "on", ("counter", "cabinet", "dishwasher"), chance=0.6, turn=0.0, ordered=True),
        PlacementRule("toaster", "on", ("counter", "cabinet", "dishwasher"), chance=0.7, turn=0.1),
        PlacementRule("pot", "on", ("stove",), (1, 2), 0.9, turn=3.0),
        PlacementRule("pan", "on", ("stove", "counter"), chance=0.7, turn=0.3, ordered=True),
        PlacementRule("kettle", "on", ("counter", "stove", "dishwasher"), chance=0.7),
        PlacementRule("cutting board", "on", ("counter", "dishwasher", "table"), chance=0.6, turn=0.1, ordered=True),
        PlacementRule("bread", "on", ("cutting board", "counter", "table"), chance=0.6, ordered=True),
        PlacementRule("knife", "on", ("cutting board", "counter", "table"), chance=0.7, ordered=True),
        PlacementRule("bowl", "on", ("table", "counter"), chance=0.8, ordered=True),
        PlacementRule("apple", "in", ("bowl",), (2, 3), 0.6, 0.6, 3.0),
        PlacementRule("orange", "in", ("bowl",), (1, 3), 0.4, 0.6, 3.0),
        PlacementRule("banana", "on", ("table", "counter"), chance=0.4, turn=3.0),
        PlacementRule("plate", "on", ("table", "counter"), (2, 3), 0.8, 0.5),
        PlacementRule("mug", "on", ("shelf", "counter", "table", "dishwasher"), (2, 4), 0.9),
        PlacementRule("glass", "on", ("table", "counter", "shelf"), (1, 3), 0.6),
        PlacementRule("fork", "on", ("table", "counter"), (1, 2), 0.6, 0.8, 0.2),
        PlacementRule("spoon", "on", ("table", "counter"), (1, 2), 0.5, 0.8, 0.2),
        PlacementRule("soap dispenser", "on", ("sink",), chance=0.7, turn=_PRINT),
        PlacementRule("jar", "on", ("shelf", "counter", "cabinet"), (2, 3), 0.8, 0.2, _PRINT),
        PlacementRule("cereal box", "on", ("counter", "fridge", "shelf", "cabinet"), (1, 2), 0.6, 0.1, _PRINT),
        PlacementRule("milk carton", "in", ("fridge",), (1, 2), 0.8, 0.5, _PRINT),
        PlacementRule("bottle", "in", ("fridge",), (1, 2), 0.7, 0.3, _PRINT),
        PlacementRule("apple", "in", ("fridge",), (1, 2), 0.4, 0.5, 3.0),
        PlacementRule("can", "in", ("counter", "cabinet"), (1, 3), 0.6, 0.3, _PRINT),
        PlacementRule("plate", "in", ("dishwasher", "counter"), (1, 2), 0.5, 0.6),
        PlacementRule("cup", "in", ("dishwasher", "counter", "microwave"), (1, 2), 0.6),
        PlacementRule("pot", "in", ("stove", "counter"), chance=0.3),
        PlacementRule("teapot", "on", ("shelf", "counter", "cabinet"), chance=0.5),
        PlacementRule("can", "on", ("counter", "shelf"), (1, 2), 0.4, 0.3, _PRINT),
        PlacementRule("candle", "on", ("table",), chance=0.3),
        PlacementRule("plant", "on", ("counter", "shelf", "fridge"), chance=0.3),
        PlacementRule("crate", "beside", ("fridge", "counter", "bin"), chance=0.3),
        PlacementRule("bottle", "in", ("crate",), (1, 3), 0.9, 0.3),
    ),
    "bathroom": (
        PlacementRule("toilet paper", "on", ("toilet", "shelf", "washing machine"), (1, 2), 0.9, ordered=True),
        PlacementRule("soap dispenser", "on", ("sink", "shelf"), chance=0.9, turn=_PRINT, ordered=True),
        PlacementRule("toothbrush", "on", ("sink", "shelf"), (1, 2), 0.5, 0.1, 0.2),
        PlacementRule("cup", "on", ("shelf", "sink", "washing machine"), chance=0.5),
        PlacementRule("shampoo", "on", ("shelf", "washing machine", "cabinet", "stool"), (1, 2), 0.9, 0.1, _PRINT),
        PlacementRule("folded towel", "on", ("washing machine", "stool", "shelf", "cabinet"), (1, 2), 0.6, 0.4, 0.1),
        PlacementRule("folded towel", "in", ("washing machine", "cabinet"), chance=0.4),
        PlacementRule("candle", "on", ("shelf", "cabinet"), chance=0.3),
        PlacementRule("plant", "on", ("shelf", "washing machine", "cabinet"), chance=0.25),
        PlacementRule("toilet paper", "beside", ("toilet",), chance=0.35),
        PlacementRule("bucket", "beside", ("washing machine", "bathtub", "laundry basket"), chance=0.3),
    ),
    "bedroom": (
        PlacementRule("pillow", "on", ("bed",), (1, 2), 1.0, 0.4, 0.15, surface="head"),
        PlacementRule("blanket", "on", ("bed", "armchair"), chance=0.5, turn=0.1),
        PlacementRule("table lamp", "on", ("nightstand", "dresser"), (1, 2), 0.8, 0.6, 0.3),
        PlacementRule("alarm clock", "on", ("nightstand", "shelf", "dresser"), chance=0.6, turn=_PRINT, ordered=True),
        PlacementRule("book", "on", ("nightstand", "bed", "dresser", "stool"), (1, 2), 0.8, 0.1),
        PlacementRule("bear", "on", ("bed", "armchair", "shelf", "chest"), chance=0.5, turn=0.3),
        PlacementRule("pillow", "on", ("armchair",), chance=0.5, turn=0.2),
        PlacementRule("hat", "on", ("dresser", "wardrobe", "stool", "chest"), chance=0.4),
        PlacementRule("suitcase", "on", ("wardrobe",), chance=0.35, turn=0.05),
        PlacementRule("hat", "in", ("wardrobe", "dresser"), chance=0.5),
        PlacementRule("box", "in", ("wardrobe", "chest"), chance=0.5, turn=0.1),
        PlacementRule("drum", "in", ("wardrobe", "chest"), chance=0.3),
        PlacementRule("hat box", "on", ("wardrobe", "dresser", "shelf"), chance=0.35, turn=_PRINT),
        PlacementRule("folded towel", "in", ("dresser", "wardrobe", "chest"), (1, 2), 0.6, 0.3, 0.1),
        PlacementRule("book", "in", ("nightstand", "dresser"), chance=0.5, turn=0.1),
        PlacementRule("glass", "on", ("nightstand", "dresser"), chance=0.4),
        PlacementRule("vase", "on", ("dresser", "chest", "shelf"), chance=0.4),
        PlacementRule("candle", "on", ("dresser", "shelf", "nightstand", "chest"), (1, 2), 0.4),
        PlacementRule("radio", "on", ("dresser", "shelf", "nightstand"), chance=0.3, turn=0.2),
        PlacementRule("robot", "on", ("shelf", "dresser", "chest"), chance=0.25),
        PlacementRule("car", "in", ("basket",), chance=0.5, turn=3.0),
        PlacementRule("ball", "in", ("basket",), chance=0.4, turn=3.0),
        PlacementRule("box", "under", ("bed",), chance=0.5),
        PlacementRule("suitcase", "beside", ("wardrobe", "dresser"), chance=0.25),
        PlacementRule("shoe", "beside", ("bed", "wardrobe", "chest"), chance=0.4, turn=0.1, pair=True),
    ),
    "living room": (
        PlacementRule("pillow", "on", ("sofa",), (1, 3), 0.9, 0.3, 0.15),
        PlacementRule("round pillow", "on", ("sofa", "armchair"), chance=0.4, turn=0.2),
        PlacementRule("pillow", "on", ("armchair",), chance=0.4, turn=0.2),
        PlacementRule("blanket", "on", ("sofa", "armchair"), chance=0.25, turn=0.1),
        PlacementRule("remote", "on", ("table", "sofa"), chance=0.8, turn=0.8, ordered=True),
        PlacementRule("mug", "on", ("table",), (1, 3), 0.7),
        PlacementRule("book", "on", ("table", "armchair", "stool", "sofa"), (1, 2), 0.8, 0.1),
        PlacementRule("bowl", "on", ("table", "cabinet"), chance=0.6, ordered=True),
        PlacementRule("orange", "in", ("bowl",), (2, 3), 0.5, 1.0, 3.0),
        PlacementRule("apple", "in", ("bowl",), (2, 3), 0.5, 0.7, 3.0),
        PlacementRule("vase", "on", ("table", "cabinet", "shelf", "bookshelf"), chance=0.6),
        PlacementRule("candle", "on", ("cabinet", "shelf", "table", "bookshelf"), (1, 3), 0.6),
        PlacementRule("lantern", "on", ("chest", "bookshelf", "cabinet", "shelf"), chance=0.4),
        PlacementRule("globe", "on", ("bookshelf", "cabinet", "shelf"), chance=0.4),
        PlacementRule("radio", "on", ("bookshelf", "cabinet", "shelf"), chance=0.4, turn=0.2),
        PlacementRule("clock", "on", ("bookshelf", "shelf", "cabinet"), chance=0.4, turn=0.2),
        PlacementRule("robot", "on", ("bookshelf", "shelf", "chest"), chance=0.3),
        PlacementRule("teapot", "on", ("table", "cabinet", "bookshelf"), chance=0.35),
        PlacementRule("plant", "on", ("shelf", "cabinet", "bookshelf", "chest"), chance=0.5),
        PlacementRule("bottle", "on", ("table", "cabinet", "shelf"), (1, 2), 0.4, 0.2, _PRINT),
        PlacementRule("box", "in", ("cabinet", "chest"), chance=0.5, turn=0.1),
        PlacementRule("drum", "in", ("cabinet", "chest"), chance=0.4),
        PlacementRule("vase", "in", ("cabinet",), chance=0.3),
        PlacementRule("plate", "in", ("cabinet",), (1, 3), 0.4, 0.6),
        PlacementRule("car", "in", ("basket", "chest"), chance=0.6, turn=3.0, ordered=True),
        PlacementRule("bear", "in", ("basket", "chest"), chance=0.5, turn=3.0, ordered=True),
        PlacementRule("ball", "in", ("basket",), chance=0.4, turn=3.0),
        PlacementRule("ball", "behind", ("armchair",), chance=0.8),
        PlacementRule("drum", "beside", ("bookshelf", "chest", "cabinet"), chance=0.2),
        PlacementRule("book", "under", ("table",), chance=0.15),
        PlacementRule("plate", "on", ("table",), (1, 3), 0.35, 0.5),
    ),
    "office": (
        PlacementRule("printer", "on", ("desk", "cabinet"), chance=0.45, turn=0.05, ordered=True),
        PlacementRule("table lamp", "on", ("desk", "cabinet"), chance=0.5, ordered=True),
        PlacementRule("mug", "on", ("desk", "cabinet"), (1, 2), 0.7),
        PlacementRule("folder tray", "on", ("desk", "cabinet", "bookshelf"), chance=0.6, turn=0.1),
        PlacementRule("binder", "on", ("bookshelf", "shelf", "cabinet"), (2, 4), 0.8, 0.3, 0.05),
        PlacementRule("book", "on", ("desk", "armchair", "cabinet"), (1, 2), 0.6, 0.1),
        PlacementRule("globe", "on", ("bookshelf", "cabinet", "shelf"), chance=0.4),
        PlacementRule("radio", "on", ("shelf", "bookshelf"), chance=0.3, turn=0.2),
        PlacementRule("plant", "on", ("cabinet", "shelf", "bookshelf"), chance=0.5),
        PlacementRule("clock", "on", ("shelf", "bookshelf", "desk"), chance=0.3, turn=0.2),
        PlacementRule("pillow", "on", ("armchair",), chance=0.5, turn=0.2),
        PlacementRule("box", "in", ("cabinet",), chance=0.6, turn=0.1),
        PlacementRule("binder", "in", ("cabinet",), (1, 2), 0.5, 0.4, 0.05),
        PlacementRule("bottle", "in", ("cabinet",), chance=0.3),
        PlacementRule("robot", "in", ("cabinet",), chance=0.3),
        PlacementRule("backpack", "beside", ("desk", "bookshelf"), chance=0.5),
        PlacementRule("box", "under", ("desk",), chance=0.5),
        PlacementRule("box", "beside", ("bookshelf", "cabinet"), chance=0.2),
    ),
    "hall": (
        PlacementRule("shoe", "on", ("shoe rack",), chance=0.9, turn=0.05, pair=True),
        PlacementRule("shoe", "on", ("shoe rack",), chance=0.6, turn=0.05, pair=True),
        PlacementRule("shoe", "under", ("bench",), chance=0.8, turn=0.05, pair=True),
        PlacementRule("helmet", "on", ("shoe rack", "cabinet", "chest"), chance=0.5, turn=0.05),
        PlacementRule("hat", "on", ("shoe rack", "cabinet", "chest"), chance=0.4, turn=0.05),
        PlacementRule("umbrella", "beside", ("coat rack", "shoe rack", "bench"), chance=0.7, ordered=True),
        PlacementRule("backpack", "beside", ("bench", "shoe rack", "coat rack"), chance=0.6),
        PlacementRule("lantern", "on", ("cabinet", "chest", "shoe rack"), chance=0.2),
        PlacementRule("suitcase", "beside", ("bench", "chest", "coat rack"), chance=0.2),
        PlacementRule("ball", "in", ("chest", "cabinet"), chance=0.6, turn=3.0),
        PlacementRule("box", "under", ("bench",), chance=0.3),
    ),
    "storage room": (
        PlacementRule("toolbox", "on", ("rack",), chance=0.9, turn=0.1),
        PlacementRule("paint can", "on", ("rack", "shelf"), (2, 3), 0.9, 0.1, _PRINT),
        PlacementRule("box", "on", ("rack",), (1, 2), 0.8, 0.2, 0.1),
        PlacementRule("crate", "on", ("rack",), chance=0.5, turn=0.1),
        PlacementRule("jar", "on", ("rack", "shelf"), (1, 3), 0.6, 0.2, _PRINT),
        PlacementRule("can", "on", ("rack", "shelf"), (2, 4), 0.7, 0.2, _PRINT),
        PlacementRule("lantern", "on", ("rack", "shelf"), chance=0.4),
        PlacementRule("helmet", "on", ("rack", "shelf"), chance=0.4),
        PlacementRule("suitcase", "on", ("rack",), chance=0.4, turn=0.05),
        PlacementRule("bottle", "on", ("rack", "shelf"), (1, 3), 0.5, 0.3, _PRINT),
        PlacementRule("drum", "on", ("rack",), chance=0.3),
        PlacementRule("bottle", "in", ("crate",), (1, 3), 0.8, 0.3),
        PlacementRule("ball", "in", ("crate", "chest"), chance=0.5, turn=3.0),
        PlacementRule("basket", "on", ("rack",), chance=0.3),
        PlacementRule("apple", "in", ("basket",), (2, 3), 0.6, 0.6, 3.0),
        PlacementRule("shoe", "under", ("rack",), chance=0.3, turn=0.05, pair=True),
    ),
}


def stock(home: Home) -> None:
    """Put the small objects of all rooms into their places."""
    count = len(home.rooms)
    plenty = next(factor for rooms, factor in _PLENTY if count <= rooms)
    for room in home.rooms:
        rows_of_books(room)
        workplaces(room)
        desk = OBJECTS_BY_ROOM["office"] if count == 1 and room.label != "office" else ()
        for turn in range(room.size):
            for rule in (*OBJECTS_BY_ROOM[room.label], *desk):
                if room.rng.random() < rule.chance * (plenty if turn == 0 else _FURTHER):
                    _place(room, rule)
    for state in ("open", "closed"):
        _fill_one(home, state)


def _fill_one(home: Home, state: str) -> None:
    """Put something into an object in a state, unless something is in such an object already."""
    holders = {obj.parent for obj in home.objects if obj.relation == "in"}
    if any(state in home.obj(holder).states for holder in holders):
        return
    for room in home.rooms:
        if state == "open":
            room.along_wall(room.model("basket"))
        for host in room.objects():
            if state in host.states:
                for surface in room.surfaces_of(host.instance_id, "in"):
                    name = _FILLINGS[int(room.rng.integers(len(_FILLINGS)))]
                    if room.onto(room.model(name, avoid=(host.color,)), host.instance_id, surface.name) is not None:
                        return


def _place(room: Room, rule: PlacementRule) -> None:
    count = int(room.rng.integers(rule.count[0], rule.count[1] + 1))
    if rule.place in ("on", "in"):
        if rule.pair:
            _pair_on_surfaces(room, rule)
        else:
            _on_surfaces(room, rule, count)
        return
    hosts = _hosts(room, rule)
    if rule.place == "under":
        _under(room, rule, hosts)
    elif rule.place == "behind":
        _behind(room, rule, hosts)
    else:
        model = room.model(rule.name, avoid=[host.color for host in hosts[:1]])
        sides = (beside(room, host.instance_id, model, _BESIDE) for host in hosts)
        placed = next((side for side in sides if side is not None), None) or room.along_wall(model)
        if placed is not None and rule.pair:
            second_of_pair(room, placed)


def _hosts(room: Room, rule: PlacementRule) -> list[ObjectSpec]:
    """What the objects of a rule can be put to, in the order in which to try."""
    found = room.objects(*rule.hosts)
    found = [found[int(k)] for k in room.rng.permutation(len(found))]
    return sorted(found, key=lambda obj: rule.hosts.index(obj.label)) if rule.ordered else found


def _on_surfaces(room: Room, rule: PlacementRule, count: int) -> None:
    """Put objects together on (or in) one object, the rest on the next one."""
    alike = room.rng.random() < rule.alike
    colors: list[str] = []
    for owner, surface in _spots(room, rule):
        host = room.obj(owner)
        while len(colors) < count:
            color = colors[0] if alike and colors else ""
            model = room.model(rule.name, color=color, avoid=(*colors, host.color))
            if room.onto(model, owner, surface.name, _TRIES, rule.turn, front=_is_deep(surface)) is None:
                break
            colors.append(model.style.color)
        if len(colors) == count:
            return


def _pair_on_surfaces(room: Room, rule: PlacementRule) -> None:
    for owner, surface in _spots(room, rule):
        if pair_on(room, room.model(rule.name, avoid=(room.obj(owner).color,)), owner, surface.name, rule.turn):
            return


def _is_deep(surface: Surface) -> bool:
    """Whether objects at the back of a compartment would be hard to see."""
    return surface.clearance < 0.7 and surface.x_max - surface.x_min > 0.3


def _spots(room: Room, rule: PlacementRule) -> list[tuple[int, Surface]]:
    """Surfaces for a rule in the order in which to try: those of objects that hold little first."""
    load: dict[int, int] = {}
    for obj in room.objects():
        load[obj.parent] = load.get(obj.parent, 0) + 1
    found = []
    for host in _hosts(room, rule):
        surfaces = [
            surface for surface in room.surfaces_of(host.instance_id, rule.place) if rule.surface in ("", surface.name)
        ]
        found += [(host.instance_id, surfaces[int(k)]) for k in room.rng.permutation(len(surfaces))]
    if rule.ordered:
        return found
    return sorted(found, key=lambda spot: load.get(spot[0], 0) // 4)


def _under(room: Room, rule: PlacementRule, hosts: Sequence[ObjectSpec]) -> None:
    """On the floor within the outline of a table, a bed or a bench."""
    for host in hosts:
        model = room.model(rule.name, avoid=(host.color,))
        low, high = room.home.models[host.instance_id - 1].extent()
        for _ in range(_TRIES):
            ahead, aside = float(room.rng.uniform(low[0], high[0])), float(room.rng.uniform(low[1], high[1]))
            turn = float(room.rng.uniform(-rule.turn, rule.turn))
            placed = room.try_put(model, (*before(host, ahead, aside), 0.0), host.yaw + turn, in_aisle=True)
            if placed is not None:
                if rule.pair:
                    second_of_pair(room, placed)
                return


def _behind(room: Room, rule: PlacementRule, hosts: Sequence[ObjectSpec]) -> None:
    """On the floor between a piece of furniture and the wall behind it."""
    for host in hosts:
        model = room.model(rule.name, avoid=(host.color,))
        back = room.home.models[host.instance_id - 1].extent()[0][0]
        ahead = back - _BEHIND - model.extent()[1][0]
        for aside in (0.0, 0.15, -0.15):
            if room.try_put(model, (*before(host, ahead, aside), 0.0), host.yaw) is not None:
                return
