"""Faults that are put into an emulated rig amid a motion, to see that they are noticed and told."""

from __future__ import annotations

from collections.abc import Callable

from vantage.config import Settings
from vantage.errors import UnknownNameError, UsageError
from vantage.registry import EMULATORS, did_you_mean
from vantage.worlds.rig.assembly import EMULATED, HARDWARE
from vantage.worlds.rig.cameras.paced import FAULTS as CAMERA_FAULTS
from vantage.worlds.rig.check.check_hands import Hands
from vantage.worlds.rig.check.findings import FailedError
from vantage.worlds.rig.description import RigDescription

_SIMULATED_CAMERAS = ("mock", "splat")
_MIDST = 0.2  # s after the motion was seen to begin


def known_faults(settings: Settings, description: RigDescription) -> tuple[str, ...]:
    """What can be broken in the rig that these make, before anything of it is started."""
    faults: tuple[str, ...] = ()
    if settings.rig.mode == EMULATED and description.driver_name in EMULATORS.names():
        faults += EMULATORS.create(description.driver_name, description).faults
    if settings.rig.mode != HARDWARE or description.camera_name in _SIMULATED_CAMERAS:
        faults += CAMERA_FAULTS
    return faults


def refuse_unknown(fault: str, settings: Settings, description: RigDescription) -> None:
    """See that a fault can be injected.

    Raises:
        UsageError: nothing can be broken in this rig.
        UnknownNameError: it knows other faults.
    """
    known = known_faults(settings, description)
    if not known:
        raise UsageError("real hardware is not broken on purpose; give --emulate with --inject")
    if fault not in known:
        raise UnknownNameError(f"unknown fault '{fault}'{did_you_mean(fault, [*known])}")


def struck(fault: str) -> Callable[[Hands], str]:
    """The step in which a fault strikes during the longest motion; it never passes."""

    def prove(hands: Hands) -> str:
        before = hands.newest_event()
        if not hands.rig.world.real_time:
            _inject(hands, fault)
        with hands.long_move() as motion:
            motion.over.wait(_MIDST)
            if hands.rig.world.real_time:
                _inject(hands, fault)
        told = [event.sentence for event in hands.rig.world.events(before)]
        if motion.done and not told:
            raise FailedError(f"'{fault}' was put in amid a motion of {motion.seconds:.1f} s, and nobody noticed")
        if motion.words and any(sentence in motion.words for sentence in told):
            raise FailedError(motion.words)
        raise FailedError(f"{motion.words or 'the motion was done, but'}: {told[0]}" if told else motion.words)

    return prove


def _inject(hands: Hands, fault: str) -> None:
    emulator, camera = hands.rig.emulator, hands.rig.camera
    if emulator is not None and fault in emulator.faults:
        emulator.inject(fault)
    else:
        camera.inject(fault)  # type: ignore[attr-defined]
