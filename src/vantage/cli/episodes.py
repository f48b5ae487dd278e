"""``vantage episodes``: make, validate and show episode sets."""

from __future__ import annotations

import argparse
import inspect
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.registry import BENCHMARKS
from vantage.visible import visible

if TYPE_CHECKING:
    from vantage.benchmarks.sets.episodes_io import EpisodeSet

# What decides the size of a set, by the name of the argument of ``make``; not every benchmark takes all.
_SIZES = ("scenes", "episodes", "noisy", "pairs", "rooms", "source", "noise_model")


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("episodes", help="make, validate or show an episode set")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    make = actions.add_parser("make", parents=[common_options(), settings_options()], help="make an episode set")
    _benchmark(make)
    make.add_argument("--miniature", action="store_true", help="two homes and a handful of episodes, in a minute")
    make.add_argument("--scenes", type=int, help="number of homes (search: 2, noisyeqa: 60)")
    make.add_argument("--episodes", type=int, help="search: number of episodes (12)")
    make.add_argument("--noisy", type=int, help="search: how many of them ask a false question (a third)")
    make.add_argument("--pairs", type=int, help="noisyeqa: number of false questions, each with a true twin (500)")
    make.add_argument(
        "--shares",
        metavar="WHICH",
        help="of the noise types: paper (the default), even, or weights such as latent=2,color=1",
    )
    make.add_argument(
        "--phrasing", metavar="GROUP", help="noisyeqa: how questions are worded: test (the default) or dev"
    )
    make.add_argument(
        "--rooms", type=_room_numbers, metavar="LOW-HIGH", help="rooms of the homes (search: 1-4, noisyeqa: 1-3)"
    )
    make.add_argument("--from", dest="source", metavar="FILE", help="open-eqa, hm-eqa: the file with the questions")
    make.add_argument(
        "--noise-model", metavar="NAME:WHICH", help="open-eqa, hm-eqa: a model that makes a false twin of each question"
    )
    make.add_argument("--workers", type=at_least(1), help="noisyeqa: processes (2); they do not change the set")
    make.add_argument("--seed", type=at_least(0), default=0)
    make.add_argument("--out", required=True, metavar="DIR")
    make.set_defaults(run=run_make)
    validate = actions.add_parser("validate", parents=[common_options()], help="check everything about a set")
    _benchmark(validate, folder=True)
    validate.add_argument("--workers", type=at_least(1), help="noisyeqa: processes (2)")
    validate.add_argument("--reviewed", metavar="FILE", help="noisyeqa: marks of the review page to apply as well")
    validate.add_argument(
        "--out", metavar="DIR", help="with --reviewed: write the accepted pairs as a set of their own"
    )
    validate.set_defaults(run=run_validate)
    show = actions.add_parser("show", parents=[common_options()], help="list the episodes of a set")
    _benchmark(show, folder=True)
    show.add_argument(
        "--html", metavar="FILE", help="noisyeqa: write a page on which people accept or reject each pair"
    )
    show.set_defaults(run=run_show)


def _benchmark(parser: argparse.ArgumentParser, folder: bool = False) -> None:
    parser.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    if folder:
        parser.add_argument("folder", metavar="DIR")


