"""``vantage bench``: performance, each figure against a named reference in the same run."""

from __future__ import annotations

import argparse
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

_SEED = 1


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("bench", help="measure speed against a named reference")
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True, parser_class=type(parser))
    for name, run, words in (
        ("step", run_step, "a step in process, against the bare renderer"),
        ("transport", run_transport, "a step over ROS, against a bare publisher and subscriber"),
    ):
        bench = actions.add_parser(name, parents=[common_options(), settings_options()], help=words)
        bench.add_argument("--scene", metavar="DIR", help="a scene folder with a start (default: a generated room)")
        bench.add_argument("--repetitions", type=int, default=100, help="default %(default)s")
        bench.set_defaults(run=run)
    render = actions.add_parser(
        "render",
        parents=[common_options(), settings_options()],
        help="rendering, against gsplat's torch reference and a plain NumPy renderer",
    )
    render.add_argument("--repetitions", type=at_least(1), default=48, help="frames per case (default %(default)s)")
    render.add_argument("--quick", action="store_true", help="tiny clouds and pictures, without bounds: does it run?")
    render.set_defaults(run=run_render)


def run_render(arguments: argparse.Namespace) -> Result:
    from vantage.cli.plain import plain
    from vantage.cli.settings import settings_from
    from vantage.runs.bench_render import FULL, QUICK, bench_render
    from vantage.runs.bench_table import table

    settings = settings_from(arguments)
    plan = QUICK if arguments.quick else FULL
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        data = plain(bench_render(Path(folder), settings, plan, arguments.repetitions, progress))
    return Result("\n".join(table(data)), data)


def run_step(arguments: argparse.Namespace) -> Result:
    from vantage.runs.bench_step import bench_step

    with _prepared(arguments) as (folder, settings):
        bare, whole, alone = bench_step(folder, settings, arguments.repetitions)
    lines = [_line(alone), _line(bare), _line(whole)]
    data = {
        "size": [settings.camera.width, settings.camera.height],
        "reference": alone.data(),
        "without_rendering": bare.data(alone),
        "with_rendering": whole.data(alone),
        **bare.data(alone),
    }
    return Result("\n".join(lines), data)


def run_transport(arguments: argparse.Namespace) -> Result:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.bench_transport import bench_transport

    with _prepared(arguments) as (folder, settings):
        over_ros, local, bare = bench_transport(folder, settings, arguments.repetitions)
    added = over_ros.median_ms - local.median_ms
    lines = [_line(bare), _line(local), _line(over_ros), f"{'ROS adds':38} median {added:8.3f} ms"]
    data = {
        "size": [settings.camera.width, settings.camera.height],
        "reference": bare.data(),
        "in_process": local.data(),
        "over_ros": over_ros.data(bare),
        "added_median_ms": round(added, 4),
        **over_ros.data(bare),
    }
    return Result("\n".join(lines), data)


def _line(times: Any) -> str:
    return (
        f"{times.name:38} median {times.median_ms:8.3f} ms   p95 {times.p95_ms:8.3f} ms   n {len(times.milliseconds)}"
    )


@contextmanager
def _prepared(arguments: argparse.Namespace) -> Any:
    """The scene to measure in, generated where none is given, and settings that point at it."""
    from dataclasses import replace

    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.splats.painting.from_spec import make_scene

    if arguments.repetitions < 2:
        raise UsageError(f"--repetitions must be at least 2, got {arguments.repetitions}")
    settings = settings_from(arguments)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(arguments.scene) if arguments.scene else Path(temporary) / "room"
        if not arguments.scene:
            progress(f"generating a room from seed {_SEED}")
            make_scene(_SEED, folder, "room")
        yield folder, replace(settings, world=replace(settings.world, scenes=str(folder)))
