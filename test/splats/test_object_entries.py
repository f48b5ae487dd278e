"""The ``objects`` of scene files: what they may say, and one sentence for what they may not."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from row_tables import each_row
from small_room import BOX_ID, small_room
from turned_rooms import table_with_box

from vantage.decoding import Section
from vantage.errors import ConfigError, FormatError, SceneError
from vantage.splats import object_entries
from vantage.splats.compose import Crop
from vantage.splats.formats.clouds import save_ply
from vantage.splats.object_entries import read_objects
from vantage.splats.scene_file import load_object, load_scene, save_scene

LAMP = {"cloud": "box.ply", "label": "lamp", "position": [2.5, 1.5], "metres_per_unit": 0.5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cloud, graph = small_room()
    save_scene(tmp_path / "room", None, graph, cloud, attribution="A")
    save_ply(table_with_box(), tmp_path / "room" / "box.ply")
    return tmp_path / "room"


def write(folder: Path, *objects: Any, **keys: Any) -> Path:
    path = folder / "scene.yaml"
    document = yaml.safe_load(path.read_text()) | {"objects": list(objects)} | keys
    path.write_text(yaml.safe_dump(document))
    return path


def test_objects_are_placed_in_order(folder: Path) -> None:
    plain = load_scene(folder)
    first = LAMP | {"on": "box", "yaw": 0.3, "color": "red", "material": "paper", "crop": {"min": [-1, -1, 0.02]}}
    second = LAMP | {"label": "plate", "position": [1, 1, 0.4], "crop": {"max": [9, 9, 0.02], "min_opacity": 0.5}}
    scene = load_scene(write(folder, first, second))
    assert scene.graph is not None
    lamp, plate = scene.graph.nodes[-2:]
    assert (lamp.label, lamp.color, lamp.material, lamp.parent) == ("lamp", "red", "paper", BOX_ID)
    assert lamp.bounds_min[2] == pytest.approx(1.2, abs=0.01)
    assert (plate.label, plate.parent) == ("plate", 0)
    assert plate.bounds_min[2] == pytest.approx(0.4, abs=0.01)
    assert plate.bounds_max[0] - plate.bounds_min[0] == pytest.approx(0.5, abs=0.05)
    assert scene.fingerprint != plain.fingerprint
    assert scene.shows == "lamp, plate"


def test_up_and_rotation(folder: Path) -> None:
    flat = load_scene(write(folder, LAMP | {"position": [1, 1, 1], "up": "x"})).graph
    turned = load_scene(
        write(folder, LAMP | {"position": [1, 1, 1], "rotation": [0, -math.sqrt(0.5), 0, math.sqrt(0.5)]})
    )
    assert flat is not None
    assert turned.graph is not None
    assert flat.nodes[-1].bounds_max == pytest.approx(turned.graph.nodes[-1].bounds_max, abs=1e-5)
    assert flat.nodes[-1].bounds_max[2] - flat.nodes[-1].bounds_min[2] == pytest.approx(0.46, abs=0.03)


def test_a_capture_with_a_scene_file_of_its_own(folder: Path) -> None:
    (folder / "capture.yaml").write_text(
        "cloud: box.ply\nmetres_per_unit: 0.25\nattribution: B\nbounds: {min: [-1, -1, -1], max: [1, 1, 1]}\n"
    )
    scene = load_scene(write(folder, LAMP | {"cloud": "capture.yaml", "metres_per_unit": 2.0}))
    assert scene.graph is not None
    node = scene.graph.nodes[-1]
    assert node.bounds_max[2] - node.bounds_min[2] == pytest.approx(0.3, abs=0.01)
    assert scene.attribution == "A; B"


def test_scenes_that_place_objects_are_not_placed(folder: Path) -> None:
    write(folder, LAMP | {"cloud": "scene.yaml"})
    with pytest.raises(ConfigError, match="places objects itself"):
        load_scene(folder)


def test_the_example_of_the_documentation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert object_entries.__doc__ is not None
    text = textwrap.dedent(object_entries.__doc__.split("::\n", 1)[1])
    monkeypatch.setenv("VANTAGE_DATA", str(folder / "data"))
    (folder / "docs.yaml").write_text(text)
    ((path, placement),) = read_objects(Section.of_file(folder / "docs.yaml"), "objects")
    assert path == folder / "data" / "splats" / "plant" / "plant.splat"
    assert (placement.label, placement.on, placement.metres_per_unit) == ("houseplant", "table", 0.4)
    assert placement.crop == Crop((-1, -1, 0.03), (1, 1, 2), 0.05)


def test_on_needs_no_quotes(folder: Path) -> None:
    path = folder / "scene.yaml"
    entry = "{cloud: box.ply, label: lamp, position: [2.5, 1.5], metres_per_unit: 5e-1, on: box}"
    path.write_text(path.read_text() + f"objects:\n  - {entry}\n")
    scene = load_scene(folder)
    assert scene.graph is not None
    assert scene.graph.nodes[-1].parent == BOX_ID


@each_row(
    "change, complaint",
    [
        ({"cloud": None}, r"objects\[0\]\.cloud: is missing"),
        ({"label": None}, r"objects\[0\]\.label: is missing"),
        ({"label": ""}, "label: is empty"),
        ({"position": None}, "position: is missing"),
        ({"position": [1]}, "position: expected a list of 2 or 3 numbers"),
        ({"position": [1, math.nan]}, "position: expected a list of 2 or 3 numbers"),
        ({"yaw": "left"}, "yaw: expected a number"),
        ({"up": "up"}, "'up' must be one of"),
        ({"up": "y", "rotation": [0, 0, 0, 1]}, "'up' or 'rotation', not both"),
        ({"rotation": [0, 0, 0, 2]}, "unit quaternion"),
        ({"metres_per_unit": 0}, "metres_per_unit: expected a positive number, got 0"),
        ({"metres_per_unit": -2}, "metres_per_unit: expected a positive number, got -2"),
        ({"metres_per_unit": math.inf}, "expected a number"),
        ({"colour": "red"}, "colour: unknown key; did you mean 'color'"),
        ({"on": [1]}, "on: expected a label or the number of an instance"),
        ({"on": True}, "on: expected a label or the number of an instance"),
        ({"crop": {"min": [0, 0, 1], "max": [1, 1, 1]}}, "crop: is empty"),
        ({"crop": {"min_opacity": 2}}, r"min_opacity: expected a number in \[0, 1\], got 2"),
        ({"crop": {"low": 2}}, "low: unknown key"),
        ({"cloud": "${NOT_SET_ANYWHERE}/x.ply"}, "files may name no other than VANTAGE_DATA"),
    ],
)
def test_wrong_entries(folder: Path, change: dict[str, Any], complaint: str) -> None:
    path = write(folder, LAMP | change)
    with pytest.raises(ConfigError, match=complaint) as caught:
        load_scene(path)
    assert str(path) in str(caught.value)


def test_no_list(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"objects.*: expected"):
        load_scene(write(folder, "lamp"))
    with pytest.raises(ConfigError, match=r"objects.*: expected"):
        load_scene(write(folder, objects={"cloud": "box.ply"}))


def test_what_cannot_be_placed_names_the_entry(folder: Path) -> None:
    with pytest.raises(SceneError, match=r"scene.yaml: objects\[1\]: scene 'room' has no 'tabel'"):
        load_scene(write(folder, LAMP | {"position": [1, 1]}, LAMP | {"on": "tabel"}))
    with pytest.raises(FormatError, match=r"gone\.ply"):
        load_scene(write(folder, LAMP | {"cloud": "gone.ply"}))


def test_objects_of_a_scene_without_a_graph(tmp_path: Path) -> None:
    save_ply(table_with_box(), tmp_path / "box.ply")
    entry = {"cloud": "box.ply", "label": "plate", "position": [0.6, 0]}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump({"cloud": "box.ply", "objects": [entry]}))
    scene = load_scene(tmp_path / "two.yaml")
    assert scene.graph is not None
    assert [node.label for node in scene.graph.nodes] == ["plate"]
    assert np.unique(scene.cloud.instances).tolist() == [0, 1]


def test_composed_scenes_are_written_and_read(folder: Path, tmp_path: Path) -> None:
    scene = load_scene(write(folder, LAMP | {"on": "box"}))
    bounds = (scene.bounds_min, scene.bounds_max)
    target = save_scene(tmp_path / "both", None, scene.graph, scene.cloud, bounds=bounds, floor=scene.floor)
    again = load_scene(target)
    assert again.graph is not None
    assert scene.graph is not None
    assert [node.label for node in again.graph.nodes] == [node.label for node in scene.graph.nodes]
    assert np.array_equal(again.cloud.instances, scene.cloud.instances)


def test_loading_a_capture(folder: Path) -> None:
    cloud, credits = load_object(folder / "box.ply")
    assert (len(cloud), credits) == (len(table_with_box()), "")
    with pytest.raises(ConfigError, match="no scene at"):
        load_object(folder / "nothing")
