"""``vantage view``: scenes, bags and runs in the browser."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, settings_options

if TYPE_CHECKING:
    from vantage.web import Viewer


def add_parser(subparsers: Any) -> None:
    options = [common_options(), settings_options()]
    parser = subparsers.add_parser("view", parents=options, help="look at scenes, bags and runs in the browser")
    parser.add_argument(
        "path", metavar="SCENE|BAG|RUNS", help="a scene or a folder of scenes, a bag, or a folder of bags"
    )
    parser.add_argument("--compare", metavar="RUNS", help="a second run beside the first")
    parser.add_argument("--scenes", metavar="DIR", help="the scenes that the bags are of, to render them")
    parser.add_argument(
        "--world", choices=("splat", "house"), help="what is drawn (default: of a bag its own, of a scene its cloud)"
    )
    parser.add_argument("--no-truth", action="store_true", help="show no gold data, marks and judge's reasons")
    parser.add_argument(
        "--host", default="127.0.0.1", help="serve at this address (default %(default)s, this machine alone)"
    )
    parser.add_argument("--port", type=at_least(0), default=0, help="serve at this port (default: a free one)")
    parser.add_argument(
        "--memory", type=at_least(1), default=1024, metavar="MIB", help="for scenes (default %(default)s)"
    )
    parser.add_argument("--check", action="store_true", help="open every page in Chromium, say what was found, and end")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.cli.serving import serving
    from vantage.cli.settings import settings_from
    from vantage.signals import terminable
    from vantage.splats.rendering import Renderer, make_renderer
    from vantage.web import Viewer, Wish

    settings = settings_from(arguments)
    world = settings.world
    wish = Wish(
        Path(arguments.path),
        Path(arguments.compare) if arguments.compare else None,
        Path(arguments.scenes) if arguments.scenes else None,
        not arguments.no_truth,
        arguments.host,
        arguments.port,
        arguments.memory << 20,
        world=arguments.world or "",
    )

    def renderer() -> Renderer:
        return make_renderer(world.renderer, world.threads)

    with ExitStack() as stack:
        stack.enter_context(terminable())
        viewer = stack.enter_context(Viewer(wish, renderer, settings))
        if arguments.check:
            return _checked(viewer)
        address = viewer.address()
        return serving(stack.pop_all(), viewer.server, [f"open {address}"], {"address": address})


def _checked(viewer: Viewer) -> Result:
    from vantage.web import check_pages

    found = check_pages(viewer)
    text = ", ".join(f"{name} {value}" for name, value in found.items())
    good = not found["console_errors"] and not found["requests_elsewhere"] and found["pictures_equal"]
    return Result(text, found, done=bool(good))
