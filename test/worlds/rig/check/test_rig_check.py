"""The check of a rig: what it proves of a sound one, and with which words it fails for a broken one."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skipping_clock import SkippingClock
from small_rig import SLIDE, TURN, rig_settings, write_rig

from vantage.errors import UnknownNameError, UsageError
from vantage.worlds.rig.assembly import Assembly, assemble
from vantage.worlds.rig.cameras.periodic import FAULTS as CAMERA_FAULTS
from vantage.worlds.rig.check import basic_steps
from vantage.worlds.rig.check.check_report import FAILED, PASSED, SKIPPED, FailedError, Finding
from vantage.worlds.rig.check.dead_host import waiting
from vantage.worlds.rig.check.rig_check import (
    FIRST_STEPS,
    STEPS,
    RigCheck,
    Step,
    fault_step,
    known_faults,
    refuse_unknown,
)
from vantage.worlds.rig.check.rig_under_test import RigUnderTest
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.emulators.grbl.emulator import GrblEmulator, make_grbl_emulator

GRBL = {"name": "grbl", "port": "", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}
QUICK = {"frame": 0.5, "heartbeat": 0.4, "state": 1.0}
LOOK = {"settle": 0.05, "timeout": 1.0, "retries": 2}
JOINTS = [
    {"name": "x", "axis": [1, 0, 0], "limits": [0.0, 0.3], **SLIDE},
    {"name": "y", "axis": [0, 1, 0], "limits": [0.0, 0.3], **SLIDE},
    {"name": "z", "axis": [0, 0, 1], "limits": [0.3, 0.6], **SLIDE},
    {"name": "pan", "axis": [0, 0, 1], "limits": [-1.6, 1.6], **TURN},
    {"name": "tilt", "axis": [0, -1, 0], "limits": [-0.8, 0.8], **TURN},
]
HEAD = {"name": "head", "link": "tilt_link", "from": [0, 0, 0], "radius": 0.05}
MAST = {"name": "mast", "link": "rig_base", "from": [0.3, 0.3, 0.0], "to": [0.3, 0.3, 0.6], "radius": 0.03}
SAFETY = {
    "bodies": [HEAD, MAST],
    "boxes": [{"name": "cupboard", "min": [0.2, -0.1, 0.0], "max": [0.4, 0.05, 0.4]}],
    "apart": [{"a": "head", "b": "mast"}],
}


def write(folder: Path, **changes: Any) -> Path:
    """The file of a small, fast rig."""
    values = {"driver": GRBL, "watchdog": QUICK, "look": LOOK, "safety": SAFETY, **changes}
    values.setdefault("chain", {"joints": JOINTS, "camera": {"xyz": [0.03, 0.0, 0.02]}})
    return write_rig(folder, **values)


@pytest.fixture
def clock() -> Iterator[SkippingClock]:
    with SkippingClock() as clock:
        yield clock


@pytest.fixture(autouse=True)
def _few_postures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every check begins with them."""
    monkeypatch.setattr(basic_steps, "_POSTURES", 20)


def make(
    folder: Path, mode: str = "emulated", clock: SkippingClock | None = None, **changes: Any
) -> tuple[Assembly, Any]:
    """That rig, not connected yet, and its settings; in real time without a clock."""
    settings = rig_settings(write(folder, **changes), mode)
    return assemble(settings, confirmed=False, clock=clock), settings


def run(made: tuple[Assembly, Any], inject: str = "", steps: Sequence[Step] = STEPS) -> dict[str, Finding]:
    """What a check finds, by step."""
    rig, settings = made
    findings = RigCheck(rig, settings, "lab", inject, steps=tuple(steps)).run()
    return {finding.step: finding for finding in findings}


def only(*names: str) -> list[Step]:
    found = [step for step in STEPS if step.name in names]
    assert len(found) == len(names)
    return found


def failed(findings: dict[str, Finding]) -> list[str]:
    return [finding.step for finding in findings.values() if finding.outcome == FAILED]


