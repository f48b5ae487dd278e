"""Small sets, made once."""

from __future__ import annotations

import pytest
from small_noisyeqa import small_pairs
from small_search import small_search_set

from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set


@pytest.fixture(scope="session")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_search_set(tmp_path_factory))


@pytest.fixture(scope="session")
def noisy_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_pairs(tmp_path_factory))
