"""Pairs in which something is said to be where it is not, though such things are there somewhere in the set."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from vantage.questions.generation import called, extent
from vantage.questions.noise.asked import askable
from vantage.questions.noise.pairing import Claim, Mention, NoisyPair, PairScene, is_or_are
from vantage.questions.noise.places import Place, at_support, in_room, places_of, rooms
from vantage.scenes.graph import GraphNode
from vantage.types import NoiseType

_MOST_TRIED = 120  # objects of a scene, for one pair
_MOST_PLACES = 12  # that are tried for one object


def misremembered_place(pairing: PairScene, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color is the mug on the desk? (It is on the table.) Is the sofa in the bedroom made of leather?"""
    facts = pairing.facts
    for obj in islice(pairing.by_kind(facts.in_sight), _MOST_TRIED):
        for asked in askable(pairing, pairing.looks, obj, ("place", "state")):
            base = pairing.describe(obj, asked.attribute, "place", "relation", "room", "text")
            if base is None:
                continue
            for true in places_of(pairing, obj, (asked.attribute,)):
                for claimed in islice(elsewhere(pairing, obj, true, (asked.attribute,)), _MOST_PLACES):
                    anyone, wrong = claimed.of(called(obj.label)), claimed.of(base)
                    if pairing.rivals(anyone.objects, obj.label) or pairing.rivals(wrong.objects, obj.label, True):
                        continue
                    right = facts.place(obj) if true.support is not None else true.words
                    claim = Claim(
                        noise, f"{base.the} {is_or_are(base)} {claimed.words}", f"{base.the} {is_or_are(base)} {right}"
                    )
                    said = Mention.of(wrong), Mention.of(true.of(base))
                    yield pairing.pair(claim, asked, said, [obj], claimed.seen)


def elsewhere(pairing: PairScene, obj: GraphNode, true: Place, avoid: Collection[str]) -> Iterator[Place]:
    """Places of the sort of the true one where people would look for an object that is not there."""
    facts = pairing.facts
    if true.support is None:
        for room in pairing.shuffled([room for room in rooms(facts) if room != true.room]):
            place = in_room(pairing, room)
            if place is not None and place.suits(pairing, obj.label):
                yield place
        return
    for support in pairing.shuffled(facts.supports):
        if support.label in (obj.label, true.support.label) or facts.truths.is_at(obj, support):
            continue
        place = at_support(pairing, support, avoid=avoid)
        if place is None or support is obj or not (place.takes(extent(obj)) and place.suits(pairing, obj.label)):
            continue
        if not place.words.endswith(f"in the {facts.room(obj)}"):  # which would be true of it
            yield place
