"""``vantage scene align``: finds gravity and the floor of a capture and writes a scene file."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options
from vantage.errors import UsageError

if TYPE_CHECKING:
    from vantage.splats.alignment.capture import Capture
    from vantage.splats.alignment.gravity import Alignment

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
    from vantage.splats.alignment.aligned_scene import place_in_world
    from vantage.splats.alignment.capture import open_capture
    from vantage.splats.alignment.gravity import find_alignment
    from vantage.splats.upright import axis_of, nearest_axis

    out = Path(arguments.out)
    _check(arguments, out)
    capture = open_capture(arguments.path)
    hint = axis_of(arguments.up) if arguments.up is not None else capture.up
    try:
        found = find_alignment(capture.cloud, hint, arguments.seed)
    except SceneError as error:
        advice = "" if hint is not None else " with --up, such as --up -y"
        raise SceneError(f"{arguments.path}: {error}{advice}") from error
    unit, source = _scale(arguments, capture, found)
    placed = place_in_world(found, unit)
    metric = source != ""
    document = {**capture.words, **capture.files_for(out), "metric": metric, **placed.document()}
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
    from vantage.splats.upright import UP_AXES

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
