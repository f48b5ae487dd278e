"""Connections before the gate: few strangers, short waits, and a page that opens meanwhile."""

from __future__ import annotations

import http.client
import select
import socket
import time
from contextlib import ExitStack, closing, suppress
from urllib.parse import urlsplit

import pytest

from vantage.web import WebServer, framed
from vantage.web.connections import ConnectionBounds
from vantage.web.gate import LARGEST_BODY

pytestmark = pytest.mark.needs("web")
BOUNDS = ConnectionBounds(strangers=140, visitors=20, each=8, request_s=1.0)


def index():
    with framed("Page"):
        pass


@pytest.fixture(scope="module")
def server():
    with WebServer({"/": index}, connection_bounds=BOUNDS) as running:
        yield running


@pytest.fixture(scope="module")
def cookie(server):
    return answered(server, server.address())[1].split(";")[0]


def answered(server, address="/", cookie=""):
    """Status and cookie of the answer to GET on a new connection."""
    parts = urlsplit(address)
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20.0)) as connection:
        connection.request("GET", f"{parts.path}?{parts.query}", headers={"Cookie": cookie} if cookie else {})
        response = connection.getresponse()
        response.read()
        return response.status, response.getheader("set-cookie") or ""


def connected(server, sent=b""):
    wire = socket.create_connection(("127.0.0.1", server.port), timeout=20.0)
    if sent:
        wire.sendall(sent)
    return wire


def head(server, cookie="", more="", method="GET"):
    lines = [f"{method} / HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Origin: http://127.0.0.1:{server.port}"]
    lines += [f"Cookie: {cookie}"] if cookie else []
    return ("\r\n".join([*lines, *([more] if more else [])]) + "\r\n").encode()


def is_closed(wire):
    try:
        while select.select([wire], [], [], 0)[0]:
            if not wire.recv(65536):
                return True
    except OSError:
        return True
    return False


def test_a_header_without_an_end_is_cut_off_long_before_60_mb(server):
    sent = 0
    with closing(connected(server, b"GET / HTTP/1.1\r\nHost: ")) as wire, suppress(OSError):
        while sent < 60 << 20:
            sent += wire.send(b"a" * 65536)
    assert sent < 8 << 20


@pytest.mark.parametrize("who", ["stranger", "visitor"])
@pytest.mark.parametrize(
    "more",
    ["", "Connection: Upgrade\r\nUpgrade: websocket", "Content-Length: 900\r\n", "Transfer-Encoding: chunked\r\n"],
)
def test_what_is_never_whole_is_closed_however_slowly_it_goes_on(server, cookie, who, more):
    begun = time.monotonic()
    method = "POST" if "Length" in more or "chunked" in more else "GET"
    with closing(connected(server, head(server, cookie if who == "visitor" else "", more, method))) as wire:
        while not is_closed(wire):
            assert time.monotonic() - begun < 10.0
            with suppress(OSError):
                wire.send(b"a")
            time.sleep(0.1)
    assert answered(server, "/", cookie)[0] == 200


def test_a_visitors_connection_that_says_nothing_amid_requests_is_kept_for_the_next_one(server, cookie):
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20.0)) as connection:
        for _ in range(2):
            connection.request("GET", "/", headers={"Cookie": cookie})
            used = connection.sock
            assert connection.getresponse().read()
            assert connection.sock is used
            time.sleep(1.6)  # longer than a request may take


def test_a_flood_of_connections_pushes_out_its_own_and_the_page_opens(server, cookie):
    with ExitStack() as stack:
        wires = [stack.enter_context(closing(connected(server))) for _ in range(300)]
        assert answered(server, "/", cookie)[0] == 200
        assert sum(not is_closed(wire) for wire in wires) <= BOUNDS.strangers
        kept = [stack.enter_context(closing(connected(server, head(server, cookie) + b"\r\n"))) for _ in range(30)]
        assert answered(server, "/", cookie)[0] == 200
        until = time.monotonic() + 10.0
        while sum(not is_closed(wire) for wire in kept) > BOUNDS.each + 1:
            assert time.monotonic() < until
            time.sleep(0.05)


@pytest.mark.parametrize("length", ["Transfer-Encoding: chunked", f"Content-Length: {LARGEST_BODY + 1}"])
def test_a_body_that_is_too_long_is_refused_with_413(server, cookie, length):
    chunk = b"2000\r\n" + b"b" * 0x2000 + b"\r\n"
    with closing(connected(server, head(server, cookie, length, "POST") + b"\r\n")) as wire:
        with suppress(OSError):
            for _ in range(LARGEST_BODY // 0x2000 + 2):
                wire.sendall(chunk)
        assert wire.recv(12) == b"HTTP/1.1 413"


def test_long_addresses_and_control_characters_are_no_page(server, cookie):
    for path in (f"/{'n' * 8000}", f"/_nicegui/x/resources/y/{'n' * 300}", f"/{'a/' * 4000}", "/%1b%5b2J", "/%c2%9b"):
        assert answered(server, path, cookie)[0] == 404, path[:40]
    assert answered(server, f"/?step={'n' * 8000}", cookie)[0] == 414


def test_polling_is_not_spoken(server, cookie):
    assert answered(server, "/_nicegui_ws/socket.io/?EIO=4&transport=polling", cookie)[0] == 400
