"""``vantage scene compose``: writes a scene with an object more."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from one_action import run_action
from small_room import BOX_ID, small_room
from turned_rooms import table_with_box

from vantage.cli.main import Result
from vantage.cli.scene_align import add_compose_parser
from vantage.errors import SceneError, UsageError
from vantage.spatial import Viewpoint, rigid
from vantage.splats.formats.clouds import load_cloud, save_ply
from vantage.splats.scene_file import load_scene, save_scene
from vantage.splats.upright import turning


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cloud, graph = small_room()
    save_scene(tmp_path / "room", None, graph, cloud, start=Viewpoint(1, 1, 1, 0, 0), shows="a room")
    save_ply(table_with_box(), tmp_path / "box.ply")
    return tmp_path


def compose(folder: Path, *words: str) -> Result:
    given = ["--object", str(folder / "box.ply"), "--label", "lamp", "--metres-per-unit", "0.5", "--out"]
    return run_action(add_compose_parser, "compose", str(folder / "room"), *given, str(folder / "both"), *words)


def test_a_object_more(folder: Path) -> None:
    words = ["--position=2.5,1.5", "--on", "box", "--color", "red", "--material", "paper", "--yaw", "0.5"]
    result = compose(folder, *words, "--crop-min=-1,-1,0.02", "--min-opacity", "0.2")
    scene = load_scene(folder / "both")
    assert scene.graph is not None
    node = scene.graph.nodes[-1]
    assert (node.label, node.color, node.material, node.relation, node.parent) == ("lamp", "red", "paper", "on", BOX_ID)
    assert (scene.name, scene.shows, scene.start) == ("both", "a room, lamp", Viewpoint(1, 1, 1, 0, 0))
    assert scene.bounds_max == (4.0, 3.0, 2.5)
    data = json.loads(json.dumps(result.data, allow_nan=False))
    assert data["node"]["instance_id"] == 9
    assert data["gaussians"] == int((scene.cloud.instances == 9).sum())
    assert not (folder / "both" / "spec.json").exists()


def test_by_id_and_with_an_axis(folder: Path) -> None:
    compose(folder, "--position=2.5,1.5", "--on", str(BOX_ID), "--up", "-x")
    scene = load_scene(folder / "both")
    assert scene.graph is not None
    assert scene.graph.nodes[-1].bounds_min[2] == pytest.approx(1.2, abs=0.01)


def test_classes_and_the_scale_are_kept(folder: Path) -> None:
    cloud, graph = small_room()
    classes = np.arange(9, dtype=np.int32)[::-1]
    save_scene(folder / "known", None, graph, cloud, classes=classes, metric=False)
    given = ["--object", str(folder / "box.ply"), "--label", "lamp", "--metres-per-unit", "0.5", "--position=1,1"]
    run_action(add_compose_parser, "compose", str(folder / "known"), *given, "--out", str(folder / "both"))
    scene = load_scene(folder / "both")
    assert scene.classes is not None
    assert scene.classes.tolist() == [*classes.tolist(), 0]
    assert scene.metric is False


@pytest.mark.parametrize("unit", ["20", "1e38", "1e300"])
def test_absurd_sizes_are_refused(folder: Path, unit: str) -> None:
    with pytest.raises(SceneError, match="larger than"):
        compose(folder, "--position=1,1", "--metres-per-unit", unit)
    assert not (folder / "both").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--position=1"], "--position needs 2 or 3 finite numbers with commas, got '1'"),
        (["--position=1,x"], "--position needs 2 or 3 finite numbers"),
        (["--position=1,nan"], "--position needs 2 or 3 finite numbers"),
        ([], "--position"),
        (["--position=1,1", "--up", "w"], "--up must be one of"),
        (["--position=1,1", "--yaw", "inf"], "--yaw must be a finite number"),
        (["--position=1,1", "--metres-per-unit", "0"], "0.0 metres per unit"),
        (["--position=1,1", "--crop-min=0,0"], "--crop-min needs 3 finite numbers"),
        (["--position=1,1", "--crop-min=0,0,1", "--crop-max=1,1,0"], "crop from .* is empty"),
        (["--position=1,1", "--min-opacity", "3"], "--min-opacity must be within 0..1"),
        (["--position=1,1", "--label", ""], "needs a label"),
    ],
)
def test_wrong_usage(folder: Path, words: list[str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        compose(folder, *words)
    assert not (folder / "both").exists()


def test_what_is_refused(folder: Path) -> None:
    with pytest.raises(SceneError, match="has no 'tabel' to stand on"):
        compose(folder, "--position=1,1", "--on", "tabel")
    (folder / "both").mkdir()
    with pytest.raises(SceneError, match="both exists already"):
        compose(folder, "--position=1,1")
    assert list((folder / "both").iterdir()) == []


def test_what_is_odd_is_said(folder: Path) -> None:
    assert compose(folder, "--position=2.5,1.5", "--on", "box", "--up", "z").data["warnings"] == []
    shutil.rmtree(folder / "both")
    save_ply(load_cloud(folder / "box.ply").transformed(rigid(turning("-y").T, np.zeros(3))), folder / "box.ply")
    result = compose(folder, "--position=0.9,0.9,0.9")
    assert [warning.split(",")[0].split(" of the")[0] for warning in result.data["warnings"]] == [
        "the lamp is 0.00 m from the start",
        result.data["warnings"][1].split(",")[0],
    ]
    assert result.data["warnings"][1].startswith("-y looks like up in the capture (confidence ")
    assert all(f"warning: {warning}" in result.text for warning in result.data["warnings"])


def test_sticking_out_of_the_bounds_is_said(folder: Path) -> None:
    [warning] = compose(folder, "--position=3.95,1.5,1.0", "--up", "z").data["warnings"]
    assert warning == "the lamp sticks out of the bounds of the scene, where no camera goes"


def test_a_capture_that_stands_already_is_not_turned_again(folder: Path) -> None:
    (folder / "box.yaml").write_text("cloud: box.ply\n")
    words = ["--object", str(folder / "box.yaml"), "--label", "lamp", "--position=1,1", "--out", str(folder / "both")]
    with pytest.raises(UsageError, match=r"box\.yaml says already how the capture stands; leave --up out"):
        run_action(add_compose_parser, "compose", str(folder / "room"), *words, "--up", "y")
