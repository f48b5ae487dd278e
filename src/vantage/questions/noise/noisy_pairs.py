"""Pairs of a noisy question and its true twin, for every type of noise, from a scene graph.

Latent hallucination asks about an object that is not there, in a place that is. Memory noise claims another number,
place, color, material or shape than an object has. Perception and semantic noise call it by the name of another kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from vantage.errors import SceneError
from vantage.questions.generation import Facts, Phrase, called, groups_at
from vantage.questions.kinds import OPPOSITES, PORTABLE, STRUCTURE, SUPPORTS
from vantage.questions.lexicon import (
    UNCOUNTED,
    appearances,
    confusable,
    number_word,
    plural,
    related,
    semantic_neighbours,
    with_article,
)
from vantage.questions.noise.asked import Asked, askable
from vantage.questions.noise.misnaming import is_meant, suits_kind
from vantage.questions.noise.misplaced import misremembered_place
from vantage.questions.noise.pair_templates import Wording
from vantage.questions.noise.pairing import (
    TOYS,
    Claim,
    Mention,
    NoisyPair,
    PairScene,
    Premise,
    is_or_are,
    renamed,
    with_adjective,
)
from vantage.questions.noise.places import Place, at_support, in_room, places_of
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.scenes.graph import GraphNode
from vantage.types import NoiseType

_MOST_CALLED = 60  # objects of a scene, for one pair
_MOST_WORDS = 8  # that are tried for one object


def mistaken(pairing: PairScene, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color is the vase on the desk? (It is a bottle, which looks like one.)"""
    for obj in islice(pairing.by_kind(pairing.facts.in_sight), _MOST_CALLED):
        if noise is NoiseType.PERCEPTION:
            words: Sequence[str] = confusable(obj.label, obj.extents, obj.color)
        else:
            words = _meant_alike(obj.label)
        yield from called_so(pairing, noise, obj, words)


@lru_cache(maxsize=4096)
def _meant_alike(label: str) -> tuple[str, ...]:
    """Kinds that are related in meaning, by the neighbours of either; the nearest ones first."""
    found = {near.label: near.similarity for near in semantic_neighbours(label)}
    for other in appearances():
        back = [near.similarity for near in semantic_neighbours(other) if near.label == label]
        if back:
            found.setdefault(other, back[0])
    return tuple(sorted(found, key=lambda word: -found[word]))


def called_so(pairing: PairScene, noise: NoiseType, obj: GraphNode, words: Sequence[str]) -> Iterator[NoisyPair | None]:
    """Pairs in which an object is called by one of some wrong names, by the first ones rather than by the last."""
    room = pairing.facts.room(obj)
    names = [
        word
        for word in words
        if word not in (*STRUCTURE, *NO_ARTICLE)
        and (pairing.usual is not None or word in carried_kinds() or {word, obj.label} <= {*SUPPORTS})
        and pairing.is_usual(word, "room", room)
        and pairing.is_absent(word)
    ]
    for word in pairing.shuffled(names[:_MOST_WORDS]) if obj.label not in NO_ARTICLE else ():
        for asked in askable(pairing, pairing.looks, obj, ("room",)):
            for right in (
                _located(pairing, obj, asked) if pairing.looks.suits(word, asked.attribute, asked.value) else ()
            ):
                wrong = renamed(right, word)
                if suits_kind(pairing, word, right.objects) and is_meant(pairing, obj, wrong, asked):
                    claim = Claim(noise, f"there is {wrong.a}", f"there is {right.a}")
                    yield pairing.pair(claim, asked, (Mention.of(wrong), Mention.of(right)), [obj])


def _located(pairing: PairScene, obj: GraphNode, asked: Asked) -> Iterator[Phrase]:
    """Descriptions that tell where an object is, with as few other words as it takes."""
    facts = pairing.facts
    where = asked.attribute == "place"  # which is asked of what is said to be in a room
    for place in places_of(pairing, obj, (asked.attribute,)):
        if where and place.support is not None:
            continue
        plain = place.of(called(obj.label))
        if facts.executor.members(plain.objects) == (obj.instance_id,):
            yield plain
            continue
        for attribute in ("color", "material"):
            value = facts.truths.word(obj, attribute)
            if attribute != asked.attribute and value not in ("", obj.label):
                yield with_adjective(plain, attribute, value)
    described = None if where else pairing.describe(obj, asked.attribute, "text")
    if described is not None and described.after:
        yield described


LOOKS = {  # what is said falsely, and what stands before it in a claim
    NoiseType.COLOR: ("color", ""),
    NoiseType.MATERIAL: ("material", "made of "),
    NoiseType.SHAPE: ("shape", ""),
}
_MOST_SAID = 60  # objects of a scene, for one pair


