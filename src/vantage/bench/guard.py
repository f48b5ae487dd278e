"""What the guard costs: reading and judging a goal over many objects, beside the reference, bare ``json.loads``."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from vantage.bench.stopwatch import measure_in_turn
from vantage.goals import EdgeGoal, Fact, Goal, NodeGoal, SceneFacts, SceneObject, TaskText, read_reply, reply_text
from vantage.planning.guard import Guard, read_robot
from vantage.questions.lexicon import table

GOAL_MS = 5.0  # of the 95th percentile of reading and judging a goal
TASK_MS = 30.0  # of the 95th percentile of judging it by a long instruction
LONG_TASK = 10_000  # words
_STATES = ("ON", "OFF", "OPEN", "CLOSED", "CLEAN", "DIRTY")


def bench_guard(objects: int, goals: int, repetitions: int, seed: int, robot: str = "household") -> dict[str, Any]:
    """Times of a goal over a scene of so many objects, of reading alone, of one with a task of 10,000 words, and of the
    reference.

    Raises:
        ConfigError: there is no such robot.
    """
    scene, text = _scene(objects, seed), _reply(objects, goals, seed)
    guard = Guard(read_robot(robot))
    kinds = sorted(table())
    task = TaskText("Tidy the home", f"Clean and switch on {', '.join(kinds[:40])} and put them on the table.")
    long = TaskText("", " ".join(kinds[number % len(kinds)] for number in range(LONG_TASK)))

    def judged(asked: TaskText) -> object:
        reading = read_reply(text)
        return guard.judge(asked, Goal.of(reading.goals), scene, unread=reading.unread)

    jobs = {
        "json.loads": lambda: json.loads(text),
        "reading": lambda: read_reply(text),
        "reading and guarding": lambda: judged(task),
        "with a task of 10,000 words": lambda: judged(long),
    }
    reference, *measured = measure_in_turn(jobs, repetitions)
    _, guarding, instruction = measured
    ruling = guard.judge(task, Goal.of(read_reply(text).goals), scene)
    return {
        "objects": objects,
        "goals": goals,
        "ruling": ruling.feasibility.value,
        "reasons": len(ruling.reasons),
        "times": [reference.data(), *(times.data(reference) for times in measured)],
        "bounds": {"goal_p95_ms": GOAL_MS, "task_p95_ms": TASK_MS},
        "met": guarding.p95_ms <= GOAL_MS and instruction.p95_ms <= TASK_MS,
    }


def _names(objects: int) -> list[str]:
    kinds = [kind.replace(" ", "_") for kind in sorted(table())]
    return [f"{kinds[number % len(kinds)]}.n.01_{number // len(kinds) + 1}" for number in range(objects)]


def _scene(objects: int, seed: int) -> SceneFacts:
    rng, names = np.random.default_rng(seed), _names(objects)
    others = rng.permutation(objects)
    return SceneFacts(
        tuple(SceneObject(name, (_STATES[0],), _STATES) for name in names),
        tuple(Fact("ontop", (name, names[other])) for name, other in zip(names, others, strict=True)),
    )


def _reply(objects: int, goals: int, seed: int) -> str:
    """A reply with so many goals, about half of them relations; the first object carries others and rests on none."""
    rng, names = np.random.default_rng(seed), _names(objects)
    told: list[NodeGoal | EdgeGoal] = []
    for number in range(goals):
        name = names[number % objects]
        if number % 2 or number % objects == 0:
            told.append(NodeGoal(name, _STATES[int(rng.integers(len(_STATES)))]))
        else:
            told.append(EdgeGoal(name, "ontop", names[int(rng.integers(number % objects))]))
    return reply_text(told, instances=True)
