"""``vantage episodes``: make, validate and show episode sets."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, at_least, common_options, settings_options
from vantage.registry import BENCHMARKS

_USUAL_ROOMS = (1, 4)


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("episodes", help="make, validate or show an episode set")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    make = actions.add_parser("make", parents=[common_options(), settings_options()], help="make an episode set")
    make.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    make.add_argument(
        "--miniature", action="store_true", help="two homes of two rooms and twelve episodes, in a minute"
    )
    make.add_argument("--scenes", type=int, default=None, help="number of scenes (default 2)")
    make.add_argument("--episodes", type=int, default=None, help="number of episodes (default 12)")
    make.add_argument("--noisy", type=int, default=None, help="how many of them ask a false question (default a third)")
    make.add_argument(
        "--rooms",
        type=_room_numbers,
        default=None,
        metavar="LOW-HIGH",
        help="rooms of the homes (default 1-4)",
    )
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

    sizes = {name: getattr(arguments, name) for name in ("scenes", "episodes", "noisy", "rooms")}
    chosen = {key: value for key, value in sizes.items() if value is not None}
    if arguments.miniature and chosen:
        raise UsageError("--miniature fixes the sizes; leave out --scenes, --episodes, --noisy and --rooms")
    if "episodes" in chosen:
        chosen.setdefault("noisy", chosen["episodes"] // 3)
    if not arguments.miniature:
        chosen.setdefault("rooms", _USUAL_ROOMS)
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


def _room_numbers(text: str) -> tuple[int, int]:
    """``1-4`` as two numbers; a single one stands for both."""
    low, _, high = text.partition("-")
    try:
        return int(low), int(high or low)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected LOW-HIGH such as 1-4, got '{text}'") from None


def _listing(episode_set: Any, last_line: str) -> Result:
    from vantage.benchmarks.balance import blind_share, guesses
    from vantage.benchmarks.episodes_io import load_truths
    from vantage.cli.plain import plain

    lines = [
        f"{episode.episode_id}  {episode.scene}  {question.text}"
        for episode in episode_set.episodes
        for question in episode.questions
    ]
    truths = load_truths(episode_set.folder, episode_set.episodes)
    questions = [question for truth in truths.values() for question in truth.questions]
    common = guesses(questions)
    if common:
        blind = blind_share(questions)
        lines.append(
            f"of {common[0].number} questions with a true premise, {common[0].share:.0%} are answered by "
            f"'{common[0].answer}', and {blind:.0%} by the commonest answer to their kind"
        )
        lines += [f"  {guess.about}: '{guess.answer}' {guess.hits} of {guess.number}" for guess in common[1:]]
    text = "\n".join([*lines, last_line] if last_line else lines)
    return Result(
        text,
        {
            "folder": str(episode_set.folder),
            "episodes": plain(episode_set.episodes),
            "commonest_answers": plain(common),
        },
    )
