import asyncio
import base64
import concurrent.futures
import math
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

import cv2
import numpy as np
import pytest
from faulty_server import FaultyServer, Step, completion
from row_tables import each_row

from vantage.errors import ModelError, NoServerError, RefusedCallError, SilentServerError
from vantage.models import openai_wire
from vantage.models.openai_model import OpenAIBackend
from vantage.models.protocol import Call, Deadline, Turn

pytestmark = pytest.mark.needs("openai")

SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
GOOD = Step(completion("Two mugs.", prompt_tokens=12, completion_tokens=3))
KEY = "sk-very-secret-1234"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("TEST_KEY", KEY)


def asked(*steps, call=None, seconds=10.0, retries=2):
    """The reply, and what the server was sent."""
    with FaultyServer(*steps) as server:
        backend = OpenAIBackend("org/eyes", server.url, "TEST_KEY", retries)
        return backend.reply(call or Call("What is there?"), Deadline(seconds)), server.requests


def failure(*steps, **options):
    """The one sentence of a failure."""
    with pytest.raises(ModelError) as caught:
        asked(*steps, **options)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)
    return str(caught.value)


def test_a_prompt_with_images_reaches_the_server_pixel_by_pixel():
    image = np.random.default_rng(1).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    reply, [(headers, body)] = asked(GOOD, call=Call("How many?", (image,)))
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Two mugs.", 12, 3)
    assert headers["authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("org/eyes", 0.0, 512)
    picture, text = body["messages"][0]["content"]
    assert text == {"type": "text", "text": "How many?"}
    kind, data = picture["image_url"]["url"].split(",")
    assert kind == "data:image/png;base64"
    sent = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_array_equal(sent[:, :, ::-1], image)


def test_the_system_text_has_a_turn_of_its_own_and_names_stand_before_their_images():
    images = (np.zeros((6, 8, 3), np.uint8), np.full((6, 8, 3), 255, np.uint8))
    call = Call("Mark it.", images, system="You are a judge.", image_names=("END_IMAGE", "GOAL_IMAGE"))
    _, [(_, body)] = asked(GOOD, call=call)
    system, user = body["messages"]
    assert system == {"role": "system", "content": "You are a judge."}
    assert [part.get("text", part["type"]) for part in user["content"]] == [
        "END_IMAGE:",
        "image_url",
        "GOAL_IMAGE:",
        "image_url",
        "Mark it.",
    ]


def test_earlier_turns_stand_before_the_prompt():
    call = Call("And now?", system="Be brief.", earlier=(Turn("Hello?", "Hi."), Turn("Well?", "Well.")))
    _, [(_, body)] = asked(GOOD, call=call)
    assert [(turn["role"], turn["content"]) for turn in body["messages"]] == [
        ("system", "Be brief."),
        ("user", "Hello?"),
        ("assistant", "Hi."),
        ("user", "Well?"),
        ("assistant", "Well."),
        ("user", "And now?"),
    ]
    first = call.without_system()
    assert (first.system, first.earlier[0].prompt, first.prompt) == ("", "Be brief.\n\nHello?", "And now?")


@pytest.mark.parametrize(
    "said",
    [
        "System role not supported",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Value error: unexpected role 'system'",
    ],
)
def test_a_server_without_a_system_role_gets_its_text_before_the_prompt(said):
    refusal = Step({"error": {"message": said}}, status=400)
    with FaultyServer(refusal, GOOD) as server:
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY")
        for _ in range(2):
            backend.reply(Call("Mark it.", system="You are a judge."), Deadline(10.0))
        sent = [body["messages"] for _, body in server.requests]
    assert [message["role"] for message in sent[0]] == ["system", "user"]
    assert sent[1] == sent[2] == [{"role": "user", "content": "You are a judge.\n\nMark it."}], "it is remembered"


def test_yes_is_weighed_against_no_over_their_spellings():
    logprobs = {"Yes": math.log(0.5), " yes": math.log(0.1), "No": math.log(0.2), "Maybe": math.log(0.2)}
    reply, [(_, body)] = asked(Step(completion("Yes", logprobs)), call=Call("There?", choice=True))
    assert reply.probability == pytest.approx(0.6 / 0.8)
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 1)


@pytest.mark.parametrize(
    "step",
    [
        Step(completion("Yes")),
        Step(completion("Maybe", {"Maybe": -0.1})),
        Step({"error": {"message": "logprobs are not supported"}}, status=400),
    ],
    ids=["none", "neither", "refused"],
)
def test_a_server_without_logprobs_cannot_tell(step):
    assert asked(step, call=Call("There?", choice=True))[0].probability is None


