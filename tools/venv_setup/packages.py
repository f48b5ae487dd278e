"""The virtual environment itself, and what pip puts into it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from venv_setup import checks
from venv_setup.command import last_lines, run
from venv_setup.context import INSTALLING, Context, doing, say
from venv_setup.environment import cleaned
from venv_setup.errors import SetupError
from venv_setup.layout import venv_python_version
from venv_setup.pip_failures import explain, left_environment_whole
from venv_setup.stamps import digest

VENV_DEADLINE_S = 300.0
PIP_DEADLINE_S = 3600.0
# Lists that pin only what they name; in all others every dependency is pinned too, and pip need not resolve anything.
_OPEN_LISTS = ("gsplat", "learning", "lexicon", "llama", "models", "ocr", "openai", "planning", "web")


def reason_to_start_anew(context: Context) -> str | None:
    """Why the present .venv cannot be built upon; None if it can, or if there is none."""
    venv, stamps = context.layout.venv, context.stamps
    if not venv.exists() and not venv.is_symlink():
        return None
    if venv.is_symlink() or not venv.is_dir() or not ((venv / "pyvenv.cfg").exists() or context.layout.state.exists()):
        raise SetupError(f"{venv} is not a virtual environment that setup made; move it away, then run this again")
    if stamps.read(INSTALLING) is not None:
        return "an earlier setup was interrupted"
    version = venv_python_version(venv)
    if version is None:
        return "its Python is gone"
    if version != context.python:
        return f"it has Python {version}, not {context.python}"
    recorded = stamps.read("target")
    if recorded is not None and recorded != " ".join(context.target):
        return "it was made for another place or another ROS distro"
    return None


def prepare_venv(context: Context) -> None:
    """Create .venv, or start it anew where it cannot be built upon."""
    venv = context.layout.venv
    if reason := reason_to_start_anew(context):
        say(f"starting .venv anew: {reason}")
        shutil.rmtree(venv)
    if not venv.exists():
        _create(context)
    context.stamps.write("target", " ".join(context.target))


def _create(context: Context) -> None:
    venv = context.layout.venv
    checks.check_venv_module()
    checks.check_space(venv.parent, checks.NEED_INSTALL_MB)
    base = getattr(sys, "_base_executable", None) or sys.executable
    log = Path(tempfile.gettempdir()) / f"vantage-venv-{context.python}.log"
    with doing(f"creating .venv with Python {context.python}"):
        context.stamps.write(INSTALLING, "venv")
        status = run(
            [base, "-m", "venv", str(venv)],
            what="creating .venv",
            log=log,
            environ=cleaned(context.environ),
            cwd=context.layout.root,
            deadline_s=VENV_DEADLINE_S * context.patience,
            say=say,
        )
        if status != 0:
            raise SetupError(
                f"{base} -m venv failed with status {status} (see {log}); "
                f"try: sudo apt-get install python{context.python}-venv",
                last_lines(log),
            )
        log.unlink(missing_ok=True)
        context.stamps.forget(INSTALLING)


def first_lists() -> list[str]:
    """What the project itself needs to be installed and to run without ROS."""
    return ["core", "build"]


def further_lists(context: Context) -> list[str]:
    """What comes on top: ROS, what tests need, and the extras that are asked for."""
    ros = [f"ros-wheels-{context.distro}"] if context.with_ros else []
    return [*ros, *(["test"] if context.tests else []), *context.extras]


def install_requirements(context: Context, names: list[str]) -> None:
    """Install those of some pinned lists that changed since they were last installed.

    Python compiles a module to bytecode when it is first imported, as pip would do it for many that never are.
    """
    wanted = {name: _list_digest(context, name) for name in names}
    changed = [name for name, value in wanted.items() if not context.stamps.matches(f"list-{name}", value)]
    if not changed:
        return
    checks.check_space(context.layout.venv, checks.NEED_INSTALL_MB if "core" in changed else checks.NEED_BUILD_MB)
    checks.check_space(Path(tempfile.gettempdir()), checks.NEED_TEMPORARY_MB)
    locked = [name for name in changed if name not in _OPEN_LISTS]
    with doing(f"installing {', '.join(changed)} (a first time takes a minute)"):
        if locked:
            lists = [word for name in locked for word in ("-r", str(context.layout.requirements(name)))]
            _pip(context, ["--no-deps", *lists], "installing packages")
        for name in changed:
            if name in _OPEN_LISTS:
                limits = str(context.layout.requirements("core"))
                _pip(context, ["-r", str(context.layout.requirements(name)), "-c", limits], f"installing {name}")
        for name in changed:
            context.stamps.write(f"list-{name}", wanted[name])


def _list_digest(context: Context, name: str) -> str:
    path = context.layout.requirements(name)
    if not path.is_file():
        raise SetupError(f"there is no list {path}; choose one of those in requirements/")
    return digest(context.target, [path], context.layout.root)


def install_project(context: Context) -> None:
    """Put the project into the environment as editable, and the start file that makes sourcing needless."""
    root = context.layout.root
    start = Path(__file__).with_name("interpreter_start.py")
    files = [root / "setup.py", root / "setup.cfg", root / "pyproject.toml", root / "src/vantage/__init__.py", start]
    value = digest(context.target, files, root)
    if context.stamps.matches("project", value):
        return
    with doing("installing the project (editable)"):
        _pip(context, ["--no-deps", "--no-build-isolation", "-e", str(root)], "installing the project")
        if context.with_ros:
            packages = context.layout.site_packages(context.python)
            shutil.copyfile(start, packages / "_vantage_start.py")
            (packages / "_vantage_start.pth").write_text("import _vantage_start\n", encoding="utf-8")
        context.stamps.write("project", value)


def _pip(context: Context, arguments: list[str], what: str) -> None:
    log = context.layout.logs / f"{what.replace(' ', '-')}.log"
    context.stamps.write(INSTALLING, what)
    # -I: neither the working folder nor the caller's Python settings may lend pip a module.
    status = run(
        [str(context.layout.python), "-I", "-m", "pip", "install", "--prefer-binary", "--no-compile", *arguments],
        what=what,
        log=log,
        environ=context.venv_environ,
        cwd=context.layout.root,
        deadline_s=PIP_DEADLINE_S * context.patience,
        say=say,
    )
    output = log.read_text(encoding="utf-8", errors="replace")
    if status == 0 or left_environment_whole(output):
        context.stamps.forget(INSTALLING)
    if status != 0:
        raise SetupError(explain(output, str(log)), _telling_lines(output))


def _telling_lines(output: str) -> list[str]:
    lines = [line for line in output.splitlines() if line.startswith(("ERROR", "error", "  error"))]
    return (lines or output.splitlines())[-5:]
