"""How tests make a small set of the benchmark e3vs."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from made_once import made_once

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.e3vs.e3vs_plan import LabelSettings
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.benchmarks.protocol import Told
from vantage.benchmarks.review.accepted import write_accepted
from vantage.benchmarks.sets.episodes_io import load_set, load_truths
from vantage.parameter_files import load_settings

CONFIG = Path(__file__).parents[2] / "config" / "e3vs.yaml"
SIZES: dict[str, Any] = {"scenes": 2, "episodes": 12, "pairs": 8, "rooms": (1, 1), "seed": 14}
SMALL = load_settings(CONFIG, ["camera.width=128", "camera.height=128"])


NEAR = VisibilitySettings(  # for pictures of a sixteenth of the usual area; print is near enough for OCR in usual ones
    fraction=0.5,
    pixels=40.0,
    colour_pixels=40.0,
    material_pixels=40.0,
    count_pixels=40.0,
    state_pixels=50.0,
    print_distance=0.8,
)


def small_e3vs() -> E3vsBenchmark:
    """With few views and starts tried."""
    return E3vsBenchmark(LabelSettings(NEAR, candidates=12, starts=6))


def make_small(folder: Path, **options: Any) -> Told:
    return small_e3vs().make(folder, settings=SMALL, workers=1, **{**SIZES, **options})


def told_once(factory: pytest.TempPathFactory) -> Told:
    """One small set for all processes of a test run, which leave it as it is, and what was told of its making."""
    folder = made_once(factory, "e3vs", _make_and_tell)
    return Told(**json.loads((folder / "told.json").read_text()))


def _make_and_tell(folder: Path) -> None:
    made = make_small(folder / "set")
    (folder / "told.json").write_text(json.dumps({"text": made.text, "data": dict(made.data)}))


@pytest.fixture(scope="session")
def e3vs_splits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the splits ``train`` and ``test``, to be read alone."""
    return Path(told_once(tmp_path_factory).data["folder"])


def one_of_each_pair(split: Path) -> list[str]:
    """Ids of episodes of a split that ask different questions."""
    whole = load_set(split)
    truths = load_truths(split, whole.episodes)
    return list({truths[each.episode_id].pair_id: each.episode_id for each in reversed(whole.episodes)}.values())[::-1]


def part_of(split: Path, folder: Path, kept: Collection[str]) -> Path:
    """A set of the episodes of a split that have these ids, in a folder of its own."""
    made = write_accepted(load_set(split), kept, folder)
    assert len(made.episodes) == len(kept)
    return made.folder
