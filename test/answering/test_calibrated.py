"""Answers behind a calibration: given, looked into further, or put to a person."""

import pytest
from colored_views import colored
from honest_model import honest
from question_scenes import hand_made, remembered

from vantage.answering.calibrated import CalibratedAnswering
from vantage.answering.calibration import Calibration
from vantage.answering.engine import QuestionAnswering
from vantage.answering.protocol import Answering
from vantage.answering.vlm.model_answering import ModelAnswering
from vantage.perception.blind import BlindPerceiver
from vantage.types import Question, Verdict

ASKED = Question("q1", "What is the red box made of?")
VASE = Question("q1", "What color is the vase on the table?")


def calibration(right, quantile=0.25):
    """All answers are right as often as this."""
    return Calibration("m", "p", 0.1, quantile, (0.0, 1.0), (right, right), 50, 50, 0.9, 0.5, right, right, 0.2, 0.1)


def model(*colors):
    answering = ModelAnswering(honest(), QuestionAnswering(BlindPerceiver()))
    for number, color in enumerate(colors):
        answering.observe(colored(number, color))
    return answering


def test_what_is_sure_is_answered_with_the_confidence_that_it_deserves():
    answering: Answering = CalibratedAnswering(model("red"), calibration(0.8))
    answer = answering.ask(ASKED)
    assert (answer.verdict, answer.text) == (Verdict.ANSWERED, "wood")
    assert answer.confidence == pytest.approx(0.8)
    assert answer.model.startswith("honest/nacot#")
    assert answer.model.endswith("+calibrated")


def test_what_is_not_sure_is_looked_into_further_while_looks_are_left():
    answering = CalibratedAnswering(model("red"), calibration(0.6))
    answer = answering.ask(ASKED)
    assert answer.verdict is Verdict.NEEDS_LOOK
    assert answer.text == "I am only 60% sure, so I look further. Answer: wood."
    found = answering.assess(ASKED.text)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert found.look_for
    assert answering.look_for(ASKED.text)
    assert answering.check(ASKED.text)[:2] == (True, False)


@pytest.mark.parametrize("end", [{"exhausted": True}, {"last": True}])
def test_and_is_put_to_a_person_when_none_is_left(end):
    answering = CalibratedAnswering(model("red"), calibration(0.6))
    answer = answering.ask(ASKED, **end)
    assert answer.verdict is Verdict.NEEDS_CONFIRMATION
    assert answer.text == "I am only 60% sure; please confirm. Answer: wood."
    agreed = answering.confirm(ASKED, True)
    assert (agreed.verdict, agreed.text) == (Verdict.ANSWERED, "wood")
    refused = answering.confirm(ASKED, False)
    assert refused.verdict is Verdict.NEEDS_LOOK
    assert "not confirmed" in refused.text
    assert "wood" not in refused.text


def test_an_unsure_correction_stays_a_correction_to_confirm():
    answer = CalibratedAnswering(model("blue"), calibration(0.6)).ask(ASKED, last=True)
    assert answer.verdict is Verdict.NEEDS_CONFIRMATION
    assert answer.noise.corrected_question == "What is the blue box made of?"
    assert answer.text.endswith("The box is blue, not red. Answer: wood.")


def test_what_claims_nothing_is_left_alone():
    answering = CalibratedAnswering(model(""), calibration(0.6))
    answer = answering.ask(ASKED)
    assert answer.verdict is Verdict.NEEDS_LOOK
    assert "60%" not in answer.text
    assert answering.ask(Question("q", "")).verdict is Verdict.NEEDS_MODEL


def test_the_embedded_reasoner_is_calibrated_alike():
    plain = remembered(hand_made())
    said = plain.ask(VASE, last=True)
    sure = CalibratedAnswering(plain, calibration(0.9)).ask(VASE, last=True)
    assert (sure.text, sure.verdict) == (said.text, Verdict.ANSWERED)
    unsure = CalibratedAnswering(plain, calibration(0.5)).ask(VASE, last=True)
    assert unsure.verdict is Verdict.NEEDS_CONFIRMATION
    assert unsure.text.endswith(f"Answer: {said.text}.")


def test_everything_else_is_passed_on():
    inner = model()
    answering = CalibratedAnswering(inner, calibration(0.9))
    answering.observe(colored(1, "red"))
    assert answering.ask(ASKED).verdict is Verdict.ANSWERED
    assert (answering.memory, answering.perceiver, answering.coverage) == (inner.memory, inner.perceiver, None)
    answering.reset()
    assert answering.ask(ASKED).verdict is Verdict.NEEDS_LOOK
