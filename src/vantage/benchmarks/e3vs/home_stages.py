"""Takes one home through the stages, in whatever process; what was done before is not done again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from vantage.benchmarks.e3vs.candidates import Candidate
from vantage.benchmarks.e3vs.e3vs_plan import HomePlan
from vantage.benchmarks.e3vs.graph_stages import ask, drop_invalid, label_views, offer_starts
from vantage.benchmarks.e3vs.labelled_home import HomeLabels, opened_world, scenes_folder
from vantage.benchmarks.e3vs.model_stages import ViewStages
from vantage.benchmarks.e3vs.stage_store import STAGES, StageResult, StageStore
from vantage.benchmarks.e3vs.viewed_home import ViewedHome
from vantage.benchmarks.labelling import SceneWorld
from vantage.benchmarks.sets import Home
from vantage.errors import FormatError, SceneError
from vantage.models import shared_model


def curate(plan: HomePlan, home: Home) -> StageResult:
    """Make a home and decide whether it is fit to be asked about; one that is has one item.

    A home whose files cannot be read is refused for now: the next run tries it again.
    """
    store = StageStore(plan.stages)
    known = store.get("curation", home.name)
    if known is not None:
        return known
    began, unreadable = time.monotonic(), False
    try:
        home.write(scenes_folder(plan))
        with opened_world(plan) as world:
            scene = world.place(home.name).scene
            rooms, things, positions = _contents(plan, home, world)
            reason = _unfit(plan, things, positions)
            item = {
                "home": home.name,
                "rooms": rooms,
                "things": things,
                "positions": positions,
                "bounds": [list(scene.bounds_min), list(scene.bounds_max)],
            }
    except (SceneError, FormatError) as error:
        reason, item, unreadable = str(error), {}, isinstance(error, FormatError)
    kept = () if reason else (item,)
    result = StageResult(kept, {reason: 1} if reason else {}, seconds=time.monotonic() - began)
    if not unreadable:
        store.put("curation", home.name, result)
    return result


def _contents(plan: HomePlan, home: Home, world: SceneWorld) -> tuple[list[str], int | None, int]:
    """Kinds of rooms, the number of things, None where nobody knows it, and positions for the camera.

    Raises:
        SceneError: it has no graph, and no model asks about such homes; or there is no room for the camera.
    """
    if plan.model and world.place(home.name).scene.graph is None:
        return [], None, len(ViewedHome(plan, home, world).lattice.positions)
    labels = HomeLabels(plan, home, world)
    things = sum(not node.is_structure for node in labels.graph.nodes)
    return [room.label for room in labels.graph.rooms], things, int(labels.reached.sum())


def _unfit(plan: HomePlan, things: int | None, positions: int) -> str:
    """Why a home is not fit to be asked about."""
    limits = plan.labels
    if things is not None and things < limits.things:
        return f"fewer than {limits.things} things"
    if positions < limits.room:
        return f"fewer than {limits.room} positions for the camera"
    return ""


def label_home(plan: HomePlan, last: str, home: Home) -> str:
    """Take a home that curation kept through the stages up to ``last``; returns its name."""
    store = StageStore(plan.stages)
    wanted = STAGES[1 : STAGES.index(last) + 1]
    if all(store.get(stage, home.name) is not None for stage in wanted):
        return home.name
    with opened_world(plan) as world:
        steps = _stages_of(plan, home, world)
        items: Sequence[Candidate] = ()
        for stage in wanted:
            result = store.get(stage, home.name)
            if result is None:
                began = time.monotonic()
                made = steps(items)[stage]()
                result = StageResult(made.items, made.dropped, made.noted, time.monotonic() - began)
                store.put(stage, home.name, result)
            if stage != STAGES[-1]:
                where = f"stage {stage} of {home.name}"
                items = [Candidate.of_json(item, where) for item in result.items]
    return home.name


Steps = Callable[[Sequence[Candidate]], dict[str, Callable[[], StageResult]]]


def _stages_of(plan: HomePlan, home: Home, world: SceneWorld) -> Steps:
    """The stages of a home, given what the one before handed on: by its graph, or by what a model sees."""
    if plan.model and world.place(home.name).scene.graph is None:
        seen = ViewStages(ViewedHome(plan, home, world), shared_model(plan.model, plan.settings.model))
        return lambda items: _named(seen.ask, seen.drop_invalid, seen.label_views, seen.offer_starts, items)
    labels = HomeLabels(plan, home, world)
    invalid, viewpoints, starts = (partial(step, labels) for step in (drop_invalid, label_views, offer_starts))
    return lambda items: _named(partial(ask, labels), invalid, viewpoints, starts, items)


def _named(
    questions: Callable[[], StageResult],
    invalid: Callable[[Sequence[Candidate]], StageResult],
    viewpoints: Callable[[Sequence[Candidate]], StageResult],
    answerability: Callable[[Sequence[Candidate]], StageResult],
    items: Sequence[Candidate],
) -> dict[str, Callable[[], StageResult]]:
    return {
        "questions": questions,
        "invalid": partial(invalid, items),
        "viewpoints": partial(viewpoints, items),
        "answerability": partial(answerability, items),
    }
