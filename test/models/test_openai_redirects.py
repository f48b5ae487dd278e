"""A server that sends its callers elsewhere does not get them to carry a question, or a key, there."""

import pytest
from faulty_server import FaultyServer, Step, completion

from vantage.errors import ModelError
from vantage.models.protocol import Call, Deadline

pytest.importorskip("openai", reason="openai is not installed; run: make setup WITH=openai")

from vantage.models.openai_model import OpenAIBackend

GOOD = Step(completion("Two mugs."))
KEY = "sk-very-secret-1234"


def refusal(ask):
    """The one sentence of a failure."""
    with pytest.raises(ModelError) as caught:
        ask()
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("key", ["", KEY], ids=["no key", "key"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_to_another_origin_is_followed(monkeypatch, status, key):
    monkeypatch.setenv("TEST_KEY", key)
    with FaultyServer(GOOD) as elsewhere:
        elsewhere.fetched = GOOD
        away = Step(status=status, headers={"Location": f"{elsewhere.url}/chat/completions"})
        with FaultyServer(away) as server:
            backend = OpenAIBackend("eyes", server.url, "TEST_KEY", retries=2)
            said = refusal(lambda: backend.reply(Call("A secret question?"), Deadline(20.0)))
            assert len(server.requests) == 1, "it would redirect again"
        assert elsewhere.paths == []
    assert "redirects to another one" in said
    assert elsewhere.url in said
    assert "set model.url" in said


def test_a_knock_is_not_carried_elsewhere_either(monkeypatch):
    monkeypatch.setenv("TEST_KEY", KEY)
    with FaultyServer(GOOD) as elsewhere, FaultyServer(GOOD) as server:
        elsewhere.fetched = Step({"data": []})
        server.fetched = Step(status=307, headers={"Location": f"{elsewhere.url}/models"})
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY")
        assert "redirects to another one" in refusal(lambda: backend.knock(Deadline(20.0)))
        assert elsewhere.paths == []


@pytest.mark.parametrize("location", ["/v2/chat/completions", "{url}/v2/chat/completions"], ids=["path", "whole"])
def test_a_redirect_within_the_origin_is_followed(location):
    with FaultyServer(GOOD) as server:
        origin = server.url.removesuffix("/v1")
        server.steps.insert(0, Step(status=307, headers={"Location": location.format(url=origin)}))
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY")
        assert backend.reply(Call("What is there?"), Deadline(20.0)).text == "Two mugs."
        assert server.paths == ["/v1/chat/completions", "/v2/chat/completions"]
        assert server.requests[0][1] == server.requests[1][1]


@pytest.mark.parametrize(
    "location",
    [
        "https://127.0.0.1:{port}/v1",
        "http://localhost:{port}/v1",
        "//elsewhere.invalid/v1",
        "http://me:word@elsewhere.invalid/v1?token=word",
        "http://[::1",
        "file:///etc/passwd",
        "http://elsewhere.invalid/" + "x" * 9000,
    ],
    ids=range(7),
)
def test_another_scheme_host_or_no_address_is_another_origin(location):
    with FaultyServer(GOOD) as server:
        port = server.url.rsplit(":", 1)[1].removesuffix("/v1")
        server.steps.insert(0, Step(status=307, headers={"Location": location.format(port=port)}))
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY", retries=0)
        said = refusal(lambda: backend.reply(Call("A secret question?"), Deadline(20.0)))
        assert "redirects to another one" in said
        assert "word" not in said
        assert len(said) < 400
        assert len(server.requests) == 1


def test_an_endless_redirect_is_not_read():
    step = Step(status=308, headers={"Location": "http://elsewhere.invalid/v1"}, endless=True)
    with FaultyServer(step) as server:
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY", retries=0)
        said = refusal(lambda: backend.reply(Call("A secret question?"), Deadline(20.0)))
    assert "redirects to another one" in said
