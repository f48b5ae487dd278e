"""Recent failures of a node, kept for as long as its diagnostics report them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

TOLD_FOR = 5.0  # s: diagnostics come once a second


class FilteredViews(Protocol):
    """Counts of a filter that leaves views out.

    Attributes:
        left_out: how many views were left out, by reason.
        jumps: of the clock of the views.
        recent: by kind, the newest event: when it was, s of the clock of the log, and a sentence.
    """

    left_out: Counter[str]
    jumps: int
    recent: dict[str, tuple[float, str]]


class FailureLog:
    """Failures of a node by kind, and for how long they are reported. Thread-safe.

    Args:
        clock: of this machine, s, never set back.

    Attributes:
        failures: views and messages that could not be worked with.
        lost: camera messages that the middleware lost on the way.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: dict[str, tuple[float, str]] = {}  # by kind, so that none hides another
        self._left_out: Counter[str] = Counter()
        self._lapsed = 0
        self.failures = self.lost = 0

    def failed(self, sentence: str) -> None:
        """A view or a message could not be worked with."""
        self.failures += 1
        self._say("failed", sentence)

    def newest(self, filtered: FilteredViews, fell_out: Counter[str], lapsed: int) -> str:
        """What went wrong in the last ``TOLD_FOR`` s, the newest of each kind, the newest first; empty if nothing."""
        for missing in fell_out - self._left_out:
            self._say(f"without {missing}", f"{fell_out[missing]} views were left out: they came without {missing}")
        self._left_out = Counter(fell_out)
        if lapsed > self._lapsed:
            self._lapsed = lapsed
            self._say("lapsed", "a correction lapsed: nobody confirmed it in time")
        said = sorted((*self._said.values(), *filtered.recent.values()), reverse=True)
        return "; ".join(sentence for when, sentence in said if self._clock() - when < TOLD_FOR)

    def _say(self, kind: str, sentence: str) -> None:
        self._said[kind] = self._clock(), sentence

    def figures(self, filtered: FilteredViews, fell_out: Counter[str]) -> dict[str, str]:
        """Counts of all views that were left out, by why."""
        found = {f"views left out: {why}": str(count) for why, count in sorted(filtered.left_out.items())}
        found.update({f"views left out: without {names}": str(count) for names, count in sorted(fell_out.items())})
        counts = {"clock jumps": filtered.jumps, "messages lost": self.lost, "failures": self.failures}
        return {**found, **{name: str(count) for name, count in counts.items()}}
