"""Plans without a planner: for goals that take one or two manipulations, of things that nothing is in the way of."""

from __future__ import annotations

from vantage.goals import Alternative, EdgeGoal, NodeGoal, fault_of, object_key, word_key
from vantage.planning.goals.household import HOLDS, IN, ON_STATES, OPEN_STATES, RELATIONS, Household
from vantage.planning.goals.plans import Outcome, Plan, PlannedAction, PlanningTask, Verb
from vantage.planning.guard import Capability

_PLACES = {"in": Verb.PLACE_IN, "on": Verb.PLACE_ON, "beside": Verb.PLACE_BESIDE}


def plain_plan(task: PlanningTask) -> Plan:
    """A plan for the first alternative of a goal that is that simple; ``Outcome.MISSING`` where none is.

    One part alone, of one goal: a state that can be opened, closed or switched, or a thing that lies free and is put
    somewhere that is not closed. With a full hand it is never simple.
    """
    house = Household(task.facts, task.robot, task.start.held, task.masses)
    if len(task.goal.parts) == 1 and not house.held:
        for alternative in task.goal.parts[0]:
            actions = _actions(task, house, alternative)
            if actions is not None:
                return Plan(Outcome.FOUND, actions, len(actions))
    return Plan(Outcome.MISSING, reason="the goal takes a planner; install it with 'make setup WITH=planning'")


def _actions(task: PlanningTask, house: Household, alternative: Alternative) -> tuple[PlannedAction, ...] | None:
    if len(alternative) != 1 or fault_of(alternative[0], task.facts) is not None:
        return None
    literal, robot = alternative[0], task.robot
    if isinstance(literal, NodeGoal):
        name, state = object_key(literal.object), word_key(literal.state)
        if state in OPEN_STATES and house.opens(name) and robot.can(Capability.OPEN):
            verb = Verb.OPEN if OPEN_STATES[state] == literal.holds else Verb.CLOSE
        elif state in ON_STATES and house.switches(name) and robot.can(Capability.SWITCH):
            verb = Verb.SWITCH_ON if ON_STATES[state] == literal.holds else Verb.SWITCH_OFF
        else:
            return None
        if house.is_so(name, state) == literal.holds:
            return ()
        return _at(house, name, verb, literal.object) if _is_free(house, name) else None
    relation = RELATIONS.get(word_key(literal.relation)) if isinstance(literal, EdgeGoal) else None
    if not isinstance(literal, EdgeGoal) or relation is None or not literal.holds or literal.relation in HOLDS:
        return None
    thing, place = object_key(literal.subject), object_key(literal.object)
    if house.is_told(thing, literal.relation, literal.object) or house.room_of(thing) == place:
        return ()
    shut = relation == IN and house.opens(place) and not house.is_so(place, "open")
    loaded = any(thing in house.carriers(each) for each in house.names if each != thing)
    if shut or loaded or not (_is_free(house, thing) and _is_free(house, place) and house.can_be_lifted(thing)):
        return None
    taken = _at(house, thing, Verb.PICK, literal.subject)
    return (*taken, *_at(house, place, _PLACES[relation], literal.subject, literal.object))


def _at(house: Household, where: str, verb: Verb, *objects: str) -> tuple[PlannedAction, ...]:
    """An action, and the way there."""
    carrier = next((each for each in reversed(house.carriers(where)) if each not in house.rooms), where)
    go = PlannedAction(Verb.GO_TO, (house.names.get(carrier, where),))
    return go, PlannedAction(verb, objects)


def _is_free(house: Household, name: str) -> bool:
    """Whether nothing closed is around a thing."""
    around = house.carriers(name)[1:]
    return all(house.is_so(each, "open") or not house.opens(each) for each in around if each in house.names)
