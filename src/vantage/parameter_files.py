"""Settings from where users give them: a ROS parameter file, and ``--set`` on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vantage.config import Settings
from vantage.decoding import read_yaml
from vantage.errors import ConfigError


def load_settings(path: str | Path | None = None, assignments: Iterable[str] = ()) -> Settings:
    """Defaults, overridden by a ROS parameter file and then by ``key=value`` assignments.

    Raises:
        ConfigError: the file cannot be read, or a value is wrong.
    """
    settings = Settings()
    if path is not None:
        settings = settings.with_values(values_in_file(path), str(path))
    return settings.with_values(assigned(assignments), "--set")


def assigned(assignments: Iterable[str]) -> dict[str, str]:
    """``{"group.key": text}`` of ``key=value`` assignments, not checked; the last of each key.

    Raises:
        ConfigError: one is no assignment.
    """
    values: dict[str, str] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise ConfigError(f"--set {assignment}: expected key=value")
        values[key.strip()] = value.strip()
    return values


def values_in_file(path: str | Path) -> dict[str, Any]:
    """``{"group.key": value}`` of a ROS parameter file, not checked.

    Raises:
        ConfigError: the file cannot be read, or is of another form.
    """
    document = read_yaml(path)
    try:
        groups = document["/**"]["ros__parameters"]
        return {f"{group}.{key}": value for group, part in groups.items() for key, value in part.items()}
    except (KeyError, TypeError, AttributeError) as error:
        shape = "'/**: ros__parameters: group: key: value'"
        raise ConfigError(f"{path} is not a ROS parameter file of the form {shape}") from error
