"""What the hand was about in each phase of a recorded episode, and what came of it: opened, lifted, between which
forces it was held, or why nothing was done."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from vantage.recording import (
    SEARCH_STATUS,
    Hold,
    Motion,
    PlaceEvidence,
    Recording,
    read_arm_targets,
    read_bag,
    read_stamp,
)
from vantage.types import CLOSE, KGF, OPEN, ArmTarget, Status

_IDLE = 10  # commands without the arm that part two jobs of which nobody says what they are for

Named = Callable[[int], str]


@dataclass(frozen=True)
class HandJob:
    """Commands that follow each other, for one purpose, some of them to the arm.

    Attributes:
        first, last: steps of the phase, from 1.
        meant: what for, in the agent's words; empty where it does not say.
        result: what came of it, in words.
    """

    phase: str
    first: int
    last: int
    meant: str
    result: str


@dataclass(frozen=True)
class HandCommand:
    """One command of an episode, and what became of it.

    Attributes:
        number: of the command, from 1.
        step: number in its phase, from 1.
        target: None where it was not to the arm.
        since: stamp of the look before, ns.
    """

    number: int
    step: int
    phase: str
    meant: str
    target: ArmTarget | None
    since: int
    motion: Motion

    @property
    def grasps(self) -> bool:
        """Whether the gripper closed."""
        return self.target is not None and self.target.gripper_width == 0.0

    @property
    def force(self) -> float:
        """N with which the gripper was to close; 0 leaves it to its controller."""
        return self.target.gripper_force if self.target is not None else 0.0

    def turned(self, handle: str) -> bool:
        """Whether something was opened or closed by its handle."""
        done = self.motion.status is Status.DONE
        return done and self.target is not None and self.target.handle == handle


def commands_of(recording: Recording) -> list[HandCommand]:
    """All commands of an episode.

    Raises:
        RecordingError: the bag cannot be read.
    """
    targets = read_arm_targets(recording.path)
    told = {read_stamp(message): str(message.doing) for _, _, message in read_bag(recording.path, (SEARCH_STATUS,))}
    stamps = sorted(told)
    found: list[HandCommand] = []
    since = -1
    for begin in recording.phases:
        phase = begin.episode.phase
        for step, motion in enumerate(recording.motions_in(phase), start=1):
            number = begin.commands_before + step
            known = bisect_left(stamps, motion.observation_stamp)
            meant = told[stamps[known - 1]] if known else ""
            found.append(HandCommand(number, step, phase, meant, targets.get(number), since, motion))
            since = motion.observation_stamp
    return found


def hand_jobs(commands: Sequence[HandCommand], evidence: PlaceEvidence, named: Named) -> list[HandJob]:
    """What the hand was about, in order.

    Args:
        named: how a page calls an instance.
    """
    jobs = []
    for group in _groups(commands):
        first, last = group[0], group[-1]
        result = _result(group, commands[last.number :][:1], evidence, named)
        jobs.append(HandJob(first.phase, first.step, last.step, first.meant, result))
    return jobs


def _groups(commands: Sequence[HandCommand]) -> list[list[HandCommand]]:
    """Those of one phase that were meant for one thing, where the arm had a part in it; of those of which nothing is
    said, from the first command to the arm to the last one."""
    found = []
    for (_, meant), members in groupby(commands, key=lambda each: (each.phase, each.meant)):
        group = list(members)
        at_arm = [k for k, each in enumerate(group) if each.target is not None]
        if not at_arm:
            continue
        if meant:
            found.append(group)
            continue
        begin = at_arm[0]
        for one, following in zip(at_arm, [*at_arm[1:], len(group) + _IDLE + 1], strict=True):
            if following - one > _IDLE:
                found.append(group[begin : one + 1])
                begin = following
    return found


def _result(
    group: Sequence[HandCommand], following: Sequence[HandCommand], evidence: PlaceEvidence, named: Named
) -> str:
    """In words."""
    since, until = group[0].since, group[-1].motion.observation_stamp
    opened = [key for at, look in evidence.looks.items() if since < at <= until for key in look.opened]
    parts = [f"opened {named(key)}" for key in dict.fromkeys(opened)]
    if not opened and any(each.turned(OPEN) for each in group):
        parts.append("opened by the handle")
    if any(each.turned(CLOSE) for each in group):
        parts.append("closed by the handle")
    holds = [hold for hold in evidence.holds if any(since < at <= until for at in hold.heights)]
    for key in dict.fromkeys(hold.key for hold in holds):
        parts.append(_felt(named(key), [hold for hold in holds if hold.key == key], [*group, *following]))
    held = {at for hold in evidence.holds for at in hold.heights}
    missed = sum(each.grasps and each.motion.observation_stamp not in held and each.since not in held for each in group)
    if missed:
        parts.append(f"{missed} {'grasp' if missed == 1 else 'grasps'} caught nothing")
    if not opened and not holds:
        reasons = [each.motion.reason for each in group if each.motion.status is not Status.DONE]
        parts += [reason for reason in reasons[-1:] if reason]
    return "; ".join(parts) or "nothing was opened or lifted"


def _felt(name: str, holds: Sequence[Hold], commands: Sequence[HandCommand]) -> str:
    """How a thing was held: what it weighs, by the largest force with which it slipped out of the hand in the air and
    the least with which it stayed in it."""
    by_stamp: Mapping[int, HandCommand] = {each.motion.observation_stamp: each for each in commands}
    held: list[float] = []
    slipped: list[float] = []
    risen = False
    for hold in holds:
        in_air, force, last = hold.risen, 0.0, max(hold.heights)
        risen = risen or bool(in_air)
        for at in hold.heights:
            command = by_stamp.get(at)
            if command is not None and command.grasps:
                force = command.force
            if at in in_air and force > 0.0:
                held.append(force / KGF)
        dropped = next((each for each in commands if each.since == last), None)
        if last in in_air and dropped is not None and dropped.grasps and dropped.force > 0.0:
            slipped.append(dropped.force / KGF)
    if not risen:
        return f"held {name}, but did not lift it"
    if not held:
        return f"lifted {name}"
    least, most = min(held), max(slipped, default=0.0)
    forces = f"held with {least:.2f} kgf"
    if not slipped:
        return f"lifted {name}, {forces}"
    forces = f"slipped with {most:.2f} kgf, {forces}"
    return f"lifted {name}: {most:.2f} to {least:.2f} kg ({forces})" if most < least else f"lifted {name}: {forces}"
