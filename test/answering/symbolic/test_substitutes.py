"""What must be meant by the name of an object that is not there: by its looks, its meaning or its attributes."""

import pytest
from known_scenes import KnownScene, KnownSpace
from two_rooms import BED, SMALL, TABLE, assess, obj, with_more

from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.answering.symbolic.substitutes import confusability
from vantage.perception.map.word_votes import WordVotes
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import read_program
from vantage.types import NoiseType, Verdict

ORANGE = obj(30, "orange", (1.5, 1.4, 0.75), (0.08, 0.08, 0.08), 10, color="orange", material="plastic")
VIOLIN = obj(31, "violin", (8.0, 1.2, 0.5), (0.6, 0.2, 0.1), 11, room=2, color="brown", material="wood")
HOME = with_more(ORANGE, VIOLIN)


def asked(text, graph=HOME, exhausted=True, hidden=(), mode="nacot"):
    scene = KnownScene(graph, frozenset(hidden))
    return SymbolicReasoner(mode=mode).assess(parse(text), scene, KnownSpace(scene), exhausted)


@pytest.mark.parametrize(
    ("text", "noise", "said", "corrected"),
    [
        (
            "What is the apple on the table made of?",
            NoiseType.PERCEPTION,
            "There is no apple on the table; there is an orange. Answer: plastic.",
            "What is the orange on the table made of?",
        ),
        (
            "Is the guitar on the bed made of wood?",
            NoiseType.SEMANTIC,
            "There is no guitar on the bed; there is a violin. Answer: yes.",
            "Is the violin on the bed made of wood?",
        ),
        (
            "Is the brown guitar on the bed made of glass?",
            NoiseType.SEMANTIC,
            "There is no brown guitar on the bed; there is a violin. Answer: no.",
            "Is the brown violin on the bed made of glass?",
        ),
        (
            "What is the orange basketball on the table made of?",  # of another size, and outside the table of looks
            NoiseType.PERCEPTION,
            "There is no orange ball on the table; there is an orange. Answer: plastic.",
            "What is the orange orange on the table made of?",
        ),
        (
            "Is the blue ceramic gizmo on the table empty?",
            NoiseType.PERCEPTION,
            "There is no blue ceramic gizmo on the table; there is a mug. Answer: yes.",
            "Is the blue ceramic mug on the table empty?",
        ),
        (
            "Where is the brown guitar?",
            NoiseType.SEMANTIC,
            "There is no brown guitar; there is a violin. Answer: on the bed.",
            "Where is the brown violin?",
        ),
        (
            "Which room is the guitar on the bed in?",
            NoiseType.SEMANTIC,
            "There is no guitar on the bed; there is a violin. Answer: bedroom.",
            "Which room is the violin on the bed in?",
        ),
    ],
)
def test_what_must_be_meant_is_named_and_asked_about(text, noise, said, corrected):
    found = asked(text)
    assert (found.verdict, found.noise.noise_type) == (Verdict.CORRECTED, noise)
    assert found.text == said
    assert found.noise.corrected_question == corrected
    assert parse(corrected) is not None
    assert found.evidence
    assert asked(corrected).answer == found.answer


def test_the_claim_and_what_is_right_differ_in_the_name_alone():
    report = asked("Is the brown guitar on the bed made of wood?").noise
    assert report.false_claim == "there is a brown guitar on the bed"
    assert report.correction == "there is a brown violin on the bed"


@pytest.mark.parametrize(
    "text",
    [
        "What color is the robot on the table?",  # nothing like it is there
        "What is the green guitar on the bed made of?",  # what is like it there has another color
        "What color is the guitar on the table?",  # what is like it is somewhere else
        "What is the blue gizmo on the table made of?",  # the color alone says too little
    ],
)
def test_a_thing_that_nothing_there_is_like_is_called_absent(text):
    found = asked(text)
    assert (found.verdict, found.noise.noise_type) == (Verdict.UNANSWERABLE, NoiseType.LATENT)
    assert found.answer == ""


def test_a_object_somewhere_else_is_rather_meant_than_another_here():
    guitar = obj(32, "guitar", (1.2, 1.3, 0.75), (0.6, 0.2, 0.1), 10, color="red", material="wood")
    found = asked("What color is the guitar on the bed?", with_more(VIOLIN, guitar))
    assert found.noise.noise_type is NoiseType.POSITION
    assert found.text == "The guitar is on the table, not on the bed. Answer: red."


def test_the_nearest_in_meaning_is_meant_and_of_several_as_near_the_question_is_which():
    lights = [
        obj(k, kind, (7.3 + 0.01 * k, 2.0, 0.5), SMALL, 11, room=2) for k, kind in ((33, "candle"), (34, "candlestick"))
    ]
    candle, stick = (confusability("lamp", kind).strength for kind in ("candle", "candlestick"))
    assert candle > stick + 0.05 > 0.05
    assert "there is a candle." in asked("Which room is the lamp on the bed in?", with_more(*lights)).text
    can = obj(40, "can", (7.0, 1.5, 0.5), SMALL, 11, room=2)
    found = asked("What color is the soap dispenser on the bed?", with_more(can))
    assert found.verdict is Verdict.NEEDS_CONFIRMATION
    assert (
        found.text == "I see no soap dispenser on the bed; did you mean the red vase on the bed or the can on the bed?"
    )
    assert found.answer == ""


