"""Descriptions that fit nothing: the false condition, the correction, and the answer to the corrected question."""

import pytest
from known_scenes import KnownScene, KnownSpace
from two_rooms import BED, MUG, SMALL, TABLE, assess, obj, with_more

from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.answering.symbolic.premise_correction import fitting_on_trust
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.answering.symbolic.three_valued_sets import NotSeen
from vantage.config import RelationSettings
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import Relate, read_program
from vantage.types import NoiseType, Verdict


@pytest.mark.parametrize(
    ("objects", "asked", "noise", "explanation", "corrected", "answer"),
    [
        (
            f"relate(filter({MUG}, 'color', 'red'), 'on', {TABLE})",
            "material",
            NoiseType.COLOR,
            "The mug on the table is blue, not red.",
            "What is the blue mug on the table made of?",
            "ceramic",
        ),
        (
            f"filter({MUG}, 'material', 'wood')",
            "color",
            NoiseType.MATERIAL,
            "The mug is made of ceramic, not made of wood.",
            "What color is the ceramic mug?",
            "blue",
        ),
        (
            f"filter(filter({MUG}, 'color', 'red'), 'material', 'wood')",
            "place",
            NoiseType.COLOR,
            "The mug is blue and made of ceramic, not red and made of wood.",
            "Where is the blue ceramic mug?",
            "on the table",
        ),
        (
            f"filter({MUG}, 'shape', 'square')",
            "color",
            NoiseType.SHAPE,
            "The mug is cylindrical, not square.",
            "What color is the cylindrical mug?",
            "blue",
        ),
        (
            f"filter({MUG}, 'state', 'full')",
            "color",
            NoiseType.PERCEPTION,
            "The mug is empty, not full.",
            "What color is the empty mug?",
            "blue",
        ),
        (
            f"filter({MUG}, 'text', 'COFFEE')",
            "color",
            NoiseType.PERCEPTION,
            'The mug is labelled "TEA", not labelled "COFFEE".',
            'What color is the mug that says "TEA"?',
            "blue",
        ),
        (
            f"relate({MUG}, 'on', {BED})",
            "color",
            NoiseType.POSITION,
            "The mug is on the table, not on the bed.",
            "What color is the mug on the table?",
            "blue",
        ),
        (
            f"relate({MUG}, 'next to', {BED})",
            "color",
            NoiseType.POSITION,
            "The mug is on the table, not next to the bed.",
            "What color is the mug on the table?",
            "blue",
        ),
        (
            f"filter({MUG}, 'room', 'bedroom')",
            "color",
            NoiseType.POSITION,
            "The mug is in the kitchen, not in the bedroom.",
            "What color is the mug in the kitchen?",
            "blue",
        ),
        (
            f"filter({MUG}, 'room', 'garage')",
            "color",
            NoiseType.POSITION,
            "The mug is in the kitchen, not in the garage.",
            "What color is the mug in the kitchen?",
            "blue",
        ),
        (
            f"relate({MUG}, 'on', unique(filter(scene(), 'label', 'piano')))",
            "color",
            NoiseType.POSITION,
            "The mug is on the table, not on the piano.",
            "What color is the mug on the table?",
            "blue",
        ),
        (
            f"relate({MUG}, 'on', unique(filter(filter(scene(), 'label', 'table'), 'color', 'white')))",
            "color",
            NoiseType.COLOR,
            "The table is brown, not white.",
            "What color is the mug on the brown table?",
            "blue",
        ),
    ],
)
def test_one_false_condition_is_named_and_put_right(objects, asked, noise, explanation, corrected, answer):
    found = assess(f"query(unique({objects}), '{asked}')")
    assert (found.verdict, found.noise.noise_type) == (Verdict.CORRECTED, noise)
    assert found.text == f"{explanation} Answer: {answer}."
    assert found.noise.corrected_question == corrected
    assert found.evidence


def test_a_side_that_is_wrong_is_exchanged():
    book, viewer = "unique(filter(scene(), 'label', 'book'))", "unique(filter(scene(), 'label', 'cabinet'))"
    right, wrong = (f"relate({MUG}, '{side} of', {book}, {viewer})" for side in ("left", "right"))
    holds = assess(f"exist({right})").answer == "yes"
    found = assess(f"query(unique({wrong if holds else right}), 'color')")
    assert (found.verdict, found.noise.noise_type) == (Verdict.CORRECTED, NoiseType.POSITION)
    assert ("to the left of the book" in found.noise.correction) == holds


