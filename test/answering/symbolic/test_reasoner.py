"""The reasoner on a drawn room: three values, each noise type, ambiguity, closed containers."""

from dataclasses import replace
from functools import cache

import pytest
from box_world import look_around
from drawn_room import POSITIONS, TABLE, TABLE_TOP, empty_room, put, seen_from
from hypothesis import given, settings, strategies as st
from question_scenes import detections_of, hand_made, scene_of, view
from sampling import examples

from vantage.answering.engine import QuestionAnswering
from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.questions.parsing.parser import parse
from vantage.types import NoiseType, Question, Verdict


@pytest.fixture(scope="module")
def looked_around():
    world = empty_room()
    put(world, 30, "mug", 1.5, 1.3, TABLE_TOP, "blue", "ceramic")
    put(world, 31, "book", 1.8, 1.6, TABLE_TOP, "red", "paper", (0.2, 0.15, 0.04))
    put(world, 32, "book", 1.45, 1.7, TABLE_TOP, "red", "paper", (0.2, 0.15, 0.04))
    put(world, 33, "pillow", 4.4, 3.4, 0.5, "white", "fabric", (0.4, 0.5, 0.14))
    put(world, 34, "suitcase", 2.5, 3.7, 0.0, "green", "leather", (0.5, 0.2, 0.4))
    put(world, 35, "plate", 0.35, 0.8, 0.76, "yellow", "ceramic", (0.24, 0.24, 0.03))
    put(world, 36, "plate", 0.3, 1.08, 0.76, "pink", "plastic", (0.22, 0.22, 0.03))
    return seen_from(world)


def ask(answering, text, exhausted=False):
    return answering.assess(text, exhausted)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Is there a mug on the table?", "yes"),
        ("Is there a blue mug on the table?", "yes"),
        ("Is the mug on the table blue?", "yes"),
        ("What color is the mug on the table?", "blue"),
        ("What is the mug made of?", "ceramic"),
        ("How many books are on the table?", "2"),
        ("Where is the mug?", "on the table"),
        ("Where is the green suitcase?", "on the floor"),
        ("What color is the cushion on the bed?", "white"),
        ("Where is the yellow plate?", "on the desk"),
    ],
)
def test_clean_questions_get_the_bare_answer(looked_around, text, answer):
    found = ask(looked_around, text)
    assert found.verdict is Verdict.ANSWERED
    assert found.answer == answer
    assert found.noise.noise_type is NoiseType.NONE
    assert found.confidence >= 0.8
    assert found.evidence


@pytest.mark.parametrize(
    "text",
    [
        "Is there a red mug on the table?",
        "Is there a guitar on the bed?",
        "Any cups on the bed?",
    ],
)
def test_no_is_a_plain_answer_where_the_place_was_seen(looked_around, text):
    found = ask(looked_around, text)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "no")
    assert found.noise.noise_type is NoiseType.NONE
    assert "I have seen all of it" in found.text
    assert found.text.endswith("Answer: no.")
    assert found.confidence >= 0.9


@pytest.mark.parametrize(
    ("text", "noise", "answer", "explanation", "corrected"),
    [
        (
            "What is the red mug on the table made of?",
            NoiseType.COLOR,
            "ceramic",
            "The mug on the table is blue, not red.",
            "What is the blue mug on the table made of?",
        ),
        (
            "What color is the wooden mug on the table?",
            NoiseType.MATERIAL,
            "blue",
            "The mug on the table is made of ceramic, not made of wood.",
            "What color is the ceramic mug on the table?",
        ),
        (
            "What color is the mug on the bed?",
            NoiseType.POSITION,
            "blue",
            "The mug is on the table, not on the bed.",
            "What color is the mug on the table?",
        ),
    ],
)
def test_false_premises_are_corrected(looked_around, text, noise, answer, explanation, corrected):
    found = ask(looked_around, text)
    assert found.verdict is Verdict.CORRECTED
    assert found.noise.noise_type is noise
    assert found.text == f"{explanation} Answer: {answer}."
    assert found.noise.corrected_question == corrected
    assert ask(looked_around, corrected).answer == answer
    assert found.confidence >= 0.8


