"""What the parser makes of a question: plain data for whoever answers it, plans a search or explains it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from vantage.questions.lexicon import canonical, use_of
from vantage.questions.programs import Between, Compared, Filter, Most, Program, Rooms, Step, Unique, Verify


@dataclass(frozen=True)
class ParsedQuestion:
    """A question that was understood: the words as they were asked, and the program that answers it.

    Attributes:
        corrections: misspelt words, each with what it was taken for.
        further: what else is asked in the same breath: "... and what color is it?".
        number: claimed of what is asked about ("the three mugs") or, in a count, asked about ("are there three mugs?").
    """

    text: str
    program: Program
    number: int | None = None
    corrections: tuple[tuple[str, str], ...] = ()
    further: tuple[ParsedQuestion, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Nouns worth looking for, each once: objects first, then what they are placed by, then rooms."""
        programs = (self.program, *(each.program for each in self.further))
        named = sorted((item for each in programs for item in _named(each, _OBJECT)), key=lambda item: item[0])
        return tuple(dict.fromkeys(canonical(label) for _, label in named))


_OBJECT, _ANCHOR, _ROOM = range(3)
_PLACES: dict[type, tuple[str, ...]] = {Between: ("first", "second"), Compared: ("one",)}


def _named(step: Step, rank: int) -> Iterator[tuple[int, str]]:
    """The labels in a step, in its order, each with its rank."""
    if isinstance(step, (Filter, Verify)) and step.attribute in ("label", "room"):
        of_room = step.attribute == "room" or _of_rooms(step)
        yield _ROOM if of_room else rank, step.value
    if isinstance(step, (Filter, Verify)) and step.attribute == "use":
        yield from ((rank, kind) for kind in sorted(use_of(step.value).kinds))
    places = _PLACES.get(type(step), ("anchor", "viewer"))
    for item in fields(step):
        part = getattr(step, item.name)
        if is_dataclass(part):
            yield from _named(part, _ANCHOR if item.name in places else rank)  # type: ignore[arg-type]


def _of_rooms(step: Step) -> bool:
    while isinstance(step, (Filter, Unique, Most, Verify)):
        step = step.one if isinstance(step, Verify) else step.objects
    return isinstance(step, Rooms)
