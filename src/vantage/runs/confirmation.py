"""A person's word on a corrected question: what has to wait for it, and what becomes of the answer.

Whoever answers works the corrected question out as ever; nobody hears the answer before a person agreed. So a search
takes the same steps whether it needs a person or not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum

from vantage.answering.symbolic import wording
from vantage.config import Settings
from vantage.runs.terminal import Terminal, at_terminal
from vantage.types import Answer, Question, Verdict


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
