"""Action spaces with fewer axes: what a search loses that cannot change its height or its pitch, for instance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from types import MappingProxyType

from vantage.errors import UnknownNameError, UsageError
from vantage.planning.actions import ActionSpace, Offset
from vantage.registry import did_you_mean
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Command, Done

AXES = ("x", "y", "z", "yaw", "pitch")
FULL, _PLANAR = "full", ("x", "y", "yaw")
_NAMED = MappingProxyType(
    {
        "yaw_pitch": ("yaw", "pitch"),
        "planar": _PLANAR,
        FULL: AXES,
        "3": _PLANAR,
        "4": ("x", "y", "z", "yaw"),
        "5": AXES,
    }
)
_STILL = 1e-9  # m or rad below which an axis does not move
_YAWS = tuple(math.tau * k / 8 for k in range(8))  # from which actions are tried
_PITCHES = (0.0, 0.5, -0.5)  # likewise; level first


def axes_named(text: str) -> tuple[str, ...] | None:
    """The axes of a text, in their order.

    Args:
        text: axes with commas between, such as ``x,y,yaw``; or ``yaw_pitch``, ``planar`` (x, y and yaw), ``full``; or
            3 (as ``planar``), 4 (with z) or 5 (as ``full``).

    Returns:
        None where the text is empty or names all axes, which is no restriction.

    Raises:
        UnknownNameError: an axis does not exist.
        UsageError: one is named twice.
    """
    if not text:
        return None
    words = [word.strip() for word in text.split(",")]
    named = _NAMED.get(words[0], tuple(words)) if len(words) == 1 else tuple(words)
    for word in named:
        if word not in AXES:
            known = [*AXES, *_NAMED] if len(words) == 1 else [*AXES]
            raise UnknownNameError(f"--dof {text}: unknown axis '{word}'{did_you_mean(word, known)}")
        if named.count(word) > 1:
            raise UsageError(f"--dof {text}: axis '{word}' is named twice; name it once")
    return None if len(named) == len(AXES) else tuple(axis for axis in AXES if axis in named)


class RestrictedActions:
    """An ``ActionSpace`` without the actions that move another axis than those named.

    What an action moves is seen from where it leads, whatever its name: from headings all around, and from pitches
    other than level only where the pitch may change. So a motion along the view of a camera that stays level counts as
    one along x and y.

    Raises:
        UsageError: no action that is left moves an axis of those named.
    """

    def __init__(self, whole: ActionSpace, axes: tuple[str, ...]) -> None:
        self._whole, self.axes = whole, axes
        tried = [Viewpoint(0.0, 0.0, 0.0, yaw, pitch) for pitch in self._pitches for yaw in _YAWS]
        moving = {
            name: set().union(*(moved(viewpoint, whole.apply(name, viewpoint)) for viewpoint in tried))
            for name in whole.names
        }
        self.names = tuple(name for name in whole.names if moving[name] <= set(axes))
        moved_by_some = set().union(*(moving[name] for name in self.names))
        if lacking := [axis for axis in axes if axis not in moved_by_some]:
            raise UsageError(
                f"--dof {','.join(axes)}: action space '{whole.name}' has no action that moves {lacking[0]} and none "
                f"of the axes left out; leave {lacking[0]} out, or name more axes"
            )

    @property
    def _pitches(self) -> tuple[float, ...]:
        return _PITCHES if "pitch" in self.axes else _PITCHES[:1]

    @property
    def name(self) -> str:
        return self._whole.name

    @property
    def translation(self) -> float:
        return self._whole.translation

    @property
    def rotation(self) -> float:
        return self._whole.rotation

    @property
    def frame(self) -> str:
        return self._whole.frame

    @property
    def turns(self) -> Mapping[tuple[str, int], str]:
        """See ``ActionSpace.turns``."""
        return {way: action for way, action in self._whole.turns.items() if action in self.names}

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        """See ``ActionSpace.lattice_moves``."""
        return tuple(move for move in self._whole.lattice_moves(viewpoint) if move[0] in self.names)

    def decision(self, action: str, viewpoint: Viewpoint) -> Command | Done:
        """See ``ActionSpace.decision``."""
        self._check(action)
        return self._whole.decision(action, viewpoint)

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        """See ``ActionSpace.apply``."""
        self._check(action)
        return self._whole.apply(action, viewpoint)

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """See ``ActionSpace.replay``."""
        taken = list(actions)
        for action in taken:
            self._check(action)
        return self._whole.replay(start, taken)

    def _check(self, action: str) -> None:
        if action not in self.names:
            raise UnknownNameError(
                f"unknown action '{action}' for axes {', '.join(self.axes)}{did_you_mean(action, list(self.names))}"
            )


def moved(start: Viewpoint, end: Viewpoint) -> set[str]:
    """The axes along which two viewpoints differ."""
    apart = [b - a for a, b in zip(astuple(start), astuple(end), strict=True)]
    apart[3] = wrap_angle(apart[3])
    return {axis for axis, gap in zip(AXES, apart, strict=True) if abs(gap) > _STILL}
