"""``vantage scene convert``: clouds from one format into another, ProcTHOR houses into homes and back."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, common_options, progress


def add_assets_option(parser: argparse.ArgumentParser) -> None:
    """Where the sizes and materials of the objects of houses are found."""
    parser.add_argument(
        "--assets",
        metavar="FILE",
        help="AI2-THOR asset database, for the sizes of things "
        "(default: $VANTAGE_DATA/ai2thor-assets/asset-database.json, if there is one)",
    )


def run_import(arguments: argparse.Namespace, source: Path, out: Path) -> Result:
    """Make a home, painted and with its graph, out of a house.

    Raises:
        SceneError, FormatError: see ``import_house``; ``out`` exists already.
    """
    from vantage.errors import SceneError
    from vantage.scenes.geometry import first_view
    from vantage.scenes.graph import SceneGraph
    from vantage.scenes.procthor import AssetDatabase, import_house
    from vantage.splats import save_scene
    from vantage.splats.synthesis import cloud_from_spec

    if out.exists():
        raise SceneError(f"{out} exists already; choose another --out or remove it")
    house = import_house(source, arguments.index, AssetDatabase.find(arguments.assets))
    for warning in house.warnings:
        progress(f"warning: {warning}")
    spec = house.spec
    graph = SceneGraph.from_spec(spec)
    cloud = cloud_from_spec(spec) if arguments.cloud else None
    shows = f"house {arguments.index} of {source.name}: {len(spec.rooms)} rooms with {len(graph.objects())} things"
    save_scene(out, spec, graph, cloud, name=spec.name, start=first_view(spec), shows=shows)
    data = {
        "input": str(source),
        "output": str(out),
        "index": arguments.index,
        "rooms": len(spec.rooms),
        "things": len(graph.objects()),
        "openings": len(spec.openings),
        "gaussians": 0 if cloud is None else len(cloud),
        "missing_assets": list(house.missing),
        "warnings": list(house.warnings),
    }
    lost = "\n".join(f"warning: {warning}" for warning in house.warnings)
    painted = "no cloud" if cloud is None else f"{len(cloud)} Gaussians"
    return Result(f"{out}: {shows}, {painted}" + (f"\n{lost}" if lost else ""), data)


def run_export(arguments: argparse.Namespace, source: Path, out: Path) -> Result:
    """Write a home as a house.

    Raises:
        SceneError, FormatError: the home has no specification or contradicts itself; ``out`` exists already.
    """
    from vantage.errors import SceneError
    from vantage.scenes.procthor import AssetDatabase, save_procthor
    from vantage.scenes.spec import load_spec
    from vantage.splats import SPEC_FILE

    if out.is_dir() or (out.exists() and not arguments.force):
        raise SceneError(f"{out} exists already; choose another name or add --force to overwrite a file")
    specification = source / SPEC_FILE
    if not specification.is_file():
        raise SceneError(f"{source} has no {SPEC_FILE}; only homes made by 'vantage scene' can become houses")
    spec = load_spec(specification)
    save_procthor(spec, out, AssetDatabase.find(arguments.assets))
    objects = sum(not obj.is_structure for obj in spec.objects)
    data = {"input": str(source), "output": str(out), "rooms": len(spec.rooms), "things": objects}
    return Result(f"{out}: a house of {len(spec.rooms)} rooms with {objects} things", data)


def add_parser(actions: Any) -> None:
    convert = actions.add_parser(
        "convert",
        parents=[common_options()],
        help="write a cloud in another format, or a ProcTHOR house as a home and back",
        description="Clouds: reads .ply (also compressed), .splat, .spz, .sog, SOG and SceneSplat folders; "
        "writes .ply, .compressed.ply, .splat and .spz. The cloud keeps its frame and units. "
        "Houses: a ProcTHOR file (.json, .jsonl, either also with .gz) becomes the folder OUT of a home, and the "
        "folder of a home becomes such a file.",
    )
    convert.add_argument("path", metavar="IN")
    convert.add_argument("to", metavar="OUT", nargs="?")
    convert.add_argument("--out", metavar="OUT", help="the same as OUT")
    convert.add_argument("--sh-degree", type=int, choices=range(4), help="keep spherical harmonics up to this degree")
    convert.add_argument(
        "--drop-broken", action="store_true", help="leave out Gaussians with impossible values instead of failing"
    )
    convert.add_argument("--force", action="store_true", help="overwrite the file OUT")
    convert.add_argument(
        "--no-cloud", dest="cloud", action="store_false", help="a house becomes a home without a cloud"
    )
    convert.add_argument("--index", type=int, default=0, help="of the house in a file of many (default %(default)s)")
    add_assets_option(convert)
    convert.set_defaults(run=run_convert)


def run_convert(arguments: argparse.Namespace) -> Result:
    from vantage.errors import UsageError
    from vantage.scenes.procthor import is_house_file
    from vantage.splats.formats import META

    if bool(arguments.to) == bool(arguments.out):
        raise UsageError("give OUT once, as the second argument or with --out")
    source, out = Path(arguments.path), Path(arguments.to or arguments.out)
    if is_house_file(source) and source.name != META:
        return run_import(arguments, source, out)
    if is_house_file(out):
        return run_export(arguments, source, out)
    return _convert_cloud(arguments, source, out)


def _convert_cloud(arguments: argparse.Namespace, source: Path, out: Path) -> Result:
    from vantage.errors import SceneError, UsageError
    from vantage.splats import COEFFICIENTS
    from vantage.splats.formats import WRITABLE, is_writable, losses, read_cloud, save_cloud

    if not is_writable(out):
        raise UsageError(f"OUT must end in one of {', '.join(WRITABLE)}, got {out.name}")
    if out.is_dir() or (out.exists() and not arguments.force):
        raise SceneError(f"{out} exists already; choose another name or add --force to overwrite a file")
    loaded = read_cloud(source, broken="drop" if arguments.drop_broken else "error")
    cloud, lost = loaded.cloud, []
    if loaded.dropped:
        lost.append(f"{loaded.dropped} broken Gaussians")
    if arguments.sh_degree is not None and arguments.sh_degree < cloud.degree:
        lost.append(f"harmonics of degree {arguments.sh_degree + 1} to {cloud.degree}, as asked for")
        cloud = replace(cloud, sh=cloud.sh[:, : COEFFICIENTS[arguments.sh_degree]])
    if loaded.classes is not None and loaded.classes.any():
        lost.append("the classes of the instances")
    lost += losses(cloud, out)
    save_cloud(cloud, out)
    degree = 0 if out.name.lower().endswith(".splat") else cloud.degree
    data = {
        "input": str(source),
        "output": str(out),
        "format": loaded.kind,
        "gaussians": 0 if cloud is None else len(cloud),
        "dropped": loaded.dropped,
        "sh_degree": degree,
        "bytes_in": loaded.stored,
        "bytes_out": out.stat().st_size,
        "lost": lost,
    }
    return Result(
        f"{out}: {len(cloud)} Gaussians of degree {degree}, {_size(loaded.stored)} of {loaded.kind} became "
        f"{_size(data['bytes_out'])}\nlost: {'; '.join(lost) or 'nothing'}",
        data,
    )


def _size(count: Any) -> str:
    return f"{count / 1e6:.2f} MB" if count >= 1e5 else f"{count} bytes"
