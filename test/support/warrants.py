"""Warrants for tests whose arms may do anything, and commands from whoever has none."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from vantage.types import ArmStep, ArmTarget
from vantage.worlds import MANIPULATIONS, PERSON, WarrantIssuer


def let(world: Any, episode_id: str, source: str, issued: int = 0, commands: int = 10_000) -> None:
    """Grant a world or a gate a warrant for every manipulation from a stamp in ns on."""
    issuer = WarrantIssuer()
    world.grant(
        issuer.issue(
            PERSON, episode_id, source, "test", MANIPULATIONS, commands=commands, issued=issued, seconds=3600.0
        )
    )


def hostile_targets(count: int) -> Iterator[ArmTarget]:
    """Of all kinds, also those that no arm takes."""
    rng = np.random.default_rng(7)
    for number in range(count):
        value = float(rng.choice([rng.normal(), math.nan, math.inf, 1e300, -0.0]))
        yield (
            ArmTarget(joints={str(rng.choice(["a", "", "\x00"])): value}),
            ArmTarget(T_world_tool=np.full((4, 4), value)),
            ArmTarget(gripper_width=value, gripper_force=value),
            ArmTarget(step=ArmStep(up=value)),
            ArmTarget(handle=str(rng.choice(["open", "close", "OPEN", ""]))),
            ArmTarget(joints={"a": value}, handle="open"),
            ArmTarget(),
        )[number % 7]
