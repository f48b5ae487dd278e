"""How tests make a small set of the benchmark e3vs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.e3vs.e3vs_plan import LabelSettings
from vantage.benchmarks.labelling.visibility import VisibilitySettings
from vantage.benchmarks.protocol import Told
from vantage.config import load_settings

CONFIG = Path(__file__).parents[2] / "config" / "e3vs.yaml"
SIZES: dict[str, Any] = {"scenes": 2, "episodes": 12, "pairs": 8, "rooms": (1, 1), "seed": 9}
SMALL = load_settings(CONFIG, ["camera.width=128", "camera.height=128"])


def small_e3vs() -> E3vsBenchmark:
    """For pictures of a sixteenth of the usual area, with few views and starts tried."""
    return E3vsBenchmark(
        LabelSettings(VisibilitySettings(fraction=0.5, pixels=40.0, state_pixels=50.0), candidates=12, starts=6)
    )


def make_small(folder: Path, **options: Any) -> Told:
    return small_e3vs().make(folder, settings=SMALL, workers=1, **{**SIZES, **options})
