"""The warrants that were granted to one gate, and what each of them still allows."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from vantage.types import ArmTarget, InstanceLabel
from vantage.worlds.warrants import MANIPULATIONS, PUT, TAKE, Warrant, WarrantError, WarrantFault, require_signed

Touched = Callable[[ArmTarget], Sequence[Collection[str]]]
"""What a world knows of the things that a command is going to touch: the names of each."""


class _Step(IntEnum):
    """How far a warrant comes towards allowing a command; the farthest tells the reason of a refusal."""

    NONE = 0
    SOURCE = 1
    DATE = 2
    COMMANDS = 3
    MANIPULATION = 4


@dataclass
class _Granted:
    warrant: Warrant
    left: int  # commands


class WarrantBook:
    """Takes each warrant once, and counts what is refused and why. Thread-safe; nothing empties its list of those
    that it has seen."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._granted: list[_Granted] = []
        self._seen: set[str] = set()
        self._faults: Counter[WarrantFault] = Counter()
        self._last: _Granted | None = None  # that allowed the last command

    @property
    def faults(self) -> Mapping[WarrantFault, int]:
        """How many warrants and commands were refused, by the reason."""
        with self._lock:
            return dict(self._faults)

    def clear(self) -> None:
        """Another episode begins: all warrants end."""
        with self._lock:
            self._granted.clear()
            self._last = None

    def active(self, now: int) -> list[tuple[Warrant, int]]:
        """Warrants that may still be used, and how many commands each of them still allows.

        Args:
            now: ns on the world's clock.
        """
        with self._lock:
            return [(each.warrant, each.left) for each in self._granted if each.left > 0 and now < each.warrant.expires]

    def grant(self, warrant: Warrant, episode_id: str | None, holder: str | None, now: int) -> None:
        """Take a warrant.

        Args:
            episode_id: of the running episode.
            holder: of its lease, None where nobody commanded yet.
            now: ns on the world's clock.

        Raises:
            WarrantError: it cannot be read, is forged, for another episode or source, out of date, or was granted
                before.
        """
        with self._lock:
            try:
                require_signed(warrant)
                self._require_due(warrant, episode_id, holder, now)
            except WarrantError as error:
                self._faults[error.fault] += 1
                raise
            self._seen.add(warrant.identity)
            self._granted.append(_Granted(warrant, warrant.commands))

    def _require_due(self, warrant: Warrant, episode_id: str | None, holder: str | None, now: int) -> None:
        if warrant.episode_id != episode_id:
            running = "none is running" if episode_id is None else f"'{episode_id}' is running"
            detail = f"it is for '{warrant.episode_id}', and {running}; have one issued for that"
            raise WarrantError(WarrantFault.FOREIGN_EPISODE, detail)
        if holder is not None and warrant.source != holder:
            detail = f"it is for '{warrant.source}', and '{holder}' commands; have one issued for that"
            raise WarrantError(WarrantFault.FOREIGN_SOURCE, detail)
        if not warrant.issued <= now < warrant.expires:
            when = (now - warrant.expires) / 1e9
            detail = f"it ended {when:.3f} s ago" if when >= 0 else f"it begins in {(warrant.issued - now) / 1e9:.3f} s"
            raise WarrantError(WarrantFault.EXPIRED, f"{detail}; have a new one issued")
        if warrant.identity in self._seen:
            raise WarrantError(WarrantFault.REPLAYED, "have a new one issued")

    def refusal(
        self, target: ArmTarget, source: str, now: int, touched: Touched = lambda target: (), use: bool = False
    ) -> str | None:
        """Why no warrant allows a command, in words, or None.

        Args:
            now: ns on the world's clock.
            touched: tells what it touches; asked only where a warrant names things.
            use: whether the command is one of those that its warrant allows; a refusal is counted in any case.
        """
        wanted = manipulations_of(target)
        with self._lock:
            reached = _Step.NONE
            for granted in self._granted:
                step = _reached(granted, wanted, source, now)
                if step is _Step.MANIPULATION and _are_named(granted.warrant.objects, target, touched):
                    if use:
                        granted.left -= 1
                        self._last = granted
                    return None
                reached = max(reached, step)
            fault, detail = _told(reached, wanted, target, touched)
            self._faults[fault] += 1
            return f"{fault.value}: {detail}"

    def holding_refusal(self, names: Collection[str], source: str, now: int) -> str | None:
        """Why nothing allows that the hand keeps what the last command took into it, in words, or None.

        Args:
            names: of that thing.
            now: ns on the world's clock.
        """
        with self._lock:
            for granted in self._granted:
                lasts = granted is self._last or (granted.left > 0 and now < granted.warrant.expires)
                warrant = granted.warrant
                if not lasts or warrant.source != source or warrant.manipulations.isdisjoint({TAKE, PUT}):
                    continue
                if _is_named(warrant.objects, names):
                    return None
            self._faults[WarrantFault.OTHER_OBJECT] += 1
            return f"{WarrantFault.OTHER_OBJECT.value}: the hand took {min(names, default='something unknown')}"


