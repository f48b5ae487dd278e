"""``vantage score``: figures from bags alone."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, common_options
from vantage.registry import JUDGES


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("score", parents=[common_options()], help="score bags offline")
    parser.add_argument("path", metavar="BAG|DIR", help="a bag or a folder of bags")
    parser.add_argument("--judge", default="rules", help=f"one of: {', '.join(JUDGES.names())}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.plain import plain
    from vantage.runs.scoring import score_runs

    table = score_runs(arguments.path, JUDGES.create(arguments.judge))
    return Result(table.text(), plain(table.to_json()), done=bool(table.complete) and not table.incomplete)
