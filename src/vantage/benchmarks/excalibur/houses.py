"""The houses of the splits, as seeds from which each can be made at any time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from vantage.errors import UsageError
from vantage.scenes.generator import generate_home, varied
from vantage.scenes.spec import SceneSpec

TRAIN, VAL, TEST = "train", "val", "test"
SPLITS: Mapping[str, range] = MappingProxyType(  # seeds of the generator
    {TRAIN: range(5_000_000, 5_010_000), VAL: range(5_010_000, 5_011_000), TEST: range(5_011_000, 5_012_000)}
)
ROOMS = range(3, 9)


@dataclass(frozen=True)
class House:
    """One house of a split.

    Attributes:
        number: in its split, from 0.
        rooms: how many it has.
    """

    split: str
    number: int
    rooms: int

    @property
    def name(self) -> str:
        return f"{self.split}_{self.number:05d}"

    @property
    def seed(self) -> int:
        return SPLITS[self.split][self.number]

    def spec(self) -> SceneSpec:
        """The house as it is found: with masses and sizes of small things that are its own.

        Raises:
            SceneError: the generator gives no such house.
        """
        return varied(generate_home(self.seed, self.rooms, self.name), self.seed)


def houses_of(split: str, count: int, seed: int, rooms: int | None = None) -> list[House]:
    """Different houses of a split.

    Args:
        seed: by which they are drawn.
        rooms: of each; 3 to 8 where it is not given.

    Raises:
        UsageError: no such split, or it does not have so many.
    """
    if split not in SPLITS:
        raise UsageError(f"there is no split '{split}'; take one of {', '.join(SPLITS)}")
    seeds = SPLITS[split]
    if not 1 <= count <= len(seeds):
        raise UsageError(f"split '{split}' has {len(seeds)} houses, not {count}; ask for 1 to {len(seeds)}")
    numbers = np.random.default_rng([seed, seeds.start]).permutation(len(seeds))[:count].tolist()
    return [House(split, number, rooms or ROOMS[seeds[number] % len(ROOMS)]) for number in numbers]
