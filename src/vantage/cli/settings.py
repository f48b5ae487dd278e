"""Settings as the command line gives them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import progress
from vantage.config import Settings, of_key
from vantage.errors import UnknownNameError, UsageError
from vantage.files import EPISODE_SET, shared_folder
from vantage.parameter_files import assigned, load_settings, values_in_file
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


def control_assignments(arguments: argparse.Namespace, *keys: str) -> list[str]:
    """What the options of these controls say, such as ``--frames``.

    Raises:
        UnknownNameError: ``--dof`` names an axis that does not exist.
        UsageError: ``--dof`` names an axis twice, or none.
    """
    from vantage.planning import axes_named

    given = {key: value for key in keys if (value := getattr(arguments, key)) is not None}
    if "dof" in given:
        if not given["dof"].strip():
            raise UsageError("--dof names no axis; name one such as yaw, or full for all")
        axes_named(given["dof"])
    return [f"control.{key}={value}" for key, value in given.items()]


def run_settings(
    arguments: argparse.Namespace, episode_set: EpisodeSet | None = None, usual: str = "vantage.yaml"
) -> Settings:
    """Settings of a run: the parameter file, what a set was labelled with, ``--agent`` and its like, ``--set``. What of
    them contradicts the set is told by ``tell_contradictions``.

    Args:
        usual: name of the parameter file where none is given.

    Raises:
        UsageError: ``--set`` changes the action space in which the set's gold data count.
    """
    extra: list[str] = []
    if episode_set is not None:
        extra += set_assignments(arguments, episode_set)
    for key in ("agent", "perception", "model", "mode", "calibration"):
        value = getattr(arguments, key)
        if value is not None:
            extra.append(f"agent.{'name' if key == 'agent' else key}={value}")
    extra += control_assignments(arguments, "start", "frames", "prompt", "dof", "mitigation", "input")
    if arguments.thinking is not None:
        extra.append(f"model.thinking={arguments.thinking}")
    settings = settings_from(arguments, *extra, *rig_assignments(arguments), usual=usual)
    check_answering(settings)
    if episode_set is not None and any(item.strip().startswith("actions.") for item in arguments.set):
        raise UsageError(f"{episode_set.folder} fixes the action space; leave actions.* out of --set")
    return settings


def set_assignments(arguments: argparse.Namespace, episode_set: EpisodeSet) -> list[str]:
    """What a set is run with, as assignments: what it was labelled with and its actions; and, where no parameter file
    is given, what that of its benchmark says of recording."""
    from vantage.benchmarks import benchmark_of
    from vantage.benchmarks.sets import own_values

    values: dict[str, Any] = {}
    if not arguments.config:
        usual = values_in_file(shared_folder("config") / benchmark_of(episode_set.info.benchmark).parameters)
        values = {key: value for key, value in usual.items() if key.startswith("run.")}
    return [f"{key}={value}" for key, value in {**values, **own_values(episode_set.info)}.items()]


def tell_contradictions(arguments: argparse.Namespace, episode_set: EpisodeSet, set_counts: bool = False) -> None:
    """Say which values of ``--config`` a set's own ones replace, which of ``--set`` replace the set's, and which the
    set says in vain.

    Args:
        set_counts: whether the set's values replace those of ``--set``, too.

    Raises:
        ConfigError: the parameter file cannot be read, or a value is wrong.
    """
    from vantage.benchmarks.sets import own_values

    info, where = episode_set.info, str(episode_set.folder / EPISODE_SET)
    own = own_values(info)

    def differing(values: dict[str, Any], source: str) -> list[str]:
        shared = {key: value for key, value in values.items() if key in own}
        ours, theirs = Settings().with_values(shared, source), Settings().with_values(own, where)
        return [
            f"{key}={of_key(theirs, key)} (not {of_key(ours, key)})"
            for key in shared
            if of_key(ours, key) != of_key(theirs, key)
        ]

    if info.passed_over:
        progress(f"{where}: {', '.join(info.passed_over)} do not count; give your own with --config or --set")
    if arguments.config and (found := differing(values_in_file(arguments.config), arguments.config)):
        progress(f"{where} counts, and not {arguments.config}: {', '.join(found)}; --set replaces what a set says")
    if found := differing(assigned(arguments.set), "--set"):
        if set_counts:
            progress(f"{where} counts, and not --set: {', '.join(found)}")
        else:
            progress(f"--set counts, and not {where}: gold data were made with {', '.join(found)}")


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
