"""Scene folders, scene files and bare clouds; what is wrong with them, in one sentence."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from plain_renderer import random_cloud
from row_tables import each_row
from small_room import HIGH, LOW, small_room

from vantage.errors import ConfigError, FormatError, SceneError, UnknownNameError
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import save_cloud, save_ply
from vantage.splats.scene_file import (
    find_scene,
    list_scenes,
    load_graph,
    load_scene,
    robust_bounds,
    save_scene,
    scene_start,
)
from vantage.splats.synthesis.from_spec import make_scene


def scene_yaml(folder: Path, **keys: Any) -> Path:
    if not (folder / "c.ply").exists():
        save_ply(random_cloud(50), folder / "c.ply")
    path = folder / "scene.yaml"
    path.write_text(yaml.safe_dump({"cloud": "c.ply"} | keys))
    return path


def test_save_and_load(tmp_path: Path) -> None:
    cloud, graph = small_room()
    start = Viewpoint(1, 1, 1, 0.5, -0.25)
    folder = save_scene(tmp_path / "r", None, graph, cloud, start=start, shows="a room", attribution="Ünal")
    scene = load_scene(folder)
    assert (scene.name, scene.shows, scene.attribution) == ("room", "a room", "Ünal")
    assert scene.start == start
    assert scene.floor == 0.0
    assert scene.graph == graph
    assert (scene.bounds_min, scene.bounds_max) == (LOW, HIGH)
    assert np.array_equal(scene.cloud.instances, cloud.instances)
    assert np.array_equal(scene.cloud.means, cloud.means)
    assert {entry.name for entry in folder.iterdir()} == {"scene.yaml", "cloud.ply", "graph.json"}


def test_a_start_region_is_written_and_read(tmp_path: Path) -> None:
    cloud, graph = small_room()
    region = ((0.5, 0.5, 0.5), (1.5, 1.0, 1.5))
    scene = load_scene(save_scene(tmp_path / "r", None, graph, cloud, start_region=region))
    assert scene.start_region == region
    assert scene.start is None
    with pytest.raises(SceneError, match=r"start_region .* leaves the bounds"):
        save_scene(tmp_path / "s", None, graph, cloud, start_region=((0.5, 0.5, 0.5), (9.0, 1.0, 1.5)))
    assert not (tmp_path / "s").exists()


def test_a_start_region_by_default_lies_around_the_start(tmp_path: Path) -> None:
    cloud, graph = small_room()
    scene = load_scene(save_scene(tmp_path / "r", None, graph, cloud, start=Viewpoint(1, 2, 1, 0, 0)))
    assert scene.start_region == ((0.75, 1.75, 0.75), (1.25, 2.25, 1.25))


def test_the_key_of_a_scene_follows_its_content(tmp_path: Path) -> None:
    def key(**keys: Any) -> str:
        return load_scene(scene_yaml(tmp_path, **keys)).fingerprint

    bounds = {"min": [-5, -5, -5], "max": [9, 9, 9]}
    same = key(bounds=bounds)
    assert same == key(bounds=bounds, name="x", start={"position": [0, 0, 0]})
    turned = {"up": "y"}
    others = [key(), key(bounds=bounds, metres_per_unit=2), key(bounds=bounds, T_world_cloud=turned)]
    assert len({same, *others}) == 4


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    cloud, graph = small_room()
    for name in ("a", "b"):
        save_scene(tmp_path / name, None, graph, cloud)
    for file in ("scene.yaml", "cloud.ply", "graph.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_everything_the_file_may_say(tmp_path: Path) -> None:
    scene = load_scene(
        scene_yaml(
            tmp_path,
            name="lab",
            T_world_cloud={"up": "-y", "position": [1, 2, 3]},
            metres_per_unit=2.0,
            floor=0.25,
            bounds={"min": [-1, -2, 0], "max": [1, 2, 3]},
            start={"position": [0, 0, 1], "yaw": 1.5},
            shows="a lab",
        )
    )
    x, y, z = 2 * random_cloud(50).means.T
    assert scene.cloud.means == pytest.approx(np.stack([x + 1, z + 2, -y + 3], axis=1), abs=1e-5)
    assert scene.name == "lab"
    assert scene.floor == 0.25
    assert scene.start == Viewpoint(0, 0, 1, 1.5, 0)
    assert scene.bounds_min == (-1, -2, 0)
    assert scene.bounds_max == (1, 2, 3)


@pytest.mark.parametrize(
    ("up", "axis"),
    [("x", (1, 0, 0)), ("-x", (-1, 0, 0)), ("y", (0, 1, 0)), ("-y", (0, -1, 0)), ("z", (0, 0, 1)), ("-z", (0, 0, -1))],
)
def test_up_axes(tmp_path: Path, up: str, axis: tuple[int, int, int]) -> None:
    scene = load_scene(scene_yaml(tmp_path, T_world_cloud={"up": up}))
    height = random_cloud(50).means @ np.array(axis)
    assert scene.cloud.means[:, 2] == pytest.approx(height, abs=1e-5)
    before, after = random_cloud(50).means[:4], scene.cloud.means[:4]
    handed = [np.linalg.det(np.diff(points, axis=0)) for points in (before, after)]
    assert handed[1] == pytest.approx(handed[0], rel=1e-3)  # turned, not mirrored


def test_rotation_as_a_quaternion(tmp_path: Path) -> None:
    s = math.sqrt(0.5)
    scene = load_scene(scene_yaml(tmp_path, T_world_cloud={"rotation": [0, 0, s, s]}))
    x, y, z = random_cloud(50).means.T
    assert scene.cloud.means == pytest.approx(np.stack([-y, x, z], axis=1), abs=1e-5)


def test_a_cloud_named_by_an_environment_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    save_ply(random_cloud(5), tmp_path / "data" / "c.ply")
    path = tmp_path / "far.yaml"
    path.write_text("cloud: ${VANTAGE_DATA}/c.ply\n")
    monkeypatch.delenv("VANTAGE_DATA", raising=False)
    with pytest.raises(ConfigError, match="environment variable that is not set; set VANTAGE_DATA"):
        load_scene(path)
    monkeypatch.setenv("VANTAGE_DATA", str(tmp_path / "data"))
    assert load_scene(path).name == "far"


@pytest.mark.parametrize("suffix", [".ply", ".splat", ".spz", ".compressed.ply"])
def test_a_bare_cloud(tmp_path: Path, suffix: str) -> None:
    save_cloud(random_cloud(500), tmp_path / f"thing{suffix}")
    scene = load_scene(tmp_path / f"thing{suffix}")
    assert scene.name == f"thing{suffix}".rpartition(".")[0]
    assert scene.graph is None
    assert scene.start is None
    assert scene.floor == scene.bounds_min[2]
    assert (scene.bounds_min, scene.bounds_max) == robust_bounds(scene.cloud)


def scenesplat(folder: Path, cloud: GaussianCloud) -> Path:
    folder.mkdir()
    parts = {
        "coord": cloud.means,
        "color": np.rint(255 * cloud.base_colors()).astype(np.uint8),
        "scale": cloud.scales,
        "quat": cloud.quaternions,
        "opacity": cloud.opacities,
        "segment": np.arange(len(cloud), dtype=np.int32) % 4 - 1,
        "instance": np.arange(len(cloud), dtype=np.int32) % 8 - 1,
    }
    for name, values in parts.items():
        np.save(folder / f"{name}.npy", values)
    return folder


def test_a_folder_that_is_a_cloud(tmp_path: Path) -> None:
    cloud = random_cloud(500)
    scene = load_scene(scenesplat(tmp_path / "scene0000", cloud))
    assert scene.name == "scene0000"
    assert scene.cloud.means == pytest.approx(cloud.means)
    assert scene.classes is not None
    assert len(scene.classes) == scene.cloud.instances.max() + 1
    assert list_scenes(tmp_path) == {"scene0000": tmp_path / "scene0000"}
    assert list_scenes(tmp_path / "scene0000") == {"scene0000": tmp_path / "scene0000"}
    (tmp_path / "trained" / "ckpts").mkdir(parents=True)
    save_ply(cloud, tmp_path / "trained" / "ckpts" / "point_cloud_30000.ply")
    assert np.array_equal(load_scene(tmp_path / "trained").cloud.means, cloud.means)
    assert set(list_scenes(tmp_path)) == {"scene0000", "trained"}
    (tmp_path / "lab.yaml").write_text("cloud: scene0000\nmetres_per_unit: 2\n")
    assert load_scene(tmp_path / "lab.yaml").cloud.means == pytest.approx(2 * cloud.means)


def test_a_folder_that_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"holds no scene\.yaml and no cloud; .*\(scenes in there: none\)"):
        load_scene(tmp_path)


def test_robust_bounds_ignore_far_floaters() -> None:
    cloud = random_cloud(2000)
    cloud.means[:5] = 1e4
    low, high = robust_bounds(cloud)
    assert max(high) < 20
    assert min(low) > -20
    assert all(b - a > 3 for a, b in zip(low, high, strict=True))


@each_row(
    "keys, complaint",
    [
        ({"meters_per_unit": 2}, r"meters_per_unit: unknown key; did you mean 'metres_per_unit'\?"),
        ({"name": 5}, "name: expected text, got 5"),
        ({"metres_per_unit": "two"}, "metres_per_unit: expected a number, got 'two'"),
        ({"metres_per_unit": 0}, "metres_per_unit: expected a positive number"),
        ({"metres_per_unit": math.nan}, "metres_per_unit: expected a number"),
        ({"metric": "maybe"}, "metric: expected true or false, got 'maybe'"),
        ({"floor": True}, "floor: expected a number, got True"),
        ({"bounds": [0, 1]}, "bounds: expected keys with values"),
        ({"bounds": {"min": [0, 0, 0]}}, r"bounds\.max: is missing"),
        ({"bounds": {"min": [0, 0], "max": [1, 1, 1]}}, r"bounds\.min: expected a list of 3 numbers"),
        ({"bounds": {"min": [0, 0, 0], "max": [1, 1, 1], "mean": 3}}, "mean: unknown key"),
        ({"T_world_cloud": {"up": "north"}}, "'up' must be one of x, -x, y, -y, z, -z, got 'north'"),
        ({"T_world_cloud": {"up": "y", "rotation": [0, 0, 0, 1]}}, "'up' or 'rotation', not both"),
        ({"T_world_cloud": {"rotation": [0, 0, 0, 0]}}, r"unit quaternion \[x, y, z, w\]"),
        ({"T_world_cloud": {"rotation": [0, 0, 1]}}, "list of 4 numbers"),
        ({"T_world_cloud": {"positon": [0, 0, 1]}}, "did you mean 'position'"),
        ({"start_region": [0, 1]}, "start_region: expected keys with values"),
        ({"start_region": {"min": [0, 0, 0]}}, r"start_region\.max: is missing"),
        ({"start_region": {"min": [0, 0, math.inf], "max": [1, 1, 1]}}, "min: expected a list of 3 numbers"),
        ({"metres_per_unit": -2}, "metres_per_unit: expected a positive number, got -2"),
        ({"T_world_cloud": {"rotation": [0, 0, math.nan, 1]}}, "list of 4 numbers"),
        ({"T_world_cloud": {"rotation": [0, 0, 1, 1]}}, "unit quaternion"),
        ({"objects": {"cloud": "x.ply"}}, "objects: expected a list"),
        ({"start": {"yaw": 1}}, r"start\.position: is missing"),
        ({"start": {"position": [0, 0, 0], "yaw": "left"}}, "yaw: expected a number"),
        ({"cloud": None}, "names no cloud"),
        ({"cloud": 7}, "cloud: expected text"),
        ({"graph": ["a"]}, "graph: expected text"),
    ],
)
def test_wrong_keys_and_values(tmp_path: Path, keys: dict[str, Any], complaint: str) -> None:
    path = scene_yaml(tmp_path, **keys)
    with pytest.raises(ConfigError, match=complaint) as caught:
        load_scene(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "cloud: [", "\x00"])
def test_no_scene_file_at_all(tmp_path: Path, text: str) -> None:
    (tmp_path / "scene.yaml").write_text(text)
    with pytest.raises(ConfigError, match=r"scene\.yaml"):
        load_scene(tmp_path)


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no scene at .*nowhere"):
        load_scene(tmp_path / "nowhere")
    with pytest.raises(FormatError, match=r"cannot read .*gone\.ply"):
        load_scene(scene_yaml(tmp_path, cloud="gone.ply"))
    with pytest.raises(FormatError, match=r"gone\.json"):
        load_scene(scene_yaml(tmp_path, graph="gone.json"))


def test_empty_bounds(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="are empty; set 'bounds' with min below max"):
        load_scene(scene_yaml(tmp_path, bounds={"min": [0, 0, 0], "max": [1, 0, 1]}))


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    (tmp_path / "kitchen").mkdir()
    scene_yaml(tmp_path / "kitchen", name="The kitchen")
    save_ply(random_cloud(5), tmp_path / "garden.ply")
    (tmp_path / "attic.yaml").write_text("cloud: garden.ply\n")
    (tmp_path / "notes.txt").write_text("no scene\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_scenes_of_a_folder(scenes: Path) -> None:
    assert list_scenes(scenes) == {
        "attic": scenes / "attic.yaml",
        "garden": scenes / "garden.ply",
        "kitchen": scenes / "kitchen",
    }
    for name in list_scenes(scenes):
        assert len(load_scene(find_scene(scenes, name)).cloud) > 0


@pytest.mark.parametrize("place", ["kitchen", "kitchen/scene.yaml"])
def test_one_scene_is_called_as_its_folder(scenes: Path, place: str) -> None:
    assert find_scene(scenes / place, "kitchen") == scenes / place
    with pytest.raises(UnknownNameError, match="known: kitchen"):
        find_scene(scenes / place, "garden")


def test_a_scene_file_goes_before_the_cloud_of_its_name(tmp_path: Path) -> None:
    save_cloud(random_cloud(50), tmp_path / "kitchen.spz")
    (tmp_path / "kitchen.yaml").write_text("cloud: kitchen.spz\nmetres_per_unit: 2\n")
    scenesplat(tmp_path / "lab", random_cloud(50))
    (tmp_path / "lab.yaml").write_text("cloud: lab\nfloor: 0.5\n")
    save_cloud(random_cloud(50), tmp_path / "attic.spz")
    assert list_scenes(tmp_path) == {
        "attic": tmp_path / "attic.spz",
        "kitchen": tmp_path / "kitchen.yaml",
        "lab": tmp_path / "lab.yaml",
    }
    assert list(list_scenes(tmp_path)) == ["attic", "kitchen", "lab"]
    bare = load_scene(tmp_path / "kitchen.spz")
    assert load_scene(find_scene(tmp_path, "kitchen")).cloud.means == pytest.approx(2 * bare.cloud.means, abs=1e-5)


def test_classes_are_written_and_read(tmp_path: Path) -> None:
    scene = load_scene(scenesplat(tmp_path / "lab", random_cloud(500)))
    assert scene.classes is not None
    assert scene.classes.any()
    folder = save_scene(tmp_path / "saved", None, None, scene.cloud, classes=scene.classes)
    again = load_scene(folder)
    assert again.classes is not None
    assert again.classes.tolist() == scene.classes.tolist()
    assert again.classes.dtype == np.int32
    (folder / "classes.npy").unlink()
    with pytest.raises(FormatError, match=r"cannot read .*classes\.npy"):
        load_scene(folder)


@pytest.mark.parametrize("metric", [True, False, None])
def test_whether_the_scale_is_known(tmp_path: Path, metric: bool | None) -> None:
    cloud, graph = small_room()
    assert load_scene(save_scene(tmp_path / "r", None, graph, cloud, metric=metric)).metric is metric


@pytest.mark.parametrize("name", ["1e-1", "on", "2024-05-01", "08", "true", "~"])
def test_names_that_look_like_values(tmp_path: Path, name: str) -> None:
    cloud, graph = small_room()
    assert load_scene(save_scene(tmp_path / "r", None, graph, cloud, name=name, shows=name)).name == name


def test_a_start_outside_the_bounds(tmp_path: Path) -> None:
    keys = {"bounds": {"min": [0, 0, 0], "max": [1, 1, 1]}, "start": {"position": [5, 0, 0]}}
    with pytest.raises(SceneError, match=r"scene\.yaml: the start .* lies outside the bounds"):
        load_scene(scene_yaml(tmp_path, **keys))
    cloud, graph = small_room()
    with pytest.raises(SceneError, match="lies outside the bounds"):
        save_scene(tmp_path / "r", None, graph, cloud, start=Viewpoint(9, 9, 9, 0, 0))
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("keys", [{"metres_per_unit": 1e39}, {"T_world_cloud": {"position": [0, 1e300, 0]}}])
def test_numbers_out_of_range_name_the_file(tmp_path: Path, keys: dict[str, Any]) -> None:
    with pytest.raises(SceneError, match=r"scene\.yaml: with .* larger than numbers reach"):
        load_scene(scene_yaml(tmp_path, **keys))


def test_messages_stay_short(tmp_path: Path) -> None:
    bomb = "a0: &a0 [lol, lol, lol, lol]\n" + "".join(
        f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 9)
    )
    save_ply(random_cloud(5), tmp_path / "c.ply")
    texts = (
        f"{bomb}cloud: *a8\n",
        f"cloud: c.ply\nfloor: {'9' * 399}\n",
        f"cloud: {'x' * 9000}\n",
        f"cloud: ${{{'x' * 900}}}\n",
        f"cloud: c.ply\n{'x' * 900}: 1\n",
        f"cloud: c.ply\nmetric: {'x' * 9000}\n",
    )
    for text in texts:
        (tmp_path / "scene.yaml").write_text(text)
        with pytest.raises(ConfigError, match=r"scene\.yaml") as caught:
            load_scene(tmp_path)
        assert len(str(caught.value)) < 600 + len(str(tmp_path))


def test_unknown_names_and_places(scenes: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown scene 'kichen' in .*did you mean 'kitchen'\?"):
        find_scene(scenes, "kichen")
    with pytest.raises(ConfigError, match=r"no scenes at '.*nowhere'; set world\.scenes"):
        find_scene(scenes / "nowhere", "kitchen")
    with pytest.raises(ConfigError, match=r"set world\.scenes"):
        find_scene("", "kitchen")


def test_the_graph_alone_holds_placed_objects_too(tmp_path: Path) -> None:
    make_scene(3, tmp_path / "room", "room")
    before = load_graph(tmp_path / "room")
    save_ply(
        load_scene(tmp_path / "room").cloud.select(np.arange(400)).transformed(np.eye(4), 0.05),
        tmp_path / "room" / "dot.ply",
    )
    document = yaml.safe_load((tmp_path / "room" / "scene.yaml").read_text())
    document["objects"] = [{"cloud": "dot.ply", "label": "model", "position": [0.0, 0.0]}]
    (tmp_path / "room" / "scene.yaml").write_text(yaml.safe_dump(document))
    after = load_graph(tmp_path / "room")
    assert [node.label for node in after.nodes[len(before.nodes) :]] == ["model"]
    assert after == load_scene(tmp_path / "room").graph


def test_where_episodes_start_is_read_without_a_cloud(tmp_path):
    (tmp_path / "scene.yaml").write_text(
        "cloud: none.ply\nstart: {position: [1.0, 2.0, 1.2], yaw: 0.5}\n", encoding="utf-8"
    )
    assert scene_start(tmp_path) == scene_start(tmp_path / "scene.yaml") == Viewpoint(1.0, 2.0, 1.2, 0.5, 0.0)
    (tmp_path / "scene.yaml").write_text("cloud: none.ply\n", encoding="utf-8")
    assert scene_start(tmp_path) is None
    assert scene_start(tmp_path / "bare.ply") is None
    (tmp_path / "scene.yaml").write_text("start: {place: [1.0, 2.0, 1.2]}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="start"):
        scene_start(tmp_path)
