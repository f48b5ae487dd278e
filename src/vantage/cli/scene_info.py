"""``vantage scene info``: what a scene or a cloud holds and what it is like."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options

if TYPE_CHECKING:
    from vantage.splats.cloud_report import CloudReport


def add_parser(actions: Any) -> None:
    info = actions.add_parser("info", parents=[common_options()], help="what a scene or a splat file holds")
    info.add_argument("path", metavar="SCENE")
    info.add_argument("--seed", type=at_least(0), default=0, help="of the guess at up (default %(default)s)")
    info.set_defaults(run=run_info)


def run_info(arguments: argparse.Namespace) -> Result:
    import numpy as np

    from vantage.cli.plain import plain
    from vantage.splats.cloud_report import SCALE_PERCENTILES, report
    from vantage.splats.scene_file import load_scene

    scene = load_scene(arguments.path)
    about = report(scene.cloud, arguments.seed)
    opacities = scene.cloud.opacities
    data = {
        "name": scene.name,
        "gaussians": about.gaussians,
        "sh_degree": about.sh_degree,
        "memory_bytes": about.memory,
        "bounds_min": scene.bounds_min,
        "bounds_max": scene.bounds_max,
        "cloud_min": about.bounds_min,
        "cloud_max": about.bounds_max,
        "robust_min": about.robust_min,
        "robust_max": about.robust_max,
        "floor": scene.floor,
        "start": scene.start,
        "start_region": scene.start_region,
        "up": about.up,
        "up_confidence": about.up_confidence,
        "up_reason": about.up_reason,
        "metric": scene.metric,
        "units": about.units,
        "units_reason": about.units_reason,
        "median_opacity": float(np.median(opacities)) if len(opacities) else None,
        "opacity_histogram": about.opacities,
        "scale_percentiles": dict(zip(map(str, SCALE_PERCENTILES), about.scales, strict=False)),
        "floaters": about.floaters,
        "floater_share": about.floater_share,
        "instances": about.instances,
        "classes": None if scene.classes is None else int(np.count_nonzero(np.unique(scene.classes))),
        "objects": None if scene.graph is None else len(scene.graph.nodes),
        "shows": scene.shows,
        "attribution": scene.attribution,
        "fingerprint": scene.fingerprint,
    }
    return Result("\n".join(f"{key:15} {value}" for key, value in _lines(data, about)), plain(data))


def _lines(data: dict[str, Any], about: CloudReport) -> list[tuple[str, str]]:
    start = data["start"]
    lines = [
        ("name", data["name"]),
        ("Gaussians", f"{about.gaussians}, SH degree {about.sh_degree}, {about.memory / 1e6:.1f} MB in memory"),
        ("bounds", _box(data["bounds_min"], data["bounds_max"])),
        ("cloud", _box(about.bounds_min, about.bounds_max)),
        ("cloud, robust", _box(about.robust_min, about.robust_max)),
        ("floor", f"{data['floor']:.3g} m"),
    ]
    if start is not None:
        x, y, z = start.position
        lines.append(("start", f"({x:.2f}, {y:.2f}, {z:.2f}) m, yaw {start.yaw:.2f}, pitch {start.pitch:.2f} rad"))
    if data["start_region"] is not None:
        lines.append(("start region", _box(*data["start_region"])))
    if data["metric"] is not None:
        known = (
            "known, 1 unit of the scene is 1 m" if data["metric"] else "not known, 1 unit of the scene counts as 1 m"
        )
        lines.append(("scale", known))
    lines += [
        (
            "up",
            f"{about.up} (confidence {about.up_confidence:.2f}): {about.up_reason}" if about.up else about.up_reason,
        ),
        ("units", f"{about.units}: {about.units_reason}"),
        ("opacity", "  ".join(f"<{(k + 1) / 10:.1f} {share}" for k, share in enumerate(_shares(about)))),
        ("size", "  ".join(f"{key} % {value:.3g}" for key, value in data["scale_percentiles"].items()) + " m"),
        ("floaters", f"{about.floaters} ({about.floater_share:.2%})"),
        ("instances", str(about.instances)),
    ]
    for key in ("classes", "objects", "shows", "attribution"):
        if data[key] not in (None, ""):
            lines.append((key, str(data[key])))
    return [*lines, ("fingerprint", data["fingerprint"])]


def _shares(about: CloudReport) -> list[str]:
    return [f"{count / max(1, about.gaussians):.0%}" for count in about.opacities]


def _box(low: Any, high: Any) -> str:
    if low is None or high is None:
        return "empty"
    return " to ".join("(" + ", ".join(f"{value:.2f}" for value in corner) + ")" for corner in (low, high)) + " m"