IN_ANOTHER_PROGRAM = "a dead host means a standing rig"  # whose time does not leap
FIGURES = {
    "controller and camera answer": r"5 joints at .*; camera 160 x 120",
    "kinematics": r"within \S+e-1\d m or rad at 200 postures",
    "the first motion needs a person": r"refused: .*must be confirmed by a person",
    "homing": r"done in \d+\.\d s",
    "a start is reached and seen": r"0\.\d{3} mm off",
    "pictures": r"\d+ in a second, \d+ ms old when they come, mean grey \d+",
    "settle, then look": r"taken \d\.\d{3} s after the rig was last seen to move, 0\.05 s are due",
    "every joint moves to within a step": r"5 joints went there and back; 0\.\d\d steps off at most",
    "limits refuse": r"12 targets beyond a limit, . too far away for one command and 10 joint positions were",
    "obstacles refuse": r"forbidden box 'cupboard'.*within 0\.02 m of the (mast|head)",
    "a dry run moves nothing": r"dry run: all checks passed; nothing moved",
    "stop brakes and latches": r"at rest 0\.\d\d s later and \d+\.\d m(m|rad) on .*latched until cleared",
    "silence of whoever commands stops": r"no heartbeat came for 0\.\d\d s.*at rest \d\.\d\d s after it began",
    "a camera that stalls stops": r"the newest frame of the camera is 0\.\d\d s old.*at rest \d\.\d\d s after",
    "a clock that jumps stops": r"the clock jumped by \+0\.(19|2[0-4])\d s .*at rest",
    "a lost link stops": r"went away.*at rest \d\.\d\d s later and .*went on once the link was back",
    "a dead host means a standing rig": r"its program was killed: at rest \d\.\d\d s later and \d+\.\d m(m|rad) on",
    "little motion waits in the controller": r"1\d\d\.\d ms of motion waited in the controller at most, 200 ms",
}


def tell_figures(found: dict[str, Finding], steps: Iterable[str]) -> None:
    for step in steps:
        assert re.search(FIGURES[step], found[step].words), f"{step}: {found[step].words}"


def test_a_sound_rig_passes_with_figures(tmp_path: Path, clock: SkippingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(basic_steps, "_POSTURES", 200)
    steps = [step for step in STEPS if step.name != IN_ANOTHER_PROGRAM]
    found = run(make(tmp_path, clock=clock), steps=steps)
    assert {step: f"{f.outcome}: {f.words}" for step, f in found.items() if f.outcome != PASSED} == {
        "no command for too long stops": "skipped: watchdog.command is 0 in the rig's file, so nobody listens"
    }
    tell_figures(found, FIGURES.keys() - {IN_ANOTHER_PROGRAM})


@pytest.mark.real_time
def test_a_sound_rig_stops_in_real_time(tmp_path: Path) -> None:
    stops = [
        "stop brakes and latches",
        "a lost link stops",
        IN_ANOTHER_PROGRAM,
        "little motion waits in the controller",
    ]
    found = run(make(tmp_path), steps=only(*stops))
    assert failed(found) == []
    tell_figures(found, ["homing", *stops])


WORDS = {
    "unplug": "went away",
    "garbage": "sent garbage",
    "lost_ack": "acknowledgement lost",
    "duplicate_ack": "unexpected acknowledgement",
    "late_replies": "silent|without an answer|state of the controller is",
    "silent": "fallen silent|without an answer|state of the controller is",
    "truncated": "sent garbage|state of the controller is",
    "stuck_axis": "stuck",
    "reset": "restarted by itself",
    "alarm": "alarm 1: a limit switch was hit",
    "door": "state Door|safety door",
    "black": "the picture is black",
    "frozen": "the camera is frozen",
    "late": "the newest frame of the camera is .* old",
    "stale": "the newest frame of the camera is .* old",
    "gone": "the camera went away",
}


def test_each_fault_makes_its_step_fail_and_is_named(tmp_path: Path, clock: SkippingClock) -> None:
    """One after the other; each is mended in the end, and the rig goes on."""

    def strike(fault: str) -> Step:
        def prove(subject: Any) -> str:
            try:
                return fault_step(fault)(subject)
            finally:
                subject.rig.emulator.mend()
                subject.rig.camera.mend()

        return Step(fault, prove)

    faults = [*GrblEmulator.faults, *CAMERA_FAULTS]
    rig, settings = make(tmp_path, clock=clock)
    findings = RigCheck(rig, settings, "lab", steps=tuple(strike(fault) for fault in faults)).run()
    strikes, returns = findings[len(FIRST_STEPS) :: 2], findings[len(FIRST_STEPS) + 1 :: 2]
    assert [finding for finding in returns if finding.outcome != PASSED] == []
    assert [finding.step for finding in strikes] == faults
    for finding in strikes:
        assert finding.outcome == FAILED
        assert re.search(WORDS[finding.step], finding.words), f"{finding.step}: {finding.words}"
    assert {finding.step for finding in returns} == {"going on after that"}
    assert len(returns) == len(faults)


def test_after_a_fault_that_stays_nothing_else_is_tried(tmp_path: Path, clock: SkippingClock) -> None:
    found = run(make(tmp_path, clock=clock), "door", only("pictures"))
    assert failed(found) == ["a long motion while 'door' strikes", "going on after that"]
    assert "close its safety door" in found["going on after that"].words
    assert found["pictures"].words == "not tried after 'going on after that' failed"


def test_a_fault_that_nobody_notices_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: SkippingClock
) -> None:
    made = make(tmp_path, "hardware", clock, driver={"name": "mock", "duration": 0.3})
    monkeypatch.setattr(made[0].camera, "inject", lambda fault: None)
    found = run(made, "black", ())
    assert re.search(r"'black' was put in .* nobody noticed", found["a long motion while 'black' strikes"].words)


