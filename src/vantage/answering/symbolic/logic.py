"""Logic of three values (Kleene's strong one), in which None means "not known", and numbers known to lie in a span.

What follows from these holds whichever way the unknowns turn out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Truth = bool | None


def negation(value: Truth) -> Truth:
    """Not; unknown stays unknown."""
    return None if value is None else not value


def every(values: Iterable[Truth]) -> Truth:
    """And: false as soon as one is false, else unknown when one is unknown."""
    unknown = False
    for value in values:
        if value is False:
            return False
        unknown = unknown or value is None
    return None if unknown else True


def some(values: Iterable[Truth]) -> Truth:
    """Or: true as soon as one is true, else unknown when one is unknown."""
    return negation(every(negation(value) for value in values))


@dataclass(frozen=True)
class Span:
    """A number between ``least`` and ``most``, both included; without ``most``, nobody knows how large."""

    least: float
    most: float | None

    @property
    def exact(self) -> bool:
        """Whether only one number is left."""
        return self.least == self.most

    def is_more(self, other: Span) -> Truth:
        """Whether this number is larger than another."""
        if other.most is not None and self.least > other.most:
            return True
        if self.most is not None and self.most <= other.least:
            return False
        return None

    def is_equal(self, other: Span) -> Truth:
        """Whether both numbers are the same."""
        if self.exact and other.exact:
            return self.least == other.least
        return False if self.is_more(other) or other.is_more(self) else None
