"""Whose message it is, where the middleware tells only its number: each writer numbers its messages 1, 2, 3, ..."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_UNKNOWN = 2**63  # numbers from here on say that the middleware does not count
_KEPT = 16  # writers of a topic that are told apart


@dataclass(frozen=True)
class Heard:
    """Where a message comes from.

    Attributes:
        writer: 1, 2, ... in order of appearance; 0 where the middleware does not number messages.
        lost: messages of this writer that did not arrive before it.
        repeated: it came before, as what a latched topic holds may when subscriptions are matched anew.
    """

    writer: int
    lost: int = 0
    repeated: bool = False


@dataclass
class _Writer:
    name: int
    last: int  # number
    data: bytes  # of the last message


class Writers:
    """Tells the writers of one topic apart. One caller at a time.

    A number that follows the last one of a writer is that writer's. Any other is a gap where only one publisher is on
    the network, and a writer that was not heard before where there are more.

    Args:
        alone: whether there is only one publisher of the topic.
    """

    def __init__(self, alone: Callable[[], bool]) -> None:
        self._alone = alone
        self._writers: list[_Writer] = []  # the one that was heard last comes last
        self._names = 0

    def heard(self, number: int | None, data: bytes = b"", expected: int = 0) -> Heard:
        """
        Args:
            data: of the message; without it no repetition is noticed.
            expected: the writer that it is of where numbers allow more than one.
        """
        if number is None or number >= _UNKNOWN:
            return Heard(0)
        known = sorted(self._writers, key=lambda item: item.name == expected)[::-1]
        for writer in known:
            if data and writer.last == number and writer.data == data:
                return Heard(writer.name, repeated=True)
        lost, found = 0, next((writer for writer in known if writer.last + 1 == number), None)
        if found is None and self._writers and number > self._writers[-1].last and self._alone():
            found = self._writers[-1]
            lost = number - found.last - 1
        if found is None:
            self._names += 1
            found = _Writer(self._names, number, data)
        else:
            self._writers.remove(found)
        found.last, found.data = number, data
        self._writers.append(found)
        del self._writers[:-_KEPT]
        return Heard(found.name, lost)
