"""Where tasks begin in worlds whose robot stands on the floor: as near as it can to where a set has them begin."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from vantage.benchmarks.sets import EpisodeSet
from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.registry import WORLDS
from vantage.runs.setup import IN_SCENES
from vantage.types import Episode
from vantage.worlds import Standing


def standing_starts(episode_set: EpisodeSet, world: str, settings: Settings) -> EpisodeSet:
    """The set with starts at which the robot of a world can stand; itself where any camera can begin anywhere.

    Raises:
        EpisodeError: a scene has no floor on which the robot can stand.
        VantageError: the world cannot be made, or the files of a scene are wrong.
    """
    if world not in IN_SCENES:
        return episode_set
    with closing(WORLDS.create(world, settings)) as made:
        if not isinstance(made, Standing):
            return episode_set
        return replace(episode_set, episodes=tuple(_standing(each, made) for each in episode_set.episodes))


def _standing(episode: Episode, world: Standing) -> Episode:
    start = world.nearest_start(episode.scene, episode.start)
    if start is None:
        raise EpisodeError(
            f"episode '{episode.episode_id}': home '{episode.scene}' has no floor on which the robot can stand; "
            "make the set with another seed"
        )
    return replace(episode, start=start)
