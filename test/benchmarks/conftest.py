"""Small sets, made once."""

from __future__ import annotations

import pytest
from small_noisyeqa import PAIRS, small_noisyeqa
from small_search import SIZES, SMALL, small_benchmark

from vantage.benchmarks.sets.episodes_io import EpisodeSet


@pytest.fixture(scope="session")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return small_benchmark().make(tmp_path_factory.mktemp("sets") / "search", settings=SMALL, **SIZES)


@pytest.fixture(scope="session")
def noisy_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return small_noisyeqa().make(tmp_path_factory.mktemp("sets") / "noisyeqa", workers=1, **PAIRS)
