"""The one gate before every page: who may ask, from where, how much and how often.

A pure ASGI application around another one, for HTTP and websockets alike. The framework behind it accepts every origin
and every host, so nothing of it is reached before the gate has let a request through.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from vantage.web.rates import Buckets

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

VISITOR = "vantage.visitor"  # key of an ASGI scope: who was let in, as named to ``Gate.admit``
LARGEST_BODY = 64 * 1024  # bytes of a request's body, and of a message of a websocket
_LONGEST_PATH, _LONGEST_NAME, _LONGEST_QUERY = 1024, 255, 2048  # bytes of a path, of each of its names, of a query

_SAFE = ("GET", "HEAD")
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
# Not a redirect: a cookie with SameSite=Strict is not sent on along a chain that another site began.
_ENTRANCE = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={path}"><title>Vantage</title>'
)


@dataclass(frozen=True)
class Bounds:
    """How much is served at a time, whoever asks.

    Attributes:
        requests_per_s: of HTTP and of messages of websockets, for each visitor; strangers share one such rate.
        burst: that many at once, after which the rate counts.
        in_flight: HTTP requests at a time.
        in_flight_each: of one visitor.
        pages_per_s, pages_burst: of pages for each visitor, which cost more than what they fetch (``light``).
        websockets: open at a time.
        websockets_each: of one visitor.
    """

    requests_per_s: float = 200.0
    burst: int = 600
    in_flight: int = 128
    in_flight_each: int = 32
    pages_per_s: float = 5.0
    pages_burst: int = 60
    websockets: int = 64
    websockets_each: int = 16


USUAL = Bounds()


_LARGE = f"A request's body may have {LARGEST_BODY} bytes."


class _RefusedError(Exception):
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class Gate:
    """Lets through what has a token, comes from a listed host and the same origin, and keeps within bounds.

    A visitor opens an address with ``?token=``, which becomes a cookie that scripts cannot read and that other sites
    cannot have sent; the page is then loaded again without the token. Behind the gate ``scope[VISITOR]`` says who asks.

    Args:
        app: what is guarded.
        hosts: values of the header ``Host`` that are served, ports included.
        cookie: its name; two servers on one machine must differ in it, for browsers do not tell ports apart there.
        light: beginnings of paths that are no pages.
    """

    def __init__(
        self, app: App, hosts: Iterable[str], cookie: str, bounds: Bounds = USUAL, light: Sequence[str] = ()
    ) -> None:
        self._light = tuple(light)
        self._app, self._cookie, self._bounds = app, cookie, bounds
        self._hosts = frozenset(host.lower() for host in hosts)
        self._visitors: dict[str, str] = {}  # digest of a cookie -> visitor
        self._cookies: dict[str, str] = {}  # digest of a token -> cookie
        self._buckets = Buckets(bounds.requests_per_s, bounds.burst)
        self._pages = Buckets(bounds.pages_per_s, bounds.pages_burst)
        self._in_flight: dict[str, int] = {}
        self._open: dict[str, int] = {}

    def admit(self, visitor: str) -> str:
        """A new token for an address, random and not guessable; whoever has it is ``visitor``."""
        token, cookie = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._visitors[_digest(cookie)] = visitor
        self._cookies[_digest(token)] = cookie
        return token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        try:
            self._check_source(scope, headers)
            entered = self._entering(scope)
            if entered is not None:
                scope[VISITOR], cookie = entered
                await self._enter(scope, cookie, send)
                return
            visitor = self._visitor(headers)
            scope[VISITOR] = visitor
            self._check_rate(visitor)
            if not scope["path"].startswith(self._light) and not self._pages.take(visitor):
                raise _RefusedError(429, "Too many pages in a short time; wait a few seconds.")
            if _length(headers) > LARGEST_BODY:
                raise _RefusedError(413, _LARGE)
            mine, all_in_all = self._in_flight.get(visitor, 0), sum(self._in_flight.values())
            if all_in_all >= self._bounds.in_flight or mine >= self._bounds.in_flight_each:
                raise _RefusedError(503, f"{all_in_all} requests are being served already; try again in a moment.")
        except _RefusedError as refused:
            await _answer(send, refused.status, refused.sentence)
            return
        self._in_flight[visitor] = mine + 1
        try:
            await self._serve(scope, receive, send)
        finally:
            _count_down(self._in_flight, visitor)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on a request once all of its body is here, which the framework would read at its leisure."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":  # it went away
                return
            body += message.get("body", b"")
            if len(body) > LARGEST_BODY:
                await _answer(send, 413, _LARGE)
                return
            if not message.get("more_body"):
                break
        whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def received() -> Message:
            return whole.pop() if whole else await receive()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        await self._app(scope, received, sent)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        try:
            self._check_source(scope, headers)
            visitor = self._visitor(headers)
            self._check_rate(visitor)
            mine = self._open.get(visitor, 0)
            if mine >= self._bounds.websockets_each or sum(self._open.values()) >= self._bounds.websockets:
                raise _RefusedError(503, "Too many pages are open already; close one of them.")
        except _RefusedError:
            await receive()  # websocket.connect, before which nothing may be sent
            await send({"type": "websocket.close", "code": 1008})  # makes the handshake fail with 403
            return
        scope[VISITOR] = visitor
        self._open[visitor] = mine + 1

        async def bounded() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                size = len(message.get("bytes") or b"") + len((message.get("text") or "").encode())
                if size > LARGEST_BODY or not self._buckets.take(visitor):
                    reason = "message too large" if size > LARGEST_BODY else "too many messages"
                    await send(
                        {"type": "websocket.close", "code": 1009 if size > LARGEST_BODY else 1008, "reason": reason}
                    )
                    return {"type": "websocket.disconnect", "code": 1008, "reason": reason}
            return message

        try:
            await self._app(scope, bounded, send)
        finally:
            _count_down(self._open, visitor)

    def _check_source(self, scope: Scope, headers: dict[str, list[str]]) -> None:
        """
        Raises:
            _RefusedError: the host is not listed, the origin another one, the path not plain, or the address too long.
        """
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise _RefusedError(421, "This host is not served; open the address that was printed at the start.")
        origins = headers.get("origin", [])
        needed = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if (needed and not origins) or any(origin.lower() != f"http://{hosts[0].lower()}" for origin in origins):
            raise _RefusedError(403, "The request comes from another page than those served here.")
        if len(scope.get("query_string", b"")) > _LONGEST_QUERY:
            raise _RefusedError(414, "The address is longer than any that is served here.")
        raw = scope.get("raw_path") or scope["path"].encode("utf-8", "replace")
        lowered = raw.split(b"?")[0].lower()
        if (
            any(sign in lowered for sign in (b"..", b"%2e", b"%2f", b"%5c", b"%00", b"\\", b"//"))
            or ".." in scope["path"]
            or len(raw) > _LONGEST_PATH
            or max(map(len, scope["path"].split("/"))) > _LONGEST_NAME
            or not scope["path"].isprintable()
        ):
            raise _RefusedError(404, "There is no such page.")

    def _entering(self, scope: Scope) -> tuple[str, str] | None:
        """Who has the token in an address, and the cookie for it; None where there is no token.

        Raises:
            _RefusedError: nobody has that token.
        """
        tokens = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token")
        if not tokens or scope["method"] not in _SAFE:
            return None
        cookie = self._cookies.get(_digest(tokens[0]))
        if cookie is None:
            self._check_rate("")
            raise _RefusedError(403, "This token is not known here; open the address that was printed at the start.")
        return self._visitors[_digest(cookie)], cookie

    async def _enter(self, scope: Scope, cookie: str, send: Send) -> None:
        kept = f"{self._cookie}={cookie}; Path=/; HttpOnly; SameSite=Strict"
        path = "".join(sign if sign.isalnum() or sign in "/-_." else "" for sign in scope["path"])
        await _answer(
            send, 200, _ENTRANCE.format(path=path), (b"set-cookie", kept.encode()), b"text/html; charset=utf-8"
        )

    def _visitor(self, headers: dict[str, list[str]]) -> str:
        """
        Raises:
            _RefusedError: no cookie, or one that nobody was given.
        """
        # By hand: http.cookies gives up at the first cookie it finds odd, and other servers of this machine set such.
        for pair in ";".join(headers.get("cookie", [])).split(";"):
            name, _, value = pair.strip().partition("=")
            visitor = self._visitors.get(_digest(value)) if name == self._cookie else None
            if visitor is not None:
                return visitor
        self._check_rate("")
        raise _RefusedError(403, "Nobody is let in without a token; open the address that was printed at the start.")

    def _check_rate(self, visitor: str) -> None:
        """
        Raises:
            _RefusedError: it asks too often.
        """
        if not self._buckets.take(visitor):
            raise _RefusedError(429, "Too many requests in a short time; wait a few seconds.")


def _count_down(counts: dict[str, int], whose: str) -> None:
    counts[whose] -= 1
    if not counts[whose]:
        del counts[whose]


def _digest(secret: str) -> str:
    """What is looked up instead of a secret, so that no comparison takes longer the more of it is guessed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _length(headers: dict[str, list[str]]) -> int:
    return max(
        (int(value) if value.isdecimal() else LARGEST_BODY + 1 for value in headers.get("content-length", [])),
        default=0,
    )


async def _answer(
    send: Send,
    status: int,
    text: str,
    header: tuple[bytes, bytes] | None = None,
    kind: bytes = b"text/plain; charset=utf-8",
) -> None:
    body = text.encode()
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    headers += [*_HEADERS, *([header] if header else [])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
