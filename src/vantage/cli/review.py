"""``vantage review``: people accept, edit or reject the items of a set in the browser."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from typing import Any

from vantage.cli.main import Result, at_least, common_options


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "review",
        parents=[common_options()],
        help="have people accept, edit or reject what a set asks, in the browser",
        description="Serves pages until Ctrl-C, and prints an address for each reviewer and one for who leads. "
        "Reviewers do not see one another. Every judgement is in the file before the page goes on.",
    )
    parser.add_argument("folder", metavar="DIR", help="an episode set, or with --marks a folder of bags")
    parser.add_argument(
        "--marks",
        action="store_true",
        help="have people give recorded answers marks of 1 to 5, not knowing whose they are",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="for the judgements; one that is there is taken up again"
    )
    parser.add_argument("--reviewers", type=at_least(1), default=1, metavar="N", help="people who judge (%(default)s)")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve at (%(default)s); others see all traffic")
    parser.add_argument("--port", type=at_least(0), default=0, help="port to serve at (default: one that is free)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.serving import serving
    from vantage.signals import terminable
    from vantage.web import require_web

    require_web()
    if arguments.marks:
        return _marks(arguments)
    from vantage.web.review import LEAD, ReviewSession, review_server

    with ExitStack() as stack:
        stack.enter_context(terminable())
        session = stack.enter_context(ReviewSession(arguments.folder, arguments.out, arguments.reviewers))
        server = stack.enter_context(review_server(session, host=arguments.host, port=arguments.port))
        addresses = {name: server.address(name) for name in (*session.reviewers, LEAD)}
        data = {
            "addresses": addresses,
            "set": str(session.episode_set.folder),
            session.review.items: len(session.keys),
            "out": str(arguments.out),
            "disagreements": session.disagreements(),
        }
        told = [f"{len(session.keys)} {session.review.items}; judgements go to {arguments.out}"]
        told += [f"{name}: {address}" for name, address in addresses.items()]
        return serving(stack.pop_all(), server, told, data)


def _marks(arguments: argparse.Namespace) -> Result:
    from vantage.cli.serving import serving
    from vantage.reports import MarkFile, answers_to_mark
    from vantage.signals import terminable
    from vantage.web.review import mark_server, reviewer_names

    names = reviewer_names(arguments.reviewers)
    with ExitStack() as stack:
        stack.enter_context(terminable())
        answers = answers_to_mark(arguments.folder)
        file = stack.enter_context(MarkFile(arguments.out, answers, names))
        server = stack.enter_context(mark_server(answers, file, names, host=arguments.host, port=arguments.port))
        addresses = {name: server.address(name) for name in names}
        data = {"addresses": addresses, "answers": len(answers), "out": str(arguments.out)}
        told = [f"{len(answers)} answers; marks go to {arguments.out}"]
        told += [f"{name}: {address}" for name, address in addresses.items()]
        return serving(stack.pop_all(), server, told, data)
