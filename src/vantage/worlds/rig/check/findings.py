"""What the steps of a check come to: proven, broken, or not to be asked of this rig."""

from __future__ import annotations

from dataclasses import dataclass

PASSED, FAILED, SKIPPED = OUTCOMES = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Finding:
    """One step of the check: what was tried, what came of it and in words why."""

    step: str
    outcome: str
    words: str
    seconds: float = 0.0


class SkipError(Exception):
    """This rig cannot be asked this; says why."""


class FailedError(Exception):
    """A promise was not kept; says which."""


def require(condition: object, words: str) -> None:
    """Raise FailedError with these words unless the condition holds."""
    if not condition:
        raise FailedError(words)
