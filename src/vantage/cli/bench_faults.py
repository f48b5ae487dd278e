"""``vantage bench faults``: what becomes of runs, nodes, episodes and bags under faults, counted."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

PARTS = ("kills", "bags", "messages", "transitions", "interference")
_SEED = 1
_EPISODES = 6  # of the set
_FULL = {"kills": 60, "flips": 500, "messages": 2000, "transitions": 1000, "disturbed": 50}
_QUICK = {"kills": 3, "flips": 60, "messages": 20, "transitions": 20, "disturbed": 5}
_SPARE = 5  # episodes for the end of a part
# What no campaign may count, by part.
_NONE = {
    "kills": ("lost", "doubled", "orphans", "left_partial", "refused_resumes", "other_tables", "tracebacks", "hung"),
    "bags": ("unnoticed", "other_scores", "crashed"),
    "messages": ("deaf_nodes", "tracebacks"),
    "transitions": ("dead_nodes", "hung", "not_ended", "tracebacks"),
    "interference": ("interference", "not_ended", "tracebacks"),
}


def add_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "faults",
        parents=[common_options(), settings_options()],
        help="kills and resumes, flipped bits, random messages, transitions and strangers, against real processes",
    )
    parser.add_argument("--quick", action="store_true", help="few of each: does it run?")
    parser.add_argument("--kills", type=at_least(1), help=f"of vantage run (default {_FULL['kills']})")
    parser.add_argument("--flips", type=at_least(1), help=f"of single bits in a bag (default {_FULL['flips']})")
    parser.add_argument("--messages", type=at_least(1), help=f"on each topic and service (default {_FULL['messages']})")
    parser.add_argument("--transitions", type=at_least(1), help=f"of managed nodes (default {_FULL['transitions']})")
    parser.add_argument("--disturbed", type=at_least(1), help=f"episodes (default {_FULL['disturbed']})")
    parser.add_argument("--seed", type=at_least(0), default=_SEED, help="of all draws (default %(default)s)")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS), help="parts of the campaign")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.bench.killed_runs import make_fault_set, small_pictures
    from vantage.cli.settings import settings_from

    settings = small_pictures(settings_from(arguments))
    usual = _QUICK if arguments.quick else _FULL
    counts = {name: getattr(arguments, name) or number for name, number in usual.items()}
    data: dict[str, Any] = {"seed": arguments.seed}
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(temporary)
        progress("making a home and questions")
        made = make_fault_set(folder / "set", settings, _EPISODES, arguments.seed)
        parts: dict[str, Callable[[], dict[str, Any]]] = {
            "kills": lambda: _kills(made, folder, counts["kills"], arguments),
            "bags": lambda: _bags(made, folder, counts["flips"], arguments, settings),
            "messages": lambda: _over_ros("messages", made, folder, counts["messages"], arguments, settings),
            "transitions": lambda: _over_ros("transitions", made, folder, counts["transitions"], arguments, settings),
            "interference": lambda: _over_ros("interference", made, folder, counts["disturbed"], arguments, settings),
        }
        for part in arguments.only:
            progress(part)
            data[part] = parts[part]()
    data["none_expected"] = {part: list(names) for part, names in _NONE.items() if part in data}
    data["met"] = {part: _met(part, data[part]) for part in PARTS if part in data}
    return Result("\n".join(_lines(data)), data, done=all(data["met"].values()))


def _kills(made: Any, folder: Path, count: int, arguments: argparse.Namespace) -> dict[str, Any]:
    from vantage.bench.killed_runs import SIZE, KillCampaign, bench_kills

    out = folder / "kills"
    out.mkdir()
    sizes = ("--set", f"camera.width={SIZE[0]}", "--set", f"camera.height={SIZE[1]}")
    given = tuple(word for setting in arguments.set for word in ("--set", setting))
    return bench_kills(KillCampaign(made.folder, out, (*sizes, *given)), count, arguments.seed, progress)


def _bags(made: Any, folder: Path, count: int, arguments: argparse.Namespace, settings: Any) -> dict[str, Any]:
    from vantage.bench.flipped_bags import bench_flipped_bags
    from vantage.bench.killed_runs import repeated
    from vantage.runs.batch import Job, prepared, run_set

    episodes = repeated(made, folder / "one", 1)
    job, _ = prepared(Job(episodes.folder, folder / "sound", "splat", "random", settings))
    for _ in run_set(job):
        pass
    [bag] = (folder / "sound").iterdir()
    (folder / "flipped").mkdir()
    return bench_flipped_bags(bag, count, arguments.seed, folder / "flipped", progress)


def _over_ros(
    part: str, made: Any, folder: Path, count: int, arguments: argparse.Namespace, settings: Any
) -> dict[str, Any]:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.bench.killed_runs import repeated
    from vantage.nodes.bench.interference import bench_interference
    from vantage.nodes.bench.message_flood import bench_deaf
    from vantage.nodes.bench.transitions import bench_transitions
    from vantage.nodes.runtime.running import ros_context

    measure = {"messages": bench_deaf, "transitions": bench_transitions, "interference": bench_interference}[part]
    number = {"messages": _SPARE, "transitions": 2 * _SPARE + count, "interference": count}[part]
    episodes = repeated(made, folder / f"{part}-set", number)
    with ros_context([]) as context:
        return measure(settings, episodes.folder, folder / part, context, count, arguments.seed, progress)


def _met(part: str, found: dict[str, Any]) -> bool:
    return not any(found[name] for name in _NONE[part]) and found.get("episode_after", True) is True


def _lines(data: dict[str, Any]) -> list[str]:
    lines = []
    for part, met in data["met"].items():
        figures = ", ".join(
            f"{value} {name.replace('_', ' ')}"
            for name, value in data[part].items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        )
        after = data[part].get("episode_after")
        told = "" if after is None else f"; an episode afterwards {'ran' if after else 'DID NOT RUN'}"
        lines.append(f"{part:13} {figures}{told}: {'met' if met else 'NOT MET'}")
    return lines
