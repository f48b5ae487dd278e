"""Takes one home through the stages, in whatever process; what was done before is not done again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from vantage.benchmarks.e3vs.candidates import Candidate
from vantage.benchmarks.e3vs.e3vs_plan import HomePlan
from vantage.benchmarks.e3vs.graph_stages import ask, drop_invalid, label_views, offer_starts
from vantage.benchmarks.e3vs.labelled_home import HomeLabels, opened_world, scenes_folder
from vantage.benchmarks.e3vs.stage_store import STAGES, StageResult, StageStore
from vantage.benchmarks.sets import Home
from vantage.errors import FormatError, SceneError


def curate(plan: HomePlan, home: Home) -> StageResult:
    """Make a home and decide whether it is fit to be asked about; one that is has one item."""
    store = StageStore(plan.stages)
    known = store.get("curation", home.name)
    if known is not None:
        return known
    began = time.monotonic()
    try:
        home.write(scenes_folder(plan))
        with opened_world(plan) as world:
            labels = HomeLabels(plan, home, world)
            reason = _unfit(labels)
            item = {
                "home": home.name,
                "rooms": [room.label for room in labels.graph.rooms],
                "things": _things(labels),
                "positions": int(labels.reached.sum()),
                "bounds": [list(labels.bounds.bounds_min), list(labels.bounds.bounds_max)],
            }
    except (SceneError, FormatError) as error:
        reason, item = str(error), {}
    kept = () if reason else (item,)
    result = StageResult(kept, {reason: 1} if reason else {}, seconds=time.monotonic() - began)
    store.put("curation", home.name, result)
    return result


def _things(labels: HomeLabels) -> int:
    return sum(not node.is_structure for node in labels.graph.nodes)


def _unfit(labels: HomeLabels) -> str:
    """Why a home is not fit to be asked about."""
    limits = labels.plan.labels
    if _things(labels) < limits.things:
        return f"fewer than {limits.things} things"
    if int(labels.reached.sum()) < limits.room:
        return f"fewer than {limits.room} positions for the camera"
    return ""


def label_home(plan: HomePlan, last: str, home: Home) -> str:
    """Take a home that curation kept through the stages up to ``last``; returns its name."""
    store = StageStore(plan.stages)
    wanted = STAGES[1 : STAGES.index(last) + 1]
    if all(store.get(stage, home.name) is not None for stage in wanted):
        return home.name
    with opened_world(plan) as world:
        labels = HomeLabels(plan, home, world)
        items: Sequence[Candidate] = ()
        for stage in wanted:
            result = store.get(stage, home.name)
            if result is None:
                began = time.monotonic()
                made = _steps(labels, items)[stage]()
                result = StageResult(made.items, made.dropped, made.noted, time.monotonic() - began)
                store.put(stage, home.name, result)
            if stage != STAGES[-1]:
                where = f"stage {stage} of {home.name}"
                items = [Candidate.of_json(item, where) for item in result.items]
    return home.name


def _steps(labels: HomeLabels, items: Sequence[Candidate]) -> dict[str, Callable[[], StageResult]]:
    return {
        "questions": partial(ask, labels),
        "invalid": partial(drop_invalid, labels, items),
        "viewpoints": partial(label_views, labels, items),
        "answerability": partial(offer_starts, labels, items),
    }
