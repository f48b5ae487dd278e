"""How long plans take for random goals in generated homes, against the bare planner on the same problems."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vantage.bench.stopwatch import Times
from vantage.goals import EdgeGoal, Goal, Literal, NodeGoal
from vantage.planning.goals import (
    TIMEOUT,
    Outcome,
    PlanningTask,
    plan_goal,
    require_planner,
    search_plan,
    write_problems,
)
from vantage.scenes.facts import carriable_masses, object_names, room_names, scene_facts
from vantage.scenes.generator import generate_home
from vantage.scenes.spec import SceneSpec

BOUND_MS = 2000.0  # of the median
_EACH = 10  # goals in a home
_ROOMS = (2, 3, 4)
_OTHER = {"open": "closed", "closed": "open", "on": "off", "off": "on"}


def bench_plans(tasks: int, seed: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """Goals of one or two parts: to open, close or switch something, to carry something to another thing or room.

    Args:
        tasks: goals of which a plan is found; such as have none are counted, and others drawn.
        seed: of the first home.

    Raises:
        MissingExtraError: the planner is not installed.
    """
    planner = require_planner()
    outcomes: Counter[str] = Counter()
    plans, bare, actions = [], [], []
    for task in _tasks(seed, progress):
        begun = time.perf_counter()
        plan = plan_goal(task)
        took = time.perf_counter() - begun
        outcomes[plan.outcome.value] += 1
        if plan.outcome is Outcome.FOUND:
            plans.append(1000 * took)
            actions.append(plan.cost)
            bare.append(1000 * _bare(planner, task))
        if len(plans) == tasks or outcomes.total() == 4 * tasks:
            break
    data: dict[str, Any] = {"outcomes": dict(outcomes), "timeout_s": TIMEOUT}
    if plans:
        reference, whole = Times("bare Fast Downward", tuple(bare)), Times("plan", tuple(plans))
        data |= {"actions_median": float(np.median(actions)), "actions_most": max(actions)}
        data |= {"bare": reference.data(), **whole.data(reference)}
    data |= {"bound_ms": BOUND_MS, "met": len(plans) == tasks and data["median_ms"] <= BOUND_MS}
    return data


def _bare(planner: Path, task: PlanningTask) -> float:
    """s that the planner alone takes."""
    written = next(write_problems(task))
    begun = time.perf_counter()
    search_plan(planner, written.domain_text, written.problem_text, TIMEOUT, written.problem.is_small)
    return time.perf_counter() - begun


def _tasks(seed: int, progress: Callable[[str], None]) -> Iterator[PlanningTask]:
    """Without end."""
    rng = np.random.default_rng(seed)
    while True:
        rooms = int(rng.choice(_ROOMS))
        progress(f"a home of {rooms} rooms from seed {seed}")
        home = generate_home(seed, rooms)
        facts, masses = scene_facts(home), carriable_masses(home)
        for _ in range(_EACH):
            goals = dict.fromkeys(_goal(home, sorted(masses), rng) for _ in range(int(rng.integers(1, 3))))
            yield PlanningTask(facts, Goal.of(goals), masses=masses)
        seed += 1


def _goal(home: SceneSpec, light: list[str], rng: np.random.Generator) -> Literal:
    names, rooms = object_names(home), sorted(room_names(home).values())
    states = [
        (names[obj.instance_id], _OTHER[state])
        for obj in home.objects
        for state in obj.states
        if state in ("on", "off") or (state in _OTHER and obj.joints)
    ]
    held = {obj.parent for obj in home.objects} & set(names)
    places = [(obj.relation, names[obj.parent]) for obj in home.objects if obj.parent in held and obj.relation]
    kind = int(rng.integers(3))
    if kind == 0:
        return NodeGoal(*states[int(rng.integers(len(states)))])
    thing = light[int(rng.integers(len(light)))]
    if kind == 1:
        return EdgeGoal(thing, "in", rooms[int(rng.integers(len(rooms)))])
    return EdgeGoal(thing, *places[int(rng.integers(len(places)))])
