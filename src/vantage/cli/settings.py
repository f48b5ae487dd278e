"""Settings as the command line gives them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.config import Settings, load_settings
from vantage.errors import UnknownNameError, UsageError
from vantage.files import shared_folder
from vantage.registry import AGENTS, MODELS, did_you_mean

if TYPE_CHECKING:
    from vantage.benchmarks.sets import EpisodeSet


def settings_from(arguments: argparse.Namespace, *extra: str, usual: str = "vantage.yaml") -> Settings:
    """The parameter file, then ``extra`` assignments, then those of ``--set``.

    Args:
        usual: name of the parameter file where none is given.
    """
    path = Path(arguments.config) if arguments.config else shared_folder("config") / usual
    return load_settings(path, [*extra, *arguments.set])


def rig_assignments(arguments: argparse.Namespace) -> list[str]:
    """What ``--rig`` and ``--emulate`` say."""
    extra = [f"rig.file={arguments.rig}"] if arguments.rig else []
    return [*extra, *(["rig.mode=emulated"] if arguments.emulate else [])]


def run_settings(
    arguments: argparse.Namespace, episode_set: EpisodeSet | None = None, usual: str = "vantage.yaml"
) -> Settings:
    """Settings of a run: the parameter file, what a set was labelled with, ``--agent`` and its like, ``--set``.

    Args:
        usual: name of the parameter file where none is given.

    Raises:
        UsageError: ``--set`` changes the action space in which the set's gold data count.
    """
    extra: list[str] = []
    if episode_set is not None:
        from vantage.benchmarks.sets import own_values

        extra += [f"{key}={value}" for key, value in own_values(episode_set.info).items()]
    for key in ("agent", "perception", "model", "mode", "calibration"):
        value = getattr(arguments, key)
        if value is not None:
            extra.append(f"agent.{'name' if key == 'agent' else key}={value}")
    for key in ("start", "frames", "dof", "mitigation"):
        value = getattr(arguments, key)
        if value is not None:
            extra.append(f"control.{key}={value}")
    if arguments.thinking is not None:
        extra.append(f"model.thinking={arguments.thinking}")
    settings = settings_from(arguments, *extra, *rig_assignments(arguments), usual=usual)
    check_answering(settings)
    if episode_set is not None and any(item.strip().startswith("actions.") for item in arguments.set):
        raise UsageError(f"{episode_set.folder} fixes the action space; leave actions.* out of --set")
    return settings


def check_answering(settings: Settings) -> None:
    """Refuse a model, a mode or an agent that cannot answer before anything is started.

    Raises:
        UnknownNameError: no such model or mode.
        UsageError: no folder or name is given for a model, or the agent cannot do without one and has none.
        FormatError: the calibration cannot be used.
    """
    from vantage.answering import SYMBOLIC, mode_of, read_calibration
    from vantage.planning import check_named_model

    agent = settings.agent
    mode_of(agent.mode)
    if agent.calibration:
        read_calibration(agent.calibration)
    writer, _, weights = agent.program_model.partition(":")
    if writer and (writer not in MODELS.names() or not weights):
        raise UsageError(f"agent.program_model {agent.program_model}: expected NAME:WHICH such as openai:llama")
    name, colon, which = agent.model.partition(":")
    if name != SYMBOLIC and name not in MODELS.names():
        raise UnknownNameError(f"unknown model '{name}'{did_you_mean(name, [SYMBOLIC, *MODELS.names()])}")
    if (name == SYMBOLIC) == bool(colon) or (colon and not which):
        raise UsageError(f"--model {agent.model}: expected {SYMBOLIC}, or NAME:WHICH such as transformers:FOLDER")
    if agent.name in AGENTS.names():
        check_named_model(agent.name, AGENTS.get(agent.name), settings)
