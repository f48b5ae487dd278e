"""The RViz layout shows the topics that exist, in the quality of service in which they are offered."""

from __future__ import annotations

import copy

import pytest
import yaml
from node_parameters import ROOT

from vantage.recording import topics

LAYOUT = ROOT / "rviz" / "search.rviz"
TYPES = {
    "rviz_default_plugins/Camera": "sensor_msgs/msg/Image",
    "rviz_default_plugins/Image": "sensor_msgs/msg/Image",
    "rviz_default_plugins/MarkerArray": "visualization_msgs/msg/MarkerArray",
    "rviz_default_plugins/Path": "nav_msgs/msg/Path",
    "rviz_default_plugins/PointCloud2": "sensor_msgs/msg/PointCloud2",
}
WITHOUT_TOPIC = {"rviz_default_plugins/Grid", "rviz_default_plugins/TF"}
OFFERED = {f"/{topic.name}": topic for topic in vars(topics).values() if isinstance(topic, topics.Topic)}


@pytest.fixture
def layout():
    return yaml.safe_load(LAYOUT.read_text(encoding="utf-8"))


def displays(layout):
    return layout["Visualization Manager"]["Displays"]


def problems(layout):
    """What RViz would not show, in sentences."""
    found = []
    for display in displays(layout):
        kind, name = display["Class"], display["Name"]
        if kind in WITHOUT_TOPIC:
            continue
        quality = display["Topic"]
        topic = OFFERED.get(quality["Value"])
        if topic is None:
            found.append(f"{name}: there is no topic {quality['Value']}")
        elif topic.is_truth:
            found.append(f"{name}: {topic.name} is gold data")
        elif topic.type != TYPES[kind]:
            found.append(f"{name}: {topic.name} is no {TYPES[kind]}")
        elif quality["Durability Policy"] != ("Transient Local" if topic.latched else "Volatile"):
            found.append(f"{name}: {topic.name} is offered otherwise")
        if quality["Reliability Policy"] != "Reliable" or quality["History Policy"] != "Keep Last":
            found.append(f"{name}: all topics are reliable and keep the last messages")
    return found


def test_everything_can_be_shown(layout):
    assert problems(layout) == []


def test_what_a_search_publishes_is_shown(layout):
    shown = {display["Topic"]["Value"] for display in displays(layout) if "Topic" in display and display["Enabled"]}
    assert shown == {"/scene/points", "/search/path", "/search/markers", "/camera/image_raw"}
    assert {display["Class"] for display in displays(layout)} == {*TYPES, *WITHOUT_TOPIC}


def test_names_differ_and_the_camera_view_knows_them(layout):
    names = [display["Name"] for display in displays(layout)]
    assert len(set(names)) == len(names)
    (camera,) = [display for display in displays(layout) if display["Class"].endswith("/Camera")]
    assert set(camera["Visibility"]) - {"Value"} == set(names) - {camera["Name"]}


def test_the_scene_is_drawn_in_its_own_colours(layout):
    (cloud,) = [display for display in displays(layout) if display["Class"].endswith("/PointCloud2")]
    assert (cloud["Color Transformer"], cloud["Position Transformer"]) == ("RGB8", "XYZ")


def test_the_view_is_that_of_a_room_in_the_map_frame(layout):
    manager = layout["Visualization Manager"]
    view = manager["Views"]["Current"]
    assert manager["Global Options"]["Fixed Frame"] == "map"
    assert view["Class"] == "rviz_default_plugins/Orbit"
    assert 5.0 <= view["Distance"] <= 12.0, "a 5 m x 4 m room fills the window"
    assert 0.3 <= view["Pitch"] < 1.57, "from above"


def test_no_tool_publishes_anything(layout):
    assert not [tool for tool in layout["Visualization Manager"]["Tools"] if "Topic" in tool]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("Value", "/search/paths", "Path: there is no topic /search/paths"),
        ("Value", "/truth/goal_image", "Path: truth/goal_image is gold data"),
        ("Value", "/search/markers", "Path: search/markers is no nav_msgs/msg/Path"),
        ("Durability Policy", "Volatile", "Path: search/path is offered otherwise"),
        ("Reliability Policy", "Best Effort", "Path: all topics are reliable and keep the last messages"),
    ],
)
def test_a_mistake_in_the_layout_is_found(layout, key, value, sentence):
    mistaken = copy.deepcopy(layout)
    (path,) = [display for display in displays(mistaken) if display["Name"] == "Path"]
    path["Topic"][key] = value
    assert sentence in problems(mistaken)
