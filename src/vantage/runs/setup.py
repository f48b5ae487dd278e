"""What is wrong with a setup whatever the episode: said once, before the first one runs."""

from __future__ import annotations

from pathlib import Path

from vantage.answering.factory import SYMBOLIC, make_answering
from vantage.config import Settings
from vantage.errors import NoServerError, UsageError
from vantage.models.budget import PROCESS_LEDGER, Usage
from vantage.models.model_factory import shared_model
from vantage.perception.perceivers.vlm import VlmPerceiver
from vantage.planning.agents.baselines import BlindAgent
from vantage.planning.agents.observing_agent import LookingAgent
from vantage.planning.protocol import Agent
from vantage.registry import PERCEIVERS

_MOST_SILENT = 3  # calls on end on which a server is silent: one may be just too hard for it, or its host busy


def check_place(world: str, agent: Agent, settings: Settings, episodes: Path) -> None:
    """
    Raises:
        UsageError: the agent looks round where nothing can be seen, or the set has no scenes for its world.
    """
    if world == "none" and isinstance(agent, LookingAgent):
        raise UsageError(
            f"agent '{agent.name}' looks round, and world 'none' shows nothing; use --agent blind or another --world"
        )
    if world == "splat" and not Path(settings.world.scenes).exists():
        raise UsageError(
            f"{episodes} has no scenes at {settings.world.scenes}; add --world none --agent blind to have its "
            "questions answered unseen, or give its scenes with --set world.scenes=FOLDER"
        )


def rehearse(agent: Agent, settings: Settings) -> None:
    """Make once what the agent makes anew for every episode; models stay loaded.

    Raises:
        NoServerError: the server of a model is not there, or silent.
        VantageError: its perceiver, model, mode or calibration cannot be used.
    """
    if isinstance(agent, LookingAgent):
        part = settings.agent
        make_answering(
            settings, PERCEIVERS.create(part.perception, min_pixels=part.min_pixels, settings=settings, seed=0)
        )
    elif isinstance(agent, BlindAgent) and settings.agent.model != SYMBOLIC:
        shared_model(settings.agent.model, settings.model)
    for model in _models(agent, settings):
        try:
            shared_model(model, settings.model).rehearse()
        except NoServerError as error:
            raise NoServerError(f"no server is at model.url for model '{model}': {error}") from error


def _models(agent: Agent, settings: Settings) -> set[str]:
    """The names of the models that an agent asks."""
    named = {settings.agent.model} if isinstance(agent, (LookingAgent, BlindAgent)) else set()
    if isinstance(agent, LookingAgent) and settings.agent.perception == VlmPerceiver.name:
        named.add(settings.pixels.model or settings.agent.model)
    return named - {SYMBOLIC}


def require_server(episode_id: str, before: Usage) -> None:
    """
    Args:
        before: what this process had spent when the episode began.

    Raises:
        NoServerError: models were asked since then, not one call was answered, and one did not even get to its server,
            or it was the last of several, of this episode and those before it, on which the server was silent.
    """
    spent = PROCESS_LEDGER.usage
    refused = spent.refused - before.refused
    missed = refused + spent.silent - before.silent
    if missed and missed == spent.calls - before.calls and (refused or spent.silent_on_end >= _MOST_SILENT):
        raise NoServerError(
            f"no server is at model.url, or it is always silent: not one call to a model of episode '{episode_id}' was "
            "answered; start it, mend model.url or raise model.timeout, then run again (vantage run: with --resume)"
        )