def test_a_object_that_is_elsewhere_is_not_there(looked_around):
    found = ask(looked_around, "Is the mug on the bed?")
    assert (found.verdict, found.text) == (Verdict.ANSWERED, "The mug is on the table. Answer: no.")


def test_a_claimed_number_is_checked(looked_around):
    reasoner, memory, coverage = SymbolicReasoner(), looked_around.memory, looked_around.coverage
    claimed = parse("What color are the books on the table?")
    found = reasoner.assess(replace(claimed, number=2), memory, coverage)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "red")
    found = reasoner.assess(replace(claimed, number=4), memory, coverage)
    assert (found.verdict, found.noise.noise_type) == (Verdict.CORRECTED, NoiseType.COUNT)
    assert found.text == "There are two books on the table, not four. Answer: red."
    assert found.noise.false_claim == "there are four books on the table"
    assert found.noise.corrected_question == "What color are the two books on the table?"
    counted = parse("How many books are on the table?")
    assert reasoner.assess(replace(counted, number=2), memory, coverage).answer == "yes"


@pytest.fixture
def hardly_searched(looked_around, monkeypatch):
    """What is said where the named places were seen, and little of the rest."""
    monkeypatch.setattr(ObservedScene, "searched_share", lambda *_: 0.4)

    def said(text):
        return SymbolicReasoner().assess(parse(text), looked_around.memory, looked_around.coverage)

    return said


def test_an_absent_object_makes_a_question_unanswerable(hardly_searched):
    at_first = hardly_searched("What color is the guitar on the bed?")
    assert at_first.verdict is Verdict.UNANSWERABLE
    assert at_first.noise.noise_type is NoiseType.LATENT
    assert at_first.text == "There is no guitar on the bed; I have seen all of it."
    assert at_first.confidence < 0.8  # it may still turn up elsewhere
    assert at_first.look_for[0].what is LookAt.ANYWHERE


def test_an_absent_object_is_looked_for_no_more_in_the_end(looked_around):
    at_last = ask(looked_around, "What color is the guitar on the bed?", exhausted=True)
    assert at_last.confidence > 0.9
    assert at_last.look_for == ()


def test_what_is_not_at_its_place_is_nowhere_once_all_was_searched(looked_around):
    found = ask(looked_around, "What color is the guitar on the bed?")
    assert (found.verdict, found.look_for) == (Verdict.UNANSWERABLE, ())
    assert found.confidence >= 0.8


def test_the_room_is_not_empty_of_something_before_it_was_searched(hardly_searched):
    for text in ("Where is the guitar?", "Is there a guitar?", "What color is the guitar?", "How many guitars?"):
        found = hardly_searched(text)
        assert found.verdict is Verdict.NEEDS_LOOK
        assert [look.what for look in found.look_for] == [LookAt.ANYWHERE]


def test_the_room_is_empty_of_what_was_not_seen_once_it_was_searched(looked_around):
    for exhausted in (False, True):
        gone = ask(looked_around, "Where is the guitar?", exhausted)
        assert gone.verdict is Verdict.UNANSWERABLE
        assert "the closed cabinet" in gone.text
        assert ask(looked_around, "Is there a guitar?", exhausted).answer == "no"
        assert ask(looked_around, "How many guitars are there?", exhausted).answer == "0"


def test_closed_containers_lower_the_confidence_of_absence(looked_around):
    closed = ask(looked_around, "Is there a guitar?", exhausted=True)
    graph = hand_made()
    scene = scene_of(*(d for d in detections_of(graph) if d.label not in ("cabinet", "suitcase")))
    without = SymbolicReasoner().assess(parse("Is there a guitar?"), scene, None, True)
    assert closed.confidence < without.confidence


def test_nothing_is_said_about_the_inside_of_a_closed_container(looked_around):
    for exhausted in (False, True):
        found = ask(looked_around, "Is there a mug in the cabinet?", exhausted)
        assert found.verdict is Verdict.NEEDS_LOOK
        assert found.text == "I cannot look into the closed cabinet."


