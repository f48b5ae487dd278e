"""Findings of a rig check, and their page of Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from vantage.config import Settings
from vantage.files import write_whole
from vantage.worlds.rig.description import RigDescription

PASSED, FAILED, SKIPPED = OUTCOMES = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Finding:
    """One step of the check: what was tried, what came of it and in words why."""

    step: str
    outcome: str
    words: str
    seconds: float = 0.0


class SkipError(Exception):
    """The step does not apply to this rig; says why."""


class FailedError(Exception):
    """A promise was not kept; says which."""


def require(condition: object, words: str) -> None:
    """Raise FailedError with these words unless the condition holds."""
    if not condition:
        raise FailedError(words)


_MARKS = {PASSED: "ok", FAILED: "FAILED"}


def finding_line(finding: Finding) -> str:
    """One line for a terminal."""
    return f"{_MARKS.get(finding.outcome, finding.outcome):8} {finding.step}: {finding.words}"


def write_report(path: Path, description: RigDescription, settings: Settings, findings: Sequence[Finding]) -> None:
    """A Markdown file, written whole.

    Raises:
        OSError: it cannot be written.
    """
    failed = sum(finding.outcome == FAILED for finding in findings)
    lines = [
        f"# Check of rig '{_cell(description.name)}'",
        "",
        f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, {settings.rig.mode}, driver `{description.driver_name}`, "
        f"camera `{description.camera_name}`, file `{description.path.name}`: "
        + (f"**{failed} of {len(findings)} steps failed**" if failed else "**nothing failed**"),
        "",
        "| step | outcome | what was found | s |",
        "| --- | --- | --- | --- |",
        *(f"| {f.step} | {_MARKS.get(f.outcome, f.outcome)} | {_cell(f.words)} | {f.seconds:.1f} |" for f in findings),
        "",
        "A software stop is no replacement for an emergency stop that cuts the motors' power.",
        "",
    ]
    write_whole(path, "\n".join(lines))


def _cell(words: str) -> str:
    return " ".join(words.replace("|", "\\|").replace("<", "&lt;").split())
