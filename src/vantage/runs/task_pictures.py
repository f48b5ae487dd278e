"""Pictures of the tasks of a set, for agents whose models are shown some."""

from __future__ import annotations

from dataclasses import replace

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import EpisodeSet
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.planning import TEXT, Need, TaskPictures, needs_of
from vantage.registry import AGENTS


def pictures_of(episode_set: EpisodeSet, shown: str) -> TaskPictures:
    """
    Args:
        shown: a value of ``control.input`` other than text.

    Raises:
        UsageError: the benchmark has no pictures of its tasks.
    """
    found = benchmark_of(episode_set.info.benchmark).pictures(episode_set, shown)
    if found is None:
        raise UsageError(f"--input {shown}: benchmark '{episode_set.info.benchmark}' has no pictures of its tasks")
    return found


def with_pictures(episode_set: EpisodeSet, agent: str, settings: Settings) -> EpisodeSet:
    """The set without tasks of which pictures do not show what matters, where pictures are asked for.

    Raises:
        UsageError: no task is left, or the benchmark has no pictures of its tasks.
    """
    shown = settings.control.input
    if shown == TEXT or Need.PICTURES not in needs_of(AGENTS.get(agent)):
        return episode_set
    pictures = pictures_of(episode_set, shown)
    kept = tuple(episode for episode in episode_set.episodes if pictures.shows(episode.episode_id))
    if not kept:
        raise UsageError(
            f"--input {shown}: no task of {episode_set.folder} has pictures that show what it names; make a set with "
            "--homes, or take --input text"
        )
    return replace(episode_set, episodes=kept)
