"""Sets of objects under Kleene's strong three-valued logic: certain members, possible ones, and whether all was seen.

None means "not known", and a ``Span`` is a number between two bounds. What follows from these holds whichever way the
unknowns turn out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.questions import One
from vantage.scenes.geometry import gap

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


def exceeds(more: tuple[float, float], less: tuple[float, float], ratio: float) -> Truth:
    """Whether one amount is more than another by a ratio, where only the least and largest value of each is known."""
    if more[0] > less[1] and more[0] >= ratio * less[1]:
        return True
    return False if more[1] <= less[0] or more[1] < ratio * less[0] else None


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


Looks = tuple[LookFor, ...]

_IN_ROW = 0.05  # m between objects that stand in a row, like books


class Space(IntEnum):
    """The space in which members of a set could be, the narrowest first."""

    SUPPORT = 0
    REGION = 1
    ROOM = 2
    EVERYWHERE = 3


@dataclass(frozen=True)
class SearchCompleteness:
    """Whether everything was seen that could belong to a set.

    Attributes:
        complete: what was not seen is not there.
        confidence: of an absence while complete, 0..1.
        space: where members could be.
        said: how far that was looked at, in words; empty where there is nothing to say.
        look_for: where unseen members could be; empty when no look would help.
        support: what they would be on or in, None for other space.
        missing: what was named and has not been seen yet, empty when all of it was.
        searched: share of the places in a room, or everywhere, that were looked at, 0..1; 1 for other space.
    """

    complete: bool
    confidence: float
    space: Space
    said: str
    look_for: Looks = ()
    support: SeenObject | None = None
    missing: str = ""
    searched: float = 1.0

    def or_narrower(self, other: SearchCompleteness) -> SearchCompleteness:
        """Of two spaces that both hold all members, the one that says more: the narrower, else the complete one."""
        if other.space != self.space:
            return min(self, other, key=lambda closure: closure.space)
        return other if other.complete and not self.complete else self

    def and_also(self, other: SearchCompleteness) -> SearchCompleteness:
        """Of two spaces of which either may hold members, the one that says less, with what to look at in both."""
        if self.complete and other.complete:
            return min(self, other, key=lambda closure: closure.confidence)
        first = other if self.complete else self
        return replace(first, look_for=tuple(dict.fromkeys((*first.look_for, *_open(self), *_open(other)))))

    def about(self, label: str) -> SearchCompleteness:
        """The same, told what may turn up where no object is named."""
        return replace(
            self, look_for=tuple(look if look.label else replace(look, label=label) for look in self.look_for)
        )


def _open(closure: SearchCompleteness) -> Looks:
    return () if closure.complete else closure.look_for


@dataclass(frozen=True)
class Selection:
    """A set of objects.

    Attributes:
        sure: members.
        maybe: what may be a member, with what to look at to find out.
        closing: tells whether there can be unseen members; asked only when that matters, for it takes time.
    """

    sure: tuple[SeenObject, ...]
    maybe: Mapping[SeenObject, Looks]
    closing: Callable[[], SearchCompleteness] = field(compare=False)

    @cached_property
    def closure(self) -> SearchCompleteness:
        """Whether there can be unseen members."""
        return self.closing()

    @cached_property
    def _truths(self) -> dict[SeenObject, Truth]:
        return {**dict.fromkeys(self.sure, True), **dict.fromkeys(self.maybe)}

    def belongs(self, obj: SeenObject) -> Truth:
        """Whether an object is a member."""
        return self._truths.get(obj, False)

    @property
    def candidates(self) -> tuple[SeenObject, ...]:
        """What is a member or may be one."""
        return tuple(self._truths)

    @property
    def number(self) -> Span:
        """How many members there are."""
        least = len(self.sure)
        return Span(least, least + len(self.maybe) if self.closure.complete else None)

    def as_many_as(self, claimed: int) -> Selection:
        """What is left once nothing more can be made out: as many as were claimed where that may be so, else what was
        seen from more than one place and surely belongs, or may and stands in a row with that. What one place showed
        in part is part of another."""
        firm = tuple(obj for obj in self.sure if not obj.passing) or self.sure
        clear = tuple(obj for obj in self.sure if obj in firm or obj.whole)
        doubtful = sorted(self.maybe, key=lambda obj: -obj.pixels)
        in_row = (obj for obj in doubtful if any(gap(obj, other) <= _IN_ROW for other in firm))
        lacking = claimed - len(clear)
        sure = (*clear, *doubtful[:lacking]) if 0 <= lacking <= len(doubtful) else (*firm, *in_row)
        return Selection(sure, {}, self.closing)

    @property
    def doubts(self) -> Looks:
        """What to look at to decide about the objects that may be members, those seen best first; what is to be weighed
        in the order of the members."""
        weighs = any(look.what is LookAt.WEIGH for looks in self.maybe.values() for look in looks)
        ordered = list(self.maybe) if weighs else sorted(self.maybe, key=lambda obj: -obj.pixels)
        return tuple(dict.fromkeys(look for obj in ordered for look in self.maybe[obj]))

    def where(self, test: Callable[[SeenObject], Truth], looks: Callable[[SeenObject], Looks]) -> Selection:
        """Those that pass a test; for those where the test cannot tell, ``looks`` says what to look at."""
        told = {obj: test(obj) for obj in self._truths}
        truths = {obj: every((known, told[obj])) for obj, known in self._truths.items()}
        return self._with(truths, lambda obj: looks(obj) if told[obj] is None else (), self.closing)

    def ordered(self, rank: Callable[[SeenObject], float]) -> Selection:
        """The same, those of the least rank first."""
        sure = tuple(sorted(self.sure, key=rank))
        return Selection(sure, {obj: self.maybe[obj] for obj in sorted(self.maybe, key=rank)}, self.closing)

    def within(self, closing: Callable[[], SearchCompleteness]) -> Selection:
        """The same objects, all of which are in some further space."""
        return replace(self, closing=lambda: self.closure.or_narrower(closing()))

    def union(self, other: Selection) -> Selection:
        """Objects of either set."""
        objects = dict.fromkeys((*self._truths, *other._truths))
        truths = {obj: some((self.belongs(obj), other.belongs(obj))) for obj in objects}
        return self._with(truths, lambda obj: other.maybe.get(obj, ()), lambda: self.closure.and_also(other.closure))

    def intersection(self, other: Selection) -> Selection:
        """Objects of both sets."""
        truths = {obj: every((known, other.belongs(obj))) for obj, known in self._truths.items()}
        return self._with(truths, lambda obj: other.maybe.get(obj, ()), lambda: self.closure.or_narrower(other.closure))

    def _with(
        self,
        truths: Mapping[SeenObject, Truth],
        looks: Callable[[SeenObject], Looks],
        closing: Callable[[], SearchCompleteness],
    ) -> Selection:
        """Other members; of what may be one, the looks known here and further ones."""
        sure = tuple(obj for obj, belongs in truths.items() if belongs)
        open_ones = (obj for obj, belongs in truths.items() if belongs is None)
        return Selection(sure, {obj: (*self.maybe.get(obj, ()), *looks(obj)) for obj in open_ones}, closing)


class Undecided(Exception):  # noqa: N818  # a state of affairs that ends the run of a program, no error
    """A program that cannot be answered as objects stand."""


class NotSeen(Undecided):
    """More must be seen: ``text`` says what, ``look_for`` where."""

    def __init__(self, text: str, look_for: Looks) -> None:
        super().__init__(text)
        self.text, self.look_for = text, look_for


class CannotTell(Undecided):
    """No look would help."""


class NeedsReader(CannotTell):
    """Print would have to be read, and nothing here can: it says nothing about the question."""


class AmbiguousReferent(Undecided):
    """A description of one object fits several ``options``."""

    def __init__(self, step: One, options: tuple[SeenObject, ...]) -> None:
        super().__init__("several things fit")
        self.step, self.options = step, options


class NoReferent(Undecided):
    """A description of one object fits none, and all that could fit it was seen.

    Attributes:
        choices: what other descriptions were taken for, each time in vain.
    """

    def __init__(
        self, step: One, closure: SearchCompleteness, choices: tuple[Mapping[One, SeenObject], ...] = ({},)
    ) -> None:
        super().__init__("nothing fits")
        self.step, self.closure, self.choices = step, closure, choices
