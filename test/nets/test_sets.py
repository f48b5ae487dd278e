"""The same numbers, seed and settings give the same episode sets, file by file, whatever the number of workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_texts import sets
from golden_texts.holding import check
from net_sets import small_search_net
from sampling import REST


def test_a_small_set_is_made_as_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    _compare("sets/search", sets.texts_of(small_search_net(tmp_path_factory)))


@pytest.mark.parametrize("workers", [1, pytest.param(4, marks=REST)])
def test_small_pairs_are_made_as_they_were(workers: int, tmp_path: Path) -> None:
    _compare("sets/noisyeqa", sets.texts("noisyeqa", sets.SETS["noisyeqa"], tmp_path, workers))


@pytest.mark.needs("time")
@pytest.mark.parametrize(("benchmark", "workers"), [("search", None), ("noisyeqa", 1), ("noisyeqa", 4)])
def test_miniature_sets_are_made_as_they_were(benchmark: str, workers: int | None, tmp_path: Path) -> None:
    _compare(f"sets/{benchmark}-whole", sets.texts(benchmark, sets.WHOLE[benchmark], tmp_path, workers))


def _compare(net: str, made: dict[str, str]) -> None:
    check(net, sets.comparable(net, made), sets.TOLERANCE)
