"""Actions of a robot with an arm: where they lead, what they tell the arm, and what cannot be."""

import json
import math

import pytest
from row_tables import each_row

from vantage.benchmarks.sets.episodes_io import load_set, save_set
from vantage.benchmarks.sets.set_info import SceneBounds, SetInfo
from vantage.config import ActionSettings, Settings
from vantage.errors import ConfigError, UnknownNameError
from vantage.planning.actions import make_actions, rotations
from vantage.planning.mobile_actions import OPEN_WIDTH, MobileActions
from vantage.planning.restricted_actions import RestrictedActions
from vantage.spatial import Viewpoint
from vantage.types import KGF, ArmStep, ArmTarget, Command, Done, Episode, Question, Truth, TruthQuestion

STEP = math.pi / 12
SPACE = MobileActions(0.25, STEP)
HERE = Viewpoint(1.0, 2.0, 1.2, math.pi / 2, 0.3)


@each_row(
    "action, there",
    [
        ("move_forward", Viewpoint(1.0, 2.25, 1.2, math.pi / 2, 0.3)),
        ("move_backward", Viewpoint(1.0, 1.75, 1.2, math.pi / 2, 0.3)),
        ("move_left", Viewpoint(0.75, 2.0, 1.2, math.pi / 2, 0.3)),
        ("move_right", Viewpoint(1.25, 2.0, 1.2, math.pi / 2, 0.3)),
        ("turn_left", Viewpoint(1.0, 2.0, 1.2, math.pi / 2 + STEP, 0.3)),
        ("look_down", Viewpoint(1.0, 2.0, 1.2, math.pi / 2, 0.3 - STEP)),
    ],
)
def test_the_base_moves_along_its_heading_and_keeps_its_height(action, there):
    aim = SPACE.apply(action, HERE)
    assert (aim.x, aim.y, aim.z, aim.yaw, aim.pitch) == pytest.approx(
        (there.x, there.y, there.z, there.yaw, there.pitch)
    )
    assert SPACE.decision(action, HERE) == Command(target=aim, action=action)


@each_row(
    "action, target",
    [
        ("hand_forward", ArmTarget(step=ArmStep(forward=0.05))),
        ("hand_right", ArmTarget(step=ArmStep(left=-0.05))),
        ("hand_down", ArmTarget(step=ArmStep(up=-0.05))),
        ("lift_up", ArmTarget(step=ArmStep(height=0.05))),
        ("wrist_left", ArmTarget(step=ArmStep(roll=-STEP))),
        ("grasp_0.35", ArmTarget(gripper_width=0.0, gripper_force=7 * 0.05 * KGF)),
        ("release", ArmTarget(gripper_width=OPEN_WIDTH)),
        ("open", ArmTarget(handle="open")),
        ("close", ArmTarget(handle="close")),
    ],
)
def test_the_arm_is_told_what_to_do_and_the_camera_stays(action, target):
    assert SPACE.decision(action, HERE) == Command(arm=target, action=action)
    assert SPACE.apply(action, HERE) == HERE


def test_done_ends_the_phase():
    assert SPACE.decision("done", HERE) == Done()


def test_every_action_is_listed_once_and_can_be_taken():
    assert len(set(SPACE.names)) == len(SPACE.names) == 8 + 10 + 100 + 4
    assert [name for name in SPACE.names if name.startswith("grasp")][::99] == ["grasp_0.05", "grasp_5.00"]
    for name in SPACE.names:
        decision = SPACE.decision(name, HERE)
        assert isinstance(decision, Done) or (decision.target is None) != (decision.arm is None)


@each_row("force, action", [(0.0, "grasp_0.05"), (0.35 * KGF, "grasp_0.35"), (3.5, "grasp_0.40"), (99.0, "grasp_5.00")])
def test_a_force_is_met_by_the_gentlest_grasp(force, action):
    assert SPACE.grasp(force) == action
    assert SPACE.force("grasp_0.35") == pytest.approx(0.35 * KGF)
    assert SPACE.force("open") is None


@each_row("yaw, count", [(0.0, 4), (math.pi / 2, 4), (STEP, 0), (-math.pi, 4)])
def test_it_moves_along_the_lattice_at_quarter_turns_and_never_upwards(yaw, count):
    moves = SPACE.lattice_moves(Viewpoint(0.0, 0.0, 1.2, yaw, 0.2))
    assert len(moves) == count
    assert not any(offset[2] for _, offset in moves)
    assert rotations(SPACE, 1, -1) == ("turn_left", "look_down")


@each_row("action", ["move_up", "grasp", "grasp_0.07", "grasp_5.05", "grab", ""])
def test_unknown_actions_are_refused(action):
    for tried in (SPACE.apply, SPACE.decision):
        with pytest.raises(UnknownNameError, match="unknown action"):
            tried(action, HERE)


@each_row(
    "sizes, why",
    [
        ({"translation": 0.0}, "positive translation"),
        ({"rotation": math.nan}, "positive translation"),
        ({"hand_step": 0.0}, "the hand needs"),
        ({"wrist_turn": 4.0}, "the hand needs"),
        ({"force_step": 0.0}, "grasps need"),
        ({"force_step": 0.001}, "grasps need"),
        ({"force_max": math.nan}, "grasps need"),
    ],
)
def test_impossible_sizes_are_refused(sizes, why):
    with pytest.raises(ValueError, match=why):
        MobileActions(**{"translation": 0.25, "rotation": STEP, **sizes})


def test_settings_make_it_and_say_all_its_sizes():
    settings = ActionSettings(0.25, STEP, "mobile", hand_step=0.1, force_step=0.5, force_max=2.0)
    made = make_actions(settings)
    assert made == MobileActions(0.25, STEP, "heading", 0.1, math.pi / 12, 0.5, 2.0)
    assert made.frame == "heading"
    assert [name for name in made.names if "grasp" in name] == ["grasp_0.50", "grasp_1.00", "grasp_1.50", "grasp_2.00"]
    with pytest.raises(ConfigError, match="moves along its heading"):
        make_actions(ActionSettings(0.25, STEP, "mobile", "camera"))


def test_fewer_axes_keep_the_arm():
    names = RestrictedActions(SPACE, ("yaw",)).names
    assert {"turn_left", "grasp_1.00", "open", "done"} <= set(names)
    assert not {"move_forward", "look_up"} & set(names)


def test_a_set_names_its_space_and_sizes(tmp_path):
    bounds = {"home": SceneBounds((0.0, 0.0, 0.0), (4.0, 4.0, 2.0))}
    episode = Episode("one", "search", "home", HERE, (Question("q1", "What color is the mug?"),), 20)
    truth = Truth("one", (TruthQuestion("q1", "color", "red"),), HERE, ("move_forward", "grasp_0.35"), 0.25)
    save_set(tmp_path, SetInfo("search", MobileActions(0.25, STEP, hand_step=0.1), bounds), [episode], [truth])
    said = json.loads((tmp_path / "set.json").read_text())["actions"]
    assert (said["space"], said["frame"], said["hand_step"], said["force_step"]) == ("mobile", "heading", 0.1, 0.05)
    assert load_set(tmp_path).info.actions == MobileActions(0.25, STEP, "heading", 0.1)


def test_its_sizes_are_settings():
    changed = Settings().with_values({"actions.space": "mobile", "actions.force_step": "0.1"}, "--set")
    assert "grasp_0.15" not in make_actions(changed.actions).names
