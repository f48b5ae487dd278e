"""Connections before the gate: how many there may be, and how long each may take to say what it wants.

uvicorn bounds neither: without this, whoever opens sockets and sends nothing, or one byte a minute, takes the server
from those who were let in.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from vantage.web.gate import VISITOR

LARGEST_HEAD = 32 * 1024  # bytes of the first line and the headers of a request
BACKLOG = 128  # connections that the kernel holds until they are accepted
_SWEPT_EVERY = 0.5  # s


@dataclass(frozen=True)
class ConnectionBounds:
    """How many connections are kept, and for how long; websockets are counted by the gate.

    Attributes:
        strangers: that showed neither token nor cookie; more than ``BACKLOG``, so that a newcomer is heard before
            it is the oldest.
        visitors: of all visitors together.
        each: of one visitor.
        request_s: from the first byte of a request to its last, and all the time that a stranger has, s.
        unread_s: for which an answer may wait to be read, s.
    """

    strangers: int = 2 * BACKLOG
    visitors: int = 384
    each: int = 48
    request_s: float = 10.0
    unread_s: float = 30.0


USUAL_CONNECTIONS = ConnectionBounds()


class Connections:
    """All HTTP connections of a server; used in its event loop alone.

    When a bound is reached, the oldest connection of whoever has most of that kind is closed, and the new one is
    taken: a flood pushes out its own. Call it to get the protocol of a new connection, as uvicorn does.
    """

    def __init__(self, bounds: ConnectionBounds = USUAL_CONNECTIONS) -> None:
        self.bounds = bounds
        self._live: dict[Connection, None] = {}  # in the order in which they came
        self._sweep: asyncio.TimerHandle | None = None

    def __call__(self, **given: Any) -> Connection:
        from uvicorn.protocols.http.h11_impl import H11Protocol

        return Connection(self, H11Protocol(**given))

    def add(self, connection: Connection) -> None:
        self._live[connection] = None
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(_SWEPT_EVERY, self._swept)
        strangers, visitors = self._kinds()
        if len(strangers) > self.bounds.strangers:
            _oldest_of_most(strangers, [each.address for each in strangers]).end()
        if len(visitors) > self.bounds.visitors:
            _oldest_of_most(visitors, [each.visitor for each in visitors]).end()
        for visitor, count in Counter(each.visitor for each in visitors).items():
            if count > self.bounds.each:
                next(each for each in visitors if each.visitor == visitor).end()

    def remove(self, connection: Connection) -> None:
        self._live.pop(connection, None)

    def _kinds(self) -> tuple[list[Connection], list[Connection]]:
        strangers: list[Connection] = []
        visitors: list[Connection] = []
        for each in self._live:
            (visitors if each.visitor else strangers).append(each)
        return strangers, visitors

    def _swept(self) -> None:
        """Close what takes too long; again after a while as long as there are connections."""
        now = time.monotonic()
        for each in list(self._live):
            if each.is_late(now, self.bounds):
                each.end()
        self._sweep = asyncio.get_running_loop().call_later(_SWEPT_EVERY, self._swept) if self._live else None


class Connection(asyncio.Protocol):
    """One connection, spoken on by uvicorn's protocol of h11.

    Args:
        inner: that protocol, new.
    """

    def __init__(self, connections: Connections, inner: Any) -> None:
        self._connections, self._inner = connections, inner
        self._transport: Any = None
        self._visitor = self.address = ""
        self._since = time.monotonic()  # when it came
        self._begun: float | None = None  # when the request began that is not whole yet
        self._unread: float | None = None  # since when nothing more can be sent

    @property
    def visitor(self) -> str:
        """Whom the gate let in here; empty for a stranger."""
        if not self._visitor and self._inner.scope is not None:
            self._visitor = str(self._inner.scope.get(VISITOR, ""))
        return self._visitor

    def is_late(self, now: float, bounds: ConnectionBounds) -> bool:
        """Whether it took longer than it may at a time of the monotonic clock."""
        begun = self._begun if self.visitor else self._since
        return (begun is not None and now - begun > bounds.request_s) or (
            self._unread is not None and now - self._unread > bounds.unread_s
        )

    def end(self) -> None:
        """Close it at once, whatever is on."""
        self._connections.remove(self)
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        self._inner.connection_made(transport)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        try:
            self._inner.data_received(data)
        except Exception:  # of h11, which cannot answer any more what came amid an answer
            self.end()
            return
        self._begun = (self._begun or time.monotonic()) if self._is_amid_request() else None
        if self._inner not in self._inner.connections:  # a websocket by now, which the gate counts
            self._connections.remove(self)

    def _is_amid_request(self) -> bool:
        import h11

        spoken = self._inner.conn
        if spoken.their_state is h11.IDLE:
            return bool(spoken.trailing_data[0])
        return spoken.their_state is h11.SEND_BODY

    def eof_received(self) -> bool | None:
        self._inner.eof_received()
        return None

    def pause_writing(self) -> None:
        self._unread = time.monotonic()
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._unread = None
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self)
        self._inner.connection_lost(exc)


def _oldest_of_most(connections: list[Connection], whose: list[str]) -> Connection:
    """The oldest connection of whoever has most of them."""
    [(most, _)] = Counter(whose).most_common(1)
    return connections[whose.index(most)]
