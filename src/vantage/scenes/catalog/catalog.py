"""The catalogue of things: every class by its name, and all words for them."""

from __future__ import annotations

from vantage.errors import UnknownNameError
from vantage.registry import did_you_mean
from vantage.scenes.catalog.furniture_classes import FIXTURES, FURNITURE, MACHINES
from vantage.scenes.catalog.object_class import BRIGHT, ObjectClass
from vantage.scenes.catalog.small_object_classes import (
    BATHROOM_THINGS,
    HALL_THINGS,
    KITCHEN_THINGS,
    LIVING_THINGS,
    OFFICE_THINGS,
    WORKSHOP_THINGS,
)

__all__ = ["BRIGHT", "CATALOG", "ObjectClass", "labels", "object_class"]

_ENTRIES = (
    *FURNITURE,
    *MACHINES,
    *FIXTURES,
    *KITCHEN_THINGS,
    *BATHROOM_THINGS,
    *OFFICE_THINGS,
    *HALL_THINGS,
    *WORKSHOP_THINGS,
    *LIVING_THINGS,
)

CATALOG: dict[str, ObjectClass] = {entry.name: entry for entry in _ENTRIES}


def labels() -> tuple[str, ...]:
    """Every word for a class of things, sorted, without the building itself."""
    return tuple(sorted({entry.label for entry in _ENTRIES}))


def object_class(name: str) -> ObjectClass:
    """The entry of a name.

    Raises:
        UnknownNameError: there is none; the message proposes the closest one.
    """
    if name not in CATALOG:
        raise UnknownNameError(f"unknown object class '{name}'{did_you_mean(name, sorted(CATALOG))}")
    return CATALOG[name]
