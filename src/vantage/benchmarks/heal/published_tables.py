"""Scores of bags beside what the paper published, in the forms of its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from vantage.benchmarks.heal.base_tasks import BEHAVIOR, ENVIRONMENTS, VIRTUALHOME
from vantage.benchmarks.heal.heal_figures import Setup
from vantage.benchmarks.heal.probing_items import (
    BASE,
    DIST_INJ,
    SCENE_TASK_CON,
    SYNONYM_SUB,
    TASK_OBJ_REM,
    TITLES,
)
from vantage.benchmarks.heal.published import SOURCE, PublishedFigure, model_cards, published_figures
from vantage.benchmarks.sections import Table
from vantage.planning import TEXT

NOTES = (
    f"Rows that begin with 'paper:' are published figures ({SOURCE}); all others are of the bags that were scored. "
    "They compare in part: the paper's 2,574 items were written by a model from 338 and 100 tasks and are labelled by "
    "how they were made; here rules make them from the tasks that are at hand, feasibility is computed, and removals "
    "of the agent itself stand apart. In tables 7 and 8 replies without hallucination count alone. A dash: not "
    "published, or not run."
)
Figures = Mapping[tuple[Setup, str, str], Mapping[str, Mapping[str, float]]]
"""By setup, environment and split, then by transformation and key of the figure; ``n`` is among them."""

_Column = tuple[str, str, str]  # head, transformation, figure
_PAPERS = (DIST_INJ, TASK_OBJ_REM, SYNONYM_SUB, SCENE_TASK_CON)
_HEADS = {"c_o": "C_O", "c_s": "C_S", "p_o": "P_O"}
_HALLUCINATIONS: tuple[_Column, ...] = tuple(
    (f"{TITLES[name]} {_HEADS[key]}", name, key) for name in _PAPERS for key in _HEADS
)
_IN_BASE: tuple[_Column, ...] = tuple((f"{TITLES[BASE]} {_HEADS[key]}", BASE, key) for key in ("c_o", "c_s"))
_SHOWN = (("image", "image"), ("text", "text"), ("image + text", "both"))
_MATCHES = ("precision", "recall", "f1")


def published_tables(figures: Figures) -> Iterator[Table]:
    """Tables 1 to 3, 7, 8, 11 and 12 of the paper, with what was scored here."""
    yield _table("Hallucination, % (table 1)", 1, (*_IN_BASE, *_HALLUCINATIONS), figures, _is_plain)
    yield _shown_table(figures)
    yield _table(
        "Mitigation, % (table 3)",
        3,
        _HALLUCINATIONS,
        figures,
        lambda setup: setup.mitigation != "none",
        (VIRTUALHOME,),
    )
    for name in (DIST_INJ, SYNONYM_SUB):
        columns = [(f"base {key}", name, f"paper_base_{key}") for key in _MATCHES]
        columns += [(f"{TITLES[name]} {key}", name, f"paper_{key}") for key in _MATCHES]
        yield _table(f"Goals, {TITLES[name]}, % (table 7)", 7, columns, figures, lambda setup: True, (VIRTUALHOME,))
    refusals = [(TITLES[name], name, "refusal") for name in (TASK_OBJ_REM, SCENE_TASK_CON)]
    yield _table("Refusal, % (table 8)", 8, refusals, figures, lambda setup: True, (VIRTUALHOME,))
    yield _counts(figures)
    yield _cards({setup.model for setup, _, _ in figures})


def _is_plain(setup: Setup) -> bool:
    return setup.mitigation == "none"


def _table(
    title: str,
    number: int,
    columns: Sequence[_Column],
    figures: Figures,
    wanted: Callable[[Setup], bool],
    environments: Sequence[str] = ENVIRONMENTS,
) -> Table:
    rows = []
    for environment in environments:
        for name, cells in _published_rows(number, environment):
            found = [_cell(cells.get((transformation, key))) for _, transformation, key in columns]
            if any(cell != "-" for cell in found):
                rows.append((name, environment, "", *found))
        for (setup, place, split), told in figures.items():
            if place == environment and wanted(setup):
                found = [_cell(told.get(transformation, {}).get(key)) for _, transformation, key in columns]
                rows.append((_named(setup), environment, split, *found))
    return Table(title, ("", "environment", "split", *(head for head, _, _ in columns)), tuple(rows))


def _named(setup: Setup) -> str:
    return setup.name if setup.input == TEXT else f"{setup.name}, {setup.input}"


def _published_rows(number: int, environment: str) -> Iterator[tuple[str, dict[tuple[str, str], float]]]:
    """The rows of a table of the paper, by transformation and key."""
    rows: dict[int, list[PublishedFigure]] = {}
    for each in published_figures():
        if each.table == number and each.environment == environment:
            rows.setdefault(each.row, []).append(each)
    for members in rows.values():
        first = members[0]
        told = "" if first.mitigation in ("", "none") else f" + {first.mitigation}"
        yield f"paper: {first.model}{told}", {(each.transformation, each.figure): each.value for each in members}


def _shown_table(figures: Figures) -> Table:
    """P_O of DistInj by what shows the scene."""
    rows = []
    for name, cells in _published_rows(2, VIRTUALHOME):
        rows.append((name, VIRTUALHOME, "", *(_cell(cells.get((DIST_INJ, f"p_o_{key}"))) for _, key in _SHOWN)))
    for (setup, environment, split), told in figures.items():
        if _is_plain(setup):
            value = told.get(DIST_INJ, {}).get("p_o")
            own = (_cell(value if setup.input == key else None) for _, key in _SHOWN)
            rows.append((setup.name, environment, split, *own))
    head = ("", "environment", "split", *(title for title, _ in _SHOWN))
    return Table("P_O of DistInj, % (table 2)", head, tuple(rows))


def _counts(figures: Figures) -> Table:
    """Items of each kind: as many as the setup with most has."""
    rows = []
    for environment in (VIRTUALHOME, BEHAVIOR):
        published = {name: value for _, cells in _published_rows(11, environment) for (name, _), value in cells.items()}
        for name in _PAPERS:
            own = [told[name]["n"] for (_, place, _), told in figures.items() if place == environment and name in told]
            scored = str(int(max(own))) if own else "-"
            rows.append((environment, TITLES[name], str(int(published[name])), scored))
    return Table("Items (table 11)", ("environment", "transformation", "paper", "scored here"), tuple(rows))


def _cards(models: set[str]) -> Table:
    rows = [(f"paper: {card.model}", card.identifier, card.hosting) for card in model_cards()]
    rows += [(model, *_card(model)) for model in sorted(models)]
    return Table("Models (table 12)", ("", "identifier", "hosting"), tuple(rows))


def _card(model: str) -> tuple[str, str]:
    """What a model that ran here is, by its name."""
    kind, _, which = model.partition(" ")[0].partition(":")
    hosts = {"openai": "OpenAI-compatible server", "transformers": "in the process", "stand-in": "no weights"}
    return (which or kind), hosts.get(kind, "no weights" if not which else kind)


def _cell(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.1f}"
