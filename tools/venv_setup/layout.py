"""Where objects lie, and what the environment is made for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

DISTROS = ("jazzy", "kilted")
NO_ROS = "none"
DEFAULT_DISTRO = "jazzy"


@dataclass(frozen=True)
class Layout:
    """The project's root and the places inside its virtual environment."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def state(self) -> Path:
        """Stamps, logs and build folders."""
        return self.venv / ".vantage"

    @property
    def logs(self) -> Path:
        return self.state / "log"

    @property
    def build(self) -> Path:
        return self.state / "build"

    @property
    def lock(self) -> Path:
        return self.root / ".setup.lock"

    def site_packages(self, python: str) -> Path:
        return self.venv / "lib" / f"python{python}" / "site-packages"

    def requirements(self, name: str) -> Path:
        return self.root / "requirements" / f"{name}.txt"


def venv_python_version(venv: Path) -> str | None:
    """The X.Y of an environment whose interpreter still exists; None for anything else."""
    try:
        text = (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+)", text, re.MULTILINE)
    return found[1] if found and (venv / "bin" / "python").exists() else None


def chosen_distro(asked: str, recorded: str | None, sourced_ros: bool) -> str:
    """The distro to set up: as asked, else as the environment has it, else the default.

    A sourced ROS 2 exports ROS_DISTRO as well; it must not decide what this environment is made of.
    """
    if asked and not (sourced_ros and asked not in (*DISTROS, NO_ROS)):
        return asked
    return recorded or DEFAULT_DISTRO
