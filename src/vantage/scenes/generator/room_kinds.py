"""Which rooms a home of some size has, and how large each kind of room is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class RoomKind:
    """A kind of room.

    Attributes:
        area: least and largest floor, m2.
        side: shortest side, m.
        slenderness: largest ratio of its sides.
        passage: whether people walk through it to other rooms.
        private: whether a door, rather than an open doorway, leads into it.
    """

    area: tuple[float, float]
    side: float
    slenderness: float
    passage: bool = False
    private: bool = False


ROOM_KINDS: dict[str, RoomKind] = {
    "kitchen": RoomKind((10.0, 14.0), 2.6, 1.9, passage=True),
    "bathroom": RoomKind((5.0, 7.0), 1.65, 2.4, private=True),
    "bedroom": RoomKind((11.0, 16.0), 2.9, 1.7, private=True),
    "living room": RoomKind((16.0, 22.0), 3.4, 1.7, passage=True),
    "office": RoomKind((10.0, 13.0), 2.7, 1.8, private=True),
    "hall": RoomKind((5.0, 12.0), 1.3, 7.0, passage=True),
    "storage room": RoomKind((4.0, 7.0), 1.6, 2.6, private=True),
}

STUDIOS = ("living room", "bedroom", "office")  # what the only room of a home can be

MIN_ROOMS, MAX_ROOMS = 1, 10

_SMALL_HOMES: dict[int, tuple[tuple[str, ...], ...]] = {
    2: (("living room", "kitchen"), ("living room", "bedroom"), ("living room", "bathroom")),
    3: (
        ("living room", "kitchen", "bathroom"),
        ("living room", "kitchen", "bedroom"),
        ("living room", "bathroom", "bedroom"),
    ),
    4: (
        ("hall", "living room", "kitchen", "bathroom"),
        ("hall", "living room", "kitchen", "bedroom"),
        ("hall", "living room", "bathroom", "bedroom"),
        ("hall", "kitchen", "bathroom", "bedroom"),
    ),
}
_COMMON = ("hall", "living room", "kitchen", "bathroom", "bedroom")
_FIRST_EXTRAS = ("bedroom", "office", "storage room", "bathroom")
_LAST_EXTRAS = ("bedroom", "office", "storage room")


def programme(rng: np.random.Generator, rooms: int) -> tuple[str, ...]:
    """The kinds of 1 to 10 rooms; the first is the one that leads to the others."""
    if rooms == 1:
        return (STUDIOS[int(rng.integers(len(STUDIOS)))],)
    if rooms in _SMALL_HOMES:
        choices = _SMALL_HOMES[rooms]
        return choices[int(rng.integers(len(choices)))]
    extras = [extra for pool in (_FIRST_EXTRAS, _LAST_EXTRAS) for extra in rng.permutation(pool).tolist()]
    return (*_COMMON, *extras[: rooms - len(_COMMON)])
