"""Puts small things on, in, under, behind and beside the furniture of a room, as ``belongings`` lists them."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.scenes.generator.belongings import BELONGINGS, Lot
from vantage.scenes.generator.groups import before, beside
from vantage.scenes.generator.placing import Home, Room
from vantage.scenes.generator.small_groups import pair_on, rows_of_books, second_of_pair, workplaces
from vantage.scenes.geometry.design import Surface
from vantage.scenes.spec.spec import ObjectSpec

_FILLINGS = ("ball", "can", "cup", "car", "apple")
_PLENTY = ((1, 1.4), (4, 1.25), (7, 1.0), (10, 0.95))  # chances of things grow in homes of up to so many rooms
_TRIES = 16
_BESIDE = 0.08  # m between a thing and what it stands beside
_BEHIND = 0.05  # m between a thing and what it lies behind


def stock(home: Home) -> None:
    """Put the small things of all rooms into their places."""
    count = len(home.rooms)
    plenty = next(factor for rooms, factor in _PLENTY if count <= rooms)
    for room in home.rooms:
        rows_of_books(room)
        workplaces(room)
        desk = BELONGINGS["office"] if count == 1 and room.label != "office" else ()
        for lot in (*BELONGINGS[room.label], *desk):
            if room.rng.random() < lot.chance * plenty:
                _place(room, lot)
    for state in ("open", "closed"):
        _fill_one(home, state)


def _fill_one(home: Home, state: str) -> None:
    """Put something into a thing in a state, unless something is in such a thing already."""
    holders = {thing.parent for thing in home.objects if thing.relation == "in"}
    if any(state in home.thing(holder).states for holder in holders):
        return
    for room in home.rooms:
        if state == "open":
            room.along_wall(room.model("basket"))
        for host in room.things():
            if state in host.states:
                for surface in room.surfaces_of(host.instance_id, "in"):
                    name = _FILLINGS[int(room.rng.integers(len(_FILLINGS)))]
                    if room.onto(room.model(name, avoid=(host.color,)), host.instance_id, surface.name) is not None:
                        return


def _place(room: Room, lot: Lot) -> None:
    count = int(room.rng.integers(lot.count[0], lot.count[1] + 1))
    if lot.place in ("on", "in"):
        if lot.pair:
            _pair_on_surfaces(room, lot)
        else:
            _on_surfaces(room, lot, count)
        return
    hosts = _hosts(room, lot)
    if lot.place == "under":
        _under(room, lot, hosts)
    elif lot.place == "behind":
        _behind(room, lot, hosts)
    else:
        model = room.model(lot.name, avoid=[host.color for host in hosts[:1]])
        sides = (beside(room, host.instance_id, model, _BESIDE) for host in hosts)
        placed = next((side for side in sides if side is not None), None) or room.along_wall(model)
        if placed is not None and lot.pair:
            second_of_pair(room, placed)


def _hosts(room: Room, lot: Lot) -> list[ObjectSpec]:
    """What the things of a lot can be put to, in the order in which to try."""
    found = room.things(*lot.hosts)
    found = [found[int(k)] for k in room.rng.permutation(len(found))]
    return sorted(found, key=lambda thing: lot.hosts.index(thing.label)) if lot.ordered else found


def _on_surfaces(room: Room, lot: Lot, count: int) -> None:
    """Put things together on (or in) one thing, the rest on the next one."""
    alike = room.rng.random() < lot.alike
    colors: list[str] = []
    for owner, surface in _spots(room, lot):
        host = room.thing(owner)
        while len(colors) < count:
            color = colors[0] if alike and colors else ""
            model = room.model(lot.name, color=color, avoid=(*colors, host.color))
            if room.onto(model, owner, surface.name, _TRIES, lot.turn, front=_is_deep(surface)) is None:
                break
            colors.append(model.style.color)
        if len(colors) == count:
            return


def _pair_on_surfaces(room: Room, lot: Lot) -> None:
    for owner, surface in _spots(room, lot):
        if pair_on(room, room.model(lot.name, avoid=(room.thing(owner).color,)), owner, surface.name, lot.turn):
            return


def _is_deep(surface: Surface) -> bool:
    """Whether things at the back of a compartment would be hard to see."""
    return surface.clearance < 0.7 and surface.x_max - surface.x_min > 0.3


def _spots(room: Room, lot: Lot) -> list[tuple[int, Surface]]:
    """Surfaces for a lot in the order in which to try: those of things that hold little first."""
    load: dict[int, int] = {}
    for thing in room.things():
        load[thing.parent] = load.get(thing.parent, 0) + 1
    found = []
    for host in _hosts(room, lot):
        surfaces = [
            surface for surface in room.surfaces_of(host.instance_id, lot.place) if lot.surface in ("", surface.name)
        ]
        found += [(host.instance_id, surfaces[int(k)]) for k in room.rng.permutation(len(surfaces))]
    if lot.ordered:
        return found
    return sorted(found, key=lambda spot: load.get(spot[0], 0) // 4)


def _under(room: Room, lot: Lot, hosts: Sequence[ObjectSpec]) -> None:
    """On the floor within the outline of a table, a bed or a bench."""
    for host in hosts:
        model = room.model(lot.name, avoid=(host.color,))
        low, high = room.home.models[host.instance_id - 1].extent()
        for _ in range(_TRIES):
            ahead, aside = float(room.rng.uniform(low[0], high[0])), float(room.rng.uniform(low[1], high[1]))
            turn = float(room.rng.uniform(-lot.turn, lot.turn))
            placed = room.try_put(model, (*before(host, ahead, aside), 0.0), host.yaw + turn, in_aisle=True)
            if placed is not None:
                if lot.pair:
                    second_of_pair(room, placed)
                return


def _behind(room: Room, lot: Lot, hosts: Sequence[ObjectSpec]) -> None:
    """On the floor between a piece of furniture and the wall behind it."""
    for host in hosts:
        model = room.model(lot.name, avoid=(host.color,))
        back = room.home.models[host.instance_id - 1].extent()[0][0]
        ahead = back - _BEHIND - model.extent()[1][0]
        for aside in (0.0, 0.15, -0.15):
            if room.try_put(model, (*before(host, ahead, aside), 0.0), host.yaw) is not None:
                return
