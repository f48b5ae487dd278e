"""What lies about in a furnished room: groups to count, single things, and what containers hide."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vantage.scenes.design import Surface
from vantage.scenes.placing import Model, Room

Spot = tuple[int, str]

_SINGLES = (
    "laptop",
    "television",
    "globe",
    "radio",
    "robot",
    "bear",
    "car",
    "hat",
    "vase",
    "plant",
    "teapot",
    "clock",
    "drum",
    "suitcase",
    "banana",
    "box",
    "ball",
    "bowl",
    "table lamp",
    "bottle",
    "candle",
)
_HIDDEN = ("teapot", "drum", "box", "hat", "robot", "bottle", "car", "radio", "vase")


def stock(room: Room) -> None:
    """Put small things on, in and under the furniture."""
    _row_of_books(room)
    _pillows(room)
    _fruit_bowl(room)
    _group(room, ("mug", "plate"), _spots(room, ("table", "desk")))
    _group(room, ("bottle", "candle"), _spots(room, ("cabinet", "shelf", "bookshelf", "chest")))
    _lying_books(room)
    used = _hide(room)
    used += _fill_baskets(room)
    _on_floor(room)
    _singles(room, used)


def _spots(room: Room, labels: Sequence[str], relation: str = "on") -> list[Spot]:
    """Surfaces of things with these labels, in random order: one of each thing first, then their other surfaces."""
    found: dict[int, list[Spot]] = {}
    for owner, surface in room.surfaces(relation):
        if room.thing(owner).label in labels and surface.clearance > 0.1:
            found.setdefault(owner, []).append((owner, surface.name))
    spots: list[tuple[int, Spot]] = []
    for owner in (list(found)[int(k)] for k in room.rng.permutation(len(found))):
        mixed = [found[owner][int(k)] for k in room.rng.permutation(len(found[owner]))]
        spots += list(enumerate(mixed))
    return [spot for _, spot in sorted(spots, key=lambda entry: entry[0])]


def _group(room: Room, names: Sequence[str], spots: list[Spot]) -> None:
    """Two or three things of each kind on one surface, of one color or of several."""
    for name in names:
        count = int(room.rng.integers(2, 4))
        same = bool(room.rng.random() < 0.4)
        for owner, surface in spots:
            avoid = (room.thing(owner).color,)
            first = room.model(name, avoid=avoid)
            if room.onto(first, owner, surface, turn=0.6) is None:
                continue
            used = [*avoid, first.style.color]
            for _ in range(count - 1):
                other = room.model(name, color=first.style.color if same else "", avoid=used)
                used.append(other.style.color)
                room.onto(other, owner, surface, turn=0.6)
            break


def _row_of_books(room: Room) -> None:
    """Books that stand side by side on one level of the bookshelf."""
    shelf = next(thing.instance_id for thing in room.objects if thing.label == "bookshelf")
    level = f"level {int(room.rng.integers(1, 4))}"
    surface = room.surface(shelf, level)
    y = surface.y_min + 0.01
    colors: list[str] = []
    for _ in range(int(room.rng.integers(4, 7))):
        model = room.model("standing book", avoid=colors[-4:])
        low, high = model.extent()
        if high[2] < surface.clearance and _stand(room, model, shelf, surface, y - low[1]):
            colors.append(model.style.color)
            y += high[1] - low[1] + 0.002


def _stand(room: Room, model: Model, owner: int, surface: Surface, y: float) -> bool:
    host = room.thing(owner)
    _, high = model.extent()
    x = surface.x_max - high[0] - 0.01
    c, s = math.cos(host.yaw), math.sin(host.yaw)
    position = (host.position[0] + c * x - s * y, host.position[1] + s * x + c * y, host.position[2] + surface.z)
    return room.try_put(model, position, host.yaw, surface.relation, owner) is not None


def _pillows(room: Room) -> None:
    colors: list[str] = []
    for owner, name in _spots(room, ("sofa", "bed", "armchair")):
        if name == "blanket" or len(colors) >= 3:
            continue
        for _ in range(2 if name == "head" else 1):
            model = room.model("pillow", avoid=(*colors, room.thing(owner).color))
            if room.onto(model, owner, name, turn=0.15) is not None:
                colors.append(model.style.color)


def _fruit_bowl(room: Room) -> None:
    """A bowl with two or three pieces of one kind of fruit."""
    for owner, name in _spots(room, ("table", "cabinet", "desk")):
        if name == "shelf":
            continue
        bowl = room.onto(room.model("bowl", avoid=(room.thing(owner).color, "red", "green")), owner, name)
        if bowl is None:
            continue
        kind = ("apple", "orange")[int(room.rng.integers(2))]
        for _ in range(int(room.rng.integers(2, 4))):
            room.onto(room.model(kind), bowl, "inside", tries=40, turn=3.0)
        return


def _lying_books(room: Room) -> None:
    for owner, name in _spots(room, ("desk", "table", "nightstand", "stool"))[:2]:
        room.onto(room.model("book", avoid=(room.thing(owner).color,)), owner, name, turn=0.7)


def _hide(room: Room) -> list[str]:
    """Things behind closed doors and under lids; returns their classes."""
    used: list[str] = []
    names = [_HIDDEN[int(k)] for k in room.rng.permutation(len(_HIDDEN))]
    for owner, name in _spots(room, ("cabinet", "chest", "wardrobe"), "in")[:4]:
        for kind in names:
            if kind not in used and room.onto(room.model(kind), owner, name) is not None:
                used.append(kind)
                break
    return used


def _fill_baskets(room: Room) -> list[str]:
    used: list[str] = []
    toys = [("bear", "ball", "car", "robot")[int(k)] for k in room.rng.permutation(4)]
    for owner, name in _spots(room, ("basket",), "in"):
        for kind in toys:
            if len(used) < 2 and room.onto(room.model(kind), owner, name, tries=30, turn=3.0) is not None:
                used.append(kind)
    return used


def _on_floor(room: Room) -> None:
    """A box or a ball low down: under the desk, beside furniture."""
    for kind in ("box", "ball"):
        model = room.model(kind)
        for _ in range(40):
            x = float(room.rng.uniform(room.bounds_min[0] + 0.2, room.bounds_max[0] - 0.2))
            y = float(room.rng.uniform(room.bounds_min[1] + 0.2, room.bounds_max[1] - 0.2))
            margin = min(x - room.bounds_min[0], room.bounds_max[0] - x, y - room.bounds_min[1], room.bounds_max[1] - y)
            yaw = float(room.rng.uniform(-3.1, 3.1))
            if margin >= 0.5 or room.in_the_way(model, (x, y, 0.0), yaw):
                continue
            if room.try_put(model, (x, y, 0.0), yaw) is not None:
                break


def _singles(room: Room, used: list[str]) -> None:
    """One each of several classes, spread over all free surfaces."""
    present = {thing.label for thing in room.objects}
    names = [_SINGLES[int(k)] for k in room.rng.permutation(len(_SINGLES))]
    load: dict[Spot, int] = {}
    placed = 0
    for kind in names:
        if placed >= 11 or kind in used or (kind in present and kind not in ("plant", "clock")):
            continue
        model = room.model(kind)
        for owner, name in _singles_spots(room, kind):
            host = room.thing(owner)
            if load.get((owner, name), 0) >= 3 or (host.color == model.style.color and host.color != "white"):
                continue
            if room.onto(model, owner, name) is not None:
                load[owner, name] = load.get((owner, name), 0) + 1
                placed += 1
                break


def _singles_spots(room: Room, kind: str) -> list[Spot]:
    preferred: dict[str, tuple[str, ...]] = {
        "laptop": ("desk", "table"),
        "television": ("cabinet", "chest"),
        "suitcase": ("wardrobe", "bed", "chest"),
        "table lamp": ("nightstand", "desk", "cabinet"),
        "banana": ("table", "desk", "nightstand"),
    }
    usual = ("table", "desk", "cabinet", "bookshelf", "shelf", "nightstand", "wardrobe", "chest", "stool")
    return _spots(room, preferred.get(kind, usual))
