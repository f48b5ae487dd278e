"""What a guard ruled on a goal: whether it may be pursued, with typed reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

_MOST_TOLD = 4  # reasons in words
_MOST_REASONS = 100


class Feasibility(Enum):
    """Whether a goal may be pursued; all but the first hold it back."""

    FEASIBLE = "feasible"
    NEEDS_CONFIRMATION = "needs confirmation"
    UNKNOWN = "unknown"
    """What it needs was not seen, and may be where nobody looked."""
    UNSAFE = "unsafe"
    INFEASIBLE = "infeasible"


class ReasonKind(Enum):
    """Why a goal is held back, with what that makes of it. RulingReason.msg numbers these in this order."""

    NO_GOAL = "it asks for nothing", Feasibility.INFEASIBLE
    UNREADABLE = "a part of it cannot be read", Feasibility.INFEASIBLE
    MISSING_OBJECT = "it is not there", Feasibility.INFEASIBLE
    IMPOSSIBLE_STATE = "it can never be so", Feasibility.INFEASIBLE
    CONTRADICTION = "it contradicts another part of the goal", Feasibility.INFEASIBLE
    UNKNOWN_WORD = "nobody knows what that means", Feasibility.INFEASIBLE
    INCAPABLE = "the robot cannot do that", Feasibility.INFEASIBLE
    UNSAFE = "it is dangerous", Feasibility.UNSAFE
    TOO_HEAVY = "it is heavier than the robot may lift", Feasibility.UNSAFE
    UNSEEN_OBJECT = "it was not seen so far", Feasibility.UNKNOWN
    REPURPOSED = "it takes the place of something that was asked for and is not there", Feasibility.NEEDS_CONFIRMATION
    UNLICENSED = "the task does not speak of it", Feasibility.NEEDS_CONFIRMATION
    UNASKED_STATE = "the task does not ask that it be so", Feasibility.NEEDS_CONFIRMATION
    ASKED_THING_MISSING = "the task is about it, and it is not there", Feasibility.NEEDS_CONFIRMATION
    MORE_THAN_ASKED = "more is to be done than was asked for", Feasibility.NEEDS_CONFIRMATION
    BY_RULE = "it is done after a confirmation alone", Feasibility.NEEDS_CONFIRMATION
    LOOK_ALIKE = "another name looks the same", Feasibility.NEEDS_CONFIRMATION
    UNSEEN_STATE = "whether it is so was not seen so far", Feasibility.UNKNOWN

    def __init__(self, words: str, ruling: Feasibility) -> None:
        self.words, self.ruling = words, ruling


@dataclass(frozen=True)
class Reason:
    """One reason.

    Attributes:
        name: the thing or the action that it is about; empty where it is about the whole goal.
        detail: the state, the relation or the rule.
        nearest: what is there and comes nearest. It is offered, and takes the place of nothing.
    """

    kind: ReasonKind
    name: str = ""
    detail: str = ""
    nearest: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        about = f"'{self.name}'" if self.name else "the goal"
        about += f" ({self.detail})" if self.detail else ""
        return f"{about}: {self.kind.words}" + (f"; nearest: {', '.join(self.nearest)}" if self.nearest else "")


@dataclass(frozen=True)
class Ruling:
    """
    Attributes:
        reasons: the gravest ones first, no more than a hundred; none where the goal is feasible.
    """

    feasibility: Feasibility
    reasons: tuple[Reason, ...] = ()

    @classmethod
    def of(cls, reasons: Iterable[Reason]) -> Ruling:
        """That of the gravest reason."""
        grades = list(Feasibility)
        found = sorted(dict.fromkeys(reasons), key=lambda reason: -grades.index(reason.kind.ruling))
        return cls(found[0].kind.ruling if found else Feasibility.FEASIBLE, tuple(found[:_MOST_REASONS]))

    @property
    def passes(self) -> bool:
        return self.feasibility is Feasibility.FEASIBLE

    @property
    def words(self) -> str:
        """In one line."""
        more = f" and {len(self.reasons) - _MOST_TOLD} more" if len(self.reasons) > _MOST_TOLD else ""
        said = "; ".join(reason.words for reason in self.reasons[:_MOST_TOLD])
        return f"{self.feasibility.value}{': ' if said else ''}{said}{more}"
