"""Damaged scene files and graphs give a scene or one short sentence that names the file; never a traceback."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from plain_renderer import random_cloud
from small_room import small_room

from vantage.decoding import read_yaml, yaml_text
from vantage.errors import VantageError
from vantage.splats.formats.clouds import save_ply
from vantage.splats.scene_file import load_graph, load_scene, save_scene

EACH = 300
ODD = [
    *(
        "[" * 3000,
        "{a: " * 500,
        "9" * 400,
        "9" * 6000,
        "1.0e+39",
        "1e999",
        "-1e-400",
        "-.inf",
        ".nan",
        "0x" + "f" * 399,
    ),
    *("2024-13-45", "!!timestamp x", "!!int x", "!!binary =", "*a", "&a [*a]", "<<", "? ", "- ", "${HOME", "${GONE}/x"),
    *(
        "on",
        "null",
        "true",
        "''",
        '"\\0"',
        '"\\ud800"',
        "\t",
        "\0",
        "é",
        "-0",
        "1e-310",
        "x" * 5000,
        "/dev/zero",
        "..",
        "|\n",
    ),
]
SCENE = {
    "name": "lab",
    "cloud": "c.ply",
    "T_world_cloud": {"up": "-y", "position": [0.0, 0.0, 0.4]},
    "metres_per_unit": 0.8,
    "metric": True,
    "floor": 0.0,
    "bounds": {"min": [-9.0, -9.0, -9.0], "max": [9.0, 9.0, 9.0]},
    "start": {"position": [-1.0, 0.0, 0.5], "yaw": 0.0, "pitch": 0.0},
    "start_region": {"min": [-1.2, -0.2, 0.4], "max": [-0.8, 0.2, 0.6]},
    "shows": "a lab",
    "attribution": "me",
    "objects": [{"cloud": "c.ply", "label": "thing", "position": [0.0, 1.0, 1.0], "yaw": 0.5, "metres_per_unit": 0.1}],
}


def with_other_value(text: str, rng: random.Random) -> str:
    """Another value for a number, a word or a whole line."""
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    before, colon, _ = lines[at].partition(": ")
    if not colon:
        before, colon = lines[at][: len(lines[at]) - len(lines[at].lstrip())], "- " * rng.randrange(2)
    lines[at] = f"{before}{colon}{rng.choice(ODD)}"
    return "\n".join(lines)


def with_other_letters(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(rng.choice([1, 3, 10])):
        letters[rng.randrange(len(letters))] = rng.choice(":-[]{},&*!|>'\"%@`#? \n\t0e.")
    return "".join(letters)


def cut_or_moved(text: str, rng: random.Random) -> str:
    a, b = sorted(rng.sample(range(len(text)), 2))
    return rng.choice([text[:a], text[a:b], text[:a] + text[b:], text[:b] + text[a:]])


DAMAGES = [with_other_value, with_other_letters, cut_or_moved]


def outcome(load: Callable[[], object], place: Path) -> bool:
    """Whether it loads; if not, the sentence is checked."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            load()
        except VantageError as error:
            sentence = str(error)
            assert str(place) in sentence or "scene '" in sentence or "GONE" in sentence or "/dev/zero" in sentence, (
                sentence
            )
            assert len(sentence) < 700 + 3 * len(str(place)), sentence
            return False
    return True


@pytest.mark.parametrize("damage", DAMAGES)
def test_scene_files(
    damage: Callable[[str, random.Random], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    save_ply(random_cloud(50), tmp_path / "c.ply")
    path = tmp_path / "scene.yaml"
    text = yaml_text(SCENE)
    path.write_text(text)
    load_scene(path)
    good = 0
    for seed in range(EACH):
        path.write_text(damage(text, random.Random(f"scene {seed}")), encoding="utf-8")
        good += outcome(lambda: load_scene(path), tmp_path)
    assert EACH // 100 < good < EACH * 9 // 10
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("damage", DAMAGES)
def test_graphs(damage: Callable[[str, random.Random], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cloud, graph = small_room()
    folder = save_scene(tmp_path / "room", None, graph, cloud)
    path = folder / "graph.json"
    text = path.read_text()
    good = 0
    for seed in range(EACH):
        path.write_text(damage(text, random.Random(f"graph {seed}")), encoding="utf-8")
        good += outcome(lambda: load_graph(folder), folder)
    assert good < EACH * 9 // 10
    assert capfd.readouterr() == ("", "")


def test_the_file_is_read_back_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(yaml_text(SCENE))
    assert read_yaml(tmp_path / "scene.yaml") == SCENE
