"""Noun phrases that stand for things: the words together with the steps that find the things."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.questions.kinds import MATERIAL_ADJECTIVES
from vantage.questions.lexicon.inflection import plural, with_article
from vantage.questions.programs import Filter, Relate, Scene, Things, Unique


@dataclass(frozen=True)
class Phrase:
    """``red mug on the table`` and the program of all such things.

    Attributes:
        before: adjectives in order. noun: the class. after: phrases that follow it.
    """

    noun: str
    things: Things
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Without an article."""
        return " ".join((*self.before, self.noun, *self.after))

    @property
    def the(self) -> str:
        return f"the {self.words}"

    @property
    def a(self) -> str:
        return with_article(self.words)

    @property
    def several(self) -> str:
        """In the plural, without an article."""
        return " ".join((*self.before, plural(self.noun), *self.after))

    @property
    def one(self) -> Unique:
        return Unique(self.things)

    def with_words(self, attribute: str, value: str) -> Phrase:
        """With one more adjective."""
        adjective = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else value
        things = Filter(self.things, attribute, value)
        return Phrase(self.noun, things, (*self.before, adjective), self.after)

    def placed(self, relation: str, anchor: Phrase) -> Phrase:
        """That is in a relation to the one thing that ``anchor`` stands for."""
        things = Relate(self.things, relation, anchor.one)
        return Phrase(self.noun, things, self.before, (*self.after, f"{prepositional(relation)} {anchor.the}"))

    def in_room(self, room: str) -> Phrase:
        """That is in a kind of room."""
        return Phrase(self.noun, Filter(self.things, "room", room), self.before, (*self.after, f"in the {room}"))


def called(label: str) -> Phrase:
    """All things of a class."""
    return Phrase(label, Filter(Scene(), "label", label))


def prepositional(relation: str) -> str:
    """A relation as a preposition: ``to the left of`` for ``left of``."""
    return f"to the {relation}" if relation in ("left of", "right of") else relation
