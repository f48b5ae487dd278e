"""Memory noise of counting: of what is there, more or fewer are said to be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vantage.questions.generation.location_questions import groups_at
from vantage.questions.generation.phrases import called
from vantage.questions.kinds import OPPOSITES
from vantage.questions.lexicon.inflection import number_word, plural
from vantage.questions.noise.asked import Asked, askable
from vantage.questions.noise.latent import NO_ARTICLE
from vantage.questions.noise.pair import NoisyPair, Premise
from vantage.questions.noise.pairing import Claim, Pairing, Said
from vantage.questions.noise.places import Place, at_support, in_room
from vantage.scenes.graph.graph import GraphNode
from vantage.types import NoiseType

_MOST = 8  # that people count at a glance


@dataclass(frozen=True)
class _Group:
    """All things of a kind in a place."""

    things: tuple[GraphNode, ...]
    place: Place


def miscounted(pairing: Pairing, noise: NoiseType) -> Iterator[NoisyPair | None]:
    """What color are the three mugs on the desk? (There are two.)

    Groups of several come first; of a single thing it is said that there are two or three.
    """
    groups = [group for group in _groups(pairing) if group.things[0].label not in NO_ARTICLE]
    several = [group for group in groups if len(group.things) > 1]
    single = [group for group in groups if len(group.things) == 1]
    for group in (*pairing.shuffled(several), *pairing.shuffled(single)):
        things, true = group.things, len(group.things)
        label = things[0].label
        described = group.place.of(called(label)).things
        if pairing.rivals(described, label) != {thing.instance_id for thing in things}:
            continue
        for asked in askable(pairing, things[0], ("place", "text")):
            if not _common(pairing, asked, things):
                continue
            claimed = int(pairing.rng.choice([n for n in range(2, true + 3) if n != true]))
            said = tuple(
                Said(f"the {_counted(number, label)} {group.place.words}", Premise(described, number))
                for number in (claimed, true)
            )
            claim = Claim(
                noise,
                f"there are {number_word(claimed)} {plural(label)} {group.place.words}",
                f"there {'is' if true == 1 else 'are'} {number_word(true)} {label if true == 1 else plural(label)} "
                f"{group.place.words}",
            )
            yield pairing.pair(claim, asked, (said[0], said[1]), things)


def _counted(number: int, label: str) -> str:
    return label if number == 1 else f"{number_word(number)} {plural(label)}"


def _common(pairing: Pairing, asked: Asked, things: Sequence[GraphNode]) -> bool:
    """Whether all are alike in what is asked, so that there is one answer."""
    facts = pairing.facts
    if asked.attribute == "state":
        told = {thing.states.count(asked.value) - thing.states.count(OPPOSITES[asked.value]) for thing in things}
        return len(told) == 1
    return len({facts.truths.word(thing, asked.attribute) for thing in things}) == 1


def _groups(pairing: Pairing) -> Iterator[_Group]:
    facts = pairing.facts
    for support in facts.supports:
        for group in groups_at(pairing, support):
            place = at_support(pairing, support, group[0].relation or "on")
            if place is not None:
                yield _Group(group, place)
    rooms: dict[tuple[str, str], list[GraphNode]] = defaultdict(list)
    for thing in facts.in_sight:
        if facts.named_room(thing):
            rooms[facts.named_room(thing), thing.label].append(thing)
    for (room, _), members in sorted(rooms.items()):
        named = in_room(pairing, room)
        if named is not None and 2 <= len(members) <= _MOST:
            yield _Group(tuple(members), named)
