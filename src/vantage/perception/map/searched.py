"""How far the places were looked at in which a thing could be: what makes "there is none" more than "I saw none".

A large thing is seen wherever its room was seen. Of smaller ones only some are noticed from afar; the others are when
the supports are looked at from near, of which those count most on which such things usually are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.doorways import unseen_doorways
from vantage.perception.map.rooms import ObservedRoom
from vantage.perception.map.unsearched_places import supports_looked_at
from vantage.perception.object_categories import LARGE

if TYPE_CHECKING:
    from vantage.perception.map.observed_scene import ObservedScene  # which asks these in turn

_ALL_OF_A_ROOM = 0.88  # share of the space of a room that can be seen at all: the inside of things never is
_NOTICED_FROM_AFAR = 0.5  # share of small things


def searched_share(
    memory: ObservedScene, coverage: CoverageMap, label: str = "", within: ObservedRoom | None = None
) -> float:
    """Share of the places that were looked at in which a thing with this label (any small one without) could be, 0..1.

    Rooms count alike, however little of their floors was seen; openings behind which nothing was seen are one more.

    Args:
        within: the room that it would be in, where that is known.
    """
    rooms = memory.rooms if within is None else (within,)
    if not rooms:
        return 0.0
    seen = [min(1.0, memory.room_seen(room, coverage) / _ALL_OF_A_ROOM) for room in rooms]
    others = int(within is None and bool(unseen_doorways(memory, coverage)))
    space = sum(seen) / (len(seen) + others)
    if label in LARGE:
        return space
    return space * (_NOTICED_FROM_AFAR + (1.0 - _NOTICED_FROM_AFAR) * supports_looked_at(memory, label, within))