def test_faults_are_known_before_anything_starts(tmp_path: Path) -> None:
    path = write(tmp_path)
    description, before = load_rig(path), threading.active_count()
    emulated = rig_settings(path, "emulated")
    assert known_faults(emulated, description) == (*GrblEmulator.faults, *CAMERA_FAULTS)
    assert known_faults(rig_settings(path, "simulated"), description) == CAMERA_FAULTS
    refuse_unknown("unplug", emulated, description)
    with pytest.raises(UnknownNameError, match=r"unknown fault 'unplugg'; did you mean 'unplug'\? \(known: unplug, "):
        refuse_unknown("unplugg", emulated, description)
    real = load_rig(write(tmp_path, camera={"name": "opencv", "device": "/dev/video0"}))
    with pytest.raises(UsageError, match="give --emulate"):
        refuse_unknown("unplug", rig_settings(path), real)
    assert threading.active_count() == before


# Promises that are broken ---------------------------------------------------------------------------------------------


MOCK = {"name": "mock"}


def test_a_rig_that_does_not_answer_is_told_and_the_rest_is_skipped(tmp_path: Path) -> None:
    found = run(make(tmp_path, "hardware", driver={**GRBL, "port": str(tmp_path / "nothing")}))
    assert failed(found) == ["controller and camera answer"]
    assert "nothing does not exist; plug the controller in" in found["controller and camera answer"].words
    assert {f.outcome for f in found.values()} == {FAILED, SKIPPED}
    assert len(found) == len(FIRST_STEPS) + len(STEPS)


def test_what_was_noticed_besides_makes_a_step_fail(tmp_path: Path) -> None:
    made = make(tmp_path, driver=MOCK, mode="hardware")

    def odd(subject: Any) -> str:
        subject.rig.driver.notify("garbage", "the controller sent garbage")
        return "all is well"

    found = run(made, steps=[Step("odd", odd), Step("meant", odd, frozenset({"garbage"}))])
    assert found["odd"].words == "passed, but: the controller sent garbage (all is well)"
    assert failed(found) == ["odd"]


def test_on_real_hardware_a_stop_is_not_cleared_without_anybody_looking(tmp_path: Path) -> None:
    def stops(subject: Any) -> str:
        subject.rig.world.stop("somebody pressed the button")
        raise FailedError("stopped")

    found = run(make(tmp_path, "hardware", driver=MOCK), steps=[Step("stops", stops), *only("pictures")])
    assert failed(found) == ["stops", "going on after that"]
    assert found["going on after that"].words.startswith("stopped: somebody pressed the button; see to it")
    assert found["pictures"].outcome == SKIPPED


