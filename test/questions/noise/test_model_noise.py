"""Noise that a model adds to a question: asked for under a schema, checked, and asked for again."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scripted_models import BrokenModel, RuleModel

from vantage.errors import ModelError
from vantage.models.prompts import prompt
from vantage.questions.noise.model_noise import NOISES, SCHEMA, model_noise
from vantage.types import NoiseType

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

    def chat(self, prompt, images=(), schema=None):
        self.prompts.append(prompt)
        self.schemas.append(schema)
        self.images.append(tuple(images))
        return self.replies.pop(0)

    def yes_probability(self, prompt, images=()):
        return None


def test_the_answer_stays_that_of_the_question() -> None:
    model = Replies(json.dumps(GOOD))
    noised = model_noise(model, QUESTION, ANSWER, NoiseType.COLOR)
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
    model_noise(model, QUESTION, ANSWER, NoiseType.COLOR, [image], ["mug", "desk"])
    (asked,) = model.prompts
    assert QUESTION in asked
    assert "Right answer: ceramic" in asked
    assert "wanted: COLOR" in asked
    assert "mug, desk" in asked
    assert "refused" not in asked
    assert model.images[0][0] is image
    assert all(f"- {noise.name}: " in asked for noise in NOISES)


def test_absent_things_have_no_answer() -> None:
    reply = {
        "question": "What is the violin on the desk made of?",
        "false_claim": "there is a violin on the desk",
        "correction": "there is no violin on the desk",
    }
    noised = model_noise(Replies(json.dumps(reply)), QUESTION, ANSWER, NoiseType.LATENT)
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
    assert model_noise(model, QUESTION, ANSWER, NoiseType.COLOR).correction.endswith("red")
    assert fault in model.prompts[1]


def test_a_model_that_does_not_learn_is_given_up() -> None:
    model = RuleModel(json.dumps({**GOOD, "question": QUESTION}), name="stubborn")
    with pytest.raises(ModelError, match=r"'stubborn' made no question with COLOR .* in 2 tries: .*not changed"):
        model_noise(model, QUESTION, ANSWER, NoiseType.COLOR, [np.zeros((2, 2, 3), np.uint8)], tries=2)
    assert len(model.chats) == 2


def test_a_broken_model_is_not_asked_again() -> None:
    with pytest.raises(ModelError, match="does not answer"):
        model_noise(BrokenModel(), QUESTION, ANSWER, NoiseType.COLOR)


@pytest.mark.parametrize("noise", [NoiseType.NONE, NoiseType.UNKNOWN])
def test_refuses_types_that_are_no_noise(noise: NoiseType) -> None:
    with pytest.raises(ModelError, match=noise.name):
        model_noise(BrokenModel(), QUESTION, ANSWER, noise)
