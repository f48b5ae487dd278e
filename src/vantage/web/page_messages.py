"""What pages may send on their websockets: the packets of engine.io and socket.io that NiceGUI's own script sends, and
no others.

The libraries behind take more (polling, binary packets, namespaces, a log of the browser that is printed as it is), and
answer what is no packet with a traceback. So each message is read here first: what no page sends closes its websocket.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from typing import Any

from vantage.errors import FormatError
from vantage.files import parse_json
from vantage.web.gate import VISITOR, App, Message, Receive, Scope, Send
from vantage.web.told_lines import LINES

EVENTS = ("handshake", "event", "javascript_response", "ack")
_DROPPED = ("log",)  # what a browser would have the operator read
_PLAIN = ("1", "3", "40", "41")  # close and pong of engine.io, connect and disconnect of socket.io
_EVENT = re.compile(r"42([0-9]{0,9})(\[.*\])", re.DOTALL)
_NO_NUMBER = re.compile("NaN|Infinity")
_DEEPEST = 32  # lists and objects within each other
_TEXTS = ("client_id", "document_id", "tab_id", "request_id")


class PageMessages:
    """An ASGI application before the framework that lets through what pages send on websockets; behind the gate."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        visitor = str(scope.get(VISITOR, ""))

        async def checked() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                wrong = problem(message.get("text"))
                if not wrong:
                    return message
                if wrong in _DROPPED:
                    continue
                LINES.tell((visitor, wrong), f"a page of {visitor} sent {wrong}; its connection is closed")
                await send({"type": "websocket.close", "code": 1008, "reason": "no message of a page"})
                return {"type": "websocket.disconnect", "code": 1008, "reason": "no message of a page"}

        await self._app(scope, checked, send)


def problem(text: str | None) -> str:
    """Why something is no message of a page, in words that hold nothing of it; empty where it is one, and the name of
    the event where it is one that is dropped."""
    if text is None:
        return "bytes, which no page sends"
    if text in _PLAIN:
        return ""
    found = _EVENT.fullmatch(text)
    if found is None:
        return "what is no packet of a page"
    try:
        event = _parsed(found[2])
    except (ValueError, RecursionError, FormatError):
        return "an event that is not JSON"
    if not event or not isinstance(event[0], str):
        return "an event without a name"
    if event[0] in _DROPPED:
        return str(event[0])
    if event[0] not in EVENTS:
        return "an event that there is not"
    return _told_wrong(event[0], event[1:])


def _told_wrong(name: str, values: list[Any]) -> str:
    """What is wrong with the values of an event; empty for nothing."""
    if len(values) != 1 or not isinstance(values[0], dict) or not isinstance(values[0].get("client_id"), str):
        return f"the event '{name}' without a page"
    told = values[0]
    if any(not isinstance(told.get(key, ""), str) for key in _TEXTS) or _is_deep(told):
        return f"the event '{name}' with values of the wrong kind"
    if name == "event":
        arguments = told.get("args", [])
        fits = (
            type(told.get("id")) is int
            and isinstance(told.get("listener_id"), str)
            and isinstance(arguments, list)
            and all(each is None or (isinstance(each, str) and _is_json(each)) for each in arguments)
        )
    elif name == "javascript_response":
        fits = "request_id" in told
    elif name == "ack":
        fits = type(told.get("next_message_id")) is int
    else:
        fits = "document_id" in told and "tab_id" in told
    return "" if fits else f"the event '{name}' with values of the wrong kind"


def _is_json(text: str) -> bool:
    try:
        return not _is_deep(_parsed(text))
    except (ValueError, RecursionError, FormatError):
        return False


def _parsed(text: str) -> Any:
    """JSON as the framework takes it: without ``NaN``, and without halves of characters.

    Raises:
        ValueError, RecursionError, FormatError: it is none.
    """
    if _NO_NUMBER.search(text):
        json.loads(text, parse_constant=_refuse)
    return parse_json(text, "a message")


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            part
            for each in level
            if isinstance(each, (dict, list))
            for part in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def only_own_pages(handlers: dict[str, Callable[..., Any]]) -> None:
    """Change what answers the events of NiceGUI's pages: the browser's log is not taken, a visitor reaches her own
    pages alone, and what cannot be done is told in a line.

    Args:
        handlers: of its socket.io server, by event.
    """
    for name in _DROPPED:
        handlers.pop(name, None)
    for name in ("connect", *EVENTS):
        handlers[name] = _guarded(name, handlers[name])


def _guarded(name: str, handle: Callable[..., Any]) -> Callable[..., Any]:
    async def answer(session: str, told: Any, *more: Any) -> Any:
        visitor = _visitor_of(session)
        try:
            if not _is_own(visitor, _page_of(name, told)):
                return False
            found = handle(session, told, *more)
            return await found if inspect.isawaitable(found) else found
        except Exception as error:
            if type(error).__name__ == "ConnectionRefusedError":  # of socket.io, which tells the page
                raise
            LINES.tell(
                (visitor, name, type(error).__name__),
                f"a page of {visitor} sent '{name}' with what cannot be used ({type(error).__name__})",
            )
            return False

    return answer


def _page_of(name: str, told: Any) -> str:
    """The id of the page that an event is about; empty for none."""
    if name == "connect":
        from urllib.parse import parse_qs

        return str(parse_qs(told.get("QUERY_STRING", "")).get("client_id", [""])[0])
    return str(told["client_id"])


def _visitor_of(session: str) -> str:
    from nicegui import core

    environ = core.sio.get_environ(session) or {}
    return str(environ.get("asgi.scope", {}).get(VISITOR, ""))


def _is_own(visitor: str, page: str) -> bool:
    """Whether a page is one of a visitor; one that is gone is nobody's, and does no harm."""
    from nicegui import Client

    client = Client.instances.get(page)
    return client is None or client.request is None or str(client.request.scope.get(VISITOR, "")) == visitor
