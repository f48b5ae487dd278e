"""The houses of the splits: seeds, of which each house can be made at any time, and homes designed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

import numpy as np

from vantage.errors import UsageError
from vantage.scenes.generator import generate_home, read_drawn_home, varied
from vantage.scenes.spec import SceneSpec

TRAIN, VAL, TEST, DESIGNED, PRACTICE = "train", "val", "test", "designed", "practice"
SPLITS: Mapping[str, range] = MappingProxyType(  # seeds of the generator
    {TRAIN: range(5_000_000, 5_010_000), VAL: range(5_010_000, 5_011_000), TEST: range(5_011_000, 5_012_000)}
)
_FOLDER = "homes"  # of the files of designed homes, beside this module


@dataclass(frozen=True)
class House:
    """One house of a split.

    Attributes:
        number: in its split, from 0.
        rooms: how many it has; of a designed one, 0.
    """

    split: str
    number: int
    rooms: int = 0

    @property
    def name(self) -> str:
        return f"{self.split}_{self.number:05d}" if self.split in SPLITS else _designed(self.split)[self.number]

    @property
    def seed(self) -> int:
        return SPLITS[self.split][self.number] if self.split in SPLITS else 5_020_000 + self.number

    def spec(self) -> SceneSpec:
        """The house as it is found: with masses and sizes of small things that are its own.

        Raises:
            SceneError, ConfigError: the generator gives no such house, or the file of a designed one is wrong.
        """
        if self.split in SPLITS:
            return varied(generate_home(self.seed, self.rooms, self.name), self.seed)
        with resources.as_file(resources.files(__package__) / _FOLDER / f"{self.name}.yaml") as path:
            return varied(read_drawn_home(path, self.name), self.seed)


def _designed(split: str) -> tuple[str, ...]:
    """Names of the files of designed homes, in order."""
    files = sorted(each.name for each in (resources.files(__package__) / _FOLDER).iterdir())
    names = tuple(name.removesuffix(".yaml") for name in files if name.endswith(".yaml"))
    return tuple(name for name in names if (name == PRACTICE) == (split == PRACTICE))


def split_size(split: str) -> int:
    """How many houses a split has.

    Raises:
        UsageError: no such split.
    """
    if split in (DESIGNED, PRACTICE):
        return len(_designed(split))
    if split not in SPLITS:
        raise UsageError(f"there is no split '{split}'; take one of {', '.join((*SPLITS, DESIGNED, PRACTICE))}")
    return len(SPLITS[split])


def houses_of(split: str, count: int | None, seed: int, rooms: tuple[int, int] = (3, 8)) -> list[House]:
    """Different houses of a split, in random order; those after ``count`` stand in for what is left out.

    Args:
        count: how many are wanted; None for all.
        seed: by which they are drawn.
        rooms: least and most rooms of a generated one.

    Raises:
        UsageError: no such split, it does not have so many, or no such numbers of rooms.
    """
    size, (low, high) = split_size(split), rooms
    if count is not None and not 1 <= count <= size:
        raise UsageError(f"split '{split}' has {size} houses, not {count}; ask for 1 to {size}")
    if not 1 <= low <= high <= 10:
        raise UsageError(
            f"houses cannot have {low} to {high} rooms; give excalibur.rooms_least and rooms_most in order"
        )
    if split not in SPLITS:
        return [House(split, number) for number in range(size)]
    seeds = SPLITS[split]
    numbers = np.random.default_rng([seed, seeds.start]).permutation(size).tolist()
    return [House(split, number, low + seeds[number] % (high - low + 1)) for number in numbers]
