"""How tests make a small set of questions with false premises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_once import made_once
from small_pictures import SMALL_PICTURES
from small_search import SMALL

from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark

PAIRS: dict[str, Any] = {
    "scenes": 2,
    "pairs": 6,
    "rooms": (1, 1),
    "seed": 15,
    "shares": "latent=2,position=1,color=1,count=1,semantic=1",
    "settings": SMALL,
}


def small_noisyeqa() -> NoisyEqaBenchmark:
    """For pictures of a sixteenth of the usual area."""
    return NoisyEqaBenchmark(SMALL_PICTURES)


def small_pairs(factory: pytest.TempPathFactory) -> Path:
    """The folder of a set of ``PAIRS``."""
    return made_once(factory, "noisyeqa", lambda folder: small_noisyeqa().make(folder, workers=1, **PAIRS))
