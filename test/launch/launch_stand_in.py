"""What launch files use of ``launch`` and ``launch_ros``, as plain records, for machines that have neither.

Each record has the parameters of the real class, so that a call that launch would refuse is refused here as well.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch


@dataclass
class LaunchDescription:
    entities: list[Any] = field(default_factory=list)


class Action:
    """Base of all actions; only annotations name it."""


class LaunchContext:
    """Only annotations name it."""


class ProcessExited:
    """Only annotations name it."""


@dataclass
class DeclareLaunchArgument(Action):
    name: str
    default_value: Any = field(default=None, kw_only=True)
    description: str | None = field(default=None, kw_only=True)
    choices: list[str] | None = field(default=None, kw_only=True)


@dataclass
class GroupAction(Action):
    actions: list[Any]
    scoped: bool = field(default=True, kw_only=True)


@dataclass
class IncludeLaunchDescription(Action):
    launch_description_source: Any
    launch_arguments: Any = field(default=(), kw_only=True)
    condition: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        self.launch_arguments = list(self.launch_arguments)


@dataclass
class RegisterEventHandler(Action):
    event_handler: Any


@dataclass(kw_only=True)
class ExecuteProcess(Action):
    cmd: list[Any]
    output: str = "log"
    on_exit: Any = None


@dataclass
class Shutdown(Action):
    reason: Any = field(default="", kw_only=True)


@dataclass
class TimerAction(Action):
    period: Any = field(kw_only=True)
    actions: list[Any] = field(kw_only=True)


@dataclass
class IfCondition:
    predicate_expression: Any


@dataclass
class OnProcessExit:
    target_action: Any = field(kw_only=True)
    on_exit: Any = field(kw_only=True)


@dataclass
class LaunchConfiguration:
    variable_name: str


@dataclass
class NotEqualsSubstitution:
    left: Any
    right: Any


@dataclass
class EqualsSubstitution:
    left: Any
    right: Any


@dataclass
class IfElseSubstitution:
    condition: Any
    if_value: Any = ""
    else_value: Any = ""


@dataclass
class PathJoinSubstitution:
    substitutions: list[Any]


@dataclass(kw_only=True)
class Node(Action):
    executable: str
    package: str
    output: str = "log"
    arguments: list[Any] = field(default_factory=list)
    ros_arguments: list[Any] = field(default_factory=list)
    parameters: list[Any] = field(default_factory=list)
    remappings: list[tuple[Any, Any]] = field(default_factory=list)
    sigterm_timeout: Any = "5"
    on_exit: Any = None


@dataclass
class SetParameter(Action):
    name: str
    value: Any
    condition: Any = field(default=None, kw_only=True)


@dataclass
class ParameterValue:
    value: Any
    value_type: type | None = field(default=None, kw_only=True)


@dataclass
class FindPackageShare:
    package: str


_MODULES: dict[str, tuple[type, ...]] = {
    "launch": (LaunchDescription,),
    "launch.action": (Action,),
    "launch.actions": (
        DeclareLaunchArgument,
        ExecuteProcess,
        GroupAction,
        IncludeLaunchDescription,
        RegisterEventHandler,
        Shutdown,
        TimerAction,
    ),
    "launch.conditions": (IfCondition,),
    "launch.event_handlers": (OnProcessExit,),
    "launch.events": (),
    "launch.events.process": (ProcessExited,),
    "launch.launch_context": (LaunchContext,),
    "launch.launch_description": (LaunchDescription,),
    "launch.substitutions": (
        EqualsSubstitution,
        IfElseSubstitution,
        LaunchConfiguration,
        NotEqualsSubstitution,
        PathJoinSubstitution,
    ),
    "launch_ros": (),
    "launch_ros.actions": (Node, SetParameter),
    "launch_ros.parameter_descriptions": (ParameterValue,),
    "launch_ros.substitutions": (FindPackageShare,),
}


def load_launch_file(path: Path) -> LaunchDescription:
    """What ``generate_launch_description`` of a launch file returns, as records."""
    modules = {name: ModuleType(name) for name in _MODULES}
    for name, classes in _MODULES.items():
        for item in classes:
            setattr(modules[name], item.__name__, item)
    with patch.dict(sys.modules, modules):
        return runpy.run_path(str(path))["generate_launch_description"]()


def every(kind: type, obj: Any) -> Iterator[Any]:
    """All records of a kind within lists, tuples, dictionaries and records, those in those included."""
    if isinstance(obj, kind):
        yield obj
    for part in _parts(obj):
        yield from every(kind, part)


def value_of(substitution: Any, arguments: Mapping[str, str]) -> str:
    """What launch makes of a text, an argument or a comparison."""
    if isinstance(substitution, LaunchConfiguration):
        return arguments.get(substitution.variable_name, "")
    if isinstance(substitution, NotEqualsSubstitution):
        differ = value_of(substitution.left, arguments) != value_of(substitution.right, arguments)
        return "true" if differ else "false"
    if isinstance(substitution, EqualsSubstitution):
        same = value_of(substitution.left, arguments) == value_of(substitution.right, arguments)
        return "true" if same else "false"
    if isinstance(substitution, IfElseSubstitution):
        holds = value_of(substitution.condition, arguments) == "true"
        return value_of(substitution.if_value if holds else substitution.else_value, arguments)
    return str(substitution)


def _parts(obj: Any) -> Iterable[Any]:
    if isinstance(obj, (list, tuple)):
        return obj
    if isinstance(obj, dict):
        return [*obj.keys(), *obj.values()]
    if is_dataclass(obj) and not isinstance(obj, type):
        return [getattr(obj, item.name) for item in fields(obj)]
    return ()
