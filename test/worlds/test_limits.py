"""The safety gate: limits, lease, order, latched stop."""

from __future__ import annotations

import dataclasses
import math
import threading

import numpy as np
import pytest
from hypothesis import given, strategies as st
from warrants import let

from vantage.errors import EpisodeError
from vantage.spatial import Viewpoint
from vantage.types import ArmStep, ArmTarget, Cause, Command, ObjectAction, Status
from vantage.worlds.limits import DRY_RUN, UNCONFIRMED, ArmCheck, MotionCheck, MotionLimits, Refusal, SafetyGate

HERE = Viewpoint(0, 0, 1, 0, 0)
LIMITS = MotionLimits((-1, -1, 0.2), (1, 1, 2), -1.0, 0.8, 0.5, 1.0)
ARM = frozenset({"viewpoint", "arm"})
finite = st.floats(-4, 4)


def command(sequence: int = 1, target: Viewpoint | None = HERE, source: str = "a", episode: str = "e") -> Command:
    return Command(target, episode_id=episode, source=source, sequence=sequence)


@pytest.fixture
def gate() -> SafetyGate:
    gate = SafetyGate(LIMITS)
    gate.begin("e")
    return gate


def status(refusal: Refusal | None) -> Status | None:
    return None if refusal is None else refusal.status


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"x": 1.01}, r"x = 1\.010 m is outside the limits \[-1\.000, 1\.000\] m"),
        ({"z": 0.1}, r"z = 0\.100 m is outside"),
        ({"pitch": 0.81}, r"pitch = 0\.810 rad is outside"),
        ({"pitch": -1.01}, r"pitch = -1\.010 rad is outside"),
        ({"x": 0.4, "y": 0.4}, r"a move of 0\.566 m exceeds the limit of 0\.500 m"),
        ({"yaw": 1.1}, r"a turn of 1\.100 rad exceeds"),
        ({"yaw": math.nan}, "is not finite"),
        ({"y": -math.inf}, "is not finite"),
    ],
)
def test_violations_in_words(change: dict[str, float], reason: str) -> None:
    violation = LIMITS.violation(HERE, dataclasses.replace(HERE, **change))
    assert violation is not None
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(violation)


def test_targets_on_the_limits_are_allowed_in_spite_of_rounding() -> None:
    near = dataclasses.replace(HERE, x=0.7)
    assert LIMITS.violation(near, dataclasses.replace(near, x=1.0 + 1e-9)) is None
    assert LIMITS.violation(HERE, dataclasses.replace(HERE, yaw=0.3 + 0.7 + 1e-12)) is None


def test_turns_are_measured_the_short_way() -> None:
    here = dataclasses.replace(HERE, yaw=3.0)
    assert LIMITS.violation(here, dataclasses.replace(here, yaw=-3.0)) is None


def test_without_limits_every_finite_pose_is_allowed() -> None:
    assert MotionLimits().violation(HERE, Viewpoint(1e9, -1e9, 5, 3, -1.5)) is None


@given(finite, finite, finite, finite, finite)
def test_whatever_passes_obeys_every_limit(x: float, y: float, z: float, yaw: float, pitch: float) -> None:
    target = Viewpoint(x, y, z, yaw, pitch)
    if LIMITS.violation(HERE, target) is None:
        assert all(
            a - 2e-6 <= v <= b + 2e-6 for v, a, b in zip((x, y, z), LIMITS.bounds_min, LIMITS.bounds_max, strict=False)
        )
        assert -1 - 2e-6 <= pitch <= 0.8 + 2e-6
        assert HERE.distance(target) <= 0.5 + 2e-6


def test_nothing_is_admitted_before_an_episode() -> None:
    refusal = SafetyGate(LIMITS).admit(command(), HERE)
    assert refusal == Refusal(Status.REJECTED, "no episode is running; reset the world first", Cause.EPISODE)


def test_commands_come_in_order_and_a_number_is_used_once(gate: SafetyGate) -> None:
    refusal = gate.admit(command(2), HERE)
    assert refusal == Refusal(Status.REJECTED, "out of sequence: expected command 1, got 2", Cause.ORDER)
    assert gate.admit(command(1), HERE) is None
    assert status(gate.admit(command(1), HERE)) == Status.REJECTED
    assert status(gate.admit(command(3), HERE)) == Status.REJECTED
    assert gate.admit(command(2), HERE) is None


