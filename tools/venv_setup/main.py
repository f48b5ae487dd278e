"""The order of the steps, and how errors end."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

from venv_setup import checks
from venv_setup.context import Context, say
from venv_setup.errors import SetupError
from venv_setup.interfaces import build_interfaces
from venv_setup.kernels import compile_kernels
from venv_setup.layout import Layout, chosen_distro, venv_python_version
from venv_setup.lock import only_one
from venv_setup.packages import first_lists, further_lists, install_project, install_requirements, prepare_venv
from venv_setup.stamps import Stamps

ROOT = Path(__file__).resolve().parents[2]
LOCK_DEADLINE_S = 1800.0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bootstrap", description="Prepare .venv/ with everything Vantage needs.")
    parser.add_argument("--tests", action="store_true", help="with what the tests need")
    parser.add_argument("--with", dest="extras", default="", metavar="LISTS", help="further lists, such as models")
    parser.add_argument("--distro", default="", help="jazzy, kilted or none; default: as it is set up, else jazzy")
    parser.add_argument("--any-python", action="store_true", help="keep .venv even if it has another fit Python")
    parser.add_argument("--patience", type=float, default=1.0, help="multiply every time limit by this")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        _set_up(options, Layout(ROOT), dict(os.environ))
    except SetupError as error:
        for line in error.details:
            print(f"  | {line}", file=sys.stderr)
        print(f"setup: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setup: error: {_sentence(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: error: interrupted; run it again and it starts where that is safe", file=sys.stderr)
        return 130
    return 0


def _set_up(options: argparse.Namespace, layout: Layout, environ: dict[str, str]) -> None:
    started = time.monotonic()
    recorded = (Stamps(layout.state / "stamps").read("target") or "").split(" ")
    sourced = bool(environ.get("AMENT_PREFIX_PATH"))
    distro = chosen_distro(options.distro, recorded[1] if len(recorded) > 1 else None, sourced)
    checks.check_distro(distro, *checks.machine())
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if options.any_python:
        python = venv_python_version(layout.venv) or python
    context = Context(
        layout=layout,
        python=python,
        distro=distro,
        tests=options.tests,
        extras=tuple(options.extras.replace(",", " ").split()),
        environ=environ,
        patience=options.patience,
    )
    with only_one(layout.lock, LOCK_DEADLINE_S * options.patience, say):
        if context.with_ros and context.stamps.read("interfaces") is None:
            checks.check_compiler(environ)
        prepare_venv(context)
        install_requirements(context, first_lists())
        install_project(context)
        _beside(context, compile_kernels, _add_ros_and_the_rest)
    ros = f"ROS 2 {distro} from wheels" if context.with_ros else "no ROS"
    say(f".venv is ready: Python {python}, {ros} ({time.monotonic() - started:.1f} s)")


def _add_ros_and_the_rest(context: Context) -> None:
    install_requirements(context, further_lists(context))
    build_interfaces(context)


def _beside(context: Context, one: Callable[[Context], None], other: Callable[[Context], None]) -> None:
    """Take two steps at the same time; if one of them fails the other is stopped."""
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(one, context)
        try:
            other(context)
            beside.result()
        finally:
            context.stop.set()


def _terminated(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _sentence(error: OSError) -> str:
    place = error.filename or ROOT / ".venv"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk filled up at {place}; free some space, then run this again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{place} may not be written ({error.strerror}); check who owns it, then run this again"
    return f"{place}: {error.strerror or error}; mend that, then run this again"
