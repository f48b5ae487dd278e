"""``vantage bench plan``: plans for goals in generated homes."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress


def add_plan_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "plan",
        parents=[common_options()],
        help="plans for random goals in generated homes, against the bare planner on the same problems",
    )
    parser.add_argument("--tasks", type=at_least(1), default=50, help="that have a plan (default %(default)s)")
    parser.add_argument("--seed", type=at_least(0), default=0, help="of the first home (default %(default)s)")
    parser.set_defaults(run=run_plan)


def run_plan(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_plans

    data = bench_plans(arguments.tasks, arguments.seed, progress)
    lines = [", ".join(f"{number} {outcome}" for outcome, number in sorted(data["outcomes"].items()))]
    if "bare" in data:
        for each in (data["bare"], data):
            lines.append(f"{each['name']:20} median {each['median_ms']:8.1f} ms   p95 {each['p95_ms']:8.1f} ms")
        lines.append(f"actions: median {data['actions_median']:g}, most {data['actions_most']}")
    lines.append(f"median bound {data['bound_ms']:g} ms: {'met' if data['met'] else 'NOT MET'}")
    return Result("\n".join(lines), data)
