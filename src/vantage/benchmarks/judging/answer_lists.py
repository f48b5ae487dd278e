"""Lists of guesses: an answer that names everything that could be right has not answered.

The tests look at how an answer is built, not at what is right, so a right answer among others does not save a list.
"""

from __future__ import annotations

from collections.abc import Sequence

from vantage.benchmarks.judging.answer_text import PAUSE, singular, spoken, words
from vantage.benchmarks.judging.answer_words import (
    ALTERNATIVES,
    COPULAS,
    NEGATIONS,
    PREPOSITIONS,
    ROOMS,
    VOCABULARIES,
    vocabulary,
)

_MOST_PLACES = 4
_LONGEST_NAME = 4  # words
_JOINTS = ALTERNATIVES | {PAUSE, "and"}
_NOT_NAMES = (
    frozenset().union(*VOCABULARIES)
    | COPULAS
    | NEGATIONS
    | PREPOSITIONS
    | vocabulary("answer yes i you we they them he she there here which that who has have had can could would do does")
    | vocabulary(
        "did see think believe guess sure ok okay well so also because as maybe perhaps probably only one ones"
    )
    | vocabulary("thing object")
)


def lists_objects(text: str) -> bool:
    """Whether a text is a list of several bare names: "a lamp, a table, a vase"."""
    names = set()
    for segment in segments(text):
        if len(segment) > _LONGEST_NAME and not _NOT_NAMES.intersection(segment):
            return True  # names without anything between them
        bare = len(segment) <= 3 and not _NOT_NAMES.intersection(segment)
        if bare and not segment[-1].isdigit() and not segment[-1].endswith("ly"):
            names.add(singular(segment[-1]))
    return len(names) > 1


def lists_places(text: str, gold: str) -> bool:
    """Whether a text names several places that could take the place of a gold one such as "on the shelf".

    A place of a place ("in the box on the table") and the room around it are no further guesses.
    """
    wanted = words(gold)
    if not wanted or wanted[0] not in PREPOSITIONS:
        return False
    found = [places_of(part) for part in segments(text)]
    if len({(place[0], _head(*place)) for part in found for place in part}) > _MOST_PLACES:
        return True
    in_room = wanted[-1] in ROOMS
    rivals = [
        [place for place in part if place[0] == wanted[0] and (_head(*place) in ROOMS) == in_room] for part in found
    ]
    groups = [group for group in rivals if group]
    return any(
        not any(_alike(one, other) for one in first for other in second) for first in groups for second in groups
    )


def _head(preposition: str, named: tuple[str, ...]) -> str:
    """What tells a place from others of its preposition: the object that it is at, or the side of it."""
    return named[0] if preposition == "to" else named[-1]


def _alike(one: tuple[str, tuple[str, ...]], other: tuple[str, tuple[str, ...]]) -> bool:
    """Whether two places may be the same, whatever a question goes on with: "on the counter carry"."""
    if one[0] == "to":
        return _head(*one) == _head(*other)
    return _head(*one) in other[1] or _head(*other) in one[1]


def segments(text: str) -> list[tuple[str, ...]]:
    """The words between pauses, ends of lines and joints."""
    segments: list[list[str]] = [[]]
    for word in spoken(text.replace("\n", ". ")):
        if word in _JOINTS:
            segments.append([])
        else:
            segments[-1].append(word)
    return [tuple(segment) for segment in segments if segment]


def places_of(segment: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """(preposition, what is named) of the places that a segment affirms."""
    found = []
    for at, word in enumerate(segment):
        if word not in PREPOSITIONS:
            continue
        if NEGATIONS.intersection(segment[:at]):
            break
        named: list[str] = []
        for following in segment[at + 1 :]:
            if following in PREPOSITIONS or following in COPULAS or following in NEGATIONS or following == "but":
                break
            if following in _NOT_NAMES and not _NOT_NAMES.issuperset(named):
                break  # the question goes on after the place: "the vase on the cabinet has"
            named.append(following)
        if named:
            found.append((word, tuple(singular(each) for each in named)))
    return found
