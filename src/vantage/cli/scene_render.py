"""``vantage scene render``: a picture of a scene, as splats or as the house of its specification."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, common_options, settings_options

if TYPE_CHECKING:
    from vantage.config import Settings
    from vantage.scenes.spec import SceneSpec
    from vantage.spatial import Intrinsics, Viewpoint

WORLDS = ("splat", "house")


def add_parser(actions: Any) -> None:
    render = actions.add_parser("render", parents=[common_options(), settings_options()], help="take a picture")
    render.add_argument("path", metavar="SCENE", help="a scene; for the house a folder or file with homes, too")
    render.add_argument("--out", required=True, metavar="FILE", help="a .png or .jpg file")
    render.add_argument(
        "--viewpoint",
        metavar="X,Y,Z,YAW,PITCH",
        help="m and rad, written --viewpoint=-1,0,... (default: the scene's start, or its middle)",
    )
    render.add_argument("--world", choices=WORLDS, default="splat", help="what is drawn (default %(default)s)")
    render.add_argument("--home", metavar="NAME", help="of several homes, for the house")
    render.add_argument(
        "--opened",
        type=_share,
        metavar="SHARE",
        help="open all drawers and doors of the house so far, 0 to 1 (default: as they are)",
    )
    render.set_defaults(run=run_render)


def _share(text: str) -> float:
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"must be from 0 to 1, got {text}")
    return value


def run_render(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.files import write_whole
    from vantage.recording import encode_image
    from vantage.spatial import Intrinsics

    out = Path(arguments.out)
    if out.suffix not in (".png", ".jpg"):
        raise UsageError(f"--out must end in .png or .jpg, got {out.name}")
    if arguments.world != "house" and (arguments.home or arguments.opened is not None):
        raise UsageError("--home and --opened are for --world house; leave them out or add it")
    settings = settings_from(arguments)
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    viewpoint = _viewpoint(arguments.viewpoint) if arguments.viewpoint else None
    if arguments.world == "house":
        rgb = _house_picture(arguments, viewpoint, intrinsics)
    else:
        rgb = _splat_picture(arguments.path, settings, viewpoint, intrinsics)
    write_whole(out, encode_image(rgb, out.suffix))
    return Result(str(out), {"image": str(out), "width": camera.width, "height": camera.height})


def _splat_picture(path: str, settings: Settings, viewpoint: Viewpoint | None, intrinsics: Intrinsics) -> Any:
    from vantage.splats import load_scene
    from vantage.splats.rendering import make_renderer

    scene = load_scene(path)
    viewpoint = viewpoint or _default_view(scene)
    renderer = make_renderer(settings.world.renderer, settings.world.threads)
    try:
        return renderer.render(scene.cloud, viewpoint.T_world_camera_optical(), intrinsics).rgb
    finally:
        renderer.close()


def _house_picture(arguments: argparse.Namespace, viewpoint: Viewpoint | None, intrinsics: Intrinsics) -> Any:
    from vantage.scenes.geometry import first_view
    from vantage.worlds.house import require_mujoco

    require_mujoco()
    from vantage.worlds.house import house_picture

    home = _home(arguments.path, arguments.home)
    return house_picture(home, viewpoint or first_view(home), intrinsics, arguments.opened)


def _home(path: str, name: str | None) -> SceneSpec:
    from vantage.errors import UsageError
    from vantage.worlds.house import list_homes, load_home

    names = sorted(list_homes(path))
    if name is None and len(names) != 1:
        found = f"{len(names)} homes, such as {', '.join(names[:3])}" if names else "no home"
        raise UsageError(f"{path} holds {found}; name one with --home")
    return load_home(path, name or names[0])


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
