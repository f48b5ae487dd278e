"""Yes or no from a person at a terminal, or from a pipe, within a deadline."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import termios
import time
from collections.abc import Callable

from vantage.visible import say

_SLICE = 0.1  # s between two looks at whether to give up
_MOST = 4096  # bytes of a line; the rest of a longer one is another line
_YES, _NO = ("y", "yes"), ("n", "no")


def at_terminal() -> bool:
    """Whether somebody may sit at the standard input."""
    return sys.stdin is not None and sys.stdin.isatty()


class Terminal:
    """Reads lines from a file descriptor by itself, so that waiting for them has an end.

    Args:
        source: file descriptor; standard input where none is given.
    """

    def __init__(self, source: int | None = None) -> None:
        self._source = sys.stdin.fileno() if source is None else source
        self._rest = b""
        self._ended = False

    def ask(self, prompt: str, seconds: float, canceled: Callable[[], bool] = lambda: False) -> bool | None:
        """Yes, no, or None when nobody said either within ``seconds``, it was canceled or the input ended.

        What was typed at a terminal before it was asked answers another question, and is left out.
        """
        ends = time.monotonic() + seconds
        self._drop_earlier()
        self._say(prompt)
        while True:
            line = self._line(ends, canceled)
            if line is None:
                say("")
                return None
            word = line.strip().lower()
            if word in _YES or word in _NO:
                return word in _YES
            self._say("y or n? ")

    def _drop_earlier(self) -> None:
        if os.isatty(self._source):
            self._rest = b""
            with contextlib.suppress(termios.error):  # one that was closed meanwhile; reading it says so
                termios.tcflush(self._source, termios.TCIFLUSH)

    def _line(self, ends: float, canceled: Callable[[], bool]) -> str | None:
        while b"\n" not in self._rest and len(self._rest) < _MOST:
            left = ends - time.monotonic()
            if left <= 0 or canceled() or self._ended:
                return None
            if select.select([self._source], [], [], min(left, _SLICE))[0]:
                data = os.read(self._source, _MOST)
                self._rest += data
                self._ended = not data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")

    @staticmethod
    def _say(text: str) -> None:
        """To standard error: standard output belongs to the result."""
        say(text, end="")
