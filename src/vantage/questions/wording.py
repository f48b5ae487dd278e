"""How generated questions are worded. The parser must not know these templates, and does not import them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vantage.questions.kinds import MATERIAL_ADJECTIVES, NUMBERS, QuestionKind

_SINGULAR: dict[QuestionKind, tuple[str, ...]] = {
    QuestionKind.EXISTENCE: (
        "Is there {a_thing} {place}?",
        "Do you see {a_thing} {place}?",
        "Can you find {a_thing} {place}?",
        "Is {a_thing} {place}?",
    ),
    QuestionKind.COLOR: (
        "What color is the {thing}?",
        "What is the color of the {thing}?",
        "Which color does the {thing} have?",
        "Can you tell me the color of the {thing}?",
    ),
    QuestionKind.MATERIAL: (
        "What is the {thing} made of?",
        "What material is the {thing}?",
        "Which material is the {thing} made of?",
        "Can you tell me what the {thing} is made of?",
    ),
    QuestionKind.COUNT: (
        "How many {things} are {place}?",
        "How many {things} are there {place}?",
        "What is the number of {things} {place}?",
        "How many {things} do you see {place}?",
    ),
    QuestionKind.LOCATION: (
        "Where is the {thing}?",
        "Where can I find the {thing}?",
        "Where is the {thing} located?",
        "Can you tell me where the {thing} is?",
    ),
}

_PLURAL: dict[QuestionKind, tuple[str, ...]] = {
    QuestionKind.COLOR: ("What color are the {things}?", "What is the color of the {things}?"),
    QuestionKind.MATERIAL: ("What are the {things} made of?", "What material are the {things} made of?"),
}

_IRREGULAR = {"bookshelf": "bookshelves", "shelf": "shelves", "knife": "knives", "scarf": "scarves", "mouse": "mice"}


def plural(noun: str) -> str:
    """Several of a thing."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def with_article(phrase: str) -> str:
    """``a red mug``, ``an orange ball``."""
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def number_word(number: int) -> str:
    """``three``; digits beyond twelve."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def described(label: str, color: str = "", material: str = "") -> str:
    """``red wooden box``."""
    words = (color, MATERIAL_ADJECTIVES.get(material, material), label)
    return " ".join(word for word in words if word)


def choose(options: Sequence[str], rng: np.random.Generator) -> str:
    """One of several, evenly."""
    return options[int(rng.integers(len(options)))]


def ask(kind: QuestionKind, thing: str, place: str, rng: np.random.Generator | None) -> str:
    """A question about one thing; ``place`` may be empty. Without ``rng``, the plainest wording.

    Args:
        thing: description without an article.
        place: such as ``on the table``.
    """
    templates = _SINGULAR[kind]
    template = templates[0] if rng is None else choose(templates, rng)
    return _filled(template, thing, place)


def ask_several(kind: QuestionKind, number: int, thing: str, place: str, rng: np.random.Generator | None) -> str:
    """A color or material question about several things of a class; about one of them when ``number`` is 1."""
    if number == 1:
        return ask(kind, thing, place, rng)
    templates = _PLURAL[kind]
    template = templates[0] if rng is None else choose(templates, rng)
    things = f"{number_word(number)} {plural(thing)} {place}".strip()
    return template.format(things=things)


def _filled(template: str, thing: str, place: str) -> str:
    located = thing if "{place}" in template else f"{thing} {place}".strip()
    text = template.format(thing=located, a_thing=with_article(thing), things=plural(thing), place=place)
    return " ".join(text.replace(" ?", "?").split())
