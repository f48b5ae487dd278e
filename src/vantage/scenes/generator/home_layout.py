"""Which rooms a home of some size has, how large they are, and whether walls part them: what a user can ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from vantage.errors import SceneError

STUDIOS = ("living room", "bedroom", "office")  # what the only room of a home can be

MIN_ROOMS, MAX_ROOMS = 1, 10

PRINTS = ("usual", "everywhere")

LAYOUTS = ("closed", "open", "l-shaped", "mixed")

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

_SMALLEST, _LARGEST = 4.0, 100.0  # m2 that a room can be asked to have
_LIVING = 16.0  # m2 that a room for living needs at least
_SPREAD = 1.5  # least ratio of the largest to the least area of rooms
_VARIETY = 0.4  # how far the least area of a kind is above the least of all, where sizes are asked for
_STUDIO = 24.0  # m2 of the only room of a home of usual size


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


@dataclass(frozen=True)
class HomeForm:
    """What one home is planned by.

    Attributes:
        kinds: sizes of the rooms.
        studio: least and largest area of the only room of a home, m2; None for usual ones.
        open_plan: whether halls, living rooms and kitchens lie open to each other.
        notched: whether a room is an L around a corner that another room, or the outside, takes up.
    """

    kinds: Mapping[str, RoomKind]
    studio: tuple[float, float] | None = None
    open_plan: bool = False
    notched: bool = False


USUAL_FORM = HomeForm(ROOM_KINDS)


@dataclass(frozen=True)
class HomeLayout:
    """How large the rooms of generated homes are, how they lie to each other, and what print is in them.

    Attributes:
        room_area: least and largest floor of all rooms, m2, of which each kind takes its part (bathrooms the lower,
            living rooms the upper end); None for usual sizes, 4 to 22 m2.
        layout: of ``LAYOUTS``: ``closed`` rooms are rectangles parted by walls and doors; in an ``open`` home, halls,
            living rooms and kitchens that touch have no wall between them; in an ``l-shaped`` one, a room goes around
            a corner; ``mixed`` homes are open or not and L-shaped or not by lot.
        prints: of ``PRINTS``: ``usual`` ones are on the fronts of packages and the like; ``everywhere`` they are also
            on tops and in open containers, and large on posters and rugs.

    Raises:
        SceneError: there are no rooms of such sizes, or no such layout.
    """

    room_area: tuple[float, float] | None = None
    layout: str = "closed"
    prints: str = "usual"

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise SceneError(f"there is no layout '{self.layout}' of homes; use {', '.join(LAYOUTS)}")
        if self.prints not in PRINTS:
            raise SceneError(f"there is no print '{self.prints}' in homes; use {', '.join(PRINTS)}")
        if self.room_area is None:
            return
        low, high = self.room_area
        if not (low >= _SMALLEST and max(_LIVING, _SPREAD * low) <= high <= _LARGEST):
            raise SceneError(
                f"rooms cannot have {low:g} to {high:g} m2; give areas from {_SMALLEST:g} to {_LARGEST:g} m2, the "
                f"larger one at least {_LIVING:g} and {_SPREAD:g} times the smaller one"
            )

    def form(self, rng: np.random.Generator) -> HomeForm:
        """What one home is planned by; draws lots only for ``mixed`` ones."""
        open_plan, notched = self.layout == "open", self.layout == "l-shaped"
        if self.layout == "mixed":
            open_plan, notched = (bool(drawn) for drawn in rng.random(2) < 0.5)
        return HomeForm(self._kinds(), self.room_area, open_plan, notched)

    def _kinds(self) -> Mapping[str, RoomKind]:
        if self.room_area is None:
            return ROOM_KINDS
        low, high = self.room_area
        least = min(kind.area[0] for kind in ROOM_KINDS.values())
        largest = max(kind.area[1] for kind in ROOM_KINDS.values())

        def scaled(area: float) -> float:
            return low + (area - least) / (largest - least) * (high - low)

        return {
            name: replace(kind, area=(low + _VARIETY * (scaled(kind.area[0]) - low), scaled(kind.area[1])))
            for name, kind in ROOM_KINDS.items()
        }


USUAL_LAYOUT = HomeLayout()


def room_program(rng: np.random.Generator, rooms: int, open_plan: bool = False) -> tuple[str, ...]:
    """The kinds of 1 to 10 rooms; the first is the one that leads to the others.

    Open plans have two kinds or more that can lie open to each other.
    """
    if rooms == 1:
        return (STUDIOS[int(rng.integers(len(STUDIOS)))],)
    if rooms in _SMALL_HOMES:
        choices = _SMALL_HOMES[rooms]
        if open_plan:
            choices = tuple(labels for labels in choices if sum(ROOM_KINDS[label].passage for label in labels) > 1)
        return choices[int(rng.integers(len(choices)))]
    extras = [extra for pool in (_FIRST_EXTRAS, _LAST_EXTRAS) for extra in rng.permutation(pool).tolist()]
    return (*_COMMON, *extras[: rooms - len(_COMMON)])


def usual_rooms(label: str, area: float, rooms: int) -> int:
    """How many usual rooms of its kind a room is as large as, at least 1, by which it is furnished.

    Args:
        area: m2.
        rooms: of the home.
    """
    return max(1, round(area / (_STUDIO if rooms == 1 else ROOM_KINDS[label].area[1])))
