"""``vantage bench guard``: reading and guarding a goal, beside bare ``json.loads``."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, at_least, common_options


def add_guard_parser(actions: Any) -> None:
    """Add the command."""
    parser = actions.add_parser(
        "guard",
        parents=[common_options()],
        help="reading and guarding a goal over many objects, against bare json.loads",
    )
    parser.add_argument("--objects", type=at_least(1), default=500, help="of the scene (default %(default)s)")
    parser.add_argument("--goals", type=at_least(1), default=20, help="of the reply (default %(default)s)")
    parser.add_argument("--repetitions", type=at_least(2), default=200, help="default %(default)s")
    parser.add_argument("--seed", type=at_least(0), default=1, help="of scene and reply (default %(default)s)")
    parser.add_argument("--robot", default="household", help="of config/robots, or a file (default %(default)s)")
    parser.set_defaults(run=run_guard)


def run_guard(arguments: argparse.Namespace) -> Result:
    """Run it."""
    from vantage.bench import bench_guard

    data = bench_guard(arguments.objects, arguments.goals, arguments.repetitions, arguments.seed, robot=arguments.robot)
    lines = [
        f"{each['name']:28} median {each['median_ms']:8.3f} ms   p95 {each['p95_ms']:8.3f} ms" for each in data["times"]
    ]
    bounds = data["bounds"]
    lines.append(
        f"{data['goals']} goals over {data['objects']} objects: {data['ruling']}, {data['reasons']} reasons; at most "
        f"{bounds['goal_p95_ms']:g} ms, {bounds['task_p95_ms']:g} ms with the long task: "
        f"{'met' if data['met'] else 'NOT MET'}"
    )
    return Result("\n".join(lines), data)
