"""The text on one object, from several views: letters may be cut off, hidden or misread in any of them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from vantage.perception.print_spot import PrintSpot
from vantage.spatial import wrap_angle

_SURE = 0.97  # score from which on one view that shows all of a print is enough
_LEGIBLE = 11.0  # pixels of height from which on letters are not mixed up
_FAIR = 0.95  # score of a reading that another one confirms
_SHARP = 8  # power of the score in the weight of a reading: letters are misread at scores that look high
_CUT = 0.5  # weight of a print that may go on beyond what was read of it
_AGREEING = 3  # places from which the same letters were read, after which no more of them are expected
_TURNED = math.radians(15.0)  # between two views that would not cut a print off at the same letter
_ENOUGH = 16  # places of readings, after which the likeliest is taken


@dataclass(frozen=True)
class TextReading:
    """What one view shows of the print on an object.

    Attributes:
        words: in upper case, from top to bottom; empty where none can be read.
        score: of the worst line, 0..1.
        whole: no line touches an edge beyond which it may go on.
        height: of the letters, pixels.
        spot: where it is; None where no depth tells.
    """

    words: str = ""
    score: float = 0.0
    whole: bool = False
    height: float = 0.0
    spot: PrintSpot | None = None

    @property
    def is_sure(self) -> bool:
        """All of it was read beyond doubt."""
        return bool(self.words) and self.whole and self.score >= _SURE and self.height >= _LEGIBLE

    @property
    def letters(self) -> str:
        """Its words without what separates them."""
        return "".join(filter(str.isalnum, self.words))


class TextReadings:
    """What the views of one object show of its print, and what it says, once that is settled."""

    def __init__(self) -> None:
        self._by_place: dict[Hashable, tuple[float, TextReading]] = {}

    def add(self, place: Hashable, direction: float, found: TextReading) -> None:
        """Take in what a view shows; of views from one place, which hide the same, the better reading counts.

        Args:
            place: from which it was seen.
            direction: in which the view lies from the object, in the plane, rad.
        """
        before = self._by_place.get(place)
        if found.words and (before is None or _weight(found) > _weight(before[1])):
            self._by_place[place] = direction, found

    @property
    def is_blank(self) -> bool:
        """No view showed a word."""
        return not self._by_place

    @property
    def words(self) -> str:
        """What is printed; empty while it is not settled.

        A reading that is part of a longer one counts for that one: with ``CRUNCH`` read once, ``RUNCH`` is a part.
        """
        found = [each for _, each in self._by_place.values()]
        best = max(found, key=lambda each: (_support(each, found), each.score), default=None)
        if best is None:
            return ""
        equal = [(way, each) for way, each in self._by_place.values() if each.letters == best.letters]
        fair = [(way, each) for way, each in equal if each.score >= _FAIR]
        ways = [way for way, _ in fair]
        settled = (
            any(each.is_sure for _, each in equal)
            or (len(fair) > 1 and any(each.whole for _, each in fair))
            or any(abs(wrap_angle(one - other)) >= _TURNED for one in ways for other in ways)
            or len(fair) >= _AGREEING
            or len(found) >= _ENOUGH
        )
        return best.words if settled else ""


def _support(candidate: TextReading, found: Sequence[TextReading]) -> float:
    takes_parts = candidate.score >= _FAIR
    return sum(
        _weight(each)
        for each in found
        if each.letters == candidate.letters
        or (takes_parts and len(each.letters) > 1 and each.letters in candidate.letters)
    )


def _weight(found: TextReading) -> float:
    return found.score**_SHARP * len(found.letters) * (1.0 if found.whole else _CUT)
