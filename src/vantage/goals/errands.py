"""What became of a task that was carried out, as the robot itself tells it: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class End(Enum):
    """How it ended. Errand.msg numbers these in this order, from 1 on."""

    DONE = "done"
    HELD_BACK = "held back"
    """The guard did not let the goal be pursued."""
    UNREAD = "no goal"
    """The model that reads tasks did not answer, or not so that it can be read."""
    UNPLANNED = "no plan"
    FAILED = "failed"
    BUDGET = "out of steps"


@dataclass(frozen=True)
class Deed:
    """One planned action that the robot tried.

    Attributes:
        command: number of the last command of it among those of the episode; what it did is in that command's result.
        verb: of the plan.
        objects: names, as the robot believes the scene to be.
        failure: why it did not come off, in a word; empty where it did.
        reached: whether the robot believed the goal to be reached then.
        search: it opened something to look for a thing, or closed it again.
    """

    command: int
    verb: str
    objects: tuple[str, ...]
    failure: str = ""
    reached: bool = False
    search: bool = False

    @property
    def done(self) -> bool:
        """Whether it came off, as the robot believes."""
        return not self.failure


@dataclass(frozen=True)
class Errand:
    """What was done for a task; its goal and the guard's ruling stand in the answer that holds this.

    Attributes:
        deeds: in the order in which they were tried.
        sought: kinds of things that were looked for.
        replans: how often the robot judged and planned anew.
        reason: why it is not done, in one sentence.
    """

    end: End
    deeds: tuple[Deed, ...] = ()
    sought: tuple[str, ...] = ()
    replans: int = 0
    reason: str = ""
