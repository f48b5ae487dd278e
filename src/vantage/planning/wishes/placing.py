"""Which of several places in one clause is where things shall be, and which tell where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.planning.wishes.noun_phrases import NounPhrase, Where
from vantage.planning.wishes.wordings import does

_BESIDES = frozenset({"near", "under", "over"})
DESTINATIONS = frozenset(
    {"into", "onto", "on to", "in to", "to", "over to", "towards", "toward", "through to", "on top of"}
)


def is_room(where: Where) -> bool:
    """Whether a place is in a room, by its name."""
    return where.relation in ("in", "of") and bool(
        where.place and where.place.words and does(where.place.words[-1], "room")
    )


def placed(things: tuple[NounPhrase, ...], goals: Sequence[tuple[str, Where]]) -> tuple[tuple[NounPhrase, ...], Where]:
    """Which of several places is where things shall be; those before it tell where they are, one behind it where that
    place is."""
    passed: tuple[Where, ...] = ()
    if any(where.relation not in _BESIDES for _, where in goals):  # what is only passed by
        passed = tuple(where for _, where in goals if where.relation == "near")
        goals = [(said, where) for said, where in goals if where.relation not in _BESIDES]
    at = next((index for index, (said, _) in reversed(list(enumerate(goals))) if said in DESTINATIONS), len(goals) - 1)
    if at == len(goals) - 1 and at > 0 and goals[at][0] not in DESTINATIONS and is_room(goals[at][1]):
        at -= 1 if goals[at - 1][1].place is not None else 0
    before = tuple(where for _, where in goals[:at])
    aim = goals[at][1]
    if aim.place is not None:
        aim = Where(aim.relation, aim.place.at(*(where for _, where in goals[at + 1 :]), *passed))
    return at_all(things, *before), aim


def at_all(things: tuple[NounPhrase, ...], *wheres: Where) -> tuple[NounPhrase, ...]:
    """Things with where they are; what is said behind several is said of the last, and of the others where it fits."""
    loose = tuple(replace(where, loose=True) for where in wheres)
    return (*(each.at(*loose) for each in things[:-1]), *(each.at(*wheres) for each in things[-1:]))
