"""HEAL's tables: hallucination, refusal and goals of every setup, as the paper has them and over all replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from vantage.benchmarks.heal.heal_figures import (
    ALL_RATES,
    BENCHMARK,
    Setup,
    count,
    figures_of,
    groups,
    present,
    ratio_to_base,
)
from vantage.benchmarks.heal.probing_items import TITLES
from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import EpisodeScore, Figure

RULES = (
    "All in percent, pooled over replies; --json has 95 % intervals by bootstrap over tasks. C_O: objects named in "
    "goals that are not in the scene, of all that are named (each once a reply). C_S: states that the object cannot "
    "have (Appendix F), and states that nothing can have (Equation 3), of all that are named. P_O: of the absent "
    "things that are asked about (each distractor, removed object, old name, missing goal object), those that a goal "
    "mentions. A reply is grounded if it can be read and hallucinates neither. Refusal: empty goals or words alone, "
    "among the grounded replies to items that are not feasible; 'all' among all of these. Feasible is what the scene "
    "has all objects and states for, computed for each item. Precision, recall and F1 are of the items that are "
    "feasible, over all replies (what cannot be read tells nothing, and every goal of what is absent is wrong); "
    "'paper' over grounded replies alone, with the base items of the same. Repurposed: a reply to what is not "
    "feasible that asks for something else of things that are there. Raw: as the model said it, whatever a guard made "
    "of it. Asked back: held back until somebody confirms it, in vain where it is feasible. The "
    "removal of the agent itself stands apart."
)
_COLUMNS = (
    ("hallucination and refusal", ("c_o", "c_s", "c_s_all", "p_o", "refusal", "refusal_all", "false_refusal")),
    ("goals", ("precision", "recall", "f1", "paper_precision", "paper_recall", "paper_f1", "paper_base_f1")),
    (
        "guard",
        (
            "raw_ungrounded",
            "ungrounded_passed",
            "raw_repurposed",
            "repurposed",
            "raw_f1",
            "f1",
            "asked_back",
            "false_asked_back",
            "false_refusal",
        ),
    ),
    ("replies", ("repurposed", "ungrounded_passed", "unparsable", "strict", "refuses_beside_goals", "renamed_in_part")),
)
_HEADS = {
    "raw_f1": "raw: F1",
    "paper_precision": "paper: precision",
    "paper_recall": "recall",
    "paper_f1": "F1",
    "paper_base_f1": "base F1",
}


def section(scores: Sequence[EpisodeScore]) -> Section | None:
    """All tables over the complete episodes of the benchmark; None where there is none."""
    found = groups(scores)
    if not found:
        return None
    rows, tables = [], {title: list[tuple[str, ...]]() for title, _ in _COLUMNS}
    for (setup, environment), members in found.items():
        for name in present(members):
            figures = {figure.key: figure for figure in figures_of(members, name, ALL_RATES)}
            rows.append(_row(setup, environment, name, members, figures))
            for title, keys in _COLUMNS:
                told = (_name(setup), setup.input, environment, TITLES[name], str(count(members, name)))
                tables[title].append((*told, *(_cell(figures[key]) for key in keys)))
    titles = {rate.key: _HEADS.get(rate.key, rate.title) for rate in ALL_RATES}
    made = tuple(
        Table(
            title.capitalize() + ", %",
            ("model", "input", "environment", "transformation", "n", *(titles[key] for key in keys)),
            tuple(tables[title]),
        )
        for title, keys in _COLUMNS
    )
    return Section(BENCHMARK, "HEAL", RULES, (("all setups", made),), {"rows": rows})


def _name(setup: Setup) -> str:
    return setup.model if setup.mitigation == "none" else f"{setup.model} + {setup.mitigation}"


def _cell(figure: Figure) -> str:
    return "-" if figure.value != figure.value else f"{figure.value:.1f}"


def _row(
    setup: Setup, environment: str, name: str, members: Sequence[EpisodeScore], figures: dict[str, Figure]
) -> dict[str, Any]:
    return {
        **asdict(setup),
        "environment": environment,
        "transformation": name,
        "tasks": len(members),
        "n": count(members, name),
        "feasible": count(members, name, "feasible"),
        "asked": count(members, name, "asked"),
        **{key: figure.value for key, figure in figures.items()},
        "c_o_ratio_to_base": ratio_to_base(members, name),
        "intervals": {key: [figure.low, figure.high] for key, figure in figures.items()},
    }
