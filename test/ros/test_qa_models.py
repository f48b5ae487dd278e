"""A model behind a server that is slow, over DDS: requests are taken back, run late, end with the node; views go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from camera_stream import CameraStream, room_views
from faulty_server import BlindServer, Step, completion
from ros_fixtures import call, context_on, eventually, parameters, spinning
from slow_server import SlowServer, slow_server
from vantage_eqa.msg import Answer
from vantage_eqa.srv import AskQuestion, CancelQuestion

from vantage.errors import ConfigError, ModelError, VantageError
from vantage.nodes.qa.qa_node import QaNode

pytestmark = [pytest.mark.needs("openai"), pytest.mark.real_time]

QUESTION = "Is there a mug on the table?"


@contextmanager
def watching(
    ask_timeout: float = 60.0, model_timeout: float = 20.0
) -> Iterator[tuple[CameraStream, SlowServer, QaNode]]:
    """A QA node with a model that keeps it waiting, which has seen some views."""
    with slow_server() as server, context_on() as context:
        options = {
            "agent__model": "openai:slow",
            "agent__min_pixels": 12,
            "model__url": server.url,
            "model__timeout": model_timeout,
            "model__retries": 0,
            "ask_timeout": ask_timeout,
        }
        camera, qa = CameraStream(context), QaNode(context, parameters(**options))
        with spinning(context, camera), spinning(context, qa):
            camera.show(room_views()[:4])
            assert server.asked == 0, "a model is not asked about every view"
            yield camera, server, qa
            server.go.set()


def question_services(camera: CameraStream, server: SlowServer, question_id: str = "q") -> Any:
    """A request on its way; the model has been asked."""
    before = server.asked
    client = camera.create_client(AskQuestion, "ask_question")
    assert client.wait_for_service(timeout_sec=10.0)
    future = client.call_async(AskQuestion.Request(question_id=question_id, question=QUESTION))
    eventually(lambda: server.asked > before)
    return future


def test_a_request_is_taken_back_while_the_model_thinks_and_views_go_on() -> None:
    with watching() as (camera, server, _):
        asked = question_services(camera, server)
        later = [replace(view, stamp=view.stamp + 10**12) for view in room_views()[4:8]]
        camera.show(later)
        assert not asked.done(), "the views were looked at while the model was thinking"
        canceled = call(camera, CancelQuestion, "cancel_question", question_id="q")
        assert canceled.ok, canceled.message
        assert canceled.message == "1 request was taken back"
        eventually(asked.done)
        assert not asked.result().ok
        assert "was taken back" in asked.result().message
        assert not server.go.is_set(), "nobody waited for the model"


def test_a_request_that_is_late_is_told() -> None:
    with watching(ask_timeout=0.5) as (camera, server, _):
        asked = question_services(camera, server)
        eventually(asked.done)
        assert "no answer within 0.5 s" in asked.result().message
        eventually(lambda: camera.diagnosed("requests late") == "1")


def test_a_model_that_fails_is_a_verdict() -> None:
    with watching(model_timeout=0.5) as (camera, server, _):
        asked = question_services(camera, server)
        eventually(asked.done)
        assert asked.result().ok
        assert asked.result().answer.verdict == Answer.NEEDS_MODEL
        assert "model could not answer" in asked.result().answer.text
        eventually(lambda: camera.diagnosed("model") == "openai:slow")


def test_the_node_goes_while_the_model_thinks() -> None:
    with watching() as (camera, server, qa):
        asked = question_services(camera, server)
        qa.halt()
        eventually(asked.done)
        assert "qa_node is shutting down" in asked.result().message
        assert not server.go.is_set(), "nobody waited for the model"
        refused = call(camera, AskQuestion, "ask_question", question=QUESTION)
        assert "qa_node is shutting down" in refused.message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"agent__model": "openai"}, "not of the form NAME:WHICH"),
        ({"agent__model": "opnai:x"}, "did you mean 'openai'"),
        ({"agent__mode": "nacott"}, "did you mean 'nacot'"),
        ({"agent__calibration": "/nowhere.json"}, "nowhere.json"),
        ({"agent__model": "openai:x", "model__url": "no address"}, "no address of a server"),
    ],
)
def test_a_node_that_cannot_answer_does_not_start_and_says_why(options: dict[str, object], words: str) -> None:
    with (
        context_on() as context,
        pytest.raises(VantageError, match=words),
        spinning(context, QaNode(context, parameters(**options))),
    ):
        pass


def test_a_request_needs_time() -> None:
    with context_on() as context, pytest.raises(ConfigError, match="ask_timeout of qa_node must be positive"):
        QaNode(context, parameters(ask_timeout=0.0))


def test_a_model_that_takes_no_pictures_keeps_the_node_from_starting() -> None:
    with BlindServer(Step(completion("Yes."))) as server, context_on() as context:
        options = {"agent__model": "openai:eyes", "model__url": server.url, "model__retries": 0}
        node = QaNode(context, parameters(**options))
        with pytest.raises(ModelError, match="model 'eyes' takes no pictures"), spinning(context, node):
            pass


def test_a_server_that_is_not_there_yet_does_not() -> None:
    with slow_server() as server:
        url = server.url
    with context_on() as context:
        node = QaNode(context, parameters(agent__model="openai:late", model__url=url, model__retries=0))
        with spinning(context, node):
            assert not node.starting
