"""``vantage scene align``: finds gravity and the floor of a capture and writes a scene file; ``compose`` adds an object
to a scene.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options
from vantage.errors import SceneError, UsageError, VantageError

if TYPE_CHECKING:
    from vantage.splats import Crop, GaussianCloud, Placement, SplatScene
    from vantage.splats.alignment import Alignment, Capture


_SLACK = 0.05  # m
_NEAR = 0.3  # m: closer than this to a start, a body of usual size hardly fits
_SURE = 0.8


def add_compose_parser(actions: Any) -> None:
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
    from vantage.cli.json_values import json_value
    from vantage.splats import credited, is_cloud, load_object, load_scene, save_scene, stand_object

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
    warnings = _compose_warnings(scene, composed, capture if arguments.up is None else None)
    lines = [text, *(f"warning: {warning}" for warning in warnings)]
    return Result(
        "\n".join(lines), {"scene": str(out), "gaussians": added, "node": json_value(node), "warnings": warnings}
    )


def _compose_warnings(scene: SplatScene, composed: SplatScene, unturned: GaussianCloud | None) -> list[str]:
    """What is odd about a placed object; ``unturned`` is its capture where nobody said which way is up."""
    import numpy as np

    from vantage.splats import nearest_axis
    from vantage.splats.alignment import find_alignment

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
    from vantage.splats import UP_AXES, Placement, turning

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
    from vantage.splats import Crop

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


_ASKEW = 15.0  # degrees
_UNSURE = 0.8


def add_parser(actions: Any) -> None:
    align = actions.add_parser("align", parents=[common_options()], help="find gravity, floor and scale of a capture")
    align.add_argument("path", metavar="CLOUD_OR_SCENE")
    align.add_argument("--out", required=True, metavar="FILE", help="the scene file to write, .yaml")
    align.add_argument("--up", nargs="?", const="", metavar="AXIS", help="roughly up: x, -x, y, -y, z or -z")
    for axis in "xyz":  # so that "--up -y" is no unknown option
        align.add_argument(f"-{axis}", dest="up", action="store_const", const=f"-{axis}", help=argparse.SUPPRESS)
    align.add_argument("--height", type=float, metavar="METRES", help="of what stands on the floor, or of a room")
    align.add_argument(
        "--from", dest="start", metavar="X,Y,Z", help="one end of a known length, in cloud units, --from=-1,0,0"
    )
    align.add_argument("--to", dest="end", metavar="X,Y,Z", help="its other end, --to=-1,0,2")
    align.add_argument("--metres", type=float, metavar="METRES", help="its length")
    align.add_argument("--metres-per-unit", type=float, metavar="METRES", help="the scale itself, 1 for a metric cloud")
    align.add_argument("--seed", type=at_least(0), default=0, help="of the search for planes (default %(default)s)")
    align.set_defaults(run=run_align)


def run_align(arguments: argparse.Namespace) -> Result:
    from vantage.decoding import yaml_text
    from vantage.errors import SceneError
    from vantage.files import write_whole
    from vantage.splats import axis_of, nearest_axis
    from vantage.splats.alignment import find_alignment, open_capture, place_in_world

    out = Path(arguments.out)
    _check(arguments, out)
    capture = open_capture(arguments.path)
    files = capture.files_for(out)
    hint = axis_of(arguments.up) if arguments.up is not None else capture.up
    try:
        found = find_alignment(capture.cloud, hint, arguments.seed)
    except SceneError as error:
        advice = "" if hint is not None else " with --up, such as --up -y"
        raise SceneError(f"{arguments.path}: {error}{advice}") from error
    unit, source = _scale(arguments, capture, found)
    placed = place_in_world(found, unit)
    metric = source != ""
    document = {**capture.words, **files, "metric": metric, **placed.document()}
    order = ["name", "cloud", "classes", "metric", *placed.document(), "shows", "attribution"]
    kept = {key: document[key] for key in order if key in document}
    text = yaml_text(kept, inline=True)
    counts = f"one unit of the cloud counts as {unit:.6g} m"
    write_whole(out, text if metric else f"# The scale is not known: {counts}.\n{text}")

    near = nearest_axis(found.up)
    off = math.degrees(math.acos(min(1.0, float(found.up @ axis_of(near)))))
    size = [float(value) for value in (found.high - found.low) * unit]
    size[2] = found.height * unit
    warnings = _warnings(arguments.path, found, hint is None, metric)
    if arguments.up is not None:
        askew = math.degrees(math.acos(min(1.0, float(found.up @ axis_of(arguments.up)))))
        if askew > _ASKEW:
            warnings.insert(0, f"up is {askew:.0f} degrees from {arguments.up}; look at it with vantage scene render")
    data = {
        "scene": str(out),
        "up": [float(value) for value in found.up],
        "nearest_axis": near,
        "degrees_from_axis": off,
        "confidence": found.confidence,
        "floor": found.floor,
        "floor_share": found.floor_share,
        "walls": found.walls,
        "room": found.enclosed,
        "metres_per_unit": unit,
        "metric": metric,
        "size": size,
        "warnings": warnings,
    }
    scale = f"1 unit = {unit:.6g} m, {source}" if metric else f"not known, {counts}"
    lines = [
        str(out),
        f"up      {off:.1f} degrees from {near} of the cloud; confidence {found.confidence:.2f}",
        f"floor   {found.floor_share:.0%} of the surface lies on it; planes upright on it: {found.walls}",
        f"scale   {scale}",
        "size    " + " x ".join(f"{value:.2f}" for value in size) + (" m, a room" if found.enclosed else " m"),
        *(f"warning: {warning}" for warning in warnings),
    ]
    return Result("\n".join(lines), data)


def _check(arguments: argparse.Namespace, out: Path) -> None:
    """What can be refused before the cloud is read."""
    from vantage.splats import UP_AXES

    if out.suffix not in (".yaml", ".yml"):
        raise UsageError(f"--out must end in .yaml, got {out.name}")
    source = Path(arguments.path)
    if out.exists() and not (source.exists() and out.samefile(source)):
        raise UsageError(f"{out} exists already; choose another --out or remove it")
    if arguments.up is not None and arguments.up not in UP_AXES:
        raise UsageError(f"--up must be one of {', '.join(UP_AXES)}, got '{arguments.up}'")
    ends = [arguments.start, arguments.end, arguments.metres]
    given = [ends != [None] * 3, arguments.height is not None, arguments.metres_per_unit is not None]
    if sum(given) > 1:
        raise UsageError("give one known length: --height, or --from, --to and --metres, or --metres-per-unit")
    if given[0] and None in ends:
        raise UsageError("a known length needs all of --from, --to and --metres")
    for name in ("height", "metres", "metres_per_unit"):
        value = getattr(arguments, name)
        if value is not None and not (value > 0 and math.isfinite(value)):
            raise UsageError(f"--{name.replace('_', '-')} must be a positive number, got {value}")


def _scale(arguments: argparse.Namespace, capture: Capture, found: Alignment) -> tuple[float, str]:
    """Metres per unit and where it is from, in words; empty where nobody knows."""
    if arguments.metres_per_unit is not None:
        return arguments.metres_per_unit, "as given"
    if arguments.start is not None:
        a, b = _point("--from", arguments.start), _point("--to", arguments.end)
        length = math.dist(a, b)
        if length == 0:
            raise UsageError("--from and --to are the same point; give two ends of a known length")
        return arguments.metres / length, f"from a length of {length:.4g} units"
    height = arguments.height
    if height is None and capture.metres_per_unit is not None and capture.metric:
        return capture.metres_per_unit, f"kept from {arguments.path}"
    if height is None and not arguments.json and sys.stdin.isatty() and sys.stderr.isatty():
        height = _ask(found)
    if height is None:
        return capture.metres_per_unit or 1.0, ""
    if not found.height > 0:
        raise UsageError("nothing stands on the floor, so --height says nothing; give --from, --to and --metres")
    return height / found.height, f"from a height of {found.height:.4g} units"


def _ask(found: Alignment) -> float | None:
    what = "The ceiling is" if found.enclosed else "The top of what stands on the floor is"
    print(f"{what} {found.height:.4g} units up. How many metres is that? (empty: unknown) ", end="", file=sys.stderr)
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if not answer:
        return None
    try:
        value = float(answer)
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        raise UsageError(f"a height must be a positive number of metres, got '{answer}'")
    return value


def _point(name: str, text: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"{name} needs three numbers x,y,z, got '{text}'") from error
    if not all(math.isfinite(value) for value in (x, y, z)):
        raise UsageError(f"{name} needs finite numbers, got '{text}'")
    return x, y, z


def _warnings(path: str, found: Alignment, guessed: bool, metric: bool) -> list[str]:
    warnings = []
    if found.floor_share == 0:
        warnings.append("no floor was found that way up; the lowest points count as the floor")
    elif guessed and found.confidence < _UNSURE:
        warnings.append("up is a guess; look with vantage scene render, and name the axis with --up if it is wrong")
    if not metric:
        warnings.append(f"the scale is not metric; run vantage scene align {path} again with --height METRES")
    return warnings
