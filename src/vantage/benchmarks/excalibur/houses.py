"""The houses of the splits: seeds, from which each can be made at any time, and homes designed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

import numpy as np

from vantage.errors import UsageError
from vantage.scenes.generator import MAX_ROOMS, MIN_ROOMS, generate_home, read_drawn_home, varied
from vantage.scenes.spec import SceneSpec

TRAIN, VAL, TEST, DESIGNED, PRACTICE = "train", "val", "test", "designed", "practice"
SPLITS: Mapping[str, range] = MappingProxyType(  # seeds of the generator
    {TRAIN: range(5_000_000, 5_010_000), VAL: range(5_010_000, 5_011_000), TEST: range(5_011_000, 5_012_000)}
)
ROOMS = range(3, 9)
USUAL_COUNT = 30  # houses of a set
_DESIGNED_SEEDS = 5_020_000  # of designed houses: what their files leave open
_FOLDER = "homes"  # of the files of designed homes, beside this module


@dataclass(frozen=True)
class House:
    """One house of a split.

    Attributes:
        number: in its split, from 0.
        rooms: how many a generated one has; 0 of a designed one.
    """

    split: str
    number: int
    rooms: int

    @property
    def name(self) -> str:
        return f"{self.split}_{self.number:05d}" if self.split in SPLITS else _designed(self.split)[self.number]

    @property
    def seed(self) -> int:
        return SPLITS[self.split][self.number] if self.split in SPLITS else _DESIGNED_SEEDS + self.number

    def spec(self) -> SceneSpec:
        """The house as it is found: with masses and sizes of small things that are its own.

        Raises:
            SceneError: the generator gives no such house, or something in a designed one has no room.
            ConfigError: the file of a designed one is wrong.
        """
        if self.split in SPLITS:
            return varied(generate_home(self.seed, self.rooms, self.name), self.seed)
        with resources.as_file(resources.files(__package__) / _FOLDER / f"{self.name}.yaml") as path:
            return varied(read_drawn_home(path, self.name), self.seed)


@cache
def _designed(split: str) -> tuple[str, ...]:
    """Names of designed homes, in order: one to practise in, and the others."""
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


def houses_of(split: str, count: int | None, seed: int, rooms: int | None = None) -> list[House]:
    """Different houses of a split.

    Args:
        count: how many; where it is not given, all designed ones, or ``USUAL_COUNT`` others.
        seed: by which they are drawn.
        rooms: of each generated one; 3 to 8 where it is not given.

    Raises:
        UsageError: no such split, it does not have so many, or houses cannot have so many rooms.
    """
    size, is_designed = split_size(split), split not in SPLITS
    count = (size if is_designed else USUAL_COUNT) if count is None else count
    if not 1 <= count <= size:
        raise UsageError(f"split '{split}' has {size} houses, not {count}; ask for 1 to {size}")
    if is_designed:
        if rooms is not None:
            raise UsageError(
                f"the houses of split '{split}' have the rooms that they were designed with; leave rooms out"
            )
        return [House(split, number, 0) for number in range(count)]
    if rooms is not None and not MIN_ROOMS <= rooms <= MAX_ROOMS:
        raise UsageError(f"a house cannot have {rooms} rooms; give a number from {MIN_ROOMS} to {MAX_ROOMS}")
    seeds = SPLITS[split]
    numbers = np.random.default_rng([seed, seeds.start]).permutation(size)[:count].tolist()
    return [House(split, number, rooms or ROOMS[seeds[number] % len(ROOMS)]) for number in numbers]
