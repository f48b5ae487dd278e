"""The command ``vantage``: one module per subcommand, one way to print and to fail."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import vantage
from vantage.errors import UsageError, VantageError
from vantage.files import cannot_write, is_full
from vantage.signals import Terminated
from vantage.untrusted_text import say
from vantage.wording import shown

_NEGATIVE = re.compile(r"-[.\d]")
_NEGATIVE_NUMBER = re.compile(r"^-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")

COMMANDS = (
    "doctor",
    "scene",
    "episodes",
    "run",
    "up",
    "confirm",
    "warrant",
    "play",
    "score",
    "review",
    "agree",
    "panel",
    "calibrate",
    "report",
    "view",
    "rig",
    "train",
    "bench",
)


@dataclass
class Result:
    """What a command has to say: text for people, data for scripts.

    Attributes:
        data: the JSON object without its ``schema``, which names the command.
        done: false makes the exit status 1.
        then: what is done after that was printed, such as serving pages until a signal comes.
    """

    text: str
    data: dict[str, Any] = field(default_factory=dict)
    done: bool = True
    then: Callable[[], None] | None = None


class _Parser(argparse.ArgumentParser):
    """Fails with one sentence, and takes ``--from -1,0,2`` as well as ``--from=-1,0,2``.

    Attributes:
        deferred: adds the arguments, just before words are parsed; for those that are costly to find out.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.deferred: Callable[[], None] | None = None
        self._negative_number_matcher = _NEGATIVE_NUMBER  # argparse's own knows no exponents

    def complete(self) -> None:
        """Add the deferred arguments, of subcommands too."""
        self._add_deferred()
        for action in self._actions:
            for inner in action.choices.values() if isinstance(action.choices, dict) else ():
                if isinstance(inner, _Parser):
                    inner.complete()

    def _add_deferred(self) -> None:
        add, self.deferred = self.deferred, None
        if add is not None:
            add()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self._add_deferred()
        words = _with_values(sys.argv[1:] if args is None else args, self._takes_value)
        return super().parse_known_args(words, namespace)

    def _takes_value(self, word: str) -> bool:
        """Whether a word is an option with a value, or short for one."""
        options = self._option_string_actions
        meant = [word] if word in options else [name for name in options if word[2:] and name.startswith(word)]
        return word.startswith("--") and any(options[name].nargs != 0 for name in meant)

    def error(self, message: str) -> Any:
        raise UsageError(f"{message}; see '{self.prog} --help'")


def _with_values(words: Sequence[str], takes_value: Callable[[str], bool]) -> list[str]:
    """Options that take a value, joined with a negative number or vector after them, which argparse would take for an
    option."""
    joined: list[str] = []
    for at, word in enumerate(words):
        if word == "--":
            return [*joined, *words[at:]]
        if joined and _NEGATIVE.match(word) and takes_value(joined[-1]):
            joined[-1] = f"{joined[-1]}={word}"
        else:
            joined.append(word)
    return joined


def common_options() -> argparse.ArgumentParser:
    """Options that every command takes."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--json", action="store_true", help="print one JSON object and nothing else to stdout")
    return options


def settings_options(usual: str = "config/vantage.yaml") -> argparse.ArgumentParser:
    """Options of the commands that read settings; ``usual`` says which parameter file is read where none is given."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--config", metavar="FILE", help=f"ROS parameter file (default: {usual})")
    options.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="override a setting, e.g. camera.width=320"
    )
    return options


def at_least(low: int) -> Callable[[str], int]:
    """An argument type: whole numbers from ``low`` on."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"must be a whole number, got {shown(text)}") from error
        if value < low:
            raise argparse.ArgumentTypeError(f"must be at least {low}, got {value}")
        return value

    return number


def progress(*lines: str) -> None:
    """Lines for the person who waits; never on stdout, which belongs to the result."""
    say(*lines)


def build_parser(complete: bool = False) -> argparse.ArgumentParser:
    """The parser with all subcommands.

    Args:
        complete: also with the arguments that are otherwise added when their subcommand is used.
    """
    parser = _Parser(prog="vantage", description="Embodied visual search and question answering.")
    parser.add_argument("--version", action="version", version=f"vantage {vantage.__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for name in COMMANDS:
        importlib.import_module(f"vantage.cli.{name}").add_parser(subparsers)
    if complete:
        parser.complete()
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0 done, 1 failed, 2 wrong usage, 130 or 143 ended by a signal."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except VantageError as error:
        _report_failure(str(error), words)
        return 2 if isinstance(error, UsageError) else 1
    except BrokenPipeError:  # whoever read our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = error.filename or "a file"
        told = f"{where}: {error.strerror or error}; check the path and its permissions"
        _report_failure(cannot_write(Path(where), error, "choose another folder") if is_full(error) else told, words)
        return 1
    except KeyboardInterrupt as end:
        _report_failure("interrupted", words)
        return end.status if isinstance(end, Terminated) else 130


def _run(words: list[str]) -> int:
    parsed = build_parser().parse_args(words)
    result: Result = parsed.run(parsed)
    if parsed.json:
        schema = "vantage." + ".".join(filter(None, (parsed.command, getattr(parsed, "action", None))))
        print(json.dumps({**result.data, "schema": f"{schema}/1", "ok": result.done}, allow_nan=False), flush=True)
    elif result.text:
        say(*result.text.split("\n"), stream=sys.stdout)
    if result.then is not None:
        sys.stdout.flush()
        result.then()
    return 0 if result.done else 1


def _report_failure(sentence: str, words: list[str]) -> None:
    say(f"vantage: {sentence}")
    if "--json" in words:
        print(json.dumps({"schema": "vantage.error/1", "ok": False, "error": sentence}))


if __name__ == "__main__":
    sys.exit(main())
