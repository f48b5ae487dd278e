"""Objects that have been designed and not yet placed: class, style and parts, chosen by chance from the catalogue."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vantage.errors import UnknownNameError
from vantage.registry import did_you_mean
from vantage.scenes.catalog import ObjectClass, object_class
from vantage.scenes.geometry import Design, Shape, Style, opened
from vantage.scenes.spec import COLORS, Joint, ObjectSpec, Part, object_bounds, shade
from vantage.types import Point

_USUAL = 0.6  # share of objects in the first, usual one of two states


@dataclass(frozen=True)
class Model:
    """An object that has been designed and not yet placed; ``mass`` in kg, 0 where unknown."""

    kind: ObjectClass
    style: Style
    design: Design
    mass: float = 0.0

    def at(
        self, instance_id: int, position: Point, yaw: float, relation: str = "", parent: int = 0, room: int = 0
    ) -> ObjectSpec:
        """The object in its place, with coordinates rounded to micrometres."""
        return ObjectSpec(
            instance_id,
            self.kind.label,
            self.style.color,
            self.style.material,
            _trim(position),
            round(math.remainder(yaw, math.tau), 6) + 0.0,
            tuple(_rounded_part(part) for part in self.design.parts),
            relation,
            parent,
            self.style.states,
            shape=self.kind.shape,
            mass=self.mass,
            room=room,
            joints=tuple(_rounded_joint(joint) for joint in self.design.joints),
            kind=self.kind.name,
        )

    def extent(self) -> tuple[Point, Point]:
        """Bounds (min, max) in the object frame, m."""
        return self._extent

    @cached_property
    def shape(self) -> Shape:
        """Its parts as arrays."""
        return Shape.of(self.design.parts)

    def reach(self) -> tuple[Point, Point]:
        """Bounds (min, max) in the object frame of what it takes up with its doors and lids as they are and open, m."""
        return self._reach

    @cached_property
    def open_shape(self) -> Shape:
        """Its parts with all doors, drawers and lids open, as arrays."""
        return Shape.of(opened(self.design).parts) if self.design.joints else self.shape

    @cached_property
    def _reach(self) -> tuple[Point, Point]:
        if not self.design.joints:
            return self._extent
        bounds = self.open_shape.placed((0.0, 0.0, 0.0), 0.0).bounds
        low, high = np.minimum(self._extent[0], bounds[0]).tolist(), np.maximum(self._extent[1], bounds[1]).tolist()
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    @cached_property
    def _extent(self) -> tuple[Point, Point]:
        return object_bounds(self.at(1, (0.0, 0.0, 0.0), 0.0))


def design_model(
    name: str,
    rng: np.random.Generator,
    color: str = "",
    avoid: Sequence[str] = (),
    states: Sequence[str] = (),
    text: str = "",
) -> Model:
    """Design an object of a catalogue entry; what is not asked for is left to chance.

    Args:
        name: of the entry.
        rng: decides color, material, tone, states, print, size and mass.
        color: one of the entry's.
        avoid: colors not to choose while others are left.
        states: that it must be in, each from another one of the entry's alternatives.
        text: printed on it; one of the entry's prints.

    Raises:
        UnknownNameError: no such entry, or the entry comes in no such color, state or print.
    """
    kind = object_class(name)
    _require("color", color, kind.colors, name)
    _require("print", text, kind.prints, name)
    for state in states:
        _require("state", state, [word for axis in kind.states for word in axis], name)
    return model_of(kind, rng, color, avoid, states, text)


def model_of(
    kind: ObjectClass,
    rng: np.random.Generator,
    color: str = "",
    avoid: Sequence[str] = (),
    states: Sequence[str] = (),
    text: str = "",
) -> Model:
    """Design an object of a class that need not be of the catalogue; as ``design_model``."""
    fresh = [word for word in kind.colors if word not in avoid] or list(kind.colors)
    word = color or _pick(fresh, rng)
    material = _pick(kind.materials, rng)
    tone = shade(COLORS[word], float(rng.uniform(0.95, 1.04)))
    style = Style(word, material, tone, _choose_states(kind, states, rng), text or _pick(kind.prints or ("",), rng))
    low, high = kind.mass
    mass = round(float(rng.uniform(low, high)), 3)
    return Model(kind, style, kind.design(style, rng), mass)


def _choose_states(kind: ObjectClass, wanted: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    chosen = []
    for axis in kind.states:
        chance = float(rng.random())
        usual = axis[0] if chance < _USUAL or len(axis) == 1 else axis[1 + int(rng.integers(len(axis) - 1))]
        chosen.append(next((state for state in wanted if state in axis), usual))
    return tuple(chosen)


def _pick(words: Sequence[str], rng: np.random.Generator) -> str:
    return words[int(rng.integers(len(words)))]


def _require(what: str, word: str, known: Sequence[str], name: str) -> None:
    if word and word not in known:
        raise UnknownNameError(f"a {name} comes in no {what} '{word}'{did_you_mean(word, sorted(known))}")


def _trim(values: Point) -> Point:
    x, y, z = (round(value, 6) + 0.0 for value in values)
    return x, y, z


def _rounded_part(part: Part) -> Part:
    return replace(part, center=_trim(part.center), size=_trim(part.size), rgb=_trim(part.rgb))


def _rounded_joint(joint: Joint) -> Joint:
    low, high, position = (round(value, 6) + 0.0 for value in (joint.low, joint.high, joint.position))
    return replace(joint, origin=_trim(joint.origin), low=low, high=high, position=position)
