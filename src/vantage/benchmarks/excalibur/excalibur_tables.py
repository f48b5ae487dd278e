"""EXCALIBUR's tables: setups beside each other, by type and relation, and Table 2 of the paper beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from vantage.benchmarks.excalibur.excalibur_figures import (
    BENCHMARK,
    HEADLINE,
    Setup,
    by_name,
    differences,
    figures,
    headline,
    of_the_place,
    setups_of,
    wrong_answers,
)
from vantage.benchmarks.excalibur.excalibur_scores import key_of
from vantage.benchmarks.excalibur.published import TABLE_2
from vantage.benchmarks.excalibur.question_labels import RELATIONS, TYPES
from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import EpisodeScore, Figure, cells

__all__ = ["figures", "section"]

RULES = (
    "In brackets: 95 % intervals by bootstrap over whole houses. Acc_exp: share of right answers after exploring, "
    "Acc_ref: after re-entry; right is exact for yes and no, within 5 % for counts, and in any order for several "
    "values. T3: steps of the re-entry. ExQA = Acc_exp + (Acc_ref - Acc_exp) exp(-k T3) of each episode, then the "
    "mean; ExQA of means takes mean accuracies and steps. The paper does not tell k; its Table 2, inverted, gives "
    "5.0e-4 and 5.2e-4. Floor in view: share of the floor of all rooms on which nothing stands, within 5 m. Things "
    "seen: share of all things of which some look showed enough to recognise them. Lifted: held by a hand that rose "
    "with them. A wrong answer has evidence never gathered where something that had to be seen, lifted or opened was "
    "not until then, and is misused otherwise; both are shares of all questions. What was harder comes first."
)
NOTES = (
    "The published rows are of other houses (ProcTHOR and ArchitecTHOR in AI2-THOR), another robot and other "
    "questions; they show the order of agents and the size of gaps and do not compare number by number. The human rows "
    "are the paper's; none are measured here."
)


def section(scores: Sequence[EpisodeScore]) -> Section | None:
    """All tables over the complete episodes of the benchmark; None where there is none."""
    setups = setups_of(scores)
    if not setups:
        return None
    gaps = differences(setups)
    tables = [
        _table("Accuracy and ExQA, %", setups, headline),
        _names("Acc_exp by type, %", setups, "exp", TYPES),
        _names("Acc_ref by type, %", setups, "ref", TYPES),
        _names("Acc_exp by relation, %", setups, "exp", RELATIONS),
        _names("Acc_ref by relation, %", setups, "ref", RELATIONS),
        _table("What was seen, opened and lifted", setups, of_the_place),
        _table("Wrong answers, % of all questions", setups, wrong_answers),
    ]
    if gaps:
        rows = tuple((_gap_name(one, other), str(row[0].n), *cells(row)) for (one, other), row in gaps.items())
        head = ("", "Houses", *(figure.title for figure in next(iter(gaps.values()))))
        tables.append(Table("Differences on the same episodes, % points", head, rows))
    broken = _broken(setups)
    if broken is not None:
        tables.append(broken)
    published = (("Table 2 of the paper (other houses)", (_published(),)),)
    data = {"setups": [_setup_data(setup, each) for setup, each in setups.items()]}
    data["differences"] = [
        {"first": asdict(one), "second": asdict(other), "figures": {each.key: asdict(each) for each in row}}
        for (one, other), row in gaps.items()
    ]
    data["published"] = [asdict(row) for row in TABLE_2]
    return Section(BENCHMARK, "EXCALIBUR", RULES, (("Setups", tuple(tables)),), data, (), published, NOTES)


def _setup_data(setup: Setup, scores: Sequence[EpisodeScore]) -> dict[str, Any]:
    """One setup: who and how, the headline as plain numbers, and every figure with its interval."""
    found = {figure.key: figure for figure in figures(scores)}
    said = setup.said
    return {
        **asdict(setup),
        "grasp": said.get("grasp", ""),
        "feel": said.get("feel", ""),
        "episodes": len(scores),
        "k": scores[0].figures.get("k"),
        **{key: found[key].value for key in (*HEADLINE, "exqa_of_means")},
        "figures": {key: asdict(figure) for key, figure in found.items()},
    }


def _table(
    title: str,
    setups: Mapping[Setup, Sequence[EpisodeScore]],
    made: Callable[[Sequence[EpisodeScore]], tuple[Figure, ...]],
) -> Table:
    rows = {setup: made(scores) for setup, scores in setups.items()}
    head = ("", "Episodes", *(_titled(figure) for figure in next(iter(rows.values()))))
    told = ((setup.name, str(len(setups[setup])), *cells(row)) for setup, row in rows.items())
    return Table(title, head, tuple(told))


def _titled(figure: Figure) -> str:
    return f"{figure.title}, {figure.unit}" if figure.unit else figure.title


def _names(title: str, setups: Mapping[Setup, Sequence[EpisodeScore]], word: str, names: Iterable[str]) -> Table:
    """Accuracies of one phase by type or relation, the harder column of each table first: over all setups, that of
    which least is right."""
    rows = {setup: {figure.key: figure for figure in by_name(scores)} for setup, scores in setups.items()}
    keys = {name: f"acc_{word}_{key_of(name)}" for name in names}

    def ease(name: str) -> float:
        values = [row[keys[name]].value for row in rows.values() if row[keys[name]].n]
        return sum(values) / len(values) if values else 2.0

    ordered = sorted(keys, key=ease)
    told = tuple((setup.name, *cells(row[keys[name]] for name in ordered)) for setup, row in rows.items())
    return Table(title, ("", *ordered), told)


def _gap_name(one: Setup, other: Setup) -> str:
    """Two setups by what they differ in."""
    if (one.perception, one.control, one.model) == (other.perception, other.control, other.model):
        kind = ", ".join(filter(None, (one.perception, one.control)))
        return f"{one.agent} - {other.agent}" + (f" ({kind})" if kind else "")
    return f"{one.name} - {other.name}"


def _broken(setups: Mapping[Setup, Sequence[EpisodeScore]]) -> Table | None:
    """Episodes that broke off after the first answers; None where none did."""
    rows = tuple(
        (score.episode_id, setup.name, score.incomplete_reason)
        for setup, scores in setups.items()
        for score in scores
        if score.incomplete_reason
    )
    return Table("Scored in part", ("", "Setup", "Why"), rows) if rows else None


def _published() -> Table:
    rows = tuple(
        (
            f"{row.agent} ({row.houses})",
            f"{row.acc_exp:.1f}",
            f"{row.acc_ref:.1f}",
            "-" if row.steps is None else f"{row.steps:.1f}",
            f"{row.exqa:.1f}",
        )
        for row in TABLE_2
    )
    return Table("EXCALIBUR, Table 2, %", ("", "Acc_exp", "Acc_ref", "T3, steps", "ExQA"), rows)
