"""A perceiver that makes nothing out: for flights through captures, where only space is of interest."""

from __future__ import annotations

from vantage.types import Detection, Observation


class BlindPerceiver:
    """Names no object in any view."""

    name = "none"

    def __init__(self, **_: object) -> None:
        """Takes and ignores the options of other perceivers."""

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        return ()
