"""What servers of other makers say, refuse and count, each as one of its kind."""

from __future__ import annotations

import json
import logging
import math
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from faulty_server import FaultyServer, Step, completion
from needs import data_folder

from vantage.config import ModelSettings
from vantage.errors import ModelError, NoServerError, RefusedCallError
from vantage.models.budget import Ledger
from vantage.models.model_factory import CheckedModel
from vantage.models.openai_model import OpenAIBackend
from vantage.models.protocol import Call, Deadline

pytestmark = pytest.mark.needs("openai")

GOOD = Step(completion("Two mugs.", prompt_tokens=12, completion_tokens=3))
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
CHOICE = Call("There?", choice=True)
PICTURE = np.zeros((40, 60, 3), np.uint8)


def asked(*steps, call=None, calls=1, most=512, **options):
    """The last reply, and the bodies that were sent."""
    with FaultyServer(*steps) as server:
        backend = OpenAIBackend("eyes", server.url, "NO_KEY", options.pop("retries", 1), most, **options)
        for _ in range(calls):
            reply = backend.reply(call or Call("What is there?"), Deadline(10.0))
        return reply, [body for _, body in server.requests]


def refusal(message, status=400, **more):
    return Step({"error": {"message": message, **more}}, status=status, headers={"Retry-After": 0})


def said(message, **more):
    return Step({"choices": [{"message": {"role": "assistant", **message}, "finish_reason": "stop", **more}]})


@pytest.mark.parametrize(
    ("message", "text", "thoughts"),
    [
        ({"content": [{"type": "text", "text": "A "}, {"type": "text", "text": "mug."}]}, "A mug.", ""),
        (
            {"content": [{"type": "reasoning", "text": "Hm."}, {"type": "output_text", "text": "A mug."}]},
            "A mug.",
            "Hm.",
        ),
        ({"content": "A mug.", "reasoning_content": "Hm."}, "A mug.", "Hm."),
        ({"content": "A mug.", "reasoning": "Hm.", "tool_calls": None}, "A mug.", "Hm."),
        ({"content": "<think>Or not</think>A mug.", "reasoning_content": "Hm."}, "A mug.", "Hm.\nOr not"),
    ],
)
def test_content_comes_whole_or_in_parts_with_thoughts_apart(message, text, thoughts):
    reply, _ = asked(said(message))
    assert (reply.text, reply.thoughts) == (text, thoughts)


@pytest.mark.parametrize("message", [{}, {"content": None}, {"content": []}, {"content": None, "reasoning": "Hm."}])
def test_a_message_without_words_is_an_empty_reply(message):
    with pytest.raises(ModelError, match="gave an empty reply"):
        asked(said(message))


@pytest.mark.parametrize(
    ("error", "requests"),
    [
        ({"message": "Provider returned error", "code": 429}, 2),
        ({"message": "Provider returned error", "code": "503"}, 2),
        ({"message": "slow down", "type": "rate_limit_error"}, 2),
        ({"message": "bad request", "code": 400}, 1),
        ({"message": "You exceeded your current quota", "code": 429}, 1),
        ("something went wrong", 1),
    ],
)
@pytest.mark.parametrize("choices", [None, []])
def test_an_error_under_http_200_counts_by_its_code(error, requests, choices):
    with FaultyServer(Step({"choices": choices, "error": error})) as server:
        backend = OpenAIBackend("eyes", server.url, "NO_KEY", 1)
        with pytest.raises(ModelError) as caught:
            backend.reply(Call("What is there?"), Deadline(10.0))
        assert (error if isinstance(error, str) else error["message"]) in str(caught.value)
        assert len(server.requests) == requests


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 10.0, "completion_tokens": 2.5}, (10, 3)),
        ({"input_tokens": 10, "output_tokens": 2}, (10, 2)),
        ({"prompt_token_count": 10, "candidates_token_count": 2}, (10, 2)),
        ({"prompt_tokens": None, "completion_tokens": None}, (0, 0)),
        (None, (0, 0)),
    ],
)
def test_tokens_are_counted_under_other_names_and_in_fractions(usage, tokens):
    reply, _ = asked(Step({**completion("A mug."), "usage": usage}))
    assert (reply.tokens_in, reply.tokens_out) == tokens
    assert reply.counted == (tokens != (0, 0))


