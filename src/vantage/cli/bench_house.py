"""``vantage bench looks``: homes as splats and as houses, side by side."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress

if TYPE_CHECKING:
    from vantage.scenes.spec import SceneSpec
    from vantage.splats import GaussianCloud

_FOV = 1.2  # rad


def add_looks_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "looks",
        parents=[common_options()],
        help="homes as houses of MuJoCo against the same as splats: ids of pixels, words for colors, print",
    )
    parser.add_argument("--home", nargs="+", metavar="DIR", help="generated scenes (default: two of four rooms)")
    parser.add_argument("--seed", type=at_least(0), default=1, help="of the first home (default %(default)s)")
    parser.add_argument("--rooms", type=at_least(1), default=4, help="of generated homes (default %(default)s)")
    parser.add_argument("--homes", type=at_least(1), default=2, help="to generate (default %(default)s)")
    parser.add_argument("--views", type=at_least(1), default=20, help="of each home (default %(default)s)")
    parser.add_argument(
        "--prints", type=at_least(0), default=60, help="views of print in each home at most (default %(default)s)"
    )
    parser.add_argument("--width", type=at_least(1), default=800, help="of the picture, px (default %(default)s)")
    parser.add_argument("--height", type=at_least(1), default=600, help="of the picture, px (default %(default)s)")
    parser.set_defaults(run=run_looks)


def run_looks(arguments: argparse.Namespace) -> Result:
    from vantage.bench import bench_looks, looks_table
    from vantage.cli.json_values import json_value
    from vantage.spatial import Intrinsics
    from vantage.worlds.house import require_mujoco

    require_mujoco()
    camera = Intrinsics.from_fov(arguments.width, arguments.height, _FOV)
    homes = [_scene(path) for path in arguments.home] if arguments.home else _generated(arguments)
    data = bench_looks(homes, arguments.views, arguments.prints, camera, arguments.seed, progress)
    return Result("\n".join(looks_table(data)), json_value(data), done=data["met"])


def _scene(path: str) -> tuple[SceneSpec, GaussianCloud]:
    from vantage.errors import SceneError
    from vantage.scenes.spec import load_spec
    from vantage.splats import SPEC_FILE, load_scene

    scene = load_scene(path)
    spec = Path(path) / SPEC_FILE
    if not spec.is_file():
        raise SceneError(f"{path} holds no {SPEC_FILE}, so there is no house of it; give a generated home")
    return load_spec(spec), scene.cloud


def _generated(arguments: argparse.Namespace) -> list[tuple[SceneSpec, GaussianCloud]]:
    from vantage.scenes.generator import generate_home
    from vantage.splats.synthesis import cloud_from_spec

    found = []
    for seed in range(arguments.seed, arguments.seed + arguments.homes):
        progress(f"generating a home from seed {seed}")
        home = generate_home(seed, arguments.rooms, f"home_{seed}")
        found.append((home, cloud_from_spec(home)))
    return found
