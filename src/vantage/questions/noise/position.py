"""Memory noise of position: a thing that is there is said to be in another place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from vantage.questions.generation.facts import extent
from vantage.questions.generation.phrases import called
from vantage.questions.noise.asked import askable
from vantage.questions.noise.pair import NoisyPair
from vantage.questions.noise.pairing import Claim, Pairing, Said
from vantage.questions.noise.places import Place, at_support, in_room, places_of, rooms
from vantage.scenes.graph.graph import GraphNode
from vantage.types import NoiseType

_MOST_TRIED = 40  # things of a scene, for one pair
_MOST_PLACES = 6  # that are tried for one thing


def misremembered_place(pairing: Pairing, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color is the mug on the desk? (It is on the table.) Is the sofa in the bedroom made of leather?"""
    facts = pairing.facts
    for thing in islice(pairing.by_kind(facts.things), _MOST_TRIED):
        for asked in askable(pairing, thing, ("place", "state")):
            base = pairing.describe(thing, asked.attribute, "place", "relation", "room", "state", "text")
            if base is None:
                continue
            for true in places_of(pairing, thing, (asked.attribute,)):
                for claimed in islice(_elsewhere(pairing, thing, true, asked.attribute), _MOST_PLACES):
                    anyone, wrong = claimed.of(called(thing.label)), claimed.of(base)
                    if pairing.rivals(anyone.things, thing.label) or pairing.rivals(wrong.things, thing.label, True):
                        continue
                    right = facts.place(thing) if true.support is not None else true.words
                    claim = Claim(noise, f"{base.the} is {claimed.words}", f"{base.the} is {right}")
                    said = Said.of(wrong), Said.of(true.of(base))
                    yield pairing.pair(claim, asked, said, [thing], claimed.seen)


def _elsewhere(pairing: Pairing, thing: GraphNode, true: Place, asked: str) -> Iterator[Place]:
    """Places of the sort of the true one where people would look for a thing that is not there."""
    facts = pairing.facts
    if true.support is None:
        for room in pairing.shuffled([room for room in rooms(facts) if room != true.room]):
            place = in_room(pairing, room)
            if place is not None:
                yield place
        return
    for support in pairing.shuffled(facts.supports):
        if support.label in (thing.label, true.support.label) or facts.truths.is_at(thing, support):
            continue
        place = at_support(pairing, support, avoid=(asked,))
        if place is None or support is thing or not place.takes(extent(thing)):
            continue
        if not place.words.endswith(f"in the {facts.room(thing)}"):  # which would be true of it
            yield place
