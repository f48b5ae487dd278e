"""Checks of a setup, made once before the first episode."""

from __future__ import annotations

from collections.abc import Callable, Set
from pathlib import Path

from vantage.answering import SYMBOLIC, make_answering
from vantage.config import Settings
from vantage.errors import NoServerError, UsageError
from vantage.models import PROCESS_LEDGER, Usage, shared_model
from vantage.perception import asked_model
from vantage.planning import (
    SCHEMA,
    TEXT,
    Agent,
    Control,
    Need,
    check_controls,
    check_named_model,
    controls_of,
    needs_of,
)
from vantage.registry import PERCEIVERS

_MODEL_NEEDS = frozenset({Need.MODEL, Need.NAMED_MODEL})
IN_SCENES = ("splat", "house")  # worlds that need the scenes of a set
_MOST_SILENT = 3  # calls on end on which a server is silent: one may be just too hard for it, or its host busy


def check_place(world: str, agent: Agent, settings: Settings, episodes: Path) -> None:
    """
    Raises:
        UsageError: the agent looks round where nothing can be seen, the set has no scenes for its world, or a control
            means nothing to the agent.
    """
    check_controls(agent, agent.name, settings)
    if world == "none" and Need.VIEWS in needs_of(agent):
        raise UsageError(
            f"agent '{agent.name}' looks round, and world 'none' shows nothing; use --agent blind or another --world"
        )
    if world in IN_SCENES and not Path(settings.world.scenes).exists():
        raise UsageError(
            f"{episodes} has no scenes at {settings.world.scenes}; add --world none --agent blind to have its "
            "questions answered unseen, or give its scenes with --set world.scenes=FOLDER"
        )


def rehearse(agent: Agent, settings: Settings) -> None:
    """Make once what the agent makes anew for every episode; models stay loaded.

    Raises:
        NoServerError: the server of a model is not there, or silent.
        VantageError: its perceiver, model, mode or calibration cannot be used, or a model takes no pictures, or cannot
            be kept to a schema where it is to be.
    """
    needs = needs_of(agent)
    check_named_model(agent.name, agent, settings)
    if Need.PERCEPTION in needs:
        part = settings.agent
        make_answering(
            settings, PERCEIVERS.create(part.perception, min_pixels=part.min_pixels, settings=settings, seed=0)
        )
    elif needs & _MODEL_NEEDS and settings.agent.model != SYMBOLIC:
        model = shared_model(settings.agent.model, settings.model)
        if settings.control.mitigation == SCHEMA and Control.MITIGATION in controls_of(agent):
            model.require_limits()
    rehearse_models(needs, settings)


def rehearse_models(needs: Set[Need], settings: Settings, away: Callable[[str], None] | None = None) -> None:
    """See whether the models that are asked can be: once each, with a tiny picture where it will be shown views.

    Args:
        needs: of whoever asks them.
        away: told where the server of a model is not there, or silent, for whoever can wait for it.

    Raises:
        NoServerError: the server of a model is not there, or silent, and nobody is to be told.
        ModelError: a model cannot be made, or takes no pictures.
    """
    for model, pictures in _models(needs, settings).items():
        try:
            shared_model(model, settings.model).rehearse(pictures)
        except NoServerError as error:
            sentence = f"no server is at model.url for model '{model}': {error}"
            if away is None:
                raise NoServerError(sentence) from error
            away(sentence)


def _models(needs: Set[Need], settings: Settings) -> dict[str, bool]:
    """The names of the models that are asked, each with whether it is shown views: whoever sees any shows them, and
    so does who shows those of a set."""
    perceives = Need.PERCEPTION in needs
    sees = perceives or Need.VIEWS in needs or settings.control.input != TEXT
    named = {settings.agent.model: sees} if needs & _MODEL_NEEDS else {}
    if named:
        named.setdefault(settings.agent.program_model, False)
    if perceives:
        named[asked_model(PERCEIVERS.get(settings.agent.perception), settings)] = True
    return {model: pictures for model, pictures in named.items() if model not in ("", SYMBOLIC)}


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
