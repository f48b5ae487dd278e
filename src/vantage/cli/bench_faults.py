"""``vantage bench faults``: attacks and faults against real processes, each with counts that must be 0."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.errors import MissingExtraError

if TYPE_CHECKING:
    from vantage.config import Settings

_SEED = 1
_EPISODES = 6  # of the set
_SPARE = 5  # episodes for the end of a part


@dataclass(frozen=True)
class Campaign:
    """What the parts of one campaign share.

    Attributes:
        arguments: of the command line.
        made: the episode set that the parts run.
        folder: where they write.
    """

    arguments: argparse.Namespace
    settings: Settings
    made: Any
    folder: Path


@dataclass(frozen=True)
class Part:
    """A part of the campaign.

    Attributes:
        option: of the command line, for the amount.
        amount: what ``option`` counts, for the help.
        full, quick: the amount by default and with ``--quick``.
        run: called with the campaign and the amount; returns counts by name.
        zero: the counts that must be 0.
    """

    option: str
    amount: str
    full: int
    quick: int
    run: Callable[[Campaign, int], dict[str, Any]]
    zero: tuple[str, ...]


def add_faults_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "faults",
        parents=[common_options(), settings_options()],
        help="kills and resumes, flipped bits, random messages, transitions, strangers and hostile clients, against "
        "real processes",
    )
    parser.add_argument("--quick", action="store_true", help="few of each: does it run?")
    for part in PARTS.values():
        words = f"{part.amount} (default {part.full}, with --quick {part.quick})"
        parser.add_argument(f"--{part.option}", type=at_least(1), help=words)
    parser.add_argument("--seed", type=at_least(0), default=_SEED, help="of all draws (default %(default)s)")
    parser.add_argument("--only", choices=PARTS, nargs="+", help="parts of the campaign (default: all that can be run)")
    parser.set_defaults(run=run_faults)


def run_faults(arguments: argparse.Namespace) -> Result:
    from vantage.bench import make_fault_set, small_pictures
    from vantage.cli.settings import settings_from

    settings = small_pictures(settings_from(arguments))
    data: dict[str, Any] = {"seed": arguments.seed}
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(temporary)
        progress("making a home and questions")
        made = make_fault_set(folder / "set", settings, _EPISODES, arguments.seed)
        campaign = Campaign(arguments, settings, made, folder)
        for name in arguments.only or PARTS:
            part = PARTS[name]
            progress(name)
            usual = part.quick if arguments.quick else part.full
            try:
                data[name] = part.run(campaign, getattr(arguments, part.option) or usual)
            except MissingExtraError as error:
                if arguments.only:
                    raise
                progress(f"{name} is left out: {error}")
    done = [name for name in PARTS if name in data]
    data["none_expected"] = {name: list(PARTS[name].zero) for name in done}
    data["met"] = {name: _met(name, data[name]) for name in done}
    return Result("\n".join(_lines(data)), data, done=all(data["met"].values()))


def _kills(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.bench import SIZE, KillCampaign, bench_kills

    out = campaign.folder / "kills"
    out.mkdir()
    sizes = ("--set", f"camera.width={SIZE[0]}", "--set", f"camera.height={SIZE[1]}")
    given = tuple(word for setting in campaign.arguments.set for word in ("--set", setting))
    kills = KillCampaign(campaign.made.folder, out, (*sizes, *given))
    return bench_kills(kills, count, campaign.arguments.seed, progress)


def _bags(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.bench import bench_flipped_bags, repeated
    from vantage.runs import Job, prepared, run_set

    folder = campaign.folder
    episodes = repeated(campaign.made, folder / "one", 1)
    job, _ = prepared(Job(episodes.folder, folder / "sound", "splat", "random", campaign.settings))
    for _ in run_set(job):
        pass
    [bag] = (folder / "sound").iterdir()
    (folder / "flipped").mkdir()
    return bench_flipped_bags(bag, count, campaign.arguments.seed, folder / "flipped", progress)


def _messages(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.bench import bench_message_flood

    return _over_ros("messages", bench_message_flood, campaign, count, _SPARE)


def _transitions(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.bench import bench_transitions

    return _over_ros("transitions", bench_transitions, campaign, count, 2 * _SPARE + count)


def _interference(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.bench import bench_interference

    return _over_ros("interference", bench_interference, campaign, count, count)


def _arms(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.bench import bench_hostile_arms

    return _over_ros("arms", bench_hostile_arms, campaign, count, 2 * _SPARE + count // 12)


def _files(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.bench import bench_hostile_files, repeated
    from vantage.cli.main import main
    from vantage.runs import Job, prepared, run_set

    folder = campaign.folder / "files"
    episodes = repeated(campaign.made, folder / "set", 1)
    job, _ = prepared(Job(episodes.folder, folder / "bags", "splat", "random", campaign.settings))
    for _ in run_set(job):
        pass
    [bag] = (folder / "bags").iterdir()
    return bench_hostile_files(episodes, bag, folder, count, campaign.arguments.seed, main, progress)


def _web(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.bench import bench_hostile_clients
    from vantage.web import require_web

    require_web()
    folder = campaign.folder / "web"
    folder.mkdir()
    return bench_hostile_clients(campaign.made, folder, count, campaign.arguments.seed, progress)


def _bounds(campaign: Campaign, count: int) -> dict[str, Any]:
    from vantage.bench import bench_sizes

    return bench_sizes(campaign.made, campaign.folder, count, campaign.arguments.seed, progress)


def _over_ros(
    name: str, measure: Callable[..., dict[str, Any]], campaign: Campaign, count: int, episodes: int
) -> dict[str, Any]:
    from vantage.bench import repeated
    from vantage.nodes.runtime import ros_context

    made = repeated(campaign.made, campaign.folder / f"{name}-set", episodes)
    seed = campaign.arguments.seed
    with ros_context([]) as context:
        return measure(campaign.settings, made.folder, campaign.folder / name, context, count, seed, progress)


PARTS = {
    "kills": Part(
        "kills",
        "of vantage run",
        60,
        3,
        _kills,
        ("lost", "doubled", "orphans", "left_partial", "refused_resumes", "other_tables", "tracebacks", "hung"),
    ),
    "bags": Part("flips", "of single bits in a bag", 500, 60, _bags, ("unnoticed", "other_scores", "crashed")),
    "messages": Part("messages", "on each topic and service", 2000, 20, _messages, ("deaf_nodes", "tracebacks")),
    "transitions": Part(
        "transitions",
        "of managed nodes",
        1000,
        20,
        _transitions,
        ("dead_nodes", "hung", "not_ended", "tracebacks"),
    ),
    "interference": Part("disturbed", "episodes", 50, 5, _interference, ("interference", "not_ended", "tracebacks")),
    "arms": Part(
        "commands",
        "hostile ones for the arm of each world",
        1000,
        60,
        _arms,
        (
            *(
                "moved",
                "carried_out",
                "unanswered",
                "repeated",
                "permissions",
                "interference",
                "unended",
                "control_failed",
            ),
            *("dead_nodes", "tracebacks"),
        ),
    ),
    "files": Part(
        "asked",
        "settings that each kind of file from elsewhere asks for",
        200,
        10,
        _files,
        ("obeyed", "sent", "secrets", "read_outside", "tracebacks"),
    ),
    "web": Part(
        "hostile",
        "of each attack on pages",
        1000,
        60,
        _web,
        ("stalls", "accepted", "wrong", "tracebacks", "escapes", "dead"),
    ),
    "bounds": Part("bombs", "for each reader", 6, 1, _bounds, ("tracebacks", "hung", "memory", "accepted")),
}


def _met(name: str, found: dict[str, Any]) -> bool:
    return not any(found[count] for count in PARTS[name].zero) and found.get("episode_after", True) is True


def _lines(data: dict[str, Any]) -> list[str]:
    lines = []
    for name, met in data["met"].items():
        figures = ", ".join(
            f"{value} {count.replace('_', ' ')}"
            for count, value in data[name].items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        )
        after = data[name].get("episode_after")
        told = "" if after is None else f"; an episode afterwards {'ran' if after else 'DID NOT RUN'}"
        lines.append(f"{name:13} {figures}{told}: {'met' if met else 'NOT MET'}")
    return lines
