"""``vantage scene``: inspect, check and render scenes; ``make``, ``convert`` and ``align`` have their own modules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli import scene_align, scene_convert, scene_make, scene_render
from vantage.cli.main import Result, at_least, common_options
from vantage.cli.scene_physics import physics_of

if TYPE_CHECKING:
    from vantage.scenes.spec import SceneSpec
    from vantage.spatial import Viewpoint
    from vantage.splats import CloudReport


SPEC_FILE = "spec.json"


def add_check_parser(actions: Any) -> None:
    check = actions.add_parser(
        "check",
        parents=[common_options()],
        help="whether nothing floats or collides in a home, doors can swing and one gets to every room",
    )
    check.add_argument(
        "path", metavar="HOME", help=f"a scene folder with a {SPEC_FILE}, such a file, or a ProcTHOR file of houses"
    )
    check.add_argument("--index", type=int, help="of the house in a file of many (default: all of them)")
    check.add_argument(
        "--physics",
        action="store_true",
        help="make bodies of it, too: whether all stays at rest and every joint runs, and what a robot reaches",
    )
    scene_convert.add_assets_option(check)
    check.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> Result:
    from vantage.errors import SceneError
    from vantage.scenes.procthor import holds_houses
    from vantage.scenes.spec import load_spec

    path = Path(arguments.path)
    if not path.is_dir() and holds_houses(path):
        return _check_houses(path, arguments.index, arguments.assets, arguments.physics)
    if path.is_dir():
        if not (path / SPEC_FILE).is_file():
            raise SceneError(f"{path} holds no {SPEC_FILE}, so nothing is known of its things; give a generated home")
        path = path / SPEC_FILE
    return _checked(load_spec(path), physics=arguments.physics)


def _check_houses(path: Path, index: int | None, assets: str | None, physics: bool) -> Result:
    """Import houses and check them: what their own file has wrong is told, and no failure; a house that cannot be
    imported is one, or whose things do not stay where they are, and the others of its file are checked all the same."""
    from vantage.errors import FormatError, SceneError
    from vantage.scenes.procthor import AssetDatabase, house_count, import_house

    database = AssetDatabase.find(assets)
    lines, houses, refused, restless = [], [], [], 0
    numbers = range(house_count(path)) if index is None else [index]
    for number in numbers:
        try:
            house = import_house(path, number, database)
            found = _checked(house.spec, "is imported; with usual shapes it has", physics)
        except (SceneError, FormatError) as error:
            if len(numbers) == 1:
                raise
            lines.append(f"refused: {error}")
            refused.append({"index": number, "error": str(error)})
            continue
        restless += any(fault["kind"] == "moved" for fault in found.data.get("physics", {}).get("faults", ()))
        lines += [found.text, *(f"  warning: {warning}" for warning in house.warnings)]
        houses.append({**found.data, "missing_assets": list(house.missing), "warnings": list(house.warnings)})
    if len(numbers) == 1:
        return Result("\n".join(lines), houses[0], done=not restless)
    lines.append(f"{len(houses)} of {_count(len(numbers), 'house')} can be imported")
    return Result("\n".join(lines), {"houses": houses, "refused": refused}, done=not (refused or restless))


def _checked(spec: SceneSpec, verdict: str = "could not stand like this,", physics: bool = False) -> Result:
    """What is wrong with a home, also as bodies where ``physics`` is asked for; ``verdict`` leads to the number of
    faults."""
    from vantage.cli.json_values import json_value
    from vantage.scenes.checks import check_placement

    faults = check_placement(spec)
    objects = [obj for obj in spec.objects if not obj.is_structure]
    classes = {obj.label for obj in objects}
    data = {
        "name": spec.name,
        "rooms": len(spec.rooms),
        "things": len(objects),
        "classes": len(classes),
        "faults": json_value(list(faults)),
    }
    bodies: list[str] = []
    at_rest = True
    if physics:
        bodies, data["physics"], at_rest = physics_of(spec)
    size = f"{_count(len(spec.rooms), 'room')}, {_count(len(objects), 'thing')} of {_count(len(classes), 'class')}"
    if not faults:
        return Result("\n".join([f"'{spec.name}' is sound: {size}", *bodies]), data, done=at_rest)
    head = f"'{spec.name}' ({size}) {verdict} {_count(len(faults), 'fault')}:"
    return Result("\n".join([head, *(f"  {fault.message}" for fault in faults), *bodies]), data, done=False)


def _count(number: int, word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"


def add_info_parser(actions: Any) -> None:
    info = actions.add_parser("info", parents=[common_options()], help="what a scene or a splat file holds")
    info.add_argument("path", metavar="SCENE")
    info.add_argument("--seed", type=at_least(0), default=0, help="of the guess at up (default %(default)s)")
    info.set_defaults(run=run_info)


def run_info(arguments: argparse.Namespace) -> Result:
    import numpy as np

    from vantage.cli.json_values import json_value
    from vantage.splats import SCALE_PERCENTILES, is_unpainted, load_scene, report

    if is_unpainted(arguments.path):
        return _home_info(arguments.path)
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
    return Result("\n".join(f"{key:15} {value}" for key, value in _lines(data, about)), json_value(data))


def _home_info(path: str) -> Result:
    """What a home without a cloud holds."""
    from vantage.cli.json_values import json_value
    from vantage.splats import load_home

    home = load_home(path)
    data = {
        "name": home.name,
        "gaussians": 0,
        "bounds_min": home.bounds_min,
        "bounds_max": home.bounds_max,
        "floor": home.floor,
        "start": home.start,
        "start_region": home.start_region,
        "objects": len(home.graph.nodes),
        "shows": home.shows,
    }
    lines = [
        ("name", home.name),
        ("cloud", "none"),
        ("bounds", _box(home.bounds_min, home.bounds_max)),
        ("floor", f"{home.floor:.3g} m"),
        ("start", _viewpoint_text(home.start)),
        ("objects", str(len(home.graph.nodes))),
        ("shows", home.shows),
    ]
    return Result("\n".join(f"{key:15} {value}" for key, value in lines), json_value(data))


def _viewpoint_text(viewpoint: Viewpoint) -> str:
    x, y, z = viewpoint.position
    return f"({x:.2f}, {y:.2f}, {z:.2f}) m, yaw {viewpoint.yaw:.2f}, pitch {viewpoint.pitch:.2f} rad"


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
        lines.append(("start", _viewpoint_text(start)))
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


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("scene", help="make, check, inspect, convert, align, compose or render scenes")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    scene_make.add_parser(actions)
    scene_render.add_parser(actions)
    add_info_parser(actions)
    add_check_parser(actions)
    scene_convert.add_parser(actions)
    scene_align.add_parser(actions)
    scene_align.add_compose_parser(actions)
