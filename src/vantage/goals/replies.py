"""What a model replied, read as goals: strictly, as it was asked for, or tolerantly, which is told apart.

Goals stand under the keys ``node goals``, ``edge goals`` and ``action goals``, in one of two ways of writing::

    {"name": "lamp", "state": "ON"}    {"from_name": "cup", "relation": "ON", "to_name": "table"}
    ["Dusty", "shelf.n.01_1"]          ["not", ["Inside", "cup.n.01_1", "sink.n.01_1"]]
    {"action": "WASH", "description": "wash the hands"}
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from vantage.bounded_json import bounded_json
from vantage.errors import MissingExtraError
from vantage.goals.facts import word_key
from vantage.goals.goals import ActionGoal, EdgeGoal, Literal, NodeGoal

NODES, EDGES, ACTIONS = "node goals", "edge goals", "action goals"
_KEYS = (NODES, EDGES, ACTIONS)
_MOST_TEXT = 200_000  # characters of a reply; of a longer one its end is read
_MOST_STARTS = 64  # braces from which JSON is tried to be read
_MOST_GOALS = 10_000
_FENCE = re.compile(r"```\w*\s*(\{.*\})\s*```", re.DOTALL)
_NAMES_GOALS = re.compile(r"(?:node|edge|action)[ _]goals", re.IGNORECASE)
_REFUSES = re.compile(
    r"\b(?:cannot|can ?not|can['’]t|unable to|not able to|impossible|infeasible|not (?:feasible|possible|achievable)"
    r"|there(?: is|['’]s| are) (?:no|not)\b|(?:is|are|was|were)(?: not|n['’]t) (?:present|available|there|listed|in )"
    r"|does(?: not|n['’]t) (?:exist|contain|have)|do not exist|no such|not enough information|missing from"
    r"|(?:decline|refuse)s? )",
    re.IGNORECASE,
)


class ReplyForm(Enum):
    """What a reply is as a whole."""

    GOALS = "goals"
    EMPTY = "empty"
    """Well-formed, without a goal."""
    REFUSED = "refused"
    """Words alone that say that it cannot be done."""
    ASKED_BACK = "asked back"
    """Goals that a guard holds back until somebody confirms them."""
    UNPARSABLE = "unparsable"


@dataclass(frozen=True)
class Reading:
    """A reply as it was read.

    Attributes:
        goals: each once, in order.
        unread: goals that are none in any way of writing.
        strict: it was as asked for, without anything but a code fence around it or to be mended.
        refuses: its words say that it cannot be done, also beside goals.
    """

    form: ReplyForm
    goals: tuple[Literal, ...] = ()
    unread: int = 0
    strict: bool = False
    refuses: bool = False


def read_reply(text: str) -> Reading:
    """
    Raises:
        MissingExtraError: only ``json-repair`` could mend it, and is not installed.
    """
    said = text.rpartition("</think>")[2].strip()[-_MOST_TEXT:]
    if said.startswith("<think>"):  # it was cut while it still thought
        return Reading(ReplyForm.UNPARSABLE)
    found, around, strict = _document(said)
    refuses = bool(_REFUSES.search(around))
    if found is None:
        return Reading(ReplyForm.REFUSED if refuses else ReplyForm.UNPARSABLE, refuses=refuses)
    goals, unread, as_asked = _goals(found)
    form = ReplyForm.GOALS if goals or unread else ReplyForm.EMPTY
    distinct: dict[tuple[str, ...], Literal] = {}
    for goal in goals:
        distinct.setdefault(goal.key, goal)
    return Reading(form, tuple(distinct.values()), unread, strict and as_asked, refuses)


def reply_text(goals: Iterable[Literal], instances: bool) -> str:
    """Goals as a reply that is read strictly.

    Args:
        instances: in lists of words, as BEHAVIOR has it, instead of mappings.
    """
    told: dict[str, list[Any]] = {NODES: [], EDGES: []} if instances else {key: [] for key in _KEYS}
    for goal in goals:
        if isinstance(goal, ActionGoal):
            told.setdefault(ACTIONS, []).append({"action": goal.action, "description": goal.description})
            continue
        words = _in_words(goal) if instances else _in_keys(goal)
        told[NODES if isinstance(goal, NodeGoal) else EDGES].append(words if goal.holds else ["not", words])
    return json.dumps(told, ensure_ascii=False)


def _in_words(goal: NodeGoal | EdgeGoal) -> list[str]:
    return [goal.state, goal.object] if isinstance(goal, NodeGoal) else [goal.relation, goal.subject, goal.object]


def _in_keys(goal: NodeGoal | EdgeGoal) -> dict[str, str]:
    if isinstance(goal, NodeGoal):
        return {"name": goal.object, "state": goal.state}
    return {"from_name": goal.subject, "relation": goal.relation, "to_name": goal.object}


def _document(said: str) -> tuple[Mapping[str, Any] | None, str, bool]:
    """The mapping with goals, the words around it, and whether it was well-formed JSON alone."""
    fenced = _FENCE.fullmatch(said)
    whole = _loaded(fenced[1] if fenced else said)
    if isinstance(whole, Mapping) and _tells_goals(whole):
        return whole, "", True
    for begin, end, value in reversed(list(_mappings(said))):
        if _tells_goals(value):
            return value, f"{said[:begin]} {said[end:]}", False
    named = _NAMES_GOALS.search(said)
    begin = said.rfind("{", 0, named.start()) if named else -1
    if begin < 0:
        return None, said, False
    mended = _mended(said[begin:])
    if isinstance(mended, Mapping) and _tells_goals(mended):
        return mended, said[:begin], False
    return None, said, False


def _loaded(text: str) -> Any:
    """JSON without NaN; None where it is none."""
    try:
        return bounded_json(text, parse_constant=_refuse)
    except ValueError:
        return None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _tells_goals(value: Any) -> bool:
    return isinstance(value, Mapping) and any(word_key(str(key)) in map(word_key, _KEYS) for key in value)


def _mappings(said: str) -> Iterator[tuple[int, int, Any]]:
    """Mappings among other text, as JSON or as Python writes them, with where they begin and end."""
    at, starts = said.find("{"), 0
    while at >= 0 and starts < _MOST_STARTS:
        starts += 1
        end = _closing(said, at)
        value = None if end is None else _loaded(said[at:end])
        if end is not None and value is None:
            value = _literal(said[at:end])
        if end is not None and isinstance(value, Mapping):
            yield at, end, value
            at = said.find("{", end)
        else:
            at = said.find("{", at + 1)


def _closing(said: str, begin: int) -> int | None:
    """Behind the brace that closes the one at ``begin``, quotations left out; None where none does."""
    depth, quote, at = 0, "", begin
    while at < len(said):
        letter = said[at]
        if quote:
            if letter == "\\":
                at += 1
            elif letter == quote:
                quote = ""
        elif letter == '"' or (letter == "'" and not said[at - 1].isalnum()):
            quote = letter
        elif letter in "{}":
            depth += 1 if letter == "{" else -1
            if depth == 0:
                return at + 1
        at += 1
    return None


def _literal(text: str) -> Any:
    """As Python writes values; None where it is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def require_mending() -> Any:
    """What reads broken JSON.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import json_repair
    except ImportError as error:
        raise MissingExtraError(
            f"a reply with broken JSON is read by the extra 'goals' ({error}); run: make setup WITH=goals"
        ) from error
    return json_repair


def _mended(text: str) -> Any:
    mending = require_mending()
    try:
        return mending.loads(text)
    except (ValueError, RecursionError):
        return None


def _goals(document: Mapping[str, Any]) -> tuple[list[Literal], int, bool]:
    """The goals of a document, how many could not be read, and whether all were as asked for."""
    goals: list[Literal] = []
    unread, as_asked = 0, {*document} <= {*_KEYS}
    for key, value in document.items():
        name = next((each for each in _KEYS if word_key(each) == word_key(str(key))), None)
        if name is None:
            continue
        listed = list(value) if isinstance(value, (list, tuple, set)) else [value] if value else []
        as_asked = as_asked and isinstance(value, list)
        for item in listed[:_MOST_GOALS]:
            goal, usual = _goal(name, item)
            as_asked = as_asked and usual
            if goal is None:
                unread += 1
            else:
                goals.append(goal)
        unread += max(0, len(listed) - _MOST_GOALS)
    return goals, unread, as_asked and not unread


def _goal(name: str, item: Any, holds: bool = True) -> tuple[Literal | None, bool]:
    """One goal, and whether it is written and placed as asked for."""
    if isinstance(item, (list, tuple)) and item and isinstance(item[0], str) and word_key(item[0]) == "not" and holds:
        nested = len(item) == 2 and isinstance(item[1], (list, tuple, Mapping))
        goal, usual = _goal(name, item[1] if nested else item[1:], False)
        return goal, usual and nested
    if isinstance(item, Mapping):
        return _from_mapping(name, item, holds)
    words = [item] if isinstance(item, str) else item
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) and word.strip() for word in words):
        return None, False
    if name == ACTIONS:
        return (ActionGoal(*words[:2]), False) if words else (None, False)
    if len(words) == 2:
        return NodeGoal(words[1], words[0], holds), name == NODES
    if len(words) == 3:
        return EdgeGoal(words[1], words[0], words[2], holds), name == EDGES
    return None, False


def _from_mapping(name: str, item: Mapping[Any, Any], holds: bool) -> tuple[Literal | None, bool]:
    given = {word_key(str(key)): value for key, value in item.items()}
    wanted: Sequence[str] = {NODES: ("name", "state"), EDGES: ("fromname", "relation", "toname")}.get(name, ("action",))
    values = [given.get(key) for key in wanted]
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    if len(texts) < len(wanted):
        return None, False
    if name == NODES:
        return NodeGoal(texts[0], texts[1], holds), len(given) == 2
    if name == EDGES:
        return EdgeGoal(texts[0], texts[1], texts[2], holds), len(given) == 3
    description = given.get("description", "")
    return (ActionGoal(texts[0], str(description)), "description" in given) if holds else (None, False)
