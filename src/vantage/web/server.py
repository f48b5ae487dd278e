"""A server of pages for this machine: uvicorn in a thread, the gate in front, NiceGUI behind."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from types import TracebackType
from typing import Any

from vantage.addresses import is_loopback
from vantage.errors import UsageError, VantageError
from vantage.signals import Stop
from vantage.web.connections import BACKLOG, LARGEST_HEAD, USUAL_CONNECTIONS, ConnectionBounds, Connections
from vantage.web.extra import require_web
from vantage.web.gate import LARGEST_BODY, USUAL, Bounds, Gate
from vantage.web.page_messages import PageMessages, only_own_pages
from vantage.web.told_lines import LINES, lines_only

LOOPBACK = "127.0.0.1"
_STARTED = 60.0  # s until a server that can start has started
_STOPPED = 15.0  # s until its connections are closed
_running = threading.Lock()


class WebServer:
    """Serves pages and what they fetch until it is stopped; one at a time in a process, for NiceGUI has one app.

    Args:
        pages: what builds a page, by its path such as ``/bag/{bag_id}``; NiceGUI elements made in it are the page.
            Parameters are those of the path, and ``request: Request`` where it is wanted.
        routes: what answers GET with a ``Response``, by path.
        host: an address of this machine; anything but loopback is reachable for others, and nothing is encrypted.
        port: 0 for one that is free.
        bounds: how much is served at a time.
        connection_bounds: how many connections are kept, and how long they may take.

    Raises:
        MissingExtraError: the extra ``web`` is not installed.
        UsageError: the address cannot be used.
    """

    def __init__(
        self,
        pages: Mapping[str, Callable[..., Any]],
        routes: Mapping[str, Callable[..., Any]] | None = None,
        *,
        host: str = LOOPBACK,
        port: int = 0,
        bounds: Bounds = USUAL,
        connection_bounds: ConnectionBounds = USUAL_CONNECTIONS,
    ) -> None:
        require_web()
        self._pages, self._routes = dict(pages), dict(routes or {})
        self._socket = _bound(host, port)
        self.host, self.port = host, int(self._socket.getsockname()[1])
        hosts = [f"{name}:{self.port}" for name in _names(host)]
        light = ("/_nicegui", *(path.split("{")[0] for path in self._routes if path.find("{") > 1))
        self.gate = Gate(PageMessages(_shell), hosts, f"vantage_{self.port}", bounds, light)
        self._connection_bounds = connection_bounds
        self._shown = f"{_shown_host(host)}:{self.port}"
        self._server: Any = None
        self._thread: threading.Thread | None = None
        self._lines = ExitStack()
        self._runs = False  # whether ``_running`` is held for this one

    @property
    def is_open_to_others(self) -> bool:
        """Whether other machines may reach it."""
        return not is_loopback(self.host)

    def address(self, visitor: str = "viewer", path: str = "/") -> str:
        """An address with a token of its own, which lets in whoever opens it, as ``visitor``."""
        return f"http://{self._shown}{path}?token={self.gate.admit(visitor)}"

    def start(self) -> WebServer:
        """
        Raises:
            UsageError: another server runs in this process.
            VantageError: it did not start within its deadline.
        """
        import uvicorn

        self._runs = _running.acquire(blocking=False)
        try:
            if not self._runs:
                raise UsageError("a server of pages runs in this process already; stop that one first")
            _install(self._pages, self._routes)
            config = uvicorn.Config(
                self.gate,
                # Not httptools, which takes headers without a bound.
                http=Connections(self._connection_bounds),
                ws="websockets-sansio",
                log_config=None,
                access_log=False,
                backlog=BACKLOG,
                server_header=False,
                proxy_headers=False,
                ws_max_size=LARGEST_BODY,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=2,
                h11_max_incomplete_event_size=LARGEST_HEAD,
            )
            LINES.forget()
            self._lines.enter_context(lines_only())
            self._server = uvicorn.Server(config)
            self._thread = threading.Thread(target=self._serve, name="web server", daemon=True)
            self._thread.start()
            deadline = time.monotonic() + _STARTED
            while not self._server.started:
                if not self._thread.is_alive() or time.monotonic() > deadline:
                    raise VantageError(f"the server at {self._shown} did not start within {_STARTED:.0f} s; try again")
                time.sleep(0.01)
        except BaseException:
            self.stop()
            raise
        return self

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """Close all connections and end the thread; again without effect."""
        thread, self._thread = self._thread, None
        if self._server is not None:
            self._server.should_exit = True
        if thread is not None:
            thread.join(_STOPPED)
            if thread.is_alive():
                self._server.force_exit = True
                thread.join(_STOPPED)
        self._socket.close()
        if self._server is not None:
            self._server = None
            _remove(self._pages, self._routes)
        self._lines.close()
        held, self._runs = self._runs, False
        if held:
            _running.release()

    def wait(self, stop: threading.Event | Stop) -> None:
        """Until ``stop`` is set or the server ends."""
        while self._thread is not None and self._thread.is_alive() and not stop.wait(0.5):
            pass

    def __enter__(self) -> WebServer:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


async def _shell(scope: Any, receive: Any, send: Any) -> None:
    await _framework()(scope, receive, send)


@cache
def _framework() -> Any:
    """NiceGUI's one app within one of our own; what it would store, fetch or print is off."""
    os.environ.setdefault("NICEGUI_STORAGE_PATH", os.path.join(os.sep, "nonexistent", "nicegui"))
    from fastapi import FastAPI, Request, Response
    from fastapi.responses import PlainTextResponse
    from nicegui import core, ui

    shell = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)

    async def no_page(request: Request, error: Exception) -> Response:
        return PlainTextResponse("There is no such page.", 404)

    async def failed(request: Request, error: Exception) -> Response:
        return PlainTextResponse("The page could not be made; the server's own output says why.", 500)

    core.sio.eio.transports = core.app.config.socket_io_js_transports = ["websocket"]  # no polling
    only_own_pages(core.sio.handlers["/"])
    core.app.add_exception_handler(404, no_page)
    core.app.add_exception_handler(Exception, failed)
    ui.run_with(
        shell,
        title="Vantage",
        language="en-US",
        dark=None,  # as the browser has it
        tailwind=False,
        gzip_middleware_factory=None,
        binding_refresh_interval=None,
        on_air=None,
        storage_secret=None,
        show_welcome_message=False,
        reconnect_timeout=10.0,
        message_history_length=200,
    )
    return shell


