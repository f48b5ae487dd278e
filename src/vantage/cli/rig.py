"""``vantage rig``: check, home and move the hardware, calibrate its camera, compare it with its splat model."""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.errors import ConfigError, UsageError
from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.config import Settings
    from vantage.worlds.rig import Assembly, RigDescription


_SEED = 1


def rig_settings(arguments: argparse.Namespace) -> Settings:
    """Settings with what ``--rig`` and ``--emulate`` say."""
    from vantage.cli.settings import rig_assignments, settings_from

    return settings_from(arguments, *rig_assignments(arguments))


@contextmanager
def with_room(settings: Settings, description: RigDescription) -> Iterator[tuple[Settings, str]]:
    """Settings whose simulated camera has a scene to see, a generated room where none is given, and its name; empty
    where the camera sees no scene.

    Raises:
        ConfigError: the place of the scenes holds none.
    """
    from dataclasses import replace

    from vantage.splats import list_scenes
    from vantage.splats.synthesis import make_scene

    if settings.rig.mode == "hardware" or description.camera_name == "mock":
        yield settings, ""
        return
    with tempfile.TemporaryDirectory(prefix="vantage-rig-") as folder:
        scenes = settings.world.scenes
        if not scenes:
            progress(f"generating a room from seed {_SEED} for the camera to see")
            make_scene(_SEED, Path(folder) / (description.scene or "room"))
            scenes = folder
        found = list_scenes(scenes)
        if not found:
            raise ConfigError(f"there are no scenes in {scenes}; set world.scenes to a folder of scenes")
        yield replace(settings, world=replace(settings.world, scenes=scenes)), description.scene or min(found)


def ask_first(arguments: argparse.Namespace, settings: Settings) -> None:
    """Have a person at the terminal confirm that a real rig may move.

    Raises:
        UsageError: nobody is there, or the answer is no.
    """
    if arguments.yes or settings.rig.mode != "hardware" or settings.rig.dry_run:
        return
    if not sys.stdin.isatty():
        raise UsageError("the rig would move and nobody can be asked; clear its space and give --yes")
    print("The rig will move. Is its space clear and the emergency stop within reach? [y/N] ", end="", file=sys.stderr)
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("not confirmed, so nothing moved")


def writable(path: str) -> Path:
    """A file that can be written later: told now, before anything moves or takes long.

    Raises:
        UsageError: it cannot.
    """
    file = Path(path)
    if file.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=file.parent).close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); choose another place") from error
    return file


@contextmanager
def moving(arguments: argparse.Namespace, settings: Settings) -> Iterator[Assembly]:
    """A connected rig that a person allowed to move; Ctrl-C stops it."""
    from vantage.worlds.rig import assemble, load_rig, rig_file

    description = load_rig(rig_file(settings.rig.file))
    ask_first(arguments, settings)
    with with_room(settings, description) as (settings, _):
        rig = assemble(settings, description)
        try:
            rig.world.connect()
            rig.world.confirm_motion()
            yield rig
        finally:
            rig.world.close()


CALIBRATE_HELP = "find the camera's place on the rig, and its lens, from views of a ChArUco board"


def add_calibrate_options(parser: argparse.ArgumentParser) -> None:
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


def run_calibrate(arguments: argparse.Namespace) -> Result:
    from vantage.worlds.rig.calibration import Board

    board = Board(*_whole(arguments.squares), arguments.square, arguments.marker, arguments.dictionary)
    if arguments.print_board:
        width, height = board.write_png(arguments.print_board)
        size = f"{1e3 * width:.0f} x {1e3 * height:.0f} mm"
        text = f"{arguments.print_board}: print it in actual size, {size}, on stiff board"
        return Result(text, {"board": arguments.print_board, "size": [width, height]})
    return _calibrate(arguments, board)


def _calibrate(arguments: argparse.Namespace, board: Any) -> Result:
    from vantage.decoding import Section
    from vantage.spatial import invert
    from vantage.worlds.rig import load_rig, origin, rig_file
    from vantage.worlds.rig.calibration import LensModel, calibrate_rig, load_views
    from vantage.worlds.rig.cameras import write_calibration

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
    from vantage.worlds.rig.calibration import ViewFolder, board_facing, viewing_positions

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
            chain, board, at, arguments.views, world.intrinsics.horizontal_fov, lambda q: rig.machine.may_stand(q)
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


def add_compare_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "compare",
        parents=[common_options(), settings_options()],
        help="compare a bag of the rig with the splat model of its room",
    )
    parser.add_argument("bag", metavar="BAG", help="recorded on the rig")
    parser.add_argument("--scene", required=True, metavar="SCENE", help="the model, in the rig's world frame")
    parser.add_argument("--simulated", metavar="BAG", help="the same episode, flown in the model")
    parser.add_argument("--out", metavar="FILE", default="sim-to-real.html", help="the page (default %(default)s)")
    parser.set_defaults(run=run_compare)


