"""Gold goals scored as if a model had said them: a check of the scorer, which must give 100 for them alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vantage.benchmarks.heal.base_tasks import VIRTUALHOME, TaskData
from vantage.benchmarks.heal.eai_data import read_data
from vantage.benchmarks.heal.probing_items import pursuable
from vantage.benchmarks.heal.reply_scores import SORTS, Counts, compared
from vantage.benchmarks.protocol import Told
from vantage.benchmarks.statistics import aligned
from vantage.goals import Goal, Literal, NodeGoal, read_reply, reply_text

_SEED = 20
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
    rows = [row for each in read_data(data) for row in _rows(each, ghosts, drop)]
    cells = [
        (
            str(row["environment"]),
            str(row["goals"]),
            str(row["tasks"]),
            *(f"{row[key]:.2f}" for key in ("precision", "recall", "f1")),
        )
        for row in rows
    ]
    return Told(aligned([_HEAD, *cells], (2, 3, 4, 5)), {"ghosts": ghosts, "drop": drop, "rows": rows})


def _rows(data: TaskData, ghosts: int, drop: float) -> list[dict[str, float | str]]:
    rng, sums = np.random.default_rng(_SEED), dict.fromkeys(compared((), Goal()), 0.0)
    for task in data.with_goals:
        said = [goal for goal in pursuable(task.gold, task.scene) if rng.random() >= drop]
        made_up: list[Literal] = [
            NodeGoal(f"ghost_{number + 1}", data.vocabulary.states[0]) for number in range(ghosts)
        ]
        reading = read_reply(reply_text([*said, *made_up], task.environment != VIRTUALHOME))
        for key, value in compared(reading.goals, task.gold, reading.unread).items():
            sums[key] += value
    return [_row(data, "all", SORTS, sums), *(_row(data, sort, (sort,), sums) for sort in SORTS if _asked(sums, sort))]


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
