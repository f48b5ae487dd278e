"""What a model lists becomes located objects; what it lists wrongly is left out or told."""

import json

import numpy as np
import pytest
from painted_boxes import AHEAD, painted, table_with_objects

from vantage.answering.factory import make_answering
from vantage.config import Settings
from vantage.errors import ConfigError, ModelError, VantageError
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.perception.perceivers.vlm import SCALE, SCHEMA, VlmPerceiver, boxes_in
from vantage.perception.protocol import Perceiver
from vantage.registry import PERCEIVERS


class Lister:
    """A model that replies with what it was made with, and keeps what it was asked."""

    name = "lister"

    def __init__(self, reply):
        self.reply, self.asked = reply, []

    def chat(self, prompt, images=(), schema=None, system="", image_names=()):
        self.asked.append((prompt, [image.shape for image in images], schema))
        return self.reply

    def yes_probability(self, prompt, images=()):
        return None


def listed(*objects):
    return json.dumps({"objects": list(objects)})


def thousandths(box, width=320, height=240):
    x, y, w, h = box
    return [x / width * SCALE, y / height * SCALE, (x + w) / width * SCALE, (y + h) / height * SCALE]


def test_objects_are_located_like_those_of_instance_ids():
    seen = table_with_objects().observe(AHEAD)
    objects = {each.label: each for each in PrivilegedPerceiver(20).perceive(seen)}
    told = {"label": "Box", "box": thousandths(objects["box"].box), "confidence": 0.8, "material": "paper"}
    model = Lister(listed(told, {"label": "book", "box": thousandths(objects["book"].box), "color": "navy"}))
    perceiver = VlmPerceiver(model, 20)
    assert isinstance(perceiver, Perceiver)
    found = {each.label: each for each in perceiver.perceive(painted(seen))}
    np.testing.assert_allclose(found["box"].center, objects["box"].center, atol=0.02)
    assert (found["box"].color, found["box"].material, found["box"].confidence) == ("red", "paper", 0.8)
    assert (found["book"].color, found["book"].confidence) == ("blue", 0.5), "a color beyond the fixed words is read"
    [(prompt, shapes, schema)] = model.asked
    assert "red" in prompt
    assert shapes == [(240, 320, 3)]
    assert schema == SCHEMA


@pytest.mark.parametrize(
    "told",
    [
        {"label": "", "box": [0, 0, 10, 10]},
        {"label": "box", "box": [10, 10, 5, 20]},
        {"label": "box", "box": [float("nan"), 0, 5, 20]},
        {"label": "box", "box": [1, 2, 3]},
        {"label": "box", "box": [-500, -500, -10, -10]},
    ],
)
def test_impossible_objects_are_left_out(told):
    assert boxes_in(listed(told), 320, 240) == []


def test_a_model_that_invents_endlessly_is_cut_short():
    objects = [{"label": f"thing {k}", "box": [k, k, k + 100, k + 100]} for k in range(500)]
    assert len(boxes_in(listed(*objects), 320, 240)) == 40


def test_confidence_stays_between_0_and_1():
    [found] = boxes_in(listed({"label": "box", "box": [0, 0, 500, 500], "confidence": 95}), 320, 240)
    assert found.score == 1.0
    [found] = boxes_in('{"objects": [{"label": "box", "box": [0, 0, 500, 500], "confidence": NaN}]}', 320, 240)
    assert found.score == 0.0


@pytest.mark.parametrize("reply", ["", "I see a box.", "[]", '{"things": []}', '{"objects": [1]}', '{"objects": 3}'])
def test_replies_in_another_form_are_told(reply):
    with pytest.raises(ModelError, match="the model did not list what it sees as it was asked to"):
        boxes_in(reply, 320, 240)


def test_needs_depth_and_a_model_that_sees():
    blind = table_with_objects().observe(AHEAD)
    perceiver = VlmPerceiver(Lister(listed()), 20)
    assert perceiver.perceive(painted(blind)) == ()
    with pytest.raises(VantageError, match="the vlm perceiver cannot tell where things are without depth"):
        perceiver.perceive(type(blind)(1, AHEAD, blind.intrinsics, blind.rgb))
    with pytest.raises(ConfigError, match=r"no model is named that sees; set pixels\.model"):
        PERCEIVERS.create("vlm", settings=Settings())


HUGE = 10**400


@pytest.mark.parametrize("place", range(4))
def test_numbers_without_end_are_no_place(place):
    box = [0, 0, 500, 500]
    box[place] = HUGE
    assert boxes_in(listed({"label": "box", "box": box}), 320, 240) == []
    [found] = boxes_in(listed({"label": "box", "box": [0, 0, 500, 500], "confidence": HUGE}), 320, 240)
    assert found.score == 0.0


def test_words_are_cut_and_cleaned():
    told = {
        "label": "\ud800Red\x00\n box" + "\u0130" * 500,
        "box": [0, 0, 500, 500],
        "states": ["Open\x1b[31m", "\ud800", *(f"state {k}" for k in range(1000))],
        "text": "\u200bsale \r\n50%" + "\u00df" * 10_000,
    }
    [found] = boxes_in(listed(told), 320, 240)
    assert found.label.startswith("red box")
    assert found.states[0] == "open [31m"
    assert found.text.startswith("SALE 50%SS")
    assert len(found.label) <= 80
    assert len(found.text) <= 300
    assert len(found.states) <= 8
    assert all(found.states)
    for words in (found.label, found.text, *found.states):
        words.encode()
        assert words.isprintable()


@pytest.mark.parametrize("label", ["\ud800", "\x00\x07", " \n", 7, None, ["box"]])
def test_objects_without_a_name_that_can_be_shown_are_left_out(label):
    assert boxes_in(listed({"label": label, "box": [0, 0, 500, 500]}), 320, 240) == []


def test_a_reply_of_bottomless_lists_is_told():
    with pytest.raises(ModelError, match="nested too deeply"):
        boxes_in('{"objects": ' + "[" * 100_000, 320, 240)


@pytest.mark.needs("openai")
def test_every_episode_shares_one_model():
    values = {"pixels.model": "openai:eyes", "agent.model": "openai:eyes", "model.url": "http://127.0.0.1:9/v1"}
    settings = Settings().with_values(values, "test")
    first, second = (PERCEIVERS.create("vlm", settings=settings) for _ in range(2))
    assert first is not second
    assert first._model is second._model
    assert first._model is make_answering(settings, first)._model, "so does who answers"