def test_wrong_kinematics_are_found_before_anything_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vantage.worlds.rig.check import basic_steps as check_basics

    made = make(tmp_path, "hardware", driver=MOCK)
    solve = check_basics.inverse.solve
    monkeypatch.setattr(check_basics.inverse, "solve", lambda chain, seen, q: solve(chain, seen, q) + 1e-6)
    found = run(made)
    assert failed(found) == ["kinematics"]
    assert re.search(r"disagree by \d\.\de-0\d m or rad, 1e-09 are allowed", found["kinematics"].words)
    assert made[0].driver.moves == []


def test_a_motion_without_a_confirmation_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(tmp_path, "hardware", driver=MOCK)
    monkeypatch.setattr("vantage.worlds.limits.SafetyGate._withheld", lambda gate: None)
    assert failed(run(made)) == ["the first motion needs a person"]


def test_a_joint_that_misses_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, settings = make(tmp_path, "hardware", driver=MOCK)
    move, step = rig.driver.move, SLIDE["resolution"]

    def short(target: np.ndarray, timeout: float, turning: float) -> Any:
        return move(target - np.array([0.0, 3.0 * step, 0.0, 0.0, 0.0]), timeout, turning)

    monkeypatch.setattr(rig.driver, "move", short)
    found = run((rig, settings), steps=only("every joint moves to within a step"))
    assert "every joint moves to within a step" in failed(found)
    assert found["every joint moves to within a step"].words == "joint 'y' ended 3.0 steps off its target"


def test_limits_that_do_not_hold_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, settings = make(tmp_path, "hardware", driver=MOCK)
    monkeypatch.setattr(rig.machine, "refusal", lambda target: None)
    found = run((rig, settings), steps=only("limits refuse"))
    assert re.search(r"x .*would not be refused|nan.*would not be refused", found["limits refuse"].words)
    moves = len(rig.driver.moves)
    assert moves == 1


def test_obstacles_that_do_not_count_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, settings = make(tmp_path, "hardware", driver=MOCK)
    monkeypatch.setattr(rig.machine, "may_stand", lambda q: True)
    found = run((rig, settings), steps=only("obstacles refuse"))
    assert "the forbidden box 'cupboard' would be touched" in found["obstacles refuse"].words


def test_where_nothing_is_near_a_box_is_put_in_the_way(tmp_path: Path) -> None:
    away = {"name": "far away", "min": [5.0, 5.0, 5.0], "max": [6.0, 6.0, 6.0]}
    found = run(
        make(tmp_path, "hardware", driver=MOCK, safety={"bodies": [HEAD], "boxes": [away]}),
        steps=only("obstacles refuse"),
    )
    assert found["obstacles refuse"].outcome == PASSED
    assert re.search("out of reach: .*'far away'; .*'put there by the check'", found["obstacles refuse"].words)
    bare = run(make(tmp_path, "hardware", driver=MOCK, safety={}), steps=only("obstacles refuse"))
    assert bare["obstacles refuse"].outcome == SKIPPED


def test_a_dry_run_that_moves_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, settings = make(tmp_path, "hardware", driver=MOCK)
    monkeypatch.setattr(rig.machine, "dry_run", contextlib.nullcontext)
    found = run((rig, settings), steps=only("a dry run moves nothing"))
    assert found["a dry run moves nothing"].words == "a free motion was DONE"


def test_a_picture_that_is_taken_too_early_is_found(tmp_path: Path, clock: SkippingClock) -> None:
    rig, settings = make(tmp_path, "hardware", clock, driver={"name": "mock", "duration": 0.1})
    patient = replace(rig.description, look=replace(rig.description.look, settle=0.9))
    found = run((replace(rig, description=patient), settings), steps=only("settle, then look"))
    assert re.search(r"taken 0\.[01]\d\d s after .*, 0\.9 s are due", found["settle, then look"].words)
    assert failed(found) == ["settle, then look"]


def test_a_stop_that_does_not_brake_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: SkippingClock
) -> None:
    rig, settings = make(tmp_path, clock=clock)
    monkeypatch.setattr(rig.driver, "stop", lambda: None)
    found = run((rig, settings), steps=only("stop brakes and latches"))
    assert re.search(r"at rest .* so .* are allowed", found["stop brakes and latches"].words)


