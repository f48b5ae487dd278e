"""Serving pages until a signal comes, as all commands with pages do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, progress
from vantage.signals import noted

if TYPE_CHECKING:
    from vantage.web import WebServer


def serving(
    stack: ExitStack,
    server: WebServer,
    told: Sequence[str],
    data: Mapping[str, Any],
    ended: Callable[[], str] = str,
) -> Result:
    """What says where the pages are, and then serves them until Ctrl-C or SIGTERM, which end it well.

    Args:
        stack: closed at the end, in which the server was started.
        told: lines for people, addresses with tokens among them.
        ended: what is told at the end; empty for nothing.
    """
    stop = stack.enter_context(noted())  # before anybody knows an address, so that no signal comes too early
    if server.is_open_to_others:
        progress(f"others can reach {server.host}, and nothing that is sent is encrypted, tokens included")

    def serve() -> None:
        with stack:
            server.wait(stop)
            last = ended()
            if last:
                progress(last)

    return Result("\n".join([*told, "Ctrl-C ends"]), dict(data), then=serve)
