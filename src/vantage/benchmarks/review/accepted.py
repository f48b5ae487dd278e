"""The set of some of the episodes of another one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from vantage.benchmarks.sets import GOALS, SCENES, EpisodeSet, load_truths, new_set_folder, save_set


def write_accepted(
    episode_set: EpisodeSet,
    kept: Collection[str],
    folder: str | Path,
    change: Callable[[EpisodeSet], EpisodeSet] = lambda written: written,
) -> EpisodeSet:
    """A set of the episodes of these ids alone, with the scenes that they need.

    Args:
        change: changes what was written before the folder gets its name.

    Raises:
        UsageError: the folder is not empty.
    """
    with new_set_folder(folder) as root:
        episodes = [episode for episode in episode_set.episodes if episode.episode_id in kept]
        truths = load_truths(episode_set.folder, episode_set.episodes)
        scenes = dict.fromkeys(episode.scene for episode in episodes)
        ignored = shutil.ignore_patterns(".*")
        for scene in scenes:
            shutil.copytree(episode_set.scene_folder(scene), root / SCENES / scene, ignore=ignored)
        (root / GOALS).mkdir(parents=True)
        for episode in episodes:
            if episode_set.goal_image(episode.episode_id).is_file():
                shutil.copy2(episode_set.goal_image(episode.episode_id), root / GOALS)
        info = replace(episode_set.info, scenes={name: episode_set.info.scenes[name] for name in scenes})
        return change(save_set(root, info, episodes, [truths[episode.episode_id] for episode in episodes]))
