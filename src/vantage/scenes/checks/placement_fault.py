"""What a check of a scene finds, in words."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.scenes.spec.spec import ObjectSpec

TOLERANCE = 0.003  # m: what counts as touching, and how far touching things may enter each other


@dataclass(frozen=True)
class PlacementFault:
    """One thing that could not be like this.

    Attributes:
        kind: ``overlap``, ``floating``, ``outside``, ``wrong room``, ``not inside``, ``opening``, ``enclosure``,
            ``swing`` or ``unreachable``.
        instance_id: of the thing, 0 where it is about a room or an opening.
        other: the id of the second thing, 0 when there is none.
        message: the fault in words.
    """

    kind: str
    instance_id: int
    other: int
    message: str


def name_of(thing: ObjectSpec) -> str:
    """How messages call a thing."""
    return f"{thing.label} {thing.instance_id}"
