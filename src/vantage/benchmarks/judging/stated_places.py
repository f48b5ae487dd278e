"""Where a text says that an object is, and whether that is elsewhere than a gold statement or a question has it.

Only places that exclude each other tell: another room, another object to lie on, or another side of the same object.
What stands next to a sofa may well lie on a shelf, and a place of a place ("in the box on the desk") is no other one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vantage.benchmarks.judging.answer_lists import places_of, segments
from vantage.benchmarks.judging.answer_names import name_places, same_kind
from vantage.benchmarks.judging.answer_text import singular
from vantage.benchmarks.judging.answer_words import COPULAS, NEGATIONS, PREPOSITIONS, ROOMS, VOCABULARIES, vocabulary
from vantage.questions.lexicon import kind_of, may_be_called, table

Place = tuple[str, str]  # preposition, and the room or kind of object that it is a place of

_RESTING = vocabulary("on in under")
_LOCATIVE = _RESTING | vocabulary("beside behind above over between")
_EITHER = frozenset({"on", "in"})  # what is on a bookshelf is in it
_STRUCTURE = vocabulary("floor wall ceiling door doorway window")
_ADJECTIVES = frozenset().union(*VOCABULARIES)
_SHOWING = vocabulary("picture mirror window television")  # "in the picture" says where one looks
_RESTS = vocabulary("stand stands standing lie lies lying sit sits sitting rest rests resting placed located put now")
_BEFORE_STATED = COPULAS | vocabulary("see saw find found has have")  # "there is a", "i see a"
_LONGEST = 3  # words of a name


def places(words: Sequence[str]) -> tuple[Place, ...]:
    """The places that words affirm, of rooms and of kinds that are known."""
    found = []
    for preposition, named in places_of(words):
        anchor = _anchor(named)
        if anchor and preposition in _LOCATIVE and not (preposition == "in" and anchor in _SHOWING):
            found.append((preposition, anchor))
    return tuple(found)


def places_in(text: str) -> tuple[Place, ...]:
    """The places that all parts of a text affirm."""
    return tuple(place for segment in segments(text) for place in places(segment))


def puts_elsewhere(text: str, obj: str, right: Sequence[Place], *, outright: bool = False) -> bool:
    """Whether a text puts an object where it cannot be, if it is at the right places.

    Args:
        outright: only statements count ("the mug is on the sofa"), not descriptions ("the mug on the sofa").
    """
    for statement in _statements(text):
        if not any(_tells_of(part, obj) for part in statement):
            continue
        if outright and not any(_states_place(part) for part in statement):
            continue
        stated = [place for part in statement for place in places(part)]
        for place in right:
            if not any(_same(each, place) for each in stated) and any(_excludes(each, place) for each in stated):
                return True
    return False


def placed(words: Sequence[str]) -> Iterator[tuple[str, Place]]:
    """Each kind with the place that words must give to it: it stands right before that place ("a mug on the desk"), or
    right before the verb of it ("the mug is on the desk", "the mug beside the lamp stands on the desk")."""
    for at, word in enumerate(words):
        if word not in _RESTING or NEGATIONS.intersection(words[:at]):
            continue
        end = next((k for k in range(at + 1, len(words)) if words[k] in PREPOSITIONS), len(words))
        kind = _put(words[:at])
        if kind:
            yield from ((kind, place) for place in places(words[at:end]))


def named_kinds(words: Sequence[str]) -> set[str]:
    """The kinds of objects that words name, apart from those that are only places of others."""
    plain: list[str] = []
    placed = False
    for word in words:
        if word in PREPOSITIONS or word in COPULAS:
            placed = word in PREPOSITIONS
        elif not placed and word not in _ADJECTIVES:
            plain.append(singular(word))
    return {word for word in plain if kind_of(word) in table()}


def _put(words: Sequence[str]) -> str:
    """The kind that is put where words end; empty where others could be meant."""
    verb = len(words)
    while verb and (words[verb - 1] in COPULAS | _RESTS or words[verb - 1].endswith("ly")):
        verb -= 1
    start, kind = _phrase(words[:verb])
    while verb < len(words) and start and words[start - 1] in PREPOSITIONS:
        start, kind = _phrase(words[: start - 1])
    return kind if not start or words[start - 1] in _BEFORE_STATED else ""


def _phrase(words: Sequence[str]) -> tuple[int, str]:
    """Where the phrase begins with which words end, and the kind or room that it names, if any."""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        start = len(words) - length
        name = " ".join(singular(word) for word in words[start:])
        if kind_of(name) in table() or name in ROOMS:
            while start and (words[start - 1] in _ADJECTIVES - PREPOSITIONS or words[start - 1].isdigit()):
                start -= 1
            return start, name
    return 0, ""


def _statements(text: str) -> Iterator[list[tuple[str, ...]]]:
    """Parts of sentences, each with the places and the "it is" that follow after a comma or in the next sentence."""
    parts: list[tuple[str, ...]] = []
    for segment in segments(text.replace(" but ", ", ")):
        continued = segment[0] in COPULAS or segment[0] in _LOCATIVE
        begun = len(parts) == 1 and parts[0][0] in _LOCATIVE and not COPULAS.intersection(parts[0])
        if parts and not continued and not begun:
            yield parts
            parts = []
        parts.append(segment)
    if parts:
        yield parts


def _tells_of(words: Sequence[str], obj: str) -> bool:
    """Whether words name an object, and not only as the place of another."""
    named = {at for at, word in enumerate(words) if singular(word) == singular(obj)}
    named |= set(name_places(" ".join(words), obj))
    return any(at == 0 or words[at - 1] not in _LOCATIVE for at in named)


def _states_place(words: Sequence[str]) -> bool:
    """Whether "is" stands right before a place: "is on the sofa", "is now standing on the sofa"."""
    return any(word in _LOCATIVE and COPULAS.intersection(words[max(0, at - 3) : at]) for at, word in enumerate(words))


def _anchor(named: Sequence[str]) -> str:
    """The room or kind of object in the words after a preposition; empty where they name neither."""
    for start, word in enumerate(named):
        for end in range(len(named), start, -1):
            phrase = " ".join(named[start:end])
            if word not in _ADJECTIVES and (phrase in _STRUCTURE or kind_of(phrase) in table()):
                return phrase
    return next((word for word in named if word in ROOMS), "")


def alike(one: str, other: str) -> bool:
    """Whether one kind may be called by the other's name."""
    return same_kind(one, other) or may_be_called(one, other) or may_be_called(other, one)


def _same(stated: Place, right: Place) -> bool:
    if right[1] in ROOMS or stated[1] in ROOMS:
        return stated[1] == right[1]
    return (stated[0] == right[0] or _EITHER.issuperset((stated[0], right[0]))) and alike(stated[1], right[1])


def _excludes(stated: Place, right: Place) -> bool:
    if right[1] in ROOMS or stated[1] in ROOMS:
        return right[1] in ROOMS and stated[1] in ROOMS
    if alike(stated[1], right[1]):
        return True
    return stated[0] == right[0] or _RESTING.issuperset((stated[0], right[0]))
