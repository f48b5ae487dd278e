"""``vantage rig compare``: what the rig saw beside what its room's splat model shows from the same places."""

from __future__ import annotations

import argparse
from typing import Any

from vantage.cli.main import Result, common_options, settings_options


def add_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "compare",
        parents=[common_options(), settings_options()],
        help="compare a bag of the rig with the splat model of its room",
    )
    parser.add_argument("bag", metavar="BAG", help="recorded on the rig")
    parser.add_argument("--scene", required=True, metavar="SCENE", help="the model, in the rig's world frame")
    parser.add_argument("--simulated", metavar="BAG", help="the same episode, flown in the model")
    parser.add_argument("--out", metavar="FILE", default="sim-to-real.html", help="the page (default %(default)s)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.rig_moving import writable
    from vantage.cli.settings import settings_from
    from vantage.reports.sim_to_real import compare
    from vantage.reports.sim_to_real_page import write_comparison

    page = writable(arguments.out)
    comparison = compare(arguments.bag, arguments.scene, settings_from(arguments), arguments.simulated)
    write_comparison(comparison, page)
    return Result(
        "\n".join([*comparison.lines(), f"page: {arguments.out}"]), {**comparison.data(), "page": arguments.out}
    )
