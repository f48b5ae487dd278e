"""A real, tiny vision-language model that truly sees: which view suffices, what it answers, what it bears out."""

import random
from dataclasses import replace
from functools import cache

import pytest
from colored_shapes import Shape, picture, random_shape
from scripted_models import verdict
from seeing_vlm import COLORS, FIXED, LEARNED, LESSONS, QUESTION, another
from tiny_vlm import tiny_vlm, trained_once  # noqa: F401

from vantage.answering.engine import QuestionAnswering
from vantage.answering.factory import make_answering
from vantage.answering.vlm.model_answering import ModelAnswering
from vantage.answering.vlm.verdicts import PRESENCE_PROMPT
from vantage.answering.vlm.view_choice import choose
from vantage.answering.vlm.view_confidence import YesNo, filled
from vantage.answering.vlm.view_memory import ViewMemory
from vantage.config import AgentSettings, ModelSettings, Settings
from vantage.models.model_factory import make_model
from vantage.perception.protocol import BlindPerceiver
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Answer, NoiseType, Observation, Question, Verdict

pytestmark = pytest.mark.needs("models")

LENS = Intrinsics.from_fov(64, 64, 1.2)
RED, BLUE = Shape("red", "square", half=0.28), Shape("blue", "circle", half=0.28)
ASKED = Question("q1", QUESTION.format("red"))
TRIALS = 20  # questions, each put to three pictures
ENOUGH = 0.9  # share that a model that sees gets right


@pytest.fixture(scope="module")
def settings(pytestconfig):
    """Of the trained model."""
    folder = trained_once(pytestconfig, "seeing_vlm", LESSONS, FIXED, LEARNED)
    agent = AgentSettings(perception="none", model=f"transformers:{folder}", mode="plain")
    return replace(Settings(), agent=agent, model=ModelSettings(device="cpu", max_new_tokens=48, pictures=1))


@pytest.fixture(scope="module")
def eyes(tiny_vlm):  # noqa: F811
    """A model that knows squares and circles by their colors."""
    return make_model(
        f"transformers:{tiny_vlm}", Settings().with_values({"model.device": "cpu", "model.pictures": "1"}, "test")
    )


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
        assert choice.views[-1].stamp == place
        assert choice.confidence > 0.9
        assert not choice.fooled
        text = filled("confidence", 1, question=ASKED.text)
        assert all(yes_no.of(text, view) < 0.1 for view in views if view not in choice.views)


def test_it_sees_what_is_there_and_what_is_not(eyes):
    yes_no = YesNo(eyes)
    red, blue, nothing = remembered([RED], [BLUE], [])
    text = filled(PRESENCE_PROMPT, 1, thing="a red square")
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
    assert (false.verdict, false.confidence <= 0.5) == (Verdict.UNANSWERABLE, True)
    assert "the model sees 'red square'" in false.noise.explanation


@pytest.mark.parametrize("mode", ["nap", "nacot"])
def test_prompts_that_it_was_never_taught_give_a_verdict_all_the_same(eyes, mode):
    answer = answered(eyes, mode, "red", seen(1, RED))
    assert f"/{mode}#" in answer.model
    if answer.verdict is not Verdict.NEEDS_MODEL:
        assert "Not verified: the reply was not in the form asked for" in answer.noise.explanation


def answered(model, mode, color, *views) -> Answer:
    """To the question for the shape of the object of a color, when no other look can be taken."""
    answering = ModelAnswering(model, QuestionAnswering(BlindPerceiver()), mode)
    for view in views:
        answering.observe(view)
    return answering.ask(Question("q1", QUESTION.format(color)), last=True)


def trials():
    """Questions for the object of a color, and new pictures: of such an object, another color, and of nothing."""
    rng = random.Random(4711)
    for number in range(TRIALS):
        true = random_shape(rng, COLORS)
        other = random_shape(rng, [another(rng, COLORS, true.color)])
        yield 10 * number + 1000, true.color, {"true": true, "color": other, "latent": None}


def is_right(answer, mode, color, case, shape):
    """Whether an answer is what a mode should make of a picture: `plain` trusts that the object has the color."""
    noise = answer.noise
    if case == "latent" and mode == "plain":
        return (answer.verdict, answer.text) == (Verdict.ANSWERED, "nothing")
    if case == "latent":
        said = answer.verdict, noise.noise_type, noise.false_claim
        return said == (Verdict.UNANSWERABLE, NoiseType.LATENT, f"there is a {color} thing")
    if case == "true" or mode == "plain":
        said = answer.verdict, noise.noise_type, answer.text
        return said == (Verdict.ANSWERED, NoiseType.NONE, shape.kind)
    said = answer.verdict, noise.noise_type, noise.false_claim, noise.correction, noise.corrected_question
    right = Verdict.CORRECTED, NoiseType.COLOR, f"the thing is {color}", f"the thing is {shape.color}"
    return said == (*right, QUESTION.format(shape.color)) and answer.text.endswith(f"Answer: {shape.kind}.")


def shares_right(mode, answers):
    """By case, of what ``answers`` makes of a color and a view."""
    right = dict.fromkeys(("true", "color", "latent"), 0)
    for number, color, cases in trials():
        for k, (case, shape) in enumerate(cases.items()):
            view = seen(number + k, *([shape] if shape else []))
            right[case] += is_right(answers(color, view), mode, color, case, shape)
    return {case: count / TRIALS for case, count in right.items()}


@pytest.mark.parametrize("mode", ["plain", "nap", "nacot"])
def test_what_it_sees_decides_the_verdict(model, mode):
    shares = shares_right(mode, lambda color, view: answered(model, mode, color, view))
    assert min(shares.values()) >= ENOUGH, shares


@pytest.mark.parametrize("mode", ["plain", "nap", "nacot"])
def test_without_the_pictures_it_does_not_know(model, mode):
    """Of one and the same picture, whatever it is, hardly more than one case in three can come out right."""
    same = seen(7, BLUE)
    of_it = cache(lambda color: answered(model, mode, color, same))
    shares = shares_right(mode, lambda color, _: of_it(color))
    assert sum(shares.values()) / 3 < 0.5, shares


def test_of_several_views_it_answers_by_the_one_that_shows_the_object(model):
    right = 0
    for number, color, cases in trials():
        place = number % 7 % 4
        views = [seen(number + k, *([cases["color"]] if k == place else [])) for k in range(4)]
        answer = answered(model, "nacot", color, *views)
        seen_in = [evidence.stamp for evidence in answer.evidence]
        right += seen_in == [number + place] and is_right(answer, "nacot", color, "color", cases["color"])
    assert right / TRIALS >= ENOUGH