class _HardlySearched(KnownScene):
    """Both places that a question names were seen, and little else."""

    def searched_share(self, label, coverage, within=None):
        return 0.3


def assess_early(program):
    """What is said where the rest of the home was hardly seen."""
    scene = _HardlySearched(with_more())
    return SymbolicReasoner().assess(ParsedQuestion("", read_program(program)), scene, KnownSpace(scene))


def test_an_absent_object_is_named():
    program = f"query(unique(relate(filter(scene(), 'label', 'guitar'), 'on', {BED})), 'color')"
    assert assess(program, exhausted=True).look_for == ()
    found = assess_early(program)
    assert (found.verdict, found.noise.noise_type) == (Verdict.UNANSWERABLE, NoiseType.LATENT)
    assert found.text == "There is no guitar on the bed; I have seen all of it."
    assert found.noise.false_claim == "there is a guitar on the bed"
    assert [look.what for look in found.look_for] == [LookAt.ANYWHERE]
    assert found.confidence <= 0.6


def test_two_ways_to_put_it_right_are_asked_about():
    red_mug = obj(24, "mug", (9.0, 1.2, 0.5), SMALL, 11, room=2, color="red", material="ceramic")
    graph = with_more(red_mug)
    found = assess(f"query(unique(relate(filter({MUG}, 'color', 'red'), 'on', {TABLE})), 'material')", graph=graph)
    assert found.verdict is Verdict.NEEDS_CONFIRMATION
    expected = "I see no red mug on the table; did you mean the blue mug on the table or the red mug on the bed?"
    assert found.text == expected


def test_ways_to_put_it_right_are_looked_at_before_they_are_asked_about():
    red_mug = obj(24, "mug", (9.0, 1.2, 0.5), SMALL, 11, room=2, color="red", material="ceramic")
    scene = KnownScene(with_more(red_mug))
    program = f"query(unique(relate(filter({MUG}, 'color', 'red'), 'on', {TABLE})), 'material')"
    question = ParsedQuestion("", read_program(program))

    def found(exhausted=False):
        return SymbolicReasoner().assess(question, scene, KnownSpace(scene), exhausted)

    assert found().verdict is Verdict.NEEDS_CONFIRMATION
    seen_badly = scene.get(24)
    seen_badly.views, seen_badly.pixels = 1, 300
    assert found().verdict is Verdict.NEEDS_LOOK
    assert [(look.what, look.instance_id) for look in found().look_for] == [(LookAt.OBJECT, 24)]
    assert found(exhausted=True).verdict is Verdict.NEEDS_CONFIRMATION


def test_nothing_is_corrected_before_the_place_was_seen():
    found = assess(f"query(unique(relate({MUG}, 'on', {BED})), 'color')", exhausted=False, hidden={22})
    assert found.verdict is Verdict.NEEDS_LOOK
    assert (found.look_for[0].what, found.look_for[0].label) == (LookAt.SURFACE, "bed")


def test_where_there_is_no_table_there_is_nothing_on_it():
    piano = "unique(filter(scene(), 'label', 'piano'))"
    found = assess(f"exist(relate({MUG}, 'on', {piano}))")
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "no")
    assert "I have seen no piano" in found.text
    assert assess(f"count(relate({MUG}, 'on', {piano}))").answer == "0"


def test_where_nothing_at_all_fits_a_place_that_is_said_rather_than_asked_about_everything():
    for exhausted in (False, True):
        found = assess(f"query(unique(relate(scene(), 'above', {TABLE})), 'label')", exhausted)
        assert (found.verdict, found.noise.noise_type) == (Verdict.UNANSWERABLE, NoiseType.LATENT)
        assert found.text == "There is no thing above the table; I have looked all around it."
    lamp = obj(40, "lamp", (1.4, 1.3, 1.6), SMALL)
    assert assess(f"query(unique(relate(scene(), 'above', {TABLE})), 'label')", graph=with_more(lamp)).answer == "lamp"


