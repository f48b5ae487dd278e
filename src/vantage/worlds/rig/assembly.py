"""A rig put together from its file: on hardware, on an emulated controller, or in simulated time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vantage.config import Settings
from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.registry import CAMERAS, DRIVERS, EMULATORS, did_you_mean
from vantage.spatial import Matrix
from vantage.worlds.rig.camera import Camera
from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.description import RigDescription, load_rig, rig_file
from vantage.worlds.rig.drivers import Driver
from vantage.worlds.rig.machine import RigMachine
from vantage.worlds.rig.parts import Emulator, RigParts
from vantage.worlds.rig.world import RigWorld

if TYPE_CHECKING:
    from vantage.worlds.rig.arm import Arm

HARDWARE, EMULATED, SIMULATED = "hardware", "emulated", "simulated"
MODES = (HARDWARE, EMULATED, SIMULATED)
_REAL_CAMERAS = ("opencv", "ros")
_NOISY_CAMERAS = ("mock", "splat")
_NOISE = 1.0  # grey levels of a simulated camera in the place of a real one


@dataclass(frozen=True, eq=False)
class Assembly:
    """A rig and its parts; ``world`` owns them all.

    Attributes:
        emulator: of the controller; None on hardware and in simulated time.
    """

    world: RigWorld
    description: RigDescription
    driver: Driver
    camera: Camera
    emulator: Emulator | None = None

    @property
    def machine(self) -> RigMachine:
        """What moves, of the world."""
        return self.world.machine


def assemble(
    settings: Settings,
    description: RigDescription | None = None,
    confirmed: bool | None = None,
    clock: Clock | None = None,
) -> Assembly:
    """The rig of ``settings.rig``, not connected yet. With an emulated controller or in simulated time a real camera
    is replaced by one that sees the splat scenes of ``settings.world.scenes``.

    Args:
        description: instead of the one in ``settings.rig.file``.
        confirmed: whether the first motion needs no person to allow it; as ``rig.confirmed`` says where None, and
            always allowed where nothing real moves.
        clock: of the driver and its emulator instead of their own, where both take one, as those of Grbl do.

    Raises:
        ConfigError: the file or the mode is wrong.
        HardwareError: an emulator could not start.
    """
    mode = settings.rig.mode
    if mode not in MODES:
        raise ConfigError(f"rig.mode: unknown '{mode}'{did_you_mean(mode, [*MODES])}")
    description = description or load_rig(rig_file(settings.rig.file))
    if mode == SIMULATED:  # where pictures from one place are the same picture
        description = replace(description, look=replace(description.look, frozen=0))
    with ExitStack() as stack:
        emulator = _emulator(description, stack, clock) if mode == EMULATED else None
        driver = _driver(description, mode, emulator, clock)

        def told() -> Matrix:
            return driver.state().positions

        true = emulator.positions if emulator is not None else told
        camera = _camera(description, mode, RigParts(settings, description, driver.clock, true))
        arm = _arm(description, mode, stack, told) if description.arm is not None else None
        if confirmed is None:
            confirmed = settings.rig.confirmed or mode != HARDWARE
        belongings = ExitStack()
        machine = RigMachine(description, driver, camera, settings, arm, belongings, confirmed)
        world = RigWorld(machine, camera, description, settings)
        belongings.push(stack.pop_all())
        return Assembly(world, description, driver, camera, emulator)


def _camera(description: RigDescription, mode: str, parts: RigParts) -> Camera:
    section, name = description.camera, description.camera_name
    if mode != HARDWARE and _is_real(description):
        name = "splat"
        section = Section({"name": name, "noise": _NOISE}, section.where, section.folder)
    if mode == SIMULATED and name in _NOISY_CAMERAS:  # nothing in simulated time is random
        section = section.with_values(noise=0.0)
    camera: Camera = CAMERAS.create(section.text("name"), section, parts)
    return camera


def _is_real(description: RigDescription) -> bool:
    """Whether the camera needs hardware or a topic; a video file is a camera anywhere."""
    if description.camera_name == "opencv":
        try:
            device = description.camera.with_values().text("device", "")
        except ConfigError:  # a number, as of /dev/video2
            return True
        return not device or device.isdigit() or device.startswith("/dev/")
    return description.camera_name in _REAL_CAMERAS


def _emulator(description: RigDescription, stack: ExitStack, clock: Clock | None) -> Emulator:
    if description.driver_name not in EMULATORS.names():
        raise ConfigError(
            f"{description.driver.where}: there is no emulator of '{description.driver_name}'; "
            f"use one of {', '.join(EMULATORS.names())} or rig.mode=simulated"
        )
    emulator: Emulator = EMULATORS.create(description.driver_name, description, **_given(clock))
    stack.callback(emulator.close)
    emulator.start()
    return emulator


def _driver(description: RigDescription, mode: str, emulator: Emulator | None, clock: Clock | None) -> Driver:
    section = description.driver
    if mode == SIMULATED:
        section, clock = Section({"name": "simulated"}, section.where, section.folder), None
    elif emulator is not None:
        section = section.with_values(**emulator.overrides)
    name = section.text("name")
    driver: Driver = DRIVERS.create(name, section, description, **_given(clock))
    return driver


def _given(clock: Clock | None) -> dict[str, Clock]:
    return {} if clock is None else {"clock": clock}


def _arm(description: RigDescription, mode: str, stack: ExitStack, positions: Callable[[], Matrix]) -> Arm:
    from vantage.worlds.rig.arm import make_arm

    return make_arm(description, mode, stack, positions)


def make_rig_world(settings: Settings) -> RigWorld:
    """The factory behind the registered name ``rig``: reads the rig's file, connects, moves nothing.

    Raises:
        ConfigError: the file is wrong.
        HardwareError: something does not answer; what was opened or started is closed again.
    """
    with ExitStack() as stack:
        world = assemble(settings).world
        stack.callback(world.close)
        world.connect()
        stack.pop_all()
    return world
