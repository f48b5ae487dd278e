"""Which views are worth looking at: those left out are counted by reason, and a jump of their clock is reported."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from vantage.types import Observation

SAME_VIEW_PERIOD = 1.0  # s between two looks at a view that does not change
JUMP = 1_000_000_000  # ns that a stamp must lie behind the newest one to be of another clock and not merely late
_AHEAD = 60_000_000_000  # ns that a stamp may lie ahead of the time that passed
_FASTEST = 20.0  # times the pace of this machine's clock at which simulated or replayed time may run
_GRACE = 2.0  # s after a reset of the world in which views from before it may still come

SAME, LATE, BEFORE_RESET, WITHOUT_POSE = (
    "shows what was seen a moment ago",
    "is older than the newest",
    "is of before the reset",
    "has no pose",
)


class ViewFilter:
    """Decides which views are looked at. One caller at a time.

    Args:
        clock: of this machine, s, never set back.

    Attributes:
        left_out: how many views were left out, by why.
        jumps: of the clock of the views.
        recent: the newest jump and the newest missing pose: when it was on ``clock``, and in words.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: Observation | None = None
        self._looked_at = 0.0
        self._changed = False
        self._since = -1
        self._reset_at = 0.0
        self.left_out: Counter[str] = Counter()
        self.jumps = 0
        self.recent: dict[str, tuple[float, str]] = {}

    def begin(self) -> None:
        """What was seen before is another place."""
        self._last = None

    def changed(self) -> None:
        """Something was moved: the next view shows news also from where the camera was."""
        self._changed = True

    def reset(self, stamp: int) -> bool:
        """The world was put somewhere else at this stamp, ns; whether that is news."""
        if stamp == self._since:
            return False
        self._since, self._reset_at = stamp, self._clock()
        self._last = None
        return True

    @property
    def last(self) -> Observation | None:
        """The newest view that was let in since the last reset."""
        return self._last

    def accepts(self, view: Observation) -> bool:
        """Whether to look at a view; then it is the newest one."""
        why = self._refusal(view)
        if why:
            self.left_out[why] += 1
            return False
        self._last, self._looked_at, self._changed = view, self._clock(), False
        return True

    def _refusal(self, view: Observation) -> str:
        now, last = self._clock(), self._last
        if not view.viewpoint.is_finite:
            self.recent[WITHOUT_POSE] = now, "a view came without a pose that makes sense, and is left out"
            return WITHOUT_POSE
        if view.stamp < self._since:
            if now - self._reset_at < _GRACE:
                return BEFORE_RESET
            self._jumped(view.stamp - self._since, now)
            self._since = view.stamp
            return ""
        if last is None:
            return ""
        step = view.stamp - last.stamp
        if step <= -JUMP:
            self._jumped(step, now)
            return ""
        if step <= 0:
            return LATE
        if step > _AHEAD + _FASTEST * 1e9 * (now - self._looked_at):
            self._jumped(step, now)
            return ""
        same = not self._changed and view.viewpoint == last.viewpoint and now - self._looked_at < SAME_VIEW_PERIOD
        return SAME if same else ""

    def _jumped(self, step: int, now: float) -> None:
        self.jumps += 1
        way = "back" if step < 0 else "ahead"
        self.recent["jump"] = (
            now,
            f"the clock of the views jumped {way} by {abs(step) * 1e-9:.1f} s; what was seen before counts",
        )
