"""Split conformal prediction and the map of confidence: the maths, and files of them.

Answers behind a calibration: given, looked into further, or put to a person.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from colored_views import colored
from honest_model import honest
from hypothesis import given, strategies as st
from question_scenes import hand_made, remembered

from vantage.answering.calibration import (
    CalibratedAnswering,
    Calibration,
    Judged,
    calibrate,
    calibration_error,
    conformal_quantile,
    isotonic,
    nonconformity,
    read_calibration,
    write_calibration,
)
from vantage.answering.engine import QuestionAnswering
from vantage.answering.protocol import Answering
from vantage.answering.vlm.model_answering import ModelAnswering
from vantage.errors import FormatError, UsageError
from vantage.perception.protocol import BlindPerceiver
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
    answering.restored()
    assert answering.ask(ASKED).verdict is Verdict.ANSWERED
    answering.reset()
    assert answering.ask(ASKED).verdict is Verdict.NEEDS_LOOK


def answers(n, seed=0, truth=lambda p: p, groups=0):
    """Answers that are right with probability ``truth(stated)``."""
    rng = np.random.default_rng(seed)
    stated = rng.uniform(0.3, 1.0, n)
    return [
        Judged(float(p), bool(rng.random() < truth(p)), f"g{k % groups}" if groups else f"g{k}")
        for k, p in enumerate(stated)
    ]


def test_the_quantile_is_the_one_of_knowno():
    scores = [0.1 * k for k in range(1, 10)]  # n = 9: ceil(10 * 0.9) = 9, the largest
    assert conformal_quantile(scores, 0.1) == pytest.approx(0.9)
    assert conformal_quantile(scores, 0.05) == 1.0, "nine answers do not promise 95 %"
    assert conformal_quantile([], 0.1) == 1.0
    assert conformal_quantile(scores, 0.999) <= 0.2


@pytest.mark.parametrize(("n", "epsilon"), [(19, 0.1), (39, 0.1), (100, 0.2), (57, 0.3)])
def test_the_next_score_of_the_same_kind_is_below_it_as_often_as_promised(n, epsilon):
    draws = np.random.default_rng(n).random((2000, n + 1))
    below = [draw[-1] <= conformal_quantile(list(draw[:-1]), epsilon) for draw in draws]
    assert 1 - epsilon - 0.02 <= np.mean(below) <= 1 - epsilon + 2.5 / n + 0.02


def test_scores_are_one_minus_the_probability_of_the_truth():
    assert nonconformity(0.8, True) == pytest.approx(0.2)
    assert nonconformity(0.8, False) == pytest.approx(0.8)


def test_calibration_error_by_hand():
    confidences = np.array([0.95, 0.95, 0.15, 0.15])
    right = np.array([True, False, False, False])
    assert calibration_error(confidences, right) == pytest.approx(0.5 * 0.45 + 0.5 * 0.15)
    assert calibration_error(np.array([1.0, 0.0]), np.array([True, False])) == 0.0


def test_neighbours_that_fall_are_pooled():
    stated, observed = isotonic([0.2, 0.4, 0.6, 0.8], [False, True, False, True])
    assert stated == (0.2, 0.4, 0.6, 0.8)
    assert observed[1] == observed[2]
    assert observed[0] < observed[1] < observed[3] < 1.0
    assert isotonic([0.5, 0.5], [True, False]) == ((0.5,), (0.5,))


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_the_map_ascends_within_0_and_1_and_keeps_the_mean(pairs):
    stated, observed = isotonic([p for p, _ in pairs], [hit for _, hit in pairs])
    assert list(stated) == sorted(stated)
    assert list(observed) == sorted(observed)
    assert all(0.0 <= value <= 1.0 for value in observed)


@pytest.mark.parametrize("truth", [lambda p: p, lambda p: p**3, lambda p: 0.55, lambda p: 1.0 - 0.3 * p])
def test_coverage_holds_whatever_confidence_is_worth(truth):
    found = [calibrate(answers(400, seed, truth), 0.1) for seed in range(30)]
    assert np.mean([each.coverage for each in found]) >= 0.9 - 0.01
    wrong = [each.sure * (1.0 - each.right_if_sure) for each in found]
    assert np.mean(wrong) <= 0.1 + 0.01, "wrong answers that nobody was asked about"


def test_calibration_makes_overconfidence_honest():
    found = calibrate(answers(800, truth=lambda p: p**3), 0.1)
    assert found.error_before > 0.15
    assert found.error_after < 0.09
    assert found.calibrated(0.7) < 0.5


def test_an_answerer_who_is_always_right_is_sure_and_one_at_chance_is_not():
    right = calibrate(answers(200, truth=lambda p: 1.0), 0.1)
    assert right.is_sure(0.9)
    assert right.sure == right.coverage == 1.0
    chance = calibrate(answers(200, truth=lambda p: 0.5), 0.1)
    assert not chance.is_sure(0.9)
    assert chance.coverage == 1.0, "both options remain"
    assert (chance.sure, chance.right_if_sure) == (0.0, 0.0)


def test_too_few_answers_for_an_epsilon_leave_everything_to_people():
    found = calibrate(answers(40, truth=lambda p: 1.0), 0.01)
    assert found.quantile == 1.0
    assert not found.is_sure(1.0)


def test_groups_stay_together_and_the_parts_are_always_the_same():
    many = answers(400, groups=16)
    found = calibrate(many, 0.1)
    assert (found.learned, found.measured) == (200, 200)
    assert calibrate(many, 0.1) == found
    by_scene = {group: [k for k, item in enumerate(many) if item.group == group] for group in ("g0", "g1")}
    assert all(len(members) == 25 for members in by_scene.values())


@pytest.mark.parametrize(
    ("n", "epsilon", "sentence"), [(19, 0.1, "too few"), (50, 0.0, "epsilon"), (50, 1.5, "epsilon")]
)
def test_what_cannot_be_calibrated_is_refused(n, epsilon, sentence):
    with pytest.raises(UsageError, match=sentence):
        calibrate(answers(n), epsilon)


def test_a_file_is_read_as_it_was_written(tmp_path):
    found = calibrate(answers(100), 0.1, "symbolic/nacot", "degraded")
    write_calibration(tmp_path / "c.json", found)
    assert read_calibration(tmp_path / "c.json") == found


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda fields: None, "is no calibration"),
        (lambda fields: [1], "is no calibration"),
        (lambda fields: {**fields, "schema": "vantage.score/1"}, "is no calibration"),
        (lambda fields: {k: v for k, v in fields.items() if k != "quantile"}, "lacks 'quantile'"),
        (lambda fields: {**fields, "model.url": "x"}, r"says 'model\.url', .* into your own --config or --set"),
        (lambda fields: {**fields, "quantile": "high"}, "not finite"),
        (lambda fields: {**fields, "quantile": 1.5}, "outside 0..1"),
        (lambda fields: {**fields, "stated": [], "observed": []}, "does not ascend"),
        (lambda fields: {**fields, "observed": fields["observed"][::-1]}, "does not ascend"),
        (lambda fields: {**fields, "observed": fields["observed"][1:]}, "does not ascend"),
        (lambda fields: {**fields, "stated": 3}, "cannot be used"),
        (lambda fields: {**fields, "model": 7}, "no text"),
    ],
)
def test_a_bad_file_is_refused_with_one_sentence(tmp_path, change, sentence):
    path = tmp_path / "c.json"
    write_calibration(path, calibrate(answers(100), 0.1))
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(FormatError, match=sentence) as raised:
        read_calibration(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", ["", "{", "NaN", "\x00", "[" * 9000])
def test_a_file_that_is_no_json_is_refused(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_text(content)
    with pytest.raises(FormatError):
        read_calibration(path)
    with pytest.raises(FormatError):
        read_calibration(tmp_path / "missing.json")


def test_rounding_does_not_throw_out_the_boundary():
    found = replace(calibrate(answers(100), 0.1), stated=(0.0, 1.0), observed=(0.0, 1.0), quantile=0.1 + 0.2)
    assert found.is_sure(0.7)
    assert not found.is_sure(0.69)
