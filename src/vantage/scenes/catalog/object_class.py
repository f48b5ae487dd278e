"""What the catalogue knows about a class of things, and the ranges that many classes share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vantage.scenes.geometry.design import Builder, Design, Style
from vantage.scenes.geometry.motion import scaled

BRIGHT = ("red", "green", "blue", "yellow", "orange", "purple", "pink")
PLAIN = (*BRIGHT, "white", "black")
CLOTH = (*BRIGHT, "white", "gray")
COVERS = ("red", "green", "blue", "purple", "orange")
TIMBER = ("brown", "white", "black")

OPENS = (("closed", "open"),)
SWITCHED = (("off", "on"),)
FILLED = (("empty", "full"),)
SOILED = (("clean", "dirty"),)
ALWAYS_OPEN = (("open",),)

VARIED = (0.85, 1.25)  # scales of things of which people own small and large ones
SIMILAR = (0.88, 1.12)


@dataclass(frozen=True)
class ObjectClass:
    """One way to build things of a class; several may share a label (a floor lamp and a table lamp are lamps).

    Attributes:
        name: of this entry.
        label: the word by which people call such a thing.
        build: makes its parts from a style.
        colors: it comes in.
        materials: it comes in; ``("",)`` where no word of the vocabulary is right.
        states: it can be in: one of each group, the usual one first.
        mass: least and greatest, kg; 0 where nobody knows it.
        shape: one word, empty where none is right.
        prints: words that may be printed on it, one at a time.
        sizes: smallest and largest scale of what ``build`` makes.
    """

    name: str
    label: str
    build: Builder
    colors: tuple[str, ...]
    materials: tuple[str, ...]
    states: tuple[tuple[str, ...], ...] = ()
    mass: tuple[float, float] = (0.0, 0.0)
    shape: str = ""
    prints: tuple[str, ...] = ()
    sizes: tuple[float, float] = (1.0, 1.0)

    def design(self, style: Style, rng: np.random.Generator) -> Design:
        """A thing of this class at a random size."""
        factor = round(float(rng.uniform(*self.sizes)), 3)
        design = self.build(style, rng)
        return design if factor == 1.0 else scaled(design, factor)
