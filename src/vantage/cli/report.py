"""``vantage report``: one self-contained page about a folder of bags."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, common_options
from vantage.registry import JUDGES


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("report", parents=[common_options()], help="write one HTML page about bags")
    parser.add_argument("folder", metavar="DIR", help="a folder of bags")
    parser.add_argument("--out", metavar="FILE", help="the page (default: DIR/report.html)")
    parser.add_argument("--judge", default="rules", help=f"one of: {', '.join(JUDGES.names())}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.runs.report import write_report

    out = Path(arguments.out) if arguments.out else Path(arguments.folder) / "report.html"
    write_report(arguments.folder, out, JUDGES.create(arguments.judge))
    return Result(f"report: {out.resolve()}", {"report": str(out.resolve())})
