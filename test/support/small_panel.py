"""How tests make small panels: one that is drawn, and frames made by hand whose replies follow from a rule."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from made_once import made_once
from small_search import SMALL, small_search_set

from vantage.panel import (
    CANNOT,
    KINDS,
    AskedFrame,
    KnownFrame,
    Panel,
    PanelScenes,
    PanelSize,
    Reader,
    draw_frames,
    make_panel,
    read_panel,
)

SIZE = PanelSize(per_kind=2, foils=1)
SEED = 3


@pytest.fixture(scope="session")
def panel_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a set that panels are made of."""
    return small_search_set(tmp_path_factory)


@pytest.fixture(scope="session")
def panel_scenes(panel_set: Path) -> Iterator[PanelScenes]:
    with PanelScenes(panel_set, SMALL) as scenes:
        yield scenes


@pytest.fixture(scope="session")
def drawn_panel(tmp_path_factory: pytest.TempPathFactory, panel_scenes: PanelScenes) -> Panel:
    """A panel of all kinds that the set has, to be read alone."""

    def make(folder: Path) -> None:
        make_panel(folder / "panel", panel_scenes, draw_frames(list(panel_scenes), SIZE, SEED), sheets=True)

    return read_panel(made_once(tmp_path_factory, "panel", make) / "panel")


@pytest.fixture
def panel(drawn_panel: Panel, tmp_path: Path) -> Panel:
    """A copy of the panel, to be answered."""
    return read_panel(shutil.copytree(drawn_panel.folder, tmp_path / "panel"))


def made_frames(
    count: int = 24, kinds: tuple[str, ...] = ("size", "letter"), foils: int = 8, threshold: float = 100.0
) -> tuple[list[KnownFrame], list[AskedFrame]]:
    """Frames by hand: values from a quarter to four times the threshold, halves by turns, then foils."""
    known: list[KnownFrame] = []
    for kind in kinds:
        for k, value in enumerate(threshold * np.geomspace(0.25, 4.0, count)):
            known.append(_known(len(known) + 1, kind, ("fit", "test")[k % 2], float(value), threshold))
    known += [_known(len(known) + k + 1, kinds[0], "test", None, threshold) for k in range(foils)]
    asked = [AskedFrame(each.number, f"frames/{each.number}.png", "What?", ("a", "b", "c", CANNOT)) for each in known]
    return known, asked


def made_reader(
    frames: list[KnownFrame],
    says: Callable[[KnownFrame], str | None],
    name: str = "one",
    kind: str = "person",
    model: str = "",
) -> Reader:
    return Reader("vantage.panel-reader/1", "made", name, kind, model, {each.number: says(each) for each in frames})


def seeing(threshold: float) -> Callable[[KnownFrame], str]:
    """Replies of somebody who can tell from a value on, and says so where not."""
    return lambda frame: frame.right if frame.value is None or frame.value >= threshold else CANNOT


def _known(number: int, kind: str, half: str, value: float | None, threshold: float) -> KnownFrame:
    foil = value is None
    return KnownFrame(
        number,
        f"{number:012x}",
        kind,
        "scenes/made",
        0,
        (0.0, 0.0, 1.0, 0.0, 0.0),
        foil,
        half,
        CANNOT if foil else "a",
        value,
        threshold,
        KINDS[kind].unit,
        "",
        value is not None and value >= threshold,
        "",
    )
