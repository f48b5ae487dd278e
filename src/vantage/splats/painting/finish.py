"""What a look is: how a surface is colored before light falls on it, how finely it is covered, how it shines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.splats.painting.samples import Array


@dataclass(frozen=True)
class Patch:
    """What a look may depend on, for N samples of any number of parts.

    Attributes:
        points: (N, 3) in the frame of the thing, m.
        local: (N, 3) about the middle of the part, m.
        sizes: (N, 3) of the part, m.
        base: (N, 3), the color of the part.
        seeds: (N,), numbers that vary the look from part to part.
    """

    points: Array
    local: Array
    sizes: Array
    base: Array
    seeds: NDArray[np.int64]

    def front(self) -> tuple[Array, Array]:
        """Places (N,) to the right and up on the side towards x, -0.5..0.5."""
        return self.local[:, 1] / self.sizes[:, 1], self.local[:, 2] / self.sizes[:, 2]

    def scaled(self, factor: Array) -> Array:
        """The color of the part times a factor (N,)."""
        color: Array = self.base * factor[:, None]
        return color

    def phase(self) -> Array:
        """Angles (N,) that differ from part to part, rad."""
        angles: Array = 0.7 * (self.seeds % 9).astype(np.float64)
        return angles


Paint = Callable[[Patch], Array]


@dataclass(frozen=True)
class Finish:
    """How a look is covered and how it takes light.

    Attributes:
        paint: the color of every sample.
        spacing: largest cell, m; None leaves it to the size of the thing.
        gloss: strength of the highlight, 0..1.
        sharpness: exponent of the highlight.
        glow: 0 for a surface that only reflects, 1 for one that only shines.
    """

    paint: Paint
    spacing: float | None = None
    gloss: float = 0.0
    sharpness: float = 20.0
    glow: float = 0.0

    def painted(self, paint: Paint) -> Finish:
        """The same surface in other colors."""
        return replace(self, paint=paint)
