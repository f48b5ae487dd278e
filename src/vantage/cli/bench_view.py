"""``vantage bench view``: the pages of a scene, a bag and many runs in Chromium."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options


def add_view_parser(actions: Any) -> None:
    options = [common_options(), settings_options()]
    about = "the pages of a scene, of a bag and of many runs in Chromium, each against a bare reference in the same run"
    parser = actions.add_parser("view", parents=options, help=about)
    parser.add_argument("scene", metavar="SCENE", help="such as a home of 'vantage scene make'")
    parser.add_argument("--seconds", type=at_least(1), default=6, help="of each orbit (default %(default)s)")
    parser.add_argument("--presses", type=at_least(1), default=30, help="of a key (default %(default)s)")
    parser.add_argument("--bags", type=at_least(1), default=2000, help="in the table of runs (default %(default)s)")
    parser.set_defaults(run=run_view)


def run_view(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_table, bench_timeline, bench_view, record_one
    from vantage.cli.settings import settings_from
    from vantage.splats.rendering import Renderer, make_renderer

    settings, scene = settings_from(arguments), Path(arguments.scene)

    def renderer() -> Renderer:
        return make_renderer(settings.world.renderer, settings.world.threads)

    data = bench_view(scene, renderer, float(arguments.seconds), arguments.presses)
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as temporary:
        folder = Path(temporary)
        progress("an episode is recorded in the scene")
        bag = record_one(scene, settings, folder / "one")
        data["timeline"] = bench_timeline(bag, folder / "one" / "set" / "scenes", renderer, arguments.presses)
        progress(f"a table of {arguments.bags} bags is filled")
        data["table"] = bench_table(bag, arguments.bags, renderer, folder / "many")
    data["met"] = data["met"] and data["timeline"]["met"] and data["table"]["met"]
    return Result("\n".join(_told(data)), data)


def _told(data: dict[str, Any]) -> list[str]:
    each = " and ".join(f"{fps:.1f}" for fps in data["orbit_fps_each_of_two"])
    steps, table = data["timeline"], data["table"]
    return [
        f"first picture {data['first_picture_s']:.2f} s; key to picture median {data['input']['median_ms']:.0f} ms, "
        f"p95 {data['input']['p95_ms']:.0f} ms",
        f"orbit of {data['gaussians']} Gaussians: {data['orbit_fps']:.1f} frames/s alone, {each} of two viewers; bare "
        f"renderer {data['bare_fps']:.1f}",
        f"timeline: key to the three pictures of a step median {steps['median_ms']:.0f} ms, p95 {steps['p95_ms']:.0f} "
        f"ms; bare renderer {steps['reference_median_ms']:.0f} ms for one",
        f"table of {table['bags']} bags: usable after {table['usable_s']:.1f} s, full after {table['filled_s']:.0f} s, "
        f"again {table['again_s']:.1f} s; all metadata read in {table['reference_s']:.2f} s",
        f"bounds: {'met' if data['met'] else 'NOT MET'}",
    ]
