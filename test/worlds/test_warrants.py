"""Warrants: who signed them, what they say, and what gates and worlds let through with and without them."""

from __future__ import annotations

import dataclasses
import math
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from arm_world import ArmWorld, hall_episode
from row_tables import each_row
from warrants import hostile_targets, let

from vantage.config import Settings
from vantage.spatial import Viewpoint
from vantage.types import ArmStep, ArmTarget, Cause, Command, Episode, InstanceLabel, Status
from vantage.worlds.blind import BlindWorld
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.splat import SplatWorld
from vantage.worlds.warrant_book import manipulations_of, names_in
from vantage.worlds.warrants import (
    GUARD,
    LONGEST,
    MANIPULATIONS,
    MOST_COMMANDS,
    MOVE_ARM,
    PERSON,
    PUT,
    TAKE,
    Warrant,
    WarrantError,
    WarrantFault,
    WarrantIssuer,
    countersigned,
    person_warrant,
    require_signed,
    signed,
)

MANY = 1_000
HERE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
SMALL = Settings().with_values({"camera.width": 8, "camera.height": 6}, "test")
FAULTS = WarrantFault


class Clock:
    """ns that a test sets."""

    def __init__(self) -> None:
        self.now = 100

    def __call__(self) -> int:
        return self.now


def issued(**changes: Any) -> Warrant:
    fields = {"commands": 5, "issued": 100, "seconds": 1.0, "objects": (), "manipulations": MANIPULATIONS}
    fields |= {"issuer": GUARD, "episode_id": "e", "source": "a", "goal": "open the fridge"} | changes
    return WarrantIssuer().issue(**fields)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gate(clock: Clock) -> SafetyGate:
    legend = {7: InstanceLabel(7, "fridge"), 8: InstanceLabel(8, "coffee mug")}

    def touched(target: ArmTarget) -> list[frozenset[str]]:
        """The thing whose id is the force, in N."""
        return [names_in(legend, int(target.gripper_force))] if target.gripper_force else []

    made = SafetyGate(MotionLimits(), frozenset({"viewpoint", "arm"}), now=clock, touched=touched)
    made.begin("e")
    return made


class Sender:
    """Gives a gate commands of an arm, numbered."""

    def __init__(self, gate: SafetyGate, source: str = "a") -> None:
        self.gate, self.source, self.number = gate, source, 0

    def __call__(self, what: ArmTarget | None = None, **changes: Any) -> tuple[Status | None, Cause | None, str]:
        self.number += 1
        told = ArmTarget(joints={"a": 0.1}) if what is None else what
        command = Command(arm=told, episode_id="e", source=self.source, sequence=self.number)
        refusal = self.gate.admit(dataclasses.replace(command, **changes), HERE)
        return (None, None, "") if refusal is None else (refusal.status, refusal.cause, refusal.reason)


def is_refused(told: tuple[Status | None, Cause | None, str]) -> bool:
    return told[:2] == (Status.REJECTED, Cause.UNWARRANTED) and told[2].count("\n") == 0 and bool(told[2])


def fault_of(gate: Any, warrant: Any) -> WarrantFault:
    with pytest.raises(WarrantError) as caught:
        gate.grant(warrant)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(caught.value.fault.value)
    return caught.value.fault


# Warrants -----------------------------------------------------------------------------------------------------------


