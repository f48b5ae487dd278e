"""``vantage report``: one self-contained page about folders of bags."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, common_options, progress, settings_options


def add_parser(subparsers: Any) -> None:
    options = [common_options(), settings_options()]
    parser = subparsers.add_parser("report", parents=options, help="write one HTML page about bags")
    parser.add_argument("folders", metavar="DIR", nargs="+", help="folders of bags, or of such folders")
    parser.add_argument("--out", metavar="FILE", help="the page (default: report.html in the first folder)")
    parser.add_argument(
        "--judge", default="rules", help="rules (default), or model:NAME:WHICH such as model:openai:llama"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.judging import make_judge
    from vantage.cli.settings import settings_from
    from vantage.reports import write_report

    out = Path(arguments.out) if arguments.out else Path(arguments.folders[0]) / "report.html"
    write_report(arguments.folders, out, make_judge(arguments.judge, settings_from(arguments)), progress)
    return Result(f"report: {out.resolve()}", {"report": str(out.resolve())})
