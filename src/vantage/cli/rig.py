"""``vantage rig``: check, home and move the hardware, calibrate its camera, compare it with its splat model."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from vantage.cli import rig_calibrate, rig_compare
from vantage.cli.main import Result, common_options, progress, settings_options
from vantage.cli.rig_moving import ask_first, moving, rig_settings, with_room, writable
from vantage.errors import UsageError
from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.worlds.rig.assembly import Assembly


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
    rig_calibrate.add_options(_action(actions, "calibrate", rig_calibrate.HELP, rig_calibrate.run))
    rig_compare.add_parser(actions)


def _action(actions: Any, name: str, words: str, run: Any) -> Any:
    parser = actions.add_parser(name, parents=[common_options(), settings_options()], help=words)
    parser.add_argument("--rig", metavar="FILE", help="the rig's file, or the name of one in config/rigs")
    parser.add_argument("--emulate", action="store_true", help="on an emulated controller in a splat room")
    parser.add_argument("--yes", action="store_true", help="the space is clear: move without asking")
    parser.set_defaults(run=run)
    return parser


def run_check(arguments: argparse.Namespace) -> Result:
    from vantage.worlds.rig.assembly import assemble
    from vantage.worlds.rig.check.check_report import FAILED, OUTCOMES, Finding, finding_line, write_report
    from vantage.worlds.rig.check.rig_check import RigCheck, refuse_unknown
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
