"""Setups of one benchmark beside each other: figures, marks by category, and differences on the same episodes.

A setup is an agent under a control with who answers; those of one kind of perception and one judge are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, groupby
from typing import Any

import numpy as np

from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import (
    ALL,
    COLUMN_RULES,
    COLUMNS,
    EpisodeScore,
    Figure,
    cells,
    column_over_scenes,
    figure_of_sums,
    marks_by_category,
    mean_over_scenes,
    normalised,
    quotient,
    run_differences,
)

_RULES = (
    "In brackets: 95 % intervals by bootstrap over whole scenes, for shares never narrower than Wilson's. "
    f"{COLUMN_RULES} C: mean of (mark - 1) / 4 * 100. Collisions: collided steps of all steps. "
    "SPL: success * oracle / max(oracle, steps) in actions, over episodes with an oracle. "
    "Differences: first minus second setup, mean over the episodes that both completed."
)


@dataclass(frozen=True)
class Setup:
    """What was run."""

    perception: str
    judge: str
    agent: str
    control: str
    model: str

    @staticmethod
    def of(score: EpisodeScore) -> Setup:
        return Setup(score.perception, score.judge, score.agent, score.control, score.model)

    @property
    def name(self) -> str:
        """How tables call it among those of the same perception and judge."""
        return ", ".join(filter(None, (self.agent, self.control, self.model)))


def setups_of(scores: Iterable[EpisodeScore]) -> dict[Setup, list[EpisodeScore]]:
    """The complete episodes of each setup, in the order of perception, judge, agent, control and model."""
    found: dict[Setup, list[EpisodeScore]] = {}
    for score in scores:
        if score.complete:
            found.setdefault(Setup.of(score), []).append(score)
    ordered = sorted(found, key=lambda setup: tuple(asdict(setup).values()))
    return {setup: found[setup] for setup in ordered}


def setup_figures(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """Right in words, shown and both, mark, C, steps, collisions and SPL of one setup, with intervals over scenes."""
    scenes = [score.scene for score in scores]
    rows = np.array([(score.collisions, score.steps) for score in scores], dtype=np.float64).reshape(-1, 2)
    measured = [score for score in scores if score.has_oracle]

    def mean(key: str, title: str, value: Callable[[EpisodeScore], float], unit: str) -> Figure:
        return mean_over_scenes(key, title, scenes, [value(score) for score in scores], unit=unit)

    return (
        *(column_over_scenes(column, scores) for column in COLUMNS),
        mean("judge_score", "Mark", lambda s: s.judge_score, "1-5"),
        mean("c", "C", lambda s: normalised(s.judge_score), "0-100"),
        mean("steps", "Steps", lambda s: float(s.steps), "actions"),
        figure_of_sums(
            "collision_rate",
            "Collisions",
            scenes,
            rows,
            lambda sums: quotient(sums[:, 0], sums[:, 1]),
            percent=True,
        ),
        mean_over_scenes("spl", "SPL", [score.scene for score in measured], [score.spl for score in measured]),
    )


def setup_section(benchmark: str, scores: Iterable[EpisodeScore]) -> Section | None:
    """The tables of a benchmark; None where none of its episodes is complete.

    Marks by category are those by kind of question where episodes have no category.
    """
    setups = setups_of(score for score in scores if score.benchmark == benchmark)
    if not setups:
        return None
    tables: list[tuple[str, tuple[Table, ...]]] = []
    data: dict[str, list[dict[str, Any]]] = {"setups": [], "differences": []}
    for (perception, judge), family in groupby(setups, lambda setup: (setup.perception, setup.judge)):
        members = {setup: setups[setup] for setup in family}
        figures = {setup: setup_figures(each) for setup, each in members.items()}
        categories = {setup: _by_category(each) for setup, each in members.items()}
        gaps = {(one, other): run_differences(setups[one], setups[other]) for one, other in combinations(members, 2)}
        gaps = {pair: row for pair, row in gaps.items() if any(each.n for each in row)}
        found = [_figure_table("Figures", {setup.name: row for setup, row in figures.items()})]
        found.append(_category_table({setup.name: row for setup, row in categories.items()}))
        if gaps:
            named = {f"{one.name} - {other.name}": row for (one, other), row in gaps.items()}
            found.append(_figure_table("Differences on the same episodes", named))
        tables.append((f"perception {perception or 'none'}, judge {judge}", tuple(found)))
        data["setups"] += [
            {**asdict(setup), "figures": _plain(figures[setup]), "categories": _plain(categories[setup])}
            for setup in members
        ]
        data["differences"] += [
            {"first": asdict(one), "second": asdict(other), "figures": _plain(row)}
            for (one, other), row in gaps.items()
        ]
    return Section(benchmark, benchmark, _RULES, tuple(tables), data)


def _by_category(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    return marks_by_category(scores, lambda score: score.category or score.kind)


def _plain(figures: Iterable[Figure]) -> dict[str, Any]:
    return {figure.key: asdict(figure) for figure in figures}


def _figure_table(title: str, rows: Mapping[str, Sequence[Figure]]) -> Table:
    first = next(iter(rows.values()))
    head = ("", "Episodes", *(f"{each.title}, %" if each.percent else each.title for each in first))
    counts = {name: max(each.n for each in row) for name, row in rows.items()}
    return Table(title, head, tuple((name, str(counts[name]), *cells(row, counts[name])) for name, row in rows.items()))


def _category_table(rows: Mapping[str, Sequence[Figure]]) -> Table:
    names = dict.fromkeys(figure.key for row in rows.values() for figure in row if figure.key != ALL)
    told = {name: dict(zip((figure.key for figure in row), cells(row), strict=True)) for name, row in rows.items()}
    columns = (*names, ALL)
    return Table(
        "C by category, 0-100",
        ("", *columns),
        tuple((name, *(row.get(each, "-") for each in columns)) for name, row in told.items()),
    )
