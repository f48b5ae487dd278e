"""``vantage run``: an episode set in process, one bag per episode."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.registry import AGENTS, BENCHMARKS, MODELS, PERCEIVERS, WORLDS


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Options that ``run`` and ``up`` share."""
    parser.add_argument("--world", default="splat", help=f"one of: {', '.join(WORLDS.names())}")
    parser.add_argument("--agent", help=f"one of: {', '.join(AGENTS.names())} (default: as configured, search)")
    parser.add_argument(
        "--perception", help=f"one of: {', '.join(PERCEIVERS.names())} (default: as configured, privileged)"
    )
    parser.add_argument(
        "--model",
        metavar="NAME:WHICH",
        help=f"who answers: symbolic, or one of {', '.join(MODELS.names())} with a folder or name after the colon, "
        "e.g. transformers:FOLDER (default: as configured, symbolic)",
    )
    parser.add_argument("--mode", help="how premises are treated: plain, nap or nacot (default: as configured, nacot)")
    parser.add_argument("--calibration", metavar="FILE", help="made by `vantage calibrate`: read confidence by it")
    parser.add_argument("--seed", type=at_least(0), default=0, help="of the run")
    parser.add_argument("--rig", metavar="FILE", help="for world 'rig': its file, or the name of one in config/rigs")
    parser.add_argument("--emulate", action="store_true", help="for world 'rig': on an emulated controller")


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "run", parents=[common_options(), settings_options()], help="run an episode set in process"
    )
    parser.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    add_run_options(parser)
    parser.add_argument("--episodes", required=True, metavar="DIR", help="the episode set")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the bags")
    parser.add_argument("--workers", type=at_least(1), default=1, help="processes")
    parser.add_argument("--resume", action="store_true", help="leave out episodes whose bag is complete")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.episodes_io import load_set
    from vantage.cli.settings import run_settings
    from vantage.errors import UsageError
    from vantage.runs.batch import Job, describe, run_set
    from vantage.types import EpisodeState

    BENCHMARKS.get(arguments.benchmark)
    episode_set = load_set(arguments.episodes)
    if episode_set.info.benchmark != arguments.benchmark:
        raise UsageError(
            f"{arguments.episodes} is a set of benchmark '{episode_set.info.benchmark}', not '{arguments.benchmark}'"
        )
    settings = run_settings(arguments, episode_set)
    agent = settings.agent.name
    PERCEIVERS.get(settings.agent.perception)
    job = Job(Path(arguments.episodes), Path(arguments.out), arguments.world, agent, settings, arguments.seed)
    started, rows = time.monotonic(), []
    for number, (episode, outcome) in enumerate(run_set(job, arguments.workers, arguments.resume), start=1):
        progress(f"[{number}] {episode.episode_id}  {outcome.steps} steps  {describe(outcome)}")
        rows.append({"episode_id": episode.episode_id, "state": outcome.state.name, "steps": outcome.steps})
    failed = [row for row in rows if row["state"] != EpisodeState.FINISHED.name]
    seconds = time.monotonic() - started
    text = f"{len(rows)} episodes in {seconds:.1f} s, {len(failed)} failed; bags in {arguments.out}"
    return Result(text, {"episodes": rows, "seconds": seconds, "out": arguments.out}, done=not failed)
