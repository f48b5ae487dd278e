"""``vantage scene make`` and ``vantage scene check``."""

import json
from dataclasses import replace

import pytest

from vantage.cli.main import main
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec_file import load_spec, save_spec


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
    thing = next(thing for thing in home.objects if not thing.is_structure and not thing.parent)
    x, y, z = thing.position
    lifted = replace(thing, position=(x, y, z + 0.1))
    objects = tuple(lifted if each is thing else each for each in home.objects)
    save_spec(replace(home, objects=objects), tmp_path / "spec.json")
    assert main(["scene", "check", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert f"{thing.label} {thing.instance_id} has its base at z = 0.100 m and nothing under it" in out
    assert main(["scene", "check", str(tmp_path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert not data["ok"]
    assert ("floating", thing.instance_id) in {(fault["kind"], fault["instance_id"]) for fault in data["faults"]}


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