def test_a_size_that_nobody_can_tell_is_no_objection():
    small_red, small_blue = (
        f"relate(filter(filter({MUG}, 'color', '{color}'), 'size', 'small'), 'on', {TABLE})"
        for color in ("red", "blue")
    )
    found = assess(f"query(unique({small_blue}), 'material')")  # there is no other mug to compare it with
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "ceramic")
    assert found.confidence <= 0.6
    found = assess(f"query(unique({small_red}), 'material')")
    assert (found.noise.noise_type, found.text) == (
        NoiseType.COLOR,
        "The mug on the table is blue, not red. Answer: ceramic.",
    )


def test_a_size_that_is_told_and_wrong_is_corrected():
    large = obj(24, "mug", (9.0, 1.2, 0.5), (0.3, 0.3, 0.3), 11, room=2, color="red", material="ceramic")
    found = assess(
        f"query(unique(relate(filter({MUG}, 'size', 'large'), 'on', {TABLE})), 'color')", graph=with_more(large)
    )
    assert found.verdict is Verdict.NEEDS_CONFIRMATION  # another place, or another size
    found = assess(
        f"query(unique(filter(filter({MUG}, 'size', 'large'), 'color', 'blue')), 'place')", graph=with_more(large)
    )
    assert found.verdict is Verdict.NEEDS_CONFIRMATION
    assert "the blue mug on the table" in found.text


def test_a_wrong_place_is_only_told_with_the_right_one():
    scene = KnownScene(with_more())
    scene.support_of = lambda obj: None  # nobody saw its foot
    program = f"query(unique(relate({MUG}, 'on', {BED})), 'color')"
    question = ParsedQuestion("", read_program(program))
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene))
    assert found.verdict is Verdict.NEEDS_LOOK


def test_in_a_wider_sense_a_word_is_put_right_only_once_its_kind_is_nowhere():
    program = f"query(unique(relate(filter(scene(), 'label', 'cup'), 'on', {BED})), 'color')"
    found = assess_early(program)
    assert (found.verdict, found.answer) == (Verdict.UNANSWERABLE, "")
    assert [look.label for look in found.look_for] == ["cup"]
    assert assess(program).text == "The cup is on the table, not on the bed. Answer: blue."


BLACK_CAN = "filter(filter(filter(scene(), 'label', 'can'), 'text', 'BEANS'), 'color', 'black')"
YELLOW_CAN = BLACK_CAN.replace("black", "yellow")
CANS = with_more(
    obj(40, "can", (1.5, 1.4, 0.75), SMALL, 10, color="blue", material="metal", text="TUNA"),
    obj(41, "can", (1.9, 1.5, 0.75), SMALL, 10, color="yellow", material="metal"),
)


def test_print_that_nobody_saw_is_no_objection():
    found = assess(f"query(unique({YELLOW_CAN}), 'material')", graph=CANS)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "metal")
    assert found.confidence < 0.8


def test_what_shows_other_print_is_not_meant():
    found = assess(f"query(unique({BLACK_CAN}), 'material')", graph=CANS)
    assert (found.verdict, found.noise.noise_type, found.answer) == (Verdict.CORRECTED, NoiseType.COLOR, "metal")
    assert found.text == 'The can that says "BEANS" is yellow, not black. Answer: metal.'


SMALL_CABINET = "unique(filter(filter(scene(), 'label', 'chest'), 'size', 'small'))"
CHESTS = with_more(
    obj(40, "chest", (3.0, 3.0, 0.0), (0.94, 0.4, 0.4), color="brown"),
    obj(41, "chest", (0.2, 3.0, 0.0), (1.05, 0.4, 0.4), color="green"),
)


def test_of_two_objects_of_about_one_size_the_small_one_is_the_smaller():
    found = assess(f"query({SMALL_CABINET}, 'color')", graph=CHESTS)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "brown")


def test_what_is_not_where_it_is_said_to_be_is_put_right_also_where_the_size_of_its_place_is_vague():
    found = assess(f"query(unique(relate({MUG}, 'on', {SMALL_CABINET})), 'color')", graph=CHESTS)
    assert (found.verdict, found.noise.noise_type) == (Verdict.CORRECTED, NoiseType.POSITION)
    assert found.text == "The mug is on the table, not on the small chest. Answer: blue."


