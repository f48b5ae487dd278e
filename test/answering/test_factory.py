"""Who answers, by the settings."""

from dataclasses import replace

import pytest
from question_scenes import view

from vantage.answering.calibration import CalibratedAnswering, Judged, calibrate, write_calibration
from vantage.answering.engine import QuestionAnswering
from vantage.answering.factory import make_answering
from vantage.answering.vlm.model_answering import ModelAnswering, prompt_version
from vantage.config import AgentSettings, ModelSettings, Settings
from vantage.errors import FormatError, UsageError
from vantage.perception.protocol import BlindPerceiver
from vantage.types import Question, Verdict

ASKED = Question("q1", "Is there a mug?")
OPENAI = "openai:tiny"


def made(group=None, **agent):
    settings = replace(Settings(), agent=replace(AgentSettings(), **agent), model=group or ModelSettings())
    return make_answering(settings, BlindPerceiver())


@pytest.mark.parametrize("mode", ["plain", "nap", "nacot"])
def test_the_embedded_reasoner_is_the_default(mode):
    answering = made(mode=mode)
    assert type(answering) is QuestionAnswering
    assert answering.ask(ASKED).model == f"symbolic/{mode}"


def test_options_reach_the_reasoner():
    answering = make_answering(Settings(), BlindPerceiver(), bounds_min=(0, 0, 0), bounds_max=(1, 1, 1), voxel=0.2)
    assert answering.coverage is None
    assert answering.ask(ASKED).perception == "none"


@pytest.mark.needs("openai")
def test_a_model_answers_where_one_is_named():
    dead = ModelSettings(url="http://127.0.0.1:9/v1", retries=0, timeout=2.0)
    answering = made(dead, model=OPENAI, mode="nap")
    assert isinstance(answering, ModelAnswering)
    answering.observe(view())
    answer = answering.ask(ASKED, last=True)
    assert answer.verdict is Verdict.NEEDS_MODEL
    assert answer.model.endswith(f"/nap#{prompt_version('nap')}")


@pytest.mark.needs("openai")
def test_a_model_is_made_once_in_a_process():
    dead = ModelSettings(url="http://127.0.0.1:9/v1")
    first, second = made(dead, model=OPENAI), made(dead, model=OPENAI)
    assert isinstance(first, ModelAnswering)
    assert isinstance(second, ModelAnswering)
    assert first._model is second._model
    assert first._seen is not second._seen


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [({"mode": "nacott"}, "did you mean 'nacot'"), ({"model": "opnai:x"}, "did you mean 'openai'")],
)
def test_unknown_names_are_refused(agent, sentence):
    with pytest.raises(UsageError, match=sentence):
        made(**agent)


def calibration_file(tmp_path, model="symbolic/nacot", perception="none"):
    answers = [Judged(k / 40, True, str(k)) for k in range(40)]
    write_calibration(tmp_path / "c.json", calibrate(answers, 0.1, model, perception))
    return str(tmp_path / "c.json")


@pytest.mark.needs("openai")
def test_a_calibration_stands_in_front_of_either(tmp_path):
    answering = made(calibration=calibration_file(tmp_path))
    assert isinstance(answering, CalibratedAnswering)
    assert answering.ask(ASKED).model == "symbolic/nacot+calibrated"
    dead = ModelSettings(url="http://127.0.0.1:9/v1")
    model = made(dead, model=OPENAI)
    assert isinstance(model, ModelAnswering)
    path = calibration_file(tmp_path, model.model_name)
    assert isinstance(made(dead, model=OPENAI, calibration=path), CalibratedAnswering)


@pytest.mark.parametrize(
    ("made_for", "sentence"),
    [
        ({"model": "symbolic/plain"}, "answers of 'symbolic/plain', not 'symbolic/nacot'"),
        ({"perception": "degraded"}, "perception 'degraded', not 'none'"),
    ],
)
def test_a_calibration_for_another_answerer_is_refused(tmp_path, made_for, sentence):
    with pytest.raises(UsageError, match=sentence):
        made(calibration=calibration_file(tmp_path, **made_for))


def test_a_bad_calibration_is_refused(tmp_path):
    (tmp_path / "c.json").write_text("[]")
    with pytest.raises(FormatError, match="is no calibration"):
        made(calibration=str(tmp_path / "c.json"))