def run_compare(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.reports import compare, write_comparison

    page = writable(arguments.out)
    comparison = compare(arguments.bag, arguments.scene, settings_from(arguments), arguments.simulated)
    write_comparison(comparison, page)
    return Result(
        "\n".join([*comparison.lines(), f"page: {arguments.out}"]), {**comparison.data(), "page": arguments.out}
    )


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("rig", help="check, home, move and calibrate the hardware")
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True, parser_class=type(parser))
    check = _action(actions, "check", "prove step by step that the rig moves, sees and stops as it should", run_check)
    check.add_argument("--out", metavar="FILE", default="rig-check.md", help="the report (default %(default)s)")
    check.add_argument(
        "--inject", metavar="FAULT", default="", help="break the emulated rig amid a motion; the check must fail"
    )
    _action(actions, "home", "find the reference position", run_home)
    goto = _action(actions, "goto", "move the camera to a viewpoint, through every safety check", run_goto)
    for name, unit in (("x", "m"), ("y", "m"), ("z", "m"), ("yaw", "rad"), ("pitch", "rad")):
        goto.add_argument(name, type=_finite, help=unit)
    goto.add_argument("--allow-unwind", action="store_true", help="a joint may turn farther than 200 degrees, slowly")
    add_calibrate_options(_action(actions, "calibrate", CALIBRATE_HELP, run_calibrate))
    add_compare_parser(actions)


def _action(actions: Any, name: str, words: str, run: Any) -> Any:
    parser = actions.add_parser(name, parents=[common_options(), settings_options()], help=words)
    parser.add_argument("--rig", metavar="FILE", help="the rig's file, or the name of one in config/rigs")
    parser.add_argument("--emulate", action="store_true", help="on an emulated controller in a splat room")
    parser.add_argument("--yes", action="store_true", help="the space is clear: move without asking")
    parser.set_defaults(run=run)
    return parser


def run_check(arguments: argparse.Namespace) -> Result:
    from vantage.worlds.rig import assemble, load_rig, rig_file
    from vantage.worlds.rig.check import FAILED, OUTCOMES, Finding, RigCheck, finding_line, refuse_unknown, write_report

    settings, report = rig_settings(arguments), writable(arguments.out)
    if settings.rig.dry_run:
        raise UsageError("in a dry run nothing moves, so nothing can be proven; take rig.dry_run away")
    description = load_rig(rig_file(settings.rig.file))
    if arguments.inject:
        refuse_unknown(arguments.inject, settings, description)
    ask_first(arguments, settings)
    with with_room(settings, description) as (settings, scene):
        rig = assemble(settings, description, confirmed=False)

        def tell(finding: Finding) -> None:
            progress(finding_line(finding))

        findings = RigCheck(rig, settings, scene, arguments.inject, tell).run()
    write_report(report, description, settings, findings)
    counts = {outcome: sum(finding.outcome == outcome for finding in findings) for outcome in OUTCOMES}
    data = {
        "rig": description.name,
        "mode": settings.rig.mode,
        "inject": arguments.inject,
        **counts,
        "steps": [
            {"step": f.step, "outcome": f.outcome, "words": f.words, "seconds": round(f.seconds, 3)} for f in findings
        ],
        "report": arguments.out,
    }
    text = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    return Result(f"{text}; report in {arguments.out}", data, done=not counts[FAILED])


def run_home(arguments: argparse.Namespace) -> Result:
    with moving(arguments, rig_settings(arguments)) as rig:
        rig.machine.home()
        return _where(rig)


def run_goto(arguments: argparse.Namespace) -> Result:
    from vantage.spatial import Viewpoint

    target = Viewpoint(arguments.x, arguments.y, arguments.z, arguments.yaw, arguments.pitch)
    with moving(arguments, rig_settings(arguments)) as rig:
        rig.world.go_to(rig.machine.positions_at(target), allow_unwind=arguments.allow_unwind)
        return _where(rig)


def _where(rig: Assembly) -> Result:
    v = rig.machine.viewpoint
    x, y, z, yaw, pitch = (round(value, 4) + 0.0 for value in (v.x, v.y, v.z, v.yaw, v.pitch))  # no -0.0000
    text = f"at ({x:.4f}, {y:.4f}, {z:.4f}) m, yaw {yaw:.4f}, pitch {pitch:.4f} rad"
    joints = zip(rig.description.chain.joints, rig.driver.state().positions, strict=True)
    return Result(
        text,
        {
            "viewpoint": [v.x, v.y, v.z, v.yaw, v.pitch],
            "joints": {joint.name: float(position) for joint, position in joints},
        },
    )


def _finite(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"must be a finite number, got {shown(text)}")
    return value
