"""``vantage scene``: make homes, take pictures of splat scenes; the other verbs have modules of their own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli import scene_align, scene_check, scene_compose, scene_convert, scene_info
from vantage.cli.main import Result, at_least, common_options, progress, settings_options


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("scene", help="make, check, inspect, convert, align, compose or render scenes")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    make = actions.add_parser("make", parents=[common_options()], help="generate furnished homes")
    make.add_argument("--rooms", type=int, default=1, help="number of rooms of the home, 1 to 10 (default %(default)s)")
    make.add_argument("--seed", type=at_least(0), default=0, help="of the home; of the next ones it counts up")
    make.add_argument("--count", type=at_least(1), default=1, help="number of homes (default %(default)s)")
    make.add_argument("--out", required=True, metavar="DIR", help="gets one folder home_SEED for each home")
    make.set_defaults(run=run_make)

    render = actions.add_parser("render", parents=[common_options(), settings_options()], help="take a picture")
    render.add_argument("path", metavar="SCENE")
    render.add_argument("--out", required=True, metavar="FILE", help="a .png or .jpg file")
    render.add_argument(
        "--viewpoint",
        metavar="X,Y,Z,YAW,PITCH",
        help="m and rad, written --viewpoint=-1,0,... (default: the scene's start, or its middle)",
    )
    render.set_defaults(run=run_render)

    for verb in (scene_info, scene_check, scene_convert, scene_align, scene_compose):
        verb.add_parser(actions)


def run_make(arguments: argparse.Namespace) -> Result:
    from vantage.errors import SceneError, UsageError
    from vantage.scenes.generator.floor_plan import MAX_ROOMS, MIN_ROOMS
    from vantage.splats.synthesis.from_spec import make_scene

    if not MIN_ROOMS <= arguments.rooms <= MAX_ROOMS:
        raise UsageError(f"--rooms must be from {MIN_ROOMS} to {MAX_ROOMS}, got {arguments.rooms}")
    out, made = Path(arguments.out), []
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        name = f"home_{seed}"
        if (out / name).exists():
            raise SceneError(f"{out / name} exists already; choose another --out or remove it")
        make_scene(seed, out / name, name, rooms=arguments.rooms)
        progress(f"made {out / name}")
        made.append(str(out / name))
    return Result("\n".join(made), {"scenes": made})


def run_render(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.files import write_whole
    from vantage.recording.publishers import encode_image
    from vantage.spatial import Intrinsics
    from vantage.splats.rendering.renderers import make_renderer
    from vantage.splats.scene_file import load_scene

    out = Path(arguments.out)
    if out.suffix not in (".png", ".jpg"):
        raise UsageError(f"--out must end in .png or .jpg, got {out.name}")
    settings = settings_from(arguments)
    scene = load_scene(arguments.path)
    viewpoint = _viewpoint(arguments.viewpoint) if arguments.viewpoint else _default_view(scene)
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    renderer = make_renderer(settings.world.renderer, settings.world.threads)
    try:
        view = renderer.render(scene.cloud, viewpoint.T_world_camera_optical(), intrinsics)
    finally:
        renderer.close()
    write_whole(out, encode_image(view.rgb, out.suffix))
    return Result(str(out), {"image": str(out), "width": camera.width, "height": camera.height})


def _viewpoint(text: str) -> Any:
    from vantage.errors import UsageError
    from vantage.spatial import Viewpoint

    try:
        x, y, z, yaw, pitch = (float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"--viewpoint needs five numbers x,y,z,yaw,pitch, got '{text}'") from error
    viewpoint = Viewpoint(x, y, z, yaw, pitch)
    if not viewpoint.is_finite:
        raise UsageError(f"--viewpoint needs finite numbers, got '{text}'")
    return viewpoint


def _default_view(scene: Any) -> Any:
    """The scene's start, or a look across it from near a corner at eye height."""
    import numpy as np

    from vantage.spatial import Viewpoint

    if scene.start is not None:
        return scene.start
    low, high = np.array(scene.bounds_min), np.array(scene.bounds_max)
    position = low + 0.1 * (high - low)
    position[2] = scene.floor + 0.6 * (high[2] - scene.floor)
    return Viewpoint.looking_at(position, 0.5 * (low + high) - [0.0, 0.0, 0.15 * (high[2] - low[2])])
