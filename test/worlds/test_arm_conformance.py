"""The checks of arms pass on a right world, and each fails on a world that breaks just that promise."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from arm_world import ArmWorld, hall_episode
from small_rig import lab_episode, rig_settings, rig_values
from warrants import hostile_targets, let

from vantage.config import Settings
from vantage.types import ArmTarget, Cause, Command, Episode, Observation, Status, StepResult
from vantage.worlds.conformance import ConformanceError, check_world
from vantage.worlds.rig.assembly import make_rig_world
from vantage.worlds.warrants import person_warrant

SMALL = Settings().with_values({"camera.width": 32, "camera.height": 24}, "test")


def test_a_world_with_an_arm_conforms() -> None:
    checked = check_world(lambda: ArmWorld(SMALL), hall_episode())
    assert {"arm_warrants", "arm_touch", "arm_steps", "arm_no_handle", "arm_stop", "close_twice"} <= set(checked)


class Spoiled(ArmWorld):
    """A world with an arm and one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__(SMALL)
        self.fault = fault
        self._drift = 0.0

    def urdf(self) -> str:
        if self.fault == "headless":
            return super().urdf().replace("camera_link", "head")
        return "nothing" if self.fault == "no description" else super().urdf()

    def reset(self, episode: Episode, seed: int) -> Observation:
        if self.fault == "tidies under a stop":
            self._rest()
        seen = super().reset(episode, seed)
        self._drift += 0.01
        if self.fault == "obeys anybody":
            self.grant(person_warrant(episode, "conformance", seen.stamp, 10))
        if self.fault == "starts elsewhere":
            self.joints["rise"] = self._drift
            return self.observe()
        return seen

    def observe(self) -> Observation:
        seen = super().observe()
        assert seen.touch is not None
        if self.fault == "numb":
            return dataclasses.replace(seen, touch=None)
        if self.fault == "lost hand":
            return dataclasses.replace(
                seen, touch=dataclasses.replace(seen.touch, T_world_tool=np.full((4, 4), np.nan))
            )
        if self.fault == "flat force":
            return dataclasses.replace(seen, touch=dataclasses.replace(seen.touch, force=np.zeros(2)))
        if self.fault == "grown depth":
            return dataclasses.replace(seen, depth_intrinsics=seen.intrinsics)
        if self.fault == "other view":
            assert seen.depth_intrinsics is not None
            wide = dataclasses.replace(seen.depth_intrinsics, fx=5.0, fy=5.0)
            return dataclasses.replace(seen, depth_intrinsics=wide)
        return seen

    def step(self, command: Command) -> StepResult:
        arm = command.arm
        if arm is None:
            return super().step(command)
        if self.fault == "takes the first" and arm.joints and arm.gripper_width is not None:
            command = dataclasses.replace(command, arm=ArmTarget(joints=arm.joints))
        if self.fault == "deaf to stop":
            self.clear_stop()
        if self.fault == "half steps" and arm.step is not None:
            half = dataclasses.replace(arm.step, up=0.5 * arm.step.up)
            command = dataclasses.replace(command, arm=ArmTarget(step=half))
        if self.fault == "rejects joints" and arm.joints is not None:
            command = dataclasses.replace(command, arm=ArmTarget(joints={"none": 0.0}))
        if self.fault == "stiff gripper" and arm.gripper_width == pytest.approx(0.08):
            command = dataclasses.replace(command, arm=ArmTarget(gripper_width=0.1))
        if self.fault == "low hand" and arm.T_world_tool is not None and np.isfinite(arm.T_world_tool).all():
            low = np.array(arm.T_world_tool)
            low[2, 3] -= 0.02
            command = dataclasses.replace(command, arm=ArmTarget(T_world_tool=low))
        result = super().step(command)
        if self.fault == "handles everywhere" and arm.handle == "open":
            return dataclasses.replace(result, status=Status.DONE, reason="", cause=Cause.NONE)
        if self.fault == "talks" and arm.handle == "open":
            return dataclasses.replace(result, reason="no handle\nis there")
        if self.fault == "slips when refused" and result.status == Status.REJECTED:
            self.joints["rise"] -= 0.05
            return dataclasses.replace(result, observation=self.observe())
        return result


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("obeys anybody", "arm_warrants"),
        ("numb", "arm_touch"),
        ("lost hand", "arm_touch"),
        ("flat force", "arm_touch"),
        ("headless", "description"),
        ("no description", "description"),
        ("grown depth", "images"),
        ("other view", "images"),
        ("rejects joints", "arm_joint_targets"),
        ("low hand", "arm_pose_targets"),
        ("stiff gripper", "arm_widths"),
        ("half steps", "arm_steps"),
        ("handles everywhere", "arm_no_handle"),
        ("talks", "arm_no_handle"),
        ("takes the first", "arm_one_target"),
        ("slips when refused", "arm_limits"),
        ("deaf to stop", "arm_stop"),
        ("tidies under a stop", "arm_stop"),
        ("starts elsewhere", "arm_same_seed_same_hand"),
    ],
)
def test_a_fault_of_an_arm_is_found(fault: str, check: str) -> None:
    with pytest.raises(ConformanceError, match=f"{check}: "):
        check_world(lambda: Spoiled(fault), hall_episode())


