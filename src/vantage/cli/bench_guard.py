"""``vantage bench guard``: reading and guarding a goal, beside bare ``json.loads``; and how it judges written pairs."""

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
    parser.add_argument(
        "--pairs",
        nargs="+",
        default=[],
        metavar="FILE",
        help="judge instructions and goals that people wrote, instead of timing",
    )
    parser.add_argument(
        "--sheet", default="", metavar="HOME", help="show what authors of pairs read about a home, SEED/ROOMS"
    )
    parser.set_defaults(run=run_guard)


def run_guard(arguments: argparse.Namespace) -> Result:
    """Run it."""
    from vantage.bench import bench_guard, bench_pairs, sheet

    if arguments.sheet:
        text = sheet(arguments.sheet)
        return Result(text, {"home": arguments.sheet, "sheet": text})
    if arguments.pairs:
        return _judged(bench_pairs(arguments.pairs, arguments.robot))
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


def _judged(data: dict[str, Any]) -> Result:
    lines = [f"{data['pairs']} pairs in {data['homes']} homes"]
    for name, rate in data["rates"].items():
        share, low, high = (100 * rate[key] for key in ("share", "low", "high"))
        lines.append(f"{name.replace('_', ' '):28} {share:5.1f} % ({low:.1f} to {high:.1f}) of {rate['n']}")
    for each in data["judged"]:
        wanted = ("passed", "the same goal") if each["kind"] == "honest" else ("asked back", "refused")
        if (each["guard"], each["interpreter"]) != wanted and not (
            each["kind"] == "absent" and each["guard"] != "passed" and each["interpreter"] == "refused"
        ):
            told = f"{each['guard']}, {each['interpreter']}"
            lines.append(f"{each['where']}: {each['kind']}: {told}: {each['instruction']}")
    return Result("\n".join(lines), data)
