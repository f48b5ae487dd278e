"""The observed scene as facts of things by name, in the words of ``scenes.facts``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from vantage.goals import Fact, SceneFacts, SceneObject
from vantage.perception.map.observed_scene import ObservedObject, ObservedScene
from vantage.perception.object_categories import STRUCTURE

_PAIRS = (("open", "closed"), ("on", "off"))
_RELATIONS = ("in", "on")


@dataclass(frozen=True)
class NamedScene:
    """
    Attributes:
        names: of things and rooms in ``facts``, by identity in the observed scene; of a room that of its floor.
    """

    facts: SceneFacts
    names: Mapping[int, str]


def observed_facts(memory: ObservedScene) -> SceneFacts:
    """Things by label and identity, rooms by their kinds, states as far as views tell, and what is in or on what."""
    return named_scene(memory).facts


def named_scene(memory: ObservedScene, absent: Collection[int] = ()) -> NamedScene:
    """The same with the names.

    Args:
        absent: identities of what turned out not to be there.
    """
    every = (obj for obj in memory.objects if obj.label and obj.label not in STRUCTURE)
    things = [obj for obj in every if obj.instance_id not in absent]
    names = {obj.instance_id: _name(obj) for obj in things}
    told = [room for room in memory.rooms if room.label]
    counts = Counter(room.label for room in told)
    rooms = {room.key: _word(room.label) + (f"_{abs(room.key)}" if counts[room.label] > 1 else "") for room in told}
    facts = []
    for obj in things:
        placement, room = memory.support_of(obj), memory.room_of(obj)
        if placement is not None and placement.key in names and placement.relation in _RELATIONS:
            facts.append(Fact(placement.relation, (names[obj.instance_id], names[placement.key])))
        if room is not None and room.key in rooms:
            facts.append(Fact("in", (names[obj.instance_id], rooms[room.key])))
    objects = (SceneObject(names[obj.instance_id], obj.states, _possible(obj.states)) for obj in things)
    return NamedScene(SceneFacts((*objects, *map(SceneObject, rooms.values())), tuple(facts)), {**names, **rooms})


def _name(obj: ObservedObject) -> str:
    """What a perceiver gives no identity has the number under which it was met."""
    return f"{_word(obj.label)}_{abs(obj.instance_id)}"


def _word(label: str) -> str:
    return label.replace(" ", "_")


def _possible(states: Iterable[str]) -> tuple[str, ...]:
    """What is in one of a pair of states can be in the other."""
    found = set(states)
    return tuple(state for pair in _PAIRS if found & set(pair) for state in pair)
