"""``vantage scene convert`` between ProcTHOR houses and homes."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vantage.cli import scene, scene_convert
from vantage.cli.main import Result
from vantage.errors import FormatError, SceneError, UsageError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.design import Design
from vantage.scenes.geometry.movement import posed
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.procthor.fitting import closed_extent
from vantage.splats.home import load_home
from vantage.splats.scene_file import load_scene
from vantage.splats.synthesis.from_spec import save_home


@pytest.fixture(autouse=True)
def _no_real_data(monkeypatch):
    monkeypatch.delenv("VANTAGE_DATA", raising=False)


def convert(*words: Any) -> Result:
    parser = argparse.ArgumentParser()
    scene_convert.add_parser(parser.add_subparsers(required=True))
    parsed = parser.parse_args(["convert", *map(str, words)])
    result: Result = parsed.run(parsed)
    return result


def corner(x, y, z):
    return {"x": x, "y": y, "z": z}


@pytest.fixture
def house(tmp_path):
    """A file with one small office that has a mug on a table."""
    floor = [(0, 0), (0, 2.5), (2, 2.5), (2, 0)]
    walls = [
        {
            "id": f"wall|1|{number}",
            "roomId": "room|1",
            "polygon": [corner(*a[:1], y, *a[1:]) for y in (0, 2.5) for a in (start, end)],
        }
        for number, (start, end) in enumerate(zip(floor, [*floor[1:], floor[0]], strict=True))
    ]
    flat = {"rotation": corner(0, 90, 0), "kinematic": False}
    mug = {"id": "small|1", "assetId": "Mug_1", "position": corner(1, 0.8, 1.2), **flat}
    table = {"id": "1|0", "assetId": "Dining_Table_1", "position": corner(1, 0.375, 1.2), **flat, "children": [mug]}
    document = {
        "rooms": [
            {"id": "room|1", "roomType": "Office", "floorPolygon": [corner(x, 0, z) for x, z in floor]},
        ],
        "walls": walls,
        "doors": [],
        "windows": [],
        "objects": [table],
        "metadata": {"schema": "1.0.0"},
    }
    path = tmp_path / "house.jsonl"
    path.write_text(json.dumps(document) + "\n")
    return path


def test_a_house_becomes_a_home_and_a_house_again(house, tmp_path):
    result = convert(house, "--index", 0, "--out", tmp_path / "home")
    assert (result.data["rooms"], result.data["things"]) == (1, 2)
    assert result.data["missing_assets"] == ["Dining_Table_1", "Mug_1"]
    assert "warning" in result.text
    made = load_scene(tmp_path / "home")
    assert made.graph is not None
    assert sorted(node.label for node in made.graph.objects()) == ["mug", "table"]
    assert made.start is not None
    assert set(made.cloud.instances.tolist()) >= {node.instance_id for node in made.graph.objects()}

    back = convert(tmp_path / "home", tmp_path / "back.json")
    assert back.data["things"] == 2
    convert(tmp_path / "back.json", tmp_path / "again")
    again = SceneGraph.load(tmp_path / "again" / "graph.json")
    assert [replace(node, instance_id=0, parent=0).label for node in again.objects()] == ["table", "mug"]
    assert again.rooms == made.graph.rooms


def test_a_house_may_become_a_home_without_a_cloud_and_what_stands_ajar_is_open_in_a_house(house, tmp_path):
    result = convert(house, tmp_path / "home", "--no-cloud")
    assert result.data["gaussians"] == 0
    assert "no cloud" in result.text
    home = load_home(tmp_path / "home")
    assert sorted(node.label for node in home.graph.objects()) == ["mug", "table"]

    room = generate_home(3, 1, "ajar")
    doors = {(obj.instance_id, joint.part): 0.4 * joint.high for obj in room.objects for joint in obj.joints}
    save_home(posed(room, doors), tmp_path / "ajar", "doors ajar", cloud=False)
    convert(tmp_path / "ajar", tmp_path / "ajar.json")
    told = json.loads((tmp_path / "ajar.json").read_text())["objects"]
    waiting, opened = list(told), {}
    while waiting:
        each = waiting.pop()
        waiting += each.get("children", [])
        opened[int(each["id"].split("|")[1])] = each["vantage"]["open"], each["vantage"]["size"]
    for obj in room.objects:
        if obj.joints and obj.instance_id in opened:
            assert opened[obj.instance_id][0] == [joint.part for joint in obj.joints]
            low, high = closed_extent(Design(obj.parts, (), obj.joints))
            assert opened[obj.instance_id][1] == pytest.approx(np.subtract(high, low), abs=2e-6)


def check(*words: Any) -> Result:
    parser = argparse.ArgumentParser()
    scene.add_check_parser(parser.add_subparsers(required=True))
    parsed = parser.parse_args(["check", *map(str, words)])
    result: Result = parsed.run(parsed)
    return result


def test_houses_are_imported_and_checked(house, tmp_path):
    one = check(house)
    assert one.done
    assert (one.data["rooms"], one.data["things"], one.data["faults"]) == (1, 2, [])
    assert one.data["missing_assets"] == ["Dining_Table_1", "Mug_1"]
    assert "warning: 2 assets have the usual sizes" in one.text
    house.write_text(house.read_text() * 2)
    assert [each["name"] for each in check(house).data["houses"]] == ["house_0", "house_1"]
    assert check(house, "--index", 1).data["name"] == "house_1"
    with pytest.raises(SceneError, match="has no house 2"):
        check(house, "--index", 2)
    house.write_text("{}")
    with pytest.raises(FormatError, match="lacks 'metadata'"):
        check(house)


def test_a_house_that_is_refused_does_not_hide_the_others(house, tmp_path):
    good = house.read_text()
    house.write_text(good + '{"rooms":\n' + good.replace("1.0.0", "7.0.0") + good)
    found = check(house)
    assert not found.done
    assert [each["name"] for each in found.data["houses"]] == ["house_0", "house_3"]
    assert [each["index"] for each in found.data["refused"]] == [1, 2]
    assert "refused: cannot read house 1 of" in found.text
    assert "refused: house 2 of" in found.text
    assert found.text.endswith("2 of 4 houses can be imported")
    with pytest.raises(FormatError, match=r"schema version '7\.0\.0'"):
        check(house, "--index", 2)


def test_nothing_is_overwritten(house, tmp_path):
    convert(house, tmp_path / "home")
    with pytest.raises(SceneError, match="exists already"):
        convert(house, tmp_path / "home")
    convert(tmp_path / "home", tmp_path / "back.json")
    with pytest.raises(SceneError, match="--force"):
        convert(tmp_path / "home", tmp_path / "back.json")
    convert(tmp_path / "home", tmp_path / "back.json", "--force")


def test_what_cannot_be_converted(house, tmp_path):
    with pytest.raises(SceneError, match="has no house 3"):
        convert(house, tmp_path / "home", "--index", 3)
    assert not (tmp_path / "home").exists()
    with pytest.raises(UsageError, match="OUT once"):
        convert(house)
    with pytest.raises(UsageError, match="OUT once"):
        convert(house, tmp_path / "a", "--out", tmp_path / "b")
    with pytest.raises(FormatError, match="cannot read"):
        convert(house, tmp_path / "home", "--assets", tmp_path / "nowhere.json")
    with pytest.raises(SceneError, match=r"no spec\.json"):
        convert(tmp_path, tmp_path / "house.json")
