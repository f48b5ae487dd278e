"""Models with their budget and cache, over a back end that says what the test tells it to."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from vantage.config import ModelSettings, Settings
from vantage.errors import (
    ModelError,
    NoServerError,
    SilentServerError,
    UnknownNameError,
    UnusableReplyError,
    UsageError,
)
from vantage.models.budget import Ledger
from vantage.models.model_factory import CheckedModel, make_model, shared_model
from vantage.models.protocol import Model, Reply, Turn

IMAGE = np.zeros((4, 4, 3), np.uint8)
SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


class Scripted:
    """Gives replies in their order, the last one for ever; errors are raised."""

    name = "scripted"

    def __init__(self, *replies):
        self.identity = {"backend": "scripted"}
        self.replies, self.calls, self.deadlines = list(replies), [], []

    def reply(self, call, deadline):
        self.calls.append(call)
        self.deadlines.append(deadline.seconds)
        found = self.replies[min(len(self.calls), len(self.replies)) - 1]
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, Reply) else Reply(found, None, 1000, 100)


def checked(*replies, ledger=None, **settings):
    backend = Scripted(*replies)
    return CheckedModel(backend, replace(ModelSettings(), **settings), ledger or Ledger()), backend


def test_replies_pass_through_and_are_counted():
    model, backend = checked("A mug.", price_in=2.0, price_out=10.0)
    assert isinstance(model, Model)
    assert model.chat("What is there?", [IMAGE]) == "A mug."
    assert backend.calls[0].prompt == "What is there?"
    assert (model.usage.calls, model.usage.tokens_in, model.usage.tokens_out) == (1, 1000, 100)
    assert model.usage.cost == pytest.approx(0.003)


def test_json_is_asked_for_checked_and_brought_to_one_form():
    model, backend = checked('Sure! ```json\n{"count":  2}\n```')
    assert json.loads(model.chat("How many?", schema=SCHEMA)) == {"count": 2}
    assert json.dumps(SCHEMA) in backend.calls[0].prompt
    assert backend.calls[0].schema == SCHEMA


def test_a_reply_of_another_form_is_asked_for_once_more():
    model, backend = checked('{"count": "two"}', '{"count": 2}')
    assert json.loads(model.chat("How many?", schema=SCHEMA)) == {"count": 2}
    assert "'count' is not of type integer" in backend.calls[1].prompt
    model, backend = checked("two")
    with pytest.raises(UnusableReplyError, match="replied twice without usable JSON because it holds no JSON value"):
        model.chat("How many?", schema=SCHEMA)
    assert len(backend.calls) == 2


def test_system_text_and_names_of_images_reach_the_back_end_also_with_a_schema():
    model, backend = checked("two", '{"count": 2}')
    model.chat("How many?", [IMAGE], SCHEMA, system="You count.", image_names=("END_IMAGE",))
    assert [(call.system, call.image_names) for call in backend.calls] == [("You count.", ("END_IMAGE",))] * 2


def test_earlier_turns_reach_the_back_end():
    model, backend = checked("Fine.")
    model.chat("And now?", earlier=[Turn("Hello?", "Hi.")])
    assert backend.calls[0].earlier == (Turn("Hello?", "Hi."),)


@pytest.mark.parametrize("names", [("A",), ("A", "B", "C"), ("A", "A"), ("A", " ")])
def test_names_that_are_not_one_for_each_image_are_refused(names):
    model, backend = checked("A mug.")
    with pytest.raises(UsageError, match=r"2 images and the names '.*'; give each image a name of its own"):
        model.chat("Which?", [IMAGE, IMAGE], image_names=names)
    assert not backend.calls


@pytest.mark.parametrize(
    ("bounds", "allowed", "named"),
    [
        ({"max_calls": 3}, 3, "model.max_calls = 3"),
        ({"max_tokens": 2000}, 2, "model.max_tokens = 2000"),
        ({"max_cost": 0.005, "price_in": 2.0}, 3, "model.max_cost = 0.005"),
    ],
)
def test_a_spent_budget_ends_calls_and_is_named(bounds, allowed, named):
    model, backend = checked("A mug.", **bounds)
    for _ in range(allowed):
        model.chat("What is there?")
    with pytest.raises(ModelError, match=named):
        model.chat("What is there?")
    assert len(backend.calls) == allowed


def test_time_counts_and_shortens_the_last_calls():
    ledger = Ledger()
    model, backend = checked("A mug.", ledger=ledger, max_seconds=5.0, timeout=4.0)
    model.chat("What is there?")
    ledger.end(3.0)
    model.chat("What is there?")
    assert backend.deadlines[0] == 4.0
    assert 1.0 < backend.deadlines[1] <= 2.0
    ledger.end(3.0)
    with pytest.raises(ModelError, match=r"model\.max_seconds = 5"):
        model.chat("What is there?")


def test_calls_without_any_server_are_counted_and_those_cut_short_are_not():
    ledger = Ledger()
    model, _ = checked(NoServerError("gone"), SilentServerError("silent"), ModelError("odd"), ledger=ledger)
    for _ in range(3):
        with pytest.raises(ModelError):
            model.chat("What is there?")
    assert (ledger.usage.calls, ledger.usage.refused, ledger.usage.silent) == (3, 1, 1)
    hurried = Ledger()
    model, _ = checked(SilentServerError("silent"), ledger=hurried, timeout=4.0, max_seconds=1.0)
    with pytest.raises(SilentServerError):
        model.chat("What is there?")
    assert (hurried.usage.refused, hurried.usage.silent, hurried.usage.silent_on_end) == (0, 0, 0)


def test_silence_on_end_ends_with_any_word_of_the_server_and_with_nothing_else():
    ledger = Ledger()
    failures = (SilentServerError("silent"), SilentServerError("silent"), NoServerError("gone"), ModelError("odd"))
    model, _ = checked(*failures, ledger=ledger)
    lengths = []
    for _ in failures:
        with pytest.raises(ModelError):
            model.chat("What is there?")
        lengths.append(ledger.usage.silent_on_end)
    assert lengths == [1, 2, 2, 0]


class Remote(Scripted):
    """Behind a server that is away."""

    def knock(self, deadline):
        self.deadlines.append(deadline.seconds)
        raise NoServerError("gone")


def test_a_rehearsal_looks_for_the_server_unless_replies_are_kept(tmp_path):
    away = Remote()
    with pytest.raises(NoServerError, match="gone"):
        CheckedModel(away, ModelSettings(timeout=7.0), Ledger()).rehearse()
    assert (away.deadlines, away.calls) == ([7.0], [])
    CheckedModel(away, ModelSettings(cache=str(tmp_path)), Ledger()).rehearse()
    local, backend = checked("A mug.")
    local.rehearse()
    assert backend.calls == []


def test_failures_count_as_calls():
    model, _ = checked(ModelError("no"), max_calls=1)
    with pytest.raises(ModelError, match="no"):
        model.chat("What is there?")
    with pytest.raises(ModelError, match="max_calls"):
        model.chat("What is there?")


def test_a_budget_holds_for_all_models_and_threads_together():
    ledger = Ledger()
    models = [checked("A mug.", ledger=ledger, max_calls=20)[0] for _ in range(2)]

    def ask(number):
        try:
            return models[number % 2].chat("What is there?")
        except ModelError:
            return None

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(ask, range(50)))
    assert replies.count("A mug.") == 20
    assert sum(model.usage.calls for model in models) == ledger.usage.calls == 20


def test_the_same_question_is_asked_once(tmp_path):
    model, backend = checked("A mug.", cache=str(tmp_path), max_calls=1)
    assert model.chat("What is there?", [IMAGE]) == model.chat("What is there?", [IMAGE.copy()]) == "A mug."
    again, other = checked("A cup.", cache=str(tmp_path))
    assert again.chat("What is there?", [IMAGE]) == "A mug."
    assert again.chat("What is there?", [IMAGE + 1]) == "A cup."
    assert (len(backend.calls), len(other.calls), model.usage.calls) == (1, 1, 1)


def test_replies_of_another_form_are_not_kept(tmp_path):
    for _ in range(2):
        model, backend = checked("two", cache=str(tmp_path))
        with pytest.raises(ModelError, match="twice"):
            model.chat("How many?", schema=SCHEMA)
        assert len(backend.calls) == 2
    model, _ = checked("two", '{"count": 2}', cache=str(tmp_path))
    assert json.loads(model.chat("How many?", schema=SCHEMA)) == {"count": 2}


def test_probabilities_are_kept_but_not_that_there_is_none(tmp_path):
    model, backend = checked(Reply("", None), Reply("", 0.75), cache=str(tmp_path))
    assert [model.yes_probability("There?", [IMAGE]) for _ in range(3)] == [None, 0.75, 0.75]
    assert [call.choice for call in backend.calls] == [True, True]


@pytest.mark.parametrize("image", [IMAGE.astype(float), IMAGE[:, :, 0], IMAGE[:0], np.zeros((2, 2, 4), np.uint8)])
def test_other_images_are_refused(image):
    with pytest.raises(UsageError, match="was given an image"):
        checked("A mug.")[0].chat("What is there?", [image])


@pytest.mark.parametrize("which", ["", "openai", "openai:", ":eyes", "openai:  "])
def test_names_of_another_form_are_refused(which):
    with pytest.raises(UsageError, match="not of the form NAME:WHICH"):
        make_model(which, Settings())


def test_unknown_back_ends_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'openai'"):
        make_model("openia:eyes", Settings())


@pytest.mark.needs("openai")
def test_a_model_is_shared_by_all_who_name_it_with_the_same_settings():
    group = ModelSettings(url="http://127.0.0.1:9/v1")
    with ThreadPoolExecutor(8) as pool:
        models = list(pool.map(lambda _: shared_model("openai:shared", group), range(16)))
    assert all(model is models[0] for model in models)
    assert shared_model("openai:other", group) is not models[0]
    assert shared_model("openai:shared", replace(group, timeout=1.0)) is not models[0]


@pytest.mark.needs("openai")
def test_a_model_that_cannot_be_made_is_tried_anew(tmp_path):
    (tmp_path / "cache").write_text("in the way")
    group = ModelSettings(url="http://127.0.0.1:9/v1", cache=str(tmp_path / "cache"))
    with pytest.raises(ModelError, match="cannot be used"):
        shared_model("openai:shared", group)
    (tmp_path / "cache").unlink()
    assert shared_model("openai:shared", group).name == "shared"
