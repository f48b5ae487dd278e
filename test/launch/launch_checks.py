"""What is wrong with a launch file, in sentences, found without launch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from launch_stand_in import (
    DeclareLaunchArgument,
    EqualsSubstitution,
    FindPackageShare,
    IfCondition,
    IfElseSubstitution,
    IncludeLaunchDescription,
    LaunchConfiguration,
    LaunchDescription,
    Node,
    NotEqualsSubstitution,
    ParameterValue,
    PathJoinSubstitution,
    SetParameter,
    every,
    load_launch_file,
    value_of,
)
from node_parameters import ROOT, declared_parameters, executables

from vantage import registry
from vantage.answering.protocol import MODES as WAYS
from vantage.recording import topics
from vantage.worlds.rig.assembly import MODES

PACKAGE = "vantage_eqa"
INSTALLED = ("launch", "config", "rviz")
SETS = {"rig": "rig.file", "rig_mode": "rig.mode", "scenes": "world.scenes"}  # what an argument, when given, sets
REAL = "rig"  # the world that lives on system time
TOPICS = {topic.name for topic in vars(topics).values() if isinstance(topic, topics.Topic)}


def problems(path: Path) -> list[str]:
    """Everything that would go wrong when the file is launched, or leave its user in the dark."""
    description = load_launch_file(path)
    checks = (_arguments, _defaults, _clock, _files, _includes, _nodes, _overrides)
    return [problem for check in checks for problem in check(description)]


def argument_names(description: LaunchDescription) -> list[str]:
    return [argument.name for argument in every(DeclareLaunchArgument, description)]


def _arguments(description: LaunchDescription) -> Iterator[str]:
    named = {
        "world": registry.WORLDS,
        "agent": registry.AGENTS,
        "perception": registry.PERCEIVERS,
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
        if argument.name == "mode" and argument.choices != list(WAYS):
            yield f"the choices of mode are not those of answering: {argument.choices}"
        if argument.name == "rig_mode" and argument.choices != ["", *MODES]:
            yield f"the choices of rig_mode are not those of a rig: {argument.choices}"


def _defaults(description: LaunchDescription) -> Iterator[str]:
    """Computed ones give ``true`` or ``false``, from arguments declared before."""
    earlier: dict[str, DeclareLaunchArgument] = {}
    for argument in every(DeclareLaunchArgument, description):
        name, default = argument.name, argument.default_value
        computed = isinstance(default, (EqualsSubstitution, NotEqualsSubstitution))
        if (computed or default in ("true", "false")) and argument.choices != ["true", "false"]:
            yield f"argument {name} is a switch without its choices"
        if argument.choices and not computed and default not in argument.choices:
            yield f"the default of {name} is none of its choices"
        for used in every(LaunchConfiguration, default):
            if used.variable_name not in earlier:
                yield f"the default of {name} needs {used.variable_name}, which is not declared before it"
            elif computed and default.right not in (earlier[used.variable_name].choices or ()):
                yield f"the default of {name} compares {used.variable_name} with '{default.right}', which it never is"
        earlier[name] = argument


def _clock(description: LaunchDescription) -> Iterator[str]:
    """Whose time it is, unless somebody says otherwise."""
    arguments = {argument.name: argument for argument in every(DeclareLaunchArgument, description)}
    if not {"world", "use_sim_time"} <= arguments.keys():
        return
    for world in arguments["world"].choices or ():
        simulated = value_of(arguments["use_sim_time"].default_value, {"world": world})
        if simulated != ("false" if world == REAL else "true"):
            yield f"use_sim_time defaults to {simulated} for world:={world}"


def _files(description: LaunchDescription) -> Iterator[str]:
    for path in every(PathJoinSubstitution, description):
        start, *rest = path.substitutions
        if start != FindPackageShare(PACKAGE):
            yield f"a path does not start in the share folder of {PACKAGE}: {path.substitutions}"
        elif rest[0] not in INSTALLED:
            yield f"{rest[0]} is no folder that is installed"
        else:
            *folders, last = rest
            for file in (last.if_value, last.else_value) if isinstance(last, IfElseSubstitution) else (last,):
                if not ROOT.joinpath(*folders, file).is_file():
                    yield f"there is no file {'/'.join((*folders, file))}"


def _includes(description: LaunchDescription) -> Iterator[str]:
    for include in every(IncludeLaunchDescription, description):
        path = ROOT.joinpath(*include.launch_description_source.substitutions[1:])
        if path.is_file():
            known = argument_names(load_launch_file(path))
            given = dict(include.launch_arguments)
            yield from (f"{path.name} has no argument {name}" for name in given.keys() - set(known))
            for name in argument_names(description):
                if name in known and given.get(name) != LaunchConfiguration(name):
                    yield f"argument {name} is not handed on to {path.name}"


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


def _overrides(description: LaunchDescription) -> Iterator[str]:
    """What may be left empty overrides the configuration only when it is given."""
    for action in every(SetParameter, description):
        given = _argument(action.value)
        if SETS.get(given, action.name) != action.name:
            yield f"argument {given} sets {action.name} instead of {SETS[given]}"
        if action.condition != IfCondition(NotEqualsSubstitution(LaunchConfiguration(given), "")):
            yield f"{action.name} is overridden although {given} was left empty"
    taken = [_argument(action.value) for action in every(SetParameter, description)]
    handed = [name for include in every(IncludeLaunchDescription, description) for name, _ in include.launch_arguments]
    for name in argument_names(description):
        if name in SETS and name not in (*taken, *handed):
            yield f"argument {name} sets nothing"


def _argument(value: Any) -> str:
    """Name of the argument that a parameter is taken from."""
    return next((item.variable_name for item in every(LaunchConfiguration, value)), "")


def _parameter(executable: str, declared: dict[str, type], name: str, value: Any) -> Iterator[str]:
    if name not in declared:
        yield f"{executable} does not declare {name}"
    elif not isinstance(value, ParameterValue) or value.value_type is not declared[name]:
        yield f"{name} of {executable} is not given as {declared[name].__name__}"
