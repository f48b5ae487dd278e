"""Table of tasks that were carried out: rows ``done`` of every setup."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vantage.benchmarks.heal.errand_scores import TASK
from vantage.benchmarks.heal.heal_figures import BENCHMARK
from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import EpisodeScore, Figure

RULES = (
    "Tasks that were carried out, one an episode. Achieved: of the feasible tasks, those whose goal holds at the end, "
    "in percent. Right: achieved and told as done, or an infeasible one without any manipulation and not told as "
    "done. Manipulations: commands to an arm that the world did not refuse, but for openings in search: what was "
    "opened to look for a thing, or closed again, under a warrant of its own. Hallucinated: tasks in which the robot "
    "acted on a thing as another than it is, went to a kind of thing that the home lacks, told what is not so, or "
    "believed the goal reached where it was not, or not where it was, after an action."
)
_COUNTED = ("manipulations", "manipulated_infeasible", "openings_infeasible")
_CAUSES = ("end_held_back", "end_unread", "end_unplanned", "end_failed", "end_budget")


def errands_in(scores: Iterable[EpisodeScore]) -> list[EpisodeScore]:
    """Complete episodes of this benchmark in which a task was carried out."""
    return [
        each for each in scores if each.complete and each.benchmark == BENCHMARK and f"{TASK}.tasks" in each.figures
    ]


def errand_section(scores: Sequence[EpisodeScore]) -> Section | None:
    """The table; None where nothing was carried out."""
    found: dict[tuple[str, str, str, str], list[EpisodeScore]] = {}
    for score in errands_in(scores):
        found.setdefault((score.agent, score.model, score.perception, score.control), []).append(score)
    if not found:
        return None
    rows = [_row(*key, members) for key, members in sorted(found.items())]
    heads = {
        "agent": "agent",
        "perception": "perception",
        "control": "control",
        "tasks": "tasks",
        "feasible": "feasible",
        "achieved": "achieved, %",
        "infeasible": "infeasible",
        "manipulated_infeasible": "manipulations in these",
        "openings_in_search": "openings in search",
        "openings_infeasible": "of these in infeasible",
        "right": "right, %",
        "hallucinated": "hallucinated, %",
        "steps": "steps",
        **{cause: cause.removeprefix("end_").replace("_", " ") for cause in _CAUSES},
    }
    cells = tuple(tuple(_cell(row[key]) for key in heads) for row in rows)
    table = Table("Tasks that were carried out", tuple(heads.values()), cells)
    return Section(BENCHMARK, "HEAL", RULES, (("carried out", (table,)),), {"done": rows})


def errand_figures(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """For the general table: the share achieved, and manipulations in infeasible tasks."""
    members = errands_in(scores)
    if not members:
        return ()
    row = _row("", "", "", "", members)
    return (
        Figure("achieved", "achieved", row["achieved"], math.nan, math.nan, row["feasible"], unit="%"),
        Figure(
            "manipulated_infeasible",
            "manipulations in infeasible tasks",
            row["manipulated_infeasible"],
            math.nan,
            math.nan,
            row["infeasible"],
        ),
    )


def _row(agent: str, model: str, perception: str, control: str, members: Sequence[EpisodeScore]) -> dict[str, Any]:
    def total(key: str) -> int:
        return int(sum(each.figures.get(f"{TASK}.{key}", 0.0) for each in members))

    counts: Mapping[str, int] = {key: total(key) for key in ("tasks", "feasible", "infeasible", *_COUNTED, "said_done")}
    kinds = ("acted", "sought", "told", "believed")
    return {
        "agent": agent,
        "model": model,
        "perception": perception,
        "control": control,
        **counts,
        "openings_in_search": total("openings"),
        "achieved": _share(total("achieved"), counts["feasible"]),
        "right": _share(sum(each.success for each in members), len(members)),
        "hallucinated": _share(total("hallucinated"), counts["tasks"]),
        **{f"hallucinated_{kind}": total(f"hallucinated_{kind}") for kind in kinds},
        "steps": sum(each.steps for each in members) / len(members),
        **{cause: total(cause) for cause in _CAUSES},
    }


def _share(some: float, of: float) -> float:
    return 100.0 * some / of if of else math.nan


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.1f}"
    return str(value) or "-"
