"""What furniture stands in each kind of room: the needed pieces first, then others along the walls, then fixtures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vantage.scenes.generator.large_rooms import add_groups
from vantage.scenes.generator.object_groups import (
    bed_corner,
    desk_corner,
    dining_group,
    kitchen_rows,
    seating_group,
    washing_corner,
)
from vantage.scenes.generator.placement import Room

_WALL_TRIES, _FIXTURE_TRIES = 40, 30
_ARRANGEMENTS = 12  # of one room, until its needed pieces fit


@dataclass(frozen=True)
class Piece:
    """A piece that stands along a wall: its catalog entry, how likely a room has it, free depth before it (m)."""

    name: str
    chance: float = 1.0
    aisle: float = 0.0


@dataclass(frozen=True)
class Furniture:
    """What a kind of room is furnished with.

    Attributes:
        groups: placed first; the room cannot do without them.
        needed: pieces that it cannot do without either.
        pieces: that it may have, placed in random order.
        fixtures: on its walls: entry, chance, and the range of heights of their bases, m.
    """

    groups: tuple[Callable[[Room], bool], ...]
    needed: tuple[Piece, ...]
    pieces: tuple[Piece, ...]
    fixtures: tuple[tuple[str, float, tuple[float, float]], ...]


_SHELF, _PICTURE, _CLOCK, _MIRROR = (1.38, 1.55), (1.30, 1.60), (1.75, 1.95), (1.15, 1.35)

FURNITURE: dict[str, Furniture] = {
    "living room": Furniture(
        (seating_group,),
        (Piece("bookshelf", aisle=0.6),),
        (
            Piece("cabinet", 0.5, 0.6),
            Piece("chest", 0.4, 0.5),
            Piece("floor plant", 0.7),
            Piece("floor lamp", 0.7),
            Piece("basket", 0.6, 0.3),
            Piece("stool", 0.4),
            Piece("guitar", 0.5),
            Piece("speaker", 0.5),
        ),
        (("shelf", 0.6, _SHELF), ("picture", 1.0, _PICTURE), ("picture", 0.6, _PICTURE), ("wall clock", 0.6, _CLOCK)),
    ),
    "bedroom": Furniture(
        (bed_corner,),
        (Piece("wardrobe", aisle=0.65),),
        (
            Piece("dresser", 0.6, 0.55),
            Piece("chest", 0.3, 0.5),
            Piece("armchair", 0.35, 0.3),
            Piece("floor plant", 0.4),
            Piece("floor lamp", 0.4),
            Piece("laundry basket", 0.35),
            Piece("basket", 0.3, 0.3),
            Piece("stool", 0.3),
        ),
        (
            ("picture", 0.9, _PICTURE),
            ("mirror", 0.35, _MIRROR),
            ("round mirror", 0.25, _MIRROR),
            ("shelf", 0.4, _SHELF),
            ("wall clock", 0.3, _CLOCK),
        ),
    ),
    "kitchen": Furniture(
        (kitchen_rows,),
        (),
        (Piece("bin", 0.8), Piece("stool", 0.4), Piece("floor plant", 0.2), Piece("cabinet", 0.25, 0.6)),
        (
            ("shelf", 0.8, _SHELF),
            ("square wall clock", 0.6, _CLOCK),
            ("calendar", 0.5, _PICTURE),
            ("picture", 0.3, _PICTURE),
        ),
    ),
    "bathroom": Furniture(
        (washing_corner,),
        (),
        (
            Piece("washing machine", 0.6, 0.6),
            Piece("laundry basket", 0.6),
            Piece("bin", 0.4),
            Piece("stool", 0.3),
            Piece("cabinet", 0.15, 0.6),
        ),
        (("towel", 1.0, (0.85, 1.05)), ("towel", 0.6, (0.85, 1.05)), ("shelf", 0.6, _SHELF)),
    ),
    "office": Furniture(
        (desk_corner,),
        (Piece("bookshelf", aisle=0.6),),
        (
            Piece("cabinet", 0.6, 0.6),
            Piece("armchair", 0.3, 0.3),
            Piece("floor plant", 0.6),
            Piece("floor lamp", 0.5),
            Piece("bin", 0.8),
            Piece("suitcase", 0.2),
        ),
        (
            ("whiteboard", 0.8, (1.0, 1.15)),
            ("calendar", 0.7, _PICTURE),
            ("wall clock", 0.3, _CLOCK),
            ("square wall clock", 0.2, _CLOCK),
            ("picture", 0.5, _PICTURE),
            ("shelf", 0.4, _SHELF),
        ),
    ),
    "hall": Furniture(
        (),
        (),
        (
            Piece("shoe rack", 0.9, 0.3),
            Piece("bench", 0.6, 0.3),
            Piece("chest", 0.2, 0.45),
            Piece("floor plant", 0.4),
            Piece("cabinet", 0.15, 0.5),
        ),
        (
            ("coat rack", 0.95, (0.62, 0.72)),
            ("mirror", 0.35, _MIRROR),
            ("round mirror", 0.3, _MIRROR),
            ("picture", 0.6, _PICTURE),
            ("wall clock", 0.3, _CLOCK),
        ),
    ),
    "storage room": Furniture(
        (),
        (Piece("rack", aisle=0.6),),
        (
            Piece("rack", 0.6, 0.6),
            Piece("ladder", 0.8),
            Piece("broom", 0.8),
            Piece("bucket", 0.8),
            Piece("vacuum cleaner", 0.7),
            Piece("crate", 0.5),
            Piece("chest", 0.2, 0.45),
        ),
        (("shelf", 0.5, _SHELF),),
    ),
}

_STUDIO_EXTRAS = (
    Piece("cabinet", 1.0, 0.6),
    Piece("basket", 1.0, 0.3),
    Piece("nightstand", 0.6, 0.4),
    Piece("bin", 0.7),
)


def furnish(room: Room) -> bool:
    """Place the furniture, more of it in large rooms; False when a piece that such a room needs found no place."""
    for _ in range(_ARRANGEMENTS):
        empty = room.mark()
        if _arrange(room):
            return True
        room.undo(empty)
    return False


def _arrange(room: Room) -> bool:
    plan = FURNITURE[room.label]
    studio = len(room.home.rooms) == 1
    if not all(group(room) for group in plan.groups):
        return False
    if studio and not _furnish_studio(room):
        return False
    for piece in plan.needed:
        if room.along_wall(room.model(piece.name), tries=2 * _WALL_TRIES, aisle=piece.aisle) is None:
            return False
    if room.label in ("kitchen", "living room") and not studio:
        dining_group(room)
    if room.size > 1:
        add_groups(room)
    for turn in range(room.size):
        _hang(room, plan)
        pieces = [
            *(_STUDIO_EXTRAS if studio and turn == 0 else ()),
            *(plan.pieces[int(k)] for k in room.rng.permutation(len(plan.pieces))),
        ]
        for piece in pieces:
            if room.rng.random() < piece.chance:
                room.along_wall(room.model(piece.name), tries=_WALL_TRIES, aisle=piece.aisle)
    return True


def _furnish_studio(room: Room) -> bool:
    """The only room of a home also has a desk, and shelves for books."""
    if room.label != "office" and not desk_corner(room):
        return False
    if room.label == "bedroom":
        return room.along_wall(room.model("bookshelf"), tries=2 * _WALL_TRIES, aisle=0.6) is not None
    return room.label != "office" or dining_group(room)


def _hang(room: Room, plan: Furniture) -> None:
    """Fix objects to the walls where these are free."""
    for name, chance, heights in plan.fixtures:
        if room.rng.random() >= chance:
            continue
        model = room.model(name)
        low, high = model.extent()
        for _ in range(_FIXTURE_TRIES):
            wall = room.walls[int(room.rng.integers(len(room.walls)))]
            free = 0.5 * wall.length - 0.05 - max(high[1], -low[1])
            along, z = float(room.rng.uniform(-1.0, 1.0)) * free, round(float(room.rng.uniform(*heights)), 3)
            if free > 0 and room.on_wall(model, wall, along, z) is not None:
                break
