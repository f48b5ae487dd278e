"""The launch files fit the nodes, the registry and the installed files; checked without launch."""

from __future__ import annotations

import ast
import sys

import pytest
from launch_checks import PACKAGE, TOPICS, problems
from launch_stand_in import (
    DeclareLaunchArgument,
    ExecuteProcess,
    IfCondition,
    IncludeLaunchDescription,
    LaunchConfiguration,
    Node,
    OnProcessExit,
    Shutdown,
    every,
    load_launch_file,
    value_of,
)
from node_parameters import ROOT, declared_parameters, executables

from vantage import registry
from vantage.config import all_settings
from vantage.planning import Need, needs_of
from vantage.recording.topics import REPLAYED

FOLDER = ROOT / "launch"
FILES = sorted(FOLDER.glob("*.launch.py"))
NAMES = [path.name for path in FILES]
_NO_SWITCH = "agent.require_confirmation of qa_node is not given as bool"


def own_nodes(file):
    return {node.executable: node for node in every(Node, load_launch_file(FOLDER / file)) if node.package == PACKAGE}


def included(file):
    return [
        include.launch_description_source.substitutions[-1]
        for include in every(IncludeLaunchDescription, load_launch_file(FOLDER / file))
    ]


def test_there_is_one_file_for_each_job():
    assert NAMES == ["replay.launch.py", "rviz.launch.py", "search.launch.py", "task.launch.py", "world.launch.py"]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_file_fits_what_it_launches(path):
    assert problems(path) == []


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_file_imports_nothing_that_the_python_of_ros2_launch_may_lack(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert {module.split(".")[0] for module in modules} <= {"__future__", "launch", "launch_ros", "vantage"}
    assert {module for module in modules if module.startswith("vantage")} <= {"vantage.registry"}


def test_the_search_brings_up_the_whole_graph():
    assert included("search.launch.py") == ["rviz.launch.py", "world.launch.py"]
    assert own_nodes("search.launch.py").keys() | own_nodes("world.launch.py").keys() == {
        "world_node",
        "planner_node",
        "qa_node",
        "evaluator_node",
    }


def test_a_task_brings_up_the_search_asks_once_and_ends():
    assert included("task.launch.py") == ["search.launch.py"]
    (asking,) = every(ExecuteProcess, load_launch_file(FOLDER / "task.launch.py"))
    assert asking.cmd[:3] == ["vantage", "up", "--join"]
    assert {"--task", "--scene"} <= {word for word in asking.cmd if isinstance(word, str)}
    assert isinstance(asking.on_exit, Shutdown)


def test_the_replay_needs_no_world():
    assert included("replay.launch.py") == ["rviz.launch.py"]
    assert own_nodes("replay.launch.py").keys() == {"qa_node", "evaluator_node", "replay_node"}


def test_what_question_answering_publishes_anew_is_not_replayed_under_the_same_name():
    player = own_nodes("replay.launch.py")["replay_node"]
    replayed = {topic.name for topic in REPLAYED} - {source for source, _ in player.remappings}
    assert replayed.isdisjoint({"camera/detections", "noise_report"})
    assert "camera/camera_info" in replayed
    assert TOPICS.isdisjoint({target for _, target in player.remappings})


@pytest.mark.parametrize("file", ["search.launch.py", "replay.launch.py"])
def test_rviz_comes_only_when_asked_for(file):
    (include,) = [
        item
        for item in every(IncludeLaunchDescription, load_launch_file(FOLDER / file))
        if item.launch_description_source.substitutions[-1] == "rviz.launch.py"
    ]
    assert include.condition == IfCondition(LaunchConfiguration("rviz"))


@pytest.mark.parametrize("file", ["search.launch.py", "replay.launch.py"])
def test_rviz_comes_before_anything_that_a_failed_launch_would_leave_behind(file):
    entities = load_launch_file(FOLDER / file).entities
    first = next(entity for entity in entities if not isinstance(entity, DeclareLaunchArgument))
    assert isinstance(first, IncludeLaunchDescription)
    assert first.launch_description_source.substitutions[-1] == "rviz.launch.py"


@pytest.mark.parametrize(("returncode", "ends"), [(0, False), (1, True), (-11, True)])
def test_a_replay_that_failed_ends_the_launch_and_one_that_is_done_does_not(returncode, ends):
    (handler,) = every(OnProcessExit, load_launch_file(FOLDER / "replay.launch.py"))
    assert handler.target_action.executable == "replay_node"

    class Event:
        pass

    event = Event()
    event.returncode = returncode
    assert [type(action) for action in handler.on_exit(event, None)] == ([Shutdown] if ends else [])


def test_choices_follow_the_registry(monkeypatch):
    monkeypatch.setattr(registry, "WORLDS", registry.Registry("world", {"moon": "a:A", "rig": "b:B", "splat": "c:C"}))
    assert problems(FOLDER / "search.launch.py") == []
    monkeypatch.setattr(registry, "WORLDS", registry.Registry("world", {"moon": "moon:World"}))
    assert "the default of world is none of its choices" in problems(FOLDER / "world.launch.py")


@pytest.mark.parametrize(
    ("world", "layout"), [("house", "house.rviz"), ("splat", "search.rviz"), ("rig", "search.rviz")]
)
def test_rviz_shows_the_robot_of_a_house(world, layout):
    arguments = every(DeclareLaunchArgument, load_launch_file(FOLDER / "search.launch.py"))
    [default] = [argument.default_value for argument in arguments if argument.name == "layout"]
    assert [value_of(part, {"world": world}) for part in default.substitutions[1:]] == ["rviz", layout]


@pytest.mark.parametrize("file", ["search.launch.py", "world.launch.py"])
@pytest.mark.parametrize(
    ("world", "config"), [("house", "house.yaml"), ("splat", "vantage.yaml"), ("rig", "vantage.yaml")]
)
def test_a_house_has_settings_of_its_own(file, world, config):
    arguments = every(DeclareLaunchArgument, load_launch_file(FOLDER / file))
    [default] = [argument.default_value for argument in arguments if argument.name == "config"]
    assert [value_of(part, {"world": world}) for part in default.substitutions[1:]] == ["config", config]


def test_a_judge_may_be_any_model():
    (judge,) = [
        argument
        for argument in every(DeclareLaunchArgument, load_launch_file(FOLDER / "search.launch.py"))
        if argument.name == "judge"
    ]
    assert judge.choices is None, "model:NAME:WHICH is a judge; the node says what is none"
    assert judge.default_value in registry.JUDGES.names()


def test_gold_data_are_those_of_tasks_for_agents_that_carry_them_out():
    arguments = every(DeclareLaunchArgument, load_launch_file(FOLDER / "search.launch.py"))
    [default] = [argument.default_value for argument in arguments if argument.name == "tasks"]
    names = registry.AGENTS.names()
    doing = {name for name in names if Need.TASKS in needs_of(registry.AGENTS.get(name))}
    assert doing
    assert {name for name in names if value_of(default, {"agent": name}) == "true"} == doing


def test_parameters_are_read_from_the_nodes():
    parameters = {name: declared_parameters(path) for name, path in executables().items() if name.endswith("_node")}
    assert parameters["world_node"].items() >= {"world": str, "autostart": bool, "camera.width": int}.items()
    assert parameters["replay_node"].items() >= {"bag": str, "rate": float, "use_sim_time": bool}.items()
    assert "world" not in parameters["planner_node"]
    used = {name for declared in parameters.values() for name in declared}
    told = {f"{group}.{item.name}" for group, item in all_settings() if group != "training"}  # which no node does
    assert used >= told, "a setting that no node has"


@pytest.mark.parametrize(
    ("file", "right", "wrong", "sentence"),
    [
        ("world", 'executable="world_node"', 'executable="word_node"', "word_node is no executable of vantage_eqa"),
        ("world", '"autostart": Par', '"autostrat": Par', "world_node does not declare autostrat"),
        ("world", "choices=WORLDS.names(), ", "", "the choices of world are not those of the registry: None"),
        ("world", '"world.scenes"', '"world.scene"', "no node declares world.scene"),
        ("world", '"vantage.yaml"', '"ventage.yaml"', "there is no file config/ventage.yaml"),
        ("world", 'Configuration("world")', 'Configuration("wrld")', "wrld is used but not declared"),
        ("search", 'node("qa_node"', 'node("q_node"', "q_node is no executable of vantage_eqa"),
        ("search", "agent__name=", "agent__nam=", "planner_node does not declare agent.nam"),
        (
            "search",
            '"nap", "nacot"]',
            '"nacot"]',
            "the choices of mode are not those of answering: ['plain', 'nacot']",
        ),
        ("search", 'switch("require_confirmation")', 'text("require_confirmation")', _NO_SWITCH),
        ("search", 'text("out")', 'switch("out")', "out of evaluator_node is not given as str"),
        ("search", '"world.launch.py"', '"word.launch.py"', "there is no file launch/word.launch.py"),
        ("search", 'if_value="house.rviz"', 'if_value="hose.rviz"', "there is no file rviz/hose.rviz"),
        ("search", '"layout", "use_sim_time"', '"use_sim_time"', "argument layout is not handed on to rviz.launch.py"),
        ("search", '"rig_mode", "config"', '"out", "config"', "world.launch.py has no argument out"),
        ("search", '"rig_mode", "config"', '"config"', "argument rig_mode is not handed on to world.launch.py"),
        ("search", '"config", "use_sim_time"', '"config"', "argument use_sim_time is not handed on to world.launch.py"),
        (
            "search",
            '("world"), "rig")',
            '("world"), "rgi")',
            "the default of use_sim_time compares world with 'rgi', which it never is",
        ),
        ("search", '("world"), "rig")', '("world"), "splat")', "use_sim_time defaults to true for world:=rig"),
        ("search", '("world"), "rig")', '("world"), "splat")', "use_sim_time defaults to false for world:=splat"),
        (
            "search",
            '"simulated"]',
            '"simulation"]',
            "the choices of rig_mode are not those of a rig: ['', 'hardware', 'emulated', 'simulation']",
        ),
        (
            "world",
            '("world"), "rig")',
            '("rig"), "rig")',
            "the default of use_sim_time compares rig with 'rig', which it never is",
        ),
        (
            "world",
            'NotEqualsSubstitution(LaunchConfiguration("world"), "rig")',
            '"true"',
            "use_sim_time defaults to true for world:=rig",
        ),
        ("world", '("rig", "rig.file")', '("rig", "rig.mode")', "argument rig sets rig.mode instead of rig.file"),
        ("world", '("rig", "rig.file")', '("rig", "rig.fil")', "no node declares rig.fil"),
        ("world", ', ("rig_mode", "rig.mode")', ",", "argument rig_mode sets nothing"),
        (
            "world",
            'Configuration(argument), "")',
            'Configuration("rig"), "")',
            "rig.mode is overridden although rig_mode was left empty",
        ),
        ("search", 'description="folder for the bags"', 'description=""', "argument out has no description"),
        ("replay", 'default_value="1.0", ', "", "argument rate has no default"),
        ("replay", '"rate", float)', '"rate")', "rate of replay_node is not given as float"),
        ("replay", '"noise_report")', '"noise_reports")', "replay_node has no topic noise_reports to be renamed"),
        ("rviz", 'output="screen"', 'output="log"', "what rviz2 says is not shown"),
        ("rviz", "choices=ON_OFF,", "", "argument use_sim_time is a switch without its choices"),
    ],
)
def test_a_mistake_in_a_launch_file_is_found(tmp_path, file, right, wrong, sentence):
    text = (FOLDER / f"{file}.launch.py").read_text(encoding="utf-8")
    assert right in text
    mistaken = tmp_path / f"{file}.launch.py"
    mistaken.write_text(text.replace(right, wrong), encoding="utf-8")
    assert sentence in problems(mistaken)


def test_a_launch_file_without_its_function_is_refused(tmp_path):
    empty = tmp_path / "empty.launch.py"
    empty.write_text("PACKAGE = 'vantage_eqa'\n", encoding="utf-8")
    with pytest.raises(KeyError, match="generate_launch_description"):
        load_launch_file(empty)


def test_the_stand_in_leaves_no_trace():
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] in ("launch", "launch_ros")}
    load_launch_file(FILES[0])
    after = {name: module for name, module in sys.modules.items() if name.split(".")[0] in ("launch", "launch_ros")}
    assert after == before
