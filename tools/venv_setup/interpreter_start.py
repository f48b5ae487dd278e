"""Runs first whenever this environment's Python starts: keeps another ROS 2 out, so that nothing needs sourcing.

Installed beside a .pth file that sorts before the one of ros_wheels_bootstrapper, which then runs the interpreter
again with LD_LIBRARY_PATH set; what is put right here holds in that second run.
"""

from __future__ import annotations

import os
import sys

_SEARCH_PATHS = ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "COLCON_PREFIX_PATH", "LD_LIBRARY_PATH", "PYTHONPATH")
_DONE = "_ROS_WHEELS_BOOTSTRAP_COMPLETE"


def _entries(environ: os._Environ[str] | dict[str, str], name: str) -> list[str]:
    return [entry for entry in environ.get(name, "").split(os.pathsep) if entry]


def _drop(environ: os._Environ[str] | dict[str, str], prefixes: list[str]) -> None:
    for name in _SEARCH_PATHS:
        if name in environ:
            kept = [e for e in _entries(environ, name) if not any((e + "/").startswith(p + "/") for p in prefixes)]
            if kept:
                environ[name] = os.pathsep.join(kept)
            else:
                del environ[name]


def put_right(environ: os._Environ[str] | dict[str, str], prefix: str) -> None:
    """Change `environ` in place so that ROS packages and libraries are those of `prefix`."""
    sourced = _entries(environ, "AMENT_PREFIX_PATH")
    if prefix not in sourced:
        # Another ROS 2: its paths, its middleware choice and a finished second run do not count here. A workspace that
        # was built with this environment holds no ROS of its own and stays in front.
        if any(os.path.isdir(os.path.join(entry, "share", "rcl")) for entry in sourced):
            _drop(environ, [entry.rstrip("/") for entry in (*sourced, *_entries(environ, "COLCON_PREFIX_PATH"))])
            environ.pop("RMW_IMPLEMENTATION", None)
            environ.pop(_DONE, None)
        environ["AMENT_PREFIX_PATH"] = os.pathsep.join([*_entries(environ, "AMENT_PREFIX_PATH"), prefix])
    libraries = _entries(environ, "LD_LIBRARY_PATH")
    if _DONE in environ and os.path.join(prefix, "lib") not in libraries:  # inherited from another environment
        others = {os.path.abspath(os.path.join(e, "../../../..")) for e in libraries if "/site-packages/ros_" in e}
        _drop(environ, sorted(others))
        del environ[_DONE]


if sys.prefix != sys.base_prefix:
    put_right(os.environ, sys.prefix)
