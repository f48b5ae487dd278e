"""The process environment in which the virtual environment is built and its tools run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_DROPPED = (
    "_ROS_WHEELS_BOOTSTRAP_COMPLETE",
    "CMAKE_GENERATOR",
    "CMAKE_PREFIX_PATH",
    "MAKELEVEL",
    "MFLAGS",
    "PIP_PREFIX",
    "PIP_TARGET",
    "PIP_USER",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHOME",
    "PYTHONPATH",
)
_DROPPED_PREFIXES = ("AMENT_", "COLCON_", "RCUTILS_", "RMW_", "ROS_")
_SEARCH_PATHS = ("LD_LIBRARY_PATH", "PATH", "PKG_CONFIG_PATH")


def cleaned(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without a trace of another ROS 2 that is sourced, so that the two never mix."""
    names = ("AMENT_PREFIX_PATH", "COLCON_PREFIX_PATH")
    prefixes = [entry for name in names for entry in environ.get(name, "").split(os.pathsep) if entry]
    kept = {
        name: value
        for name, value in environ.items()
        if name not in _DROPPED and not name.startswith(_DROPPED_PREFIXES)
    }
    for name in _SEARCH_PATHS:
        if name in kept:
            entries = kept[name].split(os.pathsep)
            kept[name] = os.pathsep.join(entry for entry in entries if not _within(entry, prefixes))
    if not kept.get("LD_LIBRARY_PATH", "unset"):
        del kept["LD_LIBRARY_PATH"]
    return kept


def _within(entry: str, prefixes: list[str]) -> bool:
    return any(Path(entry).is_relative_to(prefix) for prefix in prefixes)


def inside(venv: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The cleaned environment with the virtual environment in front: its tools, its ROS packages, all cores."""
    result = cleaned(environ)
    result["PATH"] = f"{venv / 'bin'}{os.pathsep}{result.get('PATH', os.defpath)}"
    result["VIRTUAL_ENV"] = str(venv)
    result["AMENT_PREFIX_PATH"] = result["CMAKE_PREFIX_PATH"] = str(venv)
    # Without it colcon also asks make and ninja to hold back under load, which halves the speed on small machines.
    result["MAKEFLAGS"] = f"-j{os.cpu_count() or 1}"
    result["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    result["PIP_NO_INPUT"] = "1"
    return result