def test_several_candidates_need_confirmation(looked_around):
    found = ask(looked_around, "What color is the plate on the desk?")
    assert found.verdict is Verdict.NEEDS_CONFIRMATION
    assert "the yellow plate on the desk" in found.text
    assert "the pink plate on the desk" in found.text
    assert found.answer == ""
    same = ask(looked_around, "What color is the book on the table?")  # two, both red
    assert same.answer == "red"


def test_two_ways_to_correct_need_confirmation():
    world = empty_room()
    put(world, 30, "mug", 1.5, 1.3, TABLE_TOP, "blue", "ceramic")
    put(world, 31, "mug", 4.4, 3.4, 0.5, "red", "ceramic", (0.2, 0.2, 0.2))
    found = ask(seen_from(world), "What is the red mug on the table made of?")
    assert found.verdict is Verdict.NEEDS_CONFIRMATION
    assert "the blue mug on the table or the red mug on the bed" in found.text


def seen_times(views, **changes):
    """A memory of the room by hand, seen from so many places; ``changes`` are those of the vase."""
    scene = ObservedScene()
    for k in range(views):
        seen = [replace(d, **changes) if d.label == "vase" else d for d in detections_of(hand_made())]
        scene.add(view(k + 1, x=0.5 * k), seen)
    return scene


def test_it_asks_back_only_once_the_objects_were_seen_well():
    question = parse("What color is the mug?")
    found = SymbolicReasoner().assess(question, seen_times(1))
    assert found.verdict is Verdict.NEEDS_LOOK
    assert [(look.what, look.instance_id) for look in found.look_for] == [(LookAt.OBJECT, key) for key in (20, 21, 28)]
    found = SymbolicReasoner().assess(question, seen_times(2))
    assert (found.verdict, found.look_for) == (Verdict.NEEDS_CONFIRMATION, ())
    assert "the blue mug on the table" in found.text
    at_last = SymbolicReasoner().assess(question, seen_times(1), None, True)
    assert at_last.verdict is Verdict.NEEDS_CONFIRMATION


def test_a_object_that_every_view_cut_off_is_told_with_reserve_and_turned_to():
    question = parse("What color is the vase on the table?")
    whole = SymbolicReasoner().assess(question, seen_times(1))
    assert (whole.answer, whole.look_for) == ("green", ())
    assert whole.confidence > 0.8
    for views in (1, 3):
        found = SymbolicReasoner().assess(question, seen_times(views, truncated=True))
        assert (found.verdict, found.answer, found.confidence) == (Verdict.ANSWERED, "green", 0.75)
        assert [(look.what, look.instance_id) for look in found.look_for] == [(LookAt.WHOLE, 22)]
        assert found.look_for[0].points
    at_last = SymbolicReasoner().assess(question, seen_times(1, truncated=True), None, True)
    assert at_last.look_for == ()
    assert at_last.confidence > 0.8
    large = SymbolicReasoner().assess(question, seen_times(4, truncated=True))  # too large or too near to be seen whole
    assert large.look_for == ()


def test_what_was_worked_out_is_kept_until_the_memory_changes():
    reasoner, scene = SymbolicReasoner(), seen_times(1)
    question, other = parse("What color is the vase on the table?"), parse("Is there a vase on the table?")
    first = reasoner.assess(question, scene)
    assert reasoner.assess(other, scene).answer == "yes"
    at_last = reasoner.assess(question, scene, None, True)
    assert at_last is not first
    assert reasoner.assess(question, scene) is first
    assert reasoner.assess(replace(question), scene) is first
    assert reasoner.assess(question, scene, None, True) is at_last
    scene.add(view(2, x=0.5), [replace(d, color="red") for d in detections_of(hand_made()) if d.label == "vase"])
    second = reasoner.assess(question, scene)
    assert second is not first
    assert second.confidence < first.confidence
    assert reasoner.assess(question, scene) is second
    assert reasoner.assess(question, scene, None, False, frozenset({22})) is not second
    assert reasoner.assess(question, seen_times(2)) is not second