def test_a_schema_is_sent_and_left_out_where_the_server_refuses_it():
    refusal = Step({"error": {"message": "response_format json_schema is not supported"}}, status=400)
    with FaultyServer(refusal, GOOD) as server:
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY")
        for _ in range(2):
            backend.reply(Call("How many?", schema=SCHEMA), Deadline(10.0))
        formats = ["response_format" in body for _, body in server.requests]
        assert formats == [True, False, False], "a refusal is remembered"
        assert server.requests[0][1]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_newer_servers_get_the_bound_under_its_newer_name():
    refusal = Step({"error": {"message": "Unsupported parameter: 'max_tokens' with this model."}}, status=400)
    _, requests = asked(refusal, GOOD)
    assert requests[1][1]["max_completion_tokens"] == 512
    assert "max_tokens" not in requests[1][1]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status):
    reply, requests = asked(Step({}, status=status, headers={"Retry-After": 0}), GOOD)
    assert reply.text == "Two mugs."
    assert len(requests) == 2


def test_a_cut_body_is_asked_for_again():
    reply, requests = asked(Step(completion("Two mugs."), cut=True), GOOD)
    assert reply.text == "Two mugs."
    assert len(requests) == 2


@pytest.mark.real_time
def test_what_the_server_asks_to_wait_is_waited():
    started = time.monotonic()
    asked(Step({}, status=429, headers={"Retry-After": "1"}), GOOD)
    assert time.monotonic() - started >= 1.0


@pytest.mark.parametrize("wait", ["3600", formatdate(time.time() + 3600, usegmt=True)], ids=["seconds", "date"])
def test_a_wait_beyond_the_deadline_is_not_begun(wait):
    said = failure(Step({}, status=429, headers={"Retry-After": wait}), seconds=5.0)
    assert "did not reply within 5 s because it said HTTP 429" in said


def test_a_server_that_keeps_failing_is_given_up():
    said = failure(Step({"error": {"message": "overloaded"}}, status=500, headers={"Retry-After": 0}), retries=2)
    assert "failed 3 times" in said
    assert "overloaded" in said


@pytest.mark.parametrize(
    "step",
    [Step(stall=True), Step(GOOD.body, stall=True, headers_first=True), Step(endless=True, pause=0.05)],
    ids=["silent", "header only", "dripping"],
)
def test_no_reply_is_waited_for_beyond_the_deadline(step):
    assert "within 0.7 s" in failure(step, seconds=0.7)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Step("<html>Bad gateway</html>"), "which is not JSON"),
        (Step(b"\xff\xfe\x00garbage"), "which is not JSON"),
        (Step(b"[" * 100_000), "which is not JSON"),
        (Step(b""), "which is not JSON"),
        (Step({"choices": []}), "no chat completion"),
        (Step({"choices": [{"message": {"content": ["a", "list"]}}]}), "no chat completion"),
        (Step({"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": "many"}}), "no chat completion"),
        (Step([1, 2]), "no chat completion"),
        (Step(completion("  ")), "empty reply"),
        (Step(completion(None)), "empty reply"),
        (Step(endless=True), "more than 16 MiB"),
        (Step({"error": {"message": f"bad key {KEY}"}}, status=401), "TEST_KEY was given, and must hold a valid key"),
        (Step({"error": {"message": f"no model {KEY}"}}, status=404), "HTTP 404"),
    ],
)
def test_what_is_no_reply_is_said_in_one_sentence(step, expected):
    assert expected in failure(step)


def test_a_server_that_is_not_there():
    with FaultyServer(GOOD) as server:
        url = server.url
    with pytest.raises(NoServerError, match="failed once, at last because the connection failed"):
        OpenAIBackend("eyes", url, "TEST_KEY", retries=0).reply(Call("Hello?"), Deadline(5.0))


def test_a_host_that_nobody_knows_is_no_server():
    with pytest.raises(NoServerError, match=r"check model\.url"):
        OpenAIBackend("eyes", "http://nobody.invalid/v1", "TEST_KEY", retries=0).reply(Call("Hello?"), Deadline(20.0))


def test_a_server_that_hangs_up_is_there():
    with pytest.raises(ModelError) as caught:
        asked(Step(None, cut=True), retries=0)
    assert not isinstance(caught.value, NoServerError)


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://host/v1", "http://"])
def test_what_is_no_url_is_refused(url):
    with pytest.raises(ModelError, match=r"model\.url"):
        OpenAIBackend("eyes", url, "TEST_KEY")


