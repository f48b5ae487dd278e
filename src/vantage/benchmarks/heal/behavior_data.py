"""The BEHAVIOR part of the Embodied Agent Interface: goals with alternatives over numbered instances."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vantage.benchmarks.heal.base_tasks import (
    BEHAVIOR,
    BaseTask,
    TaskData,
    Vocabulary,
    listed,
    mapping,
    prompts_by_id,
    texts,
)
from vantage.errors import FormatError
from vantage.files import read_json
from vantage.goals import EdgeGoal, Fact, Goal, Literal, NodeGoal, SceneFacts, SceneObject, word_key
from vantage.wording import shown

FOLDER = "eai-behavior"
_CONDITIONS, _OBJECTS, _PROMPTS = "all_conditions_dev.json", "all_objects_dev.json", "user_prompts_dev.json"
_INSTRUCTIONS = "instructions_dev.json"


def read_behavior(folder: Path) -> TaskData:
    """
    Raises:
        FormatError: a file is missing or damaged; says which, where and why.
    """
    path = folder / _CONDITIONS
    objects = mapping(read_json(folder / _OBJECTS), _OBJECTS)
    instructions = mapping(read_json(folder / _INSTRUCTIONS), _INSTRUCTIONS)
    prompts = prompts_by_id(folder / _PROMPTS)
    tasks = []
    for identifier, conditions in mapping(read_json(path), str(path)).items():
        where = f"{path}: {identifier}"
        name = max((each for each in instructions if identifier.startswith(f"{each}_")), key=len, default="")
        text = instructions.get(name)
        if not isinstance(text, str):
            raise FormatError(f"{where}: {_INSTRUCTIONS} has no instruction for this task")
        entry = mapping(conditions, where)
        scene = _scene(mapping(objects.get(identifier), f"{_OBJECTS}: {identifier}"), entry, where)
        goal = _goal(mapping(entry.get("goal_conditions"), f"{where}: goal_conditions"), where)
        prompt = prompts.get(identifier, "")
        tasks.append(BaseTask(BEHAVIOR, identifier, name, text.strip(), scene, goal, prompt))
    return TaskData(BEHAVIOR, _vocabulary(folder, tasks), tuple(tasks))


def _scene(objects: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> SceneFacts:
    things = (SceneObject(name, (), texts(states, f"{where}: {name}")) for name, states in objects.items())
    facts = []
    for item in mapping(entry.get("initial_conditions"), f"{where}: initial_conditions").values():
        holds, words = _denied(item, f"{where}: initial_conditions")
        facts.append(Fact(words[0], words[1:], holds))
    return SceneFacts(tuple(things), tuple(facts))


def _goal(conditions: Mapping[str, Any], where: str) -> Goal:
    """Of each condition one alternative must come true."""
    parts = []
    for number, condition in conditions.items():
        place = f"{where}: goal_conditions: {number}"
        parts.append(
            tuple(
                tuple(_literal(item, place) for item in listed(alternative, place))
                for alternative in listed(condition, place)
            )
        )
    return Goal(tuple(part for part in parts if part))


def _literal(item: Any, where: str) -> Literal:
    holds, words = _denied(item, where)
    if len(words) == 2:
        return NodeGoal(words[1], words[0], holds)
    if len(words) == 3:
        return EdgeGoal(words[1], words[0], words[2], holds)
    raise FormatError(f"{where}: {shown(item)} is no goal; expected a state with one object or a relation with two")


def _denied(item: Any, where: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a condition holds, and its words: ``["not", ["open", x]]`` and ``["not", "open", x]`` are the same."""
    words = listed(item, where)
    holds = words[:1] != ["not"]
    if not holds:
        words = words[1] if len(words) == 2 else words[1:]
    found = texts(words, where)
    if not 2 <= len(found) <= 3:
        raise FormatError(f"{where}: {shown(item)} is no condition; expected a state or relation with its objects")
    return holds, found


def _vocabulary(folder: Path, tasks: list[BaseTask]) -> Vocabulary:
    path = folder / "object_states.json"
    known = mapping(read_json(path), str(path))
    states = texts(known.get("node_states"), f"{path}: node_states")
    told = {word_key(state) for state in states}
    possible = {state for task in tasks for item in task.scene.objects for state in item.possible}
    more = sorted(state for state in possible if word_key(state) not in told)
    return Vocabulary(states, (*states, *more), texts(known.get("edge_states"), f"{path}: edge_states"))
