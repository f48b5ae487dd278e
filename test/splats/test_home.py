"""Homes without a cloud: written, loaded, and told apart from scenes that lack one by mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vantage.errors import ConfigError, FormatError, SceneError
from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.generator.generator import generate_home
from vantage.splats.home import is_unpainted, load_home
from vantage.splats.scene_file import find_scene, list_scenes, load_graph, load_scene, save_scene
from vantage.splats.synthesis.from_spec import make_scene


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_scene(8, tmp_path_factory.mktemp("homes") / "home_8", "home_8", cloud=False)


def test_a_home_without_a_cloud_has_all_but_the_cloud(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"spec.json", "graph.json", "scene.yaml"}
    assert "cloud" not in (folder / "scene.yaml").read_text()
    assert is_unpainted(folder)
    assert is_unpainted(folder / "scene.yaml")
    assert not is_unpainted(folder / "spec.json")


def test_it_is_found_among_scenes_and_loaded(folder: Path) -> None:
    assert list(list_scenes(folder.parent)) == ["home_8"]
    home = load_home(find_scene(folder.parent, "home_8"))
    assert home.spec == generate_home(8, 1, "home_8")
    assert home.graph.to_json() == load_graph(folder).to_json()
    assert home.name == "home_8"
    assert home.bounds_min == home.spec.bounds_min
    assert home.start_region is not None
    assert "generated room" in home.shows
    assert not check_placement(home.spec)


def test_a_home_with_a_cloud_loads_the_same_way(folder: Path, tmp_path: Path) -> None:
    painted = make_scene(8, tmp_path / "home_8", "home_8", density=0.2)
    assert not is_unpainted(painted)
    one, other = load_home(painted), load_home(folder)
    assert (one.spec, one.start, one.bounds_max, one.shows) == (other.spec, other.start, other.bounds_max, other.shows)


def test_a_specification_alone_is_a_home(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_bytes((folder / "spec.json").read_bytes())
    home = load_home(tmp_path)
    assert home.spec == load_home(folder).spec
    assert home.start == load_home(folder).start


def test_who_needs_a_cloud_is_told_how_to_make_one(folder: Path) -> None:
    with pytest.raises(ConfigError, match="home without a cloud; paint it with 'vantage scene make --from"):
        load_scene(folder)


def test_a_scene_without_shapes_is_no_home(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "scene.yaml").write_text("name: plant\ncloud: plant.ply\n")
    (tmp_path / "plant.ply").write_bytes(b"")
    with pytest.raises(SceneError, match=r"holds no spec\.json"):
        load_home(tmp_path)
    with pytest.raises(ConfigError, match="no home at"):
        load_home(tmp_path / "nowhere")
    with pytest.raises(SceneError, match="would hold no cloud and no home"):
        save_scene(tmp_path / "empty", None, None, None)
    with pytest.raises(SceneError, match="would hold no cloud and no home"):
        save_scene(tmp_path / "empty", load_home(folder).spec, None, None)


def test_captures_placed_into_a_home_have_no_shapes(tmp_path: Path, folder: Path) -> None:
    for name in ("spec.json", "graph.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    text = (folder / "scene.yaml").read_text()
    entry = "objects:\n- {cloud: cup.ply, label: cup, at: [0.0, 0.0, 0.0]}\n"
    (tmp_path / "scene.yaml").write_text(text + entry)
    (tmp_path / "cup.ply").write_bytes(b"")
    with pytest.raises((SceneError, ConfigError)):
        load_home(tmp_path)


def test_a_broken_specification_is_refused(tmp_path: Path, folder: Path) -> None:
    record = json.loads((folder / "spec.json").read_text())
    record["schema"] = "something/else"
    (tmp_path / "spec.json").write_text(json.dumps(record))
    with pytest.raises(FormatError):
        load_home(tmp_path)
