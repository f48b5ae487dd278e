"""``vantage score``: figures from bags alone."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, common_options, progress, settings_options
from vantage.errors import UsageError

if TYPE_CHECKING:
    from vantage.benchmarks.judging import Judge
    from vantage.reports import ScoreTable


def add_parser(subparsers: Any) -> None:
    options = [common_options(), settings_options()]
    parser = subparsers.add_parser("score", parents=options, help="score bags offline")
    parser.add_argument(
        "paths", metavar="BAG|DIR", nargs="+", help="a bag, a folder of bags, or a folder of such folders; any number"
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
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown and nothing else")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.judging import make_judge
    from vantage.cli.json_values import json_value
    from vantage.cli.settings import settings_from
    from vantage.reports import ScoreTable, score_by_each, score_predictions, score_runs

    def score(judge: Judge) -> ScoreTable:
        if arguments.predictions is None:
            return score_runs(arguments.paths, judge, progress)
        return ScoreTable(score_predictions(arguments.paths[0], arguments.predictions, judge))

    if arguments.predictions is not None and len(arguments.paths) != 1:
        raise UsageError("--predictions goes with one file of questions; give that file alone")
    settings = settings_from(arguments)
    names = list(dict.fromkeys(name.strip() for name in arguments.judge.split(",")))
    table = score_by_each([make_judge(name, settings) for name in names], score)
    text = table.markdown() if arguments.markdown else table.text()
    return Result(text, json_value(table.to_json()), done=bool(table.complete) and not table.incomplete)
