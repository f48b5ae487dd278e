"""Comparisons of masses of which only the least and the largest is known."""

import math

import pytest
from hypothesis import given, strategies as st
from made_detections import detection, remembered

from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.masses import LIFTABLE, can_be_weighed, heavier, heaviest, span_of, weigh, weight_word
from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.config import RelationSettings
from vantage.questions import read_program
from vantage.questions.parsed import ParsedQuestion
from vantage.types import Verdict

MUG, CUP, BOWL, BED, SOFA, OTHER = 1, 2, 3, 4, 5, 6
BOXES = {
    MUG: ("mug", 0.1),
    CUP: ("cup", 0.08),
    BOWL: ("bowl", 0.25),
    BED: ("bed", 1.8),
    SOFA: ("sofa", 1.6),
    OTHER: ("mug", 0.1),
}


def memory_of(*keys, **weights):
    boxes = [
        detection(key, BOXES[key][0], (float(key), 1.0, 0.5), (key + BOXES[key][1], 1.0 + BOXES[key][1], 0.6))
        for key in keys
    ]
    memory = remembered(detection(50, "floor", (0.0, 0.0, -0.01), (8.0, 4.0, 0.0), room="kitchen"), *boxes)
    for name, (low, high) in weights.items():
        memory.weighed({"mug": MUG, "cup": CUP, "bowl": BOWL, "bed": BED, "other": OTHER}[name], low, high)
    return memory


def facts_of(memory, exhausted=False, hidden=True):
    return ObservedFacts(memory, None, exhausted, RelationSettings(), hidden=hidden)


def named(facts, key):
    return next(obj for obj in facts.objects if obj.key == key)


def judged(memory, more=MUG, less=CUP, exhausted=False):
    facts = facts_of(memory, exhausted)
    return heavier(facts, named(facts, more), named(facts, less))


def test_what_was_weighed_is_compared_by_what_is_sure():
    assert judged(memory_of(MUG, CUP, mug=(0.4, 0.45), cup=(0.2, 0.25))).truth is True
    assert judged(memory_of(MUG, CUP, mug=(0.2, 0.25), cup=(0.4, 0.45))).truth is False
    assert judged(memory_of(MUG, CUP, mug=(0.4, 0.45), cup=(0.2, 0.25))).certainty == 1.0


def test_what_was_not_weighed_is_not_known_until_the_end():
    memory = memory_of(MUG, CUP, mug=(0.4, 0.45))
    assert judged(memory).truth is None
    guess = judged(memory, exhausted=True)
    assert guess.truth is not None
    assert 0.5 <= guess.certainty < 1.0


def test_furniture_is_heavier_than_what_a_hand_lifted_and_is_not_to_be_weighed():
    memory = memory_of(BED, CUP, cup=(0.2, 0.25))
    found = judged(memory, BED, CUP)
    assert found.truth is True
    assert 0.8 < found.certainty < 1.0
    assert judged(memory, CUP, BED).truth is False
    facts = facts_of(memory)
    assert span_of(facts, named(facts, BED)) == (LIFTABLE, math.inf)
    assert not can_be_weighed(named(facts, BED))


def test_where_no_weighing_would_decide_there_is_an_estimate():
    found = judged(memory_of(BED, SOFA), BED, SOFA)
    assert found.truth is not None
    assert found.certainty < 0.9
    near = judged(memory_of(MUG, CUP, mug=(0.3, 0.35), cup=(0.25, 0.3)))  # both weighed as well as can be
    assert near.truth is not None
    assert near.certainty < 0.8


def test_what_slipped_from_the_firmest_grasp_is_heavier_than_what_did_not():
    memory = memory_of(BOWL, CUP, bowl=(5.0, math.inf), cup=(0.2, 0.25))
    assert judged(memory, BOWL, CUP).truth is True
    assert not can_be_weighed(named(facts_of(memory), BOWL))


def test_what_was_weighed_well_is_not_to_be_weighed_again():
    facts = facts_of(memory_of(MUG, CUP, BOWL, mug=(0.2, 0.25), cup=(0.0, 0.5)))
    looks = weigh(named(facts, key) for key in (MUG, CUP, BOWL, MUG))
    assert [(look.what, look.instance_id) for look in looks] == [(LookAt.WEIGH, CUP), (LookAt.WEIGH, BOWL)]
    assert looks[0].points == (named(facts, CUP).center,)


def test_the_heaviest_of_some():
    memory = memory_of(MUG, CUP, BOWL, mug=(0.4, 0.45), cup=(0.2, 0.25), bowl=(0.9, 0.95))
    facts = facts_of(memory)
    some = [named(facts, key) for key in (MUG, CUP, BOWL)]
    assert heaviest(facts, some, (), least=False)[0] == (some[2],)
    assert heaviest(facts, some, (), least=True)[0] == (some[1],)
    assert heaviest(facts, (), (), least=True) == ((), (), 1.0)
    partly = facts_of(memory_of(MUG, CUP, BOWL, mug=(0.4, 0.45)))
    looks = heaviest(partly, [named(partly, key) for key in (MUG, CUP, BOWL)], (), least=False)[1]
    assert [look.instance_id for look in looks] == [BOWL, CUP]  # the larger one is likelier to be it


@given(st.lists(st.floats(0.05, 4.0), min_size=2, max_size=2), st.floats(0.001, 0.2))
def test_no_interval_around_the_truth_leads_to_a_sure_falsehood(masses, off):
    first, second = masses
    memory = memory_of(MUG, CUP, mug=(max(first - off, 0.0), first + off), cup=(max(second - off, 0.0), second + off))
    found = judged(memory)
    if found.certainty == 1.0 and found.truth is not None:
        assert found.truth is (first > second and first >= 1.1 * second)


def test_light_and_heavy_are_said_in_comparison_with_all_of_the_kind():
    memory = memory_of(MUG, OTHER, mug=(0.4, 0.45), other=(0.2, 0.25))
    done = facts_of(memory, exhausted=True)
    assert weight_word(done, named(done, MUG))[0] == "heavy"
    assert weight_word(done, named(done, OTHER))[0] == "light"
    facts = facts_of(memory)  # without a map of space, others may be elsewhere
    word, looks, _ = weight_word(facts, named(facts, MUG))
    assert word is None
    assert [look.what for look in looks] == [LookAt.ANYWHERE]


@pytest.mark.parametrize("text", ["compare_quantity('mass', {mug}, {cup})", "count(compared(scene(), 'mass', {cup}))"])
def test_where_weight_is_not_felt_nothing_can_be_told(text):
    program = read_program(
        text.format(mug="unique(filter(scene(), 'label', 'mug'))", cup="unique(filter(scene(), 'label', 'cup'))")
    )
    memory = memory_of(MUG, CUP)
    found = SymbolicReasoner().assess(ParsedQuestion("", program), memory)
    assert found.verdict is Verdict.UNANSWERABLE
    assert not found.look_for
    memory.weighed(MUG, 0.2, 0.25)  # somebody has a hand
    found = SymbolicReasoner().assess(ParsedQuestion("", program), memory)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert found.look_for[0].what is LookAt.WEIGH


def test_the_heaviest_and_what_it_is_called():
    program = read_program("query(most(filter(scene(), 'room', 'kitchen'), 'mass'), 'label')")
    memory = memory_of(MUG, CUP, mug=(0.4, 0.45), cup=(0.2, 0.25))
    found = SymbolicReasoner(hidden_contents=True).assess(ParsedQuestion("", program), memory, exhausted=True)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "mug")