def test_bounds_that_cannot_hold_are_told_once(caplog):
    with FaultyServer(Step({**completion("A mug."), "usage": None})) as server:
        model = CheckedModel(OpenAIBackend("eyes", server.url, "NO_KEY"), ModelSettings(max_tokens=100), Ledger())
        with caplog.at_level(logging.WARNING):
            for _ in range(2):
                model.chat("What is there?")
    [record] = caplog.records
    assert "model.max_tokens cannot hold" in record.getMessage()


@pytest.mark.parametrize(
    ("tops", "chance"),
    [
        ({"Yes": -0.05, "No": None}, 1.0),
        ({"\u2581Yes": -0.05, "\u2581No": -3.2}, 0.959),
        ({"\u0120yes": -0.05, "\u0120no": -3.2}, 0.959),
        ({'"Yes': math.log(0.5), "**No": math.log(0.5)}, 0.5),
    ],
)
def test_the_chance_of_yes_is_read_from_any_tokens(tops, chance):
    assert asked(Step(completion("Yes", tops)), call=CHOICE)[0].probability == pytest.approx(chance, abs=0.001)


def test_logprobs_that_are_null_tell_nothing():
    assert asked(said({"content": "Yes"}, logprobs=None), call=CHOICE)[0].probability is None


STREAM = (
    'data: {"choices": [{"delta": {"role": "assistant", "reasoning_content": "Hm."}}]}\n\n'
    'data: {"choices": [{"delta": {"content": "Two "}}]}\n\n'
    'data: {"choices": [{"delta": {"content": "mugs."}, "finish_reason": "stop"}]}\n\n'
    'data: {"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3}}\n\n'
    "data: [DONE]\n\n"
)


@pytest.mark.parametrize(
    "message",
    [
        "parameter.enable_thinking must be set to false for non-streaming calls",
        "This model only supports streaming output, please set stream=true",
    ],
)
def test_a_server_that_streams_only_is_read_piece_by_piece(message):
    reply, bodies = asked(refusal(message), Step(STREAM), calls=2)
    assert (reply.text, reply.thoughts, reply.tokens_in) == ("Two mugs.", "Hm.", 12)
    assert ["stream" in body for body in bodies] == [False, True, True]


@pytest.mark.parametrize(
    "event", ['{"choices": {"a": 1}}', '{"choices": ["x"]}', '{"choices": [{"delta": "x"}]}', "[1]"]
)
def test_events_of_something_else_are_no_reply(event):
    with pytest.raises(RefusedCallError, match="which is not JSON"):
        asked(Step(f"data: {event}\n\n"))


def test_an_error_amid_a_stream_is_one():
    begun = STREAM.partition("\n\n")[0]
    broken = f'{begun}\n\ndata: {{"error": {{"message": "engine died", "code": 500}}}}\n\n'
    reply, bodies = asked(Step(broken), GOOD)
    assert (reply.text, len(bodies)) == ("Two mugs.", 2)


@pytest.mark.parametrize(
    ("message", "param", "call", "name", "value"),
    [
        (
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16",
            "",
            CHOICE,
            "max_tokens",
            16,
        ),
        ("max_tokens must be at least 20", "max_tokens", CHOICE, "max_tokens", 20),
        ("top_logprobs must be less than or equal to 5", "", CHOICE, "top_logprobs", 5),
        ("Invalid value for 'top_logprobs': must be at most 11.", "top_logprobs", CHOICE, "top_logprobs", 11),
    ],
)
def test_bounds_of_a_server_are_kept_from_then_on(message, param, call, name, value):
    steps = [refusal(message, param=param), Step(completion("Yes", {"Yes": -0.1}))]
    _, bodies = asked(*steps, call=call, calls=2)
    assert [body[name] for body in bodies[1:]] == [value, value]


