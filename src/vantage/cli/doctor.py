"""``vantage doctor``: what is installed, what works, and the command that mends what does not."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, common_options
from vantage.config import all_settings
from vantage.errors import VantageError
from vantage.nodes.runtime import YOUNG, find_leftovers, remove_leftovers

_GIB = 2**30


@dataclass(frozen=True)
class Check:
    """One finding.

    Attributes:
        state: ``ok``, ``missing`` (needed) or ``optional`` (absent, and only some jobs need it, as of ROS in an
            installation of the library alone).
        mend: the command or step that helps, empty when all is well.
    """

    name: str
    state: str
    detail: str
    mend: str = ""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "doctor", parents=[common_options()], help="what is installed, what works, what to do"
    )
    parser.add_argument("--settings", action="store_true", help="list every setting with its unit, default and range")
    parser.add_argument(
        "--clean", action="store_true", help="remove the shared memory that killed processes of nodes left behind"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    if arguments.settings:
        return _settings()
    if arguments.clean:
        return _clean()
    checks = examine()
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{check.state:8}  {check.name:{width}}  {check.detail}")
        if check.mend:
            lines.append(f"{'':8}  {'':{width}}  -> {check.mend}")
    missing = [check for check in checks if check.state == "missing"]
    lines.append("")
    if missing:
        lines.append(f"{len(missing)} needed part(s) missing")
    elif _ros_is_expected():
        lines.append("all that is needed is here")
    else:
        lines.append(f"the library is whole; ROS would add {_ROS_ADDS}")
    return Result("\n".join(lines), {"checks": [asdict(check) for check in checks]}, done=not missing)


def _settings() -> Result:
    rows = [
        {
            "key": f"{group}.{item.name}",
            "default": item.default,
            "description": item.metadata["description"],
            "range": None if item.metadata["low"] is None else [item.metadata["low"], item.metadata["high"]],
        }
        for group, item in all_settings()
    ]
    lines = [f"{row['key']:24} {row['default']!s:22} {row['description']}" for row in rows]
    return Result("\n".join(lines), {"settings": rows})


def _clean() -> Result:
    removed = remove_leftovers()
    kept = f"{removed.kept} of living processes or younger than {YOUNG:.0f} s kept"
    data = {"removed_files": removed.files, "removed_bytes": removed.size, "kept_files": removed.kept}
    return Result(f"removed {removed.text}; {kept}", data)


def examine() -> list[Check]:
    """All findings, in the order in which a person would mend them."""
    return [
        _python(),
        _compiler(),
        *(_package(name, module, "make setup") for name, module in _CORE),
        _ros(),
        _interfaces("vantage_eqa.msg", "ROS interfaces of vantage"),
        _interfaces("tf2_msgs.msg", "ROS interfaces tf2_msgs"),
        _launch(),
        *(_extra(name, module, extra) for name, module, extra in _EXTRAS),
        _gl(),
        _cuda(),
        *_renderers(),
        _data(),
        _disk(Path.cwd()),
        _shared_memory(),
    ]


_ROS_ADDS = "the nodes, 'vantage up', 'vantage confirm' and the launch files"
_ROS_MENDS = "make setup in a clone of the sources; docs/developing.md has other ways"
_CORE = (
    ("numpy", "numpy"),
    ("numba", "numba"),
    ("opencv-python-headless", "cv2"),
    ("pyserial", "serial"),
    ("pyyaml", "yaml"),
    ("rosbags", "rosbags"),
)
_EXTRAS = (
    ("torch", "torch", "models"),
    ("transformers", "transformers", "models"),
    ("pillow", "PIL", "models"),
    ("openai", "openai", "openai"),
    ("json-repair", "json_repair", "goals"),
    ("mujoco", "mujoco", "house"),
    ("unified-planning", "unified_planning", "planning"),
    ("up-fast-downward", "up_fast_downward", "planning"),
    ("torchrl", "torchrl", "learning"),
    ("rapidocr", "rapidocr", "ocr"),
    ("gsplat", "gsplat", "gsplat"),
    ("scikit-learn", "sklearn", "shortcut"),
)


def _python() -> Check:
    version = platform.python_version()
    good = (3, 10) <= sys.version_info[:2] <= (3, 13)
    mend = "" if good else "run make with PYTHON=python3.12 or another Python from 3.10 to 3.13"
    return Check("python", "ok" if good else "missing", f"{version} at {sys.executable}", mend)


def _ros_is_expected() -> bool:
    """Whether this is more than the library alone: a ROS is sourced, set up in this environment, or installed."""
    return bool(os.environ.get("AMENT_PREFIX_PATH")) or importlib.util.find_spec("rclpy") is not None


def _compiler() -> Check:
    compiler = os.environ.get("CXX") or next((name for name in ("c++", "g++", "clang++") if shutil.which(name)), None)
    if compiler:
        return Check("C++ compiler", "ok", shutil.which(compiler) or compiler)
    state = "missing" if _ros_is_expected() else "optional"
    return Check("C++ compiler", state, "none found; ROS interfaces cannot be built", "apt-get install g++")


def _package(name: str, module: str, mend: str) -> Check:
    """Imports the module: a package that is there and does not load is missing all the same."""
    failure = _import_failure(module)
    if failure:
        return Check(name, "missing", failure, mend)
    return Check(name, "ok", _version(name))


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "installed"


def _import_failure(module: str) -> str:
    try:
        importlib.import_module(module)
    except (ImportError, OSError, RuntimeError) as error:
        return f"does not import: {error}".splitlines()[0]
    return ""


def _ros() -> Check:
    failure = _import_failure("rclpy")
    if failure and not _ros_is_expected():
        return Check("rclpy (nodes, launch)", "optional", f"not installed; it would add {_ROS_ADDS}", _ROS_MENDS)
    if failure:
        return Check("rclpy (nodes, launch)", "missing", failure, "make setup")
    middleware = os.environ.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp")
    return Check("rclpy (nodes, launch)", "ok", f"{os.environ.get('ROS_DISTRO', 'from wheels')}, {middleware}")


def _interfaces(module: str, name: str) -> Check:
    failure = _import_failure(module)
    if failure and not _ros_is_expected():
        return Check(name, "optional", "not built; nothing needs them without rclpy", _ROS_MENDS)
    return Check(name, "missing", failure, "make setup") if failure else Check(name, "ok", module)


def _launch() -> Check:
    if importlib.util.find_spec("launch_ros"):
        return Check("ros2 launch", "ok", "launch_ros found")
    detail = "launch_ros is not installed; 'vantage up' starts the same graph without it"
    return Check("ros2 launch", "optional", detail, "install ROS 2 Jazzy or Kilted from apt")


def _extra(name: str, module: str, extra: str) -> Check:
    if importlib.util.find_spec(module):
        return Check(name, "ok", _version(name))
    return Check(name, "optional", "not installed", f"make setup WITH={extra}")


def _gl() -> Check:
    """What world ``house`` draws with; its physics needs none."""
    from vantage.worlds import GL_PACKAGES, gl_library

    library = gl_library()
    if library is not None:
        return Check("GL without a screen", "ok", library)
    wanted = os.environ.get("MUJOCO_GL", "")
    none = f"what MUJOCO_GL names, '{wanted}', does not draw here" if wanted else "neither EGL nor OSMesa loads"
    detail = f"{none}; world house has physics, but no pictures"
    return Check("GL without a screen", "optional", detail, f"apt-get install {GL_PACKAGES}")


def _cuda() -> Check:
    if shutil.which("nvidia-smi"):
        return Check("CUDA GPU", "ok", "nvidia-smi found")
    return Check("CUDA GPU", "optional", "none found; splats are rendered on the CPU")


def _renderers() -> list[Check]:
    """What ``world.renderer`` can be; torch is imported only where there is an NVIDIA driver."""
    from vantage.splats.rendering import gpu_obstacle, instruction_set, missing_packages

    cpu = Check("renderer cpu", "ok", f"{instruction_set()}, {os.cpu_count()} cores")
    missing = missing_packages()
    if missing:
        detail = f"{' and '.join(missing)} not installed; world.renderer=auto takes cpu"
        return [cpu, Check("renderer gsplat", "optional", detail, "make setup WITH=gsplat")]
    obstacle = gpu_obstacle()
    if obstacle is not None:
        return [cpu, Check("renderer gsplat", "optional", f"{obstacle}; world.renderer=auto takes cpu")]
    return [cpu, Check("renderer gsplat", "ok", "world.renderer=auto takes it")]


def _data() -> Check:
    folder = os.environ.get("VANTAGE_DATA", "")
    if folder and Path(folder).is_dir():
        return Check("VANTAGE_DATA", "ok", folder)
    detail = f"{folder} is not a folder" if folder else "not set; jobs on real data are left out"
    return Check("VANTAGE_DATA", "optional", detail, "export VANTAGE_DATA=<folder of data sets>")


def _disk(folder: Path, usage: Callable[[Path], Any] = shutil.disk_usage) -> Check:
    free = usage(folder).free / _GIB
    if free >= 1.0:
        return Check("disk", "ok", f"{free:.1f} GiB free at {folder}")
    return Check("disk", "missing", f"{free:.1f} GiB free at {folder}, bags need 1 GiB", "free some space")


def _shared_memory() -> Check:
    left = find_leftovers()
    if left.files:
        return Check("shared memory", "ok", left.text, "vantage doctor --clean")
    return Check("shared memory", "ok", "no files of killed processes")


def require_ros() -> None:
    """Fail with one sentence where ROS is not usable.

    Raises:
        VantageError: rclpy or the interfaces do not import.
    """
    for check in (_ros(), _interfaces("vantage_eqa.msg", "ROS interfaces of vantage")):
        if check.state != "ok":
            raise VantageError(f"{check.name} is not usable ({check.detail}); run: {check.mend}")
