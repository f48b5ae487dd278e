"""The RViz layout shows the topics that exist, in the quality of service in which they are offered."""

from __future__ import annotations

import copy

import pytest
import yaml
from node_parameters import ROOT

from vantage.recording import topics

LAYOUTS = {
    "search": {"/scene/points", "/search/path", "/search/markers", "/camera/image_raw"},
    "house": {"/robot_description", "/arm/wrench", "/search/path", "/search/markers", "/camera/image_raw"},
}
TYPES = {
    "rviz_default_plugins/Camera": "sensor_msgs/msg/Image",
    "rviz_default_plugins/Image": "sensor_msgs/msg/Image",
    "rviz_default_plugins/MarkerArray": "visualization_msgs/msg/MarkerArray",
    "rviz_default_plugins/Path": "nav_msgs/msg/Path",
    "rviz_default_plugins/PointCloud2": "sensor_msgs/msg/PointCloud2",
    "rviz_default_plugins/RobotModel": "std_msgs/msg/String",
    "rviz_default_plugins/Wrench": "geometry_msgs/msg/WrenchStamped",
}
WITHOUT_TOPIC = {"rviz_default_plugins/Grid", "rviz_default_plugins/TF"}
OFFERED = {f"/{topic.name}": topic for topic in vars(topics).values() if isinstance(topic, topics.Topic)}


def load(name):
    return yaml.safe_load((ROOT / "rviz" / f"{name}.rviz").read_text(encoding="utf-8"))


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return load(request.param)


def quality_of(display):
    """How a display subscribes; None where it does not."""
    return display.get("Topic") or display.get("Description Topic")


def displays(layout):
    return layout["Visualization Manager"]["Displays"]


def problems(layout):
    """What RViz would not show, in sentences."""
    found = []
    for display in displays(layout):
        kind, name = display["Class"], display["Name"]
        if kind in WITHOUT_TOPIC:
            continue
        quality = quality_of(display)
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


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_published_is_shown(name):
    enabled = [display for display in displays(load(name)) if display["Enabled"]]
    assert {quality_of(display)["Value"] for display in enabled if quality_of(display)} == LAYOUTS[name]
    assert {display["Class"] for display in displays(load(name))} <= {*TYPES, *WITHOUT_TOPIC}


def test_names_differ_and_the_camera_view_knows_them(layout):
    names = [display["Name"] for display in displays(layout)]
    assert len(set(names)) == len(names)
    (camera,) = [display for display in displays(layout) if display["Class"].endswith("/Camera")]
    assert set(camera["Visibility"]) - {"Value"} == set(names) - {camera["Name"]}


def test_the_scene_is_drawn_in_its_own_colours():
    (cloud,) = [display for display in displays(load("search")) if display["Class"].endswith("/PointCloud2")]
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