def test_a_place_that_was_never_seen_is_looked_for():
    empty = ObservedScene()
    found = SymbolicReasoner().assess(parse("What color is the mug on the table?"), empty)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert found.noise.noise_type is NoiseType.UNKNOWN
    assert [(look.what, look.label) for look in found.look_for] == [(LookAt.LABEL, "table")]


def test_an_unseen_part_of_the_place_is_looked_at():
    world = empty_room()
    put(world, 40, "box", 1.6, 1.5, TABLE_TOP, "brown", "paper", (0.1, 0.9, 0.7))
    put(world, 30, "mug", 1.3, 1.5, TABLE_TOP, "blue", "ceramic")  # behind the box
    answering = QuestionAnswering(PrivilegedPerceiver(12), (0, 0, 0), (5, 4, 2.6))
    for observation in look_around(world, [(3.0, 1.5, 1.2)], (-0.3,), 16):
        answering.observe(observation)
    found = ask(answering, "Is there a mug on the table?")
    assert found.verdict is Verdict.NEEDS_LOOK
    surface = found.look_for[0]
    assert (surface.what, surface.instance_id) == (LookAt.SURFACE, TABLE)
    assert min(point[0] for point in surface.points) < 1.4
    for observation in look_around(world, [(0.8, 2.4, 1.6), (0.9, 0.8, 1.6)], (-0.7,), 16):
        answering.observe(observation)
    assert ask(answering, "Is there a mug on the table?").answer == "yes"


def test_a_object_that_was_only_noticed_is_looked_at_closer():
    known = detections_of(hand_made())
    scene = scene_of(*(replace(d, color="", material="") if d.label == "vase" else d for d in known))
    found = SymbolicReasoner().assess(parse("What color is the vase on the table?"), scene)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert (found.look_for[0].what, found.look_for[0].instance_id) == (LookAt.OBJECT, 22)
    wanted = SymbolicReasoner().assess(parse("Is there a green vase on the table?"), scene, None, True)
    assert wanted.verdict is Verdict.NEEDS_LOOK


def test_a_object_whose_foot_is_hidden_is_looked_at_before_its_place_is_told():
    known = {d.label: d for d in detections_of(hand_made())}
    x, y, _ = known["vase"].bounds_min
    known["vase"] = replace(known["vase"], bounds_min=(x, y, 0.95), bounds_max=(x + 0.1, y + 0.1, 1.1))
    scene = scene_of(*known.values())
    question = parse("Where is the vase?")
    assert SymbolicReasoner().assess(question, scene).verdict is Verdict.NEEDS_LOOK
    assert SymbolicReasoner().assess(question, scene, None, True).answer == "on the table"


def test_more_objects_may_change_a_count_until_all_was_seen():
    scene = scene_of(*detections_of(hand_made()))
    claimed = replace(parse("What color are the mugs on the table?"), number=2)
    for question in (parse("How many mugs are on the table?"), claimed):
        assert SymbolicReasoner().assess(question, scene).verdict is Verdict.NEEDS_LOOK
    assert SymbolicReasoner().assess(parse("How many mugs are on the table?"), scene, None, True).answer == "2"


def test_a_place_that_does_not_exist_is_corrected_once_the_search_is_exhausted():
    scene = scene_of(*detections_of(hand_made()))
    question = parse("What color is the vase on the piano?")
    assert SymbolicReasoner().assess(question, scene).verdict is Verdict.NEEDS_LOOK
    found = SymbolicReasoner().assess(question, scene, None, True)
    assert found.noise.noise_type is NoiseType.POSITION
    assert found.text == "The vase is on the table, not on the piano. Answer: green."
    nowhere = SymbolicReasoner().assess(parse("Is there a guitar on the piano?"), scene, None, True)
    assert nowhere.answer == "no"
    assert "I have seen no piano" in nowhere.text


def test_what_is_said_in_other_words_is_found():
    scene = scene_of(*detections_of(hand_made()))
    for text in ("What is the cup on the desk made of?", "What is the red mug on the desk made from?"):
        assert SymbolicReasoner().assess(parse(text), scene, None, True).answer == "plastic"