@pytest.mark.parametrize(
    ("message", "most"),
    [
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 512. This model's maximum context length is 1024 "
            "tokens and your request has 700 input tokens.",
            324,
        ),
        (
            "This model's maximum context length is 1024 tokens. However, you requested 1212 tokens (700 in the "
            "messages, 512 in the completion). Please reduce the length of the messages or completion.",
            324,
        ),
        ("max_tokens: 512 > 256, which is the maximum allowed number of output tokens: at most 256", 256),
        ("Range of max_tokens should be [1, 400]", 400),
        ("max_tokens is too large", 256),
    ],
)
def test_too_many_tokens_are_fewer_once_and_nothing_is_left_out(message, most):
    _, bodies = asked(refusal(message, param="max_tokens"), GOOD, calls=2)
    assert [body.get("max_tokens") for body in bodies] == [512, most, 512]


NINES = "9" * 5000


@pytest.mark.parametrize(
    "step",
    [
        refusal(f"max_tokens must be at most {NINES}"),
        refusal(f"max_tokens must be at least {NINES}"),
        refusal("max_tokens must be at least 999999999"),
        refusal("[" * 15_000),
        Step({"error": {"message": "broken", "code": NINES}, "choices": None}),
    ],
)
def test_figures_that_cannot_be_are_refused_in_a_sentence(step):
    with pytest.raises(ModelError):
        asked(*[step] * 13, retries=0)


def test_a_prompt_that_fills_the_context_is_told():
    message = "This model's maximum context length is 1024 tokens and your request has 1020 input tokens."
    with pytest.raises(RefusedCallError, match="leaves no room for a reply"):
        asked(refusal(message), GOOD)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "[{'msg': 'engine is starting', 'input': {'seed': 0, 'max_tokens': 1}}]"}},
        {"detail": [{"loc": ["body", "user"], "msg": "required", "input": {"seed": 0, "response_format": {}}}]},
        {"error": {"message": "1 validation error: user [type=missing, input_value={'seed': 0}, input_type=dict]"}},
        {"message": "no such user", "body": {"temperature": 0.0, "max_tokens": 512}},
    ],
)
def test_what_a_server_echoes_is_not_refused(body):
    with FaultyServer(Step(body, status=400), GOOD) as server:
        backend = OpenAIBackend("eyes", server.url, "NO_KEY", 0)
        with pytest.raises(RefusedCallError):
            backend.reply(Call("What?", schema=SCHEMA), Deadline(10.0))
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"error": {"message": "Unsupported value", "param": "temperature"}}, "temperature"),
        ({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": 0}]}, "seed"),
        ({"error": {"message": "1 error\nseed\n  Extra [type=extra, input_value=0, input_type=int]"}}, "seed"),
        ({"error": {"message": "Failed to initialize samplers: failed to parse grammar"}}, "response_format"),
    ],
)
def test_what_a_server_names_is_left_out_from_then_on(body, name):
    _, bodies = asked(Step(body, status=400), GOOD, call=Call("What?", schema=SCHEMA), calls=2)
    assert [name in sent for sent in bodies] == [True, False, False]


def test_what_was_left_out_in_vain_comes_back():
    steps = [refusal("seed is not supported"), refusal("no such model", 404), GOOD]
    with FaultyServer(*steps) as server:
        backend = OpenAIBackend("eyes", server.url, "NO_KEY", 0)
        with pytest.raises(RefusedCallError, match="no such model"):
            backend.reply(Call("What?"), Deadline(10.0))
        backend.reply(Call("What?"), Deadline(10.0))
        assert ["seed" in body for _, body in server.requests] == [True, False, True]


def test_pictures_that_are_too_large_are_sent_smaller_and_that_is_told_once(caplog):
    large = Step({"error": {"message": "Request Entity Too Large"}}, status=413)
    call = Call("What?", (PICTURE,))
    with FaultyServer(large, GOOD, large, GOOD) as server, caplog.at_level(logging.WARNING):
        backend = OpenAIBackend("eyes", server.url, "NO_KEY", 0)
        for _ in range(2):
            assert backend.reply(call, Deadline(10.0)).text == "Two mugs."
        sizes = [len(body["messages"][0]["content"][0]["image_url"]["url"]) for _, body in server.requests]
    assert sizes[1] < sizes[0]
    assert [record.getMessage() for record in caplog.records if "half as wide" in record.getMessage()][1:] == []