def _install(pages: Mapping[str, Callable[..., Any]], routes: Mapping[str, Callable[..., Any]]) -> None:
    _framework()
    from nicegui import core, ui

    for path, build in pages.items():
        ui.page(path, title="Vantage", response_timeout=60.0)(build)
    for path, answer in routes.items():
        core.app.remove_route(path)
        core.app.add_api_route(path, answer, methods=["GET"], include_in_schema=False, response_model=None)


def _remove(pages: Mapping[str, Any], routes: Mapping[str, Any]) -> None:
    from nicegui import Client, core

    for path in [*pages, *routes]:
        core.app.remove_route(path)
    for client in list(Client.instances.values()):
        with suppress(Exception):  # of a loop that is closed: there is nobody left to tell
            client.delete()


def _bound(host: str, port: int) -> socket.socket:
    """
    Raises:
        UsageError: there is no such address here, or it is taken.
    """
    try:
        kind, *_, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(kind, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"cannot serve at {host}: {error}; give an address of this machine") from error
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address[0], port, *address[2:]))
    except (OSError, OverflowError) as error:
        bound.close()
        raise UsageError(f"cannot serve at {host}:{port}: {error}; choose another port, or 0 for a free one") from error
    return bound


def _is_wildcard(host: str) -> bool:
    return host in ("0.0.0.0", "::")


def _names(host: str) -> list[str]:
    """What a browser may call this server, as it stands in ``Host``."""
    if is_loopback(host):
        return [LOOPBACK, "localhost", _bracketed(host)]
    if not _is_wildcard(host):
        return [_bracketed(host)]
    own = [socket.gethostname(), socket.getfqdn()]
    with suppress(OSError):
        own += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)]
    return [LOOPBACK, "localhost", *map(_bracketed, own)]


def _shown_host(host: str) -> str:
    return socket.gethostname() if _is_wildcard(host) else _bracketed(host)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
