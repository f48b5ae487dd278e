"""Views of a robot with a hand, in order: what became of a command is taken in before the view that shows it.

The world tells the view first, and the result names its stamp. So a view that comes while a command is under way waits
for the result, for a moment.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from vantage.nodes.runtime import Frame
from vantage.recording import read_hand, read_result
from vantage.types import Command, StepResult

_HOLD = 0.5  # s that a view waits for a result
_MOST_HELD = 10  # views that wait
_MOST_OPEN = 64  # commands of which no result was heard; who is flooded with them is not told all

_Key = tuple[str, str, int]


class CommandedViews:
    """One caller at a time. Where no arm was ever heard of, views are looked at as they come.

    Args:
        look: takes the stamp, ns, and the parts of a view.
        acted: takes the result of each command of a robot with a hand; its observation tells the hand and no picture.
        clock: s.

    Attributes:
        hand: the gripper's width, m, and whether it holds something, as last told.
    """

    def __init__(
        self,
        look: Callable[[int, Frame], None],
        acted: Callable[[StepResult], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look, self._acted, self._clock = look, acted, clock
        self._has_arm = False
        self.hand = math.nan, False
        self._open: OrderedDict[_Key, Command] = OrderedDict()
        self._held: deque[tuple[float, int, Frame]] = deque()

    def commanded(self, command: Command) -> None:
        """A command was given."""
        self._has_arm = self._has_arm or command.arm is not None
        self._open[_key(command)] = command
        while len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)

    def seen(self, stamp: int, frame: Frame) -> None:
        """A view came."""
        self._held.append((self._clock(), stamp, frame))
        if not (self._has_arm and self._open):
            self._release()
        while len(self._held) > _MOST_HELD:
            self._look(*self._held.popleft()[1:])

    def concluded(self, message: Any) -> None:
        """A result came, a CommandResult.

        Raises:
            ValueError: it cannot be true.
        """
        key = str(message.episode_id), str(message.source), int(message.sequence)
        command = self._open.pop(key, None) or Command(action=str(message.action))
        result = read_result(message, command)
        self._has_arm = self._has_arm or result.observation.touch is not None
        self._release(before=result.observation.stamp)
        self.hand = read_hand(message)
        if result.observation.touch is not None:
            self._acted(result)
        if not self._open:
            self._release()

    def tick(self) -> None:
        """Look at what waited long enough."""
        while self._held and self._clock() - self._held[0][0] >= _HOLD:
            self._look(*self._held.popleft()[1:])

    def reset(self) -> None:
        """The world was put elsewhere: what it was told to do before is over."""
        self._open.clear()
        self.hand = math.nan, False

    def _release(self, before: float = math.inf) -> None:
        while self._held and self._held[0][1] < before:
            self._look(*self._held.popleft()[1:])


def _key(command: Command) -> _Key:
    return command.episode_id, command.source, command.sequence
