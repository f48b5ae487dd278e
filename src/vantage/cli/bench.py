"""``vantage bench``: performance, each figure against a named reference in the same run."""

from __future__ import annotations

import argparse
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vantage.cli import (
    bench_faults,
    bench_guard,
    bench_house,
    bench_plans,
    bench_rig,
    bench_sets,
    bench_skills,
    bench_view,
)
from vantage.cli.main import Result, at_least, common_options, progress, settings_options

QA_PARTS = ("service", "engine", "memory")
_ROOMS = 3  # of the home that is asked about
_AT_ONCE = 50
_DAY_SIZE = (160, 120)  # pixels of the views of the day


def add_qa_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "qa",
        parents=[common_options(), settings_options()],
        help="a question over ROS, against a bare service; fifty at once; the memory of a day of views",
    )
    parser.add_argument("--scene", metavar="DIR", help="a generated scene (default: a home of three rooms)")
    parser.add_argument("--views", type=at_least(2), default=200, help="remembered (default %(default)s)")
    parser.add_argument("--repetitions", type=at_least(2), default=200, help="questions (default %(default)s)")
    parser.add_argument("--rounds", type=at_least(1), default=10, help="of fifty at once (default %(default)s)")
    parser.add_argument("--hours", type=float, default=24.0, help="of the day (default %(default)g)")
    parser.add_argument(
        "--sample",
        type=at_least(1),
        default=20,
        help="of so many frames of the day, one is shown (default %(default)s)",
    )
    parser.add_argument(
        "--soak",
        type=at_least(1),
        metavar="MINUTES",
        help="instead of all that: episodes through a qa_node of its own for so long, and how its memory grows",
    )
    parser.add_argument("--only", choices=QA_PARTS, nargs="+", default=list(QA_PARTS), help="parts of the bench")
    parser.set_defaults(run=run_qa)


def run_qa(arguments: argparse.Namespace) -> Result:
    from dataclasses import replace

    from vantage.bench import BOUND_MS, bench_engine, bench_views
    from vantage.cli.doctor import require_ros
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.splats.synthesis import make_scene

    require_ros()
    if not 0.0 < arguments.hours <= 1000.0:
        raise UsageError(f"--hours must be above 0 and at most 1000, got {arguments.hours:g}")
    settings, data = settings_from(arguments), dict[str, Any]()
    parts = () if arguments.soak else tuple(arguments.only)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(arguments.scene) if arguments.scene else Path(temporary) / "home"
        if not arguments.scene:
            progress(f"generating a home from seed {_SEED}")
            make_scene(_SEED, folder, "home", rooms=_ROOMS)
        if {"service", "engine"} & set(parts):
            progress(f"looking around {arguments.views} times")
            views, texts = bench_views(folder, settings, arguments.views)
            data |= {"views": len(views), "questions": len(texts), "perception": settings.agent.perception}
        if "engine" in parts:
            progress("asking in process")
            data["engine"] = bench_engine(settings, views, texts, arguments.repetitions)
        if "service" in parts:
            from vantage.nodes.bench import bench_service

            progress("asking over ROS")
            found = bench_service(settings, views, texts, arguments.repetitions, _AT_ONCE, arguments.rounds)
            live, still, bare = found["live"], found["still"], found["bare"]
            data["service"] = {"live": live.data(bare), "still": still.data(bare), "bare": bare.data()}
            data["parallel"] = found["parallel"]
            data |= live.data(bare)
            data |= {"bound_ms": BOUND_MS, "met_ms": live.p95_ms <= BOUND_MS}
        if "memory" in parts:
            from vantage.nodes.bench import bench_day

            progress(f"watching for {arguments.hours:g} h")
            width, height = _DAY_SIZE
            day = replace(
                settings,
                camera=replace(settings.camera, width=width, height=height),
                agent=replace(settings.agent, perception="degraded", min_pixels=30),
            )
            data["memory"] = bench_day(
                day, *bench_views(folder, day, arguments.views), arguments.hours, arguments.sample, progress
            )
        if arguments.soak:
            from vantage.nodes.bench import bench_soak

            progress(f"looking around {arguments.views} times")
            views, texts = bench_views(folder, settings, arguments.views)
            data["soak"] = bench_soak(settings, views, texts, arguments.soak, progress)
    return Result("\n".join(_qa_lines(data)), data, done=_qa_met(data))


def _qa_met(data: dict[str, Any]) -> bool:
    fast = data.get("met_ms", True) and not data.get("parallel", {}).get("lost", 0)
    return bool(fast and all(data.get(part, {}).get("met", True) for part in ("memory", "soak")))


