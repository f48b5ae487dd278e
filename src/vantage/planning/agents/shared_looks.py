"""Looks that serve several questions: each target is worth what all questions together may win by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

from vantage.planning.agents.search_targets import OBJECT_WORTH, Target

WHOLE = 100_000.0  # weighted voxels that winning all questions is worth
_OWN = ("points", "normals", "worth", "given_up", "share")
_ALIKE = tuple(item.name for item in fields(Target) if item.name not in _OWN)  # of targets that are one


@dataclass(frozen=True)
class Wanted:
    """What one question wants to see.

    Attributes:
        targets: where.
        gain: what one of the things that it turns on may win, as a share of all questions.
        lost: something is looked for that may be at any of the targets, so that they share that.
    """

    targets: Sequence[Target]
    gain: float
    lost: bool

    @property
    def scale(self) -> float:
        """What the worth of each target is to be taken by."""
        every = sum(target.worth for target in self.targets) if self.lost else 0.0
        return self.gain * WHOLE / max(OBJECT_WORTH, every)


def shared(wishes: Iterable[Wanted]) -> list[Target]:
    """The targets of all questions, each once, with the shares of their worth that count."""
    found: dict[object, tuple[Target, float]] = {}
    for wish in wishes:
        scale = wish.scale
        for target in wish.targets:
            normals = None if target.normals is None else target.normals.tobytes()
            key = target.points.tobytes(), normals, *(getattr(target, name) for name in _ALIKE)
            first, worth = found.get(key, (target, 0.0))
            found[key] = first, worth + scale * target.worth
    return [replace(target, share=worth / target.worth) for target, worth in found.values()]