def test_several_of_one_kind_are_meant_where_they_answer_alike_or_are_counted():
    second = obj(34, "violin", (7.4, 1.9, 0.5), (0.6, 0.2, 0.1), 11, room=2, color="brown", material="plastic")
    both = with_more(VIOLIN, second)
    alike = asked("What color is the guitar on the bed?", both)
    assert alike.text == "There is no guitar on the bed; there are two violins. Answer: brown."
    assert asked("What is the guitar on the bed made of?", both).verdict is Verdict.NEEDS_CONFIRMATION
    counted = asked("What are the two guitars on the bed made of?", both)
    assert counted.text == "There is no guitar on the bed; there are two violins. Answer: plastic and wood."
    assert asked("What are the three guitars on the bed made of?", both).verdict is Verdict.NEEDS_CONFIRMATION


def test_nothing_is_put_in_place_before_the_place_was_seen():
    found = asked("What color is the guitar on the bed?", exhausted=False, hidden={22})
    assert found.verdict is Verdict.NEEDS_LOOK
    assert "no guitar" not in found.text


def test_what_may_be_meant_is_looked_at_before_it_is_called_absent():
    scene = KnownScene(HOME, blurred={31})
    question = parse("Is the brown guitar on the bed made of wood?")
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene))
    assert (found.verdict, found.look_for[0].instance_id) == (Verdict.NEEDS_LOOK, 31)
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene), True)
    assert found.verdict is Verdict.UNANSWERABLE  # its color never was made out


def test_whether_there_is_one_is_no_premise():
    found = asked("Is there a guitar on the bed?")
    assert (found.verdict, found.answer, found.noise.noise_type) == (Verdict.ANSWERED, "no", NoiseType.NONE)
    assert asked("How many guitars are on the bed?").answer == "0"


def test_what_else_is_wrong_makes_it_unanswerable():
    piano = "unique(filter(scene(), 'label', 'piano'))"
    guitar = f"unique(relate(filter(scene(), 'label', 'guitar'), 'on', {BED}))"
    program = f"compare_attribute('color', {guitar}, {piano})"
    assert assess(program, graph=HOME).verdict is Verdict.UNANSWERABLE


def test_it_is_a_step_of_its_own():
    for mode, verdict in (("nacot", Verdict.CORRECTED), ("nap", Verdict.UNANSWERABLE), ("plain", Verdict.ANSWERED)):
        assert asked("What is the apple on the table made of?", mode=mode).verdict is verdict


@pytest.mark.parametrize(
    ("one", "other", "likeness", "near"),
    [
        ("apple", "orange", True, False),
        ("violin", "guitar", False, True),
        ("mug", "vase", True, False),
        ("jar", "vase", False, True),
        ("robot", "sofa", False, False),
        ("gizmo", "mug", False, False),
    ],
)
def test_kinship_goes_both_ways(one, other, likeness, near):
    for found in (confusability(one, other), confusability(other, one)):
        assert (found.likeness > 0.0, found.nearness > 0.0, bool(found)) == (likeness, near, likeness or near)


def test_what_may_be_called_so_is_no_noise():
    assert confusability("jar", "vase").noise is NoiseType.NONE
    assert confusability("vase", "jar").noise is NoiseType.SEMANTIC  # no jar is called a vase
    found = asked("What is the jar on the bed made of?")
    assert (found.verdict, found.text) == (Verdict.ANSWERED, "glass")


def test_what_some_views_took_for_what_was_named_is_no_noise():
    scene, votes = KnownScene(HOME), WordVotes()
    for place, label, weight in ((1, "orange", 3.0), (2, "orange", 3.0), (3, "apple", 3.0)):
        votes.cast(place, label, weight)
    scene.get(30).votes["label"] = votes
    question = parse("What is the apple on the table made of?")
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene), True)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "plastic")
    votes.cast(4, "orange", 3.0)
    scene.frames += 1
    found = SymbolicReasoner().assess(question, scene, KnownSpace(scene), True)
    assert (found.verdict, found.noise.noise_type) == (Verdict.CORRECTED, NoiseType.PERCEPTION)


def test_a_faint_likeness_only_counts_with_attributes():
    assert [bool(confusability("ball", "orange", k)) for k in (0, 1, 2)] == [False, True, True]
    assert [bool(confusability("gizmo", "mug", k)) for k in (0, 1, 2)] == [False, False, True]
    assert confusability("apple", "orange", 2) == confusability("apple", "orange")


def test_a_program_about_rooms_is_left_alone():
    question = ParsedQuestion("", read_program("query(unique(filter(rooms(), 'label', 'garage')), 'size')"))
    scene = KnownScene(HOME)
    assert SymbolicReasoner().assess(question, scene, KnownSpace(scene), True).verdict is Verdict.UNANSWERABLE
    table = f"query(unique(relate(scene(), 'above', {TABLE})), 'label')"
    assert assess(table, graph=HOME).verdict is Verdict.UNANSWERABLE


def test_nothing_is_taken_for_a_container_that_can_hold_nothing():
    hat = obj(32, "hat", (8.5, 2.2, 0.5), (0.3, 0.3, 0.12), 11, room=2, color="black")
    found = asked("What is the car in the basket made of?", with_more(hat), exhausted=True)
    assert found.verdict is Verdict.UNANSWERABLE
    assert "hat" not in found.text


def test_while_the_object_itself_may_turn_up_asking_back_says_where_to_look():
    more = obj(32, "apple", (1.7, 1.6, 0.75), (0.08, 0.08, 0.08), 10, color="green")
    twin = obj(33, "ball", (1.3, 1.6, 0.75), (0.08, 0.08, 0.08), 10, color="orange")
    found = asked("What is the tomato on the table made of?", with_more(ORANGE, more, twin), exhausted=False)
    assert found.verdict is Verdict.NEEDS_CONFIRMATION
    assert found.look_for
