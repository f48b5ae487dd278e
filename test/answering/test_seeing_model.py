"""A real, tiny vision-language model that truly sees: which view suffices, what it answers, what it bears out."""

from dataclasses import replace

import pytest
from colored_shapes import Shape, picture
from scripted_models import verdict
from seeing_vlm import BATCH, QUESTION, STEPS, prompt_example
from tiny_vlm import tiny_vlm, trained_once  # noqa: F401

from vantage.answering.engine import QuestionAnswering
from vantage.answering.making import make_answering
from vantage.answering.model_answering import ModelAnswering
from vantage.answering.model_checks import PRESENCE_PROMPT
from vantage.answering.view_choice import choose
from vantage.answering.view_memory import ViewMemory
from vantage.answering.yes_no import YesNo
from vantage.config import AgentSettings, ModelSettings, Settings
from vantage.models.making import make_model
from vantage.models.prompts import prompt
from vantage.perception.blind import BlindPerceiver
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import NoiseType, Observation, Question, Verdict

LENS = Intrinsics.from_fov(64, 64, 1.2)
RED, BLUE = Shape("red", "square", half=0.28), Shape("blue", "circle", half=0.28)
ASKED = Question("q1", QUESTION.format(color="red"))


@pytest.fixture(scope="module")
def settings(pytestconfig):
    """Of the trained model."""
    for module in ("torch", "transformers"):
        pytest.importorskip(module, reason=f"{module} is not installed; run: make setup WITH=models")
    folder = trained_once(pytestconfig, "seeing_vlm", prompt_example, steps=STEPS, batch=BATCH)
    agent = AgentSettings(perception="none", model=f"transformers:{folder}", mode="plain")
    return replace(Settings(), agent=agent, model=ModelSettings(device="cpu", max_new_tokens=24))


@pytest.fixture(scope="module")
def eyes(tiny_vlm):  # noqa: F811
    """A model that knows squares and circles by their colors."""
    return make_model(f"transformers:{tiny_vlm}", Settings().with_values({"model.device": "cpu"}, "test"))


@pytest.fixture(scope="module")
def model(settings):
    return make_model(settings.agent.model, settings)


def seen(number, *shapes):
    return Observation(number, Viewpoint(1.0 * number, 0, 1, 0, 0), LENS, picture(*shapes, seed=number + 70))


def remembered(*views):
    memory = ViewMemory()
    for number, shapes in enumerate(views):
        memory.add(seen(number, *shapes))
    return memory.views


def test_it_trusts_the_view_that_shows_something_and_not_a_picture_of_nothing(model):
    for place in range(4):
        yes_no = YesNo(model)
        views = remembered(*[[RED] if k == place else [] for k in range(4)])
        choice = choose(ASKED.text, views, yes_no)
        assert choice.view.stamp == place
        assert choice.confidence > 0.9
        assert not choice.fooled
        text = prompt("confidence").fill(question=ASKED.text)
        assert all(yes_no.of(text, view) < 0.1 for view in views if view is not choice.view)


def test_it_sees_what_is_there_and_what_is_not(eyes):
    yes_no = YesNo(eyes)
    red, blue, nothing = remembered([RED], [BLUE], [])
    text = prompt(PRESENCE_PROMPT).fill(thing="a red square")
    assert yes_no.of(text, red) > 0.9
    assert yes_no.of(text, blue) < 0.1
    assert yes_no.of(text, nothing) < 0.1


def test_it_answers_from_the_right_view_and_stops_when_it_is_sure(settings):
    answering = make_answering(settings, BlindPerceiver())
    answering.observe(seen(0))
    assert answering.ask(ASKED).verdict is Verdict.NEEDS_LOOK
    answering.observe(seen(1, RED))
    answering.observe(seen(2))
    answer = answering.ask(ASKED)
    assert (answer.text, answer.verdict) == ("square", Verdict.ANSWERED)
    assert [evidence.stamp for evidence in answer.evidence] == [1]
    assert answer.confidence > 0.9
    assert "/plain#" in answer.model


class Objecting:
    """Sees with the real model, and says a prepared verdict."""

    name = "objecting"

    def __init__(self, model, reply):
        self._model, self._reply = model, reply

    def yes_probability(self, text, images=()):
        return self._model.yes_probability(text, images)

    def chat(self, text, images=(), schema=None):
        return self._reply


def test_what_it_sees_bears_out_a_true_absence_and_contradicts_a_false_one(eyes):
    objection = verdict(noise="latent", false_claim="there is a red square", explanation="There is no red square.")
    verdicts = {}
    for shape in (BLUE, RED):
        answering = ModelAnswering(Objecting(eyes, objection), QuestionAnswering(BlindPerceiver()), "nacot")
        for number, shapes in enumerate(([BLUE], [shape], [])):
            answering.observe(seen(number, *shapes))
        verdicts[shape.color] = answering.ask(ASKED, last=True)
    true, false = verdicts["blue"], verdicts["red"]
    assert (true.verdict, true.noise.noise_type) == (Verdict.UNANSWERABLE, NoiseType.LATENT)
    assert true.text == "There is no red square."
    assert "none of 3 views shows 'red square'" in true.noise.explanation
    assert false.verdict is Verdict.NEEDS_CONFIRMATION
    assert "the model sees 'red square'" in false.noise.explanation


@pytest.mark.parametrize("mode", ["nap", "nacot"])
def test_prompts_that_it_was_never_taught_give_a_verdict_all_the_same(settings, mode):
    untaught = replace(settings, agent=replace(settings.agent, mode=mode))
    answering = make_answering(untaught, BlindPerceiver())
    answering.observe(seen(1, RED))
    answer = answering.ask(ASKED, last=True)
    assert f"/{mode}#" in answer.model
    if answer.verdict is not Verdict.NEEDS_MODEL:
        assert "Not verified: the reply was not in the form asked for" in answer.noise.explanation
