"""``vantage agree``: how far people, judges and agents agree."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, common_options, progress, settings_options


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "agree",
        parents=[common_options(), settings_options()],
        help="tell how far people, judges and agents agree",
        description="Krippendorff's alpha of marks, verdicts, correctness and reviews, and people against each judge "
        "(Spearman), with 95 % intervals over homes.",
    )
    parser.add_argument(
        "paths",
        metavar="DIR|FILE",
        nargs="+",
        help="folders of bags, files of marks that `vantage review` wrote, and what `vantage score --json` printed; "
        "any number",
    )
    parser.add_argument(
        "--judge",
        default="rules",
        help="rules (default), or model:NAME:WHICH such as model:openai:llama, for bags; with commas between them "
        "several, of which the first says what is right",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.judging import make_judge
    from vantage.cli.json_values import json_value
    from vantage.cli.settings import settings_from
    from vantage.reports import rater_agreement, read_ratings

    settings = settings_from(arguments)
    names = list(dict.fromkeys(name.strip() for name in arguments.judge.split(",")))
    judges = [make_judge(name, settings) for name in names]
    found = rater_agreement(read_ratings(arguments.paths, judges, progress))
    return Result(found.text(), json_value(found), done=bool(found.alphas or found.against_judges))
