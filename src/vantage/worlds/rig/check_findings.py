"""What the steps of a check come to: proven, broken, or not to be asked of this rig."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vantage.worlds.rig.check_hands import Hands

PASSED, FAILED, SKIPPED = OUTCOMES = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Finding:
    """One step of the check: what was tried, what came of it and in words why."""

    step: str
    outcome: str
    words: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """Something to be proven.

    Attributes:
        prove: returns what was found in words, or raises SkipError, FailedError or a VantageError.
        provokes: kinds of events that belong to it; any other one means that something went wrong besides.
        upsets: whether it breaks something on purpose, so that events of any kind belong to it.
        vital: whether nothing can be proven after it has failed.
    """

    name: str
    prove: Callable[[Hands], str]
    provokes: frozenset[str] = frozenset()
    upsets: bool = False
    vital: bool = False


class SkipError(Exception):
    """This rig cannot be asked this; says why."""


class FailedError(Exception):
    """A promise was not kept; says which."""


def require(condition: object, words: str) -> None:
    """Raise FailedError with these words unless the condition holds."""
    if not condition:
        raise FailedError(words)
