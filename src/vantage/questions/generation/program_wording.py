"""Programs as questions in plain English: the same program in one of several wordings.

The wordings follow the templates of CLEVR (Johnson et al. 2017): existence, numbers and attributes of what is told in
chains, and comparisons of two things or of two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vantage.questions.generation.program_phrases import Phrasing, taken_apart
from vantage.questions.kinds import MATERIAL_ADJECTIVES
from vantage.questions.lexicon import capitalized, gerund, with_article
from vantage.questions.programs import (
    Alike,
    Between,
    CompareAttribute,
    CompareNumber,
    CompareQuantity,
    Count,
    Exist,
    Filter,
    Most,
    ObjectSet,
    One,
    Program,
    Query,
    QueryEach,
    Relate,
    Verify,
    VerifyRelation,
)

_QUERIES = {
    "color": ("What color {be} {the}?", "What is the color of {the}?"),
    "material": (
        "What {be} {the} made of?",
        "What material {be} {the} made of?",
        "What is the material of {the}?",
        "What material {be} {the}?",
    ),
    "shape": ("What shape {be} {the}?", "What is the shape of {the}?"),
    "size": ("{Be} {the} small or large?",),
    "weight": ("{Be} {the} light or heavy?",),
    "state": ("What state {be} {the} in?",),
    "text": ("What is written on {the}?",),
    "label": ("What {be} {the}?", "What kind of object {be} {the}?"),
    "room": ("Which room {be} {the} in?", "In which room {be} {the}?"),
    "place": ("Where {be} {the}?",),
}
_EACH = {
    "color": ("What colors are {the}?", "What are the colors of {the}?"),
    "material": ("What materials are {the} made of?", "What are the materials of {the}?"),
    "shape": ("What are the shapes of {the}?", "What shapes are {the}?"),
    "size": ("What are the sizes of {the}?",),
    "weight": ("Are {the} light or heavy?",),
    "state": ("What states are {the} in?",),
    "text": ("What is written on {the}?",),
    "room": ("Which rooms are {the} in?", "In which rooms are {the}?"),
    "place": ("Where are {the}?",),
}
_NUMBERS = {
    "more": ("Are there more {first} than {second}?", "Is the number of {first} greater than the number of {second}?"),
    "fewer": ("Are there fewer {first} than {second}?", "Is the number of {first} less than the number of {second}?"),
    "equal": (
        "Are there as many {first} as {second}?",
        "Is the number of {first} the same as the number of {second}?",
        "Are there an equal number of {first} and {second}?",
    ),
}
_TURNED = {"more": "fewer", "fewer": "more", "equal": "equal"}
_KINDS_ASKED = ("What {several} {are}?", "Which {several} {are}?")


def worded_program(program: Program, rng: np.random.Generator | int) -> str:
    """A program as a question; which wording is taken depends on ``rng`` alone (a generator, or a seed)."""
    phrasing = Phrasing(np.random.default_rng(rng) if isinstance(rng, int) else rng)
    return capitalized(phrasing.pick(tuple(_wordings(program, phrasing))))


def _wordings(program: Program, phrasing: Phrasing) -> Iterator[str]:
    if isinstance(program, Exist):
        yield from _exist(program.objects, phrasing)
    elif isinstance(program, Count):
        yield from _count(program.objects, phrasing)
    elif isinstance(program, Query):
        templates = _fitting(_QUERIES[program.attribute], _is_short(program.one, phrasing))
        yield from _filled(templates, phrasing.the(program.one), phrasing.be(program.one))
    elif isinstance(program, QueryEach):
        yield from _query_each(program, phrasing)
    elif isinstance(program, Verify):
        yield from _verify(program, phrasing)
    elif isinstance(program, VerifyRelation):
        place = phrasing.relation(program.relation, program.anchor)
        yield f"{phrasing.be(program.one)} {phrasing.the(program.one)} {place}?"
    elif isinstance(program, CompareNumber):
        yield from _compare_number(program, phrasing)
    elif isinstance(program, CompareQuantity):
        yield from _compare_quantity(program, phrasing)
    elif isinstance(program, CompareAttribute):
        yield from _compare_attribute(program, phrasing)
    elif isinstance(program, Alike):
        yield f"Are all the {phrasing.several(program.one.objects)} {_alike(program.attribute)}?"


def _fitting(templates: tuple[str, ...], short: bool) -> tuple[str, ...]:
    """Where much is told of what is asked about, it comes last, if it can."""
    return templates if short else tuple(each for each in templates if each.endswith("{the}?")) or templates


def _filled(templates: tuple[str, ...], the: str, be: str) -> Iterator[str]:
    for template in templates:
        yield template.format(the=the, be=be, Be=capitalized(be))


def _exist(objects: ObjectSet, phrasing: Phrasing) -> Iterator[str]:
    phrase = phrasing.phrase(objects, outermost=True)
    if not phrase.always_several:
        yield f"Is there {phrase.a}?"
    yield f"Are there any {phrase.words(2)}?"
    if phrase.said:
        yield f"Are any {phrase.rest.words(2)} {phrase.said}?"
    if phrase.head() == phrasing.thing and phrase.tail():
        yield f"Is there anything {' '.join(phrase.tail())}?"


def _count(objects: ObjectSet, phrasing: Phrasing) -> Iterator[str]:
    phrase = phrasing.phrase(objects, outermost=True)
    yield f"What is the number of {phrase.words(2)}?"
    if not phrase.said:
        yield f"How many {phrase.words(2)} are there?"
        return
    yield f"How many {phrase.rest.words(2)} are {phrase.said}?"


def _query_each(program: QueryEach, phrasing: Phrasing) -> Iterator[str]:
    phrase = phrasing.phrase(program.objects, outermost=True)
    if program.attribute != "label":
        templates = _fitting(_EACH[program.attribute], not phrase.told)
        yield from _filled(templates, f"the {phrase.words(2)}", "are")
        if program.attribute == "room":
            yield f"Which rooms have {phrase.words(2) if phrase.always_several else phrase.a}?"
        return
    are = f"are {phrase.said}" if phrase.said else "are there"
    for template in _KINDS_ASKED:
        yield template.format(several=phrase.rest.words(2) if phrase.said else phrase.words(2), are=are)


def _verify(program: Verify, phrasing: Phrasing) -> Iterator[str]:
    """Where much is told of the thing, nobody would look for its verb before a bare adjective at the end."""
    value, verb = program.value, phrasing.be(program.one)
    short = _is_short(program.one, phrasing)
    the = f"{verb} {phrasing.the(program.one, bare=program.attribute != 'material')}"
    if program.attribute == "material":
        yield f"{the} made of {value}?"
        if short and not phrasing.phrase(program.one.objects).places:
            yield f"{the} {MATERIAL_ADJECTIVES.get(value, value)}?"
    elif program.attribute == "color":
        yield f"{the} {value}?" if short else f"{the} {value} in color?"
        if short:
            yield f"Is the color of {phrasing.the(program.one)} {value}?"
    elif program.attribute == "label":
        yield f"{the} {with_article(value)}?"
    elif program.attribute == "room":
        yield f"{the} in the {value}?"
    elif program.attribute == "text":
        yield f'{the} labelled "{value}"?'
    elif program.attribute == "use":
        yield f"{the} for {gerund(value)}?"
    else:
        yield f"{the} {value}?"


def _is_short(one: One, phrasing: Phrasing) -> bool:
    """Whether a thing is told by no other thing."""
    return not isinstance(one, Most) and not phrasing.phrase(one.objects).told


def _compare_number(program: CompareNumber, phrasing: Phrasing) -> Iterator[str]:
    """Where only one set is at a place, it comes last, since of what follows it the same place would be understood."""
    relation, first, second = program.relation, program.first, program.second
    placed = _is_placed(first), _is_placed(second)
    if placed == (True, False):
        relation, first, second, placed = _TURNED[relation], second, first, (False, True)
    words = {"first": phrasing.several(first), "second": phrasing.several(second)}
    for template in _NUMBERS[relation]:
        if placed[0] == placed[1] or template.startswith("Is the number"):
            yield template.format(**words)


def _is_placed(objects: ObjectSet) -> bool:
    return any(
        isinstance(each, (Relate, Between)) or (isinstance(each, Filter) and each.attribute == "room")
        for each in taken_apart(objects)[1]
    )


def _compare_quantity(program: CompareQuantity, phrasing: Phrasing) -> Iterator[str]:
    first, second, be = phrasing.the(program.first), phrasing.the(program.second), phrasing.be(program.first)
    yield f"{be} {first} {phrasing.comparative(program.quantity, program.least)} than {second}?"
    if program.quantity == "mass":
        yield f"{_do(be)} {first} weigh {'less' if program.least else 'more'} than {second}?"


def _compare_attribute(program: CompareAttribute, phrasing: Phrasing) -> Iterator[str]:
    first, second, be = phrasing.the(program.first), phrasing.the(program.second), phrasing.be(program.first)
    attribute = program.attribute
    if attribute in ("room", "place"):
        yield f"{be} {first} in the same {attribute} as {second}?"
        return
    if attribute == "label":
        yield f"{be} {first} of the same kind as {second}?"
        return
    yield f"{_do(be)} {first} have the same {attribute} as {second}?"
    yield f"Do {first} and {second} have the same {attribute}?"
    if _is_short(program.first, phrasing) and _is_short(program.second, phrasing):
        yield f"Is the {attribute} of {first} the same as the {attribute} of {second}?"
    if attribute == "material":
        yield f"{be} {first} made of the same material as {second}?"
        yield f"Are {first} and {second} made of the same material?"
    else:
        yield f"{be} {first} the same {attribute} as {second}?"


def _do(be: str) -> str:
    return "does" if be == "is" else "do"


def _alike(attribute: str) -> str:
    aspect = "kind" if attribute == "label" else attribute
    return f"in the same {aspect}" if attribute in ("room", "place") else f"of the same {aspect}"
