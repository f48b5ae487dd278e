"""How tests make a small search set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_once import made_once
from small_pictures import SMALL_PICTURES

from vantage.benchmarks.search.search_benchmark import SearchBenchmark
from vantage.config import CameraSettings, Settings

SMALL = replace(Settings(), camera=CameraSettings(width=160, height=120))
SIZES: dict[str, Any] = {"scenes": 1, "episodes": 4, "noisy": 2, "rooms": (2, 2), "seed": 4}
FEW: dict[str, Any] = {**SIZES, "episodes": 2, "noisy": 1}


def small_benchmark(max_steps: int = 60) -> SearchBenchmark:
    """For pictures of a sixteenth of the usual area."""
    return SearchBenchmark(SMALL_PICTURES, max_steps=max_steps)


def small_search_set(factory: pytest.TempPathFactory, sizes: dict[str, Any] = SIZES, max_steps: int = 60) -> Path:
    """The folder of a set of ``SIZES`` or ``FEW``."""
    name, benchmark = f"search-{sizes['episodes']}-{max_steps}", small_benchmark(max_steps)
    return made_once(factory, name, lambda folder: benchmark.make(folder, settings=SMALL, **sizes))
