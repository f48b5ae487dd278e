"""How a doer plans in the scene that it believes in, and what a plan touches."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from vantage.goals import Goal, Literal, kind_of, object_key, room_of, rooms_of
from vantage.perception import LARGE
from vantage.planning.execution import BEARING, PUTS, Belief
from vantage.planning.goals import Outcome, Plan, PlannedAction, PlanningTask, Situation, Verb, plain_plan, plan_goal
from vantage.planning.guard import Robot
from vantage.planning.skills import Failure, SkillResult

_DENSEST = 8000.0  # kg/m^3 of the box of a thing, that of steel
_IN_VAIN = frozenset(
    {Failure.BLOCKED, Failure.NO_ROOM, Failure.NO_WAY, Failure.NOT_GRASPABLE, Failure.OUT_OF_REACH, Failure.TIMED_OUT}
)


def plan_of(goal: Goal, belief: Belief, robot: Robot, near: str, avoided: Collection[int] = ()) -> Plan:
    """A plan; without a planner only for what is simple.

    Args:
        near: name of where the robot is; it counts where that is there.
        avoided: identities of things with which nothing is tried again where the goal has an alternative without them.
    """
    goal = _without(goal, {object_key(name) for name, key in belief.keys.items() if key in avoided})
    masses = {name: _mass_of(name, belief, robot) for name in belief.light}
    task = PlanningTask(belief.facts, goal, robot, Situation(near if belief.facts.has(near) else ""), masses)
    plan = plan_goal(task)
    return plain_plan(task) if plan.outcome is Outcome.MISSING else plan


def _mass_of(name: str, belief: Belief, robot: Robot) -> float:
    """kg; 0 for what nobody knows the mass of, and where it would be denser than metal: a car on a shelf is a toy."""
    mass = robot.mass_of(name)
    return mass if mass <= _DENSEST * belief.volumes.get(name, math.inf) else 0.0


def tried_in_vain(action: PlannedAction, keys: Sequence[int], result: SkillResult) -> set[int]:
    """Identities of the things with which an action failed for a reason that lasts.

    Args:
        keys: identities of the objects of the action.
    """
    return {keys[-1] if action.verb in PUTS else keys[0]} if result.failure in _IN_VAIN else set()


def _without(goal: Goal, avoided: Collection[str]) -> Goal:
    """A goal without the alternatives that name what is avoided, where others are left."""

    def names(alternative: Sequence[Literal]) -> bool:
        return any(object_key(name) in avoided for literal in alternative for name in literal.objects)

    parts = (tuple(each for each in part if not names(each)) or part for part in goal.parts)
    return Goal(tuple(parts)) if avoided else goal


def touched_by(plan: Plan, belief: Belief) -> frozenset[str]:
    """Kinds of things that a plan touches; into a room things are put on or beside whatever furniture is there."""
    rooms = rooms_of(belief.facts)
    into = {
        object_key(action.objects[1])
        for action in plan.actions
        if action.verb is Verb.PLACE_IN and action.objects[1] in rooms
    }
    large = (name for name in belief.keys if into and kind_of(name).replace("_", " ") in LARGE)
    there = {kind_of(name) for name in large if room_of(belief.facts, name) in into}
    named = frozenset(kind_of(name) for action in plan.actions for name in action.objects)
    return named | there | (BEARING if into else frozenset())
