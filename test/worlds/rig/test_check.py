"""The check of a rig: what it proves of a sound one, and with which words it fails for a broken one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_rig import rig_settings, rig_values, write_rig

from vantage.errors import UnknownNameError, UsageError
from vantage.worlds.rig.assembly import Assembly, assemble
from vantage.worlds.rig.cameras.paced import FAULTS as CAMERA_FAULTS
from vantage.worlds.rig.check import FIRST_STEPS, STEPS, RigCheck
from vantage.worlds.rig.check_findings import FAILED, PASSED, SKIPPED, Finding
from vantage.worlds.rig.emulators.grbl import GrblEmulator

GRBL = {"name": "grbl", "port": "", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}
QUICK = {"frame": 0.5, "heartbeat": 0.5}


def check(folder: Path, mode: str = "emulated", inject: str = "", steps: Any = STEPS, **changes: Any) -> list[Finding]:
    """What the check of a small rig finds."""
    changes = {"driver": GRBL, "watchdog": QUICK, **changes}
    settings = rig_settings(write_rig(folder, **changes), mode)
    rig = assemble(settings, confirmed=False)
    return RigCheck(rig, settings, "lab", inject, steps=steps).run()


def outcomes(findings: list[Finding]) -> dict[str, str]:
    return {finding.step: f"{finding.outcome}: {finding.words}" for finding in findings}
