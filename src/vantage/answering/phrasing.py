"""How findings and corrected questions are worded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.perception.memory import ObservedObject, ObservedScene
from vantage.questions.kinds import QuestionKind
from vantage.questions.parsed import Place, Subject, adjective, number_word

_PLURALS = {"shelf": "shelves", "bookshelf": "bookshelves", "knife": "knives", "scarf": "scarves", "mouse": "mice"}
_MOST_NAMES = 4


def plural(noun: str) -> str:
    """Several of a thing."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def a(phrase: str) -> str:
    """``an orange ball``."""
    return f"{'an' if phrase[:1] in 'aeiou' else 'a'} {phrase}"


def counted(number: int, noun: str) -> str:
    """``two mugs``, ``no mugs``."""
    return f"{'no' if number == 0 else number_word(number)} {noun if number == 1 else plural(noun)}"


def be(number: int) -> str:
    """``is`` or ``are``."""
    return "is" if number == 1 else "are"


def description(subject: Subject) -> str:
    """``red wooden box``: what a question says of a thing, without article, number and place."""
    return " ".join(word for word in (subject.color, adjective(subject.material), subject.label) if word)


def joined(parts: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def where(thing: ObservedObject, memory: ObservedScene, guess: bool = True) -> str:
    """``on the table``, or empty while that is not known; a ``guess`` may be allowed."""
    placement = memory.support_of(thing)
    if placement is None or (placement.guess and not guess):
        return ""
    return f"{placement.relation} the {placement.support}"


def named(thing: ObservedObject, memory: ObservedScene) -> str:
    """``the blue mug on the table``."""
    words = ("the", thing.color, thing.label, where(thing, memory))
    return " ".join(word for word in words if word)


def choices(things: Sequence[ObservedObject], memory: ObservedScene) -> str:
    """``the blue mug on the table or the red mug on the desk``, at most four."""
    names = list(dict.fromkeys(named(thing, memory) for thing in things))
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"one of {len(names) - _MOST_NAMES + 1} others"]
    return joined(names, "or")


def closed_ones(things: Sequence[ObservedObject]) -> str:
    """``the closed cabinet and the closed chest``, or empty."""
    names = list(dict.fromkeys(f"the closed {thing.label}" for thing in things))
    return joined(names[:_MOST_NAMES]) if names else ""


def question(kind: QuestionKind, subject: Subject, place: Place | None) -> str:
    """A question in its plainest wording."""
    number = subject.number if subject.number is not None else (2 if subject.plural else 1)
    thing = description(subject)
    if kind is QuestionKind.EXISTENCE:
        return f"Is there {a(thing)}{_at(place)}?"
    if kind is QuestionKind.COUNT:
        return f"How many {description(replace(subject, label=plural(subject.label)))} are {place or 'there'}?"
    if number != 1:
        several = description(replace(subject, label=plural(subject.label)))
        thing = several if subject.number is None else f"{number_word(subject.number)} {several}"
    if kind is QuestionKind.COLOR:
        return f"What color {be(number)} the {thing}{_at(place)}?"
    if kind is QuestionKind.MATERIAL:
        return f"What {be(number)} the {thing}{_at(place)} made of?"
    return f"Where {be(number)} the {thing}{_at(place)}?"


def _at(place: Place | None) -> str:
    return "" if place is None else f" {place}"


def finished(explanation: str, answer: str) -> str:
    """``<explanation> Answer: <answer>.``; either part may be empty."""
    if not explanation:
        return answer
    sentence = explanation[0].upper() + explanation[1:]
    sentence = sentence if sentence.endswith(".") else sentence + "."
    return f"{sentence} Answer: {answer}." if answer else sentence
