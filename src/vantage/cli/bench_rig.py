"""``vantage bench rig``: how fast and how surely an emulated rig stops."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

PARTS = ("kinematics", "accuracy", "stop", "limits", "faults")
_POSTURES = 2000
_BOUNDS = {"hold_p99_ms": 50.0, "worst_steps": 1.0, "kinematics": 1e-9}


def add_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "rig",
        parents=[common_options(), settings_options()],
        help="stops, limits, accuracy and faults of an emulated rig, against a bare serial line",
    )
    parser.add_argument("--trials", type=at_least(1), default=1000, help="stops (default %(default)s)")
    parser.add_argument("--load", type=at_least(0), default=2, help="busy processes beside them (default %(default)s)")
    parser.add_argument("--commands", type=at_least(1), default=100_000, help="random ones (default %(default)s)")
    parser.add_argument("--faults", type=at_least(1), default=1000, help="injected ones (default %(default)s)")
    parser.add_argument(
        "--rigs", type=at_least(1), default=4, help="with faults at the same time (default %(default)s)"
    )
    parser.add_argument("--moves", type=at_least(1), default=50, help="for accuracy (default %(default)s)")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS), help="parts of the bench")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.runs import bench_rig
    from vantage.runs.bench_rig_faults import bench_faults

    settings, data = settings_from(arguments), dict[str, Any]()
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        measures: dict[str, Callable[[], dict[str, Any]]] = {
            "kinematics": lambda: bench_rig.bench_kinematics(_POSTURES),
            "accuracy": lambda: bench_rig.bench_accuracy(settings, arguments.moves),
            "stop": lambda: bench_rig.bench_stop(settings, arguments.trials, arguments.load, progress),
            "limits": lambda: bench_rig.bench_limits(settings, arguments.commands, progress),
            "faults": lambda: bench_faults(settings, arguments.faults, arguments.rigs, Path(folder)),
        }
        for part in arguments.only:
            progress(part)
            data[part] = measures[part]()
    met = _met(data)
    data["bounds"], data["met"] = _BOUNDS, met
    return Result("\n".join(_lines(data)), data, done=all(met.values()))


def _met(data: dict[str, Any]) -> dict[str, bool]:
    met = {}
    if "kinematics" in data:
        met["kinematics"] = data["kinematics"]["worst"] <= _BOUNDS["kinematics"]
    if "accuracy" in data:
        met["accuracy"] = data["accuracy"]["worst_steps"] <= _BOUNDS["worst_steps"]
    if "stop" in data:
        met["hold"] = data["stop"]["hold"]["p99_ms"] <= _BOUNDS["hold_p99_ms"]
        met["rest"] = data["stop"]["at_rest_too_late"] == 0
    if "limits" in data:
        met["limits"] = data["limits"]["beyond_a_limit"] == 0
    if "faults" in data:
        found = data["faults"]
        quiet = not found["hangs"] and not found["silent"] and not found["not_mended"]
        met["faults"] = quiet and found["events_in_bag"] == found["events"]
    return met


def _lines(data: dict[str, Any]) -> list[str]:
    met = {name: "met" if kept else "NOT MET" for name, kept in data["met"].items()}
    lines = []
    if "kinematics" in data:
        found = data["kinematics"]
        lines.append(
            f"kinematics there and back within {found['worst']:.1e} m or rad at {found['postures']} postures, "
            f"{found['inverse_ms']:.3f} ms for an inverse ({met['kinematics']})"
        )
    if "accuracy" in data:
        found = data["accuracy"]
        lines.append(f"{found['moves']} moves missed by {found['worst_steps']:.2f} steps at most ({met['accuracy']})")
    if "stop" in data:
        found = data["stop"]
        lines += [
            f"stop to feed hold: median {found['hold']['median_ms']:.2f}, p99 {found['hold']['p99_ms']:.2f}, worst "
            f"{found['hold']['worst_ms']:.2f} ms over {found['trials']} stops beside {found['busy_processes']} busy "
            f"processes ({met['hold']}); {found['reference']['name']}: p99 {found['reference']['p99_ms']:.2f} ms",
            f"feed hold to rest: worst {found['rest']['worst_ms']:.0f} ms, {found['allowed_rest_ms']:.0f} ms allowed, "
            f"{found['at_rest_too_late']} too late ({met['rest']}); at most {found['longest_queue_ms']:.0f} ms queued",
        ]
    if "limits" in data:
        found = data["limits"]
        lines.append(
            f"{found['commands']} random commands, {found['beyond_a_limit']} beyond a limit ({met['limits']}): "
            + ", ".join(f"{count} {name}" for name, count in found["outcomes"].items())
        )
    if "faults" in data:
        found = data["faults"]
        lines.append(
            f"{found['faults']} faults: {sum(found['hangs'].values())} hangs, {sum(found['silent'].values())} silent, "
            f"{found['events_in_bag']} of {found['events']} events in the bag ({met['faults']})"
        )
        lines += [
            f"  {kind}: {', '.join(f'{n} {o}' for o, n in got.items())}" for kind, got in found["outcomes"].items()
        ]
        lines += [f"  not mended: {words}" for words in found["not_mended"]]
    return lines
