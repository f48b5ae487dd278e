"""What the physics does for one command that was admitted: base and head, a handle, the fingers, or lift and arm."""

from __future__ import annotations

from dataclasses import replace

from vantage.types import ArmTarget, Command, Status
from vantage.worlds.house.loaded_house import LoadedHouse
from vantage.worlds.house.physics import Hand, Outcome, Stopped, move_arm, move_base, turn_handle

_OPEN = 1e-6  # m


def carried_out(loaded: LoadedHouse, command: Command, opening: float, stopped: Stopped) -> Outcome:
    """Carry out a command with a target of the camera, or else one of the arm.

    Args:
        opening: of the hand when it is fully open, m.

    Raises:
        PhysicsError: the physics broke down.
    """
    if command.target is not None:
        return move_base(loaded.sim, command.target, stopped)
    arm = command.arm
    assert arm is not None
    if arm.handle is not None:
        return turn_handle(loaded.house, loaded.sim, arm.handle, stopped)
    if arm.gripper_width is not None:
        return _gripped(loaded.hand, arm, opening, stopped)
    wanted = arm.step if arm.step is not None else arm.joints if arm.joints is not None else arm.T_world_tool
    assert wanted is not None
    return move_arm(loaded.sim, wanted, stopped)


def with_slip(loaded: LoadedHouse, outcome: Outcome) -> Outcome:
    """The same outcome; of a command that was done, with what slipped from the hand meanwhile."""
    if outcome.status is not Status.DONE or loaded.hand.slipped is None:
        return outcome
    what = f"the {loaded.label_of(loaded.hand.slipped)}" if loaded.sim.names else "what it held"
    return replace(outcome, reason=f"{what} slipped from the hand; grasp it with more force")


def _gripped(hand: Hand, arm: ArmTarget, opening: float, stopped: Stopped) -> Outcome:
    """A width with a force grasps, fully open lets go, another width alone moves the fingers."""
    assert arm.gripper_width is not None
    if arm.gripper_force > 0.0:
        return hand.grasp(arm.gripper_force, stopped)
    if arm.gripper_width >= opening - _OPEN:
        return hand.release(stopped)
    return hand.set_width(arm.gripper_width, stopped)
