"""Where the furniture of a room stands: big pieces along the walls, one group in the middle, pictures above."""

from __future__ import annotations

import math

from vantage.scenes.placing import Room

_THEMES = ("living", "bedroom", "dining")


def furnish(room: Room) -> bool:
    """Place the furniture; False when a piece that every room needs found no place."""
    rng = room.rng
    theme = _THEMES[int(rng.integers(len(_THEMES)))]
    main = {"living": ("sofa", 0.9), "bedroom": ("bed", 0.5), "dining": ("cabinet", 0.6)}[theme]
    needed = [main, ("bookshelf", 0.7), ("desk", 0.7)]
    if theme != "dining":
        needed.append(("cabinet", 0.6))
    for name, aisle in needed:
        if room.along_wall(room.model(name), room.walls, tries=80, aisle=aisle) is None:
            return False
    if not _seat_at_desk(room) or not _center(room, theme):
        return False
    wanted = ["wardrobe", "chest", "nightstand", "armchair", "floor plant", "floor lamp", "stool"]
    wanted = [wanted[int(k)] for k in rng.permutation(len(wanted))]
    if theme == "bedroom":
        wanted.insert(0, "nightstand")
    extra = ["basket", *list(dict.fromkeys(wanted))[:5], "bin"]
    placed = [name for name in extra if room.along_wall(room.model(name), room.walls, tries=60, aisle=0.25)]
    if "basket" not in placed:
        return False
    _fixtures(room)
    return True


def _seat_at_desk(room: Room) -> bool:
    desk = next(thing for thing in room.objects if thing.label == "desk")
    chair = room.model("chair", avoid=(desk.color,))
    c, s = math.cos(desk.yaw), math.sin(desk.yaw)
    for away in (0.44, 0.50, 0.58):
        for along in (0.2, -0.2):
            x, y = desk.position[0] + c * away - s * along, desk.position[1] + s * away + c * along
            if room.try_put(chair, (x, y, 0.0), desk.yaw + math.pi) is not None:
                return True
    return False


def _center(room: Room, theme: str) -> bool:
    """The group in the middle: a coffee table on a rug, or a dining table with chairs."""
    rng = room.rng
    for _ in range(60):
        x, y = float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.45, 0.45))
        yaw = 0.5 * math.pi * int(rng.integers(2))
        if theme == "dining":
            table = room.try_put(room.model("table"), (x, y, 0.0), yaw, spacing=0.45)
            if table is not None:
                return _chairs(room, table)
            continue
        rug = room.try_put(room.model("rug"), (x, y, 0.0), yaw, spacing=0.03)
        if rug is not None:
            table_model = room.model("coffee table", avoid=(room.thing(rug).color,))
            middle = ((-0.1, -0.2, 0.0), (0.1, 0.2, 0.0))
            return room.onto(table_model, rug, "top", tries=20, turn=0.0, part=middle) is not None
    return False


def _chairs(room: Room, table: int) -> bool:
    host = room.thing(table)
    c, s = math.cos(host.yaw), math.sin(host.yaw)
    chair = room.model("chair", avoid=(host.color,))
    placed = 0
    for side in (1, -1):
        for along in (0.3, -0.3):
            away = side * 0.52
            x, y = host.position[0] + c * away - s * along, host.position[1] + s * away + c * along
            yaw = host.yaw + (math.pi if side > 0 else 0.0)
            if room.rng.random() < 0.8 and room.try_put(chair, (x, y, 0.0), yaw) is not None:
                placed += 1
    return placed > 0


def _fixtures(room: Room) -> None:
    """Hang a shelf, pictures, a clock and a mirror where the walls are free."""
    heights = {"shelf": (1.38, 1.62), "picture": (1.30, 1.60), "wall clock": (1.75, 1.95), "mirror": (1.15, 1.35)}
    for name in ("shelf", "picture", "wall clock", "mirror", "picture"):
        model = room.model(name)
        for _ in range(30):
            wall = room.walls[int(room.rng.integers(4))]
            along = float(room.rng.uniform(-0.5, 0.5)) * (wall.length - 1.2)
            z = round(float(room.rng.uniform(*heights[name])), 3)
            if room.on_wall(model, wall, along, z) is not None:
                break