def test_the_first_source_holds_the_lease_until_the_next_episode(gate: SafetyGate) -> None:
    assert gate.admit(command(1, source="a"), HERE) is None
    refusal = gate.admit(command(2, source="b"), HERE)
    assert refusal == Refusal(Status.REJECTED, "source 'b' does not hold the lease; 'a' does", Cause.LEASE)
    assert gate.admit(command(2, source="a"), HERE) is None
    gate.begin("e")
    assert gate.admit(command(1, source="b"), HERE) is None


def test_in_a_restored_phase_lease_and_numbers_run_on(gate: SafetyGate) -> None:
    assert gate.admit(command(1, source="a"), HERE) is None
    gate.begin("e", restored=True)
    assert status(gate.admit(command(2, source="b"), HERE)) == Status.REJECTED
    assert status(gate.admit(command(1, source="a"), HERE)) == Status.REJECTED
    assert gate.admit(command(2, source="a"), HERE) is None
    with pytest.raises(EpisodeError, match=r"no phase of episode 'f' can begin .* because 'e' is running"):
        gate.begin("f", restored=True)
    with pytest.raises(EpisodeError, match="because no episode is running"):
        SafetyGate(gate.limits).begin("e", restored=True)
    assert gate.admit(command(3, source="a"), HERE) is None, "what was refused changed nothing"


def test_a_command_out_of_turn_does_not_take_the_lease(gate: SafetyGate) -> None:
    gate.admit(command(5, source="b"), HERE)
    gate.admit(command(1, source="b", episode="other"), HERE)
    assert gate.admit(command(1, source="a"), HERE) is None


def test_another_episode_is_refused(gate: SafetyGate) -> None:
    refusal = gate.admit(command(1, episode="old"), HERE)
    assert refusal is not None
    assert refusal.reason == "the command is for episode 'old', running is 'e'"
    assert refusal.cause == Cause.EPISODE


def test_a_refused_target_uses_up_its_number(gate: SafetyGate) -> None:
    refusal = gate.admit(command(1, dataclasses.replace(HERE, x=9)), HERE)
    assert refusal is not None
    assert (refusal.status, refusal.cause) == (Status.REJECTED, Cause.LIMIT)
    assert gate.admit(command(2), HERE) is None


def test_stop_is_latched_and_survives_a_new_episode(gate: SafetyGate) -> None:
    gate.stop("smoke")
    gate.stop("later")
    assert gate.stop_reason == "smoke"
    refusal = gate.admit(command(1), HERE)
    assert refusal == Refusal(Status.STOPPED, "stopped: smoke; clear the stop first")
    gate.begin("e")
    assert status(gate.admit(command(1), HERE)) == Status.STOPPED
    gate.clear_stop()
    assert gate.stop_reason is None
    assert gate.admit(command(2), HERE) is None


def test_a_stop_that_was_cleared_before_the_next_command_is_told_once(gate: SafetyGate) -> None:
    assert gate.admit(command(1), HERE) is None
    gate.stop("smoke")
    gate.clear_stop()
    assert gate.stop_reason is None
    told = gate.admit(command(2), HERE)
    assert told == Refusal(Status.STOPPED, "stopped: smoke; the stop was cleared before this command came")
    assert gate.admit(command(3), HERE) is None
    gate.stop("fire")
    assert status(gate.admit(command(4), HERE)) == Status.STOPPED
    gate.clear_stop()
    assert gate.admit(command(5), HERE) is None, "it was told already"
    gate.stop("flood")
    gate.stop_told()  # by the result of the command that it ended
    gate.clear_stop()
    assert gate.admit(command(6), HERE) is None
    gate.stop("smoke")
    gate.clear_stop()
    gate.begin("next")
    assert gate.admit(command(1, episode="next"), HERE) is None, "another episode begins anew"


def test_a_stop_without_a_reason_still_stops(gate: SafetyGate) -> None:
    gate.stop("")
    assert gate.stop_reason == "stop requested"


