"""Notes the calls to models of an episode, each with the step before which it was made."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from vantage.models import CallRecord
from vantage.recording import EpisodeListener
from vantage.types import StepResult


class CallNotes(EpisodeListener):
    """
    Attributes:
        records: of the calls so far, as JSON values.
    """

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self._step = 0

    def concluded(self, result: StepResult) -> None:
        self._step = result.command.sequence

    def note(self, record: CallRecord) -> None:
        """For ``vantage.models.noted``."""
        self.records.append({"step": self._step, **asdict(record)})
