"""``vantage scene align``: the scene file it writes, the one length it asks for, and what it refuses."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from one_action import run_action
from turned_rooms import blob, ceiling, sparse_room, table_with_box, turned

from vantage.cli.main import Result
from vantage.cli.scene_align import add_parser
from vantage.errors import ConfigError, SceneError, UsageError
from vantage.splats.formats.clouds import save_ply
from vantage.splats.scene_file import load_scene

QUATERNION = (0.3, -0.5, 0.2, 0.7)


def align(*words: str | Path) -> Result:
    return run_action(add_parser, "align", *map(str, words))


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    save_ply(turned(table_with_box(), QUATERNION, 2.0, (1, 2, 3))[0], tmp_path / "box.ply")
    return tmp_path / "box.ply"


def test_a_known_height(capture: Path) -> None:
    out = capture.parent / "scene.yaml"
    result = align(capture, "--out", out, "--height", "0.3")
    scene = load_scene(out)
    assert yaml.safe_load(out.read_text())["cloud"] == "box.ply"
    assert result.data["metres_per_unit"] == pytest.approx(0.25, rel=0.02)
    assert result.data["metric"] is True
    assert result.data["warnings"] == []
    heights = scene.cloud.means[:, 2]
    assert np.percentile(heights, [5, 99.8]) == pytest.approx([0.0, 0.3], abs=0.01)
    json.dumps(result.data, allow_nan=False)
    assert len(result.text.splitlines()) == 5


def test_a_known_length_between_two_points(capture: Path) -> None:
    ends = ["--from=0,0,0", "--to=-3,4,0", "--metres", "2.5"]
    result = align(capture, "--out", capture.parent / "scene.yaml", *ends)
    assert result.data["metres_per_unit"] == pytest.approx(0.5)


def test_no_known_length(capture: Path) -> None:
    out = capture.parent / "scene.yaml"
    result = align(capture, "--out", out)
    assert result.data["metric"] is False
    assert "the scale is not metric" in result.data["warnings"][0]
    assert "--height METRES" in result.text
    assert out.read_text().startswith("# The scale is not known")
    assert load_scene(out).cloud.means[:, 2].max() > 1.0


def test_what_is_not_known_stays_so(capture: Path) -> None:
    out = capture.parent / "scene.yaml"
    align(capture, "--out", out)
    assert load_scene(out).metric is False
    again = align(out, "--out", out)
    assert again.data["metric"] is False
    assert again.data["metres_per_unit"] == 1.0
    assert "kept" not in again.text
    assert "the scale is not metric" in again.data["warnings"][0]
    assert load_scene(out).metric is False
    out.write_text(out.read_text().replace("metres_per_unit: 1.0", "metres_per_unit: 0.5"))
    assert align(out, "--out", out).data["metres_per_unit"] == 0.5
    assert "one unit of the cloud counts as 0.5 m" in out.read_text()
    assert align(out, "--out", out, "--height", "0.3").data["metric"] is True
    assert load_scene(out).metric is True
    assert "kept from" in align(out, "--out", out).text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "unit"), [("0.3\n", 0.25), ("\n", 1.0)])
def test_a_person_is_asked(capture: Path, monkeypatch: pytest.MonkeyPatch, answer: str, unit: float) -> None:
    asked = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr", asked)
    result = align(capture, "--out", capture.parent / "scene.yaml")
    assert result.data["metres_per_unit"] == pytest.approx(unit, rel=0.02)
    assert "How many metres is that?" in asked.getvalue()


@pytest.mark.parametrize("answer", ["tall\n", "-1\n", "nan\n"])
def test_odd_replies(capture: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr", Terminal())
    with pytest.raises(UsageError, match="a height must be a positive number of metres"):
        align(capture, "--out", capture.parent / "scene.yaml")
    assert not (capture.parent / "scene.yaml").exists()


def test_scripts_are_not_asked(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("0.3\n"))
    monkeypatch.setattr("sys.stderr", Terminal())
    assert align(capture, "--out", capture.parent / "scene.yaml", "--json").data["metric"] is False


def test_a_room(tmp_path: Path) -> None:
    save_ply(turned(sparse_room(1), QUATERNION, 3.0)[0], tmp_path / "room.ply")
    height = ceiling(1)
    result = align(tmp_path / "room.ply", "--out", tmp_path / "scene.yaml", "--height", str(height))
    assert result.data["room"] is True
    assert result.data["metres_per_unit"] == pytest.approx(1 / 3, rel=0.01)
    assert result.data["size"][2] == pytest.approx(height)
    scene = load_scene(tmp_path / "scene.yaml")
    assert np.percentile(scene.cloud.means[:, 2], [2, 99]) == pytest.approx([0, height], abs=0.02)


def test_a_scene_file_is_written_anew(capture: Path) -> None:
    path = capture.parent / "scene.yaml"
    align(capture, "--out", path, "--height", "0.3")
    first = path.read_text()
    path.write_text(first + "shows: a box\nattribution: me\n")
    result = align(path, "--out", path)
    assert "kept from" in result.text
    again = yaml.safe_load(path.read_text())
    assert again.pop("shows") == "a box"
    assert again.pop("attribution") == "me"
    assert again == yaml.safe_load(first)


@pytest.mark.parametrize("words", [["--up", "-y"], ["--up=-y"]])
def test_the_sign_is_given(tmp_path: Path, words: list[str]) -> None:
    save_ply(sparse_room(2).transformed(np.eye(4)), tmp_path / "room.ply")
    result = align(tmp_path / "room.ply", "--out", tmp_path / "scene.yaml", *words)
    assert result.data["nearest_axis"] == "-y"
    assert result.data["up"] == pytest.approx([0, -1, 0], abs=0.01)


def test_the_same_words_give_the_same_file(capture: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        align(capture, "--out", capture.parent / name, "--seed", "4", "--metres-per-unit", "1")
    assert (capture.parent / "a.yaml").read_bytes() == (capture.parent / "b.yaml").read_bytes()


def test_no_floor(tmp_path: Path) -> None:
    save_ply(blob(), tmp_path / "blob.ply")
    with pytest.raises(SceneError, match=r"blob\.ply: no floor was found.* with --up, such as --up -y"):
        align(tmp_path / "blob.ply", "--out", tmp_path / "scene.yaml")
    result = align(tmp_path / "blob.ply", "--out", tmp_path / "scene.yaml", "--up", "z", "--metres-per-unit", "1")
    assert result.data["warnings"] == ["no floor was found that way up; the lowest points count as the floor"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--height", "0"], "--height must be a positive number, got 0"),
        (["--height", "nan"], "--height must be a positive number"),
        (["--height", "tall"], "invalid float value: 'tall'"),
        (["--metres-per-unit", "-2"], "--metres-per-unit must be a positive number"),
        (["--metres", "1"], "a known length needs all of --from, --to and --metres"),
        (["--from", "0,0,0", "--to", "1,0,0"], "a known length needs all of"),
        (["--from", "0,0,0", "--to", "0,0,0", "--metres", "1"], "are the same point"),
        (["--from", "0,0", "--to", "0,0,1", "--metres", "1"], "--from needs three numbers x,y,z, got '0,0'"),
        (["--from", "0,0,0", "--to", "0,0,nan", "--metres", "1"], "--to needs finite numbers"),
        (["--height", "1", "--metres-per-unit", "1"], "give one known length"),
        (["--up", "north"], "--up must be one of x, -x, y, -y, z, -z, got 'north'"),
        (["--up"], "--up must be one of"),
        (["--seed", "-1"], "must be at least 0"),
    ],
)
def test_wrong_usage(capture: Path, words: list[str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        align(capture, "--out", capture.parent / "scene.yaml", *words)
    assert not (capture.parent / "scene.yaml").exists()


def test_other_files_are_left_alone(capture: Path) -> None:
    other = capture.parent / "other.yaml"
    other.write_text("mine\n")
    with pytest.raises(UsageError, match=r"other\.yaml exists already"):
        align(capture, "--out", other)
    with pytest.raises(UsageError, match=r"--out must end in \.yaml"):
        align(capture, "--out", capture)
    with pytest.raises(ConfigError, match="no capture at"):
        align(capture.parent / "gone.ply", "--out", capture.parent / "scene.yaml")
    assert other.read_text() == "mine\n"


@pytest.mark.parametrize("name", ["plant", "tarot"])
def test_real_captures(data_folder: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VANTAGE_DATA", str(data_folder))
    capture = Path(__file__).parents[2] / "config" / "captures" / f"{name}.yaml"
    assert load_scene(capture).metric is False
    assert align(capture, "--out", tmp_path / "unknown.yaml").data["metric"] is False
    result: Any = align(capture, "--out", tmp_path / "scene.yaml", "--height", "0.3").data
    assert result["nearest_axis"] == "-y"
    assert result["degrees_from_axis"] < 1.5
    scene = load_scene(tmp_path / "scene.yaml")
    assert scene.attribution == "Marcel Padilla, CC-BY-4.0"
    assert np.percentile(scene.cloud.means[:, 2], 99.5) == pytest.approx(0.3, abs=0.02)


def test_an_axis_far_from_the_floor_is_said(tmp_path: Path) -> None:
    save_ply(
        turned(table_with_box(), (math.sin(0.25), 0.0, 0.0, math.cos(0.25)), 2.0, (1, 2, 3))[0], tmp_path / "a.ply"
    )
    result = align(tmp_path / "a.ply", "--out", tmp_path / "a.yaml", "--height", "0.3", "--up", "z")
    assert result.data["warnings"] == ["up is 29 degrees from z; look at it with vantage scene render"]
