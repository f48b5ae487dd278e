"""Confidence grows with evidence, and never falls with more of the same."""

from dataclasses import replace

from hypothesis import given, settings, strategies as st
from question_scenes import detections_of, hand_made, view
from sampling import examples

from vantage.answering.symbolic import confidence
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.config import Settings
from vantage.perception.map.observed_scene import ObservedScene
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import read_program
from vantage.types import Verdict

SHARE = st.floats(0.0, 1.0)
PROGRAMS = (
    "query(unique(filter(scene(), 'label', 'vase')), 'color')",
    "exist(filter(scene(), 'label', 'radio'))",
    "verify_relation(unique(filter(scene(), 'label', 'vase')), 'on', unique(filter(scene(), 'label', 'table')))",
    "compare_attribute('color', unique(filter(scene(), 'label', 'vase')), unique(filter(scene(), 'label', 'radio')))",
)


@given(SHARE, SHARE, st.booleans())
def test_absence_is_surer_the_more_was_seen(first, second, exhausted):
    low, high = sorted((first, second))
    for of_absence in (confidence.of_absence_on, confidence.of_absence_in):
        assert of_absence(low) <= of_absence(high) <= 1.0
        assert confidence.of_absence_in_part(low, exhausted) <= of_absence(low)
    in_part = confidence.of_absence_in_part
    assert in_part(low, exhausted) <= in_part(high, exhausted)
    assert in_part(low, False) <= in_part(low, True)
    assert in_part(high, False) < Settings().agent.confidence, "what is found later may show more"


@given(st.lists(SHARE, min_size=1), SHARE, st.booleans(), st.booleans())
def test_an_answer_is_as_sure_as_its_least_sure_object(known, more, exhausted, guessed):
    told = confidence.of_objects(known, exhausted, guessed)
    assert confidence.of_objects([*known, more], exhausted, guessed) <= told <= min(known)
    assert told <= confidence.of_objects(known, True, False)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(st.tuples(st.floats(0.2, 0.95), st.integers(200, 4000)), min_size=2, max_size=8))
def test_more_agreeing_views_never_make_an_answer_less_sure(views):
    scene, reasoner, sure = ObservedScene(), SymbolicReasoner(), dict.fromkeys(PROGRAMS, 0.0)
    for k, (certainty, pixels) in enumerate(views):
        seen = [replace(d, confidence=certainty, pixels=pixels) for d in detections_of(hand_made())]
        scene.add(view(k + 1, x=0.5 * k), seen)
        for program in PROGRAMS:
            found = reasoner.assess(ParsedQuestion("", read_program(program)), scene)
            assert found.verdict is Verdict.ANSWERED
            assert found.confidence >= sure[program] - 1e-9
            sure[program] = found.confidence


def test_the_only_object_that_may_be_meant_is_a_guess():
    seen = detections_of(hand_made())
    seen = [replace(d, color="") if d.label == "vase" else d for d in seen]
    scene = ObservedScene()
    scene.add(view(), seen)
    program = "query(unique(filter(filter(scene(), 'label', 'vase'), 'color', 'green')), 'material')"
    question = ParsedQuestion("", read_program(program))
    assert SymbolicReasoner().assess(question, scene).verdict is Verdict.NEEDS_LOOK
    found = SymbolicReasoner().assess(question, scene, exhausted=True)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "glass")
    assert found.confidence < 0.6


def test_views_that_disagree_make_an_answer_less_sure_and_another_look_worthwhile():
    scene, question = ObservedScene(), ParsedQuestion("", read_program(PROGRAMS[0]))
    for k, color in enumerate(("green", "green", "blue")):
        seen = [replace(d, color=color) if d.label == "vase" else d for d in detections_of(hand_made())]
        scene.add(view(k + 1, x=0.5 * k), seen)
    found = SymbolicReasoner().assess(question, scene)
    assert (found.answer, found.confidence < 0.7) == ("green", True)
    assert [(look.label, look.instance_id) for look in found.look_for] == [("vase", 22)]


def test_a_object_that_was_hardly_seen_is_looked_at_again():
    scene = ObservedScene()
    scene.add(view(), [replace(d, confidence=0.5, pixels=200) for d in detections_of(hand_made())])
    found = SymbolicReasoner().assess(ParsedQuestion("", read_program(PROGRAMS[1])), scene)
    assert (found.answer, found.confidence) == ("yes", 0.5)
    assert [look.label for look in found.look_for] == ["radio"]


@given(SHARE, SHARE)
def test_what_stands_in_for_a_object_is_meant_the_surer_the_more_was_searched(first, second):
    low, high = sorted((first, second))
    for fair in (False, True):
        found = [confidence.of_stand_in(share, fair) for share in (0.0, low, high, 1.0)]
        assert found[0] == confidence.ELSEWHERE_OPEN < confidence.SURE
        assert found == sorted(found)
        assert (found[-1] > confidence.SURE) is fair, "what is of another kind ends no search by itself"
