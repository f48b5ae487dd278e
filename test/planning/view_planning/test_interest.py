"""What unknown space is worth: by height, by room, by what such things usually stand on or where they hang."""

import numpy as np
import pytest
from made_detections import detection, remembered

from vantage.perception.map.coverage import CoverageMap
from vantage.perception.object_categories import HIGH as HANGS_HIGH
from vantage.perception.object_categories import likely
from vantage.planning.view_planning.interest import by_height, interest

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


def test_what_hangs_or_stands_high_is_looked_for_at_the_height_of_eyes():
    coverage = CoverageMap(LOW, HIGH)
    column = by_height(coverage, 0.0, 1.0, high=True)[10, 10]
    heights = (np.arange(len(column)) + 0.5) * coverage.voxel
    assert (column[(heights > 0.6) & (heights < 2.2)] == 1.0).all()
    assert (column[heights < 0.6] == 0.5).all()
    assert column[-1] < 0.1
    lifted = by_height(CoverageMap((0.0, 0.0, -1.0), (8.0, 4.0, 1.6)), -1.0, 1.0, high=True)[10, 10]
    assert (lifted == column).all()  # heights are those above the floor


@pytest.mark.parametrize(("labels", "higher"), [(["picture"], True), (["shoe"], False), (["shoe", "picture"], False)])
def test_the_thing_that_is_wanted_most_tells_at_which_height_to_look(labels, higher):
    """What is on the wall beside the shoe is only there to find the shoe by."""
    coverage = CoverageMap(LOW, HIGH)
    weights = interest(coverage, remembered(), labels, leads=False)
    assert (at(coverage, weights, 6.0, 2.0, 1.75) > at(coverage, weights, 6.0, 2.0, 0.3)) is higher
    assert (labels[0] in HANGS_HIGH) is higher


def test_a_room_that_was_seen_in_part_may_go_on():
    coverage, part = CoverageMap(LOW, HIGH), detection(1, "floor", (0.0, 0.0, -0.02), (2.0, 4.0, 0.0), "kitchen")
    weights = interest(coverage, remembered(part), ["kettle"], leads=False)
    inside, beyond, far = (at(coverage, weights, x, 2.0, 0.7) for x in (1.0, 2.7, 5.0))
    assert inside == beyond > 2 * far


def test_what_is_in_a_room_that_was_found_is_not_in_space_that_belongs_to_no_room():
    coverage, kitchen = CoverageMap(LOW, HIGH), remembered(KITCHEN)
    named, usual = (interest(coverage, kitchen, labels, leads=False) for labels in (["mug", "kitchen"], ["mug"]))
    assert at(coverage, named, 7.0, 2.0, 0.7) < at(coverage, usual, 7.0, 2.0, 0.7)
    assert at(coverage, named, 2.0, 2.0, 0.7) > 2 * at(coverage, named, 7.0, 2.0, 0.7)


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


def test_what_is_left_of_a_room_that_was_seen_counts_little():
    coverage, memory = CoverageMap(LOW, HIGH), remembered(KITCHEN, BEDROOM)
    before = interest(coverage, memory, ["ball"], leads=False)
    after = interest(coverage, memory, ["ball"], leads=False, done={"bedroom"})
    assert at(coverage, after, 6.0, 2.0, 0.7) < 0.5 * at(coverage, before, 6.0, 2.0, 0.7)
    assert at(coverage, after, 2.0, 2.0, 0.7) == at(coverage, before, 2.0, 2.0, 0.7)
