"""What became of a task that was carried out, as the robot itself tells it: plain data, and JSON text in answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from vantage.errors import FormatError
from vantage.files import parse_json
from vantage.goals.goal_json import goal_from_json, goal_to_json
from vantage.goals.goals import Goal
from vantage.goals.rulings import Feasibility
from vantage.wording import shown

_KEY = "errand"


class End(Enum):
    """How it ended."""

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


@dataclass(frozen=True)
class Errand:
    """
    Attributes:
        ruling: of the guard, the last one.
        goal: in the names of the robot's own scene; it asks for nothing where none was understood.
        sought: kinds of things that were looked for.
        reason: why it is not done, in one sentence.
    """

    end: End
    ruling: Feasibility
    goal: Goal = field(default_factory=Goal)
    deeds: tuple[Deed, ...] = ()
    sought: tuple[str, ...] = ()
    reason: str = ""


def errand_text(errand: Errand) -> str:
    """As ``read_errand`` reads it."""
    plain = {
        _KEY: errand.end.name,
        "ruling": errand.ruling.name,
        "goal": goal_to_json(errand.goal),
        "deeds": [asdict(deed) for deed in errand.deeds],
        "sought": errand.sought,
        "reason": errand.reason,
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def read_errand(text: str, where: str) -> Errand | None:
    """None for a text that tells of none.

    Raises:
        FormatError: it does, and is damaged; the message begins with ``where``.
    """
    if not text.startswith(f'{{"{_KEY}":'):
        return None
    try:
        value = parse_json(text, where)
        return Errand(
            End[value[_KEY]],
            Feasibility[value["ruling"]],
            goal_from_json(value["goal"], where),
            tuple(_deed(item) for item in value["deeds"]),
            tuple(map(str, value["sought"])),
            str(value["reason"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{where}: expected what became of a task, got {shown(text)}; record it again") from error


def _deed(item: Any) -> Deed:
    if not isinstance(item, Mapping):
        raise ValueError("no deed")
    command, verb, objects = int(item["command"]), str(item["verb"]), tuple(map(str, item["objects"]))
    return Deed(command, verb, objects, str(item["failure"]), bool(item["reached"]), bool(item.get("search")))
