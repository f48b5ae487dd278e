#!/usr/bin/env python3
"""Write the pinned lists in requirements/ anew: python tools/lock_requirements.py [--keep].

Each list is the whole closure of its inputs (requirements/<name>.in, or install_requires and extras of setup.cfg),
resolved by pip under every supported Python; a pin that not all of them share gets an environment marker.
Needs python3.10 to python3.13 on PATH. --keep holds to the versions that are pinned now wherever they still fit.
"""

from __future__ import annotations

import argparse
import configparser
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
PYTHONS = ("3.10", "3.11", "3.12", "3.13")
DISTROS = ("jazzy", "kilted")
SOURCE_ONLY = ("empy",)  # pure Python, published without a wheel
DEADLINE_S = 900.0

Pins = dict[str, str]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_inputs() -> dict[str, list[str]]:
    """Requirement lines of each list by its name: core, test, build and one of ROS wheels for each distro."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    options, extras = config["options"], config["options.extras_require"]
    inputs = {
        "core": options["install_requires"].split(),
        "test": extras["test"].split(),
        "build": lines_of(FOLDER / "build.in"),
    }
    ros = lines_of(FOLDER / "ros-wheels.in")
    for distro in DISTROS:
        inputs[f"ros-wheels-{distro}"] = [
            line.split("#")[0].strip().replace("ros-", f"ros-{distro}-", 1)
            for line in ros
            if "# only" not in line or f"# only {distro}" in line
        ]
    return inputs


def lines_of(path: Path) -> list[str]:
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def resolve(python: str, requirements: list[str], constraints: Pins) -> Pins:
    """What pip would install for `requirements` under `python`, as normal name -> version."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, limits, report = (Path(folder) / name for name in ("wanted.txt", "limits.txt", "report.json"))
        wanted.write_text("\n".join(requirements), encoding="utf-8")
        limits.write_text("\n".join(f"{name}=={version}" for name, version in constraints.items()), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "--python", interpreter(python), "install", "--dry-run", "-qq"]
        command += ["--ignore-installed", "--only-binary", ":all:", "--no-binary", ",".join(SOURCE_ONLY)]
        command += ["--report", str(report), "-r", str(wanted), "-c", str(limits)]
        subprocess.run(command, check=True, timeout=DEADLINE_S)
        items = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {normal(item["metadata"]["name"]): item["metadata"]["version"] for item in items}


def interpreter(python: str) -> str:
    found = shutil.which(f"python{python}")
    if found is None:
        sys.exit(f"python{python} is not on PATH; the lists are resolved under each of {', '.join(PYTHONS)}")
    return found


def is_alias(name: str) -> bool:
    """ros-jazzy-rclpy holds nothing but its requirement ros-rclpy==7.1.6, which is pinned by itself."""
    return any(name.startswith(f"ros-{distro}-") for distro in DISTROS)


def merged(pins: dict[str, Pins]) -> list[str]:
    """One line for each pin; `pins` maps Python versions to what was resolved there."""
    where: dict[tuple[str, str], list[str]] = {}
    for python, found in pins.items():
        for name, version in found.items():
            if not is_alias(name):
                where.setdefault((name, version), []).append(python)
    return sorted(f"{name}=={version}{marker(pythons)}" for (name, version), pythons in where.items())


def marker(pythons: list[str]) -> str:
    """Environment marker for a run of neighbouring versions; none where all of PYTHONS are meant."""
    first, last = PYTHONS.index(pythons[0]), PYTHONS.index(pythons[-1])
    if pythons != list(PYTHONS[first : last + 1]):
        return "; " + " or ".join(f'python_version == "{python}"' for python in pythons)
    parts = [f'python_version >= "{pythons[0]}"'] if first else []
    parts += [f'python_version < "{PYTHONS[last + 1]}"'] if last + 1 < len(PYTHONS) else []
    return "; " + " and ".join(parts) if parts else ""


def pinned_now() -> Pins:
    pins = (re.match(r"([a-z0-9-]+)==(\S+)$", line) for path in FOLDER.glob("*.txt") for line in lines_of(path))
    return {match[1]: match[2] for match in pins if match}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="hold to the present pins wherever they still fit")
    keep = pinned_now() if parser.parse_args().keep else {}
    inputs = read_inputs()
    common = [line for name in ("core", "test", "build") for line in inputs[name]]
    result: dict[str, dict[str, Pins]] = {name: {} for name in inputs}
    for python in PYTHONS:
        together = resolve(python, common, keep)
        for name, lines in inputs.items():
            limits = together if name in ("core", "test", "build") else {**keep, **together}
            print(f"python {python}: {name}", flush=True)
            result[name][python] = resolve(python, lines, limits)
    for name, pins in result.items():
        text = "\n".join(["# Written by tools/lock_requirements.py; do not edit.", *merged(pins), ""])
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
