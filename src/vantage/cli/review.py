"""``vantage review``: people accept, edit or reject the items of a set in the browser."""

from __future__ import annotations

import argparse
from contextlib import ExitStack, suppress
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "review",
        parents=[common_options()],
        help="have people accept, edit or reject what a set asks, in the browser",
        description="Serves pages until Ctrl-C, and prints an address for each reviewer and one for who leads. "
        "Reviewers do not see one another. Every judgement is in the file before the page goes on.",
    )
    parser.add_argument("folder", metavar="DIR", help="an episode set")
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="for the judgements; one that is there is taken up again"
    )
    parser.add_argument("--reviewers", type=at_least(1), default=1, metavar="N", help="people who judge (%(default)s)")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve at (%(default)s); others see all traffic")
    parser.add_argument("--port", type=at_least(0), default=0, help="port to serve at (default: one that is free)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.signals import terminable
    from vantage.web import require_web

    require_web()
    from vantage.web.review import LEAD, ReviewSession, review_server

    stack = ExitStack()
    try:
        session = stack.enter_context(ReviewSession(arguments.folder, arguments.out, arguments.reviewers))
        server = review_server(session, host=arguments.host, port=arguments.port)
        stack.callback(server.stop)
        server.start()
        addresses = {name: server.address(name) for name in (*session.reviewers, LEAD)}
    except BaseException:
        stack.close()
        raise
    if server.is_open_to_others:
        progress(
            f"others can reach {arguments.host}, and nothing is encrypted: whoever listens can judge as a reviewer"
        )

    def serve() -> None:
        with stack, suppress(KeyboardInterrupt), terminable():
            server.wait()

    told = [f"{name}: {address}" for name, address in addresses.items()]
    data = {
        "addresses": addresses,
        "set": str(session.episode_set.folder),
        session.review.items: len(session.keys),
        "out": str(arguments.out),
        "disagreements": session.disagreements(),
    }
    lines = [f"{len(session.keys)} {session.review.items}; judgements go to {arguments.out}; Ctrl-C ends", *told]
    return Result("\n".join(lines), data, then=serve)
