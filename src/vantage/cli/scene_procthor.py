"""``vantage scene convert`` for houses: ProcTHOR files become homes with a cloud, and homes become ProcTHOR files."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.cli.main import Result, progress

if TYPE_CHECKING:
    from vantage.scenes.procthor.asset_database import AssetDatabase

_DATABASE = "ai2thor-assets/asset-database.json"  # in the folder of real data


def add_options(convert: argparse.ArgumentParser) -> None:
    """Options of the verb that only houses know."""
    convert.add_argument("--index", type=int, default=0, help="of the house in a file of many (default %(default)s)")
    convert.add_argument(
        "--assets",
        metavar="FILE",
        help=f"AI2-THOR asset database, for the sizes of things (default: $VANTAGE_DATA/{_DATABASE}, if there is one)",
    )


def run_import(arguments: argparse.Namespace, source: Path, out: Path) -> Result:
    """Make a home, painted and with its graph, out of a house.

    Raises:
        SceneError, FormatError: see ``import_house``; ``out`` exists already.
    """
    from vantage.errors import SceneError
    from vantage.scenes.graph.graph import SceneGraph
    from vantage.scenes.procthor.house_import import import_house
    from vantage.splats.scene_file import save_scene
    from vantage.splats.synthesis.from_spec import cloud_from_spec, first_view

    if out.exists():
        raise SceneError(f"{out} exists already; choose another --out or remove it")
    house = import_house(source, arguments.index, _database(arguments))
    for warning in house.warnings:
        progress(f"warning: {warning}")
    spec = house.spec
    graph, cloud = SceneGraph.from_spec(spec), cloud_from_spec(spec)
    shows = f"house {arguments.index} of {source.name}: {len(spec.rooms)} rooms with {len(graph.objects())} things"
    save_scene(out, spec, graph, cloud, name=spec.name, start=first_view(spec), shows=shows)
    data = {
        "input": str(source),
        "output": str(out),
        "index": arguments.index,
        "rooms": len(spec.rooms),
        "things": len(graph.objects()),
        "openings": len(spec.openings),
        "gaussians": len(cloud),
        "missing_assets": list(house.missing),
        "warnings": list(house.warnings),
    }
    lost = "\n".join(f"warning: {warning}" for warning in house.warnings)
    return Result(f"{out}: {shows}, {len(cloud)} Gaussians" + (f"\n{lost}" if lost else ""), data)


def run_export(arguments: argparse.Namespace, source: Path, out: Path) -> Result:
    """Write a home as a house.

    Raises:
        SceneError, FormatError: the home has no specification or contradicts itself; ``out`` exists already.
    """
    from vantage.errors import SceneError
    from vantage.scenes.procthor.house_export import save_procthor
    from vantage.scenes.spec.spec_file import load_spec
    from vantage.splats.scene_file import SPEC_FILE

    if out.is_dir() or (out.exists() and not arguments.force):
        raise SceneError(f"{out} exists already; choose another name or add --force to overwrite a file")
    specification = source / SPEC_FILE
    if not specification.is_file():
        raise SceneError(f"{source} has no {SPEC_FILE}; only homes made by 'vantage scene' can become houses")
    spec = load_spec(specification)
    save_procthor(spec, out, _database(arguments))
    things = sum(not thing.is_structure for thing in spec.objects)
    data = {"input": str(source), "output": str(out), "rooms": len(spec.rooms), "things": things}
    return Result(f"{out}: a house of {len(spec.rooms)} rooms with {things} things", data)


def _database(arguments: argparse.Namespace) -> AssetDatabase | None:
    from vantage.scenes.procthor.asset_database import AssetDatabase

    if arguments.assets:
        return AssetDatabase.load(arguments.assets)
    usual = Path(os.environ.get("VANTAGE_DATA", "")) / _DATABASE
    return AssetDatabase.load(usual) if os.environ.get("VANTAGE_DATA") and usual.is_file() else None
