"""What a server of pages prints while it runs: single lines that no browser can make many, long or unseen.

NiceGUI, socket.io, engine.io, uvicorn and asyncio log what goes wrong with a traceback, and with texts as a browser
sent them. Here each becomes one visible line, and the same thing is told once a minute.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from vantage.untrusted_text import say, visible
from vantage.web.rates import Buckets

_AGAIN = 60.0  # s until the same thing is told again
_PER_S, _BURST = 0.5, 20  # lines of all kinds together
_KEPT = 1000  # things that are remembered
_LONGEST = 400  # characters of a line
_LOGGERS = {
    "asyncio": logging.ERROR,
    "engineio.server": logging.ERROR,
    "nicegui": logging.WARNING,
    "socketio.server": logging.ERROR,
    "uvicorn": logging.ERROR,
    "uvicorn.error": logging.ERROR,
    "websockets": logging.ERROR,
}


class ToldLines:
    """Tells each thing once a minute, with how often it came since; thread-safe.

    Args:
        tell: of a line.
        clock: seconds that never go back.
    """

    def __init__(self, tell: Callable[[str], None] = say, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._lock = threading.Lock()
        self._told: dict[Hashable, tuple[float, int]] = {}  # when a thing was told, and how often it came since
        self._left = Buckets(_PER_S, _BURST, clock)

    def tell(self, thing: Hashable, text: str) -> None:
        """Tell a line about a thing, unless that was told within the last minute."""
        with self._lock:
            now = self._clock()
            told, silent = self._told.get(thing, (now - 2 * _AGAIN, 0))
            if now - told < _AGAIN or not self._left.take("lines"):
                if thing in self._told or len(self._told) < _KEPT:
                    self._told[thing] = told, silent + 1
                return
            self._told.pop(thing, None)
            self._told[thing] = now, 0
            while len(self._told) > _KEPT:
                del self._told[next(iter(self._told))]
        more = f" (and {silent} times before)" if silent else ""
        self._tell(visible(text, _LONGEST) + more)

    def forget(self) -> None:
        """Begin anew."""
        with self._lock:
            self._told.clear()
            self._left = Buckets(_PER_S, _BURST, self._clock)


LINES = ToldLines()  # of this process, in which one server runs at a time


class _LineHandler(logging.Handler):
    def __init__(self, lines: ToldLines) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        try:
            thing, text = _described(record)
        except Exception as error:  # arguments that do not fit their message
            thing, text = (record.name, record.lineno), f"{record.name}: {type(error).__name__} as it was logged"
        self._lines.tell(thing, text)


def _described(record: logging.LogRecord) -> tuple[Hashable, str]:
    text = f"{record.name}: {record.getMessage().strip()}"
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return (record.name, record.pathname, record.lineno), text
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""
    kind = type(error).__name__
    said = str(error)
    told = text if said and said in text else f"{text}: {said}"
    return (record.name, kind, where), f"{visible(told, _LONGEST - 100)}: {kind}{where}"


@contextmanager
def lines_only(lines: ToldLines = LINES) -> Iterator[None]:
    """Within the block, what the parts of the server log is told in lines, and nowhere else."""
    handler = _LineHandler(lines)
    before: list[tuple[logging.Logger, list[Any], bool, int]] = []
    for name, level in _LOGGERS.items():
        logger = logging.getLogger(name)
        before.append((logger, logger.handlers, logger.propagate, logger.level))
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
    try:
        yield
    finally:
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)
