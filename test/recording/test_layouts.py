"""Layouts for Foxglove, Lichtblick and Rerun show topics that exist, of types that their panels draw."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from vantage.files import shared_folder
from vantage.recording import topics
from vantage.recording.interfaces import fields_of

LAYOUTS = {
    "splat": {"/scene/points", "/search/path", "/search/markers", "/search/status"},
    "house": {"/robot_description", "/arm/wrench", "/arm_command", "/search/path", "/search/markers"},
    "rig": {"/robot_description", "/joint_states", "/diagnostics", "/estop", "/search/path", "/search/markers"},
}
OF_ALL = {
    "/camera/image_raw/compressed",
    "/camera/camera_info",
    "/episode",
    "/answer",
    "/noise_report",
    "/command_result",
}
SHOWN_IN_3D = {
    "sensor_msgs/msg/CameraInfo",
    "sensor_msgs/msg/PointCloud2",
    "nav_msgs/msg/Path",
    "visualization_msgs/msg/MarkerArray",
    "geometry_msgs/msg/WrenchStamped",
}
PANELS = {"3D", "Image", "RawMessages", "Plot", "StateTransitions", "DiagnosticSummary"}
OFFERED = {topics.absolute(topic.name): topic for topic in vars(topics).values() if isinstance(topic, topics.Topic)}
FOLDER = shared_folder("config") / "layouts"


def load(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def used(panel: str, settings: Mapping[str, Any]) -> Iterator[tuple[str, set[str] | None]]:
    """Topics of a panel, or paths into their messages, with the types that it draws; None for any."""
    kind = panel.split("!")[0]
    if kind == "3D":
        yield from ((topic, SHOWN_IN_3D) for topic in settings["topics"])
        layers = (each for each in settings["layers"].values() if each.get("sourceType") == "topic")
        yield from ((layer["topic"], {"std_msgs/msg/String"}) for layer in layers)
    elif kind == "Image":
        yield settings["imageMode"]["imageTopic"], {"sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/Image"}
        yield settings["imageMode"]["calibrationTopic"], {"sensor_msgs/msg/CameraInfo"}
    elif kind == "RawMessages":
        yield settings["topicPath"], None
    elif kind == "DiagnosticSummary":
        yield settings["topicToRender"], {"diagnostic_msgs/msg/DiagnosticArray"}
    else:
        yield from ((path["value"], None) for path in settings["paths"])


def problems(layout: Mapping[str, Any]) -> list[str]:
    """What could not be shown, in sentences."""
    found = []
    for panel, settings in layout["configById"].items():
        for path, types in used(panel, settings):
            name, *fields = path.split(".")
            topic = OFFERED.get(name)
            if topic is None:
                found.append(f"{panel}: there is no topic {name}")
            elif topic.is_truth:
                found.append(f"{panel}: {name} is gold data")
            elif types is not None and topic.type not in types:
                found.append(f"{panel}: {name} is a {topic.type}")
            elif not has_field(topic.type, fields):
                found.append(f"{panel}: {topic.type} has no {'.'.join(fields)}")
    return found


def has_field(kind: str, path: list[str]) -> bool:
    if not path:
        return True
    field = dict(fields_of(kind)).get(re.sub(r"\[.*\]$", "", path[0]))
    if field is None:
        return False
    inner = field[1]
    return len(path) == 1 or (isinstance(inner, str) and has_field(inner, path[1:]))


def leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    else:
        assert node["direction"] in ("row", "column")
        assert 0 < node["splitPercentage"] < 100
        yield from leaves(node["first"])
        yield from leaves(node["second"])


def names(layout: Mapping[str, Any]) -> set[str]:
    panels = layout["configById"].items()
    return {path.split(".")[0] for panel, settings in panels for path, _ in used(panel, settings)}


@pytest.mark.parametrize("name", LAYOUTS)
def test_everything_can_be_shown(name: str) -> None:
    layout = load(name)
    assert problems(layout) == []
    assert names(layout) == LAYOUTS[name] | OF_ALL
    assert sorted(leaves(layout["layout"])) == sorted(layout["configById"])
    assert {panel.split("!")[0] for panel in layout["configById"]} <= PANELS


def test_there_is_a_test_for_every_layout() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LAYOUTS)


@pytest.mark.parametrize(
    ("panel", "settings", "words"),
    [
        ("RawMessages!a", {"topicPath": "/answers"}, "there is no topic /answers"),
        ("RawMessages!a", {"topicPath": "/truth/episode"}, "is gold data"),
        ("3D!a", {"topics": {"/answer": {}}, "layers": {}}, "/answer is a vantage_eqa/msg/Answer"),
        ("Plot!a", {"paths": [{"value": "/arm/wrench.wrench.force.w"}]}, "has no wrench.force.w"),
    ],
)
def test_what_could_not_be_shown_is_found(panel: str, settings: dict[str, Any], words: str) -> None:
    (problem,) = problems({"configById": {panel: settings}})
    assert words in problem


def test_the_rerun_script_shows_topics_that_bags_hold() -> None:
    tree = ast.parse((FOLDER / "rerun_bag.py").read_text(encoding="utf-8"))
    values = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    recorded = {topics.absolute(topic.name): topic for topic in topics.RECORDED}
    shown = {topic for group in values.values() for topic in group}
    assert shown - set(recorded) <= {"/scene/points"}, "which nodes publish and bags leave out"
    assert {recorded[name].type for name in values["PICTURES"]} == {"sensor_msgs/msg/CompressedImage"}
    assert {recorded[name].type for name in values["SERIES"]} == {"sensor_msgs/msg/JointState"}
    assert not any(OFFERED[name].is_truth for name in shown)


def test_the_rerun_script_wants_one_file(tmp_path: Path) -> None:
    space: dict[str, Any] = {"__name__": "rerun_bag"}
    exec(compile((FOLDER / "rerun_bag.py").read_text(encoding="utf-8"), "rerun_bag.py", "exec"), space)
    with pytest.raises(SystemExit, match="holds 0 MCAP files"):
        space["recorded"](tmp_path)
    (tmp_path / "a.mcap").touch()
    assert space["recorded"](tmp_path) == tmp_path / "a.mcap" == space["recorded"](tmp_path / "a.mcap")
