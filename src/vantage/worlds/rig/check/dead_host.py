"""A program that drives a rig and is meant to be killed, for ``vantage rig check``: reads what to drive from its input
and prints where the joints are while the rig moves along the longest way that is free.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import replace

from vantage.config import Settings
from vantage.decoding import Section
from vantage.errors import HardwareError, VantageError
from vantage.worlds.rig.assembly import HARDWARE, assemble
from vantage.worlds.rig.check.check_hands import Hands
from vantage.worlds.rig.check.findings import FailedError
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.safety.motion_checks import EPISODE

_BEAT = 0.02  # s


def main() -> int:
    """Drive until the way is done, the input's orders are wrong, or nobody listens any more."""
    try:
        _drive(json.load(sys.stdin))
    except (VantageError, FailedError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _drive(order: dict[str, object]) -> None:
    """The order names the rig's file, values that the driver's section has instead, and all settings."""
    given = load_rig(str(order["file"]))
    room = "" if given.safety.room == EPISODE else given.safety.room  # which only simulated cameras know
    description = replace(
        given,
        safety=replace(given.safety, room=room),
        driver=given.driver.with_values(**order["driver"]),  # type: ignore[arg-type]
        camera=Section({"name": "mock"}, given.camera.where, given.camera.folder),
        arm=None,
    )
    settings = Settings().with_values(order["settings"], "order")  # type: ignore[arg-type]
    settings = replace(settings, rig=replace(settings.rig, mode=HARDWARE))
    rig = assemble(settings, description, confirmed=True)
    with closing(rig.world):
        rig.world.connect()
        if not rig.driver.state().homed:
            rig.world.home()
        hands = Hands(rig, settings)
        with hands.long_move() as motion:
            while not motion.over.is_set():
                at, positions = hands.sight()
                print(json.dumps([at, positions.tolist()]), flush=True)
                motion.over.wait(_BEAT)
        if not motion.done:
            raise HardwareError(motion.words)


if __name__ == "__main__":
    raise SystemExit(main())
