"""``vantage score``: figures from bags alone."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.errors import UsageError
from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.reports import ScoreTable


def add_parser(subparsers: Any) -> None:
    options = [common_options(), settings_options()]
    parser = subparsers.add_parser("score", parents=options, help="score bags offline")
    parser.add_argument(
        "paths",
        metavar="BAG|DIR",
        nargs="+",
        help="a bag, a folder of bags, or a folder of such folders; any number. With --gold, the name of a benchmark",
    )
    parser.add_argument(
        "--judge",
        default="rules",
        help="rules (default), or model:NAME:WHICH such as model:openai:llama; with commas between them several, whose "
        "agreement is told",
    )
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        help="score this file of answers to the OpenEQA questions in the one file given",
    )
    parser.add_argument(
        "--gold", action="store_true", help="score the gold data of a benchmark, such as heal, against themselves"
    )
    parser.add_argument(
        "--data", metavar="DIR", default="", help="with --gold: the data (default: where VANTAGE_DATA says)"
    )
    parser.add_argument(
        "--ghosts", type=at_least(0), default=0, metavar="N", help="with --gold: goals of absent things to add to each"
    )
    parser.add_argument(
        "--drop", type=_share, default=0.0, metavar="SHARE", help="with --gold: share of the goals to leave out"
    )
    parser.add_argument("--split", metavar="NAME", help="only episodes of this part of their set, such as test")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown and nothing else")
    parser.set_defaults(run=run)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 1, got {shown(text)}") from error
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"must be from 0 to 1, got {value}")
    return value


def _score_gold(arguments: argparse.Namespace) -> Result:
    """
    Raises:
        UsageError: no one benchmark is named, or it has no gold data to score.
    """
    from vantage.benchmarks import make_benchmark
    from vantage.cli.json_values import json_value

    if len(arguments.paths) != 1:
        raise UsageError("--gold goes with the name of one benchmark; give that alone")
    benchmark = make_benchmark(arguments.paths[0])
    if benchmark.gold is None:
        raise UsageError(f"benchmark '{benchmark.name}' has no published gold data to score; leave out --gold")
    told = benchmark.gold(arguments.data, arguments.ghosts, arguments.drop)
    return Result(told.text, json_value({"benchmark": benchmark.name, **told.data}))


def run(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.judging import make_judge
    from vantage.cli.json_values import json_value
    from vantage.cli.settings import settings_from
    from vantage.reports import ScoreTable, score_by_each, score_predictions, score_runs

    if arguments.gold:
        return _score_gold(arguments)
    if arguments.ghosts or arguments.drop or arguments.data:
        raise UsageError("--data, --ghosts and --drop mean something with --gold alone; leave them out")

    def score(judge: Judge) -> ScoreTable:
        if arguments.predictions is None:
            return score_runs(arguments.paths, judge, progress)
        return ScoreTable(score_predictions(arguments.paths[0], arguments.predictions, judge))

    if arguments.predictions is not None and len(arguments.paths) != 1:
        raise UsageError("--predictions goes with one file of questions; give that file alone")
    settings = settings_from(arguments)
    names = list(dict.fromkeys(name.strip() for name in arguments.judge.split(",")))
    table = score_by_each([make_judge(name, settings) for name in names], score)
    if arguments.split is not None:
        table = table.of_split(arguments.split)
    text = table.markdown() if arguments.markdown else table.text()
    return Result(text, json_value(table.to_json()), done=bool(table.complete) and not table.incomplete)
