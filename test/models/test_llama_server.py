"""The HTTP back end on a real llama.cpp server: plumbing, for what so small a model says is worth nothing."""

import json

import numpy as np
import pytest
from llama_server import llama_url  # noqa: F401

from vantage.config import Settings
from vantage.errors import ModelError
from vantage.models.model_factory import make_model

pytestmark = pytest.mark.needs("openai", "llama")

SCHEMA = {
    "type": "object",
    "properties": {"color": {"enum": ["red", "green"]}, "count": {"type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["color", "count"],
    "additionalProperties": False,
}


@pytest.fixture
def small(llama_url):  # noqa: F811
    values = {"model.url": llama_url, "model.max_new_tokens": 30, "model.timeout": 120.0}
    return make_model("openai:smollm2", Settings().with_values(values, "test"))


def test_it_talks(small):
    first = small.chat("What is the capital of France?")
    assert first
    assert first == small.chat("What is the capital of France?")
    assert small.usage.calls == 2
    assert small.usage.tokens_in > 10
    assert small.usage.tokens_out > 2


def test_it_gives_json_that_follows_the_schema(small):
    reply = json.loads(small.chat("There are two red mugs on the table. Which color, how many?", schema=SCHEMA))
    assert reply["color"] in ("red", "green")
    assert 0 <= reply["count"] <= 9
    assert small.usage.calls == 1, "the server holds the model to the schema"


def test_it_tells_how_likely_yes_is(small):
    probability = small.yes_probability("Is the sky blue? Answer with yes or no.")
    assert 0.0 < probability < 1.0


def test_images_are_refused_in_one_sentence_by_a_model_without_eyes(small):
    with pytest.raises(ModelError) as caught:
        small.chat("What is there?", [np.zeros((8, 8, 3), np.uint8)])
    assert "\n" not in str(caught.value)


def test_one_without_eyes_is_found_out_by_a_tiny_picture_at_once(llama_url):  # noqa: F811
    model = make_model("openai:smollm2", Settings().with_values({"model.url": llama_url}, "test"))
    with pytest.raises(ModelError, match=r"model 'smollm2' takes no pictures.*name one that sees.*--mmproj") as caught:
        model.rehearse(pictures=True)
    assert "\n" not in str(caught.value)
    assert model.usage.calls == 3, "several pictures and one are refused, none is answered"
    assert model.usage.seconds < 60.0
