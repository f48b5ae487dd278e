"""How tests make a small search set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vantage.benchmarks.labelling.visibility import VisibilitySettings
from vantage.benchmarks.search.search_benchmark import SearchBenchmark
from vantage.config import CameraSettings, Settings

SMALL = replace(Settings(), camera=CameraSettings(width=160, height=120))
SIZES: dict[str, Any] = {"scenes": 1, "episodes": 4, "noisy": 2, "rooms": (2, 2), "seed": 4}


def small_benchmark() -> SearchBenchmark:
    """For pictures of a sixteenth of the usual area."""
    return SearchBenchmark(VisibilitySettings(pixels=10.0, state_pixels=30.0))