def misremembered_looks(pairing: PairScene, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What is the blue mug on the desk made of? (It is red.)"""
    facts = pairing.facts
    attribute, preposition = LOOKS[noise]
    for obj in islice(pairing.by_kind(facts.in_sight), _MOST_SAID):
        true, false = facts.truths.word(obj, attribute), pairing.false_looks(obj, attribute)
        told = ("material", "color") if true == "wood" else (attribute,)  # wood that is told by looking is brown
        for asked in askable(pairing, pairing.looks, obj, told) if false else ():
            claims = [value for value in false if (value, asked.attribute) != ("wood", "color")]
            for base in _described(pairing, obj, attribute, asked.attribute) if claims else ():
                claimed = pairing.pick(claims)
                wrong, right = with_adjective(base, attribute, claimed), with_adjective(base, attribute, true)
                if attribute == "shape" or not pairing.rivals(wrong.objects, obj.label, looks=bool(base.after)):
                    said = f"{base.the} {is_or_are(base)} {preposition}"
                    claim = Claim(noise, f"{said}{claimed}", f"{said}{true}")
                    yield pairing.pair(claim, asked, (Mention.of(wrong), Mention.of(right)), [obj])


def _described(pairing: PairScene, obj: GraphNode, *avoid: str) -> Iterator[Phrase]:
    """Descriptions of an object that do not give some attributes away: the shortest one, then ones by its place."""
    shortest = pairing.describe(obj, *avoid, *(("place", "relation", "room") if {"place", "room"} & set(avoid) else ()))
    if shortest is not None:
        yield shortest
    if not {"place", "room"} & set(avoid):
        for place in places_of(pairing, obj, avoid):
            phrase = place.of(called(obj.label))
            if pairing.facts.executor.members(phrase.objects) == (obj.instance_id,) and phrase != shortest:
                yield phrase


_MOST = 5  # that people count at a glance


@dataclass(frozen=True)
class _Group:
    """All objects of a kind in a place, or in the home where there is no place."""

    objects: tuple[GraphNode, ...]
    place: Place | None

    @property
    def described(self) -> Phrase:
        phrase = called(self.objects[0].label)
        return phrase if self.place is None else self.place.of(phrase)


def miscounted(pairing: PairScene, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color are the three mugs on the desk? (There are two.) Where are the two globes?

    Groups of several come first. Of a single object it is said that there are two or three only where any claim will
    do, since a question without a number would give its true premise away.
    """
    groups = [group for group in _groups(pairing) if group.objects[0].label not in NO_ARTICLE]
    several = [group for group in groups if len(group.objects) > 1]
    single = [group for group in groups if len(group.objects) == 1 and pairing.usual is None]
    for group in (*pairing.shuffled(several), *pairing.shuffled(single)):
        objects, true = group.objects, len(group.objects)
        label, described = objects[0].label, group.described
        if pairing.rivals(described.objects, label) != {obj.instance_id for obj in objects}:
            continue
        elsewhere = ("place",) if group.place is not None else ()
        for asked in askable(pairing, pairing.looks, objects[0], ("text", *elsewhere)):
            if not _common(pairing, asked, objects) or (group.place is None) != (asked.attribute in ("place", "room")):
                continue
            claimed = int(pairing.rng.choice([n for n in range(2, true + 3) if n != true]))
            where = "".join(f" {words}" for words in described.after)
            said = tuple(
                Mention(f"the {_counted(number, label)}{where}", Premise(described.objects, number), number > 1)
                for number in (claimed, true)
            )
            claim = Claim(noise, _there(claimed, label) + where, _there(true, label) + where)
            yield pairing.pair(claim, asked, (said[0], said[1]), objects)


def _counted(number: int, label: str) -> str:
    return label if number == 1 else f"{number_word(number)} {plural(label)}"


def _there(number: int, label: str) -> str:
    """``there are two mugs``, ``there is one mug``."""
    return f"there is one {label}" if number == 1 else f"there are {_counted(number, label)}"


def _common(pairing: PairScene, asked: Asked, objects: Sequence[GraphNode]) -> bool:
    """Whether all are alike in what is asked, so that there is one answer."""
    facts = pairing.facts
    if asked.attribute == "state":
        told = {obj.states.count(asked.value) - obj.states.count(OPPOSITES[asked.value]) for obj in objects}
        return len(told) == 1
    if asked.attribute == "place":
        return len({(obj.relation, obj.parent) for obj in objects}) == 1
    return len({facts.truths.word(obj, asked.attribute) for obj in objects}) == 1


def _groups(pairing: PairScene) -> Iterator[_Group]:
    facts = pairing.facts
    for support in facts.supports:
        for group in groups_at(pairing, support):
            place = at_support(pairing, support, group[0].relation or "on")
            if place is not None and len(group) <= _MOST:
                yield _Group(group, place)
    rooms: dict[tuple[str, str], list[GraphNode]] = defaultdict(list)
    for obj in facts.in_sight:
        rooms["", obj.label].append(obj)
        if facts.named_room(obj):
            rooms[facts.named_room(obj), obj.label].append(obj)
    for (room, _), members in sorted(rooms.items()):
        named = in_room(pairing, room) if room else None
        if (named is not None or not room) and 2 <= len(members) <= _MOST:
            yield _Group(tuple(members), named)


NO_ARTICLE = (  # nor toys, of which nobody says "the" and no more
    *TOYS,
    *UNCOUNTED,
    "blinds",
    "boots",
    "foil",
    "keys",
    "pliers",
    "scissors",
    "soap",
    "toothpaste",
)
_MOST_TRIED = 40  # objects of a scene, for one pair
_MOST_NOUNS = 6  # that are tried for one place
_LARGEST = 0.5  # m: what is not there should be something that is carried about


def hallucinated(pairing: PairScene, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color is the teapot on the desk? (There is none.) Its twin asks the same of an object that is there."""
    facts = pairing.facts
    absent = [noun for noun in carried_kinds() if pairing.is_usual(noun) and pairing.is_absent(noun)]
    carried = [obj for obj in facts.objects if obj.label in carried_kinds()]
    for obj in islice(pairing.by_kind(carried), _MOST_TRIED) if absent else ():
        for asked in askable(pairing, pairing.looks, obj, ("state", "text")):
            for place in places_of(pairing, obj, (asked.attribute,)):
                if asked.attribute == "room" or (asked.attribute == "place" and place.support is not None):
                    continue
                right = place.of(called(obj.label))
                if facts.executor.members(right.objects) != (obj.instance_id,):
                    continue
                asked_of = [noun for noun in absent if pairing.looks.suits(noun, asked.attribute, asked.value)]
                for noun in islice(missed(pairing, asked_of, place), _MOST_NOUNS):
                    said = Mention.of(place.of(called(noun))), Mention.of(right)
                    yield pairing.pair(claimed_there(noun, place), asked, said, [obj], place.seen, latent=True)


def claimed_there(noun: str, place: Place) -> Claim:
    """That a place holds what it does not."""
    there, nothing = f"there is {with_article(noun)} {place.words}", f"there is no {noun} {place.words}"
    return Claim(NoiseType.LATENT, there, nothing)


def missed(pairing: PairScene, absent: Sequence[str], place: Place) -> Iterator[str]:
    """Those of some nouns for which nothing in a place can be mistaken, by meaning or looks."""
    facts = pairing.facts
    there = sorted({node.label for node in facts.graph.objects() if place.holds(facts, node)})
    for noun in pairing.shuffled(absent):
        look = appearances().get(noun)
        size = max(look.extents) if look is not None else _LARGEST
        if place.takes(size) and place.suits(pairing, noun) and not any(_taken_for(noun, label) for label in there):
            yield noun


@lru_cache(maxsize=65536)
def _taken_for(noun: str, label: str) -> bool:
    return related(noun, label) or noun in confusable(label) or label in confusable(noun)


@lru_cache(maxsize=1)
def carried_kinds() -> tuple[str, ...]:
    """Objects that people carry about."""
    small = [label for label, look in appearances().items() if look.form and max(look.extents) <= _LARGEST]
    return tuple(sorted({*PORTABLE, *small} - set(NO_ARTICLE)))


Maker = Callable[[PairScene, NoiseType], Iterator[NoisyPair | None]]

MAKERS: dict[NoiseType, Maker] = {
    NoiseType.LATENT: hallucinated,
    NoiseType.POSITION: misremembered_place,
    NoiseType.COLOR: misremembered_looks,
    NoiseType.SHAPE: misremembered_looks,
    NoiseType.COUNT: miscounted,
    NoiseType.MATERIAL: misremembered_looks,
    NoiseType.PERCEPTION: mistaken,
    NoiseType.SEMANTIC: mistaken,
}
PAIRED_TYPES = tuple(MAKERS)
_MOST_DRAFTS = 40  # that fail, before a scene counts as giving none


def drafted_pairs(
    facts: Facts,
    noise: NoiseType,
    rng: np.random.Generator,
    wording: Wording = "test",
    usual: UsualClaims | None = None,
) -> Iterator[NoisyPair | None]:
    """Questions with one false premise and their clean twins, in a random order; None for each draft that fails.

    Args:
        usual: what may be claimed falsely of objects; anything where it is not given.

    Raises:
        SceneError: a noise type that is none, or an unknown group of wordings.
    """
    if noise not in MAKERS:
        known = ", ".join(kind.name for kind in PAIRED_TYPES)
        raise SceneError(f"there are no pairs of questions with {noise.name}; choose one of {known}")
    return MAKERS[noise](PairScene(facts, rng, wording=wording, usual=usual), noise)


def noisy_pair(
    facts: Facts,
    noise: NoiseType,
    rng: np.random.Generator,
    wording: Wording = "test",
    usual: UsualClaims | None = None,
) -> NoisyPair | None:
    """The first of ``drafted_pairs`` that did not fail; None when the scene gives none of this type."""
    drafts = islice(drafted_pairs(facts, noise, rng, wording, usual), _MOST_DRAFTS)
    return next((pair for pair in drafts if pair is not None), None)
