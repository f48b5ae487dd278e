"""The table of frames gives back what was written, and refuses what no panel has."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.panel import CANNOT, Frame, frames_table, read_frames
from vantage.spatial import Intrinsics, Viewpoint


def frame(x: float = 1 / 3, foil: bool = False) -> Frame:
    view = Viewpoint(x, -2.0, 1.1, 0.7, -0.3)
    lens = Intrinsics.from_fov(64, 48, 1.3)
    program = "query(unique(filter(scene(), 'label', 'mug')), 'color')"
    return Frame(
        "colour", "scenes/home_1", 7, view, lens, 'What, "now"?', ("red", "blue"), "red", foil, (3, 4), "color", program
    )


def test_a_table_gives_back_every_frame(tmp_path: Path) -> None:
    frames = [frame(), frame(2 / 7, foil=True)]
    (tmp_path / "frames.csv").write_text(frames_table(frames))
    assert read_frames(tmp_path / "frames.csv") == frames


def test_a_name_tells_frames_apart_and_its_hash_gives_both_halves() -> None:
    frames = [frame(k / 100) for k in range(100)]
    assert len({each.name for each in frames}) == 100
    assert 25 <= sum(each.half == "fit" for each in frames) <= 75
    assert frame().name == frame(foil=True).name  # what is right does not show


def test_that_one_cannot_tell_is_right_for_foils_alone() -> None:
    assert frame().right == "red"
    assert frame(foil=True).right == CANNOT
    assert frame().truth.target_instances == (3, 4)


@each_row(
    "old, new, told",
    [
        ("name,kind", "name,sort", "is no table of frames"),
        ("0.7,", "0.8,", "was changed after it was made"),
        ("0.7,", "nan,", "no possible pose or camera"),
        ("0.7,", "left,", "line 2 cannot be read"),
        (",64,", ",0,", "intrinsics need a positive size"),
        (",64,", ",9999,", "no possible pose or camera"),
        (",red,0,", ",green,0,", "not among the replies"),
        (",3 4,", ",,", "has no target"),
        (",color,", ",", "values, not"),
        (',"[""red"", ""blue""]",', ",[,", "cannot be read"),
    ],
)
def test_a_table_that_was_changed_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = frames_table([frame()])
    assert old in text
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "frames.csv").write_text(text.replace(old, new, 1))
    with pytest.raises(FormatError, match=told):
        read_frames(tmp_path / "frames.csv")


def test_a_frame_that_is_there_twice_and_a_missing_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "frames.csv").write_text(frames_table([frame(), frame()]))
    with pytest.raises(FormatError, match="holds a frame twice"):
        read_frames(tmp_path / "frames.csv")
    with pytest.raises(FormatError, match="does not exist"):
        read_frames(tmp_path / "none.csv")
