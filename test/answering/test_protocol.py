"""The three ways to treat premises: what each notices, and that honest questions are answered alike."""

import numpy as np
import pytest
from known_scenes import ASKER, KnownScene, KnownSpace, random_home
from random_programs import PROGRAMS, Chance
from two_rooms import BED, GRAPH, MUG, TABLE

from vantage.answering.protocol import MODES, mode_of
from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.errors import UnknownNameError
from vantage.questions.execution import execute
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import read_program
from vantage.types import NoiseType, Verdict

RED = f"relate(filter({MUG}, 'color', 'red'), 'on', {TABLE})"
RED_WOODEN = f"filter({RED}, 'material', 'wood')"
ON_BED = f"relate({MUG}, 'on', {BED})"
GUITAR = f"relate(filter(scene(), 'label', 'guitar'), 'on', {TABLE})"
GUITAR_ANYWHERE = "filter(scene(), 'label', 'guitar')"


def assess(program, mode, exhausted=True, number=None, scene=None):
    scene = scene or KnownScene(GRAPH)
    question = ParsedQuestion("", read_program(program), number)
    return SymbolicReasoner(mode=mode).assess(question, scene, KnownSpace(scene), exhausted)


@pytest.mark.parametrize(
    ("program", "mode", "verdict", "noise", "answer"),
    [
        (f"query(unique({RED}), 'material')", "plain", Verdict.ANSWERED, NoiseType.NONE, "ceramic"),
        (f"query(unique({RED}), 'material')", "nap", Verdict.CORRECTED, NoiseType.COLOR, "ceramic"),
        (f"query(unique({RED}), 'material')", "nacot", Verdict.CORRECTED, NoiseType.COLOR, "ceramic"),
        (f"verify(unique({RED_WOODEN}), 'state', 'empty')", "plain", Verdict.ANSWERED, NoiseType.NONE, "yes"),
        (f"verify(unique({RED_WOODEN}), 'state', 'empty')", "nap", Verdict.UNANSWERABLE, NoiseType.LATENT, ""),
        (f"verify(unique({RED_WOODEN}), 'state', 'empty')", "nacot", Verdict.CORRECTED, NoiseType.COLOR, "yes"),
        (f"query(unique({ON_BED}), 'color')", "plain", Verdict.ANSWERED, NoiseType.NONE, "blue"),
        (f"query(unique({ON_BED}), 'color')", "nap", Verdict.CORRECTED, NoiseType.POSITION, "blue"),
        (f"query(unique({ON_BED}), 'color')", "nacot", Verdict.CORRECTED, NoiseType.POSITION, "blue"),
        (f"query(unique({GUITAR}), 'color')", "nap", Verdict.UNANSWERABLE, NoiseType.LATENT, ""),
        (f"query(unique({GUITAR}), 'color')", "nacot", Verdict.UNANSWERABLE, NoiseType.LATENT, ""),
    ],
)
def test_each_way_notices_what_its_steps_can(program, mode, verdict, noise, answer):
    found = assess(program, mode)
    assert (found.verdict, found.noise.noise_type, found.answer) == (verdict, noise, answer)


@pytest.mark.parametrize(
    ("program", "number"),
    [
        (f"query(unique({GUITAR}), 'color')", None),
        (f"query(unique({GUITAR_ANYWHERE}), 'place')", None),
        (f"verify(unique({GUITAR}), 'material', 'wood')", None),
        (f"query(unique(relate({MUG}, 'on', {TABLE})), 'material')", 3),
        (f"query(unique(relate({MUG}, 'on', unique({GUITAR_ANYWHERE}))), 'color')", None),
        (f"verify_relation(unique({MUG}), 'on', unique({GUITAR_ANYWHERE}))", None),
        (f"exist(relate({MUG}, 'on', unique({GUITAR_ANYWHERE})))", None),
        (f"count(relate({MUG}, 'on', unique({GUITAR_ANYWHERE})))", None),
        ("query(unique(scene()), 'color')", None),
        (f"compare_attribute('color', unique({GUITAR}), unique({MUG}))", None),
    ],
)
def test_who_trusts_answers_without_a_word_of_objection(program, number):
    found = assess(program, "plain", number=number)
    assert found.verdict is Verdict.ANSWERED
    assert found.text == found.answer != ""
    assert found.noise.noise_type is NoiseType.NONE


def test_who_trusts_takes_what_fits_most_of_a_description():
    assert assess(f"query(unique({GUITAR}), 'place')", "plain").answer == "on the table"
    assert (
        assess(f"query(unique({ON_BED}), 'place')", "plain").answer == "on the table"
    )  # the mug, not the pillow there
    book = f"relate(filter({GUITAR_ANYWHERE}, 'color', 'red'), 'on', {TABLE})"
    assert assess(f"query(unique({book}), 'material')", "plain").answer == "paper"


def test_who_trusts_is_less_sure_and_looks_on_for_what_is_meant():
    sure, unsure = (assess(f"query(unique({step}), 'color')", "plain", exhausted=False) for step in (MUG, GUITAR))
    assert unsure.confidence < 0.8 <= sure.confidence
    assert [look.label for look in unsure.look_for] == ["guitar"]
    assert assess(f"query(unique({GUITAR}), 'color')", "plain").look_for == ()


def test_who_trusts_looks_before_answering():
    scene = KnownScene(GRAPH, hidden=frozenset({22}))
    found = assess(f"query(unique({ON_BED}), 'color')", "plain", exhausted=False, scene=scene)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert found.look_for[0].label == "bed"


def test_who_trusts_makes_up_nothing_where_nothing_was_seen():
    empty = KnownScene(GRAPH, hidden=frozenset(node.instance_id for node in GRAPH.nodes))
    for exhausted in (False, True):
        found = assess(f"query(unique({GUITAR_ANYWHERE}), 'color')", "plain", exhausted, scene=empty)
        assert (found.verdict, found.answer) == (Verdict.NEEDS_LOOK, "")
    unread = assess("query(unique(filter(scene(), 'label', 'book')), 'text')", "plain")
    assert unread.verdict is Verdict.NEEDS_LOOK  # nothing is written on it


@pytest.mark.parametrize("kind", PROGRAMS)
def test_honest_questions_are_answered_alike(kind):
    answered = 0
    for seed in range(60):
        graph, program = random_home(np.random.default_rng(seed)), Chance(seed).program(kind)
        scene = KnownScene(graph)
        question = ParsedQuestion("", program)
        found = [SymbolicReasoner(mode=mode).assess(question, scene, KnownSpace(scene), True) for mode in MODES]
        if not execute(program, graph, ASKER).problem:
            assert {(each.verdict, each.answer) for each in found} == {(Verdict.ANSWERED, found[-1].answer)}
            answered += 1
        assert found[0].verdict in (Verdict.ANSWERED, Verdict.NEEDS_LOOK)
        assert found[0].noise.noise_type in (NoiseType.NONE, NoiseType.UNKNOWN)
    assert answered >= 3


def test_the_way_is_part_of_the_name():
    assert [SymbolicReasoner(mode=mode).name for mode in MODES] == ["symbolic/plain", "symbolic/nap", "symbolic/nacot"]
    assert SymbolicReasoner().name == "symbolic/nacot"


def test_an_unknown_way_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'nacot'"):
        mode_of("nacott")
    with pytest.raises(UnknownNameError, match="known: plain, nap, nacot"):
        SymbolicReasoner(mode="")
