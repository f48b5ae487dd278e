"""One action of ``vantage scene``, run as the command line runs it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from vantage.cli.main import Result
from vantage.errors import UsageError


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(message)


def run_action(add_parser: Callable[[Any], None], *words: str) -> Result:
    parser = _Parser(prog="vantage scene")
    add_parser(parser.add_subparsers(dest="action", required=True, parser_class=_Parser))
    arguments = parser.parse_args(list(words))
    result: Result = arguments.run(arguments)
    return result
