"""Perception and semantic noise: a thing that is there is called by the name of another kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from vantage.questions.generation.phrases import Phrase, called
from vantage.questions.kinds import STRUCTURE
from vantage.questions.lexicon.appearance import confusable_with
from vantage.questions.lexicon.related_kinds import semantic_neighbours
from vantage.questions.noise.asked import Asked, askable
from vantage.questions.noise.latent import NO_ARTICLE
from vantage.questions.noise.pair import NoisyPair
from vantage.questions.noise.pairing import Claim, Pairing, Said
from vantage.questions.noise.places import places_of
from vantage.questions.noise.rephrasing import renamed, with_adjective
from vantage.scenes.graph.graph import GraphNode
from vantage.types import NoiseType

_MOST_TRIED = 60  # things of a scene, for one pair
_MOST_WORDS = 8  # that are tried for one thing


def mistaken(pairing: Pairing, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color is the vase on the desk? (It is a bottle, which looks like one.)"""
    for thing in islice(pairing.by_kind(pairing.facts.in_sight), _MOST_TRIED):
        if noise is NoiseType.PERCEPTION:
            words: Sequence[str] = confusable_with(thing)
        else:
            words = [neighbour.label for neighbour in semantic_neighbours(thing.label)]
        yield from called_so(pairing, noise, thing, words)


def called_so(pairing: Pairing, noise: NoiseType, thing: GraphNode, words: Sequence[str]) -> Iterator[NoisyPair | None]:
    """Pairs in which a thing is called by one of some wrong names, by the first ones rather than by the last."""
    names = [word for word in words if word not in (*STRUCTURE, *NO_ARTICLE) and pairing.is_absent(word)]
    for word in pairing.shuffled(names[:_MOST_WORDS]) if thing.label not in NO_ARTICLE else ():
        for asked in askable(pairing, thing, ("place",)):
            for right in _located(pairing, thing, asked):
                wrong = renamed(right, word)
                if pairing.rivals(wrong.things, word, looks=True) == {thing.instance_id}:
                    claim = Claim(noise, f"there is {wrong.a}", f"there is {right.a}")
                    yield pairing.pair(claim, asked, (Said.of(wrong), Said.of(right)), [thing])


def _located(pairing: Pairing, thing: GraphNode, asked: Asked) -> Iterator[Phrase]:
    """Descriptions that tell where a thing is, with as few other words as it takes."""
    facts = pairing.facts
    for place in places_of(pairing, thing, (asked.attribute,)):
        plain = place.of(called(thing.label))
        if facts.executor.members(plain.things) == (thing.instance_id,):
            yield plain
            continue
        for attribute in ("color", "material"):
            value = facts.truths.word(thing, attribute)
            if attribute != asked.attribute and value not in ("", thing.label):
                yield with_adjective(plain, attribute, value)
    described = pairing.describe(thing, asked.attribute, "text", "state", "size")
    if described is not None and described.after:
        yield described
