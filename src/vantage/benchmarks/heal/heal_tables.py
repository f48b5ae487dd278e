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
from vantage.benchmarks.heal.published import published_json
from vantage.benchmarks.heal.published_tables import NOTES, published_tables
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
    "of it; resolved: with other words for a thing of the scene taken for it; without either, as it passed. Success: "
    "exactly the gold goals, or a refusal of what is not feasible. Asked back: held back until somebody confirms it, "
    "in vain where it is feasible. Invented: instances of kinds that are there, ids of kinds that are not, words "
    "before the name of a kind that is there, of all objects; relations that the environment does not know; replies "
    "that name more things of a kind than there are. Core removed: a goal is about the thing that was taken away; "
    "side: it is only the place of another. Last of several removed: things of the kind are numbered from 1, and the "
    "last is gone, which the scene does not show; absence shows: all other removals. "
    "Noticed: of the replies to what is not feasible with thoughts before "
    "them, those whose thoughts say that it is not there. The removal of the agent itself stands apart. Split: all "
    "tasks, but of what was made on the half 'fit' (the embedded interpreter, the guard) the others alone; --split "
    "fit names the former."
)
_COLUMNS = (
    ("hallucination and refusal", ("c_o", "c_s", "c_s_all", "p_o", "refusal", "refusal_all", "false_refusal")),
    ("goals", ("precision", "recall", "f1", "paper_precision", "paper_recall", "paper_f1", "paper_base_f1")),
    (
        "raw, resolved, guarded",
        (
            "raw_success",
            "resolved_success",
            "success",
            "raw_f1",
            "resolved_f1",
            "f1",
            "raw_ungrounded",
            "resolved_ungrounded",
            "ungrounded_passed",
            "raw_repurposed",
            "repurposed",
            "asked_back",
            "false_asked_back",
        ),
    ),
    ("replies", ("unparsable", "strict", "refuses_beside_goals", "noticed", "noticed_and_went_on")),
    (
        "what was made up",
        (
            "c_o_ratio_to_base",
            "invented_instances",
            "invented_ids",
            "invented_attributes",
            "invented_counts",
            "invented_relations",
            "renamed_in_part",
            "core_refusal",
            "side_refusal",
            "shown_refusal",
            "last_refusal",
            "core_p_o",
            "side_p_o",
        ),
    ),
)
_HEADS = {
    "success": "guarded: success",
    "raw_f1": "raw: F1",
    "resolved_f1": "resolved: F1",
    "c_o_ratio_to_base": "C_O by that of base",
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
    told: dict[tuple[Setup, str, str], dict[str, dict[str, float]]] = {}
    for (setup, environment, split), members in found.items():
        of_group = told.setdefault((setup, environment, split), {})
        for name in present(members):
            figures = {figure.key: figure for figure in figures_of(members, name, ALL_RATES)}
            row = _row(setup, environment, split, name, members, figures)
            rows.append(row)
            of_group[name] = {"n": row["n"], **{key: figure.value for key, figure in figures.items()}}
            for title, keys in _COLUMNS:
                first = (setup.name, setup.input, environment, TITLES[name], split, str(row["n"]))
                tables[title].append((*first, *(_cell(row[key]) for key in keys)))
    titles = {rate.key: rate.title for rate in ALL_RATES} | _HEADS
    made = tuple(
        Table(
            title.capitalize() + ", %",
            ("model", "input", "environment", "transformation", "split", "n", *(titles[key] for key in keys)),
            tuple(tables[title]),
        )
        for title, keys in _COLUMNS
    )
    return Section(
        BENCHMARK,
        "HEAL",
        RULES,
        (("all setups", made),),
        {"rows": rows, "published": published_json()},
        published=(("beside the paper", tuple(published_tables(told))),),
        notes=NOTES,
    )


def _cell(value: float) -> str:
    return "-" if value != value else f"{value:.1f}"


def _row(
    setup: Setup, environment: str, split: str, name: str, members: Sequence[EpisodeScore], figures: dict[str, Figure]
) -> dict[str, Any]:
    return {
        **asdict(setup),
        "environment": environment,
        "transformation": name,
        "split": split,
        "tasks": len(members),
        "n": count(members, name),
        "feasible": count(members, name, "feasible"),
        "asked": count(members, name, "asked"),
        **{key: figure.value for key, figure in figures.items()},
        "c_o_ratio_to_base": ratio_to_base(members, name),
        "intervals": {key: [figure.low, figure.high] for key, figure in figures.items()},
    }