def _qa_lines(data: dict[str, Any]) -> list[str]:
    lines = []
    if "views" in data:
        lines.append(f"{data['views']} views, {data['questions']} questions, perception {data['perception']}")
    if "service" in data:
        lines += [_qa_times(data["service"][key]) for key in ("bare", "still", "live")]
        lines[-1] += f"   (p95 bound {data['bound_ms']:g} ms: {'met' if data['met_ms'] else 'NOT MET'})"
        crowd = data["parallel"]
        lines.append(
            f"{crowd['at_once']} at once: {crowd['served']} of {crowd['requests']} served, {crowd['lost']} lost, "
            f"slowest round {crowd['slowest_round_ms']:.0f} ms"
        )
    if "engine" in data:
        lines += [_qa_times(data["engine"][key]) for key in ("without", "still", "live", "live_cpu")]
        lines.append("verdicts: " + ", ".join(f"{n} {name}" for name, n in sorted(data["engine"]["verdicts"].items())))
    if "memory" in data:
        day = data["memory"]
        lines.append(
            f"{day['hours']:g} h, {day['frames']} frames (1 of {day['sampled']}), {day['views']} looked at, "
            f"{day['asked']} questions, {day['objects']} things: "
            f"{day['before_mb']:.0f} MB before, {day['after_mb']:.0f} MB after, at most {day['most_mb']:.0f} MB "
            f"(bound {day['bound_mb']:.0f} MB: {'met' if day['met'] else 'NOT MET'})"
        )
    if "soak" in data:
        soak = data["soak"]
        lines.append(
            f"{soak['episodes']} episodes in {soak['minutes']:.1f} min: {soak['before_mb']:.0f} MB after the first, "
            f"{soak['after_mb']:.0f} MB after the last, in the second half {soak['mb_per_minute']:+.2f} MB/min and "
            f"{soak['mb_per_episode']:+.3f} MB an episode "
            f"(bound {soak['bound_mb_per_minute']:g} MB/min: {'met' if soak['met'] else 'NOT MET'})"
        )
    return lines


def _qa_times(figure: dict[str, Any]) -> str:
    against = f"   {figure['speedup']:.3f} x as fast as '{figure['reference']}'" if "speedup" in figure else ""
    return f"{figure['name']:38} median {figure['median_ms']:8.3f} ms   p95 {figure['p95_ms']:8.3f} ms{against}"


_SEED = 1
_USUAL_FOV = 68.75493541569878  # degrees: 1.2 rad
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
        if name == "step":
            bench.add_argument(
                "--world", default="splat", help="a registered world (default %(default)s); house: in generated homes"
            )
            bench.add_argument("--workers", type=at_least(1), default=2, help="processes, for world house (default 2)")
    bench_sets.add_search_parser(actions)
    bench_sets.add_explore_parser(actions)
    bench_sets.add_calls_parser(actions)
    bench_sets.add_training_parser(actions)
    bench_sets.add_labels_parser(actions)
    bench_skills.add_skills_parser(actions)
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
        "print",
        parents=[common_options()],
        help="whether print in generated homes is read from near and not from far, and at how many pixels a letter",
    )
    printed.add_argument("--views", type=at_least(1), default=200, help="from each distance (default %(default)s)")
    printed.add_argument("--seed", type=at_least(0), default=0, help="of the first home (default %(default)s)")
    printed.add_argument("--width", type=at_least(1), default=640, help="of the picture, px (default %(default)s)")
    printed.add_argument("--height", type=at_least(1), default=480, help="of the picture, px (default %(default)s)")
    printed.add_argument(
        "--fov", type=float, metavar="DEGREES", default=_USUAL_FOV, help="horizontal (default %(default).1f)"
    )
    printed.add_argument(
        "--gaussians",
        metavar="SHARES",
        help="shares of the Gaussians of a home that are kept, by lot, to look again, such as 1.0,0.5,0.25",
    )
    printed.set_defaults(run=run_print)
    render = actions.add_parser(
        "render",
        parents=[common_options(), settings_options()],
        help="rendering, against gsplat's torch reference and a plain NumPy renderer",
    )
    render.add_argument("--repetitions", type=at_least(1), default=48, help="frames per case (default %(default)s)")
    render.add_argument("--quick", action="store_true", help="tiny clouds and pictures, without bounds: does it run?")
    render.set_defaults(run=run_render)
    bench_faults.add_faults_parser(actions)
    bench_house.add_looks_parser(actions)
    bench_plans.add_plan_parser(actions)
    bench_view.add_view_parser(actions)
    add_qa_parser(actions)
    bench_guard.add_guard_parser(actions)
    bench_rig.add_rig_parser(actions)


