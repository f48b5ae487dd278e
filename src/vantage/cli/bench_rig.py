"""``vantage bench rig``: how surely an emulated rig stops, keeps its limits and tells of faults."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

PARTS = ("kinematics", "accuracy", "stop", "limits", "faults")
FULL = {"moves": 50, "trials": 1000, "commands": 20_000, "faults": 1000, "rigs": 4}
QUICK = {"moves": 5, "trials": 20, "commands": 2000, "faults": 16, "rigs": 2}
_POSTURES = 2000
_BOUNDS = {"hold_p99_ms": 50.0, "worst_steps": 1.0, "kinematics": 1e-9}
_BEGINNING = 5.0  # s of each part, at least
_EACH = {"accuracy": 2.2, "stop": 0.9, "limits": 0.006, "faults": 3.2}  # s of one on an idle machine


def add_rig_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "rig",
        parents=[common_options(), settings_options()],
        help="stops, limits, accuracy and faults of an emulated rig, against a bare serial line",
    )
    for option, words in (
        ("trials", "stops"),
        ("commands", "random ones, over several rigs"),
        ("faults", "injected ones"),
        ("rigs", "with faults at the same time"),
        ("moves", "for accuracy"),
    ):
        default = f"(default {FULL[option]}, with --quick {QUICK[option]})"
        parser.add_argument(f"--{option}", type=at_least(1), help=f"{words} {default}")
    parser.add_argument("--load", type=at_least(0), default=2, help="busy processes beside stops (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="few of each, and no bound on the delay of stops")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS), help="parts of the bench")
    parser.set_defaults(run=run_rig)


def run_rig(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_faults, bench_limits, rig_stops as bench_rig
    from vantage.cli.settings import settings_from
    from vantage.runs import Remaining

    settings, data = settings_from(arguments), dict[str, Any]()
    plan = {name: getattr(arguments, name) or count for name, count in (QUICK if arguments.quick else FULL).items()}
    tell = Remaining({part: _expected(part, plan) for part in arguments.only}, progress)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        measures: dict[str, Callable[[], dict[str, Any]]] = {
            "kinematics": lambda: bench_rig.bench_kinematics(_POSTURES),
            "accuracy": lambda: bench_rig.bench_accuracy(settings, plan["moves"], tell),
            "stop": lambda: bench_rig.bench_stop(settings, plan["trials"], arguments.load, tell),
            "limits": lambda: bench_limits(settings, plan["commands"], tell),
            "faults": lambda: bench_faults(settings, plan["faults"], plan["rigs"], Path(folder), tell),
        }
        for part in arguments.only:
            tell.begin(part)
            data[part] = measures[part]()
    met = _met(data, arguments.quick)
    data["quick"], data["bounds"], data["met"] = arguments.quick, _BOUNDS, met
    return Result("\n".join(_lines(data)), data, done=all(met.values()))


def _expected(part: str, plan: dict[str, int]) -> float:
    """s on an idle machine."""
    counts = {"accuracy": plan["moves"], "stop": plan["trials"], "limits": plan["commands"]}
    counts["faults"] = -(-plan["faults"] // plan["rigs"])
    return _BEGINNING + _EACH.get(part, 0.0) * counts.get(part, 0)


def _met(data: dict[str, Any], quick: bool) -> dict[str, bool]:
    met = {}
    if "kinematics" in data:
        met["kinematics"] = data["kinematics"]["worst"] <= _BOUNDS["kinematics"]
    if "accuracy" in data:
        met["accuracy"] = data["accuracy"]["worst_steps"] <= _BOUNDS["worst_steps"]
    if "stop" in data:
        if not quick:  # a few stops have no 99th percentile
            met["hold"] = data["stop"]["hold"]["p99_ms"] <= _BOUNDS["hold_p99_ms"]
        met["rest"] = data["stop"]["at_rest_too_late"] == 0
    if "limits" in data:
        found = data["limits"]
        met["limits"] = not found["beyond_a_limit"]
        met["turns"] = not found["beyond_the_turn_limit"] and not found["unwinds_too_fast"]
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
        found, hold = data["stop"], met.get("hold", "not judged")
        lines += [
            f"stop to feed hold: median {found['hold']['median_ms']:.2f}, p99 {found['hold']['p99_ms']:.2f}, worst "
            f"{found['hold']['worst_ms']:.2f} ms over {found['trials']} stops beside {found['busy_processes']} busy "
            f"processes ({hold}); {found['reference']['name']}: p99 {found['reference']['p99_ms']:.2f} ms",
            f"feed hold to rest: worst {found['rest']['worst_ms']:.0f} ms, {found['allowed_rest_ms']:.0f} ms allowed, "
            f"{found['at_rest_too_late']} too late ({met['rest']}); at most {found['longest_queue_ms']:.0f} ms queued",
        ]
    if "limits" in data:
        found = data["limits"]
        outcomes = ", ".join(f"{count} {name}" for name, count in found["outcomes"].items())
        lines += [
            f"{found['commands']} random commands to {len(found['rigs'])} rigs, {found['beyond_a_limit']} beyond a "
            f"limit ({met['limits']}): {outcomes}",
            f"  {found['beyond_the_turn_limit']} turned a joint farther than one command may, the farthest turn "
            f"{found['farthest_turn']:.3f} of {found['turn_limit']:.3f} rad; {found['unwinds_refused']} unwinds "
            f"refused, {found['unwinds_done']} done where allowed, {found['unwinds_too_fast']} of them too fast "
            f"({met['turns']})",
        ]
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
