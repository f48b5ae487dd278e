"""The alarms of Grbl 1.1 that an emulated controller raises."""

from enum import IntEnum


class Alarm(IntEnum):
    """Values are those of ``ALARM:``; ``NONE`` is never told."""

    NONE = 0
    HARD_LIMIT = 1
    SOFT_LIMIT = 2
    RESET_IN_MOTION = 3
    HOMING_RESET = 6
    HOMING_DOOR = 7
    NOT_CLEARED = 8
    NOT_FOUND = 9

    @property
    def critical(self) -> bool:
        """Whether only a reset helps."""
        return self in (Alarm.HARD_LIMIT, Alarm.SOFT_LIMIT)
