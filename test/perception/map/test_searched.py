"""How far the places were looked at in which a thing could be."""

import numpy as np
import pytest
from made_detections import detection, remembered

from vantage.perception.map.coverage import FREE, OCCUPIED, CoverageMap
from vantage.perception.map.searched import searched_share
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

KITCHEN = detection(1, "floor", (0.0, 0.0, -0.02), (3.9, 4.0, 0.0), "kitchen")
SLIVER = detection(2, "floor", (4.1, 1.0, -0.02), (4.8, 2.0, 0.0), "bedroom")
COUNTER = detection(3, "counter", (0.0, 0.0, 0.0), (2.0, 0.6, 0.9))
DOORWAY = detection(4, "doorway", (3.95, 1.0, 0.0), (4.05, 1.9, 2.0))


def coverage(known_to):
    """A home of 8 x 4 m of which all is known up to some x, with its walls."""
    found = CoverageMap((0.0, 0.0, 0.0), (8.0, 4.0, 2.6))
    known = round(known_to / found.voxel)
    found._states[:known] = FREE
    found._states[39:41, :10] = found._states[39:41, 19:] = OCCUPIED
    found._states[:known, 0] = found._states[:known, -1] = found._states[0] = OCCUPIED
    return found


def look_down(memory):
    """See all of the counter from above and near."""
    camera = Intrinsics.from_fov(160, 120, 1.2)
    for x in np.arange(0.2, 2.0, 0.2):
        down = Viewpoint(float(x), 0.3, 1.5, 0.0, -1.5)
        depth = np.full((120, 160), 0.6, np.float32)
        memory.surfaces.add(Observation(2, down, camera, np.zeros((120, 160, 3), np.uint8), depth))


def test_a_large_thing_is_noticed_wherever_a_room_was_seen_a_small_one_only_on_supports_looked_at():
    memory, known = remembered(KITCHEN, COUNTER), coverage(4.0)
    assert searched_share(memory, known, "wardrobe") > 0.9
    before = searched_share(memory, known, "mug")
    assert before < 0.6
    look_down(memory)
    assert before + 0.2 < searched_share(memory, known, "mug") <= searched_share(memory, known, "wardrobe")


def test_a_room_that_was_hardly_seen_counts_as_much_as_one_that_was():
    assert searched_share(remembered(KITCHEN, SLIVER), coverage(5.0), "wardrobe") < 0.8


def test_an_opening_into_the_unknown_stands_for_one_more_room():
    whole = searched_share(remembered(KITCHEN), coverage(4.0), "wardrobe")
    assert searched_share(remembered(KITCHEN, DOORWAY), coverage(4.0), "wardrobe") == pytest.approx(0.5 * whole)


def test_of_one_room_no_other_counts():
    memory, known = remembered(KITCHEN, SLIVER, DOORWAY, COUNTER), coverage(4.0)
    kitchen, bedroom = memory.rooms
    assert searched_share(memory, known, "wardrobe", kitchen) > 0.9
    assert searched_share(memory, known, "wardrobe", bedroom) < 0.5
    assert searched_share(memory, known, "mug", bedroom) == searched_share(memory, known, "wardrobe", bedroom)


def test_nothing_was_searched_before_a_floor_was_seen():
    assert searched_share(remembered(COUNTER), coverage(4.0), "mug") == 0.0
