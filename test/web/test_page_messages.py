"""What may come on a page's websocket: each packet alone, and all of them against a server that goes on."""

from __future__ import annotations

import asyncio
import json

import pytest
from hostile import ESCAPES, assert_tame

from vantage.errors import VantageError
from vantage.web import PageClient, Painter, Pictures, WebServer, framed
from vantage.web.page_messages import PageMessages, problem

PAGE = {"client_id": "p"}


def event(name, **values):
    return "42" + json.dumps([name, {**PAGE, **values}])


@pytest.mark.parametrize(
    "text",
    [
        *("1", "3", "40", "41"),
        event("event", id=3, listener_id="a", args=['{"x": 1}', None]),
        "420" + event("handshake", document_id="d", tab_id="t")[2:],
        event("javascript_response", request_id="r", result=[1]),
        event("ack", next_message_id=5),
    ],
)
def test_what_pages_send_is_let_through(text):
    assert problem(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        *(None, "", "2", "5", "9", "4", "42", "42[", "42{}", "42[]", "42[1]", "40/admin,", "b4AAAA", "45-1[]", ESCAPES),
        "42" + "[" * 20000 + "]" * 20000,
        '42["event",NaN]',
        event("disconnect"),
        event("ack", next_message_id="5"),
        event("event", id="3", listener_id="a", args=[]),
        event("event", id=3, listener_id="a", args=["{"]),
        event("event", id=3, listener_id="a", args=["[" * 5000 + "]" * 5000]),
        event("event", id=3, listener_id="a", args=['"\\ud800"']),
        event("handshake", document_id={}, tab_id="t"),
        '42["event"]',
        '42["event",{"client_id":7}]',
    ],
)
def test_what_no_page_sends_is_named_without_a_word_of_it(text):
    found = problem(text)
    assert found not in ("", "log")
    assert_tame(found, lines=1, longest=100)


def test_the_browsers_log_is_dropped_and_the_next_message_read():
    incoming = [
        {"type": "websocket.receive", "text": event("log", level="error", message=ESCAPES)},
        {"type": "websocket.receive", "text": "3"},
    ]
    heard = []

    async def app(scope, receive, send):
        heard.append(await receive())

    async def receive():
        return incoming.pop(0)

    asyncio.run(PageMessages(app)({"type": "websocket"}, receive, None))
    assert heard == [{"type": "websocket.receive", "text": "3"}]


@pytest.mark.needs("web")
def test_bad_messages_leave_few_visible_lines_and_a_server_that_goes_on(capfd):
    changed = []

    def index():
        from nicegui import ui

        with framed("Fields"):
            ui.input("a", on_change=lambda change: changed.append(change.value)).props("data-field=a")
            ui.select({1: "one", 2: "two"}, value=1).props("data-field=b")
            ui.number("c", value=1).props("data-field=c")

    painter = Painter()
    pictures = Pictures(painter)
    with WebServer({"/": index}, {Pictures.route: pictures.answer}) as server:
        page = PageClient(server.address("ann"))
        other = PageClient(server.address("bob"))
        page.open()
        other.open()
        bad = ["", "9", b"\x00", "42[", event("event"), f'42["{ESCAPES}"]']
        fields = [
            (int(name), each["listener_id"])
            for name, element in page.elements.items()
            for each in element.get("events", ())
        ]
        assert len(fields) >= 3
        for number in range(18):
            try:
                if number % 3 == 2:
                    page.send(bad[number // 3])
                for name, listener in fields:
                    for value in (ESCAPES, [[]], {"value": ESCAPES}, None):
                        told = {"client_id": page.client_id, "id": name, "listener_id": listener}
                        page.send("42" + json.dumps(["event", {**told, "args": [json.dumps(value)]}]))
                page.send(
                    "42" + json.dumps(["log", {"client_id": page.client_id, "level": "error", "message": ESCAPES}])
                )
            except VantageError:
                page.open()
        name = other.found("data-field", "a")
        told = {"client_id": other.client_id, "id": int(name), "args": [json.dumps("by ann")]}
        told["listener_id"] = other.elements[name]["events"][0]["listener_id"]
        page.open()
        page.send("42" + json.dumps(["event", told]))
        page.close()
        other.write("data-field", "a", "by bob")
        other.wait(lambda: (other.listen(0.1), "by bob" in changed)[1], "what bob wrote")
        other.close()
    assert "by ann" not in changed, "nobody reaches the page of somebody else"
    painter.close()
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err
    assert_tame(printed.err, longest=600)
    assert 1 <= len(printed.err.splitlines()) <= 20
    assert printed.out == ""
