"""``vantage bench qa``: what a question costs over ROS and in process, many at once, and a day of views."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options

PARTS = ("service", "engine", "memory")
_SEED, _ROOMS = 1, 3
_AT_ONCE = 50
_DAY_SIZE = (160, 120)  # pixels of the views of the day


def add_parser(actions: Any) -> None:
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
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS), help="parts of the bench")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from dataclasses import replace

    from vantage.bench.question_answering import BOUND_MS, bench_engine, bench_views
    from vantage.cli.doctor import require_ros
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.splats.synthesis.from_spec import make_scene

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
            from vantage.nodes.bench.qa_latency import bench_service

            progress("asking over ROS")
            found = bench_service(settings, views, texts, arguments.repetitions, _AT_ONCE, arguments.rounds)
            live, still, bare = found["live"], found["still"], found["bare"]
            data["service"] = {"live": live.data(bare), "still": still.data(bare), "bare": bare.data()}
            data["parallel"] = found["parallel"]
            data |= live.data(bare)
            data |= {"bound_ms": BOUND_MS, "met_ms": live.p95_ms <= BOUND_MS}
        if "memory" in parts:
            from vantage.nodes.bench.qa_memory import bench_day

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
            from vantage.nodes.bench.qa_soak import bench_soak

            progress(f"looking around {arguments.views} times")
            views, texts = bench_views(folder, settings, arguments.views)
            data["soak"] = bench_soak(settings, views, texts, arguments.soak, progress)
    return Result("\n".join(_lines(data)), data, done=_met(data))


def _met(data: dict[str, Any]) -> bool:
    fast = data.get("met_ms", True) and not data.get("parallel", {}).get("lost", 0)
    return bool(fast and all(data.get(part, {}).get("met", True) for part in ("memory", "soak")))


def _lines(data: dict[str, Any]) -> list[str]:
    lines = []
    if "views" in data:
        lines.append(f"{data['views']} views, {data['questions']} questions, perception {data['perception']}")
    if "service" in data:
        lines += [_times(data["service"][key]) for key in ("bare", "still", "live")]
        lines[-1] += f"   (p95 bound {data['bound_ms']:g} ms: {'met' if data['met_ms'] else 'NOT MET'})"
        crowd = data["parallel"]
        lines.append(
            f"{crowd['at_once']} at once: {crowd['served']} of {crowd['requests']} served, {crowd['lost']} lost, "
            f"slowest round {crowd['slowest_round_ms']:.0f} ms"
        )
    if "engine" in data:
        lines += [_times(data["engine"][key]) for key in ("without", "still", "live", "live_cpu")]
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


def _times(figure: dict[str, Any]) -> str:
    against = f"   {figure['speedup']:.3f} x as fast as '{figure['reference']}'" if "speedup" in figure else ""
    return f"{figure['name']:38} median {figure['median_ms']:8.3f} ms   p95 {figure['p95_ms']:8.3f} ms{against}"
