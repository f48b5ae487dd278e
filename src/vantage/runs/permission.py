"""What a person who starts an episode lets its agent do with an arm."""

from __future__ import annotations

from collections.abc import Callable

from vantage.benchmarks import benchmark_of
from vantage.planning import Agent, Warranted
from vantage.types import Episode, Observation
from vantage.worlds import World, person_warrant

Permit = Callable[[World, Episode, Observation, str], None]
"""Called with each world that was reset to the start of a whole episode, its first look and the source of commands;
grants what a person allows."""


def may_manipulate_freely(agent: Agent, benchmark: str) -> bool:
    """Whether starting an episode lets an agent manipulate as it likes: where the benchmark says that its task is that
    (``Benchmark.free_manipulation``), and the agent does not carry out goals, for each of which the guard rules."""
    return benchmark_of(benchmark).free_manipulation and not isinstance(agent, Warranted)


def let_manipulate(world: World, episode: Episode, observation: Observation, source: str) -> None:
    """A person's warrant for as many commands as the episode has steps, where the world has an arm.

    Raises:
        WarrantError: the world does not take it.
        WorldError: it does not answer.
    """
    if "arm" in world.info.acts:
        world.grant(person_warrant(episode, source, observation.stamp))
