"""Prompts of tasks: those that come with the data, filled with another scene or text, or in words of our own, in which
tasks in generated homes always are.

The published ones name things that no scene has, in their example and their table of relations; ours name none.
"""

from __future__ import annotations

import json
import re

from vantage.benchmarks.heal.base_tasks import HOMES, VIRTUALHOME, BaseTask, Vocabulary
from vantage.errors import FormatError
from vantage.goals import SceneFacts, scene_lines
from vantage.models import prompt

PUBLISHED, CLEAN = "published", "clean"
STYLES = (PUBLISHED, CLEAN)
_THINGS = "Relevant objects in the scene are:\n"
_FACTS = "All initial states in the scene are:\n"
_CLEAN = {True: "goals_in_keys", False: "goals_in_words"}
_DESCRIPTION = re.compile(r"^Goal description: (.*)$", re.MULTILINE)
_INSTRUCTIONS = re.compile(r'"Goal Instructions": (".*")$', re.MULTILINE)


def prompt_text(task: BaseTask, scene: SceneFacts, text: str, vocabulary: Vocabulary, style: str) -> str:
    """What a model is sent of a task in a scene.

    Raises:
        FormatError: no prompt was published of this task, or it has another form.
    """
    if style == CLEAN or task.environment == HOMES:
        return _clean(task, scene, text, vocabulary)
    if not task.published:
        raise FormatError(f"no prompt was published of task '{task.identifier}'; make the set with --prompt clean")
    return _filled(task, scene, text)


def _clean(task: BaseTask, scene: SceneFacts, text: str, vocabulary: Vocabulary) -> str:
    named = task.environment == VIRTUALHOME
    given = {
        "scene": scene_lines(scene),
        "states": ", ".join(vocabulary.states),
        "relations": ", ".join(vocabulary.relations),
        "name": task.name,
        "text": " ".join(text.split()),
    }
    if named:
        given["actions"] = ", ".join(vocabulary.actions)
    return prompt(_CLEAN[named]).fill(**given)


def _filled(task: BaseTask, scene: SceneFacts, text: str) -> str:
    """The published prompt with another scene and text in place of its own."""
    if task.environment == VIRTUALHOME:
        things = [
            f"{item.name}, initial states: {list(item.initial)}, possible states: {list(item.possible)}"
            for item in scene.objects
        ]
        filled = _with_block(task, task.published, _THINGS, things)
        return _with_text(task, filled, _DESCRIPTION, text)
    things = [f"{item.name}: {list(item.possible)}" for item in scene.objects]
    facts = [str([*([] if fact.holds else ["not"]), fact.predicate, *fact.objects]) for fact in scene.facts]
    filled = _with_block(task, _with_block(task, task.published, _THINGS, things), _FACTS, facts)
    return _with_text(task, filled, _INSTRUCTIONS, json.dumps(text, ensure_ascii=False))


def _with_block(task: BaseTask, filled: str, head: str, lines: list[str]) -> str:
    before, found, rest = filled.partition(head)
    _, gap, after = rest.partition("\n\n")
    if not (found and gap):
        raise FormatError(f"the prompt published of task '{task.identifier}' lacks the part '{head.strip()}'")
    return f"{before}{head}{chr(10).join(lines)}{gap}{after}"


def _with_text(task: BaseTask, filled: str, pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(filled)
    if found is None:
        raise FormatError(f"the prompt published of task '{task.identifier}' has no instruction")
    return f"{filled[: found.start(1)]}{text}{filled[found.end(1) :]}"
