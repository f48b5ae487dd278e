"""A model reads a panel over the model layer: each frame alone, resumable, and nothing is made of prose."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from faulty_server import Step
from scripted_server import Asked, ScriptedServer

from vantage.config import ModelSettings, Settings
from vantage.errors import ModelError, UsageError
from vantage.models.model_factory import CheckedModel, make_model
from vantage.panel import CANNOT, Panel, ask_model, read_readers

pytestmark = pytest.mark.needs("openai")
REFUSAL = Step({"error": {"message": "no such key"}}, status=401)


def first_reply(asked: Asked) -> str:
    offered = re.findall(r'Reply with exactly one of: "(.*?)"', asked.text)
    return json.dumps({"reply": offered[0]})


def model_of(server: ScriptedServer, name: str = "reader") -> CheckedModel:
    return make_model(f"openai:{name}", Settings(model=ModelSettings(url=server.url, cache="")))


def read_with(panel: Panel, says: Callable[[Asked], str | Step], name: str = "reader") -> ScriptedServer:
    with ScriptedServer(says) as server:
        ask_model(panel, model_of(server), name)
    return server


def test_every_frame_is_shown_alone_with_its_question_and_nothing_else(panel: Panel) -> None:
    server = read_with(panel, first_reply, "first")
    assert len(server.asked) == len(panel.asked)
    for asked, frame in zip(server.asked, panel.asked, strict=True):
        assert len(asked.pictures) == 1
        assert frame.question in asked.text
        assert f'"{CANNOT}"' in asked.text
    (reader,) = read_readers(panel)
    assert reader.replies == {frame.number: frame.replies[0] for frame in panel.asked}
    assert (reader.reader, reader.kind, reader.model) == ("first", "model", "reader")
    with pytest.raises(UsageError, match="has answered this panel"):
        read_with(panel, first_reply, "first")


def test_prose_is_asked_for_once_more_and_then_counts_as_unusable(panel: Panel) -> None:
    server = read_with(panel, lambda asked: "I think it is a mug.")
    assert len(server.asked) == 2 * len(panel.asked)
    (reader,) = read_readers(panel)
    assert set(reader.replies.values()) == {None}
    assert len(reader.replies) == len(panel.asked)


def test_an_interrupted_model_goes_on_where_it_was(panel: Panel) -> None:
    left = [3]

    def says(asked: Asked) -> str | Step:
        left[0] -= 1
        return first_reply(asked) if left[0] >= 0 else REFUSAL

    with pytest.raises(ModelError):
        read_with(panel, says)
    assert read_readers(panel) == []  # nothing but what is whole counts
    with (
        pytest.raises(UsageError, match="model 'reader' has begun to answer as reader 'reader'"),
        ScriptedServer(first_reply) as server,
    ):
        ask_model(panel, model_of(server, "other"), "reader")
    server = read_with(panel, first_reply)
    assert len(server.asked) == len(panel.asked) - 3
    assert len(read_readers(panel)[0].replies) == len(panel.asked)
    assert [path.name for path in (panel.folder / "readers").iterdir()] == ["reader.json"]
