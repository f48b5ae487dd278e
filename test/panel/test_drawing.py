"""Frames spread over both sides of each threshold while other tests pass, and foils show nothing of their target."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
from small_search import SMALL

from vantage.errors import SceneError, UsageError
from vantage.panel import KINDS, Panel, PanelScenes, PanelSize, draw_frames, read_frames
from vantage.panel.frames import Frame
from vantage.panel.panel_folder import TABLE


@pytest.fixture(scope="module")
def frames(drawn_panel: Panel) -> list[Frame]:
    return read_frames(drawn_panel.folder / TABLE)


def test_most_kinds_have_a_frame_on_either_side_and_a_foil(frames: list[Frame], panel_scenes: PanelScenes) -> None:
    sides: dict[str, set[bool]] = {}
    for frame in frames:
        if not frame.foil:
            scene = panel_scenes.of(frame)
            shortfall = scene.visibility.shortfall(frame.truth, frame.viewpoint, frame.lens)
            sides.setdefault(frame.kind, set()).add(shortfall is None)
    both = [kind for kind, found in sides.items() if len(found) == 2]
    assert len(both) >= len(KINDS) - 3
    assert {frame.kind for frame in frames if frame.foil} >= set(both)


def test_the_value_alone_decides_whether_a_frame_passes(drawn_panel: Panel, frames: list[Frame]) -> None:
    for known in drawn_panel.key:
        if known.value is not None:
            assert known.passes == (known.value >= known.threshold), known
            assert known.passes == (known.shortfall == "")
            assert 0.12 * known.threshold <= known.value


def test_foils_show_nothing_of_the_target(frames: list[Frame], panel_scenes: PanelScenes) -> None:
    foils = [frame for frame in frames if frame.foil]
    assert foils
    for frame in foils:
        rule = panel_scenes.of(frame).visibility
        assert all(rule.view(target, frame.viewpoint, frame.lens).pixels < 0.5 for target in frame.targets)


def test_kinds_that_are_named_are_drawn_alike_whatever_else_is(frames: list[Frame], panel_scenes: PanelScenes) -> None:
    alone = draw_frames(list(panel_scenes), PanelSize(2, 1, ("size",)), 3)
    assert {frame.name for frame in alone} == {frame.name for frame in frames if frame.kind == "size"}


def test_frames_of_another_scene_seed_or_camera_are_refused(frames: list[Frame], panel_scenes: PanelScenes) -> None:
    frame = frames[0]
    others = {
        "which the set lacks": dataclasses.replace(frame, scene="scenes/nowhere"),
        "was made with": dataclasses.replace(frame, seed=frame.seed + 1),
        "another camera": dataclasses.replace(frame, lens=dataclasses.replace(frame.lens, fx=9.0)),
    }
    for told, other in others.items():
        with pytest.raises(SceneError, match=told):
            panel_scenes.of(other)


def test_a_set_without_specifications_is_refused(panel_set: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(panel_set, tmp_path / "set")
    for path in folder.rglob("spec.json"):
        path.unlink()
    with pytest.raises(UsageError, match="needs scenes whose shapes are known"):
        PanelScenes(folder, SMALL)
