"""A page as a program opens it: over HTTP and a websocket as a browser does, with nothing drawn; all that the server
sends is handed on, so that it can be searched.

The websocket is that of the package ``websockets``, which comes with the server's own.
"""

from __future__ import annotations

import http.client
import json
import re
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from vantage.errors import VantageError

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_WAITED = 60.0  # s for an answer of the server
_SOCKET = "/_nicegui_ws/socket.io/"
_ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
_QUERY = re.compile(r"^\s*query: (\{.*\}),$", re.MULTILINE)
_UNESCAPED = (("&#36;", "$"), ("&#96;", "`"), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"))
# Packets of engine.io, one digit, and of socket.io within, two.
_OPEN, _PING, _PONG, _CONNECT, _EVENT = "0", "2", "3", "40", "42"


class PageClient:
    """One page of a ``WebServer``, and its connection, until it is closed; not thread-safe.

    Args:
        address: with a token, as ``WebServer.address`` gives it.
        heard: told of all that the server sends, as it comes: what it is (``header``, ``page``, ``picture`` or
            ``message``), and its bytes.

    Attributes:
        elements: what the page is made of by now, by id, as NiceGUI describes it to browsers.
        client_id: by which messages name the page.
        cookie: that lets in, as a browser sends it; empty before.
    """

    def __init__(self, address: str, heard: Callable[[str, bytes], None] = lambda kind, sent: None) -> None:
        parts = urlsplit(address)
        self._host, self._entrance = parts.netloc, f"{parts.path}?{parts.query}"
        self._path, self._heard = parts.path, heard
        self._http = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=_WAITED)
        self.cookie = ""
        self._socket: ClientConnection | None = None
        self._opened = ExitStack()
        self.client_id, self._is_connected = "", False
        self.elements: dict[str, dict[str, Any]] = {}

    def open(self) -> None:
        """Come in, or load the page again.

        Raises:
            VantageError: the server lets nobody in, or sends no page.
        """
        self._opened.close()
        if not self.cookie:
            self._get(self._entrance, "header")
        html = self._get(self._path, "page").decode()
        (self.elements, _), query = described(html), _QUERY.search(html)
        if not self.elements or query is None:
            raise VantageError(f"{self._host}{self._path} is no page of NiceGUI; open one that a WebServer builds")
        self._connect(json.loads(query[1].replace("'", '"').replace("True", "true")))

    def get(self, path: str) -> bytes:
        """A picture of the page.

        Raises:
            VantageError: there is none.
        """
        return self._get(path, "picture")

    def listen(self, seconds: float) -> bool:
        """Take in what the server sends next, and all that has come with it; whether anything came in so many s.

        Raises:
            VantageError: the connection ended.
        """
        came = self._take(seconds)
        while came and self._take(0.0):
            pass
        return came

    def wait(self, asked: Callable[[], Any], what: str, seconds: float = _WAITED) -> Any:
        """Listen until a question about the page is answered by anything that is true; gives that.

        Raises:
            VantageError: it was not, in so many s.
        """
        until = time.monotonic() + seconds
        while not (found := asked()):
            left = until - time.monotonic()
            if left <= 0.0:
                raise VantageError(f"the page did not show {what} within {seconds:g} s")
            self.listen(min(left, 0.5))
        return found

    def found(self, prop: str, value: str) -> str | None:
        """Id of the first element one of whose properties has a value, and that is shown; None for none."""
        for name, element in self.elements.items():
            if str(element.get("props", {}).get(prop)) == value and not self._is_hidden(name):
                return name
        return None

    def text(self, prop: str, value: str) -> str:
        """What such an element says; empty where there is none."""
        name = self.found(prop, value)
        return "" if name is None else str(self.elements[name].get("text") or "")

    def press(self, prop: str, value: str) -> None:
        """Press such a button.

        Raises:
            VantageError: there is none.
        """
        self._do(self._one(prop, value), "click", {})

    def write(self, prop: str, value: str, text: str) -> None:
        """Write into such a field.

        Raises:
            VantageError: there is none.
        """
        self._do(self._one(prop, value), "update:", text)

    def choose(self, prop: str, value: str, label: str) -> None:
        """Choose in such a list.

        Raises:
            VantageError: there is none, or it has nothing of that label.
        """
        name = self._one(prop, value)
        for option in self.elements[name]["props"]["options"]:
            if option["label"] == label:
                self._do(name, "update:", option)
                return
        raise VantageError(f"there is no '{label}' to choose in {prop} '{value}'")

    def close(self) -> None:
        """Go away; again without effect."""
        with suppress(OSError):
            self._opened.close()
        self._http.close()

    def __enter__(self) -> PageClient:
        try:
            self.open()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _one(self, prop: str, value: str) -> str:
        name = self.found(prop, value)
        if name is None:
            raise VantageError(f"the page shows nothing of {prop} '{value}'; wait until it does")
        return name

    def _is_hidden(self, name: str) -> bool:
        """Whether an element, or one that it lies in, is not shown."""
        parents = {str(child): parent for parent, each in self.elements.items() for child in each.get("children", ())}
        at: str | None = name
        while at is not None:
            if "hidden" in self.elements[at].get("class", ()):
                return True
            at = parents.get(at)
        return False

    def _get(self, path: str, kind: str) -> bytes:
        try:
            answer = self._asked(path)
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._http.close()
            raise VantageError(f"{self._host} did not answer: {error}") from error
        for name, value in answer.getheaders():
            self._heard("header", f"{name}: {value}".encode())
        self._heard(kind, body)
        if answer.status != 200:
            raise VantageError(f"{self._host} answered {answer.status}: {body[:200].decode(errors='replace')}")
        self.cookie = (answer.getheader("set-cookie") or self.cookie).split(";")[0]
        return body

    def _asked(self, path: str) -> http.client.HTTPResponse:
        """The answer to GET; asked once more where the server had closed a connection that was not used for long."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        try:
            self._http.request("GET", path, headers=headers)
            return self._http.getresponse()
        except ConnectionError:
            self._http.close()
            self._http.request("GET", path, headers=headers)
            return self._http.getresponse()

    def _connect(self, query: Mapping[str, Any]) -> None:
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect
        from websockets.typing import Origin

        self.client_id, self._is_connected = str(query["client_id"]), False
        asked = {key: str(value).lower() if isinstance(value, bool) else value for key, value in query.items()}
        asked |= {"document_id": str(uuid.uuid4()), "tab_id": str(uuid.uuid4()), "EIO": 4, "transport": "websocket"}
        try:
            self._socket = self._opened.enter_context(
                connect(
                    f"ws://{self._host}{_SOCKET}?{urlencode(asked)}",
                    origin=Origin(f"http://{self._host}"),
                    additional_headers={"Cookie": self.cookie},
                    compression=None,
                    open_timeout=_WAITED,
                    max_size=None,
                    proxy=None,
                )
            )
        except (OSError, WebSocketException) as error:
            raise VantageError(f"{self._host} did not take the connection of a page: {error}") from error
        if self._next(_WAITED)[:1] != _OPEN:
            raise VantageError(f"{self._host} does not speak engine.io")
        self.send(_CONNECT)
        self.wait(lambda: self._is_connected, "that it is connected")

    def _do(self, name: str, event: str, value: Any) -> None:
        listener = next(
            (each for each in self.elements[name].get("events", ()) if each["type"].startswith(event)), None
        )
        if listener is None:
            raise VantageError(f"element {name} of the page listens to no '{event}'")
        message = {
            "id": int(name),
            "client_id": self.client_id,
            "listener_id": listener["listener_id"],
            "args": [json.dumps(value)],
        }
        self.send(_EVENT + json.dumps(["event", message]))

    def send(self, packet: str | bytes) -> None:
        """Send a packet of engine.io as it is; bytes as a binary one.

        Raises:
            VantageError: the connection ended.
        """
        from websockets.exceptions import WebSocketException

        try:
            assert self._socket is not None
            self._socket.send(packet)
        except WebSocketException as error:
            raise VantageError(f"the connection of a page to {self._host} ended: {error}") from error

    def _next(self, seconds: float) -> str:
        """The next packet; empty for none."""
        from websockets.exceptions import WebSocketException

        try:
            assert self._socket is not None
            packet = self._socket.recv(seconds)
        except TimeoutError:
            return ""
        except WebSocketException as error:
            raise VantageError(f"the connection of a page to {self._host} ended: {error}") from error
        sent: bytes = packet.encode() if isinstance(packet, str) else packet
        self._heard("message", sent)
        return sent.decode()

    def _take(self, seconds: float) -> bool:
        packet = self._next(seconds)
        if packet == _PING:
            self.send(_PONG)
        elif packet.startswith(_CONNECT):
            self._is_connected = True
        elif packet.startswith(_EVENT):
            name, *values = json.loads(packet[len(_EVENT) :])
            if name == "update":
                self._update(values[0])
        return bool(packet)

    def _update(self, changed: Mapping[str, Any]) -> None:
        for name, element in changed.items():
            if name == "_id":
                continue
            if element is None:
                self.elements.pop(name, None)
                continue
            before = self.elements.get(name, {}).get("props", {})
            for prop in element.pop("preserved_props", ()):
                if prop in before:
                    element["props"][prop] = before[prop]
            self.elements[name] = element


def described(html: str) -> tuple[dict[str, dict[str, Any]], str]:
    """The elements of a page by id, as they stand in its HTML, and all the rest of that; no elements where it is no
    page of NiceGUI."""
    found = _ELEMENTS.search(html)
    if found is None:
        return {}, html
    text = found[1]
    for escaped, sign in _UNESCAPED:
        text = text.replace(escaped, sign)
    return json.loads(text), html[: found.start(1)] + html[found.end(1) :]
