"""Progress reports of long work, at a limited rate."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

Tell = Callable[[str], None]
_T = TypeVar("_T")
_TELLING = 0.2  # share of a part from which on its own pace tells how long it takes


def quiet(line: str) -> None:
    """Tells nobody."""


def paced(items: Sequence[_T], doing: str, tell: Tell, every: float = 10.0) -> Iterator[_T]:
    """The items; in between, at most once in ``every`` s, how many of them are done, such as ``scored 40 of 192``."""
    told = time.monotonic()
    for done, item in enumerate(items):
        if done and time.monotonic() - told >= every:
            told = time.monotonic()
            tell(f"{doing} {done} of {len(items)}")
        yield item


class Remaining:
    """Tells how far work of several parts is, and about how long all of it will still take: as each part begins, and
    at most once in ``every`` s.

    Args:
        expected: s that each part takes on an idle machine, by name and in order; how slow this one is shows soon.
    """

    def __init__(
        self,
        expected: Mapping[str, float],
        tell: Tell,
        every: float = 10.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._expected, self._tell, self._every, self._now = dict(expected), tell, every, now
        self._parts = [*self._expected]
        self._part, self._begun, self._told = self._parts[0], now(), now()
        self._done, self._spent = 0.0, 0.0  # s of the parts before, as expected and as they took

    def begin(self, part: str) -> None:
        """The next part, whichever it is."""
        now = self._now()
        if part != self._part:
            self._done += self._expected[self._part]
            self._spent += now - self._begun
        self._part, self._begun, self._told = part, now, now
        self._tell(f"{part}, about {_words(self.left(0.0))} left in all")

    def __call__(self, share: float) -> None:
        """So much of the part is done, 0..1."""
        if self._now() - self._told >= self._every:
            self._told = self._now()
            self._tell(f"{self._part} {100 * share:.0f} %, about {_words(self.left(share))} left in all")

    def left(self, share: float) -> float:
        """s until the end of all parts, with so much of the present one done, 0..1."""
        own, spent = self._expected[self._part], self._now() - self._begun
        done = self._done + share * own
        slower = (self._spent + spent) / done if done > 0.0 else 1.0
        later = sum(self._expected[part] for part in self._parts[self._parts.index(self._part) + 1 :])
        trust = min(1.0, share / _TELLING)  # in the pace of this part so far
        whole = (1.0 - trust) * slower * own + (trust * spent / share if share > 0.0 else 0.0)
        return (1.0 - share) * whole + slower * later


def _words(seconds: float) -> str:
    """Such as ``40 s`` or ``3 min``."""
    return f"{max(1, round(seconds))} s" if seconds < 100.0 else f"{round(seconds / 60.0)} min"