def test_silences_that_nobody_minds_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: SkippingClock
) -> None:
    rig, settings = make(tmp_path, clock=clock)
    monkeypatch.setattr("vantage.worlds.rig.safety.watchdog.Watchdog.check", lambda watchdog: None)
    step = "silence of whoever commands stops"
    found = run((rig, settings), steps=only(step))
    assert re.search(r"went on for 0\.\d\d s: the motion was done", found[step].words), found[step].words
    assert failed(found) == [step]


def test_a_rig_that_wants_commands_stops_without_them_and_the_check_goes_on(
    tmp_path: Path, clock: SkippingClock
) -> None:
    def busy(subject: Any) -> str:
        clock.sleep(0.8)
        return "something that took long"

    made = make(tmp_path, "hardware", clock, driver={"name": "mock", "duration": 0.1}, watchdog={"command": 0.5})
    found = run(made, steps=[Step("busy", busy), *only("a dry run moves nothing", "no command for too long stops")])
    assert failed(found) == []
    assert re.search(r"no command came for 0\.\d\d s", found["no command for too long stops"].words)


def test_motion_that_waits_for_too_long_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, settings = make(tmp_path)
    monkeypatch.setattr(GrblEmulator, "longest_queue", 0.2011)
    with (
        contextlib.closing(rig.world),
        pytest.raises(FailedError, match=r"^201\.1 ms of motion waited in the controller at most, 200 ms are allowed$"),
    ):
        waiting(RigUnderTest(rig, settings))


def test_a_program_that_cannot_drive_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: SkippingClock
) -> None:
    rig, settings = make(tmp_path, clock=clock)
    monkeypatch.setattr(GrblEmulator, "overrides", {"port": str(tmp_path / "nothing")})
    found = run((rig, settings), steps=only("a dead host means a standing rig"))
    words = found["a dead host means a standing rig"].words
    assert re.search("another program could not drive the rig: the serial port .*nothing does not exist", words)
    assert found["going on after that"].outcome == PASSED


@pytest.mark.real_time
def test_a_real_controller_is_left_by_a_dead_host_at_rest(tmp_path: Path) -> None:
    """Its port is all that is known of it here."""
    emulator = make_grbl_emulator(load_rig(write(tmp_path)))
    with contextlib.closing(emulator):
        emulator.start()
        made = make(tmp_path, "hardware", driver={**GRBL, "port": emulator.overrides["port"]})
        found = run(made, steps=only("a lost link stops", "a dead host means a standing rig"))
        assert failed(found) == []
        assert "unplug the controller during a motion" in found["a lost link stops"].words
        words = found["a dead host means a standing rig"].words
        assert re.search(r"killed: at rest \d+\.\d m(m|rad) beyond where it was last seen", words)
        assert not np.any(emulator.velocities)


def test_simulated_time_proves_what_it_can(tmp_path: Path) -> None:
    found = run(make(tmp_path, "simulated"))
    assert failed(found) == []
    assert [name for name, finding in found.items() if finding.outcome == PASSED] == [
        step.name for step in (*FIRST_STEPS, *STEPS) if step.name not in IN_REAL_TIME
    ]


IN_REAL_TIME = {
    "homing",
    "settle, then look",
    "silence of whoever commands stops",
    "no command for too long stops",
    "a camera that stalls stops",
    "a clock that jumps stops",
    "a lost link stops",
    "a dead host means a standing rig",
    "little motion waits in the controller",
}


def test_an_interrupted_check_leaves_a_standing_rig(tmp_path: Path, clock: SkippingClock) -> None:
    def interrupted(subject: Any) -> str:
        with subject.long_move():
            raise KeyboardInterrupt

    rig, settings = make(tmp_path, clock=clock)
    with pytest.raises(KeyboardInterrupt):
        run((rig, settings), steps=[Step("interrupted", interrupted)])
    assert rig.emulator is not None
    assert not np.any(rig.emulator.velocities)
    assert rig.world.trouble == "closed"
