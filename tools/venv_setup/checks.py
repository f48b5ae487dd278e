"""What the machine must have, asked before anything is changed."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from venv_setup.errors import SetupError
from venv_setup.layout import DISTROS, NO_ROS

OLDEST, NEWEST = (3, 10), (3, 13)
MEGABYTE = 1 << 20
# Measured: 0.8 GB for the environment with its tests, 0.2 GB for build folders; the rest is room to unpack.
NEED_INSTALL_MB = 1600
NEED_BUILD_MB = 300
NEED_TEMPORARY_MB = 300


def check_python(version: tuple[int, int], name: str) -> None:
    if not OLDEST <= version <= NEWEST:
        raise SetupError(
            f"{name} is Python {version[0]}.{version[1]}, but Vantage needs Python 3.10 to 3.13; "
            "run: make setup PYTHON=python3.12"
        )


def check_distro(distro: str, system: str, machine: str) -> None:
    """Wheels of ROS 2 exist for some distros, and for x86-64 Linux alone."""
    if distro == NO_ROS:
        return
    if distro not in DISTROS:
        raise SetupError(
            f"ROS_DISTRO={distro} has no wheels to set up; choose {', '.join(DISTROS)} or {NO_ROS} (without ROS), "
            "or build with an installed ROS 2 as docs/developing.md tells"
        )
    if (system, machine) != ("Linux", "x86_64"):
        raise SetupError(
            f"ROS 2 wheels exist for x86-64 Linux only and this is {machine} {system}; run: make setup "
            f"ROS_DISTRO={NO_ROS} (the library alone), or use an installed ROS 2 as docs/developing.md tells"
        )


def check_venv_module(find: Callable[[str], object | None] = importlib.util.find_spec) -> None:
    """Debian splits venv's other half, ensurepip, from Python itself."""
    if find("venv") is None or find("ensurepip") is None:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise SetupError(
            f"{sys.executable} cannot make virtual environments because its ensurepip module is missing; "
            f"run: sudo apt-get install python{version}-venv"
        )


def check_compiler(environ: Mapping[str, str]) -> None:
    """CMake looks at CC and CXX, then for the usual names."""
    for variable, names, language in (("CC", ("cc", "gcc", "clang"), "C"), ("CXX", ("c++", "g++", "clang++"), "C++")):
        given = environ.get(variable, "").strip()
        tried = given.split()[:1] if given else list(names)
        if not any(shutil.which(name, path=environ.get("PATH", os.defpath)) for name in tried):
            looked_for = f"{variable}={given}" if given else " or ".join(tried)
            raise SetupError(
                f"no {language} compiler was found ({looked_for}), and the ROS interfaces need one; "
                "run: sudo apt-get install g++"
            )


def check_headers(include: Path, python: str) -> None:
    """The generated interfaces are extension modules and need Python.h."""
    if not (include / "Python.h").is_file():
        raise SetupError(
            f"{include / 'Python.h'} is missing, and the ROS interfaces need it; "
            f"run: sudo apt-get install python{python}-dev"
        )


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def check_space(folder: Path, need_mb: int, free: Callable[[Path], int] = free_bytes) -> None:
    found_mb = free(folder) // MEGABYTE
    if found_mb < need_mb:
        raise SetupError(
            f"the disk that holds {folder} has {found_mb} MB free, but setup needs {need_mb} MB; "
            "free some space, then run this again"
        )


def machine() -> tuple[str, str]:
    return platform.system(), platform.machine()
