"""How a doer plans in the scene that it believes in, and what a plan touches."""

from __future__ import annotations

from vantage.goals import Goal, kind_of, rooms_of
from vantage.planning.execution import BEARING, Belief
from vantage.planning.goals import Outcome, Plan, PlanningTask, Situation, Verb, plain_plan, plan_goal
from vantage.planning.guard import Robot


def plan_of(goal: Goal, belief: Belief, robot: Robot, near: str) -> Plan:
    """A plan; without a planner only for what is simple.

    Args:
        near: name of where the robot is; it counts where that is there.
    """
    masses = {name: robot.mass_of(name) for name in belief.light}
    task = PlanningTask(belief.facts, goal, robot, Situation(near if belief.facts.has(near) else ""), masses)
    plan = plan_goal(task)
    return plain_plan(task) if plan.outcome is Outcome.MISSING else plan


def touched_by(plan: Plan, belief: Belief) -> frozenset[str]:
    """Kinds of things that a plan touches; into a room things are put on or beside whatever furniture is there."""
    rooms = rooms_of(belief.facts)
    into_room = any(action.verb is Verb.PLACE_IN and action.objects[1] in rooms for action in plan.actions)
    return frozenset(kind_of(name) for action in plan.actions for name in action.objects) | (
        BEARING if into_room else frozenset()
    )
