"""``vantage scene info``: for people and for scripts, of scenes, files and folders."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from one_action import run_action
from plain_renderer import random_cloud
from small_room import small_room
from turned_rooms import table_with_box

from vantage.cli.main import Result
from vantage.cli.scene_info import add_parser
from vantage.errors import ConfigError, FormatError
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import save_cloud, save_ply
from vantage.splats.scene_file import load_scene, save_scene


def info(path: Path, *words: str) -> Result:
    return run_action(add_parser, "info", str(path), *words)


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