def manipulations_of(target: ArmTarget) -> frozenset[str]:
    """Any of these allows what an arm is told: its motions are part of each, the gripper's of taking and putting."""
    action = target.object_action
    if action is not None:
        return frozenset({str(action.verb).partition("_")[0]}) & MANIPULATIONS
    if target.handle is not None:
        return frozenset({target.handle}) & MANIPULATIONS
    return frozenset({TAKE, PUT}) if target.gripper_width is not None else MANIPULATIONS


def names_of_things(target: ArmTarget, legend: Mapping[int, InstanceLabel]) -> list[frozenset[str]]:
    """What the things are called that an action on things is about; without a legend entry nobody knows, and a warrant
    that names things does not allow it."""
    action = target.object_action
    instances = () if action is None else tuple(filter(None, (action.thing, action.place)))
    return [names_in(legend, instance) for instance in instances]


def names_in(legend: Mapping[int, InstanceLabel], instance: int) -> frozenset[str]:
    """A thing's label, and its name as facts of scenes have it."""
    known = legend.get(instance)
    return frozenset() if known is None else frozenset({known.label, f"{known.label}_{instance}"})


def _reached(granted: _Granted, wanted: frozenset[str], source: str, now: int) -> _Step:
    """The last step that a warrant passes; which things it is for is another one."""
    warrant = granted.warrant
    if warrant.source != source:
        return _Step.NONE
    if now >= warrant.expires:
        return _Step.SOURCE
    if granted.left <= 0:
        return _Step.DATE
    return _Step.COMMANDS if warrant.manipulations.isdisjoint(wanted) else _Step.MANIPULATION


def _are_named(objects: frozenset[str], target: ArmTarget, touched: Touched) -> bool:
    return not objects or all(_is_named(objects, names) for names in touched(target))


def _is_named(objects: frozenset[str], names: Collection[str]) -> bool:
    return not objects or not frozenset(map(_key, objects)).isdisjoint(map(_key, names))


def _told(reached: _Step, wanted: frozenset[str], target: ArmTarget, touched: Touched) -> tuple[WarrantFault, str]:
    """Why a command is refused where the best warrant passes no more than a step, and what to do."""
    if reached is _Step.NONE:
        return WarrantFault.MISSING, "looking is free, manipulating is not; have the guard or a person issue one"
    if reached is _Step.SOURCE:
        return WarrantFault.EXPIRED, "have a new one issued"
    if reached is _Step.DATE:
        return WarrantFault.USED_UP, "have a new one issued"
    if reached is _Step.COMMANDS:
        return WarrantFault.OTHER_MANIPULATION, f"this takes one for {' or '.join(sorted(wanted))}"
    things = " and ".join(min(names, default="something unknown") for names in touched(target))
    return WarrantFault.OTHER_OBJECT, f"this touches {things}"


def _key(name: str) -> str:
    return name.casefold().replace(" ", "_")
