"""Referring expressions: noun phrases with their steps, and the shortest one that fits one object and no other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from vantage.questions.generation.facts import Facts, Ids, ids_of, names_place_of
from vantage.questions.generation.visible_colors import shows_its_color
from vantage.questions.generation.visible_materials import looks_unlike
from vantage.questions.kinds import MATERIAL_ADJECTIVES
from vantage.questions.lexicon import plural, with_article
from vantage.questions.programs import Filter, ObjectSet, Relate, Scene, Unique
from vantage.scenes.graph import GraphNode


@dataclass(frozen=True)
class Phrase:
    """``red mug on the table`` and the program of all such objects.

    Attributes:
        before: adjectives in order. noun: the class. after: phrases that follow it.
    """

    noun: str
    objects: ObjectSet
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
        return Unique(self.objects)

    def with_words(self, attribute: str, value: str) -> Phrase:
        """With one more adjective."""
        adjective = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else value
        objects = Filter(self.objects, attribute, value)
        return Phrase(self.noun, objects, (*self.before, adjective), self.after)

    def placed(self, relation: str, anchor: Phrase) -> Phrase:
        """That is in a relation to the one object that ``anchor`` stands for."""
        objects = Relate(self.objects, relation, anchor.one)
        return Phrase(self.noun, objects, self.before, (*self.after, f"{prepositional(relation)} {anchor.the}"))

    def in_room(self, room: str) -> Phrase:
        """That is in a kind of room."""
        return Phrase(self.noun, Filter(self.objects, "room", room), self.before, (*self.after, f"in the {room}"))


def called(label: str) -> Phrase:
    """All objects of a class."""
    return Phrase(label, Filter(Scene(), "label", label))


def _with_words(phrase: Phrase, attribute: str, value: str) -> Phrase:
    return phrase.with_words(attribute, value)


def prepositional(relation: str) -> str:
    """A relation as a preposition: ``to the left of`` for ``left of``."""
    return f"to the {relation}" if relation in ("left of", "right of") else relation


_MOST_WORDS = 3  # that are added to the class of an object
_ANCHOR_SHARE = 0.5  # of what an anchor's own description costs
_JITTER = 0.5
_SHAPES = ("round", "square", "rectangular")  # said of an object before its name
_ADJECTIVES = ("open", "closed", "full", "empty", "dirty", "clean")
_OF_DRAWERS = ("desk", "nightstand", "dresser", "table")  # nobody speaks of a closed desk
_LABELLINGS = ("labelled {}", "with {} written on it", "that says {}")
_NEARBY = ("next to", "under")
_MOST_ANCHORS = 4


@dataclass(frozen=True)
class _Addition:
    """What may be added to a description.

    Attributes:
        cost: of saying it.
        fits: objects that it fits. may_fit: those that a reader may think it fits, of other kinds as well.
        order: of what is said first.
        add: says it.
        is_place: it tells what the object is on or in.
    """

    cost: float
    fits: Ids
    may_fit: Ids
    order: int
    add: Callable[[Phrase], Phrase]
    is_place: bool = False


class Describer:
    """Describes objects of one scene; which of several short descriptions is chosen is random.

    A description fits one object, by the words of the scene and by those of readers: nothing else could be meant by its
    noun. What a container holds is told by that container, see ``Facts.is_contained``. Every addition has a cost, so
    that a word that is not needed is never said: color, place and room come first, looks that are hard to make out and
    other objects beside it last.
    """

    def __init__(self, facts: Facts, rng: np.random.Generator) -> None:
        self._facts, self._rng = facts, rng
        self._of_material: dict[str, Ids] = {}
        self._of_unclear: dict[tuple[str, str], Ids] = {}

    def describe(self, obj: GraphNode, avoid: Collection[str] = ()) -> Phrase | None:
        """A phrase that fits this object alone, or None where no short one does.

        Args:
            avoid: attributes that must not be given away, of ``color``, ``material``, ``size``, ``shape``, ``state``,
                ``text``, ``room``, ``place`` and ``relation``.
        """
        found = self._cheapest(obj, avoid)
        return None if found is None else found[1]

    def _cheapest(self, obj: GraphNode, avoid: Collection[str]) -> tuple[float, Phrase] | None:
        words = list(self._words(obj, avoid))
        found = self._combined(obj, words)
        if found is None and "relation" not in avoid:
            found = self._combined(obj, words + list(self._neighbours(obj, avoid)))
        return found

    def _combined(self, obj: GraphNode, additions: list[_Addition]) -> tuple[float, Phrase] | None:
        facts, inside = self._facts, self._facts.is_contained(obj)
        everything, meant = facts.sharing("label", obj.label), facts.meant(obj.label)
        if not inside:
            meant = frozenset(key for key in meant if not facts.is_contained(facts.node(key)))
        options = [
            (sum(addition.cost for addition in chosen), chosen)
            for number in range(_MOST_WORDS + 1)
            for chosen in combinations(additions, number)
        ]
        for cost, chosen in sorted(options, key=lambda option: option[0]):
            if inside and not any(addition.is_place for addition in chosen):
                continue
            fitting = everything.intersection(*(addition.fits for addition in chosen))
            fitting |= meant.intersection(*(addition.may_fit for addition in chosen))
            if fitting == {obj.instance_id}:
                phrase = called(obj.label)
                for addition in sorted(chosen, key=lambda addition: addition.order):
                    phrase = addition.add(phrase)
                return cost, phrase
        return None

    def _words(self, obj: GraphNode, avoid: Collection[str]) -> Iterator[_Addition]:
        """Looks, print, room and place."""
        for order, (attribute, cost) in enumerate((("size", 1.6), ("shape", 2.0), ("color", 1.0), ("material", 1.4))):
            value = self._facts.truths.word(obj, attribute)
            shown = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else value
            unusual = attribute == "shape" and value not in _SHAPES
            misleads = attribute == "color" and not shows_its_color(obj)
            if value and attribute not in avoid and shown != obj.label and not unusual and not misleads:
                unclear = self._unclear(attribute, obj.label)
                add = partial(_with_words, attribute=attribute, value=value)
                yield self._addition(cost, order, attribute, value, add, unclear)
        for state in obj.states if "state" not in avoid else ():
            if state in _ADJECTIVES and obj.label not in _OF_DRAWERS:
                yield self._addition(1.8, -1, "state", state, partial(_with_words, attribute="state", value=state))
        if obj.text and "text" not in avoid and obj.text.lower() not in obj.label:  # "the shampoo that says SHAMPOO"
            yield self._addition(1.2, 9, "text", obj.text, lambda phrase: self._labelled(phrase, obj.text))
        room = self._facts.named_room(obj)
        if room and "room" not in avoid:
            yield self._addition(1.0, 12, "room", room, lambda phrase: phrase.in_room(room))
        support = self._facts.support(obj)
        if support is not None and "place" not in avoid:
            anchor = self._anchor(support, avoid)
            if anchor is not None:
                cost, phrase = anchor
                relation = obj.relation or "on"
                fits = ids_of(self._facts.at(support))
                yield _Addition(
                    1.0 + cost + self._jitter(),
                    fits,
                    fits,
                    10,
                    lambda described: described.placed(relation, phrase),
                    is_place=True,
                )

    def _neighbours(self, obj: GraphNode, avoid: Collection[str]) -> Iterator[_Addition]:
        """What it is clearly next to or under."""
        options = [
            (relation, node)
            for node in self._facts.in_sight
            if node.room == obj.room and names_place_of(node, obj)
            for relation in _NEARBY
            if obj.instance_id in self._facts.clearly(relation, node)
        ]
        for k in self._rng.permutation(len(options))[:_MOST_ANCHORS]:
            relation, node = options[int(k)]
            anchor = self._anchor(node, avoid)
            if anchor is not None:
                cost, phrase = anchor
                yield _Addition(
                    1.8 + cost + self._jitter(),
                    self._facts.related(relation, node),
                    self._facts.related(relation, node),
                    11,
                    lambda described, r=relation, p=phrase: described.placed(r, p),  # type: ignore[misc]
                )

    def _anchor(self, anchor: GraphNode, avoid: Collection[str]) -> tuple[float, Phrase] | None:
        """A description of another object, by its looks and its room alone, and what it costs."""
        kept = {"place", "relation", "text", "state", "shape", *({"room", "size"} & set(avoid))}
        found = self._cheapest(anchor, kept)
        return None if found is None else (_ANCHOR_SHARE * found[0], found[1])

    def _addition(
        self,
        cost: float,
        order: int,
        attribute: str,
        value: str,
        add: Callable[[Phrase], Phrase],
        unclear: Ids = frozenset(),
    ) -> _Addition:
        fits = self._maybe_of(value) if attribute == "material" else self._facts.sharing(attribute, value)
        return _Addition(cost + self._jitter(), fits, fits | unclear, order, add)

    def _unclear(self, attribute: str, label: str) -> Ids:
        """Objects of which readers cannot say whether a word for their looks, said of a kind, is right.

        Those are of several colors, or of another size for their kind than they were for this one.
        """
        key = attribute, label if attribute == "size" else ""
        if key not in self._of_unclear:
            objects = self._facts.truths.objects
            other = [node for node in objects if attribute == "size" and node.label != label]
            patchy = [node for node in objects if attribute == "color" and not shows_its_color(node)]
            self._of_unclear[key] = ids_of((*other, *patchy))
        return self._of_unclear[key]

    def _maybe_of(self, material: str) -> Ids:
        """All that a look does not tell from things of a material; otherwise it tells one thing from another."""
        if material not in self._of_material:
            objects = self._facts.truths.objects
            self._of_material[material] = ids_of(node for node in objects if not looks_unlike(node, material))
        return self._of_material[material]

    def _jitter(self) -> float:
        return float(self._rng.uniform(0.0, _JITTER))

    def _labelled(self, phrase: Phrase, text: str) -> Phrase:
        tail = _LABELLINGS[int(self._rng.integers(len(_LABELLINGS)))].format(text)
        return Phrase(phrase.noun, Filter(phrase.objects, "text", text), phrase.before, (*phrase.after, tail))
