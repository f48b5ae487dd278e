"""Makes the house world; names the extra where it cannot."""

from __future__ import annotations

from vantage.config import Settings
from vantage.worlds.house.extra import require_mujoco
from vantage.worlds.protocol import World


def make_house_world(settings: Settings) -> World:
    """The factory behind the registered name ``house``.

    Raises:
        MissingExtraError: MuJoCo is not installed.
        ConfigError: the robot's file is wrong.
    """
    require_mujoco()
    from vantage.worlds.house.world import HouseWorld

    return HouseWorld(settings)
