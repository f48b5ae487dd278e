"""Where absence may be said: in rooms, around objects, in closed containers; and where to look instead."""

from dataclasses import replace

import numpy as np
import pytest
from known_scenes import KnownScene, KnownSpace
from question_scenes import detections_of, hand_made, view
from two_rooms import BED, GRAPH, MUG, NODES, TABLE, assess

from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.config import Settings
from vantage.perception.map.coverage import FREE, UNKNOWN, CoverageMap
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.map.surface_inspection import Inspection
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import read_program
from vantage.types import Verdict

CABINET = "unique(filter(scene(), 'label', 'cabinet'))"
GUITAR = "filter(scene(), 'label', 'guitar')"


def test_a_room_that_was_seen_is_known_while_the_search_goes_on():
    found = assess(f"exist(filter({GUITAR}, 'room', 'bedroom'))", exhausted=False)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "no")
    assert "I have seen all of the bedroom" in found.text
    assert found.confidence > 0.9
    assert assess(f"exist({GUITAR})", exhausted=False).verdict is Verdict.NEEDS_LOOK


def test_closed_containers_in_a_room_remain_a_reservation():
    kitchen = assess(f"exist(filter({GUITAR}, 'room', 'kitchen'))", exhausted=False)
    bedroom = assess(f"exist(filter({GUITAR}, 'room', 'bedroom'))", exhausted=False)
    assert kitchen.answer == bedroom.answer == "no"
    assert kitchen.confidence <= 0.8 < bedroom.confidence


def test_the_unseen_part_of_a_room_is_looked_at():
    found = assess(f"count(filter({MUG}, 'room', 'bedroom'))", exhausted=False, hidden={22})
    assert found.verdict is Verdict.NEEDS_LOOK
    (look,) = found.look_for
    assert (look.what, look.label) == (LookAt.ANYWHERE, "mug")
    assert look.points
    assert all(6.0 <= x <= 11.0 for x, _, _ in look.points)


def test_a_room_that_was_not_found_is_looked_for():
    found = assess(f"exist(filter({MUG}, 'room', 'garage'))", exhausted=False)
    assert [(look.what, look.label) for look in found.look_for] == [(LookAt.LABEL, "garage")]
    assert assess(f"exist(filter({MUG}, 'room', 'garage'))").answer == "no"


def test_the_unseen_places_of_a_support_are_looked_at():
    found = assess(f"exist(relate({GUITAR}, 'on', {BED}))", exhausted=False, hidden={22})
    (look,) = found.look_for
    assert (look.what, look.label, look.instance_id) == (LookAt.SURFACE, "bed", 11)
    assert look.points


def test_the_space_around_a_object_is_looked_at():
    seen = assess(f"exist(relate({GUITAR}, 'next to', {BED}))", exhausted=False)
    assert (seen.verdict, seen.answer) == (Verdict.ANSWERED, "no")
    unseen = assess(f"exist(relate({GUITAR}, 'next to', {BED}))", exhausted=False, hidden={22})
    assert [(look.what, look.label) for look in unseen.look_for] == [(LookAt.SURFACE, "bed")]


def test_nothing_is_said_about_the_inside_of_a_closed_container():
    for exhausted in (False, True):
        found = assess(f"exist(relate({MUG}, 'in', {CABINET}))", exhausted=exhausted)
        assert (found.verdict, found.text) == (Verdict.NEEDS_LOOK, "I cannot look into the closed cabinet.")
        assert found.look_for == ()


def test_the_most_of_something_needs_all_candidates():
    program = "query(most(filter(scene(), 'room', 'kitchen'), 'size'), 'label')"
    assert assess(program, exhausted=False).answer == "table"
    assert assess(program, exhausted=False, hidden={21}).verdict is Verdict.NEEDS_LOOK


def test_masses_cannot_be_seen():
    for program in (
        f"compare_quantity('mass', unique({MUG}), {TABLE})",
        "query(most(filter(scene(), 'room', 'kitchen'), 'mass'), 'label')",
    ):
        found = assess(program)
        assert (found.verdict, found.text) == (Verdict.UNANSWERABLE, "I cannot see which is heavier.")
    assert "lighter" in assess(f"compare_quantity('mass', unique({MUG}), {TABLE}, True)").text


