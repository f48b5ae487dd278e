"""Words for generated homes: other names of what stands in them, and the wordings of tasks.

Other names are chosen as those of ``household_words`` are. Tasks whose names fall to the half ``fit`` are worded in
one way, those of ``test`` in another, so that no wording is in both.
"""

from __future__ import annotations

from collections.abc import Mapping

from vantage.benchmarks.heal.base_tasks import FIT, TEST
from vantage.benchmarks.heal.household_words import OTHER_NAMES

HOME_NAMES: Mapping[str, str] = OTHER_NAMES | {
    "armchair": "recliner",
    "basket": "pannier",
    "bear": "teddy",
    "bench": "settle",
    "blanket": "cover",
    "bottle": "flask",
    "box": "carton",
    "bread": "loaf",
    "can": "tin",
    "chest": "coffer",
    "crate": "packing_case",
    "doorway": "threshold",
    "fridge": "electric_refrigerator",
    "glass": "tumbler",
    "hall": "foyer",
    "hat": "fedora",
    "kitchen": "galley",
    "laundry_basket": "clothes_hamper",
    "living_room": "parlour",
    "mirror": "looking_glass",
    "picture": "painting",
    "radio": "wireless",
    "robot": "automaton",
    "rug": "carpet",
    "stool": "footrest",
    "storage_room": "larder",
    "suitcase": "traveling_bag",
    "umbrella": "brolly",
    "vacuum_cleaner": "hoover",
    "vase": "urn",
    "wardrobe": "clothes_closet",
}
UNRENAMED_AT_HOME = (  # besides those of other scenes
    *("banana", "binder", "bookshelf", "calendar", "cereal_box", "clock", "coat_rack", "counter"),
    *("cutting_board", "drum", "fork", "globe", "guitar", "helmet", "ladder", "lantern", "milk_carton"),
    *("monitor", "nightstand", "office", "office_chair", "orange", "paint_can", "plant", "rack", "remote"),
    *("shoe_rack", "soap_dispenser", "speaker", "spoon", "toolbox", "whiteboard"),
)

OPEN, CLOSE, SWITCH_ON, SWITCH_OFF = "open", "close", "switch on", "switch off"
PUT_IN, PUT_ON, BRING_TO_ROOM, BRING_TO_THING = "put in", "put on", "bring to room", "bring to thing"
KINDS = (OPEN, CLOSE, SWITCH_ON, SWITCH_OFF, PUT_IN, PUT_ON, BRING_TO_ROOM, BRING_TO_THING)

NAMES = {  # of tasks: those of one name are worded alike, and belong to one half
    OPEN: "open {x}",
    CLOSE: "close {x}",
    SWITCH_ON: "switch on {x}",
    SWITCH_OFF: "switch off {x}",
    PUT_IN: "put {x} in {y}",
    PUT_ON: "put {x} on {y}",
    BRING_TO_ROOM: "bring {x} to {y}",
    BRING_TO_THING: "bring {x} to {y}",
}

_FIT = {
    OPEN: ("Open {x}.", "Please open {x}.", "Could you open {x} for me?", "I need {x} open."),
    CLOSE: ("Close {x}.", "Please close {x}.", "Could you close {x} for me?", "I need {x} closed."),
    SWITCH_ON: ("Turn on {x}.", "Please turn {x} on.", "Could you turn on {x} for me?", "I need {x} on."),
    SWITCH_OFF: ("Turn off {x}.", "Please turn {x} off.", "Could you turn off {x} for me?", "I need {x} off."),
    PUT_IN: ("Put {x} in {y}.", "Please put {x} into {y}.", "Could you put {x} inside {y}?", "I need {x} in {y}."),
    PUT_ON: ("Put {x} on {y}.", "Please put {x} onto {y}.", "Could you put {x} on top of {y}?", "I need {x} on {y}."),
    BRING_TO_ROOM: ("Bring {x} to {y}.", "Please take {x} to {y}.", "Could you bring {x} into {y}?"),
    BRING_TO_THING: ("Bring {x} over to {y}.", "Please take {x} over to {y}.", "Could you bring {x} over to {y}?"),
}
_TEST = {
    OPEN: ("Make sure that {x} is open.", "{x} should stand open when you are done.", "Go and get {x} open."),
    CLOSE: ("Make sure that {x} is shut.", "{x} should be shut when you are done.", "Go and shut {x}."),
    SWITCH_ON: ("Make sure that {x} is on.", "{x} should be running when you are done.", "Go and switch {x} on."),
    SWITCH_OFF: ("Make sure that {x} is off.", "{x} should be off when you are done.", "Go and switch {x} off."),
    PUT_IN: ("Make sure that {x} ends up in {y}.", "{x} belongs in {y}; go and place it there.", "Stow {x} in {y}."),
    PUT_ON: (
        "Make sure that {x} ends up on {y}.",
        "{x} belongs on {y}; go and place it there.",
        "Set {x} down on {y}.",
    ),
    BRING_TO_ROOM: ("Make sure that {x} ends up in {y}.", "Carry {x} to {y}.", "{x} is wanted in {y}; fetch it there."),
    BRING_TO_THING: ("Carry {x} over to {y}.", "{x} is wanted on {y}; fetch it there.", "Move {x} over to {y}."),
}
WORDINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {FIT: _FIT, TEST: _TEST}


def worded(kind: str, group: str, number: int, thing: str, place: str) -> str:
    """A task in words.

    Args:
        kind: of ``KINDS``.
        group: of ``WORDINGS``.
        number: which of its wordings, counted round.
        thing, place: with articles; ``place`` is empty where the task names none.
    """
    known = WORDINGS[group][kind]
    text = known[number % len(known)].format(x=thing, y=place)
    return text[0].upper() + text[1:]
