"""What a robot believes of its scene: the observed scene as facts, with what it did itself since."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from vantage.goals import SceneFacts, changed, kind_of, object_key
from vantage.perception import HANGING, LARGE
from vantage.perception.map import ObservedObject, ObservedScene, named_scene


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
        volumes: of the boxes of these, m^3.
    """

    facts: SceneFacts
    keys: Mapping[str, int]
    light: tuple[str, ...] = ()
    volumes: Mapping[str, float] = field(default_factory=dict)

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
    seen = named_scene(memory, absent)
    scene, names = seen.facts, seen.names
    for effect in effects:
        thing, place = (_known(memory, key, names) for key in (effect.thing, effect.place))
        if thing:
            scene = changed(scene, effect.verb, thing, place)
    things = [obj for obj in memory.objects if obj.instance_id in names]
    lifted = [obj for obj in things if obj.label not in LARGE and not _hangs(memory, obj)]
    light = tuple(names[obj.instance_id] for obj in lifted)
    volumes = {names[obj.instance_id]: _volume(obj) for obj in lifted}
    return Belief(scene, {object_key(name): key for key, name in names.items()}, light, volumes)


def _volume(obj: ObservedObject) -> float:
    return math.prod(high - low for low, high in zip(obj.bounds_min, obj.bounds_max, strict=True))


def _hangs(memory: ObservedScene, obj: ObservedObject) -> bool:
    """Whether a thing of a kind that hangs on walls is not seen to stand somewhere, as a clock may."""
    if obj.label not in HANGING:
        return False
    placement = memory.support_of(obj)
    return placement is None or placement.guess or placement.support == "wall"


def _known(memory: ObservedScene, key: int, names: Mapping[int, str]) -> str:
    obj = memory.get(key)
    return "" if obj is None else names.get(obj.instance_id, "")
