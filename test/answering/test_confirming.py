"""Corrected questions that wait for a person: proposed, agreed to, refused."""

from dataclasses import replace

import pytest
from question_scenes import detections_of, hand_made, view

from vantage.answering import engine
from vantage.answering.engine import QuestionAnswering
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.types import NoiseType, Question, Verdict

RED_VASE = Question("q1", "What is the red vase on the table made of?")


def knowing(**more):
    """Question answering with a green vase on a table, which asks before it answers."""
    answering = QuestionAnswering(PrivilegedPerceiver(), require_confirmation=True, **more)
    answering.memory.add(view(), detections_of(hand_made()))
    return answering


def test_a_correction_is_proposed_without_its_answer():
    proposed = knowing().ask(RED_VASE, exhausted=True)
    assert proposed.verdict is Verdict.NEEDS_CONFIRMATION
    assert proposed.text == (
        'The vase on the table is green, not red. Did you mean: "What is the green vase on the table made of?"'
    )
    assert proposed.noise.noise_type is NoiseType.COLOR
    assert proposed.noise.corrected_question == "What is the green vase on the table made of?"
    assert "glass" not in repr(proposed)
    assert proposed.evidence


def test_an_accepted_correction_is_answered():
    answering = knowing()
    proposed = answering.ask(RED_VASE, exhausted=True)
    told = answering.confirm(RED_VASE, accept=True)
    assert (told.verdict, told.question_id) == (Verdict.CORRECTED, "q1")
    assert told.text == "The vase on the table is green, not red. Answer: glass."
    assert told.noise == proposed.noise


def test_a_refused_correction_leaves_the_question_without_an_answer():
    answering = knowing()
    answering.ask(RED_VASE, exhausted=True)
    told = answering.confirm(RED_VASE, accept=False)
    assert told.verdict is Verdict.UNANSWERABLE
    assert told.text == "The vase on the table is green, not red. The question as it was asked has no answer."
    assert "glass" not in repr(told)
    assert told.noise.noise_type is NoiseType.COLOR


def test_what_was_seen_meanwhile_counts():
    answering = knowing()
    answering.ask(RED_VASE, exhausted=True)
    vase = next(seen for seen in detections_of(hand_made()) if seen.label == "vase")
    (x0, y0, z0), (x1, y1, z1) = vase.bounds_min, vase.bounds_max
    moved = {"bounds_min": (x0 + 0.2, y0, z0), "bounds_max": (x1 + 0.2, y1, z1), "center": (x0 + 0.25, y0, z0)}
    answering.memory.add(view(2), [replace(vase, instance_id=77, color="red", material="metal", **moved)])
    told = answering.confirm(RED_VASE, accept=True)
    assert (told.verdict, told.text) == (Verdict.ANSWERED, "metal")


def test_a_correction_at_the_end_of_a_search_is_still_one_when_it_is_confirmed():
    answering = knowing()
    nowhere = Question("q2", "What color is the vase on the piano?")
    assert answering.ask(nowhere).verdict is Verdict.NEEDS_LOOK
    assert answering.confirm(nowhere, accept=True).verdict is Verdict.NEEDS_LOOK
    assert answering.ask(nowhere, exhausted=True).verdict is Verdict.NEEDS_CONFIRMATION
    assert answering.confirm(nowhere, accept=True).text == "The vase is on the table, not on the piano. Answer: green."


def test_what_was_proposed_for_want_of_another_look_can_be_confirmed_too():
    answering = knowing()
    nowhere = Question("q2", "What color is the vase on the piano?")
    proposed = answering.ask(nowhere, last=True)
    assert proposed.verdict is Verdict.NEEDS_CONFIRMATION
    told = answering.confirm(nowhere, accept=True)
    assert (told.verdict, told.confidence) == (Verdict.CORRECTED, proposed.confidence)
    assert told.confidence <= 0.5


@pytest.mark.parametrize("accept", [True, False])
def test_where_nothing_is_to_be_corrected_the_answer_is_that_to_the_question(accept):
    answering = knowing()
    honest = Question("q3", "What color is the vase on the table?")
    assert answering.ask(honest).verdict is Verdict.ANSWERED
    assert answering.confirm(honest, accept).text == "green"
    assert answering.confirm(Question("q4", "Where is the guitar?"), accept).verdict is Verdict.NEEDS_LOOK


def test_open_corrections_are_bounded_and_forgotten_with_the_rest(monkeypatch):
    monkeypatch.setattr(engine, "_MOST_OPEN", 3)
    answering = knowing()
    for k in range(10):
        answering.ask(replace(RED_VASE, question_id=f"q{k}"), exhausted=True)
    assert answering.open_corrections == 3
    assert answering.confirm(replace(RED_VASE, question_id="q9"), accept=True).verdict is Verdict.CORRECTED
    assert answering.open_corrections == 2
    answering.reset()
    assert answering.open_corrections == 0


def test_without_the_setting_a_correction_is_told_at_once():
    answering = QuestionAnswering(PrivilegedPerceiver())
    answering.memory.add(view(), detections_of(hand_made()))
    assert answering.ask(RED_VASE, exhausted=True).verdict is Verdict.CORRECTED
