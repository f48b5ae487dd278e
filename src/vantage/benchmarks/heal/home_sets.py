"""Homes of a set, and the tasks in them: made from seeds, worded by the half to which a task belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vantage.benchmarks.heal.base_tasks import HOMES, BaseTask, split_of
from vantage.benchmarks.heal.home_facts import HomeFacts
from vantage.benchmarks.heal.home_items import HomeTask
from vantage.benchmarks.heal.home_tasks import HomeDraft, drafts
from vantage.benchmarks.heal.home_words import worded
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


def tasks_in(home: HomeFacts, name: str, place: int, seed: int) -> Iterator[HomeTask]:
    """Tasks in one home; the same seed and place in the set give the same."""
    rng = np.random.default_rng([seed, place])
    for number, draft in enumerate(drafts(home.spec, home.names, rng), start=1):
        yield _task(draft, f"{name}-{number:02d}", name, home, int(rng.integers(2**31)))


def _task(draft: HomeDraft, identifier: str, home: str, facts: HomeFacts, number: int) -> HomeTask:
    text = worded(draft.kind, split_of(HOMES, draft.name), number, *draft.phrases)
    base = BaseTask(HOMES, identifier, draft.name, text, facts.facts, draft.goal)
    return HomeTask(base, home, tuple(thing for each in draft.things for thing in each))
