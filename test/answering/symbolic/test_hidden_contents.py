"""What closed containers may hide, and what to open to find out."""

from dataclasses import replace

import numpy as np
import pytest
from made_detections import CAMERA, detection

from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.hidden_contents import certainty, hides, hiding, hiding_at, hiding_in, looks_into
from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.config import RelationSettings
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.map.surface_inspection import Inspection
from vantage.questions import read_program
from vantage.questions.parsed import ParsedQuestion
from vantage.spatial import Viewpoint
from vantage.types import Detection, Observation, Verdict

CABINET, BOX, LAPTOP, TABLE, MUG, DOOR, WARDROBE = 1, 2, 3, 4, 5, 6, 7
FLOOR = detection(50, "floor", (0.0, 0.0, -0.01), (8.0, 4.0, 0.0), room="kitchen")
THINGS = {
    CABINET: detection(CABINET, "cabinet", (1.0, 0.0, 0.0), (2.0, 0.5, 0.9), states=("closed",)),
    BOX: detection(BOX, "box", (4.2, 1.2, 0.75), (4.5, 1.5, 0.95), states=("closed",)),
    LAPTOP: detection(LAPTOP, "laptop", (4.6, 1.2, 0.75), (4.9, 1.5, 0.77), states=("closed",)),
    TABLE: detection(TABLE, "table", (4.0, 1.0, 0.0), (5.0, 2.0, 0.75)),
    MUG: detection(MUG, "mug", (4.1, 1.7, 0.75), (4.2, 1.8, 0.85)),
    DOOR: detection(DOOR, "door", (7.9, 1.0, 0.0), (8.0, 2.0, 2.0), states=("closed",)),
    WARDROBE: detection(WARDROBE, "wardrobe", (6.0, 3.4, 0.0), (7.0, 4.0, 2.0), states=("closed",)),
}


class Searched(ObservedScene):
    """All of it was looked at."""

    def searched_share(self, label, coverage, within=None):
        return 1.0

    def room_seen(self, room, coverage):
        return 1.0

    def inspection_of(self, support, coverage, relation=""):
        return Inspection(1.0, 1.0, ())

    def containers_looked_into(self, label, within=None):
        return True


def scene(*keys, views=3):
    memory = Searched()
    for number in range(views):
        here = Viewpoint(1.5 + 0.6 * number, 1.5, 1.2, 0.0, 0.0)
        view = Observation(number + 1, here, CAMERA, np.zeros((24, 32, 3), np.uint8))
        memory.add(view, [FLOOR, *(THINGS[key] for key in keys)])
    return memory


class Space:
    """Everything in it was seen free."""

    voxel = 0.5

    def state(self, points):
        return np.ones(len(points), int)

    def seen_fraction(self, low, high):
        return 1.0


def facts_of(memory, exhausted=False, hidden=True):
    return ObservedFacts(memory, Space(), exhausted, RelationSettings(), hidden=hidden)


def keys_of(objects):
    return [obj.key for obj in objects]


def named(facts, key):
    return next(obj for obj in facts.objects if obj.key == key)


def ask(memory, text, exhausted=False, hidden=True):
    question = ParsedQuestion("", read_program(text))
    return SymbolicReasoner(hidden_contents=hidden).assess(question, memory, Space(), exhausted)


def test_what_keeps_nothing_inside_hides_nothing():
    facts = facts_of(scene(*THINGS))
    assert keys_of(hiding(facts)) == [CABINET, BOX, WARDROBE]
    assert not hides(facts, named(facts, LAPTOP))
    assert not hides(facts, named(facts, DOOR))
    assert not hiding(facts_of(scene(*THINGS), hidden=False))


def test_only_what_fits_may_be_inside():
    facts = facts_of(scene(*THINGS))
    assert keys_of(hiding(facts, "mug")) == [CABINET, BOX, WARDROBE]
    assert keys_of(hiding(facts, "guitar")) == [CABINET, WARDROBE]
    assert not hiding(facts, "sofa")


def test_what_was_opened_and_looked_into_hides_nothing_more():
    memory = scene(*THINGS)
    memory.know_inside(CABINET)
    assert keys_of(hiding(facts_of(memory))) == [BOX, WARDROBE]


