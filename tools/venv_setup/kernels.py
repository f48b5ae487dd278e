"""Compile the inner loops once, by an episode in a small room, so that no first look, test or stop waits for that."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from venv_setup.command import run
from venv_setup.context import Context, doing, say
from venv_setup.errors import SetupError
from venv_setup.stamps import digest

_DEADLINE_S = 600.0
_SMALL = ("--set", "camera.width=64", "--set", "camera.height=48")  # enough for questions that can be seen
_WHAT = "compiling the inner loops"


def compile_kernels(context: Context) -> None:
    """In a new environment. What cannot be compiled now is compiled when it is first used."""
    root = context.layout.root
    value = digest(context.target, [context.layout.requirements("core")], root)
    if context.stamps.matches("kernels", value):
        return
    with doing(f"{_WHAT} (half a minute)"):
        folder = Path(tempfile.mkdtemp(prefix="vantage-setup-"))
        try:
            done = all(_vantage(context, words) for words in kernel_commands(folder))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if context.stop.is_set():
            return
        if not done:
            say(f"  not all, see {context.layout.logs / 'kernels.log'}; the others are compiled when first used")
        context.stamps.write("kernels", value)


def kernel_commands(folder: Path) -> list[list[str]]:
    """The words of ``vantage`` commands that use the inner loops; what they write goes into a folder."""
    episodes = str(folder / "episodes")
    making = ["episodes", "make", "search", "--scenes", "1", "--episodes", "1", "--rooms", "1-1", "--out", episodes]
    running = ["run", "search", "--agent", "search", "--episodes", episodes, "--out", str(folder / "bags")]
    return [[*words, *_SMALL] for words in (making, running)]


def _vantage(context: Context, words: list[str]) -> bool:
    """Whether a command of the project ends well."""
    try:
        status = run(
            [str(context.layout.venv / "bin" / "vantage"), *words],
            what=_WHAT,
            log=context.layout.logs / "kernels.log",
            environ=context.venv_environ,
            cwd=context.layout.root,
            deadline_s=_DEADLINE_S * context.patience,
            say=say,
            stop=context.stop,
        )
    except SetupError:
        return False
    return status == 0
