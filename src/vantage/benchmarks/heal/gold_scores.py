"""Gold goals scored as if a model had said them: a check of the scorer, which must give 100 for them alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.benchmarks.heal.base_tasks import VIRTUALHOME, BaseTask, TaskData, split_of
from vantage.benchmarks.heal.eai_data import read_data
from vantage.benchmarks.heal.heal_figures import BENCHMARK
from vantage.benchmarks.heal.heal_scores import scored_reply, summed
from vantage.benchmarks.heal.heal_tables import section
from vantage.benchmarks.heal.probing_items import BASE, pursuable
from vantage.benchmarks.heal.reply_scores import SORTS, Counts, compared
from vantage.benchmarks.protocol import Told
from vantage.benchmarks.statistics import EpisodeScore, aligned
from vantage.goals import Goal, Literal, NodeGoal, TaskTruth, read_reply, reply_text
from vantage.types import Answer, TruthQuestion, Verdict

_SEED = 20
_GOLD = "gold"
_HEAD = ("environment", "goals", "tasks", "precision", "recall", "F1")


def score_gold(data: str | Path, ghosts: int = 0, drop: float = 0.0) -> Told:
    """
    Args:
        data: folder of the data.
        ghosts: goals of things that are not there, added to each task.
        drop: share of the gold goals that are left out, by lot with a fixed seed.

    Raises:
        UsageError: no data lie there.
        FormatError: the data are damaged.
    """
    found = read_data(data)
    rows = [row for each in found for row in _rows(each, ghosts, drop)]
    cells = [
        (
            str(row["environment"]),
            str(row["goals"]),
            str(row["tasks"]),
            *(f"{row[key]:.2f}" for key in ("precision", "recall", "f1")),
        )
        for row in rows
    ]
    return Told(
        aligned([_HEAD, *cells], (2, 3, 4, 5)),
        {"ghosts": ghosts, "drop": drop, "rows": rows, "heal": _of_bags(found, ghosts, drop)},
    )


def _rows(data: TaskData, ghosts: int, drop: float) -> list[dict[str, float | str]]:
    sums = dict.fromkeys(compared((), Goal()), 0.0)
    for task, reply in _replies(data, ghosts, drop):
        reading = read_reply(reply)
        for key, value in compared(reading.goals, task.gold, reading.unread).items():
            sums[key] += value
    return [_row(data, "all", SORTS, sums), *(_row(data, sort, (sort,), sums) for sort in SORTS if _asked(sums, sort))]


def _replies(data: TaskData, ghosts: int, drop: float) -> Iterator[tuple[BaseTask, str]]:
    """Each task with the reply that is scored."""
    rng = np.random.default_rng(_SEED)
    made_up: list[Literal] = [NodeGoal(f"ghost_{number + 1}", data.vocabulary.states[0]) for number in range(ghosts)]
    for task in data.with_goals:
        said = [goal for goal in pursuable(task.gold, task.scene) if rng.random() >= drop]
        yield task, reply_text([*said, *made_up], task.environment != VIRTUALHOME)


def _of_bags(found: Sequence[TaskData], ghosts: int, drop: float) -> dict[str, Any]:
    """What scores of bags would tell of the same replies; the published figures stand there alone."""
    scores = []
    for data in found:
        for task, reply in _replies(data, ghosts, drop):
            states, relations = data.vocabulary.all_states, data.vocabulary.relations
            truth = TaskTruth(task.scene, task.gold, True, states=states, relations=relations)
            gold = TruthQuestion(BASE, BASE, "", category=data.environment, task=truth)
            figures = summed([scored_reply(Answer(BASE, reply, Verdict.ANSWERED, 1.0), gold)])
            told = EpisodeScore(task.episode_id, benchmark=BENCHMARK, agent=_GOLD, model=_GOLD, complete=True)
            split = split_of(task.environment, task.name)
            scores.append(replace(told, figures=figures, category=data.environment, split=split))
    made = section(scores)
    return {"rows": [] if made is None else made.data["rows"]}


def _asked(sums: Counts, sort: str) -> bool:
    return sums[f"{sort}_right"] + sums[f"{sort}_missing"] > 0


def _row(data: TaskData, name: str, sorts: Sequence[str], sums: Counts) -> dict[str, float | str]:
    right, wrong, missing = (sum(sums[f"{sort}_{each}"] for sort in sorts) for each in ("right", "wrong", "missing"))
    precision = 100.0 * right / (right + wrong) if right + wrong else 0.0
    recall = 100.0 * right / (right + missing) if right + missing else 0.0
    f1 = 200.0 * right / (2 * right + wrong + missing) if right + wrong + missing else 0.0
    tasks = len(data.with_goals)
    return {
        "environment": data.environment,
        "goals": name,
        "tasks": tasks,
        "precision": precision,
        "recall": recall,
        "f1": f1,
    }
