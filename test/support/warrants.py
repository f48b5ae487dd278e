"""Warrants for tests whose arms may do anything."""

from __future__ import annotations

from typing import Any

from vantage.worlds import MANIPULATIONS, PERSON, WarrantIssuer


def let(world: Any, episode_id: str, source: str, issued: int = 0, commands: int = 10_000) -> None:
    """Grant a world or a gate a warrant for every manipulation from a stamp in ns on."""
    issuer = WarrantIssuer()
    world.grant(
        issuer.issue(
            PERSON, episode_id, source, "test", MANIPULATIONS, commands=commands, issued=issued, seconds=3600.0
        )
    )
