"""The safety gate: limits, lease, order, latched stop."""

from __future__ import annotations

import dataclasses
import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.spatial import Viewpoint
from vantage.types import ArmTarget, Command, Status
from vantage.worlds.limits import MotionLimits, Refusal, SafetyGate

HERE = Viewpoint(0, 0, 1, 0, 0)
LIMITS = MotionLimits((-1, -1, 0.2), (1, 1, 2), -1.0, 0.8, 0.5, 1.0)
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
    assert refusal == Refusal(Status.REJECTED, "no episode is running; reset the world first")


def test_commands_come_in_order_and_a_number_is_used_once(gate: SafetyGate) -> None:
    assert status(gate.admit(command(2), HERE)) == Status.REJECTED
    assert gate.admit(command(1), HERE) is None
    assert status(gate.admit(command(1), HERE)) == Status.REJECTED
    assert status(gate.admit(command(3), HERE)) == Status.REJECTED
    assert gate.admit(command(2), HERE) is None


def test_the_first_source_holds_the_lease_until_the_next_episode(gate: SafetyGate) -> None:
    assert gate.admit(command(1, source="a"), HERE) is None
    refusal = gate.admit(command(2, source="b"), HERE)
    assert refusal == Refusal(Status.REJECTED, "source 'b' does not hold the lease; 'a' does")
    assert gate.admit(command(2, source="a"), HERE) is None
    gate.begin("e")
    assert gate.admit(command(1, source="b"), HERE) is None


def test_a_command_out_of_turn_does_not_take_the_lease(gate: SafetyGate) -> None:
    gate.admit(command(5, source="b"), HERE)
    gate.admit(command(1, source="b", episode="other"), HERE)
    assert gate.admit(command(1, source="a"), HERE) is None


def test_another_episode_is_refused(gate: SafetyGate) -> None:
    refusal = gate.admit(command(1, episode="old"), HERE)
    assert refusal is not None
    assert refusal.reason == "the command is for episode 'old', running is 'e'"


def test_a_refused_target_uses_up_its_number(gate: SafetyGate) -> None:
    assert status(gate.admit(command(1, dataclasses.replace(HERE, x=9)), HERE)) == Status.REJECTED
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


def test_a_stop_without_a_reason_still_stops(gate: SafetyGate) -> None:
    gate.stop("")
    assert gate.stop_reason == "stop requested"


def test_arms_and_empty_commands(gate: SafetyGate) -> None:
    arm = dataclasses.replace(command(1, None), arm=ArmTarget(gripper_width=0.02))
    assert gate.admit(arm, HERE) == Refusal(Status.REJECTED, "this world has no arm")
    assert gate.admit(command(2, None), HERE) == Refusal(Status.REJECTED, "the command holds no target")
    with_arm = SafetyGate(LIMITS, frozenset({"viewpoint", "arm"}))
    with_arm.begin("e")
    assert with_arm.admit(arm, HERE) is None


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
