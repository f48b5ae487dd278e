"""An arm behind ros2_control: its controllers are sent nothing without a warrant, and all that a warrant allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rclpy.node import Node
from ros_fixtures import context_on, eventually, new_domain, spinning
from sampling import REST
from small_rig import SLIDE, TURN, lab_episode, rig_settings, write_rig
from trajectory_msgs.msg import JointTrajectory
from warrants import hostile_targets, let

from vantage.types import ArmTarget, Cause, Command, Status
from vantage.worlds.rig.assembly import Assembly, assemble

pytestmark = pytest.mark.real_time

EPISODE = lab_episode()
TRAJECTORY = "trajectory_msgs/msg/JointTrajectory"


class Hearer(Node):
    """Keeps every trajectory that a controller on its domain is sent."""

    def __init__(self, context: object) -> None:
        super().__init__("hearer", context=context)  # type: ignore[arg-type]
        self.heard: list[JointTrajectory] = []

    def hear(self) -> bool:
        """Listen to both controllers once their topics are known."""
        topics = [topic for topic, types in self.get_topic_names_and_types() if TRAJECTORY in types]
        if len(topics) == 2:
            for topic in topics:
                self.create_subscription(JointTrajectory, topic, self.heard.append, 100)
        return len(topics) == 2


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[tuple[Assembly, Hearer]]:
    domain = new_domain()

    def driver(controller: str) -> dict[str, object]:
        return {"name": "ros2_control", "domain_id": domain, "controller": controller}

    arm = {
        "mount": {"xyz": [-1.0, 0.0, 0.5]},
        "chain": {
            "joints": [
                {"name": "reach", "axis": [1, 0, 0], "limits": [0.0, 0.4], **SLIDE},
                {"name": "turn", "axis": [0, 0, 1], "limits": [-1.0, 1.0], **TURN},
            ]
        },
        "driver": driver("/arm_controller"),
        "gripper": {"joint": "finger", "widths": [0.0, 0.08], "driver": driver("/gripper_controller")},
    }
    grbl = {"name": "grbl", "port": "", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}
    made = assemble(rig_settings(write_rig(tmp_path, driver=grbl, arm=arm), "emulated"))
    with context_on(domain) as context:
        hearer = Hearer(context)
        with spinning(context, hearer):
            try:
                made.world.connect()
                assert eventually(hearer.hear, 30.0)
                made.world.reset(EPISODE, 0)
                yield made, hearer
            finally:
                made.world.close()


@pytest.mark.parametrize(
    ("hostile", "warranted"), [pytest.param(200, 10, id="few"), pytest.param(1_000, 50, id="many", marks=REST)]
)
def test_no_malicious_command_reaches_a_controller_and_every_warranted_one_does(
    rig: tuple[Assembly, Hearer], hostile: int, warranted: int
) -> None:
    """Each warranted one waits 0.1 s for what the controller did."""
    made, hearer = rig
    world, arm = made.world, made.machine.arm
    assert arm is not None

    def send(target: ArmTarget, number: int) -> tuple[Status, Cause]:
        told = world.step(Command(arm=target, episode_id=EPISODE.episode_id, source="stranger", sequence=number))
        return Status(told.status), Cause(told.cause)

    before, heard = arm.joints(), len(hearer.heard)
    for number, target in enumerate(hostile_targets(hostile), start=1):
        status, cause = send(target, number)
        assert status is Status.REJECTED
        assert cause in (Cause.UNWARRANTED, Cause.TARGET, Cause.CAPABILITY)
    assert len(hearer.heard) == heard
    assert arm.joints() == before

    let(world, EPISODE.episode_id, "stranger", world.observe().stamp, commands=warranted)
    for number in range(hostile + 1, hostile + warranted + 1):
        status, _ = send(ArmTarget(joints={"reach": 0.1, "turn": 0.2}), number)
        assert status is Status.DONE
    assert arm.joints()["reach"] == pytest.approx(0.1, abs=1e-3)
    assert arm.joints()["turn"] == pytest.approx(0.2, abs=1e-3)
    eventually(lambda: len(hearer.heard) > heard)
    heard = len(hearer.heard)
    assert send(ArmTarget(joints={"reach": 0.3}), hostile + warranted + 1) == (Status.REJECTED, Cause.UNWARRANTED)
    assert arm.joints()["reach"] == pytest.approx(0.1, abs=1e-3)
