"""Puts the splits of a set together: chooses episodes, renders their goals and writes ordinary episode sets."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.benchmarks.e3vs.balanced_selection import Selection, select
from vantage.benchmarks.e3vs.candidates import Offer
from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, HomePlan, SplitSize
from vantage.benchmarks.e3vs.labelled_home import opened_world, scene_folder
from vantage.benchmarks.e3vs.stage_store import STAGES, StageStore
from vantage.benchmarks.sets import (
    GOALS,
    SCENES,
    EpisodeSet,
    Home,
    SceneBounds,
    SetPlan,
    StepBudget,
    load_set,
    save_labelled,
    write_picture,
)
from vantage.errors import SceneError
from vantage.planning import make_actions
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question


def offers_of(plan: HomePlan, homes: Sequence[Home]) -> list[Offer]:
    """What the last stage offers of some homes."""
    store, names = StageStore(plan.stages), make_actions(plan.settings.actions).names
    found = []
    for home in homes:
        result = store.get(STAGES[-1], home.name)
        for item in () if result is None else result.items:
            found.append(Offer.of_json(item, f"stage {STAGES[-1]} of {home.name}", names))
    return found


def chosen_for(plan: HomePlan, size: SplitSize, homes: Sequence[Home]) -> Selection:
    """The episodes of a split.

    Raises:
        SceneError: its homes give too few.
    """
    selection = select(offers_of(plan, homes), size, np.random.default_rng([plan.seed, *size.name.encode()]))
    if selection.pairs < size.pairs or len(selection.offers) < size.episodes:
        raise SceneError(
            f"the {len(homes)} homes of split '{size.name}' give {len(selection.offers)} episodes of "
            f"{selection.pairs} question-answer pairs, not {size.episodes} of {size.pairs}; ask for fewer or for more "
            "homes"
        )
    return selection


def render_goals(plan: HomePlan, wanted: tuple[Home, Mapping[str, Viewpoint]]) -> int:
    """Render the goals of the episodes of a home, by episode id; returns how many were not there yet."""
    home, goals = wanted
    folder = plan.stages / GOALS
    missing = {name: goal for name, goal in goals.items() if not (folder / f"{name}.png").is_file()}
    if missing:
        folder.mkdir(parents=True, exist_ok=True)
        with opened_world(plan) as world:
            for name, goal in missing.items():
                look = Episode(name, BENCHMARK, home.name, goal, (Question("look", "What is here?"),), 1)
                write_picture(folder / f"{name}.png", world.reset(look, 0).rgb)
    return len(missing)


def write_split(plan: HomePlan, size: SplitSize, selection: Selection) -> EpisodeSet:
    """Write a split as a set of its own; what lies there already whole is left as it is."""
    root, made = plan.root / size.name, plan.stages / f"split-{size.name}"
    shutil.rmtree(made, ignore_errors=True)
    (made / GOALS).mkdir(parents=True)
    store, bounds = StageStore(plan.stages), {}
    for name in dict.fromkeys(offer.episode.scene for offer in selection.offers):
        shutil.copytree(scene_folder(plan, name), made / SCENES / name, ignore=_half_written, copy_function=_link)
        item = store.get("curation", name)
        assert item is not None
        low, high = (tuple(map(float, corner)) for corner in item.items[0]["bounds"])
        bounds[name] = SceneBounds(low, high)  # type: ignore[arg-type]
    for offer in selection.offers:
        name = f"{offer.episode.episode_id}.png"
        _link(str(plan.stages / GOALS / name), str(made / GOALS / name))
    halves = [(offer.episode, replace(offer.truth, split=size.name)) for offer in selection.offers]
    budget = SetPlan(plan.layout, StepBudget(plan.labels.max_steps), states_budget=True)
    protocol = {"agent.last_look": plan.settings.agent.last_look}
    save_labelled(made, BENCHMARK, halves, bounds, plan.seed, plan.labels.visibility, plan.settings, budget, protocol)
    shutil.rmtree(root, ignore_errors=True)
    made.rename(root)
    return load_set(root)


def goals_of(selections: Sequence[Selection], homes: Sequence[Home]) -> list[tuple[Home, Mapping[str, Viewpoint]]]:
    """The goals to render, by home and episode."""
    found: dict[str, dict[str, Viewpoint]] = defaultdict(dict)
    for selection in selections:
        for offer in selection.offers:
            assert offer.truth.goal is not None
            found[offer.episode.scene][offer.episode.episode_id] = offer.truth.goal
    return [(home, found[home.name]) for home in homes if home.name in found]


def _half_written(folder: str, names: list[str]) -> list[str]:
    """Files that a process which was killed left among those of a scene; in hidden folders lie caches."""
    if Path(folder).name.startswith("."):
        return []
    return [name for name in names if name.startswith(".") and (Path(folder) / name).is_file()]


def _link(source: str, target: str) -> Any:
    """Another name of a file; a copy where the file system has no such."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target
