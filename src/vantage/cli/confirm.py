"""``vantage confirm``: shows which corrected questions wait in a running graph, and takes a person's yes or no."""

from __future__ import annotations

import argparse
import math
from functools import partial
from typing import Any

from vantage.cli.main import Result, common_options, progress
from vantage.untrusted_text import visible

_REST = 1.5  # s in which every correction that waits is said once more


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "confirm", parents=[common_options()], help="say yes or no to corrected questions of a running graph"
    )
    parser.add_argument(
        "--wait", type=_seconds, default=5.0, metavar="S", help="for a correction to come, s (default %(default)g)"
    )
    said = parser.add_mutually_exclusive_group()
    said.add_argument("--yes", dest="say", action="store_const", const=True, help="to all, without asking")
    said.add_argument("--no", dest="say", action="store_const", const=False, help="to all, without asking")
    said.add_argument("--show", action="store_true", help="what waits, and say nothing to it")
    parser.set_defaults(run=run, say=None)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.doctor import require_ros
    from vantage.runs import Terminal

    require_ros()
    from vantage.nodes.qa import open_confirm_client

    rows: list[dict[str, Any]] = []
    terminal = Terminal() if arguments.say is None and not arguments.show else None
    with open_confirm_client() as client:
        met: list[Any] = []
        while (item := client.next(min(_REST, arguments.wait) if met else arguments.wait, met)) is not None:
            met.append(item)
            progress(f"question {item.question.question_id}: {item.question.text}", f"  {item.answer.text}")
            said = arguments.say
            if terminal is not None:
                waits = f"  {item.source} waits for {item.time_left:.0f} s [y/n] "
                said = terminal.ask(waits, item.time_left, partial(client.is_over, item))
            rows.append(_row(client, item, said))
    text = "\n".join(visible(row["words"]) for row in rows) or f"no correction waited within {arguments.wait:g} s"
    return Result(text, {"corrections": rows}, done=all(row["said"] != "nothing" for row in rows) or arguments.show)


def _row(client: Any, item: Any, said: bool | None) -> dict[str, Any]:
    """What was said to a correction and what came of it."""
    from vantage.answering.symbolic import meant
    from vantage.errors import WorldError

    row = {
        "episode_id": item.episode_id,
        "question_id": item.question.question_id,
        "question": item.question.text,
        "corrected_question": item.answer.noise.corrected_question,
        "false_claim": item.answer.noise.false_claim,
        "correction": item.answer.noise.correction,
        "source": item.source,
        "time_left": round(item.time_left, 1),
        "said": "nothing" if said is None else "yes" if said else "no",
        "answer": "",
        "words": f"question {item.question.question_id}: {meant(item.answer.noise)} waits for a word",
    }
    if said is None:
        return row
    try:
        row["answer"] = client.confirm(item, said).text
        row["words"] = f"question {item.question.question_id}: {'yes' if said else 'no'}: {row['answer']}"
    except WorldError as error:
        row["said"], row["words"] = "nothing", f"question {item.question.question_id}: too late: {error}"
    return row


def _seconds(text: str) -> float:
    """An argument type: seconds, finite and not negative."""
    try:
        value = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, got '{text[:40]}'") from error
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"must be finite and not negative, got {text}")
    return value