def test_what_is_seen_from_all_around_and_has_no_handle_cannot_be_opened():
    memory = scene(BOX, TABLE)
    for number in range(9):
        angle = 2.0 * np.pi * number / 9
        here = Viewpoint(4.35 + 0.9 * np.cos(angle), 1.35 + 0.9 * np.sin(angle), 1.2, 0.0, 0.0)
        view = Observation(10 + number, here, CAMERA, np.zeros((24, 32, 3), np.uint8))
        memory.add(view, [replace(THINGS[BOX], pixels=6000)])
    assert not hiding(facts_of(memory))
    at = (4.2, 1.35, 0.85)
    handle = Detection(900, "handle", "", "", 0.9, 100, (0, 0, 4, 4), at, at, at, part_of=BOX)
    memory.add(Observation(30, Viewpoint(3.5, 1.3, 1.2, 0.0, 0.0), CAMERA, np.zeros((24, 32, 3), np.uint8)), [handle])
    assert keys_of(hiding(facts_of(memory))) == [BOX]


def test_where_they_are():
    facts = facts_of(scene(*THINGS))
    assert keys_of(hiding_at(facts, named(facts, TABLE))) == [BOX]
    assert keys_of(hiding_at(facts, named(facts, CABINET))) == [CABINET]
    assert keys_of(hiding_in(facts, (3.0, 0.0, 0.0), (5.0, 3.0, 1.0), ())) == [BOX]
    assert not hiding_in(facts, (3.0, 0.0, 0.0), (5.0, 3.0, 1.0), (named(facts, TABLE),))
    (kitchen,) = facts.rooms
    assert keys_of(hiding(facts, "", kitchen)) == [CABINET, BOX, WARDROBE]


def test_where_such_things_usually_are_is_opened_first():
    facts = facts_of(scene(*THINGS))
    looks = looks_into(facts, hiding(facts, "mug"), "mug")
    assert [look.what for look in looks] == [LookAt.OPEN] * 3
    assert looks[0].label == "cabinet"
    assert looks[0].points
    assert certainty(facts, hiding(facts, "mug"), "mug") < certainty(facts, hiding(facts, "guitar"), "guitar") < 1.0


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("count(filter(scene(), 'label', 'mug'))", "1"),
        ("exist(filter(scene(), 'label', 'bowl'))", "no"),
        ("count(relate(scene(), 'in', unique(filter(scene(), 'label', 'cabinet'))))", "0"),
        ("count(filter(filter(scene(), 'label', 'mug'), 'room', 'kitchen'))", "1"),
        ("query_each(filter(scene(), 'label', 'mug'), 'room')", "kitchen"),
        ("exist(relate(filter(scene(), 'label', 'cup'), 'at', unique(filter(scene(), 'label', 'table'))))", "no"),
    ],
)
def test_what_may_be_inside_of_something_closed_leaves_a_question_open(text, answer):
    memory = scene(CABINET, BOX, TABLE, MUG)
    found = ask(memory, text)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert {look.what for look in found.look_for} == {LookAt.OPEN}
    for key in (CABINET, BOX):
        memory.know_inside(key)
    found = ask(memory, text)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, answer)


def test_what_no_container_can_change_is_answered_all_the_same():
    memory = scene(CABINET, BOX, TABLE, MUG)
    assert ask(memory, "exist(filter(scene(), 'label', 'mug'))").answer == "yes"
    assert ask(memory, "count(filter(scene(), 'label', 'table'))").answer == "1"
    on_table = "count(relate(filter(scene(), 'label', 'mug'), 'on', unique(filter(scene(), 'label', 'table'))))"
    assert ask(memory, on_table).answer == "1"


def test_at_the_end_it_is_said_less_surely():
    memory = scene(CABINET, BOX, TABLE, MUG)
    text = "count(filter(scene(), 'label', 'mug'))"
    guess = ask(memory, text, exhausted=True)
    for key in (CABINET, BOX):
        memory.know_inside(key)
    known = ask(memory, text, exhausted=True)
    assert guess.answer == known.answer == "1"
    assert guess.confidence < known.confidence


def test_without_the_setting_closed_things_are_only_mentioned():
    found = ask(scene(CABINET, TABLE, MUG), "count(filter(scene(), 'label', 'mug'))", hidden=False)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "1")
