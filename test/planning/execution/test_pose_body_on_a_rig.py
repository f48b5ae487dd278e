"""Named poses and grips on an emulated rig: with the guard's warrant they are carried out, without it nothing moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from small_rig import SLIDE, TURN, lab_episode, rig_settings, write_rig

from vantage.goals import Feasibility, Reason, ReasonKind, Ruling, SceneFacts
from vantage.planning.execution import Belief, PoseBody, permit_for
from vantage.planning.goals import Outcome, Plan, PlannedAction, Verb
from vantage.planning.guard import WarrantOffice
from vantage.planning.skills import Failure, SkillResult
from vantage.types import Cause, Command, Observation, StepResult
from vantage.worlds import WarrantError
from vantage.worlds.rig import arm_poses
from vantage.worlds.rig.assembly import Assembly, assemble

EPISODE = lab_episode()
PICK, PLACE = PlannedAction(Verb.PICK, ("cup_1",)), PlannedAction(Verb.PLACE_ON, ("cup_1", "tray_2"))
PLAN = Plan(Outcome.FOUND, (PICK, PLACE), 2)
NOWHERE = Belief(SceneFacts(), {})


def _grbl(**axes: str) -> dict[str, object]:
    return {"name": "grbl", "port": "", "axes": axes}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Assembly]:
    """Three emulated controllers: of the gantry, of the arm, and of its gripper."""
    arm = {
        "mount": {"xyz": [-1.0, 0.0, 0.5]},
        "chain": {
            "joints": [
                {"name": "reach", "axis": [1, 0, 0], "limits": [0.0, 0.4], **SLIDE},
                {"name": "turn", "axis": [0, 0, 1], "limits": [-1.0, 1.0], **TURN},
            ]
        },
        "driver": _grbl(reach="X", turn="Y"),
        "poses": {"cup": {"reach": 0.2, "turn": 0.4}, "tray_2": {"reach": 0.3, "turn": -0.4}},
        "gripper": {"joint": "finger", "widths": [0.0, 0.08], "driver": _grbl(finger="X")},
    }
    gantry = _grbl(x="X", y="Y", z="Z", pan="A", tilt="B")
    rig = assemble(rig_settings(write_rig(tmp_path, driver=gantry, arm=arm), "emulated"))
    try:
        rig.world.connect()
        rig.world.reset(EPISODE, 0)
        yield rig
    finally:
        rig.world.close()


def joints(rig: Assembly) -> dict[str, float]:
    arm = rig.machine.arm
    assert arm is not None
    return {name: round(value, 3) for name, value in arm.joints().items()}


class Doing:
    """Carries actions out in the rig's world, one numbered command after the other."""

    def __init__(self, rig: Assembly) -> None:
        found = arm_poses(rig.description)
        assert found is not None
        self._world, self._body, self._number = rig.world, PoseBody(*found), 0
        self.results: list[StepResult] = []

    def __call__(self, action: PlannedAction) -> SkillResult:
        self._body.begin(action, NOWHERE)
        seen: Observation = self._world.observe()
        last: StepResult | None = None
        while isinstance(told := self._body.next(seen, last), Command):
            self._number += 1
            given = replace(told, episode_id=EPISODE.episode_id, source="planner", sequence=self._number)
            last = self._world.step(given)
            self.results.append(last)
            seen = last.observation
        return told


def permitted(rig: Assembly) -> None:
    permit = permit_for(
        WarrantOffice("planner"),
        Ruling(Feasibility.FEASIBLE),
        PLAN,
        episode_id=EPISODE.episode_id,
        goal="Put the cup on the tray.",
        names=("cup", "tray"),
        issued=rig.world.observe().stamp,
    )
    assert permit.warrant is not None
    rig.world.grant(permit.warrant)


def test_what_is_warranted_is_carried_out_on_all_controllers(rig: Assembly) -> None:
    permitted(rig)
    doing = Doing(rig)
    picked = doing(PICK)
    assert picked.done, picked.reason
    assert joints(rig) == pytest.approx({"reach": 0.2, "turn": 0.4, "finger": 0.0}, abs=0.002)
    placed = doing(PLACE)
    assert placed.done, placed.reason
    assert joints(rig) == pytest.approx({"reach": 0.3, "turn": -0.4, "finger": 0.08}, abs=0.002)


def test_without_a_warrant_the_gate_refuses_and_nothing_moves(rig: Assembly) -> None:
    before = joints(rig)
    with pytest.raises(WarrantError):
        permit_for(
            WarrantOffice("planner"),
            Ruling.of([Reason(ReasonKind.MISSING_OBJECT, "cup")]),
            PLAN,
            episode_id=EPISODE.episode_id,
            goal="Put the cup on the tray.",
            names=("cup",),
            issued=0,
        )
    doing = Doing(rig)
    for action in (PICK, PLACE):
        assert doing(action).failure is Failure.REFUSED
    assert {each.cause for each in doing.results} == {Cause.UNWARRANTED}
    assert joints(rig) == before


def test_a_warrant_is_over_with_its_episode(rig: Assembly) -> None:
    permitted(rig)
    rig.world.reset(EPISODE, 1)
    before = joints(rig)
    assert Doing(rig)(PICK).failure is Failure.REFUSED
    assert joints(rig) == before


def test_what_the_file_names_no_pose_for_moves_nothing(rig: Assembly) -> None:
    permitted(rig)
    before = joints(rig)
    doing = Doing(rig)
    ended = doing(PlannedAction(Verb.PICK, ("plate_1",)))
    assert ended.failure is Failure.OUT_OF_REACH
    assert "add one to the rig's file" in ended.reason
    assert (doing.results, joints(rig)) == ([], before)
