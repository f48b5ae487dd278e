"""Noise that a model adds to a question: asked for under a schema, checked, and asked for again.

What words show of a false premise that was put into a question.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from row_tables import each_row
from scripted_models import BrokenModel, RuleModel

from vantage.errors import ModelError
from vantage.models.prompts import prompt
from vantage.questions.noise.model_noise import NOISES, SCHEMA, Change, change_problems, noise_by_model
from vantage.types import NoiseType

COLOR = Change(
    before="What is the mug on the desk made of?",
    after="What is the blue mug on the desk made of?",
    answer="ceramic",
    noise=NoiseType.COLOR,
    false="the mug on the desk is blue",
    right="the mug on the desk is red",
)
LATENT = Change(
    before="Where is the remote?",
    after="Where is the violin?",
    answer="on the sofa",
    noise=NoiseType.LATENT,
    false="there is a violin",
    right="there is no violin",
)
COUNT = Change(
    before="What color are the chairs in the kitchen?",
    after="What color are the five chairs in the kitchen?",
    answer="white",
    noise=NoiseType.COUNT,
    false="there are five chairs in the kitchen",
    right="there are four chairs in the kitchen",
)
PLACE = Change(
    before="What color is the vase in the living room?",
    after="What color is the vase in the bedroom?",
    answer="white",
    noise=NoiseType.POSITION,
    false="the vase is in the bedroom",
    right="the vase is in the living room",
)
KIND = Change(
    before="What material is the fireplace made of?",
    after="What material is the stove made of?",
    answer="brick",
    noise=NoiseType.SEMANTIC,
    false="the thing that gives warmth is a stove",
    right="the thing that gives warmth is a fireplace",
)
YES = Change(
    before="Is the sofa near the television made of leather?",
    after="Is the bed near the television made of leather?",
    answer="yes",
    noise=NoiseType.PERCEPTION,
    false="there is a bed near the television",
    right="there is a sofa near the television",
)


@pytest.mark.parametrize("change", [COLOR, LATENT, COUNT, PLACE, KIND, YES])
def test_good_changes_pass(change: Change) -> None:
    assert change_problems(change) == []


@each_row(
    "change, problem",
    [
        (replace(COLOR, after=""), "a field is empty"),
        (replace(COLOR, right=""), "a field is empty"),
        (replace(COLOR, after="What is the blue mug made of? " * 40), "longer than 300"),
        (replace(COLOR, after=COLOR.before), "not changed"),
        (replace(COLOR, after="What is a mug on my desk made of?"), "not changed"),
        (replace(COLOR, after="Where is the blue mug on the desk?"), "asks for something else"),
        (replace(YES, after="What is the bed near the television made of?"), "asks for something else"),
        (replace(COLOR, after="What is the blue ceramic mug on the desk made of?"), "gives the answer away"),
        (replace(COLOR, right="the mug on the desk is blue"), "does not say otherwise"),
        (replace(COLOR, right="the mug on the desk"), "does not say otherwise"),
        (replace(COLOR, after="What is the green mug on the desk made of?"), "does not say 'blue'"),
        (replace(COLOR, right="the mug on the desk is purple"), "can be said of the same thing"),
        (replace(KIND, after="What material is the hearth made of?", false="it is a hearth"), "of the same thing"),
        (replace(COUNT, right="there are some chairs in the kitchen"), "does not say otherwise"),
        (replace(COUNT, right="there are few chairs in the kitchen"), "each say a number"),
        (replace(LATENT, right="there is a remote"), "no such thing"),
        (replace(LATENT, false="something is there"), "does not name a thing"),
        (replace(LATENT, after="Where is the remote control?", false="there is a remote"), "does not name a thing"),
    ],
)
def test_bad_changes_are_named(change: Change, problem: str) -> None:
    problems = change_problems(change)
    assert problems
    assert any(problem in found for found in problems)


def test_what_is_there_is_not_latent() -> None:
    assert change_problems(LATENT, ("sofa", "guitar")) == []
    assert change_problems(LATENT, ("sofa", "fiddle")) == ["there is a fiddle"]


def test_answers_that_the_question_already_held_may_stay() -> None:
    change = replace(COLOR, before="Is the mug ceramic or glass?", after="Is the blue mug ceramic or glass?")
    assert change_problems(change) == []


QUESTION, ANSWER = "What is the mug on the desk made of?", "ceramic"
GOOD = {
    "question": "What is the  blue mug on the desk made of?",
    "false_claim": "the mug on the desk is blue.",
    "correction": "the mug on the desk is red.",
}


class Replies:
    """Gives prepared replies in turn and keeps what it was asked."""

    name = "replies"

    def __init__(self, *replies: str) -> None:
        self.replies, self.prompts, self.schemas, self.images = list(replies), [], [], []

    def chat(self, prompt, images=(), schema=None, system="", image_names=()):
        self.prompts.append(prompt)
        self.schemas.append(schema)
        self.images.append(tuple(images))
        return self.replies.pop(0)

    def yes_probability(self, prompt, images=()):
        return None


def test_the_answer_stays_that_of_the_question() -> None:
    model = Replies(json.dumps(GOOD))
    noised = noise_by_model(model, QUESTION, ANSWER, NoiseType.COLOR)
    assert noised.text == "What is the blue mug on the desk made of?"
    assert noised.prompt_version == prompt("add_noise").version
    truth = noised.truth("q7", "material", ("clay",))
    assert (truth.question_id, truth.kind) == ("q7", "material")
    assert (truth.answer, truth.accepted) == (ANSWER, ("clay",))
    assert truth.corrected_question == QUESTION
    assert (truth.false_claim, truth.correction) == ("the mug on the desk is blue", "the mug on the desk is red")
    assert not truth.premise_holds
    assert truth.noise_type is NoiseType.COLOR
    assert model.schemas == [SCHEMA]


def test_the_prompt_says_what_is_wanted() -> None:
    model = Replies(json.dumps(GOOD))
    image = np.zeros((4, 4, 3), np.uint8)
    noise_by_model(model, QUESTION, ANSWER, NoiseType.COLOR, [image], ["mug", "desk"])
    (asked,) = model.prompts
    assert QUESTION in asked
    assert "Right answer: ceramic" in asked
    assert "wanted: COLOR" in asked
    assert "mug, desk" in asked
    assert "refused" not in asked
    assert model.images[0][0] is image
    assert all(f"- {noise.name}: " in asked for noise in NOISES)


def test_absent_objects_have_no_answer() -> None:
    reply = {
        "question": "What is the violin on the desk made of?",
        "false_claim": "there is a violin on the desk",
        "correction": "there is no violin on the desk",
    }
    noised = noise_by_model(Replies(json.dumps(reply)), QUESTION, ANSWER, NoiseType.LATENT)
    truth = noised.truth("q1", "material", ("clay",))
    assert (truth.answer, truth.accepted, truth.corrected_question) == ("", (), "")


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("no JSON", "not the JSON asked for"),
        ("[" * 5000, "not the JSON asked for"),
        ("[]", "not the JSON asked for"),
        ('{"question": "x"}', "not the JSON asked for"),
        (json.dumps({**GOOD, "question": 3}), "no text"),
        (json.dumps({**GOOD, "question": QUESTION}), "not changed"),
        (json.dumps({**GOOD, "correction": "the mug on the desk is purple"}), "can be said of the same thing"),
        (json.dumps({**GOOD, "correction": ""}), "empty"),
    ],
)
def test_a_bad_reply_is_asked_for_again(bad: str, fault: str) -> None:
    model = Replies(bad, json.dumps(GOOD))
    assert noise_by_model(model, QUESTION, ANSWER, NoiseType.COLOR).correction.endswith("red")
    assert fault in model.prompts[1]


def test_a_model_that_does_not_learn_is_given_up() -> None:
    model = RuleModel(json.dumps({**GOOD, "question": QUESTION}), name="stubborn")
    with pytest.raises(ModelError, match=r"'stubborn' made no question with COLOR .* in 2 tries: .*not changed"):
        noise_by_model(model, QUESTION, ANSWER, NoiseType.COLOR, [np.zeros((2, 2, 3), np.uint8)], tries=2)
    assert len(model.chats) == 2


def test_a_broken_model_is_not_asked_again() -> None:
    with pytest.raises(ModelError, match="does not answer"):
        noise_by_model(BrokenModel(), QUESTION, ANSWER, NoiseType.COLOR)


@pytest.mark.parametrize("noise", [NoiseType.NONE, NoiseType.UNKNOWN])
def test_refuses_types_that_are_no_noise(noise: NoiseType) -> None:
    with pytest.raises(ModelError, match=noise.name):
        noise_by_model(BrokenModel(), QUESTION, ANSWER, noise)
