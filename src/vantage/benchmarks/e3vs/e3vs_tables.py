"""The benchmark's tables: figures of every setup by category, and differences between setups on the same episodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations, groupby
from typing import Any

from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, SHARES
from vantage.benchmarks.e3vs.published import published_json
from vantage.benchmarks.e3vs.published_tables import NOTES, published_tables
from vantage.benchmarks.e3vs.setups import ALL, Figures, Setup, by_category, figure_named, setups_of
from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import COLUMN_RULES, COLUMNS, EpisodeScore, Figure, cells, run_differences

RULES = (
    "In brackets: 95 % intervals by bootstrap over whole scenes, for shares never narrower than Wilson's. "
    "Mark: 1 to 5, by what the last look shows. Normalised: 100 * (clip(mark, 1, 5) - 1) / 4. "
    f"{COLUMN_RULES} The look that counts is the last one. "
    "Collisions: of an episode; collided steps: of all steps. SPL: success * oracle / max(oracle, steps), in actions. "
    "Differences are of the episodes that both setups have; tables have those of setups that differ in one thing. "
    "An episode without an answer is marked 1; one that is incomplete or got no mark is left out."
)
_TABLES = {
    "mark": "Mark, 1-5",
    "normalised": "Normalised mark, 0-100",
    **{column.key: f"{column.title}, %" for column in COLUMNS},
    "steps": "Steps",
    "collisions": "Collisions",
    "collision_rate": "Collided steps, %",
    "spl": "SPL, 0-1",
}
Gaps = Mapping[tuple[Setup, Setup], tuple[Figure, ...]]


def section(scores: Iterable[EpisodeScore]) -> Section | None:
    """None where no score is of this benchmark."""
    setups = setups_of(scores)
    if not setups:
        return None
    figures = {setup: by_category(members) for setup, members in setups.items()}
    tables: list[tuple[str, tuple[Table, ...]]] = []
    beside: list[tuple[str, tuple[Table, ...]]] = []
    gaps: dict[tuple[Setup, Setup], tuple[Figure, ...]] = {}
    for marked, family in groupby(setups, lambda setup: setup.marked):
        members = {setup: setups[setup] for setup in family}
        pairs = combinations(members, 2)
        found = {(one, other): run_differences(members[one], members[other]) for one, other in pairs}
        found = {pair: row for pair, row in found.items() if any(each.n for each in row)}
        gaps |= found
        own = {setup: figures[setup] for setup in members}
        told = [_table(key, own) for key in _TABLES]
        told += _differences({pair: row for pair, row in found.items() if pair[0].distance(pair[1]) == 1})
        tables.append((f"judge {marked}", tuple(told)))
        beside.append((f"beside the paper: judge {marked}", tuple(published_tables(members, own))))
    data = {
        "setups": [
            {
                **asdict(setup),
                "title": setup.title,
                "categories": {name: _plain(row) for name, row in found.items()},
            }
            for setup, found in figures.items()
        ],
        "differences": [
            {"first": one.title, "second": other.title, **_plain(row)} for (one, other), row in gaps.items()
        ],
        "published": published_json(),
    }
    return Section(BENCHMARK, "E3VS", RULES, tuple(tables), data, published=tuple(beside), notes=NOTES)


def _table(key: str, figures: Figures) -> Table:
    columns = [name for name in (*SHARES, ALL) if any(name in found for found in figures.values())]
    rows = tuple(
        (setup.name, *(_cell(found.get(name, ()), key) for name in columns)) for setup, found in figures.items()
    )
    return Table(_TABLES[key], ("Setup", *columns), rows)


def _cell(figures: Sequence[Figure], key: str) -> str:
    figure = figure_named(figures, key)
    return "" if figure is None else cells((figure,))[0]


def _differences(gaps: Gaps) -> list[Table]:
    if not gaps:
        return []
    titles = (_headed(each) for each in next(iter(gaps.values())))
    rows = tuple((f"{one.name} - {other.name}", *cells(row)) for (one, other), row in gaps.items())
    return [Table("Differences on the same episodes, first minus second", ("Setups", *titles), rows)]


def _headed(figure: Figure) -> str:
    """As heads of columns have it; what others call C is the normalised mark here."""
    title = "Normalised" if figure.key == "c" else figure.title
    return f"{title}, %" if figure.percent else title


def _plain(figures: Sequence[Figure]) -> dict[str, Any]:
    return {f.key: {"value": f.value, "low": f.low, "high": f.high, "n": f.n} for f in figures}
