"""The gate alone, in front of an application that answers everything."""

from __future__ import annotations

import asyncio

import pytest

from vantage.web.gate import LARGEST_BODY, VISITOR, Bounds, Gate
from vantage.web.rates import Buckets

HOST = b"127.0.0.1:8000"
ORIGIN = b"http://127.0.0.1:8000"


class Answering:
    """An application that reads the body, says who asked, and counts what reaches it."""

    def __init__(self):
        self.reached = 0
        self.messages = []

    async def __call__(self, scope, receive, send):
        self.reached += 1
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                self.messages.append(message["text"])
            return
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope[VISITOR].encode()})


def asked(gate, path="/", method="GET", query=b"", body=(b"",), **headers):
    """Status, body and headers of an answer; underscores in names of headers stand for hyphens."""
    headers = {"host": HOST, **headers}
    listed = [(name.replace("_", "-").encode(), value) for name, value in headers.items() if value is not None]
    parts = list(body)
    sent = []

    async def receive():
        part = parts.pop(0) if parts else b""
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query}
    asyncio.run(gate({**scope, "headers": listed}, receive, send))
    return sent[0]["status"], sent[1]["body"].decode(), dict(sent[0]["headers"])


def connected(gate, messages=(), **headers):
    """What is sent on a websocket after messages came in."""
    headers = {"host": HOST, "origin": ORIGIN, **headers}
    listed = [(name.encode(), value) for name, value in headers.items() if value is not None]
    incoming = [{"type": "websocket.connect"}, *({"type": "websocket.receive", "text": text} for text in messages)]
    sent = []

    async def receive():
        return incoming.pop(0) if incoming else {"type": "websocket.disconnect", "code": 1000}

    async def send(message):
        sent.append(message)

    asyncio.run(gate({"type": "websocket", "path": "/", "query_string": b"", "headers": listed}, receive, send))
    return [message["type"] for message in sent], sent[-1].get("code")


@pytest.fixture
def app():
    return Answering()


def entered(gate, visitor="ann"):
    """The cookie that a visitor gets for a token."""
    status, body, headers = asked(gate, query=b"token=" + gate.admit(visitor).encode())
    assert status == 200
    assert "token" not in body
    return headers[b"set-cookie"].split(b";")[0]


def test_a_token_becomes_a_cookie_of_its_visitor(app):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    ann, bob = entered(gate, "ann"), entered(gate, "bob")
    assert app.reached == 0
    assert asked(gate, cookie=ann)[1] == "ann"
    assert asked(gate, cookie=b"other=1; " + bob)[1] == "bob"
    assert asked(gate, cookie=b'odd={"a": [1]}; ' + bob)[1] == "bob"  # of another server on this machine
    assert b"content-security-policy" in asked(gate, cookie=ann)[2]


@pytest.mark.parametrize("cookie", [None, b"", b"c=", b"c=guess", b"c", b"\xff\xfe=;;;", b"c=" + b"x" * 5000])
def test_nobody_is_let_in_without_a_cookie_that_was_given(app, cookie):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    entered(gate)
    assert asked(gate, cookie=cookie)[0] == 403
    assert connected(gate, cookie=cookie) == (["websocket.close"], 1008)
    assert app.reached == 0


def test_the_token_itself_is_no_cookie_and_a_guessed_one_no_token(app):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    token = gate.admit("ann")
    assert asked(gate, cookie=b"c=" + token.encode())[0] == 403
    assert asked(gate, query=b"token=guess")[0] == 403
    assert asked(gate, method="POST", query=b"token=" + token.encode(), origin=ORIGIN)[0] == 403


@pytest.mark.parametrize("host", [b"evil.example", b"127.0.0.1", b"127.0.0.1:8001", None])
def test_a_host_that_is_not_listed_is_refused(app, host):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    assert asked(gate, cookie=entered(gate), host=host)[0] == 421
    assert app.reached == 0


@pytest.mark.parametrize("origin", [b"http://evil.example", b"null", b"https://127.0.0.1:8000", b"http://127.0.0.1:1"])
def test_another_origin_is_refused(app, origin):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    cookie = entered(gate)
    assert asked(gate, cookie=cookie, origin=origin)[0] == 403
    assert asked(gate, cookie=cookie, origin=origin, method="POST")[0] == 403
    assert connected(gate, cookie=cookie, origin=origin)[0] == ["websocket.close"]
    assert app.reached == 0


def test_what_changes_something_must_name_its_origin(app):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    cookie = entered(gate)
    assert asked(gate, cookie=cookie, method="POST")[0] == 403
    assert asked(gate, cookie=cookie, method="POST", origin=ORIGIN)[0] == 200
    assert connected(gate, cookie=cookie, origin=None)[0] == ["websocket.close"]
    assert connected(gate, ["a"], cookie=cookie)[0] == ["websocket.accept"]
    assert app.messages == ["a"]


@pytest.mark.parametrize("path", ["/../x", "/a/..", "/%2e%2e/x", "/a%2fb", "/a\\b", "//x", "/%00", "/%2E%2E%2Fetc"])
def test_paths_that_could_lead_elsewhere_are_none(app, path):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    assert asked(gate, path, cookie=entered(gate))[0] == 404
    assert app.reached == 0


def test_bodies_and_messages_are_bounded(app):
    gate = Gate(app, ["127.0.0.1:8000"], "c")
    cookie = entered(gate)
    post = {"method": "POST", "origin": ORIGIN, "cookie": cookie}
    assert asked(gate, **post, body=(b"x" * LARGEST_BODY,))[0] == 200
    assert asked(gate, **post, content_length=str(LARGEST_BODY + 1).encode())[0] == 413
    assert asked(gate, **post, content_length=b"-1")[0] == 413
    assert asked(gate, **post, body=(b"x" * LARGEST_BODY, b"x"))[0] == 413
    kinds, code = connected(gate, ["ok", "x" * (LARGEST_BODY + 1), "late"], cookie=cookie)
    assert (kinds, code) == (["websocket.accept", "websocket.close"], 1009)
    assert app.messages == ["ok"]


def test_rates_are_bounded_for_each(app):
    gate = Gate(app, ["127.0.0.1:8000"], "c", Bounds(requests_per_s=1e-9, burst=3))
    ann, bob = entered(gate, "ann"), entered(gate, "bob")
    assert [asked(gate, cookie=ann)[0] for _ in range(5)] == [200, 200, 200, 429, 429]
    assert asked(gate, cookie=bob)[0] == 200
    assert [asked(gate)[0] for _ in range(5)] == [403, 403, 403, 429, 429]
    kinds, code = connected(gate, ["1", "2", "3"], cookie=bob)
    assert (kinds, code) == (["websocket.accept", "websocket.close"], 1008)


def test_websockets_are_bounded(app):
    gate = Gate(app, ["127.0.0.1:8000"], "c", Bounds(websockets_each=0))
    assert connected(gate, cookie=entered(gate))[0] == ["websocket.close"]


def test_a_bucket_fills_again_and_no_further_than_its_size():
    now = [0.0]
    buckets = Buckets(2.0, 2, lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    now[0] = 0.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
