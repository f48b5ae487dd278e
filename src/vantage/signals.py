"""Ends asked for from outside: Ctrl-C (SIGINT) and SIGTERM end a command alike, with 128 and their number as status."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class Terminated(KeyboardInterrupt):
    """SIGTERM came; whatever leaves objects tidy on Ctrl-C does so on it."""

    status = 128 + signal.SIGTERM


class Stop:
    """Set when a signal asks for the end.

    As ``threading.Event``, but a handler may set it at any moment: an event keeps its lock while a wait begins, and a
    handler that comes just then would wait for that lock for ever.
    """

    number = 0

    def __init__(self) -> None:
        self._is_set = False
        self._told: queue.SimpleQueue[None] = queue.SimpleQueue()  # may be put into by a handler, unlike a queue

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        """From any thread, or a handler."""
        self._is_set = True
        self._told.put(None)

    def wait(self, timeout: float | None = None) -> bool:
        """Whether it is set, at the latest after so many s."""
        if not self._is_set:
            with suppress(queue.Empty):
                self._told.get(timeout=timeout)
                self._told.put(None)  # for whoever else waits
        return self._is_set

    def raise_if_set(self) -> None:
        """
        Raises:
            KeyboardInterrupt: SIGINT came; ``Terminated`` where it was SIGTERM.
        """
        if self.is_set():
            raise Terminated if self.number == signal.SIGTERM else KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[None]:
    """Within the block SIGTERM raises ``Terminated``, as SIGINT raises KeyboardInterrupt; in the main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: Any) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def noted() -> Iterator[Stop]:
    """An event that SIGINT and SIGTERM set instead of ending the block; only in the main thread."""
    stop = Stop()

    def note(number: int, frame: Any) -> None:
        stop.number = stop.number or number
        stop.set()

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