def test_another_word_only_counts_once_the_exact_one_is_ruled_out():
    scene = scene_of(*(d for d in detections_of(hand_made()) if d.label != "desk"))
    question = parse("Where is the cup?")
    assert SymbolicReasoner().assess(question, scene).verdict is Verdict.NEEDS_LOOK
    cupboard = parse("Is there a mug on the cupboard?")  # there is a cabinet, and there may be a cupboard
    found = SymbolicReasoner().assess(cupboard, scene)
    assert [look.label for look in found.look_for] == ["cupboard"]
    assert SymbolicReasoner().assess(cupboard, scene, None, True).answer == "no"


def test_wrong_yes_no_questions_are_answered_no():
    scene = scene_of(*detections_of(hand_made()))
    found = SymbolicReasoner().assess(parse("Is the vase on the table red?"), scene)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "no")
    assert found.text == "The vase on the table is green. Answer: no."
    asked = replace(parse("How many mugs are on the table?"), number=5)
    found = SymbolicReasoner().assess(asked, scene, None, True)
    assert found.text == "There are two mugs on the table. Answer: no."


def test_a_question_that_was_not_understood_needs_a_model():
    found = SymbolicReasoner().assess(None, ObservedScene())
    assert found.verdict is Verdict.NEEDS_MODEL
    assert "language model" in found.text


_TEXTS = (
    "Is there a mug on the table?",
    "What color is the mug on the table?",
    "What is the pillow made of?",
    "Where is the mug?",
)
_YAWS = 6
_ORDERS = st.permutations(range(len(POSITIONS) * _YAWS))


@cache
def _views():
    """Drawn once they are asked for: every process of a parallel run collects this file."""
    world = empty_room()
    put(world, 30, "mug", 1.5, 1.3, TABLE_TOP, "blue", "ceramic")
    put(world, 33, "pillow", 4.4, 3.4, 0.5, "white", "fabric", (0.4, 0.5, 0.14))
    return list(look_around(world, POSITIONS, (-0.6,), _YAWS))


@settings(max_examples=examples(15), deadline=None)
@given(order=_ORDERS)
def test_more_views_never_unsettle_a_found_answer(order):
    answering = QuestionAnswering(PrivilegedPerceiver(12), (0, 0, 0), (5, 4, 2.6))
    settled = {}
    for k in order[:12]:
        answering.observe(_views()[k])
        for text in _TEXTS:
            found = answering.assess(text)
            if text in settled:
                answer, confidence = settled[text]
                assert (found.verdict, found.answer) == (Verdict.ANSWERED, answer)
                assert found.confidence >= confidence
            if found.verdict is Verdict.ANSWERED:
                settled[text] = (found.answer, found.confidence)


@settings(max_examples=examples(10), deadline=None)
@given(order=_ORDERS)
def test_what_exists_is_never_denied_on_the_way(order):
    answering = QuestionAnswering(PrivilegedPerceiver(12), (0, 0, 0), (5, 4, 2.6))
    for k in order[:10]:
        answering.observe(_views()[k])
        found = answering.ask(Question("q", "Is there a mug on the table?"))
        assert found.verdict is Verdict.NEEDS_LOOK or found.text == "yes"
        found = answering.ask(Question("q", "What color is the pillow on the bed?"))
        assert found.verdict is Verdict.NEEDS_LOOK or found.text == "white"


@pytest.mark.parametrize(
    ("sorts", "answer"),
    [
        ({}, "brown"),  # the one table that there is
        ({"desk": "coffee table"}, "black"),  # the one that bears the name
    ],
)
def test_a_sort_is_told_from_its_kind_where_scenes_name_it(sorts, answer):
    seen = [replace(d, label=sorts.get(d.label, d.label)) for d in detections_of(hand_made())]
    found = SymbolicReasoner().assess(parse("What color is the coffee table?"), scene_of(*seen), exhausted=True)
    assert found.text == answer