def run_make(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError

    benchmark = BENCHMARKS.create(arguments.benchmark)
    given = {name: getattr(arguments, name) for name in (*_SIZES, "shares", "phrasing", "workers")}
    chosen = {name: value for name, value in given.items() if value is not None}
    sizes = [name for name in _SIZES if name in chosen]
    make = benchmark.make
    if arguments.miniature:
        if sizes:
            raise UsageError(f"--miniature fixes the sizes; leave out {_options(sizes)}")
        make = getattr(benchmark, "make_miniature", make)
    _refuse_others(make, arguments.benchmark, chosen)
    if "episodes" in chosen:
        chosen.setdefault("noisy", chosen["episodes"] // 3)
    if hasattr(benchmark, "usual_rooms") and not arguments.miniature:
        chosen.setdefault("rooms", benchmark.usual_rooms)
    if "progress" in inspect.signature(make).parameters:
        chosen["progress"] = progress
    made = make(arguments.out, seed=arguments.seed, settings=settings_from(arguments), **chosen)
    return _listing(made, f"{len(made.episodes)} episodes in {arguments.out}")


def load_set_of(benchmark: str, folder: str) -> EpisodeSet:
    """The set in a folder.

    Raises:
        UnknownNameError: no such benchmark.
        UsageError: the set is of another one.
        FormatError: it cannot be read.
    """
    from vantage.benchmarks.sets.episodes_io import load_set
    from vantage.errors import UsageError

    BENCHMARKS.get(benchmark)
    found = load_set(folder)
    if found.info.benchmark != benchmark:
        raise UsageError(f"{folder} is a set of benchmark '{found.info.benchmark}', not '{benchmark}'")
    return found


def run_validate(arguments: argparse.Namespace) -> Result:
    from vantage.errors import UsageError

    benchmark = BENCHMARKS.create(arguments.benchmark)
    chosen = {"workers": arguments.workers} if arguments.workers is not None else {}
    _refuse_others(benchmark.validate, arguments.benchmark, chosen)
    if arguments.out and not arguments.reviewed:
        raise UsageError("--out needs --reviewed, which says what is accepted")
    if arguments.reviewed and not hasattr(benchmark, "apply_review"):
        raise UsageError(f"sets of benchmark '{arguments.benchmark}' are not reviewed; leave out --reviewed")
    load_set_of(arguments.benchmark, arguments.folder)
    problems = list(benchmark.validate(arguments.folder, **chosen))
    said: str = ""
    data: dict[str, Any] = {}
    if arguments.reviewed:
        review = benchmark.apply_review(arguments.folder, arguments.reviewed, arguments.out)
        problems += [] if arguments.out else review.problems()
        data = {"review": review.to_json()}
        said = review.summary() + (f"; the accepted ones are in {arguments.out}" if arguments.out else "")
    text = "\n".join(problems) if problems else f"{arguments.folder} is valid"
    return Result("\n".join(filter(None, (text, said))), {"problems": problems, **data}, done=not problems)


def run_show(arguments: argparse.Namespace) -> Result:
    from vantage.errors import UsageError

    benchmark = BENCHMARKS.create(arguments.benchmark)
    episode_set = load_set_of(arguments.benchmark, arguments.folder)
    if arguments.html is None:
        return _listing(episode_set, "")
    if not hasattr(benchmark, "write_review_page"):
        raise UsageError(f"there is no page for sets of benchmark '{arguments.benchmark}'; leave out --html")
    pairs = benchmark.write_review_page(arguments.folder, arguments.html)
    return Result(f"{pairs} pairs on {arguments.html}; open it in a browser", {"pairs": pairs, "page": arguments.html})


def _takes(function: Any, name: str) -> bool:
    parameters = inspect.signature(function).parameters
    return name in parameters or any(item.kind is inspect.Parameter.VAR_KEYWORD for item in parameters.values())


def _refuse_others(function: Any, benchmark: str, chosen: dict[str, Any]) -> None:
    from vantage.errors import UsageError

    strange = [name for name in chosen if not _takes(function, name)]
    if strange:
        raise UsageError(f"benchmark '{benchmark}' has no option {_options(strange[:1])} here; leave it out")


def _options(names: list[str]) -> str:
    return ", ".join("--from" if name == "source" else f"--{name.replace('_', '-')}" for name in names)


def _room_numbers(text: str) -> tuple[int, int]:
    """``1-4`` as two numbers; a single one stands for both."""
    low, _, high = text.partition("-")
    try:
        return int(low), int(high or low)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected LOW-HIGH such as 1-4, got '{text}'") from None


def _listing(episode_set: Any, last_line: str) -> Result:
    from vantage.benchmarks.sets.episodes_io import load_truths
    from vantage.benchmarks.statistics.answer_balance import blind_share, guesses
    from vantage.cli.json_values import json_value

    lines = [
        f"{episode.episode_id}  {episode.scene}  {visible(question.text)}"
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
            f"'{visible(common[0].answer)}', and {blind:.0%} by the commonest answer to their kind"
        )
        lines += [
            f"  {visible(guess.about)}: '{visible(guess.answer)}' {guess.hits} of {guess.number}"
            for guess in common[1:]
        ]
    noises = [question.noise_type.name for question in questions if not question.premise_holds]
    if noises:
        counted = ", ".join(f"{noises.count(name)} {name}" for name in dict.fromkeys(noises))
        lines.append(f"{len(noises)} questions with a false premise: {counted}")
    text = "\n".join([*lines, last_line] if last_line else lines)
    return Result(
        text,
        {
            "folder": str(episode_set.folder),
            "episodes": json_value(episode_set.episodes),
            "commonest_answers": json_value(common),
            "noise_types": {name: noises.count(name) for name in dict.fromkeys(noises)},
        },
    )
