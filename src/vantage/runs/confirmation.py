"""Confirmation of corrected questions by a person: which answers wait for it, how a terminal asks for it, and what
answer follows.

Whoever answers works the corrected question out as ever; nobody hears the answer before a person agreed. So a search
takes the same steps whether it needs a person or not.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum

from vantage.answering.symbolic import wording
from vantage.config import Settings
from vantage.types import Answer, Question, Verdict
from vantage.untrusted_text import say

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


class Ruling(IntEnum):
    """What became of a correction. Values equal those of Correction.msg."""

    OPEN = 0
    ACCEPTED = 1
    REFUSED = 2
    LAPSED = 3
    CANCELED = 4


# Asks a person about a question and its proposed answer. Its third argument says, when called, whether to give up. It
# ends within a deadline of its own, and never with OPEN.
Confirm = Callable[[Question, Answer, Callable[[], bool]], Ruling]


def awaits_person(answer: Answer) -> bool:
    """Whether an answer is one to another question than was asked, be that question in words or not."""
    return wording.asks_consent(answer.verdict, answer.noise)


def withheld(answer: Answer) -> Answer:
    """A proposal: what is wrong with the question and what may have been meant, without the answer to it."""
    return replace(answer, text=wording.proposal(answer.noise), verdict=Verdict.NEEDS_CONFIRMATION)


def ruled(answer: Answer, ruling: Ruling, timeout: float = 0.0) -> Answer:
    """An answer after a person's ruling, or without one.

    Args:
        timeout: s that a person had, for the sentence about a lapse.
    """
    wrong = wording.finished(answer.noise.explanation, "")
    if ruling is Ruling.ACCEPTED:
        return replace(answer, verdict=Verdict.CORRECTED)
    if ruling is Ruling.REFUSED:
        return replace(answer, text=wording.refused(answer.noise), verdict=Verdict.UNANSWERABLE)
    meant = wording.meant(answer.noise)
    if ruling is Ruling.CANCELED:
        text = f"{wrong} The question was taken back before a person said whether {meant} was meant."
        return replace(answer, text=text, verdict=Verdict.UNANSWERABLE)
    within = f"within {timeout:g} s" if timeout > 0 else "in time"
    text = f"{wrong} Nobody said {within} whether {meant} was meant."
    return replace(answer, text=text, verdict=Verdict.NEEDS_CONFIRMATION)


def unconfirmed(settings: Settings) -> Settings:
    """The same settings for whoever answers behind a gate: it need not hold anything back itself."""
    return replace(settings, agent=replace(settings.agent, require_confirmation=False))


def local_confirm(settings: Settings, terminal: Terminal | None = None) -> Confirm | None:
    """How runs in process ask: at the terminal, within the deadline; where there is none, the correction lapses.

    Returns:
        None where no confirmation is required.
    """
    if not settings.agent.require_confirmation:
        return None
    timeout = settings.agent.confirmation_timeout
    if terminal is None and at_terminal():
        terminal = Terminal()

    def ask(question: Question, answer: Answer, canceled: Callable[[], bool]) -> Ruling:
        if terminal is None:
            return Ruling.LAPSED
        said = terminal.ask(f"{question.text}\n  {withheld(answer).text}\n  [y/n, {timeout:g} s] ", timeout, canceled)
        if said is None:
            return Ruling.CANCELED if canceled() else Ruling.LAPSED
        return Ruling.ACCEPTED if said else Ruling.REFUSED

    return ask