def test_whatever_is_changed_in_a_warrant_makes_it_forged(gate: SafetyGate) -> None:
    good = issued()
    changes = {
        "identity": "0" * 32,
        "issuer": PERSON,
        "episode_id": "f",
        "source": "b",
        "goal": "open the safe",
        "manipulations": frozenset({MOVE_ARM}),
        "objects": frozenset({"fridge"}),
        "commands": 6,
        "issued": 99,
        "expires": good.expires + 1,
        "signature": b"",
    }
    assert set(changes) == {field.name for field in dataclasses.fields(Warrant)}
    for name, value in changes.items():
        assert fault_of(gate, dataclasses.replace(good, **{name: value})) is FAULTS.FORGED, name
    for bit in range(8 * len(good.signature)):
        flipped = bytearray(good.signature)
        flipped[bit // 8] ^= 1 << bit % 8
        assert fault_of(gate, dataclasses.replace(good, signature=bytes(flipped))) is FAULTS.FORGED
    assert gate.faults == {FAULTS.FORGED: len(changes) + 256}
    assert is_refused(Sender(gate)())
    gate.grant(good)


def test_fields_do_not_run_into_each_other() -> None:
    one, other = issued(goal="ab", source="c"), issued(goal="a", source="bc")
    same = {"identity": one.identity}
    key = b"k" * 32
    first = signed(dataclasses.replace(one, **same), key)
    second = signed(dataclasses.replace(other, **same), key)
    assert first.signature != second.signature


@each_row(
    "name, value",
    [
        ("identity", "no"),
        ("identity", 5),
        ("issuer", "model"),
        ("episode_id", None),
        ("source", "x" * 1001),
        ("goal", b"open"),
        ("manipulations", frozenset()),
        ("manipulations", frozenset({"burn"})),
        ("manipulations", {"open"}),
        ("manipulations", frozenset({1})),
        ("objects", ["fridge"]),
        ("objects", frozenset(map(str, range(1001)))),
        ("commands", 0),
        ("commands", True),
        ("commands", -1),
        ("commands", MOST_COMMANDS + 1),
        ("commands", 2.0),
        ("commands", 10**400),
        ("issued", math.nan),
        ("issued", -1),
        ("expires", math.inf),
        ("expires", math.nan),
        ("expires", 100),
        ("expires", 100 + LONGEST + 1),
        ("expires", 2**63),
        ("expires", "soon"),
    ],
)
def test_what_no_warrant_can_hold_is_malformed_signed_or_not(name: str, value: Any) -> None:
    bad = dataclasses.replace(issued(), **{name: value})
    for act in (lambda: require_signed(bad), lambda: signed(bad, b"k" * 32), lambda: countersigned(bad)):
        with pytest.raises(WarrantError) as caught:
            act()
        assert caught.value.fault is FAULTS.MALFORMED


def test_none_and_text_are_no_warrants(gate: SafetyGate) -> None:
    assert [fault_of(gate, bad) for bad in (None, "open", b"", 1)] == [FAULTS.MALFORMED] * 4
    assert fault_of(gate, dataclasses.replace(issued(), signature="x")) is FAULTS.FORGED  # type: ignore[arg-type]


def test_a_signature_is_for_one_key_and_one_session() -> None:
    here, there = issued(), b"t" * 32
    sent = countersigned(here, by=there, into="s1")
    require_signed(sent, there, "s1")
    for key, session in ((there, "s2"), (there, ""), (b"u" * 32, "s1"), (None, "")):
        with pytest.raises(WarrantError) as caught:
            require_signed(sent, key, session)
        assert caught.value.fault is FAULTS.FORGED
    assert countersigned(sent, key=there, session="s1") == here
    with pytest.raises(WarrantError):
        countersigned(dataclasses.replace(sent, commands=9), key=there, session="s1")


def test_odd_words_are_signed_and_long_ones_cut() -> None:
    odd = issued(goal="\ud800\n'\"\x00 größer", objects=("ключ", ""))
    require_signed(odd)
    assert len(issued(goal="word " * 10_000).goal) == 1_000


@each_row("seconds", [0.0, -1.0, math.nan, math.inf, 1e12])
def test_a_warrant_lasts_some_time_and_not_for_ever(seconds: float) -> None:
    with pytest.raises(WarrantError):
        issued(seconds=seconds)


def test_a_persons_warrant_has_as_many_commands_as_the_episode_steps() -> None:
    episode = hall_episode("e", max_steps=20)
    assert person_warrant(episode, "a", 5).commands == 20
    assert person_warrant(episode, "a", 5).issuer == PERSON
    assert person_warrant(episode, "a", 5, commands=3).commands == 3
    assert person_warrant(dataclasses.replace(episode, max_steps=2**31), "a", 5).commands == MOST_COMMANDS


# Gates --------------------------------------------------------------------------------------------------------------


def test_a_gate_tells_what_is_wrong_with_a_warrant(gate: SafetyGate, clock: Clock) -> None:
    assert fault_of(gate, issued(episode_id="f")) is FAULTS.FOREIGN_EPISODE
    assert fault_of(gate, issued(issued=101)) is FAULTS.EXPIRED
    good = issued()
    clock.now = good.expires
    assert fault_of(gate, good) is FAULTS.EXPIRED
    clock.now -= 1
    gate.grant(good)
    assert fault_of(gate, good) is FAULTS.REPLAYED
    send = Sender(gate)
    assert send() == (None, None, "")
    assert fault_of(gate, issued(source="b")) is FAULTS.FOREIGN_SOURCE
    clock.now = good.expires
    assert "out of date" in send()[2]
    nobody = SafetyGate(MotionLimits(), now=clock)
    assert fault_of(nobody, issued()) is FAULTS.FOREIGN_EPISODE
    assert gate.faults[FAULTS.EXPIRED] == 3


def test_a_warrant_ends_with_its_commands_its_episode_and_its_source(gate: SafetyGate) -> None:
    gate.grant(issued(commands=2))
    send = Sender(gate)
    assert [send()[0] for _ in range(2)] == [None, None]
    told = send()
    assert is_refused(told)
    assert "used up" in told[2]
    gate.grant(issued())
    gate.begin("e", restored=True)
    assert send() == (None, None, "")
    gate.begin("e")
    assert is_refused(Sender(gate)())
    gate.begin("e")
    gate.grant(issued(source="b"))
    assert is_refused(Sender(gate, "a")())


def test_an_old_warrant_is_of_no_use_when_its_episode_runs_again(gate: SafetyGate) -> None:
    old = issued()
    gate.grant(old)
    gate.begin("e")
    assert fault_of(gate, old) is FAULTS.REPLAYED


def test_what_is_refused_for_another_reason_uses_up_nothing(gate: SafetyGate) -> None:
    gate.grant(issued(commands=1))
    send = Sender(gate)
    assert send(ArmTarget())[1] == Cause.TARGET
    gate.stop("smoke")
    assert send()[0] == Status.STOPPED
    gate.clear_stop()
    gate.dry_run = True
    assert send()[1] == Cause.CAPABILITY
    gate.dry_run = False
    assert send() == (None, None, "")
    assert is_refused(send())


@each_row(
    "target, kinds",
    [
        (ArmTarget(handle="open"), {"open"}),
        (ArmTarget(handle="close"), {"close"}),
        (ArmTarget(gripper_width=0.0), {TAKE, PUT}),
        (ArmTarget(joints={"a": 0.0}), MANIPULATIONS),
        (ArmTarget(step=ArmStep(up=0.1)), MANIPULATIONS),
        (ArmTarget(T_world_tool=np.eye(4)), MANIPULATIONS),
    ],
)
def test_a_command_takes_a_warrant_for_what_it_does(target: ArmTarget, kinds: set[str]) -> None:
    assert manipulations_of(target) == kinds
    for kind in MANIPULATIONS:
        gate = SafetyGate(MotionLimits(), frozenset({"viewpoint", "arm"}), now=Clock())
        gate.begin("e")
        gate.grant(issued(manipulations={kind}))
        told = Sender(gate)(target)
        assert (told[0] is None) == (kind in kinds)
        if told[0] is not None:
            assert is_refused(told)
            assert "for something else" in told[2]


def test_things_that_a_warrant_does_not_name_are_left_alone(gate: SafetyGate) -> None:
    send, fridge, mug, unknown = Sender(gate), *(ArmTarget(gripper_width=0.0, gripper_force=n) for n in (7.0, 8.0, 9.0))
    gate.grant(issued(objects={"Fridge_7"}, manipulations={TAKE}))
    assert send(fridge)[0] is None
    for thing in (mug, unknown):
        told = send(thing)
        assert is_refused(told)
        assert "for other things" in told[2]
    assert send()[0] is None, "nothing is known to be touched"
    gate.grant(issued(objects={"coffee mug"}))
    assert send(mug)[0] is None
    assert gate.faults == {FAULTS.OTHER_OBJECT: 2}
    gate.grant(issued())
    assert send(unknown)[0] is None, "no names are all things"


def test_no_malicious_command_passes_a_gate_and_every_warranted_one_does(gate: SafetyGate) -> None:
    send = Sender(gate)
    for number, target in enumerate(hostile_targets(MANY)):
        if number % 3 == 0:
            forged = dataclasses.replace(issued(), commands=MANY)
            assert fault_of(gate, forged) is FAULTS.FORGED
        status, cause, _ = send(target, target=HERE if number % 2 else None)
        assert status == Status.REJECTED
        assert cause in (Cause.UNWARRANTED, Cause.TARGET)
    assert gate.faults[FAULTS.FORGED] == len(range(0, MANY, 3))
    gate.grant(issued(commands=MANY))
    assert [send()[0] for _ in range(MANY)] == [None] * MANY
    assert is_refused(send())


# Worlds -------------------------------------------------------------------------------------------------------------


def test_no_malicious_command_moves_the_arm_of_a_world_and_every_warranted_one_is_taken() -> None:
    world, episode = ArmWorld(SMALL), hall_episode("e")
    seen = world.reset(episode, 0)
    number = 0
    for number, target in enumerate(hostile_targets(MANY), start=1):
        result = world.step(Command(arm=target, episode_id="e", source="a", sequence=number))
        assert result.status == Status.REJECTED
        assert result.cause in (Cause.UNWARRANTED, Cause.TARGET)
    after = world.observe()
    assert np.array_equal(after.touch.T_world_tool, seen.touch.T_world_tool)
    assert (after.touch.gripper_width, world.opened) == (seen.touch.gripper_width, False)
    let(world, "e", "a", seen.stamp, commands=100)
    for lift in range(100):
        number += 1
        target = ArmTarget(joints={"lift": 0.001 * lift})
        assert world.step(Command(arm=target, episode_id="e", source="a", sequence=number)).status == Status.DONE
    assert (
        world.step(Command(arm=ArmTarget(joints={"lift": 0.0}), episode_id="e", source="a", sequence=number + 1)).cause
        == Cause.UNWARRANTED
    )


def test_no_arm_command_passes_a_splat_world(settings: Settings, episode: Episode) -> None:
    few = settings.with_values({"camera.width": 8, "camera.height": 6}, "test")
    with closing(SplatWorld(few)) as world:
        seen = world.reset(episode, 0)
        for number, target in enumerate(hostile_targets(MANY), start=1):
            command = Command(arm=target, episode_id=episode.episode_id, source="a", sequence=number)
            result = world.step(command)
            assert (result.status, result.cause) == (Status.REJECTED, Cause.CAPABILITY)
        assert world.observe().viewpoint == seen.viewpoint


def test_worlds_without_arms_check_warrants_and_move_nothing() -> None:
    blind, episode = BlindWorld(), hall_episode("e")
    stamp = blind.reset(episode, 0).stamp
    blind.grant(person_warrant(episode, "a", stamp))
    assert fault_of(blind, dataclasses.replace(person_warrant(episode, "a", stamp), commands=9)) is FAULTS.FORGED
    told = blind.step(Command(arm=ArmTarget(handle="open"), episode_id="e", source="a", sequence=1))
    assert (told.status, told.cause) == (Status.REJECTED, Cause.CAPABILITY)
