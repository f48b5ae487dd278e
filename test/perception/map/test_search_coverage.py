"""Where objects that were not found may lie in sight: on supports, and as what was taken for something else.

How far the places were looked at in which an object could be.
"""

from dataclasses import replace

import numpy as np
import pytest
from made_detections import detection, remembered

from vantage.perception.map.coverage import FREE, OCCUPIED, CoverageMap
from vantage.perception.map.search_coverage import (
    containers_looked_into,
    possibly_mislabelled,
    searched_share,
    unsearched_places,
)
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


def test_a_large_object_is_noticed_wherever_a_room_was_seen_a_small_one_only_on_supports_looked_at():
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


BEDROOM = detection(2, "floor", (4.1, 0.0, -0.02), (8.0, 4.0, 0.0), "bedroom")
BED = detection(4, "bed", (5.0, 2.0, 0.0), (7.0, 4.0, 0.5))


def test_supports_that_were_not_looked_at_are_places_to_look_best_ones_first():
    memory = remembered(KITCHEN, BEDROOM, COUNTER, BED)
    places = unsearched_places(memory, ["kettle"], [])
    worth = {place.points[0][2]: place.worth for place in places}
    assert set(worth) == {0.9, 0.5}
    assert worth[0.9] > 2 * worth[0.5]
    assert all(len(place.points) <= 13 for place in places)


@pytest.mark.parametrize(("height", "counts"), [(0.7, True), (1.2, False)])
def test_what_was_looked_at_from_near_enough_is_no_place_to_look(height, counts):
    memory = remembered(COUNTER)
    (before,) = unsearched_places(memory, ["kettle"], [])
    camera = Intrinsics.from_fov(160, 120, 1.2)
    down = Viewpoint(1.0, 0.3, 0.9 + height, 0.0, -1.5)
    assert (height < memory.surfaces.reach(camera)) is counts
    depth = np.full((120, 160), height, np.float32)
    memory.surfaces.add(Observation(2, down, camera, np.zeros((120, 160, 3), np.uint8), depth))
    after = sum(place.worth for place in unsearched_places(memory, ["kettle"], []))
    assert after < 0.8 * before.worth if counts else after == before.worth


@pytest.mark.parametrize(("low", "high", "behind"), [(1.0, 1.02, -1), (3.0, 3.02, 1)])
def test_furniture_of_which_only_the_front_was_seen_is_as_deep_as_such_furniture_is(low, high, behind):
    """Seen from y = 2 m."""
    front = detection(3, "counter", (3.0, low, 0.0), (5.0, high, 0.9))
    (place,) = unsearched_places(remembered(front), ["kettle"], [])
    assert place.points[:, 0].min() < 3.4
    assert place.points[:, 0].max() > 4.6
    depth = behind * (place.points[:, 1] - (high if behind < 0 else low))
    assert depth.min() > -0.05
    assert 0.4 < depth.max() < 0.55
    assert (place.points[:, 2] == 0.9).all()


def test_the_front_of_what_nobody_puts_such_objects_on_is_no_place_to_look():
    front = detection(3, "radiator", (3.0, 1.0, 0.0), (5.0, 1.02, 0.9))
    assert unsearched_places(remembered(front), ["kettle"], []) == []


def test_few_objects_lie_high():
    fridges = [detection(3, "fridge", (3.0, 0.0, 0.0), (3.6, 0.6, top)) for top in (0.9, 1.8)]
    low, high = (unsearched_places(remembered(fridge), ["kettle"], [])[0].worth for fridge in fridges)
    assert high < 0.5 * low
    assert unsearched_places(remembered(replace(fridges[0], bounds_max=(3.6, 0.6, 2.2))), ["kettle"], []) == []


def test_objects_seen_from_afar_may_be_what_is_looked_for():
    cup = replace(detection(5, "cup", (2.0, 1.0, 0.9), (2.1, 1.1, 1.0)), pixels=300)
    known = {
        "far cup": cup,
        "near cup": replace(cup, instance_id=6, pixels=5000),
        "far bed": replace(BED, instance_id=7, pixels=300),
        "far mug": replace(cup, instance_id=8, label="mug"),
    }
    found = possibly_mislabelled(remembered(*known.values()), ["mug"])
    assert [obj.instance_id for obj in found] == [5]
    assert possibly_mislabelled(remembered(*known.values()), ["guitar"]) == []
    assert possibly_mislabelled(remembered(*known.values()), []) == []


@pytest.mark.parametrize(("states", "is_open"), [(("open",), True), (("closed",), False)])
def test_an_open_container_is_a_place_until_it_was_looked_into(states, is_open):
    basket = replace(detection(3, "basket", (1.0, 1.0, 0.0), (1.2, 1.2, 0.3)), states=states)
    memory = remembered(basket)
    assert containers_looked_into(memory, "ball") is not is_open
    assert len(unsearched_places(memory, ["ball"], [])) == int(is_open)
    camera = Intrinsics.from_fov(160, 120, 1.2)
    depth = np.full((120, 160), 0.7, np.float32)
    image = np.zeros((120, 160, 3), np.uint8)
    memory.surfaces.add(Observation(2, Viewpoint(1.1, 1.1, 0.75, 0.0, -1.5), camera, image, depth))
    assert containers_looked_into(memory, "ball")
    assert memory.containers_looked_into("ball")


def test_into_small_containers_nobody_looks_for_what_is_lost():
    assert containers_looked_into(remembered(detection(3, "mug", (1.0, 1.0, 0.7), (1.1, 1.1, 0.8))), "ball")


def test_into_a_container_one_has_to_look_over_its_rim():
    basket = replace(detection(5, "basket", (1.0, 1.0, 0.0), (1.4, 1.4, 0.3)), states=("open",))
    inside = {
        place.points[0][2] < 0.3: place.inside for place in unsearched_places(remembered(COUNTER, basket), ["ball"], [])
    }
    assert inside == {True: True, False: False}
