"""Where a person and the agent that stands for her meet: one sight at a time, one decision for each."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.errors import CanceledError, UsageError
from vantage.planning.agents.kept_picture import KeptPicture
from vantage.types import NoiseType, Verdict

REPLAY = "replay"  # mode of a person who sees her own exploration again while she is asked
MOST_TEXT = 2000  # characters of anything that a person writes
_MOST_EVIDENCE = 64  # pictures
_POLL = 0.2  # s
VERDICTS = (Verdict.ANSWERED, Verdict.CORRECTED, Verdict.UNANSWERABLE)  # what a person can say


@dataclass(frozen=True)
class Sight:
    """All that a person is shown before a decision: no map, no depth, no names of things or of the scene.

    Attributes:
        number: of the decision that is asked for, counted over an episode from 1.
        pictures: (H, W, 3) uint8 RGB each, the current one last.
        question: in words; empty in a phase that asks nothing.
        phase: name of the phase that is on.
        steps_left: in this phase.
        last_action, result: what she did last and what became of it, in words; ``none`` at first.
        actions: names of what can be done; none where no step is left.
        can_finish: the phase asks nothing, so that she may end it.
        taken: number of the sight that showed each picture taken so far first; what evidence can be chosen of.
        explored: while something is asked, the pictures of the phases that asked nothing, the oldest first, for who
            may see them again.
        axes: the only ones along which her camera moves, where it is restricted; empty where it is not.
        left_out: names of the actions that this restriction takes from her.
    """

    number: int
    pictures: tuple[NDArray[np.uint8], ...]
    question: str
    phase: str
    steps_left: int
    last_action: str
    result: str
    actions: tuple[str, ...]
    can_finish: bool
    taken: tuple[int, ...]
    explored: tuple[KeptPicture, ...] = ()
    axes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrittenAnswer:
    """What a person answers.

    Attributes:
        confidence: 0..1.
        evidence: numbers of sights, of those ``taken``; the newest picture counts in any case.
        noise, false_claim, correction, corrected_question: what is wrong with the question, with a verdict other than
            ``ANSWERED``.
    """

    text: str
    verdict: Verdict = Verdict.ANSWERED
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()
    noise: NoiseType = NoiseType.NONE
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""


@dataclass(frozen=True)
class Decided:
    """One decision: an action, an answer, or that the phase is done (neither)."""

    action: str = ""
    answer: WrittenAnswer | None = None


class Mailbox:
    """One place for one person, safe to use from several threads.

    A decision names the sight that it is about, and counts once: what is sent again, or from a second window, is
    refused and changes nothing.

    Args:
        idle: s after which a person who was shown something and decides nothing counts as gone.
    """

    def __init__(self, idle: float = math.inf) -> None:
        self._idle = idle
        self._changed = threading.Condition()
        self._sight: Sight | None = None
        self._decided: Decided | None = None
        self._shown = 0.0  # when the sight was first looked at, on the monotonic clock
        self._active = time.monotonic()
        self._closed = ""
        self._watchers: list[Callable[[], None]] = []

    @property
    def closed(self) -> str:
        """Why nobody is waited for any more; empty while somebody is."""
        return self._closed

    def watch(self, tell: Callable[[], None]) -> None:
        """Have ``tell`` called, from any thread, whenever there may be something else to look at; it must not wait."""
        with self._changed:
            self._watchers.append(tell)

    def unwatch(self, tell: Callable[[], None]) -> None:
        with self._changed:
            self._watchers.remove(tell)

    def reopen(self) -> None:
        """Begin another episode."""
        with self._changed:
            self._sight, self._decided, self._closed = None, None, ""
            self._active = time.monotonic()

    def close(self, why: str) -> None:
        """Wait for nobody any more; who waits is told why."""
        with self._changed:
            self._closed = self._closed or why
            self._notify()

    def ask(self, sight: Sight, check: Callable[[], None]) -> tuple[Decided, float]:
        """Show a sight and wait for the decision.

        Args:
            check: asked while waiting; may raise.

        Returns:
            It, and how long she thought, s.

        Raises:
            CanceledError: the mailbox was closed, or she decided nothing for too long.
        """
        with self._changed:
            self._sight, self._decided, self._shown = sight, None, 0.0
            self._active = time.monotonic()
            self._notify()
            while (decided := self._newest()) is None:
                check()
                if not self._closed and time.monotonic() - self._active > self._idle:
                    self._closed = f"nothing was decided for {self._idle:g} s"
                if self._closed:
                    self._sight = None
                    self._notify()
                    raise CanceledError(f"the person was waited for in vain: {self._closed}")
                self._changed.wait(_POLL)
            self._sight = None
            return decided, max(0.0, self._active - (self._shown or self._active))

    def _newest(self) -> Decided | None:
        return self._decided

    def look(self, after: int = 0, timeout: float = 0.0) -> Sight | None:
        """The sight that waits for a decision, once its number exceeds ``after``; None where none comes in so many
        s. Time for thinking begins when it is looked at first."""
        until = time.monotonic() + timeout
        with self._changed:
            while self._sight is None or self._decided is not None or self._sight.number <= after:
                left = until - time.monotonic()
                if left <= 0.0:  # a closed mailbox is waited for as well: it may be opened again
                    return None
                self._changed.wait(left)
            self._shown = self._shown or time.monotonic()
            return self._sight

    def awake(self) -> None:
        """She is still there: what she does in her browser puts off that she counts as gone."""
        with self._changed:
            self._active = time.monotonic()

    def decide(self, number: int, decided: Decided) -> None:
        """
        Args:
            number: of the sight.

        Raises:
            UsageError: it is not the sight that waits, or nothing that can be decided on it.
        """
        with self._changed:
            sight = self._sight
            if sight is None or self._decided is not None or sight.number != number:
                raise UsageError("this picture is no longer the current one; decide on the one that is shown now")
            _check(sight, decided)
            self._decided, self._active = decided, time.monotonic()
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        for tell in self._watchers:
            tell()


def _check(sight: Sight, decided: Decided) -> None:
    """
    Raises:
        UsageError: a decision is not one of those that a sight allows.
    """
    answer = decided.answer
    if answer is None:
        if decided.action in sight.left_out:
            raise UsageError(
                f"'{decided.action}' is not possible with a camera restricted to {', '.join(sight.axes)}; choose an "
                "action that is shown"
            )
        if decided.action and decided.action not in sight.actions:
            raise UsageError("there is no such action here, or no step is left; choose one of those shown")
        if not decided.action and not sight.can_finish:
            raise UsageError("a question is open; answer it, or choose an action")
        return
    if not sight.question or decided.action:
        raise UsageError("nothing is asked now; choose an action")
    texts = (answer.text, answer.false_claim, answer.correction, answer.corrected_question)
    if any(not isinstance(text, str) or len(text) > MOST_TEXT for text in texts):  # of a page that somebody altered
        raise UsageError(f"an answer may have {MOST_TEXT} characters in each field; shorten it")
    if answer.verdict not in VERDICTS:
        raise UsageError("an answer is answered, corrected or unanswerable; choose one of these")
    if answer.verdict is not Verdict.UNANSWERABLE and not answer.text.strip():
        raise UsageError("the answer is empty; write one, or choose unanswerable")
    if not 0.0 <= answer.confidence <= 1.0:
        raise UsageError("how sure you are is a number from 0 to 1; choose one")
    if len(answer.evidence) > _MOST_EVIDENCE or not set(answer.evidence) <= set(sight.taken):
        raise UsageError(f"evidence is up to {_MOST_EVIDENCE} of the pictures that you were shown; choose among these")
