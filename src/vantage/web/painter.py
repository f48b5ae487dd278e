"""Threads that draw, usually one, which owns the renderers; of what one viewer asks for only the latest counts."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

_ENDED = 60.0  # s that the drawing under way may take when the thread is to end


class Painter:
    """Draws for several viewers in turn.

    Who asks again before the last wish was begun loses that one, so a slow scene lags by one picture and not by many.

    Args:
        threads: how many draw at a time; with one, a renderer never meets two threads. With more, who asks waits for
            the picture before it asks for another one.
    """

    def __init__(self, threads: int = 1) -> None:
        self._wishes: OrderedDict[str, tuple[Callable[[], object], Future[object]]] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._run, name="painter", daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def ask(self, viewer: str, draw: Callable[[], T]) -> Future[T]:
        """What ``draw`` returns or raises, later; cancelled where the same viewer asks again first."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                future.cancel()
                return future
            previous = self._wishes.get(viewer)
            self._wishes[viewer] = (draw, future)  # type: ignore[assignment]  # in the place of the previous one
            self._changed.notify()
        if previous is not None:
            previous[1].cancel()
        return future

    def forget(self, viewer: str) -> None:
        """Drop what a viewer that went away still wanted."""
        with self._changed:
            previous = self._wishes.pop(viewer, None)
        if previous is not None:
            previous[1].cancel()

    def close(self) -> None:
        """Drop all wishes, and wait for the drawing under way."""
        with self._changed:
            self._closed = True
            dropped = list(self._wishes.values())
            self._wishes.clear()
            self._changed.notify_all()
        for _, future in dropped:
            future.cancel()
        for thread in self._threads:
            thread.join(_ENDED)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._wishes and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                _, (draw, future) = self._wishes.popitem(last=False)
            if not future.set_running_or_notify_cancel():
                continue
            try:
                drawn = draw()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(drawn)
