"""Corrections that await confirmation by a person: each has a deadline, and its end is reported."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from vantage.errors import UsageError
from vantage.runs import Ruling
from vantage.types import Answer, Question

MOST = 64  # corrections that wait; the oldest lapses when another comes
_REMEMBERED = 256  # rulings, for whoever comes too late
_SILENCE = 5.0  # s without a word from the node that waits, after which it went away

Key = tuple[str, str, str]  # episode, phase and question


@dataclass(frozen=True)
class Correction:
    """A correction that waits, or waited, for a person.

    Attributes:
        question: as it was asked.
        answer: proposed, without what is held back.
        source: the node that waits.
        deadline: on this machine's monotonic clock, s.
        heard: when the node that waits was heard last, on the same clock.
    """

    episode_id: str
    question: Question
    answer: Answer
    source: str
    deadline: float
    heard: float

    @property
    def key(self) -> Key:
        return self.episode_id, *self.question.key

    @property
    def time_left(self) -> float:
        """s, never negative."""
        return max(0.0, self.deadline - time.monotonic())


class PendingCorrections:
    """Corrections of this node, and those that others say they wait for. Thread-safe.

    Args:
        own: name of this node; others keep the deadlines of their own corrections.
        told: called, without a lock, with each correction that is opened or ended, and its ruling.
    """

    def __init__(self, own: str, told: Callable[[Correction, Ruling], None]) -> None:
        self._own, self._told = own, told
        self._lock = threading.Lock()
        self._open: OrderedDict[Key, Correction] = OrderedDict()
        self._ended: OrderedDict[Key, Ruling] = OrderedDict()
        self.lapsed = 0

    @property
    def open(self) -> tuple[Correction, ...]:
        """In the order in which they came."""
        with self._lock:
            return tuple(self._open.values())

    def propose(self, episode_id: str, question: Question, answer: Answer, timeout: float, source: str = "") -> None:
        """Let a correction wait for a person for ``timeout`` s. Said again by another node, it is kept up to date;
        asked again here, it takes the place of the one before. What another node waits for goes before what this one
        proposes of the same question."""
        now = time.monotonic()
        new = Correction(episode_id, question, answer, source or self._own, now + timeout, now)
        ended: list[tuple[Correction, Ruling]] = []
        with self._lock:
            old = self._open.get(new.key)
            if old is not None and old.source != self._own == new.source:
                return
            self._open.pop(new.key, None)
            if old is not None and old.source == self._own:
                ended.append((old, Ruling.CANCELED))
            while len(self._open) >= MOST:
                oldest = next(iter(self._open))
                ended.append((self._pop(oldest, Ruling.LAPSED), Ruling.LAPSED))
            known = old is not None and old.source == new.source != self._own
            self._open[new.key] = new
            self._ended.pop(new.key, None)
        for item, ruling in ended:
            self._told(item, ruling)
        if not known:
            self._told(new, Ruling.OPEN)

    def rule(self, episode_id: str, question_id: str, ruling: Ruling) -> Correction:
        """A person said yes or no. Where corrections of one question id wait in several phases, it is of the newest.

        Raises:
            UsageError: no such correction waits; the message says whether one did.
        """
        with self._lock:
            key = self._find(episode_id, question_id)
            found = self._pop(key, ruling)
        self._told(found, ruling)
        return found

    def cancel(self, episode_id: str = "", question_id: str = "") -> int:
        """Take corrections back; empty ids stand for all. Returns how many there were."""
        with self._lock:
            keys = [k for k in self._open if episode_id in ("", k[0]) and question_id in ("", k[2])]
            found = [self._pop(key, Ruling.CANCELED) for key in keys]
        for item in found:
            self._told(item, Ruling.CANCELED)
        return len(found)

    def cancel_own(self) -> int:
        """Take back what this node waits for, and nothing of others. Returns how many there were."""
        with self._lock:
            keys = [key for key, item in self._open.items() if item.source == self._own]
            found = [self._pop(key, Ruling.CANCELED) for key in keys]
        for item in found:
            self._told(item, Ruling.CANCELED)
        return len(found)

    def forget(self, key: Key, ruling: Ruling) -> None:
        """Another node says that its correction has ended."""
        with self._lock:
            item = self._open.get(key)
            if item is None or item.source == self._own:
                return
            self._pop(item.key, ruling)
        self._told(item, ruling)

    def tick(self) -> None:
        """End what is over its deadline, and what is waited for by nodes that fell silent."""
        now = time.monotonic()
        with self._lock:
            over = [c for c in self._open.values() if c.deadline <= now and c.source == self._own]
            silent = [c for c in self._open.values() if c.heard + _SILENCE <= now and c.source != self._own]
            for item in (*over, *silent):
                self._pop(item.key, Ruling.LAPSED)
        for item in (*over, *silent):
            self._told(item, Ruling.LAPSED)

    def _find(self, episode_id: str, question_id: str) -> Key:
        named = [k for k in self._open if k[2] == question_id]
        own = [k for k in named if k[0] == episode_id]
        if own:  # an empty episode is one, too, and could not be said otherwise
            return own[-1]
        keys = list({k[0]: k for k in named if not episode_id}.values())
        if len(keys) == 1:
            return keys[0]
        if keys:
            names = ", ".join(f"'{k[0]}'" for k in keys)
            raise UsageError(f"corrections of question '{question_id}' wait in the episodes {names}; say in which")
        endings = [ruling for k, ruling in self._ended.items() if (k[0], k[2]) == (episode_id, question_id)]
        ended = endings[-1] if endings else None
        if ended is not None:
            how = {Ruling.ACCEPTED: "was accepted", Ruling.REFUSED: "was refused", Ruling.LAPSED: "has lapsed"}
            raise UsageError(
                f"the correction of question '{question_id}' {how.get(ended, 'was taken back')} before; ask again"
            )
        raise UsageError(f"no correction of question '{question_id}' waits; ask or check it first")

    def _pop(self, key: Key, ruling: Ruling) -> Correction:
        self._ended[key] = ruling
        self._ended.move_to_end(key)
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
        self.lapsed += ruling is Ruling.LAPSED
        return self._open.pop(key)
