"""Models that need no weights and reply in a known way, by which the scorer is checked: ``stand-in:NAME``.

====================  ================================================================================================
``obedient``          asks for everything that the text names, there or not; told what is not there, leaves it out
``copycat``           repeats the goals that the prompt shows as examples, or else asks for the first thing as it is
``refuser``           refuses everything
``repurposer``        asks for things that are there and that the text does not name
``oracle``            gives the gold goals, and refuses what is not feasible
``noisy-P``           the same, and mentions each absent thing that is asked about with probability P
====================  ================================================================================================

They take pictures and do not look at them: where these alone show a home, they go by the names that the prompt lists.

Kept to a schema, each leaves out the goals that do not follow it, as a model that can write nothing else would; nothing
is left of a refusal in words but no goals.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vantage.benchmarks.heal.home_kinds import truth_by_kind
from vantage.benchmarks.heal.home_words import HOME_NAMES, UNRENAMED_AT_HOME
from vantage.benchmarks.heal.household_words import DISTRACTORS, OTHER_NAMES, UNRENAMED
from vantage.benchmarks.heal.probing_items import pursuable
from vantage.config import Settings
from vantage.errors import RefusedCallError, UnknownNameError, UsageError
from vantage.files import parse_json
from vantage.goals import (
    ACTIONS,
    ActionGoal,
    EdgeGoal,
    Literal,
    NodeGoal,
    SceneFacts,
    kind_of,
    object_key,
    read_known,
    read_reply,
    read_scene,
    read_task,
    reply_text,
    task_from_json,
)
from vantage.models import Call, Deadline, Reply, fault, prompt
from vantage.registry import did_you_mean

_NAMES = ("obedient", "copycat", "refuser", "repurposer", "oracle")
_NOISY = "noisy-"
_TINY = "A square."  # whatever is shown, it is not looked at
_REFUSAL = "I cannot fulfil this request."
_KEYED_STATE = re.compile(r"\{'name': '(\w+)', 'state': '(\w+)'\}")
_WORDED = re.compile(r'\["(\w+)", "([\w.]+)"(?:, "([\w.]+)")?\]')
_NOT_THERE = re.compile(r"The scene does not contain (.*)\. Please refine")
_BEFORE_SCHEMA = "\n\nReply with one JSON value"
_INSTANCE = ".n.01_1"  # of a made-up thing, where things are named by sense
_MOST_REPURPOSED = 2


class StandIn:
    """A back end of ``registry.MODELS``.

    Raises:
        UnknownNameError: there is no such stand-in.
        UsageError: ``noisy-P`` has no probability.
    """

    def __init__(self, which: str, settings: Settings) -> None:
        self._which = which
        self._probability = _probability(which) if which.startswith(_NOISY) else 0.0
        if not (which in _NAMES or which.startswith(_NOISY)):
            raise UnknownNameError(f"unknown stand-in '{which}'{did_you_mean(which, [*_NAMES, f'{_NOISY}0.3'])}")

    @staticmethod
    def needs_gold(which: str) -> bool:
        """Whether it must be told the gold data of what it is asked, as the system text."""
        return which == "oracle" or which.startswith(_NOISY)

    @property
    def name(self) -> str:
        return f"stand-in:{self._which}"

    @property
    def limits_decoding(self) -> bool:
        """It follows the schema of a call."""
        return True

    @property
    def identity(self) -> Mapping[str, object]:
        return {"stand-in": self._which}

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        """
        Raises:
            RefusedCallError: it must know the gold data, and is not told any.
        """
        said = self._said(call)
        return Reply(said if call.schema is None else _kept(said, call.schema))

    def _said(self, call: Call) -> str:
        if call.images and call.prompt == prompt("tiny_picture").text:
            return _TINY
        sent = call.earlier[0].prompt if call.earlier else call.prompt
        if call.schema is not None:  # which stands behind the task
            sent = sent.rpartition(_BEFORE_SCHEMA)[0] or sent
        scene, in_words = read_known(sent), ACTIONS not in sent
        if self._which == "refuser":
            return _REFUSAL
        if self._which == "copycat":
            goals: Sequence[Literal] = list(_examples(sent)) or _as_they_are(scene)
        elif self._which == "repurposer":
            goals = _unnamed(read_task(sent).text, scene)
        elif self._which == "obedient":
            told = _NOT_THERE.search(call.prompt) if call.earlier else None
            absent = {object_key(name) for name in told[1].split(",")} if told else set()
            goals = [
                goal for goal in _named(read_task(sent).text, scene, in_words) if object_key(goal.object) not in absent
            ]
        else:
            return self._informed(call, sent, scene, in_words)
        return reply_text(goals, in_words)

    def _informed(self, call: Call, sent: str, scene: SceneFacts, in_words: bool) -> str:
        if not call.system:
            raise RefusedCallError(f"model '{self.name}' must know the gold data; ask it as agent interpreter in a run")
        where = "the gold data of a stand-in"
        truth = task_from_json(parse_json(call.system, where), where)
        if not read_scene(sent).objects:  # pictures alone show it
            truth = truth_by_kind(replace(truth, scene=SceneFacts()))
        goals = list(pursuable(truth.goal, scene)) if truth.feasible else []
        goals += [
            NodeGoal(name, truth.states[0]) for name in truth.asked_about if _uniform(sent, name) < self._probability
        ]
        return reply_text(goals, in_words)


def _kept(said: str, schema: Mapping[str, Any]) -> str:
    """The goals of a reply that follow a schema."""
    in_words = ACTIONS not in schema.get("properties", {})
    kept = [
        goal
        for goal in (read_reply(said).goals if said != _REFUSAL else ())
        if fault(json.loads(reply_text([goal], in_words)), schema) is None
    ]
    return reply_text(kept, in_words)


def _probability(which: str) -> float:
    try:
        value = float(which[len(_NOISY) :])
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise UsageError(f"model 'stand-in:{which}' has no probability; give one from 0 to 1, such as {_NOISY}0.3")
    return value


def _uniform(sent: str, name: str) -> float:
    """A number in 0..1 that looks drawn by lot and is the same for the same prompt and name."""
    return int.from_bytes(hashlib.sha256(f"{sent}\0{name}".encode()).digest()[:8], "big") / 2**64


def _examples(sent: str) -> Iterator[Literal]:
    """The goals that a prompt shows as examples."""
    for name, state in _KEYED_STATE.findall(sent):
        yield NodeGoal(name, state)
    for predicate, first, second in _WORDED.findall(sent):
        yield EdgeGoal(first, predicate, second) if second else NodeGoal(first, predicate)


def _as_they_are(scene: SceneFacts) -> Sequence[Literal]:
    """The first thing in a state that it can have; what can have none cannot be asked for."""
    able = (item for item in scene.objects if item.possible)
    return [NodeGoal(item.name, item.possible[0]) for item in able][:1]


def _named(text: str, scene: SceneFacts, in_words: bool) -> list[NodeGoal]:
    """A goal of each thing that a text names: of all that are there by that name, or of one that is not."""
    by_sense = any("." in item.name for item in scene.objects)
    known = (*HOME_NAMES, *UNRENAMED_AT_HOME) if in_words and not by_sense else OTHER_NAMES
    there: dict[str, list[str]] = {}
    for item in scene.objects:
        there.setdefault(kind_of(item.name), []).append(item.name)
    left, goals = f" {re.sub(r'[^a-z]+', ' ', text.lower())} ", list[NodeGoal]()
    words = {*there, *known, *UNRENAMED, *map(object_key, DISTRACTORS)}
    for word in sorted(words, key=lambda each: (-len(each), each)):
        said = f" {word.replace('_', ' ')} "
        if said in left:
            left = left.replace(said, " | ")
            names = there.get(word, [f"{word}{_INSTANCE if by_sense else ''}"])
            goals += [NodeGoal(name, _state(name, scene, in_words)) for name in names]
    return goals


def _state(name: str, scene: SceneFacts, in_words: bool) -> str:
    own = next((item.possible for item in scene.objects if item.name == name and item.possible), ())
    return own[0] if own else "Stained" if in_words else "CLEAN"


def _unnamed(text: str, scene: SceneFacts) -> list[Literal]:
    """Goals of things that are there and that the text does not name; where it names all, of any."""
    said = object_key(text)
    able = [item for item in scene.objects if item.possible]
    others = [item for item in able if kind_of(item.name) not in said] or able
    found: dict[str, Literal] = {item.name: NodeGoal(item.name, item.possible[-1]) for item in others}
    return list(found.values())[:_MOST_REPURPOSED] or [ActionGoal("FIND")]
