"""What a scene is after something was done in it, by facts alone: how manipulations change states and relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from types import MappingProxyType

from vantage.goals.facts import Fact, SceneFacts, SceneObject, object_key, word_key

OPEN, CLOSE, TAKE, SWITCH_ON, SWITCH_OFF = "open", "close", "take", "switch_on", "switch_off"  # verbs
PUT_RELATIONS = MappingProxyType({"put_in": "in", "put_on": "on", "put_beside": "beside"})
HOLDS, HAND = "holds", "robot"  # relation of who holds to what is held
_STATES = MappingProxyType(  # what is so afterwards, and what is no more
    {OPEN: ("open", "closed"), CLOSE: ("closed", "open"), SWITCH_ON: ("on", "off"), SWITCH_OFF: ("off", "on")}
)
_RESTING = frozenset({"in", "on", "beside"})


def changed(scene: SceneFacts, verb: str, thing: str, place: str = "") -> SceneFacts:
    """The scene after a verb of ``ObjectAction`` was done to a thing; what is on or in it goes with it.

    What no scene knows changes nothing.

    Args:
        place: in, on or beside which it was put; a room where it stands on the floor.
    """
    if not scene.has(thing):
        return scene
    if verb in _STATES:
        now, before = _STATES[verb]
        return replace(scene, objects=tuple(_turned(item, thing, now, before) for item in scene.objects))
    moved, rooms = carried_by(scene, (thing,)), rooms_of(scene)
    own = object_key(thing)
    kept = [
        fact
        for fact in scene.facts
        if not (
            _relates(fact, _RESTING | {HOLDS})
            and (
                (object_key(fact.objects[0]) == own and word_key(fact.predicate) in _RESTING)
                or (object_key(fact.objects[1]) == own and word_key(fact.predicate) in (HOLDS, "beside"))
                or (object_key(fact.objects[0]) in moved and object_key(fact.objects[1]) in rooms)
            )
        )
    ]
    if verb == TAKE:
        return replace(scene, facts=(*kept, Fact(HOLDS, (HAND, thing))))
    if verb not in PUT_RELATIONS:
        return scene
    room = object_key(place) if object_key(place) in rooms else room_of(scene, place)
    names = {object_key(item.name): item.name for item in scene.objects}
    more = [Fact(PUT_RELATIONS[verb], (thing, place))] if object_key(place) not in rooms else []
    more += [Fact("in", (names[each], names[room])) for each in sorted(moved) if each in names and room in names]
    return replace(scene, facts=(*kept, *more))


def carried_by(scene: SceneFacts, things: Iterable[str]) -> frozenset[str]:
    """Keys of things with all that is on or in them, however deep."""
    found = {object_key(name) for name in things}
    pairs = [tuple(map(object_key, fact.objects)) for fact in scene.facts if _relates(fact, {"in", "on"})]
    while True:
        more = {one for one, other in pairs if other in found} - found
        if not more:
            return frozenset(found)
        found |= more


def rooms_of(scene: SceneFacts) -> frozenset[str]:
    """Keys of what other things are in and nothing carries or holds, without any state."""
    resting = [fact for fact in scene.facts if _relates(fact, {"in", "on"})]
    carried = {object_key(fact.objects[0]) for fact in resting}
    carried |= {object_key(fact.objects[1]) for fact in scene.facts if _relates(fact, {HOLDS})}
    owners = {object_key(fact.objects[1]) for fact in resting if word_key(fact.predicate) == "in"}
    return frozenset(name for name in owners - carried if not scene.possible.get(name))


def room_of(scene: SceneFacts, name: str) -> str:
    """Key of the room that a thing is in; empty where none is known."""
    rooms, own = rooms_of(scene), object_key(name)
    if own in rooms:
        return own
    told = (fact for fact in scene.facts if _relates(fact, {"in"}) and object_key(fact.objects[0]) == own)
    return next((key for fact in told if (key := object_key(fact.objects[1])) in rooms), "")


def _turned(item: SceneObject, thing: str, now: str, before: str) -> SceneObject:
    if object_key(item.name) != object_key(thing):
        return item
    return replace(item, initial=(*(state for state in item.initial if word_key(state) not in (now, before)), now))


def _relates(fact: Fact, relations: Collection[str]) -> bool:
    return fact.holds and len(fact.objects) == 2 and word_key(fact.predicate) in relations
