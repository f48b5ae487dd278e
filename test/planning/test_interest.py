"""What unknown space is worth: by height, by room, by what such things usually stand on."""

import numpy as np
import pytest
from made_detections import detection, remembered

from vantage.perception.coverage import CoverageMap
from vantage.planning.interest import by_height, interest
from vantage.planning.likely import likely
from vantage.planning.likely_places import likely_places
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

LOW, HIGH = (0.0, 0.0, 0.0), (8.0, 4.0, 2.6)
KITCHEN = detection(1, "floor", (0.0, 0.0, -0.02), (3.9, 4.0, 0.0), "kitchen")
BEDROOM = detection(2, "floor", (4.1, 0.0, -0.02), (8.0, 4.0, 0.0), "bedroom")
COUNTER = detection(3, "counter", (0.0, 0.0, 0.0), (2.0, 0.6, 0.9))
BED = detection(4, "bed", (5.0, 2.0, 0.0), (7.0, 4.0, 0.5))


def at(coverage, weights, x, y, z):
    i, j, k = ((np.array([x, y, z]) - coverage.origin) / coverage.voxel).astype(int)
    return float(weights[i, j, k])


def test_low_space_counts_more_than_what_is_under_the_ceiling():
    coverage = CoverageMap(LOW, HIGH)
    weights = by_height(coverage, 0.0, 1.0)
    column = weights[10, 10]
    assert column[0] == 1.0
    assert (np.diff(column) <= 0).all()
    assert column[-1] < 0.1


def test_the_usual_room_and_the_usual_support_count_more():
    coverage = CoverageMap(LOW, HIGH)
    weights = interest(coverage, remembered(KITCHEN, BEDROOM, COUNTER, BED), ["kettle"], leads=False)
    kitchen, bedroom = at(coverage, weights, 3.0, 3.0, 0.7), at(coverage, weights, 4.5, 1.0, 0.7)
    assert kitchen > 2 * bedroom
    assert at(coverage, weights, 1.0, 0.3, 1.0) > 2 * kitchen


def test_a_room_that_the_question_names_counts_whatever_is_usual():
    coverage = CoverageMap(LOW, HIGH)
    weights = interest(coverage, remembered(KITCHEN, BEDROOM), ["kettle", "bedroom"], leads=False)
    assert at(coverage, weights, 4.5, 1.0, 0.7) > 2 * at(coverage, weights, 3.0, 3.0, 0.7)


def test_little_counts_elsewhere_while_the_reasoner_leads():
    coverage, memory = CoverageMap(LOW, HIGH), remembered(KITCHEN)
    free, led = (interest(coverage, memory, ["kettle"], leads) for leads in (False, True))
    assert led.sum() < 0.3 * free.sum()


@pytest.mark.parametrize(
    ("label", "room", "support"),
    [("kettle", "kitchen", "counter"), ("towel", "bathroom", "sink"), ("keyboard", "office", "desk")],
)
def test_habits(label, room, support):
    habit = likely(label)
    assert room in habit.rooms
    assert support in habit.supports


def test_anything_else_may_be_anywhere():
    assert likely("flibbertigibbet").rooms == frozenset()


def test_supports_that_were_not_looked_at_are_places_to_look_best_ones_first():
    memory = remembered(KITCHEN, BEDROOM, COUNTER, BED)
    places = likely_places(memory, ["kettle"], [])
    worth = {place.points[0][2]: place.worth for place in places}
    assert set(worth) == {0.9, 0.5}
    assert worth[0.9] > 2 * worth[0.5]
    assert all(len(place.points) <= 13 for place in places)


def test_what_was_looked_at_is_no_place_to_look():
    memory = remembered(COUNTER)
    (before,) = likely_places(memory, ["kettle"], [])
    camera = Intrinsics.from_fov(160, 120, 1.2)
    down = Viewpoint(1.0, 0.3, 1.9, 0.0, -1.5)
    depth = np.full((120, 160), 1.0, np.float32)
    memory.surfaces.add(Observation(2, down, camera, np.zeros((120, 160, 3), np.uint8), depth))
    after = likely_places(memory, ["kettle"], [])
    assert sum(place.worth for place in after) < 0.8 * before.worth
