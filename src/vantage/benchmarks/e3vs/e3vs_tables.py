"""The benchmark's tables: figures of every setup by category, and differences between setups on the same episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, SHARES
from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.statistics import (
    EpisodeScore,
    Figure,
    interval,
    mean_over_scenes,
    normalised,
    number,
    run_differences,
    share_over_scenes,
)

ALL = "all"
RULES = (
    "In brackets: 95 % intervals by bootstrap over whole scenes, for shares never narrower than Wilson's. "
    "Mark: 1 to 5, by what the last look shows. Normalised: 100 * (clip(mark, 1, 5) - 1) / 4. Success: mark 5. "
    "SPL: success * oracle / max(oracle, steps), in actions. Differences are of the episodes that both setups have. "
    "An episode without an answer is marked 1; one that is incomplete or got no mark is left out."
)


@dataclass(frozen=True)
class Setup:
    """What a run was made with; ``model`` is who answers."""

    agent: str
    perception: str
    judge: str
    control: str
    model: str

    @staticmethod
    def of(score: EpisodeScore) -> Setup:
        judge = f"{score.judge} {score.judge_version}".strip()
        return Setup(score.agent, score.perception, judge, score.control, score.model)

    def title(self, with_model: bool = False) -> str:
        model = self.model if with_model else ""
        return " ".join(filter(None, (self.agent, self.perception, self.control, model, f"[{self.judge}]")))


def section(scores: Iterable[EpisodeScore]) -> Section | None:
    """None where no score is of this benchmark."""
    setups: dict[Setup, list[EpisodeScore]] = {}
    for score in scores:
        if score.benchmark == BENCHMARK and score.complete:
            setups.setdefault(Setup.of(score), []).append(score)
    if not setups:
        return None
    titles = _titles(setups)
    by_setup = {setup: _by_category(members) for setup, members in setups.items()}
    pairs = [(one, other) for one, other in combinations(setups, 2) if one.judge == other.judge]
    gaps = {(one, other): run_differences(setups[one], setups[other]) for one, other in pairs}
    tables = [("setups", tuple(_table(figures, by_setup, titles) for figures in _TABLES))]
    if gaps:
        tables.append(("differences", (_differences(gaps, titles),)))
    data = {
        "setups": [
            {**asdict(setup), "categories": {name: _plain(figures) for name, figures in found.items()}}
            for setup, found in by_setup.items()
        ],
        "differences": [
            {"first": titles[one], "second": titles[other], **_plain(figures)} for (one, other), figures in gaps.items()
        ],
    }
    return Section(BENCHMARK, "E3VS", RULES, tuple(tables), data)


def _titles(setups: Collection[Setup]) -> dict[Setup, str]:
    """How tables call each setup: with who answers only where nothing else tells it from another one."""
    shared = Counter(setup.title() for setup in setups)
    return {setup: setup.title(with_model=shared[setup.title()] > 1) for setup in setups}


_Values = Callable[[EpisodeScore], float]
_TABLES = {"mark": "Mark", "normalised": "Normalised, 0-100", "success": "Success, %", "steps": "Steps"}
_MEANS: tuple[tuple[str, str, _Values], ...] = (
    ("mark", "Mark", lambda score: score.judge_score),
    ("normalised", "Normalised", lambda score: normalised(score.judge_score)),
    ("steps", "Steps", lambda score: float(score.steps)),
    ("collisions", "Collisions", lambda score: float(score.collisions)),
    ("spl", "SPL", lambda score: score.spl),
)


def _by_category(scores: Sequence[EpisodeScore]) -> dict[str, tuple[Figure, ...]]:
    """Figures of each category that there is, and of all."""
    groups = {name: [score for score in scores if score.category == name] for name in SHARES}
    found = {name: _figures(members) for name, members in groups.items() if members}
    return {**found, ALL: _figures(scores)}


def _figures(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    scenes = [score.scene for score in scores]
    means = [mean_over_scenes(key, title, scenes, [value(score) for score in scores]) for key, title, value in _MEANS]
    return (*means, share_over_scenes("success", "Success", scenes, [score.success for score in scores]))


def _table(key: str, by_setup: dict[Setup, dict[str, tuple[Figure, ...]]], titles: Mapping[Setup, str]) -> Table:
    columns = [name for name in (*SHARES, ALL) if any(name in found for found in by_setup.values())]
    rows = tuple(
        (titles[setup], *(_cell(found.get(name, ()), key) for name in columns)) for setup, found in by_setup.items()
    )
    return Table(_TABLES[key], ("Setup", *columns), rows)


def _cell(figures: Sequence[Figure], key: str) -> str:
    return next((f"{number(f.value, f.percent)} {interval(f)}".strip() for f in figures if f.key == key), "")


def _differences(gaps: dict[tuple[Setup, Setup], tuple[Figure, ...]], titles: Mapping[Setup, str]) -> Table:
    columns = tuple(figure.title for figure in next(iter(gaps.values())))
    rows = tuple(
        (f"{titles[one]} minus {titles[other]}", *(_cell((figure,), figure.key) for figure in figures))
        for (one, other), figures in gaps.items()
    )
    return Table("The first minus the second", ("Setups", *columns), rows)


def _plain(figures: Sequence[Figure]) -> dict[str, Any]:
    return {f.key: {"value": f.value, "low": f.low, "high": f.high, "n": f.n} for f in figures}
