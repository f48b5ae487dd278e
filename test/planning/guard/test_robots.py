"""Robots of config/robots: what they can do, what they may lift, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_tables import each_row

from vantage.errors import ConfigError
from vantage.goals import Fact, SceneFacts, SceneObject
from vantage.planning.guard import read_robot, robot_names

ROBOT = "robot:\n  name: r\n  able: [look]\n  lifts: 1.0\n  most_goals: 5\n  rules: rules.yaml\n"
RULES = "rules:\n  kinds: {hot: [oven]}\n  masses: {oven: 50}\n  unsafe: []\n  confirm: []\n"


def test_every_robot_of_the_folder_can_be_read() -> None:
    assert robot_names() == ("camera", "house", "household", "rig_arm")
    robots = [read_robot(name) for name in robot_names()]
    assert [robot.name for robot in robots] == [*robot_names()]
    assert all(robot.unsafe and robot.confirm for robot in robots)


@each_row(
    "name, kg",
    [
        ("electric_refrigerator.n.01_1", 70.0),
        ("kitchen_table", 20.0),
        ("coffee_table", 10.0),
        ("cup", 0.0),
        ("table_cloth", 0.0),
        ("", 0.0),
    ],
)
def test_masses_go_by_the_last_words_of_a_name(name: str, kg: float) -> None:
    assert read_robot("house").mass_of(name) == kg


def test_a_robot_of_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(ROBOT)
    (tmp_path / "rules.yaml").write_text(RULES)
    assert read_robot(str(tmp_path / "r.yaml")).mass_of("oven") == 50.0


@each_row(
    "robot, rules, problem",
    [
        (ROBOT.replace("look", "fly"), RULES, "fly"),
        (ROBOT.replace("[look]", "[]"), RULES, "list of words"),
        (ROBOT.replace("1.0", "-1"), RULES, "lifts"),
        (ROBOT.replace("1.0", ".nan"), RULES, "lifts"),
        (ROBOT.replace("rules.yaml", "none.yaml"), RULES, "does not exist"),
        (ROBOT.replace("rules.yaml", '""'), RULES, "rules"),
        (ROBOT + "  guard: off\n", RULES, "unknown key"),
        (ROBOT, RULES.replace("unsafe: []", "unsafe: [{name: n, goals: [on], things: cold}]"), "cold"),
        (ROBOT, RULES.replace("unsafe: []", "unsafe: [{name: n, goals: on}]"), "list of words"),
        (ROBOT, RULES.replace("oven: 50", "oven: heavy"), "oven"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(robot: str, rules: str, problem: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "r.yaml").write_text(robot)
        (Path(folder) / "rules.yaml").write_text(rules)
        with pytest.raises(ConfigError, match=problem):
            read_robot(str(Path(folder) / "r.yaml"))


def test_an_unknown_robot_is_told_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'house'"):
        read_robot("huose")


def test_a_car_that_lies_on_furniture_is_a_toy() -> None:
    robot = read_robot("household")
    floor = (Fact("in", ("car_1", "garage")),)
    assert robot.mass_in("car_1", SceneFacts((SceneObject("car_1"), SceneObject("garage")), floor)) == 1200.0
    borne = (*floor, Fact("in", ("basket_2", "garage")), Fact("in", ("car_1", "basket_2")))
    things = tuple(map(SceneObject, ("car_1", "garage", "basket_2")))
    assert robot.mass_in("car_1", SceneFacts(things, borne)) == 0.0
