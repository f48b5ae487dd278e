"""How a doer plans in the scene that it believes in, and what a plan touches."""

from __future__ import annotations

from vantage.goals import Goal, kind_of, object_key, room_of
from vantage.perception import LARGE
from vantage.planning.execution import BEARING, Belief
from vantage.planning.goals import Outcome, Plan, PlanningTask, Situation, Verb, plain_plan, plan_goal
from vantage.planning.guard import Robot


def plan_of(goal: Goal, belief: Belief, robot: Robot, near: str) -> Plan:
    """A plan; without a planner only for what is simple.

    Args:
        near: name of where the robot is; it counts where that is there.
    """
    masses = {name: robot.mass_in(name, belief.facts) for name in belief.light}
    task = PlanningTask(belief.facts, goal, robot, Situation(near if belief.facts.has(near) else ""), masses)
    plan = plan_goal(task)
    return plain_plan(task) if plan.outcome is Outcome.MISSING else plan


def touched_by(plan: Plan, belief: Belief) -> frozenset[str]:
    """Kinds of things that a plan touches; into a room things are put on or beside whatever furniture is there."""
    into = {
        object_key(action.objects[1])
        for action in plan.actions
        if action.verb is Verb.PLACE_IN and object_key(action.objects[1]) in belief.rooms
    }
    large = (name for name in belief.keys if into and kind_of(name).replace("_", " ") in LARGE)
    there = {kind_of(name) for name in large if room_of(belief.facts, name) in into}
    named = frozenset(kind_of(name) for action in plan.actions for name in action.objects)
    return named | there | (BEARING if into else frozenset())