def test_the_identity_tells_servers_apart_and_holds_no_password():
    backend = OpenAIBackend("eyes", "http://me:word@host:1/v1", "TEST_KEY")
    assert backend.identity["url"] == "http://host:1/v1"


def test_many_threads_share_one_back_end():
    with FaultyServer(GOOD) as server:
        backend = OpenAIBackend("eyes", server.url, "TEST_KEY")
        with ThreadPoolExecutor(16) as pool:
            replies = list(pool.map(lambda i: backend.reply(Call(str(i)), Deadline(30.0)).text, range(40)))
        assert replies == ["Two mugs."] * 40
        assert sorted(int(body["messages"][0]["content"]) for _, body in server.requests) == list(range(40))


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://host/\x00",
        "http://host/v1\nx",
        "http://host/\ud800",
        "http://me:word@host:port/v1",
        "http://host/" + "x" * 70_000,
    ],
    ids=range(8),
)
def test_addresses_that_no_client_takes_are_refused_in_one_short_sentence(url):
    with pytest.raises(ModelError, match=r"model\.url = .* is no address") as caught:
        OpenAIBackend("eyes", url, "TEST_KEY")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    assert "word" not in str(caught.value)


@pytest.mark.parametrize(
    "key", ["sk-secret\nsk-second", "sk-s\u00e9cret", "sk-secret\tx", "Bearer sk-secret", "sk-\udcffsecret"]
)
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(monkeypatch, key):
    monkeypatch.setenv("TEST_KEY", key)
    with pytest.raises(ModelError, match="variable TEST_KEY holds no key: it has characters that no key has") as caught:
        OpenAIBackend("eyes", "http://127.0.0.1:9/v1", "TEST_KEY")
    assert "cret" not in str(caught.value)


@pytest.mark.parametrize("quoted", [str, lambda key: repr(key.encode())], ids=["plain", "quoted"])
def test_a_key_that_the_server_says_is_masked_however_it_is_quoted(monkeypatch, quoted):
    key = "sk-se\\cr'et"
    monkeypatch.setenv("TEST_KEY", key)
    with pytest.raises(ModelError) as caught:
        asked(Step({"error": {"message": f"no model for {quoted(key)}"}}, status=404))
    assert "***" in str(caught.value)
    assert "cr'et" not in str(caught.value)


def test_spaces_around_a_key_do_not_count(monkeypatch):
    monkeypatch.setenv("TEST_KEY", f" {KEY}\n")
    _, [(headers, _)] = asked(GOOD)
    assert headers["authorization"] == f"Bearer {KEY}"


def test_a_prompt_that_is_no_text_is_told():
    assert "holds characters that no text has" in failure(GOOD, call=Call("What is \ud800?"))


def test_a_probability_that_is_no_number_is_no_completion():
    step = Step(completion("Yes", {"Yes": -(10**400)}))
    assert "no chat completion" in failure(step, call=Call("There?", choice=True))


@pytest.mark.parametrize("count", [10**9 + 1, 10**400, -1], ids=["many", "endless", "negative"])
def test_counts_of_tokens_that_cannot_be_are_no_completion(count):
    assert "no chat completion" in failure(Step(completion("x", completion_tokens=count)))


def test_silence_is_told_where_futures_have_their_own_kind_of_timeout(monkeypatch):
    class Silence(Exception):  # noqa: N818 - stands for what Python 3.10 raises
        pass

    def nothing(sending, loop):
        sending.close()
        return concurrent.futures.Future()

    monkeypatch.setattr(concurrent.futures, "TimeoutError", Silence)
    monkeypatch.setattr(concurrent.futures._base, "TimeoutError", Silence)
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", nothing)
    monkeypatch.setattr(openai_wire, "_GRACE", 0.05)
    assert "did not reply within 0.05 s because it was silent" in failure(GOOD, seconds=0.05)


@pytest.mark.parametrize("proxy", ["http://host:port", "ftp://host"])
def test_a_proxy_that_is_none_is_told(monkeypatch, proxy):
    monkeypatch.setenv("ALL_PROXY", proxy)
    assert "no client can be made for the server at 127.0.0.1" in failure(GOOD)


def test_whether_a_server_is_there_is_seen_without_a_call():
    with FaultyServer(GOOD) as server:
        OpenAIBackend("eyes", server.url, "TEST_KEY", retries=0).knock(Deadline(5.0))
        assert not server.requests


@pytest.mark.parametrize("listens", [False, True])
def test_nobody_answers_a_knock(listens):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listens:
            server.listen()
        backend = OpenAIBackend("eyes", f"http://127.0.0.1:{server.getsockname()[1]}/v1", "TEST_KEY", retries=0)
        with pytest.raises(NoServerError, match="within 0.4 s" if listens else "cannot be reached") as caught:
            backend.knock(Deadline(0.4))
    assert isinstance(caught.value, SilentServerError) == listens


