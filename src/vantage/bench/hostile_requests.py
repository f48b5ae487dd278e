"""What hostile clients send to a server of pages: requests, connections and messages, and what must come of each."""

from __future__ import annotations

import http.client
import json
import random
import select
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from vantage.errors import VantageError

WAITED = 20.0  # s for any answer
CONTROLS = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\r\nvantage: all is well\x00"
_LONG = "n" * 8000
_WITHIN = 15.0  # s in which an unfinished request must be closed
_MOST_OPEN = 300  # connections of strangers that may be kept
_MOST_HEADER = 4 << 20  # bytes that fit into the buffers of the two sides before the server takes a byte
_SOCKETS = "/_nicegui_ws/socket.io/?EIO=4&transport="
_NO_PACKETS = (
    *("", "9", "4", "42", "42[", "42{}", "45-1[]", "43", "0", "2", "5", "b4AAAA", "40/admin,", CONTROLS),
    *('42["event"]', '451-["event"]', '42["event",NaN]', '42["event",{"client_id":"\\ud800"}]'),
    "42" + "[" * 20000 + "]" * 20000,
)


@dataclass(frozen=True)
class Target:
    """A server that is attacked.

    Attributes:
        address: of the attacker's own page, with a token; empty for a stranger.
        cookie: hers, or one that is forged.
        paths: beginnings of paths that take a name.
    """

    host: str
    port: int
    address: str
    cookie: str
    paths: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def refused(self) -> tuple[int, ...]:
        """Answers that are due whatever is asked: that it is too often, and to a stranger that she is one."""
        return (429,) if self.address else (403, 429)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=WAITED)


Attack = Callable[[Target, int, random.Random], Counter[str]]


