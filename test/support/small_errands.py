"""Errands in the two homes of a miniature set of HEAL."""

from __future__ import annotations

from pathlib import Path

import pytest
from heal_miniature import make_miniature
from made_once import made_once

from vantage.benchmarks.heal.errand_sets import errands_of, read_errand_truth
from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.sets import load_set
from vantage.goals import NodeGoal
from vantage.types import Episode


def miniature_set(factory: pytest.TempPathFactory) -> Path:
    """Two homes with tasks."""
    return made_once(factory, "heal_homes", make_miniature)


def opening_errand(folder: Path) -> Episode:
    """A feasible errand that opens or closes something."""
    made = load_set(folder)
    errands, truths = errands_of(made, HealBenchmark().truths(made))
    for episode in errands.episodes:
        (gold,) = truths[episode.episode_id].questions
        truth = read_errand_truth(gold, "gold data")
        assert truth is not None
        literals = [each for each in truth.goal.literals if isinstance(each, NodeGoal)]
        if truth.feasible and any(each.state in ("open", "closed") for each in literals):
            return episode
    raise AssertionError("no home of the set has anything to be opened or closed")
