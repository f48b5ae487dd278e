"""Makes a set: every home goes through the stages, in several processes, and the splits are put together at the end.

Everything that is random is seeded by the set, the home and the stage, so that it does not matter which process makes
which home, or in how many runs.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from vantage.benchmarks.e3vs.balanced_selection import Selection
from vantage.benchmarks.e3vs.e3vs_plan import SetRequest, SplitSize
from vantage.benchmarks.e3vs.home_stages import curate, label_home
from vantage.benchmarks.e3vs.set_assembly import chosen_for, goals_of, render_goals, write_split
from vantage.benchmarks.e3vs.stage_store import STAGES, StageResult, StageStore
from vantage.benchmarks.protocol import Progress, Told
from vantage.benchmarks.sets import EpisodeSet, Home
from vantage.errors import SceneError
from vantage.workers import WorkerPool


def make_set(request: SetRequest, workers: int, last: str, progress: Progress) -> Told:
    """Make the set, or take its homes through the stages up to ``last`` only; goes on with what was begun.

    Raises:
        UsageError: the folder holds something else.
        SceneError: the homes do not give what is asked for.
    """
    began = time.monotonic()
    plan, store = request.plan, StageStore(request.plan.stages)
    store.begin(request.told)
    with _processes(workers) as each:
        homes, refused = _curated(request, each, progress)
        if last != STAGES[0]:
            for number, name in enumerate(each(partial(label_home, plan, last), homes), start=1):
                progress(f"home {number} of {len(homes)}: {name}")
        names = [home.name for home in homes]
        told: dict[str, Any] = {"stages": _with_refused(store.told(names), refused), "homes": len(homes)}
        if last == STAGES[-1]:
            made = _splits(request, homes, each, progress)
            told["splits"] = {name: _split_told(one, selection) for name, (one, selection) in made.items()}
            told["benchmark"] = "e3vs"
        told["seconds"] = round(time.monotonic() - began, 1)
        told["folder"] = str(plan.root)
        return Told(_text(told), told)


@contextmanager
def _processes(workers: int) -> Iterator[Any]:
    """A map over so many processes; the built-in one for a single worker."""
    if workers == 1:
        yield map
        return
    with WorkerPool(workers) as pool:
        yield pool.map


def _curated(request: SetRequest, each: Any, progress: Progress) -> tuple[list[Home], list[StageResult]]:
    """The first homes that curation keeps, as many as the splits want, and the results of those that it refused."""
    wanted = sum(size.homes for size in request.sizes)
    kept: list[Home] = []
    refused: list[StageResult] = []
    left = list(request.homes)
    while len(kept) < wanted and left:
        tried, left = left[: wanted - len(kept)], left[wanted - len(kept) :]
        for home, result in zip(tried, each(partial(curate, request.plan), tried), strict=True):
            if result.items:
                kept.append(home)
            else:
                refused.append(result)
                progress(f"{home.name} is refused: {', '.join(result.dropped)}")
        progress(f"{len(kept)} of {wanted} homes are fit to be asked about")
    if len(kept) < wanted:
        raise SceneError(
            f"{len(kept)} of {len(request.homes)} homes are fit to be asked about, not {wanted}; give more homes or "
            "ask for fewer"
        )
    return kept, refused


def _with_refused(stages: dict[str, Any], refused: Sequence[StageResult]) -> dict[str, Any]:
    dropped: Counter[str] = Counter()
    for result in refused:
        dropped.update(result.dropped)
    first = dict(stages[STAGES[0]])
    first["dropped"] = dict(sorted(dropped.items()))
    first["seconds"] = round(first["seconds"] + sum(result.seconds for result in refused), 1)
    return {**stages, STAGES[0]: first}


def _splits(
    request: SetRequest, homes: Sequence[Home], each: Any, progress: Progress
) -> dict[str, tuple[EpisodeSet, Selection]]:
    """The written splits, by name."""
    plan, left = request.plan, list(homes)
    shared: list[tuple[SplitSize, Sequence[Home]]] = []
    for size in request.sizes:
        shared.append((size, left[: size.homes]))
        left = left[size.homes :]
    selections = [chosen_for(plan, size, members) for size, members in shared]
    for number in each(partial(render_goals, plan), goals_of(selections, homes)):
        if number:
            progress(f"{number} goals rendered")
    return {
        size.name: (write_split(plan, size, selection), selection)
        for (size, _), selection in zip(shared, selections, strict=True)
    }


def _split_told(made: EpisodeSet, selection: Selection) -> dict[str, Any]:
    return {
        "folder": str(made.folder),
        "homes": len(made.info.scenes),
        "episodes": len(made.episodes),
        "pairs": selection.pairs,
        "left": dict(selection.left),
    }


def _text(told: dict[str, Any]) -> str:
    lines = []
    for stage, numbers in told["stages"].items():
        dropped = "; ".join(f"{number} dropped: {reason}" for reason, number in numbers["dropped"].items())
        noted = ", ".join(f"{number} {what}" for what, number in numbers["noted"].items())
        lines.append(
            ". ".join(filter(None, (f"{stage}: {numbers['kept']} kept in {numbers['seconds']} s", dropped, noted)))
        )
    for name, split in told.get("splits", {}).items():
        lines.append(
            f"{name}: {split['episodes']} episodes of {split['pairs']} question-answer pairs in {split['homes']} homes"
        )
    return "\n".join(lines)
