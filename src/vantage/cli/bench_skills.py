"""``vantage bench skills``: opening, picking, putting back and weighing in generated homes of the house world."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

_SKILLS = "drawers,doors,lids,pick_assisted,pick_friction,put_back,weigh"


def add_skills_parser(actions: Any) -> None:
    """Add the command."""
    parser = actions.add_parser(
        "skills",
        parents=[common_options(), settings_options()],
        help="what share of drawers, doors and lids are opened, and of things picked, put back and weighed",
    )
    parser.add_argument("--homes", type=at_least(1), default=20, help="generated ones (default %(default)s)")
    parser.add_argument("--seed", type=at_least(0), default=90_000, help="of the first home (default %(default)s)")
    parser.add_argument("--rooms", type=at_least(1), default=3, help="of each home (default %(default)s)")
    parser.add_argument(
        "--per-home", type=at_least(1), default=3, help="trials of each skill in a home, at most (default %(default)s)"
    )
    parser.add_argument(
        "--skills", metavar="NAMES", default=_SKILLS, help="with commas, none for none (default %(default)s)"
    )
    parser.add_argument(
        "--random-actions",
        type=at_least(0),
        default=0,
        metavar="N",
        help="take so many random actions in each home, too, and look for what falls through the floor (default 0)",
    )
    parser.add_argument("--workers", type=at_least(1), default=2, help="processes (default %(default)s)")
    parser.set_defaults(run=run_skills)


def run_skills(arguments: argparse.Namespace) -> Result:
    """Run it."""
    from vantage.bench import bench_skills, skills_table
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError

    names = [name.strip() for name in arguments.skills.split(",") if name.strip() not in ("", "none")]
    known = _SKILLS.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"there is no skill '{unknown[0]}' to try; --skills takes {_SKILLS}")
    if not names and not arguments.random_actions:
        raise UsageError("nothing is to be tried; name skills with --skills, or give --random-actions")
    data = bench_skills(
        settings_from(arguments),
        arguments.homes,
        arguments.seed,
        arguments.per_home,
        arguments.rooms,
        arguments.workers,
        names,
        arguments.random_actions,
        progress,
    )
    return Result("\n".join(skills_table(data)), data)