def test_silence_is_no_server_and_refusals_up_to_the_deadline_are_none_either():
    with pytest.raises(SilentServerError):
        asked(Step(stall=True), seconds=0.4)
    with FaultyServer(GOOD) as server:
        url = server.url
    with pytest.raises(NoServerError, match=r"could not be reached within 1 s"):
        OpenAIBackend("eyes", url, "TEST_KEY", retries=9).reply(Call("Hello?"), Deadline(1.0))
    with pytest.raises(ModelError) as busy:
        asked(Step({"error": {"message": "busy"}}, status=503), seconds=0.3, retries=5)
    assert not isinstance(busy.value, NoServerError)


def refused(message, status=400):
    return Step({"error": {"message": message}}, status=status, headers={"Retry-After": 0})


@each_row(
    "step",
    [
        refused("image input is not supported - hint: you may need to provide the mmproj", 500),
        refused("At most 0 image(s) may be provided in one prompt."),
        refused("opt-125m is not a multimodal model"),
        refused("no such model", 404),
        refused("bad key", 401),
        Step("<html>Welcome</html>"),
        Step({"choices": []}),
    ],
)
def test_what_a_server_never_takes_is_refused_at_once(step):
    with FaultyServer(step, GOOD) as server:
        with pytest.raises(RefusedCallError):
            OpenAIBackend("eyes", server.url, "TEST_KEY", 2).reply(Call("What is there?"), Deadline(10.0))
        assert len(server.requests) == 1


@each_row("step", [refused("overloaded", 500), refused("slow down", 429), Step(completion(""))])
def test_what_may_pass_is_no_refusal(step):
    with pytest.raises(ModelError) as caught:
        asked(step, retries=1)
    assert not isinstance(caught.value, RefusedCallError)


def test_a_call_may_ask_for_a_short_reply():
    _, [(_, body)] = asked(GOOD, call=Call("What is there?", most_tokens=16))
    assert body["max_tokens"] == 16


def thinking(how, *steps):
    with FaultyServer(*steps) as server:
        backend = OpenAIBackend("org/eyes", server.url, "TEST_KEY", 0, thinking=how)
        return backend, backend.reply(Call("What is there?"), Deadline(10.0)), [body for _, body in server.requests]


@pytest.mark.parametrize(("how", "on"), [("on", True), ("off", False)])
def test_thinking_is_asked_for_as_servers_of_open_models_have_it(how, on):
    backend, _, [body] = thinking(how, GOOD)
    assert body["chat_template_kwargs"] == {"enable_thinking": on}
    assert "reasoning_effort" not in body
    assert backend.identity["thinking"] == how, "replies that are kept are told apart"


def test_without_a_word_on_thinking_none_is_said():
    backend, _, [body] = thinking("", GOOD)
    assert not {"chat_template_kwargs", "reasoning_effort"} & set(body)
    assert "thinking" not in backend.identity, "replies that were kept before count"


@pytest.mark.parametrize(("how", "effort"), [("on", "medium"), ("off", "none")])
def test_a_server_that_knows_no_such_variable_is_asked_for_an_effort(how, effort):
    refusal = Step({"error": {"message": "Unrecognized request argument supplied: chat_template_kwargs"}}, status=400)
    _, reply, bodies = thinking(how, refusal, GOOD)
    assert reply.text == "Two mugs."
    assert "chat_template_kwargs" not in bodies[1]
    assert bodies[1]["reasoning_effort"] == effort


def test_a_server_that_knows_neither_is_no_server_for_that():
    refusals = [
        Step({"error": {"message": f"Unrecognized request argument supplied: {name}"}}, status=400)
        for name in ("chat_template_kwargs", "reasoning_effort")
    ]
    with pytest.raises(RefusedCallError, match="reasoning_effort"):
        thinking("on", *refusals)


@each_row(
    "said, reply",
    [
        ("<think>A mug, or two?</think>\n\nTwo mugs.", "Two mugs."),
        ("A mug, or two?</think>Two mugs.", "Two mugs."),
        ("  Two mugs. ", "Two mugs."),
        ("I think <think> is a word.", "I think <think> is a word."),
    ],
)
def test_thoughts_are_no_part_of_a_reply(said, reply):
    assert asked(Step(completion(said)))[0].text == reply


def test_a_reply_that_was_cut_while_it_thought_is_empty():
    assert "empty reply" in failure(Step(completion("<think>A mug, or")))