HINGE = {"type": "revolute", "speed": 2.0, "acceleration": 16.0, "resolution": 0.001}
GRIPPER = {"joint": "finger", "widths": [0.0, 0.08], "max_force": 20.0, "driver": {"name": "mock"}}


def arm_of_a_rig(**changes: Any) -> dict[str, Any]:
    joints = [
        {"name": "shoulder", "axis": [0, 0, 1], "limits": [-2.0, 2.0], **HINGE},
        {"name": "elbow", "axis": [0, 0, 1], "limits": [-2.5, 2.5], "origin": {"xyz": [0.3, 0, 0]}, **HINGE},
    ]
    arm = {"mount": {"xyz": [2.0, 0.0, 0.5]}, "chain": {"joints": joints}, "tool": {"xyz": [0.2, 0.0, 0.0]}}
    return {**arm, "driver": {"name": "mock"}, **changes}


@pytest.mark.parametrize(("mode", "gripper"), [("hardware", True), ("simulated", True), ("simulated", False)])
def test_a_rig_with_an_arm_conforms(tmp_path: Path, mode: str, gripper: bool) -> None:
    arm = arm_of_a_rig(gripper=GRIPPER) if gripper else arm_of_a_rig()
    path = tmp_path / "rig.yaml"
    path.write_text(yaml.safe_dump(rig_values(arm=arm)), encoding="utf-8")
    checked = check_world(lambda: make_rig_world(rig_settings(path, mode)), lab_episode())
    assert {"arm_touch", "arm_stop"} <= set(checked)


def test_no_malicious_command_moves_the_arm_of_a_rig(tmp_path: Path) -> None:
    path = tmp_path / "rig.yaml"
    path.write_text(yaml.safe_dump(rig_values(arm=arm_of_a_rig(gripper=GRIPPER))), encoding="utf-8")
    world = make_rig_world(rig_settings(path, "simulated"))
    try:
        seen = world.reset(lab_episode(), 0)
        for number, target in enumerate(hostile_targets(1_000), start=1):
            result = world.step(Command(arm=target, episode_id="e1", source="test", sequence=number))
            assert result.status == Status.REJECTED
            assert result.cause in (Cause.UNWARRANTED, Cause.TARGET, Cause.CAPABILITY)
            assert result.observation.posture.joints == seen.posture.joints
            assert np.array_equal(result.observation.touch.T_world_tool, seen.touch.T_world_tool)
        let(world, "e1", "test", result.observation.stamp, commands=1)
        moved = world.step(Command(arm=ArmTarget(gripper_width=0.02), episode_id="e1", source="test", sequence=1_001))
        assert moved.status == Status.DONE, moved.reason
        again = world.step(Command(arm=ArmTarget(gripper_width=0.04), episode_id="e1", source="test", sequence=1_002))
        assert again.cause == Cause.UNWARRANTED
    finally:
        world.close()


def test_an_arm_of_a_rig_says_that_it_takes_no_steps_and_no_handles(tmp_path: Path) -> None:
    path = tmp_path / "rig.yaml"
    path.write_text(yaml.safe_dump(rig_values(arm=arm_of_a_rig(gripper=GRIPPER))), encoding="utf-8")
    world = make_rig_world(rig_settings(path, "simulated"))
    try:
        seen = world.reset(lab_episode(), 0)
        assert seen.touch is not None
        assert np.isnan(seen.touch.force).all()
        assert seen.touch.gripper_width == pytest.approx(0.04)
        assert not seen.touch.holds
        refused = world.step(Command(arm=ArmTarget(handle="open"), episode_id="e1", source="test", sequence=1))
        assert (refused.status, refused.cause) == (Status.REJECTED, Cause.CAPABILITY)
        assert refused.reason == "this arm takes joints or a pose or a width, not a handle"
    finally:
        world.close()
