"""What MuJoCo warns of goes to Python's log, not into a file in the folder that a program runs in."""

from __future__ import annotations

import logging

import mujoco

_LOG = logging.getLogger(__name__)


def _tell(warning: str) -> None:
    _LOG.info("%s", warning)


def log_warnings() -> None:
    """From now on, in this process; ``Simulation.broken`` tells those that matter."""
    mujoco.set_mju_user_warning(_tell)
