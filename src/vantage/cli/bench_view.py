"""``vantage bench view``: a scene's page in Chromium."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, settings_options


def add_view_parser(actions: Any) -> None:
    options = [common_options(), settings_options()]
    about = "a scene's page in Chromium, against the bare renderer in the same run"
    parser = actions.add_parser("view", parents=options, help=about)
    parser.add_argument("scene", metavar="SCENE", help="such as a home of 'vantage scene make'")
    parser.add_argument("--seconds", type=at_least(1), default=6, help="of each orbit (default %(default)s)")
    parser.add_argument("--presses", type=at_least(1), default=30, help="of a key (default %(default)s)")
    parser.set_defaults(run=run_view)


def run_view(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_view
    from vantage.cli.settings import settings_from
    from vantage.splats.rendering import make_renderer

    world = settings_from(arguments).world
    data = bench_view(
        Path(arguments.scene),
        lambda: make_renderer(world.renderer, world.threads),
        float(arguments.seconds),
        arguments.presses,
    )
    each = " and ".join(f"{fps:.1f}" for fps in data["orbit_fps_each_of_two"])
    lines = [
        f"first picture {data['first_picture_s']:.2f} s; key to picture median {data['input']['median_ms']:.0f} ms, "
        f"p95 {data['input']['p95_ms']:.0f} ms",
        f"orbit {data['orbit_fps']:.1f} frames/s alone, {each} of two viewers; bare renderer {data['bare_fps']:.1f}",
        f"bounds: {'met' if data['met'] else 'NOT MET'}",
    ]
    return Result("\n".join(lines), data)
