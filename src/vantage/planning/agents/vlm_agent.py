"""The agent that asks a model: it looks where most is unknown until a view suffices, as the model sees it."""

from __future__ import annotations

from typing import Any

from vantage.answering.factory import SYMBOLIC
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.planning.agents.exploration_agents import CoverageAgent


class VlmAgent(CoverageAgent):
    """Puts the confidence question to each new view, stops at the first that suffices, and answers in the set mode.

    It goes where ``coverage`` goes, whatever was seen, so that the two differ in who answers alone.

    Raises:
        UsageError: the settings name no model.
    """

    name = "vlm"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        if settings.agent.model == SYMBOLIC:
            raise UsageError(
                f"agent '{self.name}' asks a model, and none is set; name one with --model NAME:WHICH, "
                "such as transformers:FOLDER"
            )
