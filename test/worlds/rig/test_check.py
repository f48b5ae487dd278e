"""The check of a rig: what it proves of a sound one, and with which words it fails for a broken one."""

from __future__ import annotations

import functools
import os
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_rig import SLIDE, TURN, rig_settings, write_rig

from vantage.errors import HardwareError, UnknownNameError, UsageError
from vantage.worlds.rig.assembly import Assembly, assemble
from vantage.worlds.rig.cameras.paced import FAULTS as CAMERA_FAULTS
from vantage.worlds.rig.check import FIRST_STEPS, STEPS, RigCheck
from vantage.worlds.rig.check_faults import known_faults, refuse_unknown
from vantage.worlds.rig.check_findings import FAILED, PASSED, SKIPPED, FailedError, Finding, SkipError, Step
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.emulators.grbl import GrblEmulator, make_grbl_emulator

GRBL = {"name": "grbl", "port": "", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}
QUICK = {"frame": 0.5, "heartbeat": 0.4}
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
QUIET = 1.5  # s that a driver may take here to find out that nothing can be mended


def make(folder: Path, mode: str = "emulated", **changes: Any) -> tuple[Assembly, Any]:
    """A small, fast rig, not connected yet, and its settings."""
    values = {"driver": GRBL, "watchdog": QUICK, "look": LOOK, "safety": SAFETY, **changes}
    values.setdefault("chain", {"joints": JOINTS, "camera": {"xyz": [0.03, 0.0, 0.02]}})
    settings = rig_settings(write_rig(folder, **values), mode)
    return assemble(settings, confirmed=False), settings


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


def test_a_sound_rig_passes_with_figures(tmp_path: Path) -> None:
    found = run(make(tmp_path))
    assert {step: f"{f.outcome}: {f.words}" for step, f in found.items() if f.outcome != PASSED} == {
        "no command for too long stops": "skipped: watchdog.command is 0 in the rig's file, so nobody listens"
    }
    for step, pattern in {
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
        "a clock that jumps stops": r"the clock jumped by \+0\.200 s .*at rest",
        "a lost link stops": r"went away.*at rest \d\.\d\d s later and .*went on once the link was back",
        "a dead host means a standing rig": r"its program was killed: at rest \d\.\d\d s later and \d+\.\d m(m|rad) on",
        "little motion waits in the controller": r"1\d\d\.\d ms of motion waited in the controller at most, 200 ms",
    }.items():
        assert re.search(pattern, found[step].words), f"{step}: {found[step].words}"


WORDS = {
    "unplug": "went away",
    "garbage": "sent garbage",
    "lost_ack": "acknowledgement lost",
    "duplicate_ack": "unexpected acknowledgement",
    "late_replies": "silent|without an answer|state of the controller is",
    "silent": "fallen silent",
    "truncated": "garbage",
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


@pytest.mark.parametrize("fault", [*GrblEmulator.faults, *CAMERA_FAULTS])
def test_each_fault_makes_the_check_fail_and_is_named(fault: str, tmp_path: Path) -> None:
    rig, settings = make(tmp_path)
    rig.driver.clear = functools.partial(rig.driver.clear, timeout=QUIET)  # type: ignore[method-assign]
    found = run((rig, settings), fault, ())
    strike = found[f"a long motion while '{fault}' strikes"]
    assert strike.outcome == FAILED
    assert re.search(WORDS[fault], strike.words), strike.words
    assert "nobody noticed" not in strike.words
    assert all(found[step.name].outcome == PASSED for step in FIRST_STEPS)