def test_a_claimed_place_that_was_not_found_is_looked_for():
    found = assess(f"query(unique(relate({MUG}, 'on', unique(filter(scene(), 'label', 'stove')))), 'color')", False)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert (LookAt.LABEL, "stove") in [(look.what, look.label) for look in found.look_for]


BESIDE = "relate(filter(scene(), 'label', 'book'), 'next to', unique(filter(scene(), 'label', 'mug')))"


@pytest.mark.parametrize(("far", "verdict"), [(1.56, Verdict.ANSWERED), (1.28, Verdict.NEEDS_CONFIRMATION)])
def test_of_two_objects_beside_another_the_one_that_is_clearly_nearer_is_meant(far, verdict):
    home = with_more(
        obj(40, "book", (1.24, 1.1, 0.75), (0.05, 0.05, 0.04), 10, color="green"),
        obj(41, "book", (1.1, far, 0.75), (0.05, 0.05, 0.04), 10, color="yellow"),
    )
    found = assess(f"query(unique({BESIDE}), 'color')", graph=home)
    assert found.verdict is verdict
    assert found.answer == ("green" if verdict is Verdict.ANSWERED else "")


@pytest.mark.parametrize(("gap", "verdict"), [(0.35, "ANSWERED"), (0.45, "ANSWERED"), (0.6, "CORRECTED")])
def test_where_next_to_ends_is_no_objection(gap, verdict):
    clock = obj(40, "clock", (1.2 + gap, 1.1, 0.75), SMALL, 10, color="black")
    program = f"query(unique(relate(filter(scene(), 'label', 'clock'), 'next to', unique({MUG}))), 'color')"
    found = assess(program, graph=with_more(clock))
    assert (found.verdict.name, found.answer) == (verdict, "black")


def test_what_may_stand_on_the_claimed_object_is_believed_to():
    """A cabinet next to the bed, of its height; the lamp between them was seen on either."""
    chest = obj(40, "chest", (9.02, 1.0, 0.0), (0.5, 1.6, 0.5), room=2)
    lamp = obj(41, "lamp", (8.96, 1.4, 0.5), SMALL, 11, room=2, color="pink")
    on_chest = f"query(unique(relate(filter(scene(), 'label', 'lamp'), 'on', {CHEST})), 'color')"
    found = assess(on_chest, graph=with_more(chest, lamp))
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "pink")
    assert found.confidence < 0.8
    found = assess(on_chest.replace("lamp", "vase"), graph=with_more(chest, lamp))
    assert found.text == "The vase is on the bed, not on the chest. Answer: red."


CHEST = "unique(filter(scene(), 'label', 'chest'))"


def test_a_wrong_place_is_put_right_also_where_the_answer_cannot_be_told():
    found = assess(f"query(unique(relate(filter(scene(), 'label', 'vase'), 'on', {TABLE})), 'text')")
    assert (found.verdict, found.noise.noise_type, found.answer) == (Verdict.CORRECTED, NoiseType.POSITION, "")
    assert found.text.startswith("The vase is on the bed, not on the table. I see the vase, but ")


def test_print_on_a_side_that_was_not_seen_is_not_called_missing():
    program = f"query(unique(relate(filter(scene(), 'label', 'vase'), 'on', {BED})), 'text')"
    assert assess(program).verdict is Verdict.NEEDS_LOOK
    scene = KnownScene(with_more())
    blank = frozenset(item.instance_id for item in scene.objects if item.label == "vase")
    question = ParsedQuestion("", read_program(program))
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene), True, blank)
    assert found.verdict is Verdict.UNANSWERABLE


def test_small_is_told_with_reserve_before_all_of_the_kind_were_seen():
    """Others of the kind may be smaller still."""
    program = f"query({SMALL_CABINET}, 'color')"
    small = obj(42, "chest", (2.0, 3.0, 0.0), (0.5, 0.4, 0.4), color="red")
    home = with_more(*(node for node in CHESTS.nodes if node.label == "chest"), small)
    scene = KnownScene(home, frozenset({22}))
    question = ParsedQuestion("", read_program(program))
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene), False)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "red")
    assert found.confidence <= 0.6
    assert (LookAt.ANYWHERE, "chest") in [(look.what, look.label) for look in found.look_for]
    assert assess(program, graph=home).confidence > 0.8


