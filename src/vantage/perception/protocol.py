"""A Perceiver turns an observation into located detections.

A perceiver that makes nothing out: for flights through captures, where only space is of interest.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vantage.types import Detection, Observation


@runtime_checkable
class Perceiver(Protocol):
    """Every score names the perceiver behind it."""

    @property
    def name(self) -> str: ...

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """The objects that this one view supports, located in the world frame."""
        ...


class BlindPerceiver:
    """Names no object in any view."""

    name = "none"

    def __init__(self, **_: object) -> None:
        """Takes and ignores the options of other perceivers."""

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        return ()
