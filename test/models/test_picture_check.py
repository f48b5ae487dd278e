"""A model that takes no pictures is found out by one tiny picture; all else about what it says does not matter."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from faulty_server import BlindServer, FaultyServer, Step, completion
from row_tables import each_row

from vantage.config import ModelSettings, Settings
from vantage.errors import ModelError, NoServerError, RefusedCallError, SilentServerError
from vantage.models.budget import Ledger
from vantage.models.model_factory import CheckedModel, make_model
from vantage.models.picture_check import picture_call, tiny_picture
from vantage.models.protocol import Call, Deadline, Reply

REFUSED = RefusedCallError("the server at host refused the request: HTTP 400 (no images)")
RED = Step(completion("Red.", prompt_tokens=70, completion_tokens=2))


class Scripted:
    """Says the one to calls with pictures and the other to those without; errors are raised."""

    name = "eyes"

    def __init__(self, seeing: str | Exception, reading: str | Exception = "Words.") -> None:
        self.identity = {"backend": "scripted"}
        self.said = {True: seeing, False: reading}
        self.calls: list[Call] = []

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        self.calls.append(call)
        said = self.said[bool(call.images)]
        if isinstance(said, Exception):
            raise said
        return Reply(said, None, 100, 1)


def checked(backend: Scripted, **settings: object) -> CheckedModel:
    return CheckedModel(backend, replace(ModelSettings(), **settings), Ledger())  # type: ignore[arg-type]


def served(url: str, **more: object) -> CheckedModel:
    return make_model("openai:eyes", Settings().with_values({"model.url": url, "model.retries": 0, **more}, "test"))


def test_the_picture_is_tiny_and_shows_what_is_asked_about() -> None:
    picture = tiny_picture()
    assert (picture.shape, picture.dtype) == ((64, 64, 3), np.uint8)
    assert (picture[32, 32] == (220, 20, 20)).all()
    assert (picture[0, 0] == 255).all()
    assert len(picture_call().prompt) < 100


def test_a_model_is_shown_one_picture_however_often_and_from_wherever_it_is_tried() -> None:
    backend = Scripted("Red.")
    model = checked(backend)
    model.rehearse()
    assert not backend.calls, "who is shown none is not asked"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: model.rehearse(pictures=True), range(16)))
    [call] = backend.calls
    assert [image.shape for image in call.images] == [(64, 64, 3)] * 4
    assert (model.usage.calls, model.usage.tokens_in) == (1, 100), "it counts as any other call"


def test_a_model_that_refuses_the_picture_alone_is_named_with_what_to_do() -> None:
    backend = Scripted(REFUSED)
    model = checked(backend)
    words = r"^model 'eyes' takes no pictures.*HTTP 400 \(no images\); name one that sees"
    with pytest.raises(ModelError, match=words) as caught:
        model.rehearse(pictures=True)
    assert "\n" not in str(caught.value)
    assert [len(call.images) for call in backend.calls] == [4, 1, 0]
    backend.said[True] = "Red."
    model.rehearse(pictures=True)  # once its server was started anew


def test_a_model_that_refuses_words_too_has_another_fault() -> None:
    model = checked(Scripted(REFUSED, RefusedCallError("the server at host refused the request: HTTP 404 (no model)")))
    with pytest.raises(ModelError, match=r"model 'eyes' cannot be asked: .*HTTP 404"):
        model.rehearse(pictures=True)


class OneEye(Scripted):
    """Takes one picture in a question."""

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        if len(call.images) > 1:
            self.calls.append(call)
            raise RefusedCallError("HTTP 400 (At most 1 image(s) may be provided in one prompt.)")
        return super().reply(call, deadline)


def test_how_many_pictures_it_takes_is_found_out_once() -> None:
    backend = OneEye("red")
    model = checked(backend)
    assert model.pictures == 4
    for _ in range(2):
        model.rehearse(pictures=True)
    assert model.pictures == 1
    assert [len(call.images) for call in backend.calls] == [4, 1]


def test_a_refusal_that_speaks_of_no_picture_is_told_as_it_is() -> None:
    class Picky(Scripted):
        def reply(self, call: Call, deadline: Deadline) -> Reply:
            if call.images:
                raise RefusedCallError("HTTP 400 (max_tokens must be at least 64)")
            return super().reply(call, deadline)

    words = "answers words and not the tiny picture that it is shown first: HTTP 400 \\(max_tokens must"
    with pytest.raises(ModelError, match=words):
        checked(Picky("red")).rehearse(pictures=True)


@each_row(
    "said",
    [
        "I cannot describe this.",
        ModelError("gave an empty reply"),
        ModelError("failed 4 times, at last because it said HTTP 429"),
    ],
)
def test_what_it_says_does_not_matter(said: str | Exception) -> None:
    backend = Scripted(said)
    model = checked(backend)
    model.rehearse(pictures=True)
    model.rehearse(pictures=True)
    assert len(backend.calls) == 1


def test_a_spent_budget_is_no_refusal() -> None:
    backend = Scripted("Red.")
    model = checked(backend, max_calls=1)
    model.chat("Hello?")
    model.rehearse(pictures=True)
    assert len(backend.calls) == 1


def test_a_server_that_goes_away_is_told_unless_replies_are_kept(tmp_path: Path) -> None:
    with pytest.raises(NoServerError, match="gone"):
        checked(Scripted(NoServerError("gone"))).rehearse(pictures=True)
    kept = str(tmp_path / "kept")
    checked(Scripted(NoServerError("gone")), cache=kept).rehearse(pictures=True)
    checked(Scripted("Red."), cache=kept).rehearse(pictures=True)
    again = Scripted(NoServerError("gone"))
    checked(again, cache=kept).rehearse(pictures=True)
    assert not again.calls, "what it said of the tiny picture is kept as all replies are"


@pytest.mark.needs("openai")
def test_a_server_that_sees_is_sent_one_small_request() -> None:
    with FaultyServer(RED) as server:
        model = served(server.url)
        model.rehearse(pictures=True)
        model.rehearse(pictures=True)
        [(_, body)] = server.requests
    assert body["max_tokens"] == 16
    assert json.dumps(body).count("data:image/png") == 4
    assert len(json.dumps(body)) < 3000
    assert model.usage.tokens == 72


@pytest.mark.needs("openai")
def test_a_server_that_refuses_pictures_answers_words_and_is_found_out() -> None:
    with BlindServer(Step(completion("Hello."))) as server:
        model = served(server.url)
        assert model.chat("Hello?") == "Hello."
        with pytest.raises(ModelError, match=r"'eyes' takes no pictures.*image input is not supported.*--mmproj"):
            model.rehearse(pictures=True)


@pytest.mark.needs("openai")
def test_a_server_that_hangs_over_a_picture_is_given_up_at_the_deadline() -> None:
    with FaultyServer(Step(stall=True)) as server, pytest.raises(SilentServerError, match=r"within 0\.5 s"):
        served(server.url, **{"model.timeout": 0.5}).rehearse(pictures=True)
