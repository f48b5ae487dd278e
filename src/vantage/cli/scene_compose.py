"""``vantage scene compose``: puts a captured thing into a scene and writes both as one scene."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, common_options
from vantage.errors import SceneError, UsageError

if TYPE_CHECKING:
    from vantage.splats.compose import Crop, Placement


def add_parser(actions: Any) -> None:
    compose = actions.add_parser("compose", parents=[common_options()], help="put a captured thing into a scene")
    compose.add_argument("path", metavar="SCENE")
    compose.add_argument("--object", required=True, metavar="CLOUD", help="a cloud, or a scene file of the capture")
    compose.add_argument("--label", required=True, metavar="WORD", help="the class of the thing")
    compose.add_argument("--color", default="", metavar="WORD")
    compose.add_argument("--material", default="", metavar="WORD")
    compose.add_argument(
        "--position",
        required=True,
        metavar="X,Y[,Z]",
        help="m, of the middle of its underside, written --position=-1,0; without z it stands on --on or the floor",
    )
    compose.add_argument("--yaw", type=float, default=0.0, metavar="RAD")
    compose.add_argument(
        "--up", nargs="?", const="", metavar="AXIS", help="of the cloud: x, -x, y, -y, z or -z (default z)"
    )
    for axis in "xyz":  # so that "--up -y" is no unknown option
        compose.add_argument(f"-{axis}", dest="up", action="store_const", const=f"-{axis}", help=argparse.SUPPRESS)
    compose.add_argument("--metres-per-unit", type=float, default=1.0, metavar="METRES", help="default 1")
    compose.add_argument("--on", metavar="LABEL", help="label or instance id of what carries it (default: the floor)")
    compose.add_argument(
        "--crop-min", metavar="X,Y,Z", help="keep what is above, upright and in cloud units, --crop-min=-1,-1,0"
    )
    compose.add_argument(
        "--crop-max", metavar="X,Y,Z", help="keep what is below, upright and in cloud units, --crop-max=-1,1,2"
    )
    compose.add_argument("--min-opacity", type=float, default=0.0, metavar="A", help="keep what is at least so opaque")
    compose.add_argument("--out", required=True, metavar="DIR")
    compose.set_defaults(run=run_compose)


def run_compose(arguments: argparse.Namespace) -> Result:
    from vantage.cli.plain import plain
    from vantage.splats.compose import stand_object
    from vantage.splats.scene_file import credited, load_object, load_scene, save_scene

    out = Path(arguments.out)
    if out.exists():
        raise SceneError(f"{out} exists already; choose another --out or remove it")
    placement = _placement(arguments)
    scene = load_scene(arguments.path)
    capture, credits = load_object(arguments.object)
    composed = credited(stand_object(scene, capture, placement), credits)
    assert composed.graph is not None
    save_scene(
        out,
        None,
        composed.graph,
        composed.cloud,
        name=out.resolve().name,
        start=composed.start,
        shows=composed.shows,
        attribution=composed.attribution,
        bounds=(composed.bounds_min, composed.bounds_max),
        floor=composed.floor,
        start_region=composed.start_region,
        classes=composed.classes,
        metric=composed.metric,
    )
    node = composed.graph.nodes[-1]
    low, high = (", ".join(f"{value:.2f}" for value in corner) for corner in (node.bounds_min, node.bounds_max))
    added = len(composed.cloud) - len(scene.cloud)
    text = f"{out}\n{node.label} (id {node.instance_id}): {added} Gaussians, ({low}) to ({high}) m"
    return Result(text, {"scene": str(out), "gaussians": added, "node": plain(node)})


def _placement(arguments: argparse.Namespace) -> Placement:
    from vantage.splats.alignment.upright import UP_AXES, turning
    from vantage.splats.compose import Placement

    if arguments.up is not None and arguments.up not in UP_AXES:
        raise UsageError(f"--up must be one of {', '.join(UP_AXES)}, got '{arguments.up}'")
    if not math.isfinite(arguments.yaw):
        raise UsageError(f"--yaw must be a finite number, got {arguments.yaw}")
    on = arguments.on
    return Placement(
        label=arguments.label,
        position=_numbers("--position", arguments.position, 2, 3),
        yaw=arguments.yaw,
        R_upright=turning(arguments.up or "z"),
        metres_per_unit=arguments.metres_per_unit,
        color=arguments.color,
        material=arguments.material,
        on=int(on) if on is not None and on.isdecimal() else on,
        crop=_crop(arguments),
    )


def _crop(arguments: argparse.Namespace) -> Crop:
    from vantage.splats.compose import Crop

    if not 0.0 <= arguments.min_opacity <= 1.0:
        raise UsageError(f"--min-opacity must be within 0..1, got {arguments.min_opacity}")
    low = _numbers("--crop-min", arguments.crop_min, 3) if arguments.crop_min is not None else (-math.inf,) * 3
    high = _numbers("--crop-max", arguments.crop_max, 3) if arguments.crop_max is not None else (math.inf,) * 3
    if any(a >= b for a, b in zip(low, high, strict=True)):
        raise UsageError(f"the crop from {low} to {high} is empty; give --crop-min below --crop-max")
    return Crop((low[0], low[1], low[2]), (high[0], high[1], high[2]), arguments.min_opacity)


def _numbers(name: str, text: str, *counts: int) -> tuple[float, ...]:
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) not in counts or not all(math.isfinite(value) for value in values):
        raise UsageError(f"{name} needs {' or '.join(map(str, counts))} finite numbers with commas, got '{text}'")
    return values
