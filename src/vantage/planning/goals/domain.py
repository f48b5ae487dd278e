"""A goal in a scene as a planning problem of ``unified-planning``, and its plans as actions.

A thing is at a spot: in, on or beside another one. It can be reached from what is around it, where the robot stands,
while every spot on the way is ready, as those in closed things are not. A thing is lifted only when nothing that counts
is on, in or beside it. Where a goal leaves a choice, the robot stops first, and what it has reached by then is told
after that: so all parts hold at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from typing import Any

from vantage.goals import ActionGoal, EdgeGoal, Goal, Literal, NodeGoal, object_key, word_key
from vantage.planning.goals.household import (
    BESIDE,
    HOLDS,
    IN,
    LONE,
    ON,
    ON_STATES,
    OPEN_STATES,
    RELATIONS,
    VERBS,
    Household,
    Spot,
    states_of,
)
from vantage.planning.goals.plans import PlannedAction, Situation, Verb
from vantage.planning.guard import Capability, Robot

_MOST_LEVELS = 4  # of things in or on each other
_FEW_THINGS = 4
_PLACES = {IN: Verb.PLACE_IN, ON: Verb.PLACE_ON, BESIDE: Verb.PLACE_BESIDE}
Wish = tuple[Any, bool]  # a fluent of unified-planning, and whether it shall hold
Wishes = tuple[Wish, ...]  # all of them


class PlanningProblem:
    """What a planner is given.

    Attributes:
        problem: of ``unified-planning``.
    """

    def __init__(self, house: Household, robot: Robot, start: Situation, goal: Goal, most: int | None = None) -> None:
        """
        Args:
            most: see ``Household.moving``.

        Raises:
            ImportError: ``unified-planning`` is not installed.
        """
        import unified_planning.shortcuts as up

        self._up, self._house, self._robot = up, house, robot
        self.problem = up.Problem("task")
        self._actions: dict[str, tuple[Verb, tuple[int, ...]]] = {}
        self._costs: dict[Any, int] = {}
        self._things = house.relevant(goal, most)
        self._spots = house.spots(goal, self._things)
        self._light = tuple(sorted(house.moving(goal, most)))
        asked = {word_key(each.action) for each in goal.literals if isinstance(each, ActionGoal)}
        self._noted = {verb for word in asked for verb in VERBS.get(word, ())}
        self._declare()
        self._begin(start, house.wanted_spots(goal))
        self._add_actions()
        self._pursue(goal)
        self.problem.add_quality_metric(up.MinimizeActionCosts(self._costs, default=1))

    @property
    def is_small(self) -> bool:
        """Whether few things may have to be lifted, so that a cheapest plan is soon found."""
        return len(self._light) <= _FEW_THINGS

    def read(self, steps: Iterable[str]) -> tuple[PlannedAction, ...]:
        """A plan as the planner writes it: lines of an action's name and its parameters in brackets."""
        called = {object_of.name: name for name, object_of in self._thing.items()}
        called |= {object_of.name: spot.owner for spot, object_of in self._spot.items()}
        found = []
        for step in steps:
            name, *given = step.strip("() \n").split()
            if name in self._actions:
                verb, told = self._actions[name]
                fixed = [self._things[int(name.rpartition("_")[2])]] if verb == Verb.PICK else []
                keys = (*fixed, *(called[given[index]] for index in told))
                found.append(PlannedAction(verb, tuple(self._house.names[key.removeprefix(LONE)] for key in keys)))
        return tuple(found)

    def _declare(self) -> None:
        """Objects and fluents, which begin false."""
        up, problem = self._up, self.problem
        thing, spot, hand = (up.UserType(name) for name in ("thing", "spot", "hand"))
        self._types = {"thing": thing, "spot": spot, "hand": hand}

        def fluent(name: str, **parameters: Any) -> Any:
            made = up.Fluent(name, up.BoolType(), **parameters)
            problem.add_fluent(made, default_initial_value=False)
            return made

        self._at = fluent("at", x=thing, s=spot)
        self._away = fluent("away", x=thing, s=spot)  # the opposite: the planner multiplies what is not so
        self._part_of = fluent("part_of", s=spot, x=thing)
        self._of_kind = {each: fluent(f"{each}_spot", s=spot) for each in (IN, ON, BESIDE)}
        self._ready, self._offered = fluent("ready", s=spot), fluent("offered", s=spot)
        self._rooted, self._near = fluent("rooted", x=thing), fluent("near", x=thing)
        self._opens, self._is_open = fluent("opens", x=thing), fluent("is_open", x=thing)
        self._switches, self._is_on = fluent("switches", x=thing), fluent("is_on", x=thing)
        self._free, self._in_hand = fluent("free", h=hand), fluent("in_hand", x=thing, h=hand)
        self._held, self._beside = fluent("held", x=thing), fluent("beside", x=thing, y=thing)
        self._working = fluent("working")
        self._done = {verb: fluent(f"done_{verb.value}") for verb in Verb if verb in self._noted}
        self._thing = {name: up.Object(f"t{number}", thing) for number, name in enumerate(self._things)}
        self._spot = {each: up.Object(f"s{number}", spot) for number, each in enumerate(self._spots)}
        self._hands = [up.Object(f"h{number}", hand) for number in range(max(0, self._robot.hands))]
        self._start = up.Object("start", thing)
        problem.add_objects([*self._thing.values(), *self._spot.values(), *self._hands, self._start])

    def _begin(self, start: Situation, wanted: Collection[Spot]) -> None:
        """What is so at first. Spots at what can be carried are offered only where the goal wants them."""
        house, thing = self._house, self._thing
        true = [self._working()]
        hands = list(self._hands)
        for name in self._things:
            place = house.places.get(name)
            if house.is_rooted(name, self._light):
                true.append(self._rooted(thing[name]))
            elif place is not None:
                true.append(self._at(thing[name], self._spot[place]))
            if name in house.names:
                true += [self._opens(thing[name])] if house.opens(name) else []
                true += [self._is_open(thing[name])] if house.is_so(name, "open") else []
                true += [self._switches(thing[name])] if house.switches(name) else []
                true += [self._is_on(thing[name])] if house.is_so(name, "on") else []
        for name in self._light:
            true += [
                self._away(thing[name], made) for spot, made in self._spot.items() if house.places.get(name) != spot
            ]
        held = [name for name in house.held if name in thing]
        for name, hand in zip(held, hands, strict=False):
            true += [self._in_hand(thing[name], hand), self._held(thing[name])]
        true += [self._free(hand) for hand in hands[len(house.held) :]]
        for spot, made in self._spot.items():
            true += [self._part_of(made, thing[spot.owner]), self._of_kind[spot.relation](made)]
            closed = spot.relation == IN and spot.owner in house.names and self._shuts(spot.owner)
            true += [] if closed else [self._ready(made)]
            true += [self._offered(made)] if spot in wanted or spot.owner not in self._light else []
        true += [self._beside(thing[one], thing[two]) for one, two in sorted(house.beside) if {one, two} <= {*thing}]
        here = object_key(start.near)
        root = next((each for each in house.carriers(here) if each in thing and house.is_rooted(each, self._light)), "")
        true.append(self._near(thing[root] if root else self._start))
        for each in true:
            self.problem.set_initial_value(each, True)

    def _shuts(self, name: str) -> bool:
        """Whether a thing is closed at the beginning, as far as it can be."""
        can = self._house.possible[name]
        return bool(can & set(OPEN_STATES)) and self._house.is_so(name, "closed")

    def _add_actions(self) -> None:
        robot, up = self._robot, self._up
        if robot.can(Capability.GO):
            action = self._action(Verb.GO_TO, "", (1,), here="thing", there="thing")
            here, there = action.parameter("here"), action.parameter("there")
            self._require(action, self._near(here), self._rooted(there), up.Not(self._near(there)))
            self._change(action, (self._near(here), False), (self._near(there), True))
        for level in range(self._levels() + 1):
            if robot.can(Capability.OPEN):
                self._add_turning(Verb.OPEN, level)
                self._add_turning(Verb.CLOSE, level)
            if robot.can(Capability.SWITCH):
                self._add_switching(Verb.SWITCH_ON, level)
                self._add_switching(Verb.SWITCH_OFF, level)
            for relation in dict.fromkeys(spot.relation for spot in self._spots):
                self._add_placing(relation, level)
            for name in self._light if level and robot.can(Capability.HOLD) else ():
                self._add_picking(name, level)

    def _levels(self) -> int:
        """How many things are around another one at the most, and one that may be put around it."""
        deepest = max((len(self._house.carriers(name)) for name in self._things), default=1)
        return min(_MOST_LEVELS, deepest)

    def _action(self, verb: Verb, ending: str, told: tuple[int, ...], **parameters: str) -> Any:
        """An action for which the robot must not have stopped.

        Args:
            told: indices of parameters that its name in plans has.
        """
        name = f"{verb.value}{ending}"
        kinds = {each: self._types[kind] for each, kind in parameters.items()}
        action = self._up.InstantaneousAction(name, **kinds)
        action.add_precondition(self._working())
        if verb in self._done:
            action.add_effect(self._done[verb](), True)
        self.problem.add_action(action)
        self._actions[name] = verb, told
        return action

    @staticmethod
    def _around(level: int) -> dict[str, str]:
        """Parameters for what is around a thing: a spot and whose it is, level by level."""
        return {
            name: kind for each in range(1, level + 1) for name, kind in ((f"s{each}", "spot"), (f"x{each}", "thing"))
        }

    def _require_reach(self, action: Any, thing: Any, level: int) -> None:
        """The robot stands at what is around a thing, ``level`` spots away, and every spot on the way is ready."""
        for each in range(1, level + 1):
            spot, around = action.parameter(f"s{each}"), action.parameter(f"x{each}")
            self._require(action, self._at(thing, spot), self._part_of(spot, around), self._ready(spot))
            thing = around
        self._require(action, self._rooted(thing), self._near(thing))

    @staticmethod
    def _require(action: Any, *conditions: Any) -> None:
        for condition in conditions:
            action.add_precondition(condition)

    @staticmethod
    def _change(action: Any, *changes: Wish) -> None:
        for fluent, value in changes:
            action.add_effect(fluent, value)

    def _add_turning(self, verb: Verb, level: int) -> None:
        """To open or close, by a free hand, what has a spot in it."""
        opens = verb == Verb.OPEN
        action = self._action(verb, f"_{level}", (0,), x="thing", s="spot", h="hand", **self._around(level))
        x, s = action.parameter("x"), action.parameter("s")
        self._require_reach(action, x, level)
        was_open = self._is_open(x)
        self._require(action, self._opens(x), self._of_kind[IN](s), self._part_of(s, x))
        self._require(action, self._free(action.parameter("h")), self._up.Not(was_open) if opens else was_open)
        self._change(action, (was_open, opens), (self._ready(s), opens))

    def _add_switching(self, verb: Verb, level: int) -> None:
        on = verb == Verb.SWITCH_ON
        action = self._action(verb, f"_{level}", (0,), x="thing", h="hand", **self._around(level))
        x = action.parameter("x")
        self._require_reach(action, x, level)
        was_on = self._is_on(x)
        self._require(action, self._switches(x), self._free(action.parameter("h")))
        self._require(action, self._up.Not(was_on) if on else was_on)
        self._change(action, (was_on, on))

    def _add_placing(self, relation: str, level: int) -> None:
        """To put a held thing in, on or beside another one."""
        parameters = {"x": "thing", "s": "spot", "y": "thing", "h": "hand", **self._around(level)}
        action = self._action(_PLACES[relation], f"_{level}", (0, 2), **parameters)
        x, s, y, h = map(action.parameter, ("x", "s", "y", "h"))
        self._require_reach(action, y, level)
        self._require(action, self._in_hand(x, h), self._of_kind[relation](s), self._part_of(s, y))
        self._require(action, self._ready(s), self._offered(s))
        self._change(action, (self._in_hand(x, h), False), (self._held(x), False), (self._free(h), True))
        self._change(action, (self._at(x, s), True), (self._away(x, s), False))
        if relation == BESIDE:
            self._change(action, (self._beside(x, y), True), (self._beside(y, x), True))

    def _add_picking(self, name: str, level: int) -> None:
        """To pick up a thing that nothing of the problem is in, on or beside. It is beside nothing then."""
        action = self._action(Verb.PICK, f"_{level}_{self._things.index(name)}", (2,), h="hand", **self._around(level))
        x, h, s = self._thing[name], action.parameter("h"), action.parameter("s1")
        self._require_reach(action, x, level)
        self._require(action, self._free(h))
        for spot, made in self._spot.items():
            if spot.owner == name:
                self._require(action, *(self._away(self._thing[each], made) for each in self._light if each != name))
        self._change(action, (self._at(x, s), False), (self._away(x, s), True), (self._free(h), False))
        self._change(action, (self._in_hand(x, h), True), (self._held(x), True))
        for pair in sorted(self._pairs):
            if name in pair:
                self._change(action, (self._beside(*(self._thing[each] for each in pair)), False))

    @property
    def _pairs(self) -> set[tuple[str, str]]:
        """Pairs of things that are beside each other or may come to be."""
        known = {pair for pair in self._house.beside if {*pair} <= {*self._things}}
        owners = [spot.owner for spot in self._spots if spot.relation == BESIDE]
        put = {(one, owner) for owner in owners for one in self._light}
        return known | put | {(owner, one) for one, owner in put}

    def _pursue(self, goal: Goal) -> None:
        """What shall hold. A choice is made after the robot has stopped, by actions that cost nothing."""
        choices: list[list[Wishes]] = []
        for part in goal.parts:
            ways = [
                tuple(wish for wishes in chosen for wish in wishes)
                for alternative in part
                for chosen in product(*(self._ways(literal) for literal in alternative))
            ]
            choices.append(ways)
        if all(len(ways) == 1 for ways in choices):
            for ways in choices:
                for fluent, holds in ways[0]:
                    self.problem.add_goal(fluent if holds else self._up.Not(fluent))
            return
        stop = self._up.InstantaneousAction("stop")
        stop.add_precondition(self._working())
        stop.add_effect(self._working(), False)
        self.problem.add_action(stop)
        self._costs[stop] = 0
        for number, ways in enumerate(choices):
            reached = self._up.Fluent(f"reached_{number}", self._up.BoolType())
            self.problem.add_fluent(reached, default_initial_value=False)
            self.problem.add_goal(reached())
            for way, wishes in enumerate(ways):
                action = self._up.InstantaneousAction(f"reach_{number}_{way}")
                self._require(action, self._up.Not(self._working()))
                self._require(action, *(fluent if holds else self._up.Not(fluent) for fluent, holds in wishes))
                action.add_effect(reached(), True)
                self.problem.add_action(action)
                self._costs[action] = 0

    def _ways(self, literal: Literal) -> list[Wishes]:
        """In which ways a goal can be fulfilled: of each, what shall hold. Nothing in none: what cannot change is so or
        is not."""
        if isinstance(literal, ActionGoal):
            return [((self._done[verb](), True),) for verb in VERBS.get(word_key(literal.action), ())]
        if isinstance(literal, NodeGoal):
            return self._ways_to_be(literal)
        return self._ways_to_stand(literal)

    def _ways_to_be(self, literal: NodeGoal) -> list[Wishes]:
        name, pair = object_key(literal.object), states_of(literal)
        if pair is OPEN_STATES and self._house.opens(name):
            return [((self._is_open(self._thing[name]), pair[word_key(literal.state)] == literal.holds),)]
        if pair is ON_STATES and self._house.switches(name):
            return [((self._is_on(self._thing[name]), pair[word_key(literal.state)] == literal.holds),)]
        return _settled(self._house.is_so(name, word_key(literal.state)) == literal.holds)

    def _ways_to_stand(self, literal: EdgeGoal) -> list[Wishes]:
        one, other = object_key(literal.subject), object_key(literal.object)
        relation = RELATIONS.get(word_key(literal.relation))
        if word_key(literal.relation) in HOLDS:
            return [((self._held(self._thing[other]), literal.holds),)]
        if relation == BESIDE:
            return [((self._beside(self._thing[one], self._thing[other]), literal.holds),)]
        if relation is None or one not in self._light:
            return _settled(self._house.is_told(one, literal.relation, other) == literal.holds)
        if relation != IN or other not in self._house.rooms:
            return [((self._at(self._thing[one], self._spot[Spot(relation, other)]), literal.holds),)]
        rooms = [other] if literal.holds else [room for room in self._house.rooms if room != other]
        found = [way for room in sorted(rooms) for way in self._ways_into(one, room, _MOST_LEVELS)]
        return found if literal.holds else [*found, ((self._held(self._thing[one]), True),)]

    def _ways_into(self, name: str, room: str, levels: int) -> list[Wishes]:
        """How a thing can be in a room: at any spot there, or at one of a thing that can be carried there."""
        found: list[Wishes] = []
        for spot, made in self._spot.items():
            wish = self._at(self._thing[name], made), True
            if spot.owner in self._light:
                deeper = self._ways_into(spot.owner, room, levels - 1) if levels > 1 and spot.owner != name else []
                found += [(wish, *way) for way in deeper]
            elif self._house.room_of(spot.owner) == room:
                found.append((wish,))
        return found


def _settled(holds: bool) -> list[Wishes]:
    return [()] if holds else []
