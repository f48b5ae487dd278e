"""What is noted of calls: what was asked, shown, answered and taken; failures and kept replies, too; never a key."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from faulty_server import FaultyServer, Step, completion

from vantage.config import ModelSettings
from vantage.errors import ModelError
from vantage.models.call_log import CallRecord, noted
from vantage.models.model_factory import CheckedModel
from vantage.models.openai_model import OpenAIBackend
from vantage.models.protocol import Call, Deadline, Reply

PICTURE = np.full((4, 6, 3), 7, np.uint8)


class Scripted:
    """Says what it is told, or fails."""

    name, identity = "eyes", {"backend": "scripted"}

    def __init__(self, *replies: Reply | Exception) -> None:
        self._replies = list(replies)

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        said = self._replies.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def test_a_call_is_noted_with_what_it_took_and_a_kept_reply_as_kept(tmp_path: Path) -> None:
    settings = ModelSettings(cache=str(tmp_path / "cache"), price_in=2.0, price_out=10.0)
    model = CheckedModel(Scripted(Reply("Two.", tokens_in=1000, tokens_out=100, thoughts="Hm.", retries=1)), settings)
    records: list[CallRecord] = []
    with noted(records.append):
        for _ in range(2):
            model.chat("How many?", [PICTURE], system="Be brief.")
    model.yes_probability  # noqa: B018 - outside of it nothing is noted
    first, second = records
    assert (first.model, first.prompt, first.form) == ("eyes", "Be brief.\n\nHow many?", "words")
    assert first.pictures == (hashlib.sha256(PICTURE.tobytes()).hexdigest(),)
    assert (first.reply, first.thoughts, first.cached) == ("Two.", "Hm.", False)
    assert (first.tokens_in, first.tokens_out, first.retries) == (1000, 100, 1)
    assert first.cost == pytest.approx((1000 * 2.0 + 100 * 10.0) / 1e6)
    assert (second.reply, second.cached, second.tokens_in, second.cost) == ("Two.", True, None, 0.0)


def test_a_call_that_fails_is_noted_with_why() -> None:
    model = CheckedModel(Scripted(ModelError("the server is busy; wait")), ModelSettings())
    records: list[CallRecord] = []
    with noted(records.append), pytest.raises(ModelError):
        model.chat("How many?")
    [record] = records
    assert (record.error, record.reply, record.tokens_in) == ("the server is busy; wait", "", None)


def test_outside_nothing_is_noted_and_inside_another_the_inner_one_counts() -> None:
    model = CheckedModel(Scripted(*[Reply("x")] * 3), ModelSettings())
    outer: list[CallRecord] = []
    inner: list[CallRecord] = []
    model.chat("a")
    with noted(outer.append):
        model.chat("b")
        with noted(inner.append):
            model.chat("c")
    assert ([each.prompt for each in outer], [each.prompt for each in inner]) == (["b"], ["c"])


@pytest.mark.needs("openai")
def test_retries_of_a_busy_server_are_counted_and_no_key_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-very-secret-1234")
    busy = Step({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": 0})
    uncounted = Step({**completion("Two."), "usage": None})
    records: list[CallRecord] = []
    with FaultyServer(busy, busy, uncounted) as server, noted(records.append):
        model = CheckedModel(OpenAIBackend("eyes", server.url, "TEST_KEY", 3), ModelSettings())
        model.chat("How many?")
    [record] = records
    assert (record.retries, record.tokens_in, record.reply) == (2, None, "Two.")
    assert "secret" not in repr(record)
