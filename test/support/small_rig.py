"""A small gantry with pan and tilt, as a file, with mock motors and a mock camera unless told otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from vantage.config import Settings
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, Phase, Question

SLIDE = {"type": "prismatic", "margin": 0.01, "speed": 0.5, "acceleration": 4.0, "resolution": 1.25e-5}
TURN = {"type": "revolute", "margin": 0.02, "speed": 2.0, "acceleration": 16.0, "resolution": 1.745e-4}
START = Viewpoint(0.2, 0.2, 0.6, 0.1, 0.0)


def rig_values(**changes: Any) -> dict[str, Any]:
    """What the file says; each change replaces a key of the rig."""
    joints = [
        {"name": "x", "axis": [1, 0, 0], "limits": [0.0, 0.6], **SLIDE},
        {"name": "y", "axis": [0, 1, 0], "limits": [0.0, 0.6], **SLIDE},
        {"name": "z", "axis": [0, 0, 1], "limits": [0.3, 0.9], **SLIDE},
        {"name": "pan", "axis": [0, 0, 1], "limits": [-3.2, 3.2], **TURN},
        {"name": "tilt", "axis": [0, -1, 0], "limits": [-1.3, 1.3], **TURN},
    ]
    rig: dict[str, Any] = {
        "name": "small",
        "scene": "lab",
        "motion_timeout": 10.0,
        "chain": {"joints": joints, "camera": {"xyz": [0.03, 0.0, 0.02]}},
        "driver": {"name": "mock"},
        "camera": {"name": "mock"},
        "safety": {
            "bodies": [{"name": "head", "link": "tilt_link", "from": [0, 0, 0], "radius": 0.05}],
            "boxes": [{"name": "cupboard", "min": [0.5, 0.5, 0.0], "max": [0.7, 0.7, 0.6]}],
        },
        "look": {"settle": 0.0, "sharpness": 0.0, "timeout": 2.0},
    }
    return {"rig": {**rig, **changes}}


def write_rig(folder: Path, **changes: Any) -> Path:
    path = folder / "rig.yaml"
    path.write_text(yaml.safe_dump(rig_values(**changes)), encoding="utf-8")
    return path


def rig_settings(path: Path, mode: str = "hardware", confirmed: bool = True, **values: Any) -> Settings:
    settings = Settings().with_values(values, "test") if values else Settings()
    return replace(settings, rig=replace(settings.rig, file=str(path), mode=mode, confirmed=confirmed))


def lab_episode(start: Viewpoint = START, scene: str = "lab") -> Episode:
    question = Question("q1", "What stands on the table?", Phase.ANSWER.value)
    return Episode("e1", "search", scene, start, (question,), 100)


def command(target: Viewpoint | None, sequence: int, **changes: Any) -> Command:
    return replace(Command(target, "", None, "e1", "test", sequence), **changes)
