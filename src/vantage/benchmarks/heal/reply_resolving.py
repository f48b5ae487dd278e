"""Names in a reply that are other words for things of the scene, taken for these: what a reply is worth once somebody
understands its synonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from vantage.benchmarks.heal.base_tasks import HOMES
from vantage.benchmarks.heal.home_words import HOME_NAMES
from vantage.benchmarks.heal.household_words import OTHER_NAMES
from vantage.benchmarks.heal.transformations import kinds_called
from vantage.goals import Goal, Reading, SceneFacts, kind_of, object_key, renamed

_MOST_KINDS = 4096  # remembered


def resolved(reading: Reading, scene: SceneFacts, environment: str) -> Reading:
    """The reading with each absent name put right that is another word for one thing of the scene, and for no more."""
    names: dict[str, str] = {}
    for name in {object_key(name): name for goal in reading.goals for name in goal.objects if not scene.has(name)}:
        kinds = _called(kind_of(name), environment == HOMES)
        meant = {object_key(item.name): item.name for item in scene.objects if kind_of(item.name) in kinds}
        if len(meant) == 1:
            names[name] = next(iter(meant.values()))
    if not names:
        return reading
    goals = renamed(Goal.of(reading.goals), names).literals
    return replace(reading, goals=tuple({goal.key: goal for goal in goals}.values()))


@lru_cache(maxsize=_MOST_KINDS)
def _called(kind: str, in_homes: bool) -> frozenset[str]:
    known: Mapping[str, str] = HOME_NAMES if in_homes else OTHER_NAMES
    called = kinds_called(kind, known)
    return frozenset(called | {each.replace(" ", "_") for each in called})