def test_arms_and_empty_commands(gate: SafetyGate) -> None:
    arm = dataclasses.replace(command(1, None), arm=ArmTarget(gripper_width=0.02))
    assert gate.admit(arm, HERE) == Refusal(Status.REJECTED, "this world has no arm", Cause.CAPABILITY)
    assert gate.admit(command(2, None), HERE) == Refusal(Status.REJECTED, "the command holds no target", Cause.TARGET)
    with_arm = SafetyGate(LIMITS, ARM, now=lambda: 0)
    with_arm.begin("e")
    refused = with_arm.admit(arm, HERE)
    assert refused is not None
    assert refused.cause == Cause.UNWARRANTED
    let(with_arm, "e", "a")
    assert with_arm.admit(dataclasses.replace(arm, sequence=2), HERE) is None


def test_a_gate_of_an_arm_has_a_clock() -> None:
    with pytest.raises(ValueError, match="the gate of an arm has no clock"):
        SafetyGate(LIMITS, ARM)


def test_two_sources_at_once_get_each_number_admitted_once(gate: SafetyGate) -> None:
    admitted: list[int] = []

    def push() -> None:
        for number in range(1, 200):
            if gate.admit(command(number), HERE) is None:
                admitted.append(number)

    threads = [threading.Thread(target=push) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(admitted) == list(range(1, max(admitted) + 1))


class Fence:
    """Lets nothing north of it."""

    def __init__(self, y: float) -> None:
        self.y = y
        self.asked: list[tuple[Viewpoint, Viewpoint]] = []

    def violation(self, current: Viewpoint, target: Viewpoint, allow_unwind: bool = False) -> str | None:
        self.asked.append((current, target))
        return f"y = {target.y:g} m is beyond the fence at {self.y:g} m" if target.y > self.y else None


class Tweezers:
    """An arm that cannot open wide."""

    def arm_violation(self, target: ArmTarget) -> str | None:
        return "the gripper opens 0.01 m at most" if (target.gripper_width or 0.0) > 0.01 else None


NORTH = dataclasses.replace(HERE, y=0.3)
FENCED = "y = 0.3 m is beyond the fence at 0.2 m"
FAR = dataclasses.replace(HERE, x=0.9, y=-0.5, yaw=3.0)


def begun(checks: tuple[MotionCheck | ArmCheck, ...] = (), **options: bool) -> SafetyGate:
    gate = SafetyGate(LIMITS, ARM, checks, now=lambda: 0, **options)
    gate.begin("e")
    let(gate, "e", "a")
    return gate


def test_checks_refuse_with_their_reason() -> None:
    fence = Fence(0.2)
    gate = begun((Fence(9.0), fence))
    assert gate.admit(command(1, NORTH), HERE) == Refusal(Status.REJECTED, FENCED, Cause.CHECK)
    assert fence.asked == [(HERE, NORTH)]
    assert gate.admit(command(2), HERE) is None
    gate.checks = (Fence(1.0),)
    assert gate.admit(command(3, NORTH), HERE) is None
    gate.checks = ()
    assert gate.checks == ()


def test_checks_are_not_asked_about_what_is_refused_already() -> None:
    fence = Fence(9.0)
    gate = begun((fence,))
    gate.admit(command(5), HERE)
    gate.admit(command(1, FAR), HERE)
    gate.stop("smoke")
    gate.admit(command(2), HERE)
    assert gate.reset_violation(HERE, dataclasses.replace(HERE, x=5.0)) is not None
    assert fence.asked == []


def test_arms_are_checked_too() -> None:
    gate = begun((Tweezers(), Fence(0.2)))
    wide = dataclasses.replace(command(1, None), arm=ArmTarget(gripper_width=0.02))
    assert gate.admit(wide, HERE) == Refusal(Status.REJECTED, "the gripper opens 0.01 m at most", Cause.CHECK)
    narrow = dataclasses.replace(command(2, None), arm=ArmTarget(gripper_width=0.01))
    assert gate.admit(narrow, HERE) is None
    both = dataclasses.replace(narrow, sequence=3, target=NORTH)
    assert status(gate.admit(both, HERE)) == Status.REJECTED
    assert status(gate.admit(dataclasses.replace(wide, sequence=4, target=HERE), HERE)) == Status.REJECTED
    assert gate.admit(dataclasses.replace(narrow, sequence=5, target=HERE), HERE) is None


def test_a_reset_may_go_far_but_not_beyond_limits_and_checks() -> None:
    gate = SafetyGate(LIMITS, checks=(Fence(0.2),))  # before any episode
    assert LIMITS.violation(HERE, FAR) is not None
    assert gate.reset_violation(HERE, FAR) is None
    assert gate.reset_violation(HERE, NORTH) == "y = 0.3 m is beyond the fence at 0.2 m"
    assert "x = 5.000 m is outside" in str(gate.reset_violation(HERE, dataclasses.replace(HERE, x=5.0)))
    gate.stop("smoke")
    assert gate.reset_violation(HERE, FAR) == "stopped: smoke; clear the stop first"
    assert gate.motion_refusal() == "stopped: smoke; clear the stop first"
    gate.clear_stop()
    assert gate.motion_refusal() is None


def test_the_first_motion_waits_for_a_person() -> None:
    gate = begun((Fence(0.2),), confirmed=False)
    assert not gate.confirmed
    assert gate.admit(command(1), HERE) == Refusal(Status.REJECTED, UNCONFIRMED, Cause.UNCONFIRMED)
    assert gate.reset_violation(HERE, FAR) == UNCONFIRMED
    assert gate.motion_refusal() == UNCONFIRMED
    assert "confirm_motion" in UNCONFIRMED
    assert "beyond the fence" in str(gate.reset_violation(HERE, NORTH))
    gate.confirm()
    assert gate.confirmed
    assert gate.admit(command(2), HERE) is None
    assert gate.reset_violation(HERE, FAR) is None
    gate.stop("smoke")
    gate.clear_stop()
    gate.begin("e")
    assert gate.admit(command(1), HERE) is None  # once is enough


def test_a_dry_run_checks_everything_and_moves_nothing() -> None:
    gate = begun((Fence(0.2), Tweezers()), confirmed=False, dry_run=True)
    assert gate.admit(command(1, NORTH), HERE) == Refusal(Status.REJECTED, FENCED, Cause.CHECK)
    assert gate.admit(command(2), HERE) == Refusal(Status.REJECTED, DRY_RUN, Cause.CAPABILITY)
    arm = dataclasses.replace(command(3, None), arm=ArmTarget(gripper_width=0.01))
    assert gate.admit(arm, HERE) == Refusal(Status.REJECTED, DRY_RUN, Cause.CAPABILITY)
    assert gate.reset_violation(HERE, FAR) == gate.motion_refusal() == DRY_RUN
    gate.stop("smoke")
    assert status(gate.admit(command(4), HERE)) == Status.STOPPED


def test_a_pose_that_nobody_knows_is_no_start() -> None:
    lost = dataclasses.replace(HERE, x=math.nan)
    assert "present pose" in str(LIMITS.violation(lost, HERE))


def test_turning_ends_where_the_range_of_the_yaw_does() -> None:
    limits = dataclasses.replace(LIMITS, yaw_min=-3.2, yaw_max=3.2)
    assert limits.can_turn(2.9, 0.3)
    assert not limits.can_turn(2.9, 0.4)
    assert limits.can_turn(2.9, -6.0)
    assert not limits.can_turn(2.9, -6.2)
    assert limits.can_turn(2.9 - 2 * math.tau, 0.3)  # wrapped or not
    assert limits.can_turn(3.14, 0.5)  # which may also be -3.143
    assert limits.can_turn(3.14, -0.5)
    assert limits.can_turn(2.5, 0.6, -6.0)
    assert not limits.can_turn(2.5, 0.8, -0.8)  # there and back, but beyond the end in between
    assert LIMITS.can_turn(2.9, 100.0)
    narrow = dataclasses.replace(LIMITS, yaw_min=-1.0, yaw_max=1.0)
    assert not narrow.can_turn(2.0, 0.1)  # not even there
    assert narrow.can_turn(0.9, 0.1 + 1e-9)


@pytest.mark.parametrize(
    ("target", "cause", "words"),
    [
        (ArmTarget(), Cause.TARGET, "one of joints, a pose, a width, a step, a handle; got none"),
        (ArmTarget(handle="open", gripper_width=0.1), Cause.TARGET, "got a width and a handle"),
        (ArmTarget(handle="shake"), Cause.TARGET, "what is done by a handle is open or close, got 'shake'"),
        (ArmTarget(step=ArmStep(roll=math.nan)), Cause.TARGET, "the arm's target is not finite"),
        (ArmTarget(joints={"a": math.inf}), Cause.TARGET, "the arm's target is not finite"),
        (ArmTarget(gripper_width=0.1, gripper_force=math.nan), Cause.TARGET, "the arm's target is not finite"),
        (ArmTarget(T_world_tool=np.full((4, 4), math.nan)), Cause.TARGET, "not a finite rigid transform (4, 4)"),
        (ArmTarget(T_world_tool=np.eye(3)), Cause.TARGET, "not a finite rigid transform (4, 4)"),
        (ArmTarget(T_world_tool=np.diag([2.0, 1.0, 1.0, 1.0])), Cause.TARGET, "not a finite rigid transform (4, 4)"),
        (ArmTarget(T_world_tool=np.diag([-1.0, 1.0, 1.0, 1.0])), Cause.TARGET, "not a finite rigid transform (4, 4)"),
    ],
)
def test_arm_targets_that_no_arm_could_take_are_refused_once_and_for_all(
    target: ArmTarget, cause: Cause, words: str
) -> None:
    gate = SafetyGate(MotionLimits(), ARM, now=lambda: 0)
    gate.begin("e")
    let(gate, "e", "a")
    refusal = gate.admit(dataclasses.replace(command(1, None), arm=target), HERE)
    assert refusal is not None
    assert (refusal.status, refusal.cause) == (Status.REJECTED, cause)
    assert words in refusal.reason
    assert gate.admit(dataclasses.replace(command(2, None), arm=ArmTarget(step=ArmStep(up=0.1))), HERE) is None


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (ObjectAction("shake", 3), "one of open, close, take, put_in, put_on, put_beside, switch_on, switch_off, got"),
        (ObjectAction("open", 0), "a thing has a positive instance id, got 0"),
        (ObjectAction("take", -4), "a thing has a positive instance id, got -4"),
        (ObjectAction("put_in", 3), "put_in names another thing as its place, got 0 for thing 3"),
        (ObjectAction("put_on", 3, 3), "put_on names another thing as its place, got 3 for thing 3"),
        (ObjectAction("close", 3, 4), "close takes no place, got 4; leave it 0"),
    ],
)
def test_actions_on_things_that_say_nothing_are_refused(action: ObjectAction, words: str) -> None:
    gate = SafetyGate(MotionLimits(), ARM, arm_parts=("object_action",), now=lambda: 0)
    gate.begin("e")
    let(gate, "e", "a")
    refusal = gate.admit(dataclasses.replace(command(1, None), arm=ArmTarget(object_action=action)), HERE)
    assert refusal is not None
    assert refusal.cause == Cause.TARGET
    assert words in refusal.reason
    good = ArmTarget(object_action=ObjectAction("put_in", 3, 4))
    assert gate.admit(dataclasses.replace(command(2, None), arm=good), HERE) is None


