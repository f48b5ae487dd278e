"""Views in a folder: read as they were written, useful from the first on, and refused where something is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from board_views import GANTRY

from vantage.errors import ConfigError
from vantage.spatial import Intrinsics
from vantage.worlds.rig.calibration.board_views import ViewFolder, load_views

CAMERA = Intrinsics(16, 12, 20.0, 21.0, 8.5, 6.25)
JOINTS = {"x": 0.1, "y": 0.2, "z": 0.5, "pan": -0.3, "tilt": 0.25, "finger": 0.01}
RED = np.zeros((12, 16, 3), np.uint8) + np.array([200, 10, 30], np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    views = ViewFolder(tmp_path / "a" / "views")
    views.add(JOINTS, RED, CAMERA)
    views.add({**JOINTS, "x": 0.15}, RED // 2, CAMERA)
    return tmp_path / "a" / "views"


def test_views_come_back_as_they_were(folder: Path) -> None:
    positions, pictures, intrinsics = load_views(folder, GANTRY)
    assert [q.tolist() for q in positions] == [[0.1, 0.2, 0.5, -0.3, 0.25], [0.15, 0.2, 0.5, -0.3, 0.25]]
    assert np.array_equal(pictures[0], RED)
    assert np.array_equal(pictures[1], RED // 2)
    assert intrinsics == CAMERA


def test_a_session_that_was_cut_short_can_be_used(tmp_path: Path) -> None:
    views = ViewFolder(tmp_path)
    views.add(JOINTS, RED)
    positions, _, intrinsics = load_views(tmp_path, GANTRY)
    assert len(positions) == 1
    assert intrinsics is None


def test_views_are_never_written_over(folder: Path) -> None:
    with pytest.raises(ConfigError, match="holds views already; choose another --save"):
        ViewFolder(folder)


def test_a_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be encoded; check the camera"):
        ViewFolder(tmp_path).add(JOINTS, np.zeros((0, 0, 3), np.uint8))
    assert not (tmp_path / "views.yaml").exists()


def change(folder: Path, **values: Any) -> None:
    path = folder / "views.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text(encoding="utf-8")), **values}), encoding="utf-8")


VIEW = {"picture": "view-001.png", "joints": JOINTS}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"views": 3}, "views: expected a list, got 3"),
        ({"views": [{"picture": "view-001.png"}]}, r"views\[0\].joints: is missing"),
        ({"views": [{**VIEW, "joints": {"x": 1.0}}]}, r"views\[0\].joints.y: is missing"),
        ({"views": [{**VIEW, "joints": {**JOINTS, "pan": "left"}}]}, "joints.pan: expected a number, got 'left'"),
        ({"views": [{**VIEW, "picture": "none.png"}]}, r"views\[0\].picture: .*none.png cannot be read as a picture"),
        ({"views": [{**VIEW, "picture": "."}]}, "cannot be read as a picture"),
        ({"views": [{**VIEW, "picture": "views.yaml"}]}, "views.yaml is no picture; take the views anew"),
        ({"views": [{**VIEW, "picture": "a\0b"}]}, "picture: .* cannot be read as a picture"),
        ({"views": [{**VIEW, "stamp": 3}]}, r"views\[0\].stamp: unknown key"),
        ({"intrinsics": {"width": 0}}, "intrinsics.width: expected a whole number"),
        ({"intrinsics": {"width": 9, "height": 9, "fx": -1.0, "fy": 1.0, "cx": 1.0, "cy": 1.0}}, "must be positive"),
        ({"lens": {}}, "lens: unknown key"),
    ],
)
def test_what_is_wrong_is_told_with_its_key(values: dict[str, Any], words: str, folder: Path, capfd: Any) -> None:
    change(folder, **values)
    with pytest.raises(ConfigError, match=words):
        load_views(folder, GANTRY)
    assert capfd.readouterr() == ("", "")


def test_an_empty_picture_is_none(folder: Path) -> None:
    (folder / "view-002.png").write_bytes(b"")
    with pytest.raises(ConfigError, match=r"view-002\.png is no picture"):
        load_views(folder, GANTRY)


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"views\.yaml does not exist; check the path"):
        load_views(tmp_path, GANTRY)