def run_print(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_print, lens_of, read_shares

    shares = read_shares(arguments.gaussians) if arguments.gaussians is not None else ()
    lens = lens_of(arguments.width, arguments.height, arguments.fov)
    data = bench_print(arguments.views, arguments.seed, lens, shares)
    bounds = data["bounds"]
    lines = [
        f"print read from {data['near_m']:g} m in {data['legible_near']:.1%} of {data['views']} views (at least "
        f"{bounds['legible_near']:.0%}), from {data['far_m']:g} m in {data['legible_far']:.1%} (at most "
        f"{bounds['legible_far']:.0%}): {'met' if data['met'] else 'NOT MET'}",
        *(f"  {miss['thing']}: '{miss['text']}' read as '{miss['read']}'" for miss in data["misread"]),
        *_letter_lines(data),
    ]
    for each in data["gaussians"]:
        lines.append(f"with {each['share']:.0%} of the Gaussians: {each['legible_near']:.1%} from {data['near_m']:g} m")
        lines += [f"  {line}" for line in _letter_lines(each)]
    return Result("\n".join(lines), data)


def _letter_lines(told: dict[str, Any]) -> list[str]:
    """How much was read by the height of letters, and from which height on nearly always."""
    lines = [
        f"letters of {each['from_px']:g} to {each['to_px']:g} px: {each['read']:.0%} of {each['views']} views read"
        for each in told["letters"]
    ]
    if told["legible_px"] is not None:
        lines.append(f"read nearly always from {told['legible_px']:g} px a letter on")
    return lines


def run_observe(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_observe, observe_table
    from vantage.cli.json_values import json_value

    with _prepared(arguments) as (folder, settings):
        names = tuple(arguments.perceivers.split(","))
        data = json_value(
            bench_observe(folder, settings, arguments.views, arguments.repetitions, names, arguments.errors)
        )
    return Result("\n".join(observe_table(data)), data)


def run_render(arguments: argparse.Namespace) -> Result:
    from vantage.bench import FULL, QUICK, bench_render, render_table
    from vantage.cli.json_values import json_value
    from vantage.cli.settings import settings_from

    settings = settings_from(arguments)
    plan = QUICK if arguments.quick else FULL
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        data = json_value(bench_render(Path(folder), settings, plan, arguments.repetitions, progress))
    return Result("\n".join(render_table(data)), data)


def run_step(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_step

    if arguments.world == "house":
        return _run_house_step(arguments)
    with _prepared(arguments) as (folder, settings):
        bare, whole, alone = bench_step(folder, settings, arguments.repetitions, arguments.world)
    lines = [_line(alone), _line(bare), _line(whole)]
    data = {
        "size": [settings.camera.width, settings.camera.height],
        "reference": alone.data(),
        "without_rendering": bare.data(alone),
        "with_rendering": whole.data(alone),
        **bare.data(alone),
    }
    return Result("\n".join(lines), data)


def _run_house_step(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_house_step
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError

    if arguments.scene:
        raise UsageError("with --world house the homes are generated; leave out --scene")
    found = bench_house_step(settings_from(arguments), 2 * arguments.repetitions, arguments.workers)
    lines = [
        f"{name:9} {case:11} {row['steps_per_second']:7.1f} steps/s   bare {row['bare_steps_per_second']:7.1f}   "
        f"overhead {100 * row['overhead']:5.1f} %"
        for name, cases in found.items()
        if name.startswith("rooms_")
        for case, row in cases.items()
    ]
    lines.append(f"loading {found['load_s']:.2f} s, memory {found['memory_mb']:.0f} MB; bounds met: {found['met']}")
    return Result("\n".join(lines), found)


def run_transport(arguments: argparse.Namespace) -> Result:
    from vantage.cli.doctor import require_ros

    require_ros()
    from vantage.nodes.bench import bench_transport

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
    from vantage.splats.synthesis import make_scene

    if arguments.repetitions < 2:
        raise UsageError(f"--repetitions must be at least 2, got {arguments.repetitions}")
    settings = settings_from(arguments)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(arguments.scene) if arguments.scene else Path(temporary) / "room"
        if not arguments.scene:
            progress(f"generating a room from seed {_SEED}")
            make_scene(_SEED, folder, "room")
        yield folder, replace(settings, world=replace(settings.world, scenes=str(folder)))
