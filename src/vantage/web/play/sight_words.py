"""What a person's page says, in words: of a sight, and before there is one."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from vantage.models import Prompt
from vantage.planning.agents import Sight
from vantage.web.play.controls import in_words

FORM = "form"  # field of the prompts of modes that ask what is wrong with a question
FINISH = "I have seen enough"
GRASP = "grasp with that strength [hold the space bar]"
LOADING = "The home is being loaded; practice comes first."
NOTHING_LEFT = "There is no further episode for you. Thank you."
GENTLEST = 1  # strength that is chosen before another one is
BEGIN, LEAVE = "Begin, or go on", "I am finished"
_ALONG = frozenset(("x+", "x-", "y+", "y-"))
_AXES = MappingProxyType(
    {
        "x": "x (level)",
        "y": "y (level)",
        "z": "z (up and down)",
        "yaw": "yaw (turn left and right)",
        "pitch": "pitch (look up and down)",
    }
)
_NOTHING_ASKED = "Look about; you are asked later."


def pseudonym_of(name: str) -> str:
    return f"Your pseudonym is {name}; note it down."


def front_of(name: str) -> frozenset[str]:
    """What the page says to who sits there before a sight is shown, besides what became of her last episode."""
    return frozenset((LOADING, BEGIN, LEAVE, pseudonym_of(name)))


def told_before(words: Prompt, sight: Sight) -> str:
    """What stands above the question, in the words of a mode."""
    if not sight.question:
        return _NOTHING_ASKED
    return words.fill(**{field: sight.question if field == "question" else "" for field in words.fields})


def axes_of(sight: Sight) -> str:
    """What the names of actions mean that go along axes; empty where there are none."""
    return "x and y are directions of the home, whichever way you look." if _ALONG & set(sight.actions) else ""


def restriction_of(sight: Sight) -> str:
    """Along which axes a restricted camera moves, and which it keeps; empty of one that moves freely."""
    if not sight.axes:
        return ""
    moving, kept = ([words for axis, words in _AXES.items() if (axis in sight.axes) is to] for to in (True, False))
    return f"Your camera is restricted. It moves: {', '.join(moving)}. It stays: {', '.join(kept)}."


def left_of(sight: Sight) -> str:
    return f"Steps left: {sight.steps_left}. Phase: {sight.phase}."


def result_of(sight: Sight) -> str:
    return f"Last action: {sight.last_action.replace('_', ' ')}. Result: {sight.result}."


def state_of(sight: Sight) -> str:
    """The line that is read aloud as the picture changes."""
    became = "" if sight.result == "none" else f" {sight.result}."
    return f"Picture {sight.number} is shown.{became}"


def strength_of(graded: int) -> str:
    """The label of how firmly one grasps, of so many strengths."""
    return f"Strength, 1 to {graded}"


def earlier_of(ago: int) -> str:
    """The words for the picture so many pictures before the current one."""
    return f"what the camera showed {ago} pictures ago"


def replayed_of(place: int, count: int, phase: str) -> str:
    """The words for a picture of one's own exploration, counted from 0."""
    return f"Picture {place + 1} of {count} of your exploration, phase {phase}"


def evidence_of(marked: Sequence[int]) -> str:
    """Which pictures count as evidence: those that she marked, by their numbers, and the one she answers from."""
    named = ", ".join(map(str, marked))
    return f"Evidence: pictures {named} and the last one." if named else "Evidence: the last picture."


def texts_of(words: Prompt, sight: Sight, graded: int) -> frozenset[str]:
    """All texts that a page may show because of a sight before anything is done on the page.

    Args:
        graded: how many actions differ in a number alone.
    """
    kept = sight.explored
    replayed = [replayed_of(0, len(kept), kept[0].phase)] if kept else []
    return frozenset(
        (
            *(told_before(words, sight), sight.question, left_of(sight), result_of(sight), state_of(sight)),
            *(text for action in sight.actions for text in (action, in_words(action))),
            *(FINISH, GRASP, strength_of(graded), str(GENTLEST)),
            *(evidence_of(()), axes_of(sight), restriction_of(sight)),
            *(earlier_of(ago) for ago in range(1, len(sight.pictures))),
            *(text for each in replayed for text in (each, f"{each}.")),
        )
    )
