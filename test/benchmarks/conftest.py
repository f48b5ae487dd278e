"""Small sets, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_once import made_once
from small_noisyeqa import PAIRS, small_noisyeqa
from small_search import small_search_set

from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set


@pytest.fixture(scope="session")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_search_set(tmp_path_factory))


@pytest.fixture(scope="session")
def noisy_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    def make(folder: Path) -> None:
        small_noisyeqa().make(folder, workers=1, **PAIRS)

    return load_set(made_once(tmp_path_factory, "noisyeqa", make))
