"""What a reader is shown says nothing of what is right, and the table of frames gives the same bytes again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vantage.errors import FormatError, UsageError
from vantage.panel import CANNOT, Panel, PanelScenes, make_panel, read_frames, read_panel


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_table_reproduces_every_byte(drawn_panel: Panel, panel_scenes: PanelScenes, tmp_path: Path) -> None:
    frames = read_frames(drawn_panel.folder / "frames.csv")
    again = make_panel(tmp_path / "again", panel_scenes, frames[::-1], sheets=True)
    assert files(again.folder) == files(drawn_panel.folder)


def test_questions_hold_nothing_but_what_a_reader_may_know(drawn_panel: Panel) -> None:
    held = json.loads((drawn_panel.folder / "questions.json").read_text())
    assert set(held) == {"schema", "panel", "frames"}
    for number, frame in enumerate(held["frames"], start=1):
        assert set(frame) == {"number", "frame", "question", "replies"}
        assert frame["number"] == number
        assert frame["replies"][-1] == CANNOT
        assert len(set(frame["replies"])) == len(frame["replies"]) >= 3
    for known, asked in zip(drawn_panel.key, drawn_panel.asked, strict=True):
        assert known.right in asked.replies
        assert known.name not in asked.frame


def test_pictures_have_the_camera_of_the_set_and_sheets_hold_four(drawn_panel: Panel) -> None:
    assert drawn_panel.picture(drawn_panel.asked[0]).shape == (120, 160, 3)
    sheets = sorted(path.name for path in (drawn_panel.folder / "sheets").iterdir())
    assert sheets[:2] == ["001.png", "005.png"]
    assert len(sheets) == -(-len(drawn_panel.asked) // 4)


def test_a_used_folder_and_no_frames_are_refused(drawn_panel: Panel, panel_scenes: PanelScenes, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not empty"):
        make_panel(drawn_panel.folder, panel_scenes, read_frames(drawn_panel.folder / "frames.csv"))
    with pytest.raises(UsageError, match="have no view"):
        make_panel(tmp_path / "none", panel_scenes, [])
    assert not (tmp_path / "none").exists()


def test_files_that_were_changed_are_refused(panel: Panel, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="does not exist"):
        read_panel(tmp_path / "nothing")
    questions, key = panel.folder / "questions.json", panel.folder / "key.json"
    told, known = json.loads(questions.read_text()), json.loads(key.read_text())
    key.write_text(json.dumps({**known, "panel": "another"}))
    with pytest.raises(FormatError, match="belongs to another panel"):
        _ = read_panel(panel.folder).key
    key.write_text(json.dumps({**known, "frames": known["frames"][1:]}))
    with pytest.raises(FormatError, match="belongs to another panel"):
        _ = read_panel(panel.folder).key
    known["frames"][0]["value"] = -1.0
    key.write_text(json.dumps(known))
    with pytest.raises(FormatError, match="a value that no rule measures"):
        _ = read_panel(panel.folder).key
    questions.write_text(json.dumps({**told, "frames": []}))
    with pytest.raises(FormatError, match="no questions of a panel"):
        read_panel(panel.folder)
    for strange in ("../secret.png", "/secret.png", "frames/../key.json"):
        told["frames"][0]["frame"] = strange
        questions.write_text(json.dumps(told))
        with pytest.raises(FormatError, match="outside of the panel"):
            read_panel(panel.folder)
    questions.write_text('{"schema": 1}')
    with pytest.raises(FormatError, match="is not as it was written"):
        read_panel(panel.folder)


def test_a_link_out_of_the_panel_is_refused(panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    first = panel.folder / panel.asked[0].frame
    first.unlink()
    first.symlink_to(tmp_path / "secret.png")
    with pytest.raises(FormatError, match="is a link that leads out of"):
        read_panel(panel.folder)


def test_a_missing_or_broken_picture_is_told(panel: Panel) -> None:
    first = panel.asked[0]
    (panel.folder / first.frame).write_bytes(b"none")
    with pytest.raises(FormatError, match="is no picture"):
        panel.picture(first)
    (panel.folder / first.frame).unlink()
    with pytest.raises(FormatError, match="does not exist"):
        panel.picture(first)
