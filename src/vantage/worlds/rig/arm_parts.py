"""What an arm is put together from: its mount, its named poses and its drivers, as the rig's file says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from vantage.decoding import Section
from vantage.registry import DRIVERS, EMULATORS
from vantage.spatial import Matrix
from vantage.worlds.rig.arm_targets import joint_positions
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import Driver
from vantage.worlds.rig.kinematics.chain import Chain, transform
from vantage.worlds.rig.parts import Emulator

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
        ConfigError: a wrong value, or a link without anybody who tells where it is.
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