def oversized_headers(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """A header that never ends, of 60 MB; the server must close it long before."""
    found: Counter[str] = Counter()
    for _ in range(max(1, count // 50)):
        sent = 0
        with closing(target.connect()) as wire, suppress(OSError):
            wire.sendall(b"GET / HTTP/1.1\r\nHost: ")
            while sent < 60 << 20:
                sent += wire.send(b"a" * 65536)
        found += Counter(sent=1, accepted=int(sent > _MOST_HEADER))
    return found


def unfinished_requests(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """Headers, handshakes of websockets and bodies that come a byte at a time, by strangers and by who was let in;
    the server must close each within its deadline."""
    begun = time.monotonic()
    wires: list[socket.socket] = []
    with ExitStack() as stack:
        for number in range(min(count, 100)):
            head = f"GET / HTTP/1.1\r\nHost: {target.name}\r\n"
            head += f"Cookie: {target.cookie}\r\n" if number % 2 else ""
            head += "Connection: Upgrade\r\nUpgrade: websocket\r\n" if number % 3 == 1 else ""
            head = head if number % 3 else f"POST {head[4:]}Origin: http://{target.name}\r\nContent-Length: 900\r\n\r\n"
            wire = stack.enter_context(closing(target.connect()))
            wires.append(wire)
            with suppress(OSError):
                wire.sendall(head.encode())
        left = list(wires)
        while left and time.monotonic() - begun < _WITHIN:
            left = [wire for wire in left if not _is_closed(wire)]
            for wire in left:
                with suppress(OSError):
                    wire.send(b"a")
            time.sleep(0.5)
        return Counter(sent=len(wires), accepted=len(left))


def idle_connections(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """Connections that say nothing, ten times as many, of which the newest 800 are held; the server must keep no more
    than its bound."""
    wires: deque[socket.socket] = deque()
    try:
        for _ in range(10 * count):
            wires.append(target.connect())
            if len(wires) > 800:
                wires.popleft().close()
        time.sleep(1.0)
        open_still = sum(not _is_closed(wire) for wire in wires)
        return Counter(sent=10 * count, accepted=max(0, open_still - _MOST_OPEN))
    finally:
        for wire in wires:
            wire.close()


def long_bodies(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """Bodies larger than any that is taken: in chunks of no stated length, and with a length."""
    found: Counter[str] = Counter()
    chunk = b"2000\r\n" + b"b" * 0x2000 + b"\r\n"
    for number in range(max(3, count // 10)):
        length, body = (
            (b"Transfer-Encoding: chunked", chunk * 16) if number % 3 else (b"Content-Length: 10000000", b"x")
        )
        head = f"POST /_nicegui/x HTTP/1.1\r\nHost: {target.name}\r\nOrigin: http://{target.name}\r\n"
        head += f"Cookie: {target.cookie}\r\n"
        found += _judged(_raw(target, head.encode() + length + b"\r\n\r\n" + body), (413, *target.refused))
    return found


def long_names(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """Paths, names and queries of 8,000 characters, also with control characters in them."""
    found: Counter[str] = Counter()
    for number in range(max(len(target.paths) * 3, count // 10)):
        start = target.paths[number % len(target.paths)]
        kinds = (
            f"{start}{_LONG}",
            f"/?step={_LONG}",
            f"{start}%1b%5b2J{draw.randrange(100)}%07",
            f"{start}{'%c3%a9' * 1300}",
        )
        path = kinds[number // len(target.paths) % len(kinds)]
        found += _judged(_get(target, path), (404, 414, *target.refused))
    return found


def false_claims(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """Other hosts (as a name that is made to point here sends them), other origins, forged cookies and tokens, paths
    that lead elsewhere, and the endpoints that pages do not use."""
    found: Counter[str] = Counter()
    mine = {"Cookie": target.cookie}
    name, _, value = target.cookie.partition("=")
    forged = "".join(draw.sample(value, len(value)))
    cases: tuple[tuple[str, str, Mapping[str, str], tuple[int, ...]], ...] = (
        ("GET", "/", {**mine, "Host": "evil.example"}, (421,)),
        ("GET", "/", {**mine, "Host": f"{target.host}:1"}, (421,)),
        ("GET", "/", {**mine, "Origin": "http://evil.example"}, (403,)),
        ("POST", "/", mine, (403,)),
        ("GET", "/", {"Cookie": f"{name}={forged}"}, (403,)),
        ("GET", "/", {"Cookie": f"{name}={'x' * 8000}"}, (403,)),
        ("GET", f"/?token={forged}", {}, (403,)),
        ("GET", "/../../etc/passwd", mine, (404,)),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", mine, (404,)),
        ("GET", f"//{target.name}/", mine, (404,)),
        ("GET", "/_nicegui/x/static/..%2f..%2fx", mine, (404,)),
        ("GET", "/_nicegui/x/resources/y/%00", mine, (404,)),
        ("GET", f"{_SOCKETS}polling", mine, (400, 404)),
        ("GET", f"{_SOCKETS}polling&sid={CONTROLS[:4]!r}".replace("'", ""), mine, (400, 404)),
        ("TRACE", "/", {**mine, "Origin": f"http://{target.name}"}, (404, 405)),
    )
    for number in range(max(len(cases), count // 4)):
        method, path, headers, wanted = cases[number % len(cases)]
        found += _judged(_get(target, path, headers, method), (*wanted, *target.refused))
    return found


def bad_messages(target: Target, count: int, draw: random.Random) -> Counter[str]:
    """Messages that no page sends, on the websocket of the attacker's page: what is no packet, events of wrong
    shapes, control characters in every field, the browser's log. The page must open again after each."""
    from vantage.web import PageClient

    found: Counter[str] = Counter()
    if not target.address:
        return found
    page, messages = PageClient(target.address), _messages(draw)
    try:
        page.open()
        while found["sent"] < count:
            found["sent"] += 1
            try:
                page.send(next(messages)(page))
            except VantageError:  # it was closed for the one before
                _opened_again(page)
    finally:
        page.close()
    return found


def _opened_again(page: Any) -> None:
    """
    Raises:
        VantageError: the page does not open within the time for an answer.
    """
    ends = time.monotonic() + WAITED
    while True:
        try:
            page.open()
            return
        except VantageError:  # so many pages in a second are refused
            if time.monotonic() > ends:
                raise
            time.sleep(0.2)


ATTACKS: dict[str, Attack] = {
    "oversized_headers": oversized_headers,
    "unfinished_requests": unfinished_requests,
    "idle_connections": idle_connections,
    "long_bodies": long_bodies,
    "long_names": long_names,
    "false_claims": false_claims,
    "bad_messages": bad_messages,
}


def _messages(draw: random.Random) -> Iterator[Callable[[Any], str | bytes]]:
    """Messages without end, each made for a page."""

    def event(name: str, **values: Any) -> Callable[[Any], str]:
        return lambda page: "42" + json.dumps([name, {"client_id": page.client_id, **values}])

    def field(value: Any) -> Callable[[Any], str]:
        def made(page: Any) -> str:
            listeners = [
                (int(name), each["listener_id"])
                for name, element in page.elements.items()
                for each in element.get("events", ())
            ]
            name, listener = draw.choice(listeners)
            told = {"id": name, "client_id": page.client_id, "listener_id": listener, "args": [json.dumps(value)]}
            return "42" + json.dumps(["event", told])

        return made

    values: tuple[Any, ...] = (CONTROLS, {"value": CONTROLS}, {"value": 10**9}, -1, 1e300, None, [[]], _LONG)
    odd: tuple[Any, ...] = (None, 1, CONTROLS, [], {}, [[[]]], 10**30)
    while True:
        yield event("log", level="error", message=CONTROLS)
        yield event("log", level=CONTROLS, message={"a": CONTROLS})
        for value in values:
            yield field(value)
        for name in ("event", "handshake", "ack", "javascript_response", "no_event", CONTROLS, "disconnect", "connect"):
            keys = ("id", "listener_id", "args", "next_message_id", "request_id", "document_id", "tab_id")
            yield event(name, **{key: draw.choice(odd) for key in keys})
        for text in _NO_PACKETS:
            yield partial(_as_it_is, text)
        yield lambda page: draw.randbytes(draw.randrange(1, 200))
        yield lambda page: "".join(chr(draw.randrange(1, 0x2FF)) for _ in range(draw.randrange(1, 200)))
        yield lambda page: "4" * 300_000


def _as_it_is(text: str, page: Any) -> str:
    return text


def _judged(status: int, wanted: tuple[int, ...]) -> Counter[str]:
    """Refused as it should be, or not; ``wrong`` are other answers, of which the server's own failures are some."""
    taken = 200 <= status < 300
    return Counter(sent=1, accepted=int(taken), wrong=int(not taken and status not in wanted))


def _get(target: Target, path: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> int:
    told = {"Host": target.name, **({"Cookie": target.cookie} if headers is None else headers)}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return _raw(target, ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))


def _raw(target: Target, sent: bytes) -> int:
    """The status of the answer to bytes as they are; 0 for none."""
    with closing(target.connect()) as wire:
        with suppress(OSError):  # it may answer and close before all was sent
            wire.sendall(sent)
        try:
            response = http.client.HTTPResponse(wire)
            response.begin()
            return response.status
        except (OSError, http.client.HTTPException):
            return 0


def _is_closed(wire: socket.socket) -> bool:
    """Whether the other side closed a connection; what it sent before is read and forgotten."""
    waiting = select.poll()  # takes descriptors of any number
    waiting.register(wire, select.POLLIN)
    try:
        while waiting.poll(0):
            if not wire.recv(65536):
                return True
    except OSError:
        return True
    return False
