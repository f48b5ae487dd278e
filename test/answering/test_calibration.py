"""Split conformal prediction and the map of confidence: the maths, and files of them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.answering.calibration import (
    Judged,
    calibrate,
    calibration_error,
    conformal_quantile,
    isotonic,
    nonconformity,
    read_calibration,
    write_calibration,
)
from vantage.errors import FormatError, UsageError


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