def test_arms_that_move_take_no_actions_on_things() -> None:
    gate = SafetyGate(MotionLimits(), ARM, now=lambda: 0)
    gate.begin("e")
    let(gate, "e", "a")
    action = ArmTarget(object_action=ObjectAction("open", 3))
    refusal = gate.admit(dataclasses.replace(command(1, None), arm=action), HERE)
    assert refusal is not None
    assert refusal.cause == Cause.CAPABILITY
    assert refusal.reason.endswith("a step or a handle, not an action on a thing")


def test_an_arm_refuses_what_it_cannot_do_at_all() -> None:
    gate = SafetyGate(MotionLimits(), ARM, arm_parts=("joints", "gripper_width"), now=lambda: 0)
    gate.begin("e")
    let(gate, "e", "a")
    for number, target in enumerate((ArmTarget(step=ArmStep(up=0.1)), ArmTarget(handle="open")), start=1):
        refusal = gate.admit(dataclasses.replace(command(number, None), arm=target), HERE)
        assert refusal is not None
        assert refusal.cause == Cause.CAPABILITY
        assert refusal.reason.startswith("this arm takes joints or a width, not a ")
    assert gate.admit(dataclasses.replace(command(3, None), arm=ArmTarget(joints={"a": 0.1})), HERE) is None
