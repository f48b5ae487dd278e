"""What is known of the attributes of objects that were seen well, badly, or differently by each view."""

from dataclasses import replace

import pytest
from made_detections import detection
from question_scenes import view

from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.answering.symbolic.predicates import around, has, stands, word_of
from vantage.config import RelationSettings
from vantage.perception.map.observed_scene import ObservedScene

MUG = detection(7, "mug", (1.0, 1.0, 0.75), (1.1, 1.1, 0.85))


def box(key, size, label="box"):
    return detection(key, label, (key, 0.0, 0.0), (key + size, size, size))


def sight_of(*views, exhausted=False):
    """Of views, each the detections of one place."""
    memory = ObservedScene()
    for k, detections in enumerate(views):
        memory.add(view(k + 1, x=0.5 * k), detections)
    return ObservedFacts(memory, None, exhausted, RelationSettings())


def told(sight, attribute):
    return {obj.key: word_of(sight, obj, attribute) for obj in sight.objects}


def test_small_and_large_are_said_in_comparison_with_at_least_one_other():
    assert told(sight_of([box(1, 0.2)]), "size") == {1: None}
    assert told(sight_of([box(1, 0.2)], exhausted=True), "size") == {1: ""}
    two = [box(1, 0.2), box(2, 0.6)]
    assert told(sight_of(two), "size") == told(sight_of(two, exhausted=True), "size") == {1: "small", 2: "large"}
    others = [box(1, 0.2), box(2, 0.6, "crate")]  # of other kinds
    assert told(sight_of(others), "size") == {1: None, 2: None}


def test_what_is_neither_small_nor_large_may_still_turn_out_to_be_while_the_search_goes_on():
    alike = [box(1, 0.3), box(2, 0.31)]
    assert told(sight_of(alike), "size") == {1: None, 2: None}
    assert told(sight_of(alike, exhausted=True), "size") == {1: "", 2: ""}


def views_that_say(*colors, pixels=2000):
    return [[replace(MUG, color=color, pixels=pixels)] for color in colors]


def test_where_views_disagree_about_what_was_made_out_the_likeliest_word_is_told():
    colors = ("green", "blue", "green", "red")
    assert told(sight_of(*views_that_say(*colors)), "color") == {7: "green"}
    badly = views_that_say(*colors, pixels=300)
    assert told(sight_of(*badly), "color") == {7: None}
    assert told(sight_of(*badly, exhausted=True), "color") == {7: "green"}
    assert told(sight_of(*views_that_say("green", "blue")), "color") == {7: None}  # too few views
    assert told(sight_of(*views_that_say("", "", "")), "color") == {7: ""}  # made out, and none was told
    (mug,) = sight_of(*views_that_say(*colors)).objects
    assert mug.agreement("color") == pytest.approx(0.5)


def test_in_a_wider_sense_a_object_has_the_word_that_some_of_its_views_say():
    sight = sight_of(*views_that_say(*["green"] * 4, "blue"))
    (mug,) = sight.objects
    assert has(sight, mug, "color", "blue") is False
    assert has(sight, mug, "color", "blue", loose=True) is True
    assert has(sight, mug, "color", "red", loose=True) is False
    rarely = sight_of(*views_that_say(*["green"] * 9, "blue"))
    assert has(rarely, rarely.objects[0], "color", "blue", loose=True) is False


def test_once_all_of_a_kind_were_seen_well_no_nearer_look_tells_which_is_small():
    views = [[box(1, 0.3), box(2, 0.31)]] * 4
    assert told(sight_of(*views), "size") == {1: "", 2: ""}


@pytest.mark.parametrize(("length", "views", "glimpsed"), [(0.3, 1, True), (1.4, 1, False), (0.3, 4, False)])
def test_of_furniture_far_shorter_than_usual_no_more_than_a_part_was_seen(length, views, glimpsed):
    sofa = detection(1, "sofa", (0.0, 0.0, 0.0), (length, 0.3, 0.3))
    (obj,) = sight_of(*[[sofa]] * views).objects
    assert obj.glimpsed is glimpsed


@pytest.mark.parametrize("relation", ["next to", "near"])
def test_the_space_beside_an_object_reaches_no_higher_than_what_can_be_beside_it(relation):
    """All that stands in the relation meets the box, and just beyond its top and its bottom nothing does."""
    anchor = detection(1, "radio", (1.0, 1.0, 0.8), (1.3, 1.2, 1.0))
    (seen,) = sight_of([anchor]).objects
    low, high = around(sight_of([anchor]), relation, seen)
    reach = {"next to": RelationSettings().beside, "near": RelationSettings().near}[relation]
    assert high[2] == pytest.approx(min(1.0 + reach, 2.0), abs=0.02)
    assert low[2] == pytest.approx(max(0.8 - reach, 0.0), abs=0.02)
    over = detection(2, "book", (1.35, 1.0, high[2] + 0.02), (1.5, 1.2, high[2] + 0.1))
    facts = sight_of([anchor, over], exhausted=True)
    radio, book = sorted(facts.objects, key=lambda obj: obj.key)
    assert high[2] == 2.0 or stands(facts, book, relation, radio) is False
