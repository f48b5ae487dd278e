"""A small search set, made once."""

from __future__ import annotations

import pytest
from small_search import SIZES, SMALL, small_benchmark

from vantage.benchmarks.episodes_io import EpisodeSet


@pytest.fixture(scope="session")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return small_benchmark().make(tmp_path_factory.mktemp("sets") / "search", settings=SMALL, **SIZES)
