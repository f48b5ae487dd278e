"""``vantage warrant``: shows what the arm of a running world may do, and grants a person's permission."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.errors import UsageError
from vantage.untrusted_text import visible
from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.nodes.world import Granted
    from vantage.worlds import Warrant

_KINDS = ("pick", "put", "open", "close", "switch", "move")
_A_DAY = 86_400.0  # s
_ANSWER = 60.0  # s for a person to say yes


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("warrant", help="what the arm of a running world may do, and permission for more")
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True, parser_class=type(parser))
    show = actions.add_parser("show", parents=[common_options()], help="the warrants that may still be used")
    issue = actions.add_parser(
        "issue", parents=[common_options(), settings_options()], help="permit something in the running episode"
    )
    issue.add_argument(
        "--kind", action="append", required=True, choices=_KINDS, help="what may be done; may be given several times"
    )
    issue.add_argument(
        "--object", action="append", required=True, metavar="NAME", help="what may be touched, such as mug_59 or mug"
    )
    issue.add_argument(
        "--seconds", type=_seconds, default=60.0, metavar="S", help="on the world's clock (default %(default)g)"
    )
    issue.add_argument("--commands", type=at_least(1), default=20, help="of the arm, at most (default %(default)s)")
    issue.add_argument("--source", help="of commands (default: who commands the episode, or planner)")
    issue.add_argument("--yes", action="store_true", help="without asking")
    for one, run in ((show, run_show), (issue, run_issue)):
        one.add_argument(
            "--wait", type=_seconds, default=10.0, metavar="S", help="for the world to answer, s (default %(default)g)"
        )
        one.set_defaults(run=run)


def run_show(arguments: argparse.Namespace) -> Result:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.world import open_warrant_client

    with open_warrant_client(arguments.wait) as client:
        granted = client.granted()
    rows = [_row(warrant, left, granted.now) for warrant, left in granted.warrants]
    lines = [_place(granted), *(_line(row) for row in rows)]
    if not rows:
        lines.append("no warrant: its arm does nothing" if granted.has_arm else "it has no arm, and takes no warrants")
    data = {"episode_id": granted.episode_id, "source": granted.holder, "has_arm": granted.has_arm, "warrants": rows}
    return Result("\n".join(map(visible, lines)), data)


def run_issue(arguments: argparse.Namespace) -> Result:
    from vantage.cli.doctor import require_ros
    from vantage.cli.settings import settings_from

    robot_name = settings_from(arguments).control.robot
    require_ros()
    from vantage.nodes.world import open_warrant_client
    from vantage.planning.guard import grant_of_person, read_robot
    from vantage.recording import SOURCE

    robot = read_robot(robot_name)
    with open_warrant_client(arguments.wait) as client:
        granted = client.granted()
        if not granted.has_arm:
            raise UsageError("this world has no arm that a warrant could let do anything")
        if not granted.episode_id:
            raise UsageError("no episode is running, and a warrant is for one; start it first")
        warrant = grant_of_person(
            robot,
            tuple(dict.fromkeys(arguments.kind)),
            tuple(dict.fromkeys(arguments.object)),
            episode_id=granted.episode_id,
            source=arguments.source or granted.holder or SOURCE,
            issued=granted.now,
            seconds=arguments.seconds,
            commands=arguments.commands,
        )
        row = _row(warrant, warrant.commands, granted.now)
        progress(visible(_place(granted)), visible(_line(row)))
        if not arguments.yes:
            _ask()
        client.grant(warrant, granted.session)
    return Result(visible(f"granted: {_line(row)}"), {"warrant": row})


def _ask() -> None:
    """
    Raises:
        UsageError: nobody is there, or the answer is no.
    """
    from vantage.runs import Terminal, at_terminal

    if not at_terminal():
        raise UsageError("nobody can be asked whether that may be done; give --yes")
    if not Terminal().ask("May that be done? [y/n] ", _ANSWER):
        raise UsageError("not confirmed, so nothing was granted")


def _place(granted: Granted) -> str:
    episode = f"episode {granted.episode_id}" if granted.episode_id else "no episode"
    return f"{episode}, commanded by {granted.holder or 'nobody yet'}"


def _row(warrant: Warrant, left: int, now: int) -> dict[str, Any]:
    return {
        "identity": warrant.identity,
        "issuer": warrant.issuer,
        "source": warrant.source,
        "goal": warrant.goal,
        "manipulations": sorted(warrant.manipulations),
        "objects": sorted(warrant.objects),
        "commands": warrant.commands,
        "left": left,
        "expires": warrant.expires / 1e9,
        "seconds_left": (warrant.expires - now) / 1e9,
    }


def _line(row: dict[str, Any]) -> str:
    things = ", ".join(row["objects"]) or "all things"
    return (
        f"{row['issuer']} for {row['source']}: {', '.join(row['manipulations'])} of {things}; {row['left']} of "
        f"{row['commands']} commands and {row['seconds_left']:.1f} s left; goal: {row['goal']}"
    )


def _seconds(text: str) -> float:
    from math import isfinite

    try:
        value = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, got {shown(text)}") from error
    if not isfinite(value) or not 0 < value <= _A_DAY:
        raise argparse.ArgumentTypeError(f"must be more than 0 and at most {_A_DAY:g} s, got {shown(text)}")
    return value
