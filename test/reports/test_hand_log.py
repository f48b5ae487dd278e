"""What the hand was about, and what came of it, from commands and what a bag tells of them."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.recording import Hold, PlaceEvidence
from vantage.recording.recorded_episode import Motion
from vantage.reports.hand_log import HandCommand, HandJob, hand_jobs
from vantage.spatial import Viewpoint
from vantage.types import KGF, ArmStep, ArmTarget, Gathered, Status

HERE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
UP, DRIVE = ArmTarget(step=ArmStep(up=0.05)), None
LET_GO = ArmTarget(gripper_width=0.12)
OPEN, CLOSE = ArmTarget(handle="open"), ArmTarget(handle="close")


def grasp(force: float) -> ArmTarget:
    return ArmTarget(gripper_width=0.0, gripper_force=force * KGF)


def commands(
    targets: Sequence[ArmTarget | None], meant: str = "", phase: str = "explore", refused: str = "", start: int = 0
) -> list[HandCommand]:
    """The look after command k has the stamp k; the last command is refused where a reason is given."""
    found = []
    for k, target in enumerate(targets, start=start + 1):
        is_refused = bool(refused) and k == start + len(targets)
        status, reason = (Status.COLLIDED, refused) if is_refused else (Status.DONE, "")
        found.append(HandCommand(k, k - start, phase, meant, target, k - 1, Motion("", status, reason, HERE, k)))
    return found


def jobs(given: Sequence[HandCommand], evidence: PlaceEvidence | None = None) -> list[HandJob]:
    return hand_jobs(given, evidence or PlaceEvidence(), lambda key: f"cup {key}" if key else "something")


def test_a_weight_lies_between_the_forces_with_which_a_thing_slipped_and_was_held() -> None:
    given = commands([grasp(4.0), UP, grasp(0.3), grasp(4.0), UP, grasp(0.4), grasp(0.35), LET_GO], "weighing the cup")
    holds = (Hold(7, {1: 0.8, 2: 0.82}), Hold(7, {4: 0.8, 5: 0.82, 6: 0.82, 7: 0.82}))
    (job,) = jobs(given, PlaceEvidence(holds=holds))
    assert (job.phase, job.first, job.last, job.meant) == ("explore", 1, 8, "weighing the cup")
    assert job.result == "lifted cup 7: 0.30 to 0.35 kg (slipped with 0.30 kgf, held with 0.35 kgf)"


def test_what_slips_with_the_last_command_of_a_job_slipped() -> None:
    given = [*commands([grasp(0.5), UP], "weighing the cup"), *commands([grasp(0.1)], "looking", start=2)]
    job, other = jobs(given, PlaceEvidence(holds=(Hold(7, {1: 0.8, 2: 0.82}),)))
    assert job.result == "lifted cup 7: 0.10 to 0.50 kg (slipped with 0.10 kgf, held with 0.50 kgf)"
    assert other.result == "nothing was opened or lifted"


def test_a_thing_that_never_slipped_has_no_least_weight() -> None:
    given = commands([grasp(4.0), UP, LET_GO])
    assert jobs(given, PlaceEvidence(holds=(Hold(0, {1: 0.8, 2: 0.9}),)))[0].result == (
        "lifted something, held with 4.00 kgf"
    )


def test_forces_that_contradict_each_other_are_no_weight() -> None:
    given = commands([grasp(0.3), UP, grasp(0.4)])
    assert jobs(given, PlaceEvidence(holds=(Hold(7, {1: 0.8, 2: 0.9}),)))[0].result == (
        "lifted cup 7: slipped with 0.40 kgf, held with 0.30 kgf"
    )


def test_what_is_held_and_not_raised_and_what_is_not_caught_is_told() -> None:
    assert jobs(commands([grasp(4.0), LET_GO]), PlaceEvidence(holds=(Hold(7, {1: 0.8}),)))[0].result == (
        "held cup 7, but did not lift it"
    )
    assert jobs(commands([grasp(4.0), LET_GO, grasp(4.0)], refused="the arm met the table (3)"))[0].result == (
        "2 grasps caught nothing; the arm met the table (3)"
    )


def test_what_was_opened_stands_by_its_name_where_the_bag_tells() -> None:
    told = PlaceEvidence({2: Gathered((), (7,))})
    assert jobs(commands([DRIVE, OPEN], "opening the fridge"), told)[0].result == "opened cup 7"
    assert jobs(commands([DRIVE, OPEN, CLOSE]))[0].result == "opened by the handle; closed by the handle"
    (failed,) = jobs(commands([UP, OPEN], "opening the fridge", refused="it met the wall; all is as before"))
    assert failed.result == "it met the wall; all is as before"


def test_jobs_of_which_nothing_is_said_are_told_apart_by_breaks_and_phases() -> None:
    given = commands([DRIVE, UP, DRIVE, UP, *[DRIVE] * 12, UP, UP, DRIVE])
    given += commands([UP], phase="reenter", start=len(given))
    assert [(job.phase, job.first, job.last) for job in jobs(given)] == [
        ("explore", 2, 4),
        ("explore", 17, 18),
        ("reenter", 1, 1),
    ]


def test_where_the_arm_has_no_part_the_hand_did_nothing() -> None:
    assert jobs(commands([DRIVE] * 3, "looking around")) == []
    assert jobs([]) == []