def test_what_was_not_made_out_is_looked_at_from_nearer():
    assert any(node.label == "vase" for node in NODES)
    found = assess("query(unique(filter(scene(), 'label', 'vase')), 'text')", exhausted=False)
    (look,) = found.look_for
    assert (look.what, look.label, look.closeness) == (LookAt.SIDES, "vase", 0.8)


def test_the_space_around_a_object_that_is_cut_off_is_not_known():
    """Nobody knows where it ends; a look at all of it, or from several places at what there is of it, tells."""
    question, space = parse("Is there a guitar next to the bed?"), CoverageMap((-2.5, -2.0, 0.0), (2.5, 2.0, 2.6))
    space._states[:] = FREE
    cut_off = [replace(d, truncated=d.label == "bed") for d in detections_of(hand_made())]
    scene, reasoner = ObservedScene(), SymbolicReasoner()
    for k in range(3):
        scene.add(view(k + 1, x=0.5 * k), cut_off)
        found = reasoner.assess(question, scene, space)
        assert found.verdict is Verdict.NEEDS_LOOK
        assert [(look.what, look.label, look.instance_id) for look in found.look_for] == [(LookAt.WHOLE, "bed", 11)]
    assert reasoner.assess(question, scene, space, exhausted=True).answer == "no"
    whole = ObservedScene()
    whole.add(view(), detections_of(hand_made()))
    assert reasoner.assess(question, whole, space).answer == "no"
    scene.add(view(4, x=1.5), cut_off)
    assert reasoner.assess(question, scene, space).answer == "no"


def test_a_home_that_was_searched_through_is_known_while_the_search_goes_on(monkeypatch):
    shares = {}
    monkeypatch.setattr(KnownScene, "searched_share", lambda self, label, *_: shares[label])
    for share, sure in ((0.3, False), (0.7, False), (0.85, True)):
        shares["guitar"] = share
        found = assess(f"exist({GUITAR})", exhausted=False)
        assert (found.verdict is Verdict.ANSWERED) is sure
    assert found.answer == "no"
    assert found.confidence >= 0.8


def test_in_the_end_what_was_mostly_searched_is_told_with_how_far(monkeypatch):
    share = 0.55
    monkeypatch.setattr(KnownScene, "searched_share", lambda *_: share)
    assert assess(f"exist({GUITAR})").verdict is Verdict.NEEDS_LOOK
    share = 0.62
    mostly = assess(f"exist({GUITAR})")
    assert (mostly.verdict, mostly.answer) == (Verdict.ANSWERED, "no")
    assert "as far as I could see it (62%)" in mostly.text
    share = 0.7
    largely = assess(f"exist({GUITAR})")
    assert "all the space I could reach" in largely.text
    assert largely.confidence > mostly.confidence


def test_small_objects_are_nowhere_in_a_room_only_once_its_supports_were_looked_at(monkeypatch):
    monkeypatch.setattr(KnownScene, "searched_share", lambda *_: 0.6)
    question = f"exist(filter({GUITAR}, 'room', 'bedroom'))"
    assert assess(question, exhausted=False).verdict is Verdict.NEEDS_LOOK
    assert assess(question).answer == "no"


class HalfSeen(KnownScene):
    """Of each support, a share was seen."""

    share = 0.0

    def inspection_of(self, support, coverage, relation=""):
        return Inspection(self.share, 0.0, ((7.5, 1.5, 0.5),))


@pytest.mark.parametrize(("share", "absent"), [(0.7, True), (0.3, False)])
def test_a_place_that_was_given_up_is_judged_by_what_was_seen_of_it(share, absent):
    """Of one that was mostly unseen nothing is called absent, given up or not."""
    scene = HalfSeen(GRAPH)
    scene.share = share
    question = ParsedQuestion("", read_program(f"exist(relate({GUITAR}, 'on', {BED}))"))
    reasoner = SymbolicReasoner()
    before = reasoner.assess(question, scene, KnownSpace(scene))
    assert (before.verdict, before.look_for[0].left) == (Verdict.NEEDS_LOOK, pytest.approx(1.0 - share))
    scene.given_up.add((11, "on", 0))
    after = reasoner.assess(question, scene, KnownSpace(scene))
    if absent:
        assert (after.verdict, after.answer) == (Verdict.ANSWERED, "no")
        assert "as far as I could see it (70%)" in after.text
        assert after.confidence < 0.8
    else:
        assert after.verdict is Verdict.NEEDS_LOOK


