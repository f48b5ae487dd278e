"""What a robot believes of its scene: the observed scene as facts, with what it did itself since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vantage.goals import Fact, SceneFacts, SceneObject, changed, kind_of, object_key
from vantage.perception import HANGING, LARGE
from vantage.perception.map import ObservedObject, ObservedScene

_PAIRS = (("open", "closed"), ("on", "off"))
_BUILDING = frozenset({"wall", "walls", "floor", "ceiling", "door", "doorway", "window"})
IN, ON = "in", "on"


@dataclass(frozen=True)
class Effect:
    """Something that the robot did.

    Attributes:
        verb: of ``ObjectAction``.
        thing, place: identities in the observed scene; that of its floor for a room, 0 for no place.
    """

    verb: str
    thing: int
    place: int = 0


@dataclass(frozen=True)
class Belief:
    """
    Attributes:
        keys: identities in the observed scene by ``object_key`` of the names in ``facts``; of a room that of its floor.
        light: names of what may be lifted, as far as one sees.
    """

    facts: SceneFacts
    keys: Mapping[str, int]
    light: tuple[str, ...] = ()

    def key(self, name: str) -> int:
        """0 for what is not there."""
        return self.keys.get(object_key(name), 0)

    def name(self, key: int) -> str:
        """Of an identity; empty for what is not there."""
        return next((name for name, each in self.keys.items() if each == key), "")

    @property
    def labels(self) -> frozenset[str]:
        """Kinds of things and rooms that are there, as names have them."""
        return frozenset(map(kind_of, self.keys))


def believed(memory: ObservedScene, effects: Sequence[Effect] = (), gone: Iterable[int] = ()) -> Belief:
    """The observed scene in the words of ``scenes.facts``: things by label and number, rooms by their kinds.

    Args:
        effects: what the robot did, in order; it knows of these better than from old views.
        gone: identities of what turned out not to be there.
    """
    absent = {obj.instance_id for key in gone if (obj := memory.get(key)) is not None}
    items = [
        obj for obj in memory.objects if obj.label and obj.label not in _BUILDING and obj.instance_id not in absent
    ]
    names = {obj.instance_id: _name(obj) for obj in items}
    rooms = _room_names(memory)
    facts: list[Fact] = []
    for obj in items:
        placement = memory.support_of(obj)
        if placement is not None and placement.key in names and placement.relation in (IN, ON):
            facts.append(Fact(placement.relation, (names[obj.instance_id], names[placement.key])))
        room = memory.room_of(obj)
        if room is not None and room.key in rooms:
            facts.append(Fact(IN, (names[obj.instance_id], rooms[room.key])))
    objects = [SceneObject(names[obj.instance_id], obj.states, _possible(obj.states)) for obj in items]
    scene = SceneFacts((*objects, *map(SceneObject, rooms.values())), tuple(facts))
    every = {**names, **rooms}
    for effect in effects:
        thing, place = (_known(memory, key, every) for key in (effect.thing, effect.place))
        if thing:
            scene = changed(scene, effect.verb, thing, place)
    light = tuple(names[obj.instance_id] for obj in items if obj.label not in LARGE | HANGING)
    return Belief(scene, {object_key(name): key for key, name in every.items()}, light)


def _known(memory: ObservedScene, key: int, names: Mapping[int, str]) -> str:
    obj = memory.get(key)
    return "" if obj is None else names.get(obj.instance_id, "")


def _name(obj: ObservedObject) -> str:
    """A label with the identity; what a perceiver gives none is numbered as it was met."""
    return f"{obj.label.replace(' ', '_')}_{abs(obj.instance_id)}"


def _room_names(memory: ObservedScene) -> dict[int, str]:
    """Names of rooms by the identities of their floors: their kinds, with a number where several are of one."""
    told = [room for room in memory.rooms if room.label]
    counts = Counter(room.label for room in told)
    return {
        room.key: room.label.replace(" ", "_") + (f"_{abs(room.key)}" if counts[room.label] > 1 else "")
        for room in told
    }


def _possible(states: Iterable[str]) -> tuple[str, ...]:
    """What is in one of a pair of states can be in the other."""
    found = set(states)
    return tuple(state for pair in _PAIRS if found & set(pair) for state in pair)
