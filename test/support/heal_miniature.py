"""The miniature set of HEAL, and smaller parts of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from vantage.benchmarks.sets import SCENES, EpisodeSet, load_set, load_truths, save_set
from vantage.cli.main import main


def make_miniature(folder: Path) -> None:
    assert main(["episodes", "make", "heal", "--miniature", "--workers", "1", "--out", str(folder)]) == 0


def part_of(episodes: Path, folder: Path, names: Collection[str]) -> EpisodeSet:
    """A set with some of the episodes, and all the scenes."""
    whole = load_set(episodes)
    shutil.copytree(episodes / SCENES, folder / SCENES, copy_function=os.link)
    kept = [episode for episode in whole.episodes if episode.episode_id in names]
    truths = load_truths(whole.folder, whole.episodes)
    return save_set(folder, replace(whole.info, content_hash=""), kept, [truths[each.episode_id] for each in kept])
