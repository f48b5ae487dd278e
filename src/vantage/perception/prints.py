"""Print on one thing, as several views show it: letters may be cut off, hidden or misread in any of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

_SURE = 0.97  # score from which on one view that shows all of a print is enough
_LEGIBLE = 11.0  # pixels of height from which on letters are not mixed up
_FAIR = 0.85  # score of a reading that another one confirms
_CUT = 0.5  # weight of a print that may go on beyond what was read of it
_AGREEING = 3  # views that cut a print off in the same way, after which no more of it is expected
_ENOUGH = 8  # readings after which the likeliest is taken


@dataclass(frozen=True)
class Print:
    """What one view shows of the print on a thing.

    Attributes:
        words: in upper case, from top to bottom; empty where none can be read.
        score: of the worst line, 0..1.
        whole: no line touches an edge beyond which it may go on.
        height: of the letters, pixels.
    """

    words: str = ""
    score: float = 0.0
    whole: bool = False
    height: float = 0.0

    @property
    def is_sure(self) -> bool:
        """All of it was read beyond doubt."""
        return bool(self.words) and self.whole and self.score >= _SURE and self.height >= _LEGIBLE

    @property
    def letters(self) -> str:
        """Its words without what separates them."""
        return "".join(filter(str.isalnum, self.words))


class Prints:
    """What the views of one thing show of its print, and what it says, once that is settled."""

    def __init__(self) -> None:
        self._by_view: dict[Hashable, Print] = {}

    def add(self, view: Hashable, found: Print) -> None:
        """Take in what a view shows; of one view, the better reading counts."""
        before = self._by_view.get(view)
        if found.words and (before is None or _weight(found) > _weight(before)):
            self._by_view[view] = found

    @property
    def is_blank(self) -> bool:
        """No view showed a word."""
        return not self._by_view

    @property
    def words(self) -> str:
        """What is printed; empty while it is not settled.

        A reading that is part of a longer one counts for that one: with ``CRUNCH`` read once, ``RUNCH`` is a part.
        """
        best = max(self._by_view.values(), key=lambda each: (self._support(each), each.score), default=None)
        if best is None:
            return ""
        equal = [each for each in self._by_view.values() if each.letters == best.letters]
        fair = [each for each in equal if each.score >= _FAIR]
        settled = (
            any(each.is_sure for each in equal)
            or (len(fair) > 1 and any(each.whole for each in fair))
            or len(fair) >= _AGREEING
            or len(self._by_view) >= _ENOUGH
        )
        return best.words if settled else ""

    def _support(self, candidate: Print) -> float:
        takes_parts = candidate.score >= _FAIR
        return sum(
            _weight(each)
            for each in self._by_view.values()
            if each.letters == candidate.letters
            or (takes_parts and len(each.letters) > 1 and each.letters in candidate.letters)
        )


def _weight(found: Print) -> float:
    return found.score * len(found.letters) * (1.0 if found.whole else _CUT)
