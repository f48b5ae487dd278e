"""``vantage scene info``: for people and for scripts, of scenes, files and folders.

``vantage scene make`` and ``vantage scene check``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from one_action import run_action
from plain_renderer import random_cloud
from small_room import small_room
from turned_rooms import table_with_box

from vantage.cli.main import Result, main
from vantage.cli.scene import add_info_parser
from vantage.errors import ConfigError, FormatError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec_file import load_spec, save_spec
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import save_cloud, save_ply
from vantage.splats.scene_file import load_scene, save_scene


@pytest.fixture(scope="module")
def home():
    return generate_home(2, 2)


def test_a_sound_home(home, tmp_path, capsys):
    save_spec(home, tmp_path / "spec.json")
    assert main(["scene", "check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("'home_2' is sound: 2 rooms, ")
    assert main(["scene", "check", str(tmp_path / "spec.json"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["schema"], data["ok"], data["rooms"], data["faults"]) == ("vantage.scene.check/1", True, 2, [])


def test_a_home_edited_by_hand(home, tmp_path, capsys):
    obj = next(obj for obj in home.objects if not obj.is_structure and not obj.parent)
    x, y, z = obj.position
    lifted = replace(obj, position=(x, y, z + 0.1))
    objects = tuple(lifted if each is obj else each for each in home.objects)
    save_spec(replace(home, objects=objects), tmp_path / "spec.json")
    assert main(["scene", "check", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert f"{obj.label} {obj.instance_id} has its base at z = 0.100 m and nothing under it" in out
    assert main(["scene", "check", str(tmp_path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert not data["ok"]
    assert ("floating", obj.instance_id) in {(fault["kind"], fault["instance_id"]) for fault in data["faults"]}


def test_a_folder_without_a_specification(tmp_path, capsys):
    assert main(["scene", "check", str(tmp_path)]) == 1
    assert "holds no spec.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rooms", "0"], "--rooms must be from 1 to 10, got 0"),
        (["--rooms", "11"], "--rooms must be from 1 to 10, got 11"),
        (["--rooms", "-3"], "--rooms must be from 1 to 10, got -3"),
        (["--rooms", "two"], "invalid int value: 'two'"),
        (["--seed", "-1"], "must be at least 0, got -1"),
        (["--count", "0"], "must be at least 1, got 0"),
    ],
)
def test_impossible_homes(words, said, tmp_path, capsys):
    assert main(["scene", "make", *words, "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_one_home_of_several_rooms_is_made(tmp_path, capsys):
    assert main(["scene", "make", "--rooms", "2", "--seed", "3", "--out", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["home_3"]
    assert len(load_spec(tmp_path / "home_3" / "spec.json").rooms) == 2
    assert main(["scene", "check", str(tmp_path / "home_3")]) == 0
    capsys.readouterr()
    assert main(["scene", "make", "--rooms", "2", "--seed", "3", "--out", str(tmp_path)]) == 1
    assert "exists already" in capsys.readouterr().err


def info(path: Path, *words: str) -> Result:
    return run_action(add_info_parser, "info", str(path), *words)


def test_a_scene(tmp_path: Path) -> None:
    cloud, graph = small_room()
    folder = save_scene(
        tmp_path / "r", None, graph, cloud, start=Viewpoint(1, 1, 1, 0.5, 0), shows="a room", attribution="me"
    )
    result = info(folder)
    data = json.loads(json.dumps(result.data, allow_nan=False))
    assert data["name"] == "room"
    assert data["gaussians"] == len(cloud)
    assert (data["objects"], data["instances"], data["classes"]) == (8, 8, None)
    assert data["start_region"] == [[0.75, 0.75, 0.75], [1.25, 1.25, 1.25]]
    assert data["fingerprint"] == load_scene(folder).fingerprint
    assert data["median_opacity"] == pytest.approx(0.95)
    assert sum(data["opacity_histogram"]) == len(cloud)
    assert set(data["scale_percentiles"]) == {"5", "50", "95", "99.9"}
    assert data["bounds_max"] == [4.0, 3.0, 2.5]
    for word in ("room", "SH degree 0", "floaters", "start region", "a room", "me", "confidence"):
        assert word in result.text


@pytest.mark.parametrize("suffix", [".ply", ".splat", ".spz", ".compressed.ply"])
def test_every_format(tmp_path: Path, suffix: str) -> None:
    save_cloud(table_with_box(), tmp_path / f"box{suffix}")
    data = info(tmp_path / f"box{suffix}").data
    assert data["gaussians"] == len(table_with_box())
    assert data["up"] == "z"
    assert data["units"] == "unknown"


@pytest.mark.parametrize(("metric", "words"), [(True, "known, 1 unit"), (False, "not known, 1 unit"), (None, "")])
def test_whether_the_scale_is_known(tmp_path: Path, metric: bool | None, words: str) -> None:
    cloud, graph = small_room()
    result = info(save_scene(tmp_path / "r", None, graph, cloud, metric=metric))
    assert result.data["metric"] is metric
    assert [line.split(maxsplit=1)[1] for line in result.text.splitlines() if line.startswith("scale")] == (
        [f"{words} of the scene {'is' if metric else 'counts as'} 1 m"] if words else []
    )


def test_odd_clouds(tmp_path: Path) -> None:
    save_ply(random_cloud(3, degree=3), tmp_path / "few.ply")
    result = info(tmp_path / "few.ply", "--json")
    assert (result.data["up"], result.data["up_confidence"], result.data["sh_degree"]) == ("", 0.0, 3)
    assert "too few" in result.text


def test_a_folder_of_arrays(tmp_path: Path) -> None:
    cloud = table_with_box()
    parts = {"coord": cloud.means, "color": np.full((len(cloud), 3), 128, np.uint8), "scale": cloud.scales}
    parts |= {"quat": cloud.quaternions, "opacity": cloud.opacities}
    parts |= {"segment": np.arange(len(cloud)) % 4 - 1, "instance": np.arange(len(cloud)) % 8 - 1}
    for name, values in parts.items():
        np.save(tmp_path / f"{name}.npy", values)
    data = info(tmp_path).data
    assert data["gaussians"] == len(cloud)
    assert data["classes"] == 3
    assert data["instances"] == 7


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no scene at"):
        info(tmp_path / "gone.ply")
    (tmp_path / "cut.ply").write_bytes(b"ply\nformat")
    with pytest.raises(FormatError, match=r"cut\.ply"):
        info(tmp_path / "cut.ply")


def test_an_empty_cloud(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        save_ply(GaussianCloud.empty(), tmp_path / "none.ply")
        info(tmp_path / "none.ply")


@pytest.mark.needs("house")
def test_a_home_is_checked_as_bodies(tmp_path, capsys):
    save_spec(generate_home(4), tmp_path / "spec.json")
    assert main(["scene", "check", str(tmp_path), "--physics", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["physics"]["faults"] == []
    assert data["physics"]["rooms_reached"] == data["physics"]["rooms"] == 1
    assert data["physics"]["farthest_m"] < 0.01
    assert main(["scene", "check", str(tmp_path), "--physics"]) == 0
    assert "things can be picked up" in capsys.readouterr().out
