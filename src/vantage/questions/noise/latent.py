"""Latent hallucination: a question about something that is not there, in a place that is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from vantage.questions.generation.phrases import called
from vantage.questions.kinds import PORTABLE
from vantage.questions.lexicon.appearance import confusable, looks
from vantage.questions.lexicon.inflection import UNCOUNTED, with_article
from vantage.questions.lexicon.related_kinds import related
from vantage.questions.noise.asked import askable
from vantage.questions.noise.pair import NoisyPair
from vantage.questions.noise.pairing import Claim, Pairing, Said
from vantage.questions.noise.places import Place, places_of
from vantage.types import NoiseType

NO_ARTICLE = (*UNCOUNTED, "blinds", "boots", "foil", "keys", "pliers", "scissors", "soap", "toothpaste")

_MOST_TRIED = 40  # things of a scene, for one pair
_MOST_NOUNS = 6  # that are tried for one place
_LARGEST = 0.5  # m: what is not there should be something that is carried about


def hallucinated(pairing: Pairing, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color is the teapot on the desk? (There is none.) Its twin asks the same of a thing that is there."""
    facts = pairing.facts
    absent = [noun for noun in _carried() if pairing.is_absent(noun)]
    for thing in islice(pairing.by_kind(facts.things), _MOST_TRIED) if absent else ():
        for asked in askable(pairing, thing, ("state", "text")):
            for place in places_of(pairing, thing, (asked.attribute,)):
                if asked.attribute == "room" or (asked.attribute == "place" and place.support is not None):
                    continue
                right = place.of(called(thing.label))
                if facts.executor.members(right.things) != (thing.instance_id,):
                    continue
                for noun in islice(_missed(pairing, absent, place), _MOST_NOUNS):
                    wrong = place.of(called(noun))
                    claim = Claim(
                        noise, f"there is {with_article(noun)} {place.words}", f"there is no {noun} {place.words}"
                    )
                    said = Said.of(wrong), Said.of(right)
                    yield pairing.pair(claim, asked, said, [thing], place.seen, latent=True)


def _missed(pairing: Pairing, absent: list[str], place: Place) -> Iterator[str]:
    """Nouns for which nothing in a place can be mistaken, by its meaning or by its looks."""
    facts = pairing.facts
    there = sorted({node.label for node in facts.graph.objects() if place.holds(facts, node)})
    for noun in pairing.shuffled(absent):
        look = looks().get(noun)
        size = max(look.extents) if look is not None else _LARGEST
        if place.takes(size) and not any(_taken_for(noun, label) for label in there):
            yield noun


@lru_cache(maxsize=65536)
def _taken_for(noun: str, label: str) -> bool:
    return related(noun, label) or noun in confusable(label) or label in confusable(noun)


@lru_cache(maxsize=1)
def _carried() -> tuple[str, ...]:
    """Things that people carry about."""
    small = [label for label, look in looks().items() if look.form and max(look.extents) <= _LARGEST]
    return tuple(sorted({*PORTABLE, *small} - set(NO_ARTICLE)))
