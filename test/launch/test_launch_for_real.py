"""The launch files under the real launch system, where there is one and the package is installed for it."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import launch_stand_in
import pytest
from node_parameters import ROOT

pytestmark = pytest.mark.needs("launch")

packages = importlib.import_module("ament_index_python.packages")
runner = importlib.import_module("launch_runner")

FILES = sorted(path.name for path in (ROOT / "launch").glob("*.launch.py"))
DOMAIN = "93"


@pytest.fixture(scope="module")
def installed():
    """The folder of the installed launch files."""
    try:
        executables = Path(packages.get_package_prefix("vantage_eqa"), "lib", "vantage_eqa")
        folder = Path(packages.get_package_share_directory("vantage_eqa"), "launch")
    except packages.PackageNotFoundError:
        pytest.skip("vantage_eqa is not in the ament index")
    if not (executables / "world_node").is_file() or not folder.is_dir():
        pytest.skip("vantage_eqa is installed without its executables and launch files; colcon build installs them")
    return folder


@pytest.fixture
def own_domain(tmp_path, monkeypatch):
    """A domain, a log folder and a working folder for the launched processes."""
    monkeypatch.setenv("ROS_DOMAIN_ID", DOMAIN)
    monkeypatch.setenv("ROS_LOG_DIR", str(tmp_path / "log"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_every_argument_is_described_and_has_a_default(name, installed):
    arguments = runner.arguments_of(installed / name)
    assert arguments
    for argument in arguments:
        assert argument.description
        assert argument.default_value is not None


@pytest.mark.parametrize(
    "kind",
    ["DeclareLaunchArgument", "ExecuteProcess", "GroupAction", "Node", "ParameterValue", "SetParameter", "TimerAction"],
)
def test_the_stand_in_asks_for_no_argument_that_the_real_class_lacks(kind):
    ours = set(inspect.signature(getattr(launch_stand_in, kind)).parameters)
    theirs = set()
    for name in ("launch.actions", "launch_ros.actions", "launch_ros.parameter_descriptions"):
        real = getattr(importlib.import_module(name), kind, object)
        for base in real.__mro__[:-1]:
            theirs |= set(inspect.signature(base.__init__).parameters)
    assert ours <= theirs


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("world.launch.py", {"world_node"}),
        ("search.launch.py", {"world_node", "planner_node", "qa_node", "evaluator_node"}),
    ],
)
def test_the_nodes_come_up_and_end_cleanly(name, expected, installed, own_domain, tmp_path):
    names, ended = runner.launch(installed / name, expected, {"scenes": str(tmp_path)})
    assert names == expected
    assert ended == dict.fromkeys(expected, 0)


@pytest.mark.needs("house")
def test_a_house_comes_up_with_settings_of_its_own(installed, own_domain, tmp_path):
    arguments = {"scenes": str(tmp_path), "world": "house"}
    names, ended = runner.launch(installed / "world.launch.py", {"world_node"}, arguments)
    assert names == {"world_node"}
    assert ended == {"world_node": 0}


def test_a_parameter_that_a_node_refuses_ends_the_launch(installed, own_domain, tmp_path):
    config = tmp_path / "wrong.yaml"
    config.write_text("/**: {ros__parameters: {camera: {widht: 320}}}\n", encoding="utf-8")
    assert runner.launch(installed / "world.launch.py", {"nobody"}, {"config": str(config)})[1] == {"world_node": 1}


def test_a_replay_without_its_bag_ends_the_launch(installed, own_domain, tmp_path):
    arguments = {"bag": str(tmp_path / "nowhere"), "delay": "0.0"}
    ended = runner.launch(installed / "replay.launch.py", {"nobody"}, arguments)[1]
    assert ended.keys() == {"qa_node", "evaluator_node", "replay_node"}
    assert ended["replay_node"] == 1
