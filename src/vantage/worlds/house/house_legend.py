"""What the ids in the images of a house stand for while its drawers and doors move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

from vantage.scenes.graph import SceneGraph
from vantage.types import HANDLE, InstanceLabel
from vantage.worlds.house.bodies import HouseModel, MovingPart
from vantage.worlds.scene_views import legend_of

_OPEN, _CLOSED = "open", "closed"
_AJAR = 0.1  # share of its way from which on a part is open


class HasParts(Protocol):
    """Knows how far things are open."""

    def part_position(self, part: MovingPart) -> float:
        """rad or m, as in the specification."""


class HouseLegend:
    """Labels of all things and handles; whether a thing is open follows its joints."""

    def __init__(self, house: HouseModel, graph: SceneGraph) -> None:
        self._parts = house.parts
        self._labels = legend_of(graph)
        for part in house.parts:
            self._labels[part.handle_id] = InstanceLabel(part.handle_id, HANDLE, part_of=part.instance)
        self._movers = sorted({part.instance for part in house.parts})
        self._kept: tuple[tuple[bool, ...], Mapping[int, InstanceLabel]] | None = None

    def now(self, sim: HasParts) -> Mapping[int, InstanceLabel]:
        """By id; the same object as long as nothing was opened or closed."""
        opened = tuple(sim.part_position(part) - part.low > _AJAR * (part.high - part.low) for part in self._parts)
        if self._kept is None or self._kept[0] != opened:
            self._kept = opened, MappingProxyType(self._with(opened))
        return self._kept[1]

    def _with(self, opened: tuple[bool, ...]) -> dict[int, InstanceLabel]:
        wide = {part.instance for part, is_open in zip(self._parts, opened, strict=True) if is_open}
        labels = dict(self._labels)
        for instance in self._movers:
            label = labels.get(instance)
            if label is not None:
                others = tuple(state for state in label.states if state not in (_OPEN, _CLOSED))
                state = _OPEN if instance in wide else _CLOSED
                labels[instance] = replace(label, states=tuple(sorted((*others, state))))
        return labels
