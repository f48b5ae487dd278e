"""Episode sets for a fault campaign: few scenes of small pictures, and as many episodes as it needs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from vantage.benchmarks.search.benchmark import SearchBenchmark
from vantage.benchmarks.sets.episodes_io import GOALS, SCENES, EpisodeSet, load_set, load_truths, save_set
from vantage.config import Settings

SIZE = (96, 72)  # pixels


def small_pictures(settings: Settings) -> Settings:
    """The settings with pictures that are rendered and recorded in no time."""
    return replace(settings, camera=replace(settings.camera, width=SIZE[0], height=SIZE[1]))


def make_fault_set(folder: Path, settings: Settings, episodes: int, seed: int) -> EpisodeSet:
    """A set of so many different episodes in one generated home."""
    SearchBenchmark().make(folder, scenes=1, episodes=episodes, noisy=0, seed=seed, settings=settings)
    return load_set(folder)


def repeated(made: EpisodeSet, folder: Path, episodes: int) -> EpisodeSet:
    """The same episodes in turn under so many names, with their gold data, so that each leaves a bag of its own."""
    truths = load_truths(made.folder, made.episodes)
    shutil.copytree(made.folder / SCENES, folder / SCENES)
    (folder / GOALS).mkdir()
    copies, copied_truths = [], []
    for number in range(episodes):
        episode = made.episodes[number % len(made.episodes)]
        name = f"{episode.episode_id}-{number}"
        shutil.copyfile(made.goal_image(episode.episode_id), folder / GOALS / f"{name}.png")
        copies.append(replace(episode, episode_id=name))
        copied_truths.append(replace(truths[episode.episode_id], episode_id=name))
    return save_set(folder, made.info, copies, copied_truths)