def test_pictures_are_made_smaller_only_once():
    large = refusal("image exceeds the maximum of 1000 pixels")
    with pytest.raises(RefusedCallError, match="image exceeds"):
        asked(large, large, GOOD, call=Call("What?", (PICTURE,)))


def test_a_query_in_the_address_is_sent_along():
    with FaultyServer(GOOD) as server:
        backend = OpenAIBackend("eyes", f"{server.url}?api-version=2026-01-01&x=", "NO_KEY")
        backend.reply(Call("What?"), Deadline(10.0))
        assert server.paths == ["/v1/chat/completions?api-version=2026-01-01&x="]


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_a_client_is_made_for_every_name_of_this_machine(host):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(NoServerError):
        OpenAIBackend("eyes", f"http://{host}:{port}/v1", "NO_KEY", 0).reply(Call("What?"), Deadline(5.0))


class Proxy:
    """Refuses what it is asked for, and counts that."""

    def __enter__(self):
        self.asked = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                proxy.asked.append(self.path)
                self.send_error(407, "Proxy Authentication Required")

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        self.at = f"127.0.0.1:{self._http.server_address[1]}"
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._http.server_close()


def test_a_server_on_this_machine_is_asked_past_proxies(monkeypatch):
    with Proxy() as proxy, FaultyServer(GOOD) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://{proxy.at}")
        monkeypatch.setenv("http_proxy", f"http://{proxy.at}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        backend = OpenAIBackend("eyes", server.url, "NO_KEY")
        assert backend.reply(Call("What?"), Deadline(10.0)).text == "Two mugs."
        assert proxy.asked == []


def test_a_proxy_that_fails_is_named_without_its_password(monkeypatch):
    with Proxy() as proxy:
        for name in ("HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(name, f"http://me:secret@{proxy.at}")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        backend = OpenAIBackend("eyes", "http://models.example/v1", "NO_KEY", 0)
        with pytest.raises(ModelError, match=f"through the proxy at {proxy.at}") as caught:
            backend.reply(Call("What?"), Deadline(10.0))
    assert "secret" not in str(caught.value)
    assert proxy.asked


@pytest.mark.needs("data")
def test_the_given_faults_are_read_as_is_said_beside_them():
    folder = data_folder() / "faults" / "edges" / "openai"

    def body(name):
        return json.loads((folder / name).read_text())

    reply, _ = asked(Step(body("parts-200.json")))
    assert (reply.text, reply.thoughts) == ("blue", "let me look")
    assert len(asked(Step(body("error-in-200.json")), GOOD)[1]) == 2
    reply, _ = asked(Step(body("usage-other-names-200.json")))
    assert (reply.tokens_in, reply.tokens_out) == (1000, 500)
    for name, chance in (("logprob-null", 1.0), ("logprob-pieces", 0.959)):
        reply, _ = asked(Step(body(f"{name}-200.json")), call=CHOICE)
        assert reply.probability == pytest.approx(chance, abs=0.001)
    _, bodies = asked(Step(body("least-tokens-400.json"), status=400), GOOD, call=CHOICE)
    assert bodies[1]["max_tokens"] == 16
    _, bodies = asked(Step(body("too-long-400.json"), status=400), GOOD)
    assert bodies[1]["max_tokens"] == 324
    with pytest.raises(RefusedCallError, match="engine is starting"):
        asked(Step(body("echo-400.json"), status=400), GOOD)
    stream = Step((folder / "stream-200.txt").read_bytes())
    assert asked(Step(body("stream-only-400.json"), status=400), stream)[0].text == "blue"
    for text, answer in body("texts.json").values():
        said_text = asked(Step(completion(text)))[0].text
        assert (json.loads(said_text)["answer"] if said_text.startswith("{") else said_text) == answer