@pytest.mark.parametrize("gap", [0.45, 0.6])
def test_of_one_object_no_answer_is_made_up_from_several(gap):
    """Neither stands next to the mug, one is red and one is not: which of them is meant is asked."""
    clocks = (
        obj(40, "clock", (1.2 + gap, 1.1, 0.75), SMALL, 10, color="black"),
        obj(41, "clock", (1.1, 1.2 + gap, 0.75), SMALL, 10, color="red"),
    )
    program = f"verify(unique(relate(filter(scene(), 'label', 'clock'), 'next to', unique({MUG}))), 'color', 'red')"
    found = assess(program, graph=with_more(*clocks))
    assert (found.verdict, found.answer) == (Verdict.NEEDS_CONFIRMATION, "")


def test_a_correction_is_about_as_many_as_the_question():
    boxes = (
        obj(40, "box", (2.0, 3.0, 0.0), (0.6, 0.6, 0.6), color="blue"),
        obj(41, "box", (3.0, 3.0, 0.0), (0.58, 0.58, 0.58), color="blue"),
    )
    large = "unique(filter(filter(filter(scene(), 'label', 'box'), 'size', 'large'), 'color', 'red'))"
    found = assess(f"query({large}, 'room')", graph=with_more(*boxes), number=2)
    assert found.verdict is Verdict.CORRECTED
    assert "boxes are blue" in found.text
    assert "two" in found.noise.corrected_question


def test_what_may_be_nearer_is_looked_at_before_anything_is_taken_on_trust(monkeypatch):
    def unsure(_, place, selection, number=None):
        if isinstance(place, Relate):
            raise NotSeen("there may be a nearer one", ())
        return selection.sure

    monkeypatch.setattr(Evaluation, "nearest", unsure)
    scene = KnownScene(with_more(obj(40, "clock", (1.65, 1.1, 0.75), SMALL, 10)))
    sight = ObservedFacts(scene, KnownSpace(scene), True, RelationSettings())
    step = read_program(f"query(unique(relate(filter(scene(), 'label', 'clock'), 'next to', unique({MUG}))), 'color')")
    with pytest.raises(NotSeen):
        fitting_on_trust(step.one, Evaluation(sight))


@pytest.mark.parametrize(
    ("searched", "exhausted", "verdict"),
    [
        (0.35, True, Verdict.NEEDS_LOOK),
        (0.45, True, Verdict.CORRECTED),
        (0.45, False, Verdict.NEEDS_LOOK),
        (0.95, True, Verdict.CORRECTED),
    ],
)
def test_at_the_end_of_a_search_the_only_one_that_was_seen_is_likelier_meant_than_one_in_what_was_not(
    monkeypatch, searched, exhausted, verdict
):
    monkeypatch.setattr(KnownScene, "searched_share", lambda *_: searched)
    program = f"query(unique(filter({MUG}, 'color', 'red')), 'place')"
    found = assess(program, exhausted=exhausted)
    assert found.verdict is verdict
    if verdict is Verdict.CORRECTED:
        assert found.text == "The mug is blue, not red. Answer: on the table."
        assert found.noise.noise_type is NoiseType.COLOR
    if searched < 0.5:
        assert found.confidence < 0.7


@pytest.mark.parametrize(
    "objects",
    [
        f"relate({MUG}, 'on', {BED})",  # it may be where nobody looked
        "filter(scene(), 'label', 'guitar')",  # none was seen
        f"filter({MUG}, 'room', 'bedroom')",
    ],
)
def test_places_and_kinds_are_not_put_right_where_little_was_seen(monkeypatch, objects):
    monkeypatch.setattr(KnownScene, "searched_share", lambda *_: 0.45)
    found = assess(f"query(unique({objects}), 'color')", exhausted=True, hidden={22})
    assert found.verdict is Verdict.NEEDS_LOOK


def test_of_two_that_look_otherwise_neither_is_meant_where_little_was_seen(monkeypatch):
    monkeypatch.setattr(KnownScene, "searched_share", lambda *_: 0.45)
    green = obj(24, "mug", (9.0, 1.2, 0.5), SMALL, 11, room=2, color="green", material="ceramic")
    found = assess(f"query(unique(filter({MUG}, 'color', 'red')), 'place')", exhausted=True, graph=with_more(green))
    assert found.verdict is Verdict.NEEDS_LOOK
