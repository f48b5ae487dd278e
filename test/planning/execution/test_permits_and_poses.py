"""Permits let through what a plan licenses and no more; an arm with named poses does what these allow."""

from __future__ import annotations

import numpy as np
import pytest

from vantage.goals import Feasibility, Reason, ReasonKind, Ruling, SceneFacts
from vantage.planning.execution import Belief, Permit, PoseBody, SkillBody, permit_for
from vantage.planning.goals import Outcome, Plan, PlannedAction, Verb
from vantage.planning.guard import WarrantOffice
from vantage.planning.skills import Failure, GetFree, SkillResult
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import ArmTarget, Cause, Command, Observation, Status, StepResult
from vantage.worlds import GUARD, WarrantError, require_signed
from vantage.worlds.rig import arm_poses, load_rig, rig_file

PASSES, REFUSED = Ruling(Feasibility.FEASIBLE), Ruling.of([Reason(ReasonKind.MISSING_OBJECT, "cup")])
OPEN_BOX = Plan(Outcome.FOUND, (PlannedAction(Verb.GO_TO, ("box_1",)), PlannedAction(Verb.OPEN, ("box_1",))), 2)
NOWHERE = Belief(SceneFacts(), {})
SEEN = Observation(1, Viewpoint(0, 0, 1, 0, 0), Intrinsics.from_fov(8, 8, 1.0), np.zeros((8, 8, 3), np.uint8))


def permit(ruling: Ruling, plan: Plan = OPEN_BOX):
    office = WarrantOffice("planner")
    return permit_for(office, ruling, plan, episode_id="e", goal="open", names=("box",), issued=5)


def test_a_feasible_plan_has_a_signed_warrant_for_what_it_does() -> None:
    warrant = permit(PASSES).warrant
    assert warrant is not None
    require_signed(warrant)
    assert (warrant.issuer, warrant.manipulations, warrant.objects) == (GUARD, {"open", "close", "move_arm"}, {"box"})


def test_no_other_has_one() -> None:
    with pytest.raises(WarrantError):
        permit(REFUSED)
    assert permit(PASSES, Plan(Outcome.FOUND, OPEN_BOX.actions[:1], 1)).warrant is None


def test_the_door_of_skills_is_kept() -> None:
    opens, closes = (Command(arm=ArmTarget(handle=way)) for way in ("open", "close"))
    grip = Command(arm=ArmTarget(gripper_width=0.0))
    look = Command(target=Viewpoint(0, 0, 0, 0, 0))
    assert not permit(PASSES).refusal(GetFree(), opens)
    assert not permit(PASSES).refusal(GetFree(), closes)
    assert "takes nothing" in permit(PASSES).refusal(GetFree(), grip)
    takes = permit(PASSES, Plan(Outcome.FOUND, (PlannedAction(Verb.PICK, ("cup_1",)),), 1))
    assert "by a handle" in takes.refusal(GetFree(), opens)
    held_back = Permit(REFUSED, ("open",), None)
    assert "feasible" in held_back.refusal(GetFree(), opens)
    assert not held_back.refusal(GetFree(), look), "looking is free"


def carried_out(
    body: PoseBody, action: PlannedAction, status: Status = Status.DONE
) -> tuple[list[ArmTarget], SkillResult]:
    body.begin(action, NOWHERE)
    given, last = [], None
    while isinstance(told := body.next(SEEN, last), Command):
        assert told.arm is not None
        given.append(told.arm)
        last = StepResult(status, "so it is", told, SEEN, Cause.NONE)
    return given, told


def test_an_arm_goes_to_named_poses_and_grips() -> None:
    body = PoseBody({"cup": {"elbow": 1.0}, "tray_2": {"elbow": 2.0}}, (0.0, 0.08))
    given, ended = carried_out(body, PlannedAction(Verb.PICK, ("cup_1",)))
    assert ended.done
    assert [each.gripper_width for each in given] == [0.08, None, 0.0]
    given, ended = carried_out(body, PlannedAction(Verb.PLACE_ON, ("cup_1", "tray_2")))
    assert ended.done
    assert given[0].joints == {"elbow": 2.0}
    assert given[1].gripper_width == 0.08


@pytest.mark.parametrize(
    ("action", "failure"),
    [
        (PlannedAction(Verb.OPEN, ("cup_1",)), Failure.REFUSED),
        (PlannedAction(Verb.PICK, ("plate_1",)), Failure.OUT_OF_REACH),
    ],
)
def test_what_it_cannot_do_is_told(action: PlannedAction, failure: Failure) -> None:
    given, ended = carried_out(PoseBody({"cup": {"elbow": 1.0}}, (0.0, 0.08)), action)
    assert (given, ended.failure) == ([], failure)


def test_a_stop_ends_it() -> None:
    body = PoseBody({"cup": {"elbow": 1.0}}, (0.0, 0.08))
    given, ended = carried_out(body, PlannedAction(Verb.PICK, ("cup_1",)), Status.STOPPED)
    assert (len(given), ended.failure) == (1, Failure.STOPPED)


def test_the_poses_of_a_rig_are_those_of_its_file() -> None:
    found = arm_poses(load_rig(rig_file("arm_robot")))
    assert found is not None
    poses, widths, force = found
    assert (list(poses), widths, force) == (["tucked"], (0.0, 0.08), 40.0)
    assert arm_poses(load_rig(rig_file(""))) is None


def test_a_body_of_skills_refuses_what_no_skill_does() -> None:
    body = SkillBody(None)  # type: ignore[arg-type]
    body.begin(PlannedAction(Verb.SWITCH_ON, ("lamp_1",)), Belief(SceneFacts(), {"lamp_1": 7}))
    assert body.next(SEEN, None).failure is Failure.REFUSED  # type: ignore[union-attr]
    body.begin(PlannedAction(Verb.OPEN, ("box_1",)), NOWHERE)
    assert body.next(SEEN, None).failure is Failure.NOT_SEEN  # type: ignore[union-attr]
