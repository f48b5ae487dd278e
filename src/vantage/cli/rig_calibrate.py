"""``vantage rig calibrate``: where the camera sits on the rig, and its lens, from views of a printed ChArUco board."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, progress
from vantage.errors import UsageError

HELP = "find the camera's place on the rig, and its lens, from views of a ChArUco board"


def add_options(parser: argparse.ArgumentParser) -> None:
    job = parser.add_mutually_exclusive_group()
    job.add_argument(
        "--print-board", metavar="FILE", help="write the board as a PNG to be printed in actual size, and end"
    )
    job.add_argument(
        "--from", dest="folder", metavar="DIR", help="use the views of an earlier calibration; nothing moves"
    )
    parser.add_argument("--at", metavar="X,Y,Z", help="where the middle of the board is, roughly, m")
    parser.add_argument(
        "--facing", metavar="X,Y,Z", help="to which side its print faces (default: to the rig's middle)"
    )
    parser.add_argument("--views", type=at_least(8), default=24, help="pictures to take (default %(default)s)")
    parser.add_argument("--save", metavar="DIR", default="rig-views", help="folder for the views (default %(default)s)")
    parser.add_argument("--lens", metavar="FILE", default="camera.yaml", help="for a lens found (default %(default)s)")
    parser.add_argument("--squares", metavar="NX,NY", default="8,5", help="of the board (default %(default)s)")
    parser.add_argument("--square", type=float, default=0.032, help="edge of a square, m (default %(default)s)")
    parser.add_argument("--marker", type=float, default=0.024, help="edge of a marker, m (default %(default)s)")
    parser.add_argument("--dictionary", default="5X5_100", help="of markers (default %(default)s)")


def run(arguments: argparse.Namespace) -> Result:
    from vantage.worlds.rig.calibration.charuco import Board

    board = Board(*_whole(arguments.squares), arguments.square, arguments.marker, arguments.dictionary)
    if arguments.print_board:
        width, height = board.write_png(arguments.print_board)
        size = f"{1e3 * width:.0f} x {1e3 * height:.0f} mm"
        text = f"{arguments.print_board}: print it in actual size, {size}, on stiff board"
        return Result(text, {"board": arguments.print_board, "size": [width, height]})
    return _calibrate(arguments, board)


def _calibrate(arguments: argparse.Namespace, board: Any) -> Result:
    from vantage.cli.rig_moving import rig_settings, writable
    from vantage.decoding import Section
    from vantage.spatial import invert
    from vantage.worlds.rig.calibration.calibration_views import load_views
    from vantage.worlds.rig.calibration.lens_calibration import LensModel
    from vantage.worlds.rig.calibration.rig_calibration import calibrate_rig
    from vantage.worlds.rig.cameras.calibration_file import write_calibration
    from vantage.worlds.rig.description import load_rig, origin, rig_file

    settings, lens = rig_settings(arguments), writable(arguments.lens)
    description = load_rig(rig_file(settings.rig.file))
    if not arguments.folder:
        _take_views(arguments, settings, board)
    positions, pictures, intrinsics = load_views(Path(arguments.folder or arguments.save), description.chain)
    given = Section.of_file(description.path).section("rig").section("chain")
    T_tip_mount = description.chain.T_tip_camera @ invert(origin(given, "camera"))
    known = None if intrinsics is None else LensModel(intrinsics)
    found = calibrate_rig(list(zip(positions, pictures, strict=True)), description.chain, board, known, T_tip_mount)
    lines = found.lines()
    if found.lens_fit is not None:
        write_calibration(lens, found.lens.calibration(description.name))
        lines.append(f"lens in {arguments.lens}; name it in the rig's file as camera.calibration")
    lines.append(f"put into chain of {description.path.name}:  {found.yaml()}")
    data = {
        "residual_px": found.hand_eye.rms,
        "T_tip_camera": found.hand_eye.T_tip_camera.tolist(),
        "yaml": found.yaml(),
        "views": len(positions),
        "lens": arguments.lens if found.lens_fit is not None else "",
    }
    return Result("\n".join(lines), data)


def _take_views(arguments: argparse.Namespace, settings: Any, board: Any) -> None:
    """Drive around the board and keep the pictures; a folder that holds views already is not touched."""
    from vantage.cli.rig_moving import moving, writable
    from vantage.worlds.rig.calibration.board_viewing import board_facing, viewing_positions
    from vantage.worlds.rig.calibration.calibration_views import ViewFolder

    if not arguments.at:
        raise UsageError("say roughly where the board is with --at X,Y,Z, or give earlier views with --from")
    middle = _vector(arguments.at)
    front = _vector(arguments.facing) if arguments.facing else None
    writable(str(Path(arguments.save) / "views.yaml"))
    folder = ViewFolder(Path(arguments.save))
    with moving(arguments, settings) as rig:
        chain, world = rig.description.chain, rig.world
        centre = chain.T_world_camera(0.5 * (chain.lower + chain.upper))[:3, 3]
        at = board_facing(board, middle, centre - middle if front is None else front)
        where = viewing_positions(
            chain, board, at, arguments.views, world.intrinsics.horizontal_fov, lambda q: world.may_stand(q)
        )
        known = rig.camera.intrinsics if getattr(rig.camera, "calibrated", False) else None
        for number, q in enumerate(where, start=1):
            seen = world.go_to(q, allow_unwind=True)
            assert seen.posture is not None
            folder.add(seen.posture.joints, seen.rgb, known)
            shown = board.detect(seen.rgb)
            progress(f"[{number}/{len(where)}] {0 if shown is None else len(shown)} corners")


def _whole(text: str) -> tuple[int, int]:
    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"--squares {text}: expected two whole numbers such as 8,5") from error
    return x, y


def _vector(text: str) -> Any:
    import numpy as np

    try:
        values = [float(part) for part in text.split(",")]
    except ValueError as error:
        raise UsageError(f"'{text}' is no vector; give three numbers such as 0.5,0,1") from error
    if len(values) != 3 or not np.isfinite(values).all():
        raise UsageError(f"'{text}' is no vector; give three numbers such as 0.5,0,1")
    return np.array(values)
