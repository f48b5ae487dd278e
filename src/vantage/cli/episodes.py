"""``vantage episodes``: make, validate and show episode sets."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, at_least, common_options, settings_options
from vantage.registry import BENCHMARKS


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("episodes", help="make, validate or show an episode set")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    make = actions.add_parser("make", parents=[common_options(), settings_options()], help="make an episode set")
    make.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    make.add_argument("--miniature", action="store_true", help="two scenes and twelve episodes, in a minute")
    make.add_argument("--scenes", type=int, default=None, help="number of scenes (default 2)")
    make.add_argument("--episodes", type=int, default=None, help="number of episodes (default 12)")
    make.add_argument("--noisy", type=int, default=None, help="how many of them ask a false question (default a third)")
    make.add_argument("--seed", type=at_least(0), default=0)
    make.add_argument("--out", required=True, metavar="DIR")
    make.set_defaults(run=run_make)
    for name, run, words in (
        ("validate", run_validate, "check everything about a set"),
        ("show", run_show, "list the episodes of a set"),
    ):
        other = actions.add_parser(name, parents=[common_options()], help=words)
        other.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
        other.add_argument("folder", metavar="DIR")
        other.set_defaults(run=run)


def run_make(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError

    sizes = {"scenes": arguments.scenes, "episodes": arguments.episodes, "noisy": arguments.noisy}
    chosen = {key: value for key, value in sizes.items() if value is not None}
    if arguments.miniature and chosen:
        raise UsageError("--miniature fixes the sizes; leave out --scenes, --episodes and --noisy")
    if "episodes" in chosen:
        chosen.setdefault("noisy", chosen["episodes"] // 3)
    benchmark = BENCHMARKS.create(arguments.benchmark)
    made = benchmark.make(arguments.out, seed=arguments.seed, settings=settings_from(arguments), **chosen)
    return _listing(made, f"{len(made.episodes)} episodes in {arguments.out}")


def run_validate(arguments: argparse.Namespace) -> Result:
    problems = list(BENCHMARKS.create(arguments.benchmark).validate(arguments.folder))
    text = "\n".join(problems) if problems else f"{arguments.folder} is valid"
    return Result(text, {"problems": problems}, done=not problems)


def run_show(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.episodes_io import load_set

    BENCHMARKS.get(arguments.benchmark)
    return _listing(load_set(arguments.folder), "")


def _listing(episode_set: Any, last_line: str) -> Result:
    from vantage.cli.plain import plain

    lines = [
        f"{episode.episode_id}  {episode.scene}  {question.text}"
        for episode in episode_set.episodes
        for question in episode.questions
    ]
    text = "\n".join([*lines, last_line] if last_line else lines)
    return Result(text, {"folder": str(episode_set.folder), "episodes": plain(episode_set.episodes)})
