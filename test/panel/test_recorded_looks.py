"""Last looks of bags are drawn anew from where the camera was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vantage.cli.main import main
from vantage.errors import RecordingError
from vantage.panel import LAST_LOOK, PanelScenes, last_looks, make_panel
from vantage.recording import find_bags, read_recording


@pytest.fixture(scope="module")
def bags(panel_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bags") / "static"
    words = ["run", "search", "--agent", "static", "--episodes", str(panel_set), "--out", str(folder)]
    assert main(words) == 0
    return folder


def test_each_question_with_a_true_premise_becomes_a_frame(
    bags: Path, panel_scenes: PanelScenes, tmp_path: Path
) -> None:
    frames = last_looks([bags], panel_scenes, 0)
    recordings = [read_recording(bag) for bag in find_bags(bags)[0]]
    truths = [gold for each in recordings if each.truth for gold in each.truth.questions if gold.premise_holds]
    ends = [each.ways()[-1][-1] for each in recordings]
    assert frames
    assert len(frames) <= len(truths)
    assert all(frame.kind == LAST_LOOK and not frame.foil and frame.viewpoint in ends for frame in frames)
    panel = make_panel(tmp_path / "panel", panel_scenes, frames)
    assert all(known.value is None and known.kind == LAST_LOOK for known in panel.key)
    assert np.ptp(panel.picture(panel.asked[0])) > 0


def test_replies_hold_the_answer_and_others(bags: Path, panel_scenes: PanelScenes) -> None:
    for frame in last_looks([bags, bags], panel_scenes, 0):
        assert frame.answer in frame.replies
        assert 2 <= len(set(frame.replies)) == len(frame.replies) <= 4


def test_a_folder_without_bags_is_refused(panel_scenes: PanelScenes, tmp_path: Path) -> None:
    with pytest.raises(RecordingError):
        last_looks([tmp_path], panel_scenes, 0)
