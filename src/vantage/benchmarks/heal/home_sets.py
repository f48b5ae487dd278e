"""Homes of a set, and the tasks in them: made from seeds, worded by the half to which a task belongs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from vantage.benchmarks.heal.base_tasks import HOMES, BaseTask, split_of
from vantage.benchmarks.heal.home_facts import HomeFacts
from vantage.benchmarks.heal.home_items import HomeTask
from vantage.benchmarks.heal.home_tasks import HomeDraft, drafts
from vantage.benchmarks.heal.home_views import views_of
from vantage.benchmarks.heal.home_words import worded
from vantage.benchmarks.heal.sights import Seen
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import SCENES, Home, SceneBounds
from vantage.spatial import Viewpoint
from vantage.splats import load_home
from vantage.workers import WorkerPool

LEAST_HOMES = 2  # another home stands in for that of a task
ROOMS = (2, 4)
STEPS = 200  # commands that a task allows


@dataclass(frozen=True)
class PlacedHome:
    """A home of a set.

    Attributes:
        start: where its tasks begin.
    """

    facts: HomeFacts
    bounds: SceneBounds
    start: Viewpoint


def make_homes(root: Path, homes: Sequence[Home], workers: int, progress: Progress) -> dict[str, PlacedHome]:
    """The homes, whose folders are written among the scenes of a set.

    Raises:
        SceneError: no home can be made of a seed.
    """
    workers = min(workers, len(homes))
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        for number, name in enumerate(each(partial(_written, root / SCENES), homes), start=1):
            progress(f"home {number} of {len(homes)}: {name}")
    return {home.name: placed_home(root / SCENES / home.name) for home in homes}


def _written(scenes: Path, home: Home) -> str:
    home.write(scenes)
    return home.name


def placed_home(folder: Path) -> PlacedHome:
    """
    Raises:
        ConfigError, FormatError, SceneError: no home lies in the folder.
    """
    found = load_home(folder)
    bounds = SceneBounds(found.bounds_min, found.bounds_max)
    return PlacedHome(HomeFacts.of(found.spec), bounds, found.start)


@dataclass(frozen=True)
class HomeViews:
    """From where pictures of a home are taken.

    Attributes:
        seen: how well they show what tasks name, by instance id; rooms by their ids with a minus.
    """

    views: tuple[Viewpoint, ...] = ()
    seen: Mapping[int, Seen] = field(default_factory=dict)


def look_at_homes(
    root: Path, wanted: Mapping[str, Collection[int]], workers: int, progress: Progress
) -> dict[str, HomeViews]:
    """Views of the homes of a set.

    Args:
        wanted: of each, what tasks name of it: instance ids of things, and ids of rooms with a minus.
    """
    folders = [root / SCENES / name for name in wanted]
    workers = min(workers, len(folders))
    found = {}
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        for name, (views, seen) in zip(wanted, each(views_of, folders, wanted.values()), strict=True):
            found[name] = HomeViews(views, {one.thing: one for one in seen})
            lacking = sum(not one.enough for one in seen)
            progress(
                f"{len(views)} views of {name}: of {len(seen)} things and rooms that are named they miss {lacking}"
            )
    return found


def tasks_in(home: HomeFacts, name: str, place: int, seed: int) -> Iterator[HomeTask]:
    """Tasks in one home; the same seed and place in the set give the same."""
    rng = np.random.default_rng([seed, place])
    for number, draft in enumerate(drafts(home.spec, home.names, rng), start=1):
        yield _task(draft, f"{name}-{number:02d}", name, home, int(rng.integers(2**31)))


def _task(draft: HomeDraft, identifier: str, home: str, facts: HomeFacts, number: int) -> HomeTask:
    text = worded(draft.kind, split_of(HOMES, draft.name), number, *draft.phrases)
    base = BaseTask(HOMES, identifier, draft.name, text, facts.facts, draft.goal)
    return HomeTask(base, home, tuple(thing for each in draft.things for thing in each))
