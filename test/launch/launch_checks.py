"""What is wrong with a launch file, in sentences, found without launch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from launch_stand_in import (
    DeclareLaunchArgument,
    FindPackageShare,
    IncludeLaunchDescription,
    LaunchConfiguration,
    LaunchDescription,
    Node,
    ParameterValue,
    PathJoinSubstitution,
    SetParameter,
    every,
    load_launch_file,
)
from node_parameters import ROOT, declared_parameters, executables

from vantage import registry
from vantage.runs import topics

PACKAGE = "vantage_eqa"
INSTALLED = ("launch", "config", "rviz")
TOPICS = {topic.name for topic in vars(topics).values() if isinstance(topic, topics.Topic)}


def problems(path: Path) -> list[str]:
    """Everything that would go wrong when the file is launched, or leave its user in the dark."""
    description = load_launch_file(path)
    return [*_arguments(description), *_files(description), *_includes(description), *_nodes(description)]


def argument_names(description: LaunchDescription) -> list[str]:
    return [argument.name for argument in every(DeclareLaunchArgument, description)]


def _arguments(description: LaunchDescription) -> Iterator[str]:
    named = {
        "world": registry.WORLDS,
        "agent": registry.AGENTS,
        "perception": registry.PERCEIVERS,
        "judge": registry.JUDGES,
    }
    names = argument_names(description)
    used = [item.variable_name for item in every(LaunchConfiguration, description)]
    yield from (f"argument {name} is declared twice" for name in set(names) if names.count(name) > 1)
    yield from (f"{name} is used but not declared" for name in set(used) - set(names))
    yield from (f"argument {name} is declared but not used" for name in set(names) - set(used))
    for argument in every(DeclareLaunchArgument, description):
        if not argument.description:
            yield f"argument {argument.name} has no description"
        if argument.default_value is None:
            yield f"argument {argument.name} has no default"
        if argument.name in named and argument.choices != named[argument.name].names():
            yield f"the choices of {argument.name} are not those of the registry: {argument.choices}"
        computed = isinstance(argument.default_value, NotEqualsSubstitution)  # gives "true" or "false"
        if computed and argument.choices != ["true", "false"]:
            yield f"argument {argument.name} is a switch without its choices"
        if argument.choices and not computed and argument.default_value not in argument.choices:
            yield f"the default of {argument.name} is none of its choices"
        if argument.default_value in ("true", "false") and argument.choices != ["true", "false"]:
            yield f"argument {argument.name} is a switch without its choices"


def _files(description: LaunchDescription) -> Iterator[str]:
    for path in every(PathJoinSubstitution, description):
        start, *rest = path.substitutions
        if start != FindPackageShare(PACKAGE):
            yield f"a path does not start in the share folder of {PACKAGE}: {path.substitutions}"
        elif rest[0] not in INSTALLED:
            yield f"{rest[0]} is no folder that is installed"
        elif not ROOT.joinpath(*rest).is_file():
            yield f"there is no file {'/'.join(rest)}"


def _includes(description: LaunchDescription) -> Iterator[str]:
    for include in every(IncludeLaunchDescription, description):
        path = ROOT.joinpath(*include.launch_description_source.substitutions[1:])
        if path.is_file():
            known = argument_names(load_launch_file(path))
            for name, _ in include.launch_arguments:
                if name not in known:
                    yield f"{path.name} has no argument {name}"


def _nodes(description: LaunchDescription) -> Iterator[str]:
    known = executables()
    own = {}
    for node in every(Node, description):
        if node.output != "screen":
            yield f"what {node.executable} says is not shown"
        if node.package == PACKAGE and node.executable not in known:
            yield f"{node.executable} is no executable of {PACKAGE}"
        elif node.package == PACKAGE:
            own[node.executable] = declared_parameters(known[node.executable])
            for group in node.parameters:
                for name, value in group.items():
                    yield from _parameter(node.executable, own[node.executable], name, value)
            for source, _ in node.remappings:
                if source not in TOPICS:
                    yield f"{node.executable} has no topic {source} to be renamed"
    for action in every(SetParameter, description):
        takers = [name for name, parameters in own.items() if action.name in parameters]
        if not takers:
            yield f"no node declares {action.name}"
        for name in takers:
            yield from _parameter(name, own[name], action.name, action.value)


def _parameter(executable: str, declared: dict[str, type], name: str, value: Any) -> Iterator[str]:
    if name not in declared:
        yield f"{executable} does not declare {name}"
    elif not isinstance(value, ParameterValue) or value.value_type is not declared[name]:
        yield f"{name} of {executable} is not given as {declared[name].__name__}"
