"""Descriptions in other words: with one more adjective, with another noun or none, with looser places."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.generation.phrases import Phrase
from vantage.questions.kinds import COLORS, MATERIAL_ADJECTIVES
from vantage.questions.programs import Filter, Relate, Scene, Things

_COLOR_WORDS = frozenset(COLORS)
_MATERIAL_WORDS = frozenset(MATERIAL_ADJECTIVES.values())


def with_adjective(phrase: Phrase, attribute: str, value: str) -> Phrase:
    """With one more adjective where people put it: size and shape, then color, then material."""
    adjective = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else value
    later = {"shape": (*_COLOR_WORDS, *_MATERIAL_WORDS), "color": _MATERIAL_WORDS}.get(attribute, frozenset())
    place = next((k for k, word in enumerate(phrase.before) if word in later), len(phrase.before))
    before = (*phrase.before[:place], adjective, *phrase.before[place:])
    return replace(phrase, before=before, things=Filter(phrase.things, attribute, value))


def renamed(phrase: Phrase, noun: str) -> Phrase:
    """The same words with another noun."""
    return replace(phrase, noun=noun, things=with_noun(phrase.things, noun))


def with_noun(things: Things, noun: str) -> Things:
    """A description with another noun; what it is placed by keeps its own."""
    if isinstance(things, Filter) and things.attribute == "label" and isinstance(things.things, Scene):
        return replace(things, value=noun)
    if isinstance(things, (Filter, Relate)):
        return replace(things, things=with_noun(things.things, noun))
    return things


def without_noun(things: Things) -> Things:
    """A description of things of any kind."""
    if isinstance(things, Filter) and things.attribute == "label" and isinstance(things.things, Scene):
        return things.things
    if isinstance(things, (Filter, Relate)):
        return replace(things, things=without_noun(things.things))
    return things


def loosely_placed(things: Things) -> Things:
    """A description in which all that is on or in something at any depth counts as being on or in it."""
    if isinstance(things, Filter):
        return replace(things, things=loosely_placed(things.things))
    if isinstance(things, Relate):
        relation = "at" if things.relation in ("on", "in") else things.relation
        return replace(things, things=loosely_placed(things.things), relation=relation)
    return things
