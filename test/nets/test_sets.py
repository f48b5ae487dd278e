"""The same numbers, seed and settings give the same episode sets, file by file, whatever the number of workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_texts import sets
from golden_texts.holding import check
from sampling import REST


@pytest.mark.parametrize(
    ("benchmark", "workers"), [("search", None), ("noisyeqa", 1), pytest.param("noisyeqa", 4, marks=REST)]
)
def test_small_sets_are_made_as_they_were(benchmark: str, workers: int | None, tmp_path: Path) -> None:
    _compare(f"sets/{benchmark}", sets.texts(benchmark, sets.SETS[benchmark], tmp_path, workers))


@pytest.mark.needs("time")
@pytest.mark.parametrize(("benchmark", "workers"), [("search", None), ("noisyeqa", 1), ("noisyeqa", 4)])
def test_miniature_sets_are_made_as_they_were(benchmark: str, workers: int | None, tmp_path: Path) -> None:
    _compare(f"sets/{benchmark}-whole", sets.texts(benchmark, sets.WHOLE[benchmark], tmp_path, workers))


def _compare(net: str, made: dict[str, str]) -> None:
    check(net, sets.comparable(net, made), sets.TOLERANCE)
