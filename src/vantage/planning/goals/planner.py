"""From a goal in a scene to a cheapest plan, or to why there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from vantage.errors import MissingExtraError
from vantage.goals import ActionGoal, FaultKind, Goal, SceneFacts, fault_of, ungrounded, word_key
from vantage.planning.goals.domain import PlanningProblem
from vantage.planning.goals.fast_downward import require_planner, search_plan
from vantage.planning.goals.household import VERBS, Household
from vantage.planning.goals.plans import Outcome, Plan, PlanningTask
from vantage.wording import shown

TIMEOUT = 10.0  # s
_FEW = 4  # things that are considered first for an action that names none


@dataclass(frozen=True)
class WrittenProblem:
    """A problem in PDDL, and what reads its plans."""

    problem: PlanningProblem
    domain_text: str
    problem_text: str


def plan_goal(task: PlanningTask, timeout: float = TIMEOUT) -> Plan:
    """A plan, with the fewest actions where few things may have to be lifted; the same task gives the same.

    Args:
        timeout: s, from when the planner is loaded.
    """
    hopeless = _hopeless(task.facts, task.goal)
    if hopeless:
        return Plan(Outcome.UNSOLVABLE, reason=hopeless)
    try:
        planner = require_planner()
    except MissingExtraError as error:
        return Plan(Outcome.MISSING, reason=str(error))
    ends = time.monotonic() + timeout
    for written in write_problems(task):
        left = ends - time.monotonic()
        if left <= 0:
            return Plan(Outcome.TIMED_OUT, reason=f"{timeout:g} s went by before the search began; allow more")
        found = search_plan(planner, written.domain_text, written.problem_text, left, written.problem.is_small)
        if found.outcome != Outcome.UNSOLVABLE:
            break
    actions = written.problem.read(found.steps)
    return Plan(found.outcome, actions, len(actions), found.reason)


def write_problems(task: PlanningTask) -> Iterator[WrittenProblem]:
    """What the planner is given for a goal that the scene supports.

    Where the goal has actions that many things are fit for, a few of these are considered first, and then all.

    Raises:
        ImportError: ``unified-planning`` is not installed.
    """
    from unified_planning.io import PDDLWriter

    house = Household(task.facts, task.robot, task.start.held, task.masses)
    goal = _supported(task.facts, task.goal)
    for most in (_FEW, None) if house.relevant(goal, _FEW) != house.relevant(goal) else (None,):
        problem = PlanningProblem(house, task.robot, task.start, goal, most)
        writer = PDDLWriter(problem.problem)
        yield WrittenProblem(problem, writer.get_domain(), writer.get_problem())


def _hopeless(facts: SceneFacts, goal: Goal) -> str:
    """Why no plan can be, without a search; empty where one may be."""
    faults = ungrounded(goal, facts)
    if faults:
        fault = faults[0]
        told = {
            FaultKind.MISSING_OBJECT: f"the scene has no {shown(fault.name)}",
            FaultKind.IMPOSSIBLE_STATE: f"{shown(fault.name)} is never {shown(fault.state)}",
            FaultKind.CONTRADICTION: f"the goal asks for {shown(fault.name)} to be so and not to be so",
        }
        return f"{told[fault.kind]}; ask for something else"
    unknown = [
        literal.action
        for part in goal.parts
        if len(part) == 1
        for literal in part[0]
        if isinstance(literal, ActionGoal) and word_key(literal.action) not in VERBS
    ]
    return f"the robot has no action {shown(unknown[0])}; ask for something else" if unknown else ""


def _supported(facts: SceneFacts, goal: Goal) -> Goal:
    """The goal without alternatives that name what the scene lacks."""
    return Goal(
        tuple(
            tuple(each for each in part if not any(fault_of(literal, facts) for literal in each)) for part in goal.parts
        )
    )
