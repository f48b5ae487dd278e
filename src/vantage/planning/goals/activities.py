"""What a robot shall be doing when it does what people call by one word: reading, sleeping, watching television.

Each row: words of the task's name, and what must be so then. Of each list of kinds the first is meant that the scene
has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vantage.planning.wishes import Change

_COMPUTER = ("computer", "laptop")
_SEATS = ("couch", "sofa", "chair", "bed")
_DRINKS = ("drinking_glass", "water_glass", "cup", "coffee_cup", "mug", "glass")
_BOOKS = ("novel", "book", "address_book", "textbook", "newspaper")


@dataclass(frozen=True)
class Activity:
    """One activity.

    Attributes:
        name: of a row, by which figures of it are kept.
        words: that a task's name has.
        agent_state: that the agent is in.
        agent_at: relation of the agent to one of the things in each list.
        change: of one of the things in the list behind it.
        action: to be done.
    """

    name: str
    words: re.Pattern[str]
    agent_state: str = ""
    agent_at: tuple[tuple[str, tuple[str, ...]], ...] = ()
    change: tuple[tuple[Change, tuple[str, ...]], ...] = ()
    action: str = ""


def _row(name: str, words: str, **more: object) -> Activity:
    return Activity(name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE), **more)  # type: ignore[arg-type]


ACTIVITIES = (
    _row(
        "watch",
        r"watch\w*|tv|television",
        change=((Change.SWITCH_ON, ("television",)),),
        agent_at=(("FACING", ("television",)),),
        action="WATCH",
    ),
    _row("sleep", r"sleep\w*|nap|bed", agent_state="LYING", agent_at=(("ON", ("bed",)),), action="SLEEP"),
    _row("sit", r"sit|relax\w*|rest", agent_state="SITTING", agent_at=(("ON", _SEATS),)),
    _row("read", r"read\w*", agent_at=(("HOLDS_RH", _BOOKS),), action="READ"),
    _row("drink", r"drink\w*", agent_at=(("HOLDS_RH", _DRINKS),), action="DRINK"),
    _row(
        "computer",
        r"e-?mails?|computer|laptop|internet|web|browse|surf|work\w*|chat\w*|homework|computer games?",
        change=((Change.SWITCH_ON, _COMPUTER),),
        agent_at=(("FACING", _COMPUTER),),
    ),
    _row("type", r"e-?mails?|type|write an? \w+", action="TYPE"),
    _row("toilet", r"toilet", agent_at=(("ON", ("toilet",)),)),
    _row("phone", r"phone|telephone|call", agent_at=(("HOLDS_RH", ("phone", "telephone", "cellphone")),)),
    _row("pet", r"pet|cat|kitty", agent_at=(("CLOSE", ("cat",)),), action="TOUCH"),
    _row("shower", r"shower", agent_at=(("CLOSE", ("shower",)),)),
    _row(
        "teeth", r"teeth|tooth", agent_at=(("HOLDS_RH", ("toothbrush",)), ("HOLDS_LH", ("tooth_paste", "toothpaste")))
    ),
    _row("wash", r"wash (?:\w+ )?(?:hands?|face|teeth)", action="WASH"),
    _row("dishwasher", r"dish\s?washer", change=((Change.SWITCH_ON, ("dishwasher",)),)),
    _row("laundry", r"laundry|clothes", change=((Change.SWITCH_ON, ("washing_machine",)),)),
    _row("cook", r"cook\w*|bake|fry", change=((Change.SWITCH_ON, ("oven", "stove", "microwave", "toaster")),)),
    _row("coffee", r"coffee", change=((Change.SWITCH_ON, ("coffe_maker", "coffee_maker")),), action="POUR"),
)
