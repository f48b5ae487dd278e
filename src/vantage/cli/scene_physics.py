"""``vantage scene check HOME --physics``: whether a home stands still as bodies and a robot gets about in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vantage.scenes.spec import SceneSpec
    from vantage.worlds.house import RestReport


def physics_of(spec: SceneSpec) -> tuple[list[str], dict[str, Any], bool]:
    """Lines for people, data for scripts, and whether there are no faults.

    Raises:
        MissingExtraError: MuJoCo is not installed.
        SceneError: no bodies can be made of the home.
    """
    from vantage.cli.json_values import json_value
    from vantage.errors import MissingExtraError

    try:
        import mujoco  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "checking the physics of a home needs MuJoCo; run 'make setup WITH=house' or "
            "'pip install \"vantage-eqa[house]\"'"
        ) from error
    from vantage.worlds.house import check_rest, hand_reaches, load_robot

    robot = load_robot()
    report = check_rest(spec, robot.radius, robot.camera_height, hand_reaches(robot))
    data = {
        "faults": json_value(list(report.faults)),
        "notes": list(report.notes),
        "movable": report.movable,
        "farthest_m": report.farthest,
        "joints": report.joints,
        "joints_complete": report.complete,
        "rooms": report.rooms,
        "rooms_reached": report.reached,
        "handles": report.handles,
        "handles_in_reach": report.handles_in_reach,
        "things": report.things,
        "things_in_reach": report.things_in_reach,
    }
    lines = [f"  fault: {fault.message}" for fault in report.faults]
    lines += [f"  note: {note}" for note in report.notes]
    return [_summary(report), *lines], data, not report.faults


def _summary(report: RestReport) -> str:
    return (
        f"  as bodies: {report.movable} things can be picked up; nothing moves more than "
        f"{1000 * report.farthest:.1f} mm in 5 s; {report.complete} of {report.joints} joints run their whole range; "
        f"the base reaches {report.reached} of {report.rooms} rooms, the hand {report.handles_in_reach} of "
        f"{report.handles} handles and {report.things_in_reach} of {report.things} things"
    )
