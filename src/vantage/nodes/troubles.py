"""What went wrong with the views and corrections of a node, kept for long enough that its diagnostics say so."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from vantage.nodes.admission import Admission

TOLD_FOR = 5.0  # s: diagnostics come once a second


class Troubles:
    """Any thread.

    Args:
        clock: of this machine, s, never set back.

    Attributes:
        failures: views and messages that could not be worked with.
        lost: camera messages that the middleware lost on the way.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: tuple[float, str] = (-TOLD_FOR, "")
        self._counted = 0
        self._lapsed = 0
        self.failures = self.lost = 0

    def failed(self, sentence: str) -> None:
        """A view or a message could not be worked with."""
        self.failures += 1
        self._said = self._clock(), sentence

    def newest(self, admission: Admission, fell_out: Counter[str], lapsed: int) -> str:
        """What went wrong in the last ``TOLD_FOR`` s, in a sentence; empty when nothing did."""
        if fell_out.total() > self._counted:
            self._counted = fell_out.total()
            missing, count = fell_out.most_common(1)[0]
            self._said = self._clock(), f"{count} views were left out: they came without {missing}"
        if lapsed > self._lapsed:
            self._lapsed = lapsed
            self._said = self._clock(), "a correction lapsed: nobody confirmed it in time"
        said = self._said if admission.trouble is None else max(self._said, admission.trouble)
        return said[1] if self._clock() - said[0] < TOLD_FOR else ""

    def figures(self, admission: Admission, fell_out: Counter[str]) -> dict[str, str]:
        """Counts of all views that were left out, by why."""
        found = {f"views left out: {why}": str(count) for why, count in sorted(admission.left_out.items())}
        found.update({f"views left out: without {names}": str(count) for names, count in sorted(fell_out.items())})
        counts = {"clock jumps": admission.jumps, "messages lost": self.lost, "failures": self.failures}
        return {**found, **{name: str(count) for name, count in counts.items()}}
