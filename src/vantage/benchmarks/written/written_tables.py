"""Figures of written questions by the type of what is false in them, and of clean ones by what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby

from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import (
    BOTH,
    COLUMN_RULES,
    RIGHT,
    SHOWN,
    AnswerColumn,
    EpisodeScore,
    Figure,
    cells,
    column_over_scenes,
)
from vantage.benchmarks.written.written_sets import BENCHMARK

_RULES = (
    "DR: share of noisy questions with score >= 3. CR: with score >= 4. "
    f"{COLUMN_RULES} "
    "In brackets: 95 % intervals by bootstrap over whole scenes, never narrower than Wilson's."
)
_NOISY = (
    AnswerColumn("detection_rate", "DR", "score >= 3", lambda score: score.judge_score >= 3),
    AnswerColumn("correction_rate", "CR", "score >= 4", lambda score: score.judge_score >= 4),
)
_CLEAN = (
    RIGHT,
    SHOWN,
    replace(BOTH, key="clean_accuracy"),
    AnswerColumn("false_alarm_rate", "False alarms", "premise called false", lambda score: score.false_alarm),
)


def section(episodes: Iterable[EpisodeScore]) -> Section | None:
    """The tables of each setup; None where no written question was asked."""
    done = sorted((each for each in episodes if each.benchmark == BENCHMARK and each.complete), key=_setup)
    if not done:
        return None
    tables, data = [], []
    for setup, members in groupby(done, key=_setup):
        scores = list(members)
        by_type = _figures([score for score in scores if score.noisy], lambda score: score.noise_type, _NOISY)
        by_kind = _figures([score for score in scores if not score.noisy], lambda score: score.kind, _CLEAN)
        agent, perception, model, judge, control = setup
        tables.append(
            (
                f"{agent}, {model or 'unnamed'}, perception {perception or 'none'}, judge {judge}"
                + (f", control {control}" if control else ""),
                (_table("False premises by type", by_type, _NOISY), _table("Clean questions by kind", by_kind, _CLEAN)),
            )
        )
        data.append(
            {
                **dict(zip(("agent", "perception", "model", "judge", "control"), setup, strict=True)),
                "by_type": {name: {each.key: asdict(each) for each in row} for name, row in by_type.items()},
                "by_kind": {name: {each.key: asdict(each) for each in row} for name, row in by_kind.items()},
            }
        )
    return Section(BENCHMARK, "Written questions", _RULES, tuple(tables), {"setups": data, "rules": _RULES})


def _setup(score: EpisodeScore) -> tuple[str, str, str, str, str]:
    return score.agent, score.perception, score.model, score.judge, score.control


def _figures(
    scores: Sequence[EpisodeScore], group: Callable[[EpisodeScore], str], measures: Iterable[AnswerColumn]
) -> dict[str, tuple[Figure, ...]]:
    """Figures over each group in the order of names, and over all of them first; none where there are no scores."""
    groups = {"all": list(scores)} if scores else {}
    for name in sorted({group(score) for score in scores}):
        groups[name.lower()] = [score for score in scores if group(score) == name]
    return {
        name: tuple(column_over_scenes(measure, members) for measure in measures) for name, members in groups.items()
    }


def _table(title: str, rows: Mapping[str, Sequence[Figure]], measures: Iterable[AnswerColumn]) -> Table:
    counts = {name: max(each.n for each in figures) for name, figures in rows.items()}
    told = tuple((name, str(counts[name]), *cells(figures, counts[name])) for name, figures in rows.items())
    return Table(title, ("", "Questions", *(f"{measure.title}, %" for measure in measures)), told)
