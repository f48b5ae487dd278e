"""How the goals of a scene are written: which states and relations stand for what a task asks for.

A scene tells its dialect by the names of its things. VirtualHome names kinds, and the agent among them as
``character``; BEHAVIOR numbers its things by WordNet's senses, and denies what must not be; every other scene is asked
what its things can be and how they stand to each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from vantage.goals import EdgeGoal, Literal, NodeGoal, SceneFacts, kind_of, object_key, word_key
from vantage.planning.wishes import Change
from vantage.questions.lexicon import singular, words_for

_INSTANCE = re.compile(r".+\.[a-z]\.\d+_\d+$")
AGENT = "character"
_FLOORS = frozenset({"floor", "ground", "carpet"})
_TOWARDS = frozenset({"to", "over"})  # what is brought there
_HOLDERS = frozenset({"container", "receptacle", "bag", "luggage", "appliance", "white goods", "room"})
_STANDS = frozenset({"furniture"})
Meaning = tuple[tuple[tuple[str, ...], bool], ...]
"""States that a change brings about, each with the other names for it and whether it shall hold."""


@dataclass(frozen=True)
class Dialect:
    """One way of writing goals.

    Attributes:
        name: by which figures of it are kept.
        states: what must be so after a change; the first of the names that a thing can have is taken.
        besides: what is asked for with it where the thing can be so.
        relations: names of each place, of which the first that the scene knows is taken, or else the first; where there
            is none for what is brought somewhere, it shall be in or on that.
        dirt: states that cleaning ends.
        floor: the relation of what stands on a floor; empty for that of every other place.
        numbered: things are counted from 1 without a gap, and what is said of a kind is said of every one.
        into: kinds in which things are; in every other they are on; empty where both are told apart by words.
        named: the name of a task tells what it is about.
    """

    name: str
    states: Mapping[Change, Meaning]
    relations: Mapping[str, tuple[str, ...]]
    besides: Mapping[Change, tuple[str, ...]] = field(default_factory=dict)
    dirt: tuple[str, ...] = ()
    floor: str = ""
    numbered: bool = False
    into: frozenset[str] = frozenset()
    named: bool = False


def _be(*names: str) -> Meaning:
    return ((names, True),)


def _not(*names: str) -> Meaning:
    return ((names, False),)


VIRTUALHOME = Dialect(
    "virtualhome",
    {
        Change.SWITCH_ON: _be("ON"),
        Change.SWITCH_OFF: _be("OFF"),
        Change.OPEN: _be("OPEN"),
        Change.CLOSE: _be("CLOSED"),
        Change.CLEAN: _be("CLEAN"),
    },
    {
        "on": ("ON",),
        "in": ("INSIDE",),
        "near": ("CLOSE",),
        "over": ("CLOSE",),
        "to": ("INSIDE",),
        "under": ("CLOSE",),
    },
    besides={Change.SWITCH_ON: ("PLUGGED_IN", "CLOSED")},
    into=frozenset({"freezer", "fridge", "refrigerator", "bathroom", "bedroom", "dining_room", "home_office"}),
    named=True,
)
BEHAVIOR = Dialect(
    "behavior",
    {
        Change.SWITCH_ON: _be("Toggled_On"),
        Change.SWITCH_OFF: _not("Toggled_On"),
        Change.OPEN: _be("Open"),
        Change.CLOSE: _not("Open"),
        Change.SLICE: _be("Sliced"),
        Change.COOK: _be("Cooked"),
        Change.FREEZE: _be("Frozen"),
        Change.THAW: _not("Frozen"),
        Change.SOAK: _be("Soaked"),
    },
    {
        "on": ("OnTop",),
        "in": ("Inside",),
        "near": ("NextTo",),
        "over": ("NextTo",),
        "under": ("Under",),
        "to": ("NextTo",),
    },
    dirt=("Dusty", "Stained"),
    floor="OnFloor",
    numbered=True,
)
OTHERS = Dialect(
    "others",
    {
        Change.SWITCH_ON: _be("on", "switched on", "toggled on"),
        Change.SWITCH_OFF: _be("off", "switched off"),
        Change.OPEN: _be("open"),
        Change.CLOSE: _be("closed"),
        Change.CLEAN: _be("clean"),
    },
    {
        "on": ("on", "ontop", "on top of"),
        "in": ("inside", "in"),
        "near": ("beside", "next to", "near"),
        "under": ("under",),
    },
)


def dialect_of(scene: SceneFacts) -> Dialect:
    if any(_INSTANCE.fullmatch(object_key(item.name)) for item in scene.objects):
        return BEHAVIOR
    return VIRTUALHOME if scene.has(AGENT) else OTHERS


def state_goals(dialect: Dialect, change: Change, name: str, scene: SceneFacts) -> tuple[Literal, ...]:
    """What must be so of a thing after a change; nothing where it cannot be so."""
    possible, found = _spelled(name, scene), list[Literal]()
    for names, holds in dialect.states.get(change, ()):
        state = next((possible[word_key(each)] for each in names if word_key(each) in possible), None)
        if state is None:
            return ()
        found.append(NodeGoal(name, state, holds))
    return (*found, *(NodeGoal(name, each) for each in dialect.besides.get(change, ()) if word_key(each) in possible))


def _spelled(name: str, scene: SceneFacts) -> dict[str, str]:
    """The states that a thing can be in, as the scene writes them, by ``word_key``."""
    states = [state for item in scene.objects if object_key(item.name) == object_key(name) for state in item.possible]
    return {**{state: state for state in scene.possible[object_key(name)]}, **{word_key(each): each for each in states}}


def clean_goals(dialect: Dialect, name: str, said: tuple[str, ...], scene: SceneFacts) -> tuple[Literal, ...]:
    """That a thing is clean: of the dirt that is spoken of, or else that it has, or else that it can have."""
    if not dialect.dirt:
        return state_goals(dialect, Change.CLEAN, name, scene)
    key = object_key(name)
    known = [each for each in dialect.dirt if word_key(each) in scene.possible[key]]
    has = {
        word_key(each.predicate)
        for each in scene.facts
        if each.holds and tuple(map(object_key, each.objects)) == (key,)
    }
    spoken = [each for each in known if word_key(each) in said]
    there = [each for each in known if word_key(each) in has]
    return tuple(NodeGoal(name, each, False) for each in spoken or there or known)


def place_goal(dialect: Dialect, name: str, relation: str, place: str, scene: SceneFacts) -> Literal | None:
    """That a thing is at a place; None where the dialect has no word for it."""
    if relation in _TOWARDS and relation not in dialect.relations:
        relation = "in" if _takes_in(place, scene) else "on"
    names, kind = dialect.relations.get(relation, ()), kind_of(place)
    if not names or object_key(name) == object_key(place):
        return None
    if dialect.floor and relation in ("on", "in") and kind in _FLOORS:
        return EdgeGoal(name, dialect.floor, place)
    if dialect.into and relation == "in" and kind not in dialect.into:
        names = dialect.relations["on"]
    known = {word_key(fact.predicate): fact.predicate for fact in scene.facts if len(fact.objects) == 2}
    told = next((known[word_key(each)] for each in names if word_key(each) in known), names[0])
    return EdgeGoal(name, told, place)


def _takes_in(place: str, scene: SceneFacts) -> bool:
    """Whether what is brought to a place shall be in it: a room, or what is made to hold things and is no furniture."""
    key = object_key(place)
    around = [tuple(map(object_key, fact.objects)) for fact in scene.facts if fact.holds and len(fact.objects) == 2]
    if not scene.possible[key] and all(each[0] != key for each in around) and any(each[1] == key for each in around):
        return True
    words = words_for(singular(kind_of(place).replace("_", " ")))
    known = words.same | words.broader
    return not known.isdisjoint(_HOLDERS) and known.isdisjoint(_STANDS)
