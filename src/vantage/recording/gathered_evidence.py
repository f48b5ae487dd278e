"""What an agent came to know of a place, read from the bag of its episode: what it saw, opened and lifted, and when."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.errors import RecordingError
from vantage.recording.arm_messages import read_arm_command, read_hand
from vantage.recording.bags import read_bag
from vantage.recording.events import SOURCE
from vantage.recording.from_messages import read_gathered, read_point, read_poses, read_stamp, read_time
from vantage.recording.topics import ARM_COMMAND, COMMAND_RESULT, TRUTH_EVIDENCE, TRUTH_POSES
from vantage.types import ArmTarget, Gathered, Point, Poses

_RISE = 0.01  # m by which a hand that holds a thing must rise to have lifted it
_REACH = 0.4  # m: a thing whose frame is farther from the tool is not in the hand


@dataclass(frozen=True)
class Hold:
    """From when the hand held something until it did not.

    Attributes:
        key: instance id of what was nearest to the tool in most of the looks until the hand had risen with it, or in
            all where it never did; 0 where nothing tells.
        heights: of the tool, m, by the stamp of each look, ns, ascending.
    """

    key: int
    heights: Mapping[int, float]

    @property
    def risen(self) -> frozenset[int]:
        """Stamps of the looks at which the hand had risen with it."""
        lowest, found = math.inf, set()
        for stamp, height in self.heights.items():
            lowest = min(lowest, height)
            if height - lowest >= _RISE:
                found.add(stamp)
        return frozenset(found)


@dataclass(frozen=True)
class PlaceEvidence:
    """Stamps in ns.

    Attributes:
        looks: what each look added, by stamp, ascending; empty where nothing of the kind was recorded.
        lifted: instance ids of things that the hand held and took up, with the stamp of the look that first shows it.
        holds: each time that the hand held something, in order.
    """

    looks: Mapping[int, Gathered] = field(default_factory=dict)
    lifted: Mapping[int, int] = field(default_factory=dict)
    holds: Sequence[Hold] = ()

    def seen_until(self, stamp: int) -> frozenset[int]:
        """Things that were seen until a look, well enough to recognise them."""
        return frozenset(key for at, each in self.looks.items() if at <= stamp for key in each.seen)

    def opened_until(self, stamp: int) -> frozenset[int]:
        """Things that were opened until a look."""
        return frozenset(key for at, each in self.looks.items() if at <= stamp for key in each.opened)

    def lifted_until(self, stamp: int) -> frozenset[int]:
        """Things that were lifted until a look."""
        return frozenset(key for key, at in self.lifted.items() if at <= stamp)

    def last_until(self, stamp: int) -> Gathered | None:
        """What was told last until a look; None where nothing was."""
        told = [each for at, each in self.looks.items() if at <= stamp]
        return told[-1] if told else None


def read_evidence(bag: str | Path) -> PlaceEvidence:
    """
    Raises:
        RecordingError: the bag cannot be read, or holds values that no place has.
    """
    looks: dict[int, Gathered] = {}
    hands: dict[int, tuple[bool, Point]] = {}
    poses: dict[int, Poses] = {}
    for topic, _, message in read_bag(bag, (COMMAND_RESULT, TRUTH_POSES, TRUTH_EVIDENCE)):
        try:
            if topic is TRUTH_EVIDENCE:
                looks[read_stamp(message)] = read_gathered(message)
            elif topic is TRUTH_POSES:
                poses[read_stamp(message)] = read_poses(message)
            elif message.source == SOURCE:
                hands[read_time(message.observation_stamp)] = _hand(message)
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {topic.name}: {error}") from error
    return PlaceEvidence(dict(sorted(looks.items())), lifted_things(hands, poses), holds_of(hands, poses))


def read_hold_poses(bag: str | Path) -> tuple[tuple[Hold, ...], dict[int, Poses]]:
    """Each time that the hand held something, in order, and what was moved, by the stamp of the look that shows it.

    Raises:
        RecordingError: the bag cannot be read, or holds values that no place has.
    """
    hands: dict[int, tuple[bool, Point]] = {}
    poses: dict[int, Poses] = {}
    for topic, _, message in read_bag(bag, (COMMAND_RESULT, TRUTH_POSES)):
        try:
            if topic is TRUTH_POSES:
                poses[read_stamp(message)] = read_poses(message)
            elif message.source == SOURCE:
                hands[read_time(message.observation_stamp)] = _hand(message)
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {topic.name}: {error}") from error
    return holds_of(hands, poses), dict(sorted(poses.items()))


def read_arm_targets(bag: str | Path) -> dict[int, ArmTarget]:
    """What the agent told the arm, by the number of the command, from 1.

    Raises:
        RecordingError: the bag cannot be read, or holds values that no command has.
    """
    found: dict[int, ArmTarget] = {}
    for _, _, message in read_bag(bag, (ARM_COMMAND,)):
        try:
            command = read_arm_command(message)
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {ARM_COMMAND.name}: {error}") from error
        if command.source == SOURCE and command.arm is not None:
            found.setdefault(command.sequence, command.arm)
    return found


def _hand(message: Any) -> tuple[bool, Point]:
    return read_hand(message)[1], read_point(message.tool_pose.position)


def lifted_things(hands: Mapping[int, tuple[bool, Point]], poses: Mapping[int, Poses]) -> dict[int, int]:
    """Instance ids of things that were lifted, with the stamp of the look that first shows it.

    A thing is in the hand while this holds something and the thing, of those that moved, is nearest to the tool. It is
    lifted once the hand has risen with it.

    Args:
        hands: whether the hand holds something, and where the tool is, by stamp.
        poses: what was moved, by stamp.
    """
    found: dict[int, int] = {}
    for stretch in _held(hands):
        lowest = hands[stretch[0]][1][2]
        nearest: list[int] = []
        for stamp in stretch:
            tool = hands[stamp][1]
            lowest = min(lowest, tool[2])
            key = _nearest(poses.get(stamp), tool)
            if key:
                nearest.append(key)
            if nearest and tool[2] - lowest >= _RISE:
                found.setdefault(max(set(nearest), key=lambda each: (nearest.count(each), -each)), stamp)
    return found


def holds_of(hands: Mapping[int, tuple[bool, Point]], poses: Mapping[int, Poses]) -> tuple[Hold, ...]:
    """Each time that the hand held something; see ``lifted_things``."""
    found = []
    for stretch in _held(hands):
        hold = Hold(0, {stamp: hands[stamp][1][2] for stamp in stretch})
        at = {stamp: _nearest(poses.get(stamp), hands[stamp][1]) for stamp in stretch}
        told = [stamp for stamp in sorted(hold.risen) if at[stamp]] or stretch[-1:]
        nearest = Counter(filter(None, (key for stamp, key in at.items() if stamp <= told[0])))
        found.append(replace(hold, key=min(nearest, key=lambda each: (-nearest[each], each), default=0)))
    return tuple(found)


def _held(hands: Mapping[int, tuple[bool, Point]]) -> Iterable[list[int]]:
    """Stamps of each stretch of looks at which the hand holds something without a break."""
    stretch: list[int] = []
    for stamp in sorted(hands):
        if hands[stamp][0]:
            stretch.append(stamp)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _nearest(moved: Poses | None, tool: Point) -> int:
    """The thing nearest to the tool of those that were moved; 0 where none is in reach."""
    gaps = {key: float(np.linalg.norm(pose[:3, 3] - tool)) for key, pose in (moved or Poses()).things.items()}
    near = min(gaps, key=lambda key: (gaps[key], key), default=0)
    return near if near and gaps[near] <= _REACH else 0
