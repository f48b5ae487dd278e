"""The arm of a rig: mount, named poses, joint and pose targets and a gripper, through drivers of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType

import numpy as np

from vantage.decoding import Section
from vantage.errors import ConfigError, HardwareError, UnknownNameError, UnreachableError
from vantage.registry import DRIVERS, EMULATORS, did_you_mean
from vantage.spatial import Matrix
from vantage.types import ArmTarget, Link, Touch
from vantage.worlds.arm_targets import parts_violation
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.rig.description import RigDescription, origin, read_chain
from vantage.worlds.rig.drivers import Driver
from vantage.worlds.rig.gripper import Gripper, read_gripper
from vantage.worlds.rig.kinematics import Branch, Chain, inverse, transform
from vantage.worlds.rig.parts import Emulator

_ROOM = 1e-6  # m or rad: float noise in a target that is meant to lie on a limit


def joint_positions(chain: Chain, positions: Mapping[str, float], now: Matrix) -> tuple[Matrix, str | None]:
    """(N,) with the named joints where they should be and the others as they are ``now``, and what is wrong with it."""
    names = [joint.name for joint in chain.joints]
    goal = np.array(now, np.float64)
    if not positions:
        return goal, "the arm's target names no joint"
    for name, value in positions.items():
        if name not in names:
            return goal, f"the arm has no joint '{name}'{did_you_mean(name, names)}"
        joint = chain.joints[names.index(name)]
        if not math.isfinite(value):
            return goal, f"the target of {name} is not finite"
        if not joint.lower - _ROOM <= value <= joint.upper + _ROOM:
            limits = f"[{joint.lower:.4f}, {joint.upper:.4f}] {joint.unit}"
            return goal, f"{name} = {value:.4f} {joint.unit} is outside the limits {limits}"
        goal[names.index(name)] = min(max(value, joint.lower), joint.upper)
    return goal, None


def tool_positions(chain: Chain, T_world_tool: Matrix, now: Matrix) -> tuple[Matrix, str | None]:
    """(N,) that bring the tool to a pose (4, 4), close to ``now``, and what is wrong with it."""
    try:
        return inverse.solve_pose(chain, T_world_tool, now), None
    except UnreachableError as error:
        return np.array(now), str(error)


PARTS = ("joints", "T_world_tool", "gripper_width")  # of ``ArmTarget``, what these arms take
EMULATED, SIMULATED = "emulated", "simulated"  # modes of ``rig.mode`` besides hardware


class Mount:
    """Where the arm's base stands.

    Args:
        link: of the rig; empty for the world.
        T_link_base: (4, 4).
        T_world_link: where that link is now; the identity where None.
    """

    def __init__(self, link: str, T_link_base: Matrix, T_world_link: Callable[[], Matrix] | None = None) -> None:
        self.link, self.T_link_base, self._T_world_link = link, T_link_base, T_world_link

    def T_world_base(self) -> Matrix:
        """(4, 4), now.

        Raises:
            HardwareError: the rig that carries the arm is not connected.
        """
        return self.T_link_base if self._T_world_link is None else self._T_world_link() @ self.T_link_base


def read_mount(section: Section, description: RigDescription, positions: Callable[[], Matrix] | None) -> Mount:
    """Keys: ``link`` of the rig (none for the world), ``xyz``, ``rpy``.

    Args:
        positions: of the rig's joints, (N,).

    Raises:
        ConfigError: a wrong value, or a link while the positions of the rig's joints are unknown.
    """
    chain = description.chain
    links = [chain.base, *(joint.link for joint in chain.joints)]
    link = section.text("link", "", choices=["", *links])
    xyz, (roll, pitch, yaw) = section.numbers("xyz", 3, (0.0,) * 3), section.numbers("rpy", 3, (0.0,) * 3)
    section.done()
    T_link_base = transform(xyz, roll, pitch, yaw)
    if not link:
        return Mount("", T_link_base)
    if positions is None:
        raise section.error("link", "nobody tells where the rig's joints are; mount the arm in the world")
    i = links.index(link)
    return Mount(link, T_link_base, lambda: chain.link_poses(positions())[i])


def read_poses(section: Section, chain: Chain) -> dict[str, dict[str, float]]:
    """Joint positions by name of a pose and of the joint.

    Raises:
        ConfigError: a joint that is not there, or a position outside its limits.
    """
    poses = {}
    for name in section.names():
        part = section.section(name)
        pose = {joint: part.number(joint) for joint in part.names()}
        _, reason = joint_positions(chain, pose, chain.lower)
        if reason is not None:
            raise section.error(name, reason)
        poses[name] = pose
    return poses


def make_driver(section: Section, description: RigDescription, mode: str, stack: ExitStack) -> Driver:
    """The driver of a section for the chain of a description, over its emulator or in simulated time if so wanted.

    Raises:
        ConfigError: a wrong key, or there is no emulator.
    """
    name = section.text("name", choices=DRIVERS.names())
    if mode == SIMULATED:
        section, name = Section({}, section.where, section.folder), "simulated"
    elif mode == EMULATED:
        if name not in EMULATORS.names():
            raise section.error("name", f"there is no emulator of '{name}' (known: {', '.join(EMULATORS.names())})")
        emulator: Emulator = EMULATORS.create(name, replace(description, driver=section, driver_name=name))
        stack.callback(emulator.close)
        emulator.start()
        section = section.with_values(**emulator.overrides)
        section.text("name")
    driver: Driver = DRIVERS.create(name, section, replace(description, driver=section, driver_name=name))
    return driver


TOOL = "arm_tool"  # name of the tool's frame
BASE = "arm_base"
_SAME_PLACE = 1e-9  # m or 1


class Arm:
    """One arm, perhaps with a gripper. ``stop`` may be called from any thread, ``move`` and ``clear`` one at a time.

    Args:
        chain: its ``T_tip_camera`` is the pose of the tool in the last link.
        poses: joint positions by name of the pose and of the joint.
    """

    def __init__(
        self,
        chain: Chain,
        driver: Driver,
        mount: Mount,
        poses: Mapping[str, Mapping[str, float]] | None = None,
        gripper: Gripper | None = None,
    ) -> None:
        self._chain, self._driver, self._mount = chain, driver, mount
        self._poses = dict(poses or {})
        self._gripper = gripper
        self._goal: Matrix | None = None

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """Of the arm and, where there is one, of its gripper."""
        return (self._driver,) if self._gripper is None else (self._driver, self._gripper.driver)

    @property
    def parts(self) -> tuple[str, ...]:
        """Of ``ArmTarget``, what this arm takes."""
        return PARTS

    @property
    def notify(self) -> Callable[[str, str], None]:
        """See ``Driver.notify``; setting it sets that of all drivers."""
        return self._driver.notify

    @notify.setter
    def notify(self, notify: Callable[[str, str], None]) -> None:
        for driver in self.drivers:
            driver.notify = notify

    def connect(self) -> None:
        """Open all links; nothing moves.

        Raises:
            HardwareError: something does not answer; what was opened is closed again.
        """
        with ExitStack() as opened:
            for driver in self.drivers:
                opened.enter_context(driver)
            opened.pop_all()

    def close(self) -> None:
        """Stop what moves and let go; harmless when repeated."""
        for driver in self.drivers:
            driver.close()

    def __enter__(self) -> Arm:
        self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def home(self, timeout: float) -> None:
        """Find the reference positions; see ``Driver.home``."""
        for driver in self.drivers:
            driver.home(timeout)

    # State ----------------------------------------------------------------------------------------------------------

    def joints(self) -> dict[str, float]:
        """Positions by name, m or rad, the gripper's joint included.

        Raises:
            HardwareError: not connected.
        """
        positions: dict[str, float] = {}
        for driver in self.drivers:
            pairs = zip(driver.joints, driver.state().positions, strict=True)
            positions |= {joint.name: float(value) for joint, value in pairs}
        return positions

    def T_world_tool(self) -> Matrix:
        """(4, 4): where the tool is now.

        Raises:
            HardwareError: not connected.
        """
        return self._placed().T_world_camera(self._driver.state().positions)

    def branch(self) -> Branch:
        """How the arm hangs on the rig, or stands in the world."""
        return Branch(self._mount.link or WorldInfo.frame, self._mount.T_link_base, self._chain, TOOL)

    def links(self) -> tuple[Link, ...]:
        """From what carries the arm to its tool, each after the one that carries it.

        Raises:
            HardwareError: not connected.
        """
        chain, steps = self._chain, []
        names = [chain.base, *(joint.link for joint in chain.joints)]
        for joint, position in zip(chain.joints, self._driver.state().positions, strict=True):
            steps.append(joint.T_parent_joint @ joint.motion(float(position)))
        moving = [Link(names[i], names[i + 1], step) for i, step in enumerate(steps)]
        first = Link(self._mount.link or WorldInfo.frame, chain.base, self._mount.T_link_base)
        return (first, *moving, Link(names[-1], TOOL, chain.T_tip_camera))

    def touch(self) -> Touch:
        """Where the hand is and whether it holds something; these arms feel no force.

        Raises:
            HardwareError: not connected.
        """
        nothing = np.full(3, math.nan)
        width, holds = (math.nan, False) if self._gripper is None else (self._gripper.width(), self._gripper.holds)
        return Touch(self.T_world_tool(), nothing, nothing, width, holds)

    def gripper_width(self) -> float:
        """m between the fingers.

        Raises:
            HardwareError: not connected, or there is no gripper.
        """
        if self._gripper is None:
            raise HardwareError("the arm has no gripper; name one in the rig's file")
        return self._gripper.width()

    @property
    def trouble(self) -> str:
        """Why the arm does not move at present, in words; empty when it could."""
        for driver in self.drivers:
            try:
                state = driver.state()
            except HardwareError as error:
                return str(error)
            if state.fault or state.held:
                return state.fault or "the arm is stopped"
        return ""

    # Motion ---------------------------------------------------------------------------------------------------------

    def pose(self, name: str) -> ArmTarget:
        """The target that leads to a pose named in the rig's file.

        Raises:
            UnknownNameError: no such pose.
        """
        if name not in self._poses:
            raise UnknownNameError(f"the arm has no pose '{name}'{did_you_mean(name, sorted(self._poses))}")
        return ArmTarget(joints=self._poses[name])

    def check(self, target: ArmTarget) -> str | None:
        """Why a motion to a target is not allowed or not possible, in words, or None."""
        try:
            return self._wanted(target)[1]
        except HardwareError as error:
            return str(error)

    def arm_violation(self, target: ArmTarget) -> str | None:
        """``check``, under the name that a ``SafetyGate`` calls."""
        return self.check(target)

    def move(self, target: ArmTarget, timeout: float) -> None:
        """Go to a target; joints that it does not name stay. A gripper that holds something on the way has arrived.

        Raises:
            StoppedError: a stop is in force or was requested meanwhile; at rest when raised.
            HardwareError: the target is not allowed, a fault, a place missed, or longer than ``timeout`` s.
        """
        goal, reason = self._wanted(target)
        if reason is not None:
            raise HardwareError(reason)
        if goal is not None:
            self._driver.move(goal, timeout)
            self._goal = goal
        elif self._gripper is not None and target.gripper_width is not None:
            self._gripper.move(target.gripper_width, target.gripper_force, timeout)

    def stop(self) -> None:
        """Brake at once and refuse motion until ``clear``; never raises, never waits."""
        for driver in self.drivers:
            driver.stop()

    def clear(self, timeout: float = 10.0) -> None:
        """End a stop or mend a fault; nothing moves.

        Raises:
            HardwareError: it cannot be mended from here; says what a person has to do.
        """
        self._goal = None
        for driver in self.drivers:
            driver.clear(timeout)

    def _wanted(self, target: ArmTarget) -> tuple[Matrix | None, str | None]:
        """Where the joints (N,) should go, None for a target of the gripper, and what is wrong with it."""
        reason = parts_violation(target, PARTS)
        if reason is not None:
            return None, reason
        if target.step is not None or target.handle is not None:
            return None, "this arm knows neither steps nor handles"
        if target.gripper_width is not None:
            if self._gripper is None:
                return None, "the arm has no gripper"
            return None, self._gripper.violation(target.gripper_width, target.gripper_force)
        now = self._driver.state().positions
        if target.T_world_tool is not None:
            return tool_positions(self._placed(), np.asarray(target.T_world_tool, np.float64), now)
        if self._goal is not None:  # so that joints that stay do not creep
            now = np.where(np.abs(now - self._goal) <= self._chain.resolution, self._goal, now)
        return joint_positions(self._chain, target.joints or {}, now)

    def _placed(self) -> Chain:
        """The chain where it stands now; the same one as long as it does, because solvers remember it."""
        T_world_base = self._mount.T_world_base()
        if not np.allclose(T_world_base, self._chain.T_world_base, rtol=0.0, atol=_SAME_PLACE):
            self._chain = replace(self._chain, T_world_base=T_world_base)
        return self._chain


def arm_poses(
    description: RigDescription,
) -> tuple[Mapping[str, Mapping[str, float]], tuple[float, float], float] | None:
    """Of a rig's file, the named poses of its arm, the widths of its gripper, closed and open (m), and the largest
    force of that (N); None where the arm has no gripper, or the rig no arm.

    Raises:
        ConfigError: a key has a wrong value.
    """
    section = description.arm
    if section is None or "gripper" not in section:
        return None
    poses = read_poses(section.section("poses", {}), read_chain(section.section("chain")))
    rules = read_gripper(section.section("gripper"))
    return poses, rules.widths, rules.max_force


def make_arm(
    description: RigDescription, mode: str, stack: ExitStack, positions: Callable[[], Matrix] | None = None
) -> Arm:
    """The arm of a rig's file, not connected yet.

    Keys: ``mount`` (``link`` of the rig or none for the world, ``xyz``, ``rpy``), ``chain`` (as the rig's, without a
    camera), ``tool`` (``xyz`` and ``rpy`` in the last link), ``driver``, ``poses`` and ``gripper`` (see
    ``read_gripper``, with a ``driver`` of its own).

    Args:
        mode: ``hardware``, ``emulated`` or ``simulated``.
        stack: closes the emulators that are started here.
        positions: of the rig's joints, (N,); needed where the arm is mounted on a link of the rig.

    Raises:
        ConfigError: there is no arm, a key is missing, unknown or has a wrong value, or a driver has no emulator.
    """
    section = description.arm
    if section is None:
        raise ConfigError(f"{description.path}: rig.arm: is missing")
    mount = read_mount(section.section("mount", {}), description, positions)
    chain = read_chain(section.section("chain"))
    base = BASE if chain.base == Chain.base else chain.base
    mount.T_link_base = mount.T_link_base @ chain.T_world_base
    chain = replace(chain, base=base, T_tip_camera=chain.T_tip_camera @ origin(section, "tool"))
    taken = _names(description.chain)
    for name in _names(chain):
        if name in taken:
            raise section.error("chain", f"a part of the rig is called '{name}' already; give it another name")
    poses = read_poses(section.section("poses", {}), chain)
    driver = make_driver(section.section("driver"), replace(description, chain=chain, arm=None), mode, stack)
    gripper = None
    if "gripper" in section:
        part = section.section("gripper")
        gripper = _gripper(part, replace(description, arm=None), mode, stack, [*taken, *_names(chain)])
    section.done()
    return Arm(chain, driver, mount, poses, gripper)


def _names(chain: Chain) -> list[str]:
    """Of all joints and links."""
    return [chain.base, *(joint.name for joint in chain.joints), *(joint.link for joint in chain.joints)]


def _gripper(section: Section, description: RigDescription, mode: str, stack: ExitStack, taken: list[str]) -> Gripper:
    rules = read_gripper(section)
    if rules.joint.name in taken:
        raise section.error("joint", f"a joint is called '{rules.joint.name}' already; give it another name")
    driver = make_driver(section.section("driver"), replace(description, chain=Chain((rules.joint,))), mode, stack)
    section.done()
    return Gripper(rules, driver, holds_nothing=mode == SIMULATED)
