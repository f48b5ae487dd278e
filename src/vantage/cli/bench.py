"""``vantage bench``: performance, each figure against a named reference in the same run."""

from __future__ import annotations

import argparse
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vantage.cli import bench_faults, bench_qa, bench_rig
from vantage.cli.main import Result, at_least, common_options, progress, settings_options

_SEED = 1
_PAUSE = 300.0  # ms from which a step counts as paused


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
    search = actions.add_parser(
        "search",
        parents=[common_options(), settings_options()],
        help="steps a second of the search agent in several processes, bags included, against a random walk",
    )
    search.add_argument("--episodes", metavar="DIR", help="an episode set (default: one made for 512 x 512 pixels)")
    search.add_argument("--workers", type=at_least(1), default=2, help="processes (default %(default)s)")
    search.set_defaults(run=run_search)
    observe = actions.add_parser(
        "observe",
        parents=[common_options(), settings_options()],
        help="taking a view into the observed scene, against a plain NumPy perceiver",
    )
    observe.add_argument("--scene", metavar="DIR", help="a scene folder with a start (default: a generated room)")
    observe.add_argument("--views", type=at_least(2), default=96, help="of one walk (default %(default)s)")
    observe.add_argument("--repetitions", type=int, default=3, help="walks (default %(default)s)")
    observe.add_argument(
        "--perceivers", metavar="NAMES", default="privileged,degraded", help="with commas (default %(default)s)"
    )
    observe.add_argument("--errors", action="store_true", help="compare what was observed with the true scene too")
    observe.set_defaults(run=run_observe)
    printed = actions.add_parser(
        "print", parents=[common_options()], help="whether print in generated homes is read from 0.5 m and not from 3 m"
    )
    printed.add_argument("--views", type=at_least(1), default=200, help="from each distance (default %(default)s)")
    printed.add_argument("--seed", type=at_least(0), default=0, help="of the first home (default %(default)s)")
    printed.set_defaults(run=run_print)
    render = actions.add_parser(
        "render",
        parents=[common_options(), settings_options()],
        help="rendering, against gsplat's torch reference and a plain NumPy renderer",
    )
    render.add_argument("--repetitions", type=at_least(1), default=48, help="frames per case (default %(default)s)")
    render.add_argument("--quick", action="store_true", help="tiny clouds and pictures, without bounds: does it run?")
    render.set_defaults(run=run_render)
    bench_faults.add_parser(actions)
    bench_qa.add_parser(actions)
    bench_rig.add_parser(actions)


def run_print(arguments: argparse.Namespace) -> Result:
    from vantage.bench.text_legibility import bench_print

    data = bench_print(arguments.views, arguments.seed)
    bounds = data["bounds"]
    lines = [
        f"print read from {data['near_m']:g} m in {data['legible_near']:.1%} of {data['views']} views (at least "
        f"{bounds['legible_near']:.0%}), from {data['far_m']:g} m in {data['legible_far']:.1%} (at most "
        f"{bounds['legible_far']:.0%}): {'met' if data['met'] else 'NOT MET'}",
        *(f"  {miss['thing']}: '{miss['text']}' read as '{miss['read']}'" for miss in data["misread"]),
    ]
    return Result("\n".join(lines), data)


def run_observe(arguments: argparse.Namespace) -> Result:
    from vantage.bench.observe import bench_observe, table
    from vantage.cli.plain import plain

    with _prepared(arguments) as (folder, settings):
        names = tuple(arguments.perceivers.split(","))
        data = plain(bench_observe(folder, settings, arguments.views, arguments.repetitions, names, arguments.errors))
    return Result("\n".join(table(data)), data)


def run_search(arguments: argparse.Namespace) -> Result:
    from dataclasses import replace

    from vantage.bench.search import bench_search
    from vantage.benchmarks.search.benchmark import SearchBenchmark
    from vantage.cli.settings import settings_from

    settings = settings_from(arguments)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        episodes = Path(arguments.episodes) if arguments.episodes else Path(temporary) / "set"
        if not arguments.episodes:
            progress("making homes and questions")
            camera = replace(settings.camera, width=512, height=512)
            settings = replace(settings, camera=camera)
            SearchBenchmark().make(episodes, scenes=2, episodes=12, noisy=0, seed=_SEED, settings=settings)
        data = bench_search(episodes, settings, workers=arguments.workers)
    lines = [
        f"{name:12} {figures['steps_per_second']:8.1f} steps/s   "
        f"{figures['steps']:.0f} steps in {figures['seconds']:.1f} s"
        for name, figures in data["agents"].items()
    ]
    return Result("\n".join(lines), data)


def run_render(arguments: argparse.Namespace) -> Result:
    from vantage.bench.render import FULL, QUICK, bench_render, table
    from vantage.cli.plain import plain
    from vantage.cli.settings import settings_from

    settings = settings_from(arguments)
    plan = QUICK if arguments.quick else FULL
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        data = plain(bench_render(Path(folder), settings, plan, arguments.repetitions, progress))
    return Result("\n".join(table(data)), data)


def run_step(arguments: argparse.Namespace) -> Result:
    from vantage.bench.step import bench_step

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
    from vantage.nodes.bench.transport import bench_transport

    with _prepared(arguments) as (folder, settings):
        found = bench_transport(folder, settings, arguments.repetitions)
    over_ros, local, bare, many, added = found.over_ros, found.local, found.bare, found.many_threads, found.added
    pauses = sum(time > _PAUSE for time in over_ros.milliseconds)
    lines = [
        *map(_line, (bare, many, local, over_ros, added)),
        f"executor {found.executor}; {pauses} steps paused for more than {_PAUSE:.0f} ms",
    ]
    data = {
        "size": [settings.camera.width, settings.camera.height],
        "executor": found.executor,
        "reference": bare.data(),
        "many_threads": many.data(),
        "in_process": local.data(),
        "over_ros": over_ros.data(bare),
        "added_median_ms": round(added.median_ms, 4),
        "added_p95_ms": round(added.p95_ms, 4),
        "pauses": pauses,
        **over_ros.data(bare),
    }
    return Result("\n".join(lines), data)


def _line(times: Any) -> str:
    figures = f"median {times.median_ms:8.3f} ms   p95 {times.p95_ms:8.3f} ms   max {times.max_ms:8.3f} ms"
    return f"{times.name:38} {figures}   n {len(times.milliseconds)}"


@contextmanager
def _prepared(arguments: argparse.Namespace) -> Any:
    """The scene to measure in, generated where none is given, and settings that point at it."""
    from dataclasses import replace

    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.splats.synthesis.from_spec import make_scene

    if arguments.repetitions < 2:
        raise UsageError(f"--repetitions must be at least 2, got {arguments.repetitions}")
    settings = settings_from(arguments)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(arguments.scene) if arguments.scene else Path(temporary) / "room"
        if not arguments.scene:
            progress(f"generating a room from seed {_SEED}")
            make_scene(_SEED, folder, "room")
        yield folder, replace(settings, world=replace(settings.world, scenes=str(folder)))
