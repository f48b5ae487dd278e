"""JointState messages taken apart: where the joints are, when that was, and what is wrong with a message."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vantage.recording import read_stamp
from vantage.spatial import Matrix
from vantage.worlds import WorldInfo
from vantage.worlds.rig.kinematics import Joint

LATE = 0.1  # s: an older message says nothing about now
_ENOUGH = 10  # messages
_SEVERAL, _EVENT = 5, 2.0  # bad messages, s
_HASTE = 1.5  # times its highest speed that a joint may seem to move between two messages


class RemoteClock:
    """Relates the stamps of another machine to the monotonic clock here; all in s.

    The message that took the shortest way among the newest ones tells the difference between the clocks, but for that
    shortest way. So a time said in stamps of the other machine is never later there than it was meant.
    """

    def __init__(self, window: int = 256) -> None:
        self._differences: deque[float] = deque(maxlen=window)

    @property
    def settled(self) -> bool:
        """Whether enough messages came to trust the difference."""
        return len(self._differences) >= _ENOUGH

    def delay(self, arrival: float, stamp: float) -> float:
        """How much longer than the fastest a message took; negative where the other clock was set forward."""
        return arrival - stamp - min(self._differences, default=arrival - stamp)

    def learn(self, arrival: float, stamp: float) -> None:
        self._differences.append(arrival - stamp)

    def here(self, stamp: float) -> float:
        """The monotonic time of a stamp."""
        return stamp + min(self._differences, default=0.0)

    def there(self, time: float) -> float:
        """The stamp of a monotonic time."""
        return time - min(self._differences, default=0.0)

    def forget(self) -> None:
        self._differences.clear()


@dataclass(frozen=True, eq=False)
class Reading:
    """What one message said.

    Attributes:
        kind: empty for a good one; else ``foreign`` (it is about other joints), ``incomplete``, ``garbage``,
            ``repeated``, ``late`` or ``jump``.
        sentence: what is wrong.
        time: monotonic time of the state, s.
        positions: (N,); only of good ones. Where a jump leads may be a glitch.
    """

    kind: str = ""
    sentence: str = ""
    time: float = -math.inf
    positions: Matrix | None = None


class StateReader:
    """Reads one message after the other. Messages of joints that are not asked for are passed over.

    ``world_node`` tells the same joints once more on its own ``joint_states``; what carries the name of the world frame
    is therefore foreign.

    Attributes:
        clock: of the machine that the messages come from.
        stamped: whether the last message had a stamp.
        passed_over: what other joints' messages there were, in words.
    """

    def __init__(self, names: Sequence[str], joints: Sequence[Joint], tolerance: float) -> None:
        """
        Args:
            names: of the joints in the messages.
            tolerance: m or rad that a joint may be from where it could have gone since the last message.
        """
        self._names, self._tolerance = tuple(names), tolerance
        self._speeds = np.array([joint.speed for joint in joints])
        self._stamp = -math.inf
        self._last: Reading | None = None
        self.clock = RemoteClock()
        self.stamped = True
        self.passed_over = ""

    def forget(self) -> None:
        """Begin anew: another clock and other positions are fine."""
        self._stamp, self._last = -math.inf, None
        self.clock.forget()

    def read(self, message: Any, arrival: float) -> Reading:
        """
        Args:
            message: a JointState.
            arrival: monotonic time, s.
        """
        places = {name: i for i, name in enumerate(message.name)}
        missing = [name for name in self._names if name not in places]
        if len(missing) == len(self._names) or message.header.frame_id == WorldInfo.frame:
            self.passed_over = f"states of {', '.join(message.name) or 'no joint'} only"
            return Reading("foreign")
        if missing or len(message.position) != len(message.name):
            what = f"lacks {', '.join(missing)}" if missing else "has not one position for each name"
            return Reading("incomplete", f"a joint state {what}")
        positions = np.array([message.position[places[name]] for name in self._names], np.float64)
        if not np.all(np.isfinite(positions)):
            broken = self._names[int(np.flatnonzero(~np.isfinite(positions))[0])]
            return Reading("garbage", f"a joint state gives no finite position of {broken}")
        stamp = read_stamp(message) / 1e9
        self.stamped = stamp > 0.0
        return self._placed(positions, stamp if self.stamped else arrival, arrival)

    def _placed(self, positions: Matrix, stamp: float, arrival: float) -> Reading:
        delay = self.clock.delay(arrival, stamp)
        if delay < -LATE and not self.clock.settled:  # the first messages had waited somewhere
            self.clock.forget()
            delay = 0.0
        if abs(delay) > LATE:
            when = "ago" if delay > 0 else "in the future"
            return Reading("late", f"a joint state is stamped {abs(delay):.2f} s {when}")
        if stamp <= self._stamp:
            return Reading("repeated", f"a joint state is no newer than the last one, by {self._stamp - stamp:.3f} s")
        self.clock.learn(arrival, stamp)
        last, passed = self._last, stamp - self._stamp
        self._stamp, self._last = stamp, Reading("", "", self.clock.here(stamp), positions)
        if last is not None and last.positions is not None:
            way = np.abs(positions - last.positions)
            far = way - (_HASTE * self._speeds * passed + self._tolerance)
            j = int(np.argmax(far))
            if far[j] > 0.0:
                sentence = f"{self._names[j]} jumped by {way[j]:.4f} within {passed:.3f} s"
                return Reading("jump", sentence, self._last.time)
        return self._last


class MessageFaults:
    """Counts faulty messages by kind. Now and then there is one on any busy network; several within 2 s are an event,
    which is over when none came for as long."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = {}
        self._told: set[str] = set()

    def several(self, kind: str, now: float) -> bool:
        """Whether this one makes an event of its kind. Foreign messages are none."""
        recent = [time for time in self._times.get(kind, []) if now - time < _EVENT]
        self._times[kind] = [*recent, now][-_SEVERAL:]
        if not recent:
            self._told.discard(kind)
        if kind == "foreign" or kind in self._told or len(self._times[kind]) < _SEVERAL:
            return False
        self._told.add(kind)
        return True
