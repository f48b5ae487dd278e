"""``vantage scene compose``: puts a captured thing into a scene and writes both as one scene."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, common_options
from vantage.errors import SceneError, UsageError, VantageError

if TYPE_CHECKING:
    from vantage.splats.cloud import GaussianCloud
    from vantage.splats.compose import Crop, Placement
    from vantage.splats.scene import SplatScene


_SLACK = 0.05  # m
_NEAR = 0.3  # m: closer than this to a start, a body of usual size hardly fits
_SURE = 0.8


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
    from vantage.splats.scene_file import credited, is_cloud, load_object, load_scene, save_scene

    out = Path(arguments.out)
    if out.exists():
        raise SceneError(f"{out} exists already; choose another --out or remove it")
    placement = _placement(arguments)
    scene = load_scene(arguments.path)
    if arguments.up is not None and not is_cloud(Path(arguments.object)):
        raise UsageError(f"{arguments.object} says already how the capture stands; leave --up out")
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
    warnings = _warnings(scene, composed, capture if arguments.up is None else None)
    lines = [text, *(f"warning: {warning}" for warning in warnings)]
    return Result("\n".join(lines), {"scene": str(out), "gaussians": added, "node": plain(node), "warnings": warnings})


def _warnings(scene: SplatScene, composed: SplatScene, unturned: GaussianCloud | None) -> list[str]:
    """What is odd about a placed thing; ``unturned`` is its capture where nobody said which way is up."""
    import numpy as np

    from vantage.splats.alignment.gravity import find_alignment
    from vantage.splats.upright import nearest_axis

    assert composed.graph is not None
    warnings, node = [], composed.graph.nodes[-1]
    low, high = np.array(node.bounds_min), np.array(node.bounds_max)
    if (low < np.array(scene.bounds_min) - _SLACK).any() or (high > np.array(scene.bounds_max) + _SLACK).any():
        warnings.append(f"the {node.label} sticks out of the bounds of the scene, where no camera goes")
    if scene.start is not None:
        gap = float(np.linalg.norm(np.maximum(np.maximum(low - scene.start.position, scene.start.position - high), 0)))
        if gap < _NEAR:
            warnings.append(f"the {node.label} is {gap:.2f} m from the start of the scene; set another 'start' there")
    if unturned is not None:
        try:
            found = find_alignment(unturned)
        except VantageError:
            return warnings
        axis = nearest_axis(found.up)
        if axis != "z" and found.confidence >= _SURE:
            warnings.append(f"{axis} looks like up in the capture (confidence {found.confidence:.2f}), not z; see --up")
    return warnings


def _placement(arguments: argparse.Namespace) -> Placement:
    from vantage.splats.compose import Placement
    from vantage.splats.upright import UP_AXES, turning

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
