"""The settings of ``vantage.config`` as ROS parameters, described, ranged and read-only."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.exceptions import ParameterAlreadyDeclaredException
from rclpy.node import Node
from rclpy.parameter import Parameter

from vantage.config import Settings, all_settings
from vantage.errors import ConfigError, UnknownNameError
from vantage.registry import did_you_mean
from vantage.untrusted_text import visible

_SCENES = "world.scenes"


def declare(node: Node, name: str, default: Any, description: str, *, constraints: str = "") -> Any:
    """Declare a read-only parameter and return its value.

    Raises:
        ConfigError: the value given from outside is of another type.
    """
    kind = type(default)
    descriptor = ParameterDescriptor(
        name=name,
        description=description,
        additional_constraints=constraints,
        read_only=True,
        dynamic_typing=True,  # so that a wrong type is refused here, in words
    )
    try:
        node.declare_parameter(name, default, descriptor)
    except ParameterAlreadyDeclaredException:
        node.set_descriptor(name, descriptor)
    value = node.get_parameter(name).value
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ConfigError(f"parameter {name} of {node.get_name()} must be of type {kind.__name__}, got {value!r}")
    return value


def declare_settings(node: Node, groups: Iterable[str]) -> Settings:
    """Declare every setting of some groups on a node and return what they hold.

    The parameter ``settings_of`` names an episode set; what that was labelled with counts, whatever is given, as in
    ``vantage run``, and its scenes where none are given. The node must have been created with
    ``automatically_declare_parameters_from_overrides``, so that a misspelt key of one of the groups is seen here.

    Raises:
        UnknownNameError: a parameter of these groups is no setting.
        ConfigError: a value has the wrong type or is out of range.
        FormatError: the set cannot be read, or says what is for whoever runs it to say.
    """
    folder: str = declare(node, "settings_of", "", "episode set whose own settings count; empty for those given here")
    wanted = set(groups)
    where = f"parameters of {node.get_name()}"
    known = {f"{group}.{item.name}": item for group, item in all_settings() if group in wanted}
    given: dict[str, Any] = {}
    for group in sorted(wanted):
        for name, parameter in node.get_parameters_by_prefix(group).items():
            key = f"{group}.{name}"
            if key not in known:
                raise UnknownNameError(f"{where}: unknown setting '{key}'{did_you_mean(key, sorted(known))}")
            given[key] = parameter.value
    if folder:
        own = _own(folder, str(given.get(_SCENES, "")))
        _tell(
            node,
            folder,
            {key: value for key, value in own.items() if key != _SCENES and given.get(key, value) != value},
        )
        given |= {key: value for key, value in own.items() if key in known}
    settings = Settings().with_values(given, where)
    for key, item in known.items():
        descriptor = _descriptor(key, item)
        if node.has_parameter(key):
            node.undeclare_parameter(key)
        group, name = key.split(".")
        node.declare_parameter(key, getattr(getattr(settings, group), name), descriptor, ignore_override=True)
    return settings


def _tell(node: Node, folder: str, replaced: dict[str, Any]) -> None:
    if replaced:
        said = ", ".join(f"{key}={value}" for key, value in sorted(replaced.items()))
        node.get_logger().info(visible(f"the episode set {folder} counts, and not what was given, for {said}"))


def _own(folder: str, scenes: str) -> dict[str, Any]:
    from vantage.benchmarks.sets import SCENES, load_set, own_values

    episode_set = load_set(folder)
    return {**own_values(episode_set.info), _SCENES: scenes or str(episode_set.folder / SCENES)}


def overrides(settings: Settings, groups: Iterable[str], **more: Any) -> list[Parameter]:
    """Parameters that give a node these settings and other values of its own."""
    wanted = set(groups)
    values = {
        f"{group}.{item.name}": getattr(getattr(settings, group), item.name)
        for group, item in all_settings()
        if group in wanted
    }
    return [Parameter(name, value=value) for name, value in {**values, **more}.items()]


def _descriptor(key: str, item: dataclasses.Field[Any]) -> ParameterDescriptor:
    descriptor = ParameterDescriptor(name=key, description=item.metadata["description"], read_only=True)
    low, high = item.metadata["low"], item.metadata["high"]
    if low is not None and isinstance(item.default, float):
        descriptor.floating_point_range = [FloatingPointRange(from_value=float(low), to_value=float(high))]
    elif low is not None:
        descriptor.integer_range = [IntegerRange(from_value=int(low), to_value=int(high), step=1)]
    return descriptor


def check_choice(node: Node, name: str, value: str, choices: list[str]) -> None:
    """Refuse a name that no registry entry has, before anything is built from it.

    Raises:
        ConfigError: naming the parameter, the value and the closest choice.
    """
    if value not in choices:
        raise ConfigError(f"parameter {name} of {node.get_name()}: unknown '{value}'{did_you_mean(value, choices)}")
