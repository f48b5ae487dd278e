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

from vantage.cli.main import Result, common_options, progress, settings_options
from vantage.errors import ConfigError, UsageError
from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.config import Settings
    from vantage.worlds.rig.assembly import Assembly
    from vantage.worlds.rig.description import RigDescription

_SEED = 1


def add_parser(subparsers: Any) -> None:
    from vantage.cli import rig_calibrate, rig_compare

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
    rig_calibrate.add_options(_action(actions, "calibrate", rig_calibrate.HELP, rig_calibrate.run))
    rig_compare.add_parser(actions)


def _action(actions: Any, name: str, words: str, run: Any) -> Any:
    parser = actions.add_parser(name, parents=[common_options(), settings_options()], help=words)
    parser.add_argument("--rig", metavar="FILE", help="the rig's file, or the name of one in config/rigs")
    parser.add_argument("--emulate", action="store_true", help="on an emulated controller in a splat room")
    parser.add_argument("--yes", action="store_true", help="the space is clear: move without asking")
    parser.set_defaults(run=run)
    return parser


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

    from vantage.splats.painting.from_spec import make_scene
    from vantage.splats.scene_file import list_scenes

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


def run_check(arguments: argparse.Namespace) -> Result:
    from vantage.worlds.rig.assembly import assemble
    from vantage.worlds.rig.check import RigCheck
    from vantage.worlds.rig.check_faults import refuse_unknown
    from vantage.worlds.rig.check_findings import FAILED, OUTCOMES, Finding
    from vantage.worlds.rig.check_report import finding_line, write_report
    from vantage.worlds.rig.description import load_rig, rig_file

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
        rig.world.home()
        return _where(rig)


def run_goto(arguments: argparse.Namespace) -> Result:
    from vantage.spatial import Viewpoint

    target = Viewpoint(arguments.x, arguments.y, arguments.z, arguments.yaw, arguments.pitch)
    with moving(arguments, rig_settings(arguments)) as rig:
        rig.world.go_to(rig.world.positions_at(target), allow_unwind=arguments.allow_unwind)
        return _where(rig)


@contextmanager
def moving(arguments: argparse.Namespace, settings: Settings) -> Iterator[Assembly]:
    """A connected rig that a person allowed to move; Ctrl-C stops it."""
    from vantage.worlds.rig.assembly import assemble
    from vantage.worlds.rig.description import load_rig, rig_file

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


def _where(rig: Assembly) -> Result:
    v = rig.world.viewpoint
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