def test_what_is_given_up_says_nothing_of_other_places():
    scene = HalfSeen(GRAPH)
    scene.share = 0.7
    scene.given_up |= {(10, "on", 0), (11, "next to", 0)}
    question = ParsedQuestion("", read_program(f"exist(relate({GUITAR}, 'on', {BED}))"))
    assert SymbolicReasoner().assess(question, scene, KnownSpace(scene)).verdict is Verdict.NEEDS_LOOK


class PartlyKnown(KnownSpace):
    """Of all space, every third point is unknown."""

    def state(self, points):
        return np.where(np.arange(len(points)) % 3 == 0, UNKNOWN, FREE)


@pytest.mark.parametrize(
    ("question", "other", "place"),
    [
        (f"exist(relate({GUITAR}, 'next to', {BED}))", (11, "on", 0), (11, "next to", 0)),
        (f"exist(relate({GUITAR}, 'above', {BED}))", (11, "next to", 0), (11, "above", 0)),
        (f"exist(between({GUITAR}, {BED}, {TABLE}))", (11, "next to", 0), (11, "between", 10)),
    ],
)
def test_the_places_around_a_object_are_given_up_one_by_one(question, other, place):
    scene, reasoner = KnownScene(GRAPH), SymbolicReasoner()
    asked = ParsedQuestion("", read_program(question))
    scene.given_up.add(other)
    before = reasoner.assess(asked, scene, PartlyKnown(scene))
    assert (before.verdict, [look.place for look in before.look_for]) == (Verdict.NEEDS_LOOK, [place])
    scene.given_up.add(place)
    after = reasoner.assess(asked, scene, PartlyKnown(scene))
    assert (after.verdict, after.answer) == (Verdict.ANSWERED, "no")
    scene.given_up.discard(place)
    assert reasoner.assess(asked, scene, PartlyKnown(scene)).verdict is Verdict.NEEDS_LOOK


def test_a_place_that_was_given_up_is_not_sure_enough_to_end_a_search():
    scene, reasoner = HalfSeen(GRAPH), SymbolicReasoner()
    scene.share = 1.0  # yet its edges are unknown
    scene.given_up.add((11, "on", 0))
    asked = ParsedQuestion("", read_program(f"exist(relate({GUITAR}, 'on', {BED}))"))
    found = reasoner.assess(asked, scene, KnownSpace(scene))
    assert found.answer == "no"
    assert found.confidence < Settings().agent.confidence
    assert found.confidence < reasoner.assess(asked, scene, KnownSpace(scene), exhausted=True).confidence


@pytest.mark.parametrize(
    ("described", "likelier_false"),
    [
        ("filter(scene(), 'label', 'guitar')", Verdict.UNANSWERABLE),
        (f"filter({MUG}, 'room', 'bedroom')", Verdict.CORRECTED),
    ],
)
def test_a_premise_is_not_called_false_where_what_it_says_is_likelier_overlooked(
    monkeypatch, described, likelier_false
):
    program = f"query(unique({described}), 'color')"
    for share, verdict in ((0.68, Verdict.NEEDS_LOOK), (0.72, likelier_false)):
        monkeypatch.setattr(KnownScene, "searched_share", lambda *_, share=share: share)
        assert assess(program).verdict is verdict


def test_a_premise_that_what_was_seen_contradicts_is_false_however_little_was_seen(monkeypatch):
    monkeypatch.setattr(KnownScene, "searched_share", lambda *_: 0.62)
    found = assess(f"query(unique(filter({MUG}, 'color', 'red')), 'place')")
    assert (found.verdict, found.text) == (Verdict.CORRECTED, "The mug is blue, not red. Answer: on the table.")
