"""A scene as a planner sees it: what stands where, what opens, what can be lifted, and what of it matters to a goal."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from vantage.goals import ActionGoal, EdgeGoal, Goal, Literal, NodeGoal, SceneFacts, object_key, word_key
from vantage.planning.goals.plans import Verb
from vantage.planning.guard import Capability, Robot

IN, ON, BESIDE = "in", "on", "beside"
RELATIONS: Mapping[str, str] = {  # by ``word_key``
    "in": IN,
    "inside": IN,
    "on": ON,
    "ontop": ON,
    "onfloor": ON,
    "nextto": BESIDE,
    "beside": BESIDE,
    "near": BESIDE,
    "close": BESIDE,
}
OPEN_STATES: Mapping[str, bool] = {"open": True, "closed": False}
ON_STATES: Mapping[str, bool] = {"on": True, "toggledon": True, "off": False, "toggledoff": False}
VERBS: Mapping[str, tuple[Verb, ...]] = {  # what may be asked for as an action, by ``word_key``
    "open": (Verb.OPEN,),
    "close": (Verb.CLOSE,),
    "grab": (Verb.PICK,),
    "pick": (Verb.PICK,),
    "pickup": (Verb.PICK,),
    "put": (Verb.PLACE_IN, Verb.PLACE_ON, Verb.PLACE_BESIDE),
    "place": (Verb.PLACE_IN, Verb.PLACE_ON, Verb.PLACE_BESIDE),
    "putin": (Verb.PLACE_IN,),
    "puton": (Verb.PLACE_ON,),
    "putback": (Verb.PLACE_IN, Verb.PLACE_ON),
    "switchon": (Verb.SWITCH_ON,),
    "switchoff": (Verb.SWITCH_OFF,),
    "toggle": (Verb.SWITCH_ON, Verb.SWITCH_OFF),
    "toggleon": (Verb.SWITCH_ON,),
    "toggleoff": (Verb.SWITCH_OFF,),
    "walk": (Verb.GO_TO,),
    "goto": (Verb.GO_TO,),
}
LONE = "lone "
HOLDS = ("holdsrh", "holdslh", "holds")  # relations of who holds to what is held


@dataclass(frozen=True)
class Spot:
    """Where a thing can be: in, on or beside another one, by ``object_key``."""

    relation: str
    owner: str


class Household:
    """Things by ``object_key``.

    Args:
        held: what the robot holds, by name.
        masses: of what can be carried, see ``PlanningTask``.
    """

    def __init__(
        self, facts: SceneFacts, robot: Robot, held: Iterable[str], masses: Mapping[str, float] | None
    ) -> None:
        self._facts, self._robot = facts, robot
        self._masses = None if masses is None else {object_key(name): mass for name, mass in masses.items()}
        self.names = {object_key(item.name): item.name for item in facts.objects}
        self.possible = facts.possible
        told = (*map(object_key, held), *_held(facts))
        self.held = tuple(dict.fromkeys(name for name in told if name in self.names))
        self._initial: dict[str, set[str]] = {}
        self._fixed = {object_key(item.name) for item in facts.objects if item.initial == item.possible}
        denied: set[tuple[str, str]] = set()
        for item in facts.objects:
            self._initial.setdefault(object_key(item.name), set()).update(map(word_key, item.initial))
        for fact in facts.facts:
            if len(fact.objects) == 1:
                key = object_key(fact.objects[0]), word_key(fact.predicate)
                if fact.holds:
                    self._initial.setdefault(key[0], set()).add(key[1])
                else:
                    denied.add(key)
        for name, state in denied:
            self._initial.get(name, set()).discard(state)

    def is_so(self, name: str, state: str) -> bool:
        """Whether a thing is in a state, at the beginning; what is not told is closed and off."""
        told = self._initial.get(name, set())
        if state in OPEN_STATES:
            return ("open" in told) == OPEN_STATES[state]
        if state in ON_STATES:
            return bool(told & {"on", "toggledon"}) == ON_STATES[state]
        return state in told

    def opens(self, name: str) -> bool:
        """Whether a thing can be both open and closed."""
        can = self.possible[name]
        return "open" in can and ("closed" in can or name not in self._fixed)

    def switches(self, name: str) -> bool:
        can = self.possible[name]
        return "toggledon" in can or {"on", "off"} <= can

    @cached_property
    def _told_places(self) -> dict[str, list[Spot]]:
        """What is said to carry each thing; of rooms nothing is but what is in them."""
        told: dict[str, list[Spot]] = {}
        for fact in self._facts.facts:
            relation = RELATIONS.get(word_key(fact.predicate))
            if relation in (IN, ON) and len(fact.objects) == 2 and fact.holds:
                name, owner = map(object_key, fact.objects)
                if name in self.names and owner in self.names:
                    told.setdefault(name, []).append(Spot(relation, owner))
        return told

    @cached_property
    def rooms(self) -> frozenset[str]:
        """What other things are in and nothing carries or holds, without any state."""
        owners = {spot.owner for spots in self._told_places.values() for spot in spots if spot.relation == IN}
        moved = {*self._told_places, *self.held}
        return frozenset(name for name in owners if name not in moved and not self.possible[name])

    @cached_property
    def places(self) -> Mapping[str, Spot]:
        """Where each thing is: a room only where nothing else carries it. What can be lifted and is nowhere has a place
        of its own, to which the robot can go, called as the thing and ``LONE`` before it."""
        found = {
            name: next((spot for spot in spots if spot.owner not in self.rooms), spots[0])
            for name, spots in self._told_places.items()
            if name not in self.held
        }
        lone = (name for name in self.names if name not in found and name not in self.held and self.can_be_lifted(name))
        return found | {name: Spot(IN, LONE + name) for name in lone}

    @cached_property
    def beside(self) -> frozenset[tuple[str, str]]:
        """Pairs that are next to each other, both ways round."""
        pairs = {
            (object_key(fact.objects[0]), object_key(fact.objects[1]))
            for fact in self._facts.facts
            if fact.holds and len(fact.objects) == 2 and RELATIONS.get(word_key(fact.predicate)) == BESIDE
        }
        return frozenset(pairs | {(other, one) for one, other in pairs})

    def is_told(self, one: str, relation: str, other: str) -> bool:
        """Whether facts say that a thing stands in a relation to another one."""
        known = RELATIONS.get(word_key(relation), word_key(relation))
        return any(
            fact.holds
            and tuple(map(object_key, fact.objects)) == (one, other)
            and RELATIONS.get(word_key(fact.predicate), word_key(fact.predicate)) == known
            for fact in self._facts.facts
        )

    def room_of(self, name: str) -> str:
        """The room that a thing is in, itself where it is one, empty where none is known."""
        told = (spot.owner for each in self.carriers(name) for spot in self._told_places.get(each, ()))
        return name if name in self.rooms else next((owner for owner in told if owner in self.rooms), "")

    def carriers(self, name: str) -> list[str]:
        """A thing, what carries it, what carries that, and so on; a circle once around."""
        found = [name]
        while (spot := self.places.get(found[-1])) is not None and spot.owner not in found:
            found.append(spot.owner)
        return found

    def can_be_lifted(self, name: str) -> bool:
        """Whether the robot's hand can lift a thing with what is in it, and all that stands on it before that."""
        return self._can_be_lifted(name, frozenset())

    def _can_be_lifted(self, name: str, under: frozenset[str]) -> bool:
        if (
            not (self._robot.can(Capability.HOLD) and self._robot.hands)
            or name in self.rooms | under
            or name not in self.names
        ):
            return False
        if self._masses is None:
            return not self.opens(name) and not self._directly_at(name, IN, ON)
        if self._load(name, frozenset()) > self._robot.lifts:
            return False
        return all(self._can_be_lifted(each, under | {name}) for each in self._directly_at(name, ON))

    def _directly_at(self, owner: str, *relations: str) -> list[str]:
        spots = {Spot(relation, owner) for relation in relations}
        return [name for name, told in self._told_places.items() if spots & set(told)]

    def _load(self, name: str, around: frozenset[str]) -> float:
        """kg, of a thing with what is in it; infinite where it cannot be carried or is in itself."""
        masses = self._masses or {}
        if name not in masses or name in around:
            return math.inf
        return masses[name] + sum(self._load(each, around | {name}) for each in self._directly_at(name, IN))

    def is_rooted(self, name: str, moving: Collection[str]) -> bool:
        """Whether the robot can go to a thing: it stays where it is, and nothing that opens is around it.

        Args:
            moving: what does not stay where it is.
        """
        chain = self.carriers(name)
        spots = [self.places[each] for each in chain if each in self.places]
        return (
            len(spots) < len(chain)  # no circle
            and all(spot.relation == ON or self.is_open_floor(spot.owner) for spot in spots)
            and not any(each in moving for each in chain)
        )

    def is_open_floor(self, name: str) -> bool:
        """Whether it is a room, or the place of a thing that is nowhere else."""
        return name in self.rooms or name.startswith(LONE)

    def moving(self, goal: Goal, most: int | None = None) -> frozenset[str]:
        """What may have to be lifted: what the goal wants elsewhere or in the hand, and what stands on that or, if it
        counts, is in that. For actions, which name nothing, what they can be done with.

        Args:
            most: how many things are considered for an action, those with the least around them first.
        """
        named = {name for literal in goal.literals for name in self._named(literal, most)}
        waiting = [name for literal in goal.literals for name in self._handled(literal, most)]
        found = set(self.held)
        while waiting:
            name = waiting.pop()
            if name not in found and self.can_be_lifted(name):
                found.add(name)
                inside = (each for each in self._directly_at(name, IN) if each in named)
                waiting += [*self._directly_at(name, ON), *inside]
        return frozenset(found)

    def relevant(self, goal: Goal, most: int | None = None) -> tuple[str, ...]:
        """What a plan may have to do with: what the goal names, what may have to be lifted, and what is around these;
        see ``moving``."""
        found = {name for literal in goal.literals for name in self._named(literal, most)} | self.moving(goal, most)
        return tuple(sorted({each for name in found for each in self.carriers(name)}))

    def _named(self, literal: Literal, most: int | None) -> Iterator[str]:
        if not isinstance(literal, ActionGoal):
            yield from map(object_key, literal.objects)
            return
        for verb in VERBS.get(word_key(literal.action), ()):
            yield from sorted(self._suited(verb), key=lambda name: len(self.carriers(name)))[:most]

    def _handled(self, literal: Literal, most: int | None) -> Iterator[str]:
        """Of what a goal names, what the robot would lift for it."""
        if isinstance(literal, ActionGoal):
            yield from self._named(literal, most)
        elif isinstance(literal, EdgeGoal):
            relation = word_key(literal.relation)
            both = relation in HOLDS or RELATIONS.get(relation) == BESIDE
            yield from map(object_key, literal.objects if both else literal.objects[:1])

    def _suited(self, verb: Verb) -> Iterable[str]:
        if verb in (Verb.OPEN, Verb.CLOSE):
            return filter(self.opens, self.names)
        if verb in (Verb.SWITCH_ON, Verb.SWITCH_OFF):
            return filter(self.switches, self.names)
        if verb == Verb.GO_TO:
            return (name for name in self.names if self.is_rooted(name, ()))
        return filter(self.can_be_lifted, self.names)

    def spots(self, goal: Goal, relevant: Iterable[str]) -> tuple[Spot, ...]:
        """Where relevant things are or may be put: where something is now, and where the goal wants something."""
        known = set(relevant)
        used = [
            *self.places.values(),
            *(Spot(IN, name) for name in self.names if name in self.rooms or self.opens(name)),
        ]
        return tuple(dict.fromkeys(spot for spot in (*used, *self.wanted_spots(goal)) if spot.owner in known))

    @staticmethod
    def wanted_spots(goal: Goal) -> tuple[Spot, ...]:
        """Where a goal wants something, or does not."""
        edges = (literal for literal in goal.literals if isinstance(literal, EdgeGoal))
        found = []
        for relation, literal in ((RELATIONS.get(word_key(literal.relation)), literal) for literal in edges):
            if relation is not None:
                found.append(Spot(relation, object_key(literal.object)))
            if relation == BESIDE:
                found.append(Spot(relation, object_key(literal.subject)))
        return tuple(found)


def states_of(literal: NodeGoal) -> Mapping[str, bool] | None:
    """The pair of states to which the state of a goal belongs, where the robot can change them."""
    state = word_key(literal.state)
    return next((pair for pair in (OPEN_STATES, ON_STATES) if state in pair), None)


def _held(facts: SceneFacts) -> Iterator[str]:
    """What facts say that somebody holds."""
    for fact in facts.facts:
        if fact.holds and len(fact.objects) == 2 and word_key(fact.predicate) in HOLDS:
            yield object_key(fact.objects[1])
