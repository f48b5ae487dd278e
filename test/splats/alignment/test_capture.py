"""What is opened for an alignment, and how the new scene file names its cloud."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from turned_rooms import table_with_box

from vantage.errors import ConfigError, FormatError, SceneError
from vantage.splats.alignment.capture import open_capture
from vantage.splats.formats.clouds import save_ply


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_ply(table_with_box(), tmp_path / "box.ply")
    return tmp_path


def scene(folder: Path, **keys: Any) -> Path:
    path = folder / "scene.yaml"
    path.write_text(yaml.safe_dump({"cloud": "box.ply"} | keys))
    return path


def test_a_bare_cloud(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = open_capture(folder / "box.ply")
    assert capture.words == {"name": "box"}
    assert capture.up is None
    assert capture.metres_per_unit is None
    assert capture.files_for(folder / "scene.yaml")["cloud"] == "box.ply"
    with pytest.raises(SceneError, match=r"could not name .*box\.ply, .*write it to .* or move the capture there"):
        capture.files_for(folder / "other" / "scene.yaml")
    monkeypatch.setenv("VANTAGE_DATA", str(folder))
    assert capture.files_for(folder / "other" / "scene.yaml")["cloud"] == "${VANTAGE_DATA}/box.ply"
    assert capture.files_for(folder.parent / "scene.yaml")["cloud"] == f"{folder.name}/box.ply"


def test_a_scene_file(folder: Path) -> None:
    keys = {"name": "a box", "shows": "a box on a plate", "attribution": "me", "metres_per_unit": 0.5, "floor": 3}
    path = scene(folder, T_world_cloud={"up": "-y", "position": [9, 9, 9]}, start={"position": [0, 0, 0]}, **keys)
    for place in (path, folder):
        capture = open_capture(place)
        assert capture.words == {"name": "a box", "shows": "a box on a plate", "attribution": "me"}
        assert capture.up == pytest.approx([0, -1, 0])
        assert capture.metres_per_unit == 0.5
        assert np.array_equal(capture.cloud.means, table_with_box().means)  # as in its file


def test_variables_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VANTAGE_DATA", str(folder))
    capture = open_capture(scene(folder, cloud="${VANTAGE_DATA}/box.ply"))
    assert capture.files_for(folder / "new.yaml")["cloud"] == "${VANTAGE_DATA}/box.ply"
    assert capture.words["name"] == folder.name


def test_the_scale_may_be_unknown(folder: Path) -> None:
    assert open_capture(scene(folder, metres_per_unit=0.5)).metric is True
    assert open_capture(scene(folder, metres_per_unit=0.5, metric=True)).metric is True
    assert open_capture(scene(folder, metres_per_unit=0.5, metric=False)).metric is False


def test_classes_stay_with_the_cloud(folder: Path) -> None:
    files = open_capture(scene(folder, classes="classes.npy")).files_for(folder / "new.yaml")
    assert files == {"cloud": "box.ply", "classes": "classes.npy"}
    assert "classes" not in open_capture(scene(folder)).files_for(folder / "new.yaml")


@pytest.mark.parametrize(
    ("keys", "error", "complaint"),
    [
        ({"graph": "graph.json"}, SceneError, "has 'graph', which would not fit a scene that is turned"),
        ({"objects": [{"cloud": "x"}]}, SceneError, "has 'objects', which would not fit"),
        ({"cloud": None}, ConfigError, "cloud: is missing"),
        ({"cloud": "gone.ply"}, FormatError, r"gone\.ply"),
        ({"clod": 1}, ConfigError, "clod: unknown key; did you mean 'cloud'"),
        ({"metres_per_unit": math.nan}, ConfigError, "metres_per_unit: expected a number"),
        ({"metres_per_unit": -1}, ConfigError, "metres_per_unit: expected a positive number"),
        ({"T_world_cloud": {"rotation": [0, 0, 0, 0]}}, ConfigError, "unit quaternion"),
        ({"name": 5}, ConfigError, "name: expected text"),
    ],
)
def test_what_is_refused(folder: Path, keys: dict[str, Any], error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        open_capture(scene(folder, **keys))


def test_nothing_there(folder: Path) -> None:
    with pytest.raises(ConfigError, match="no capture at"):
        open_capture(folder / "gone")
    (folder / "empty").mkdir()
    with pytest.raises(SceneError, match=r"empty holds no scene\.yaml and no cloud"):
        open_capture(folder / "empty")
