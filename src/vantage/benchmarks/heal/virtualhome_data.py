"""The VirtualHome part of the Embodied Agent Interface: goals by instance ids, scenes told by prompts alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vantage.benchmarks.heal.base_tasks import (
    VIRTUALHOME,
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
from vantage.goals import (
    ActionGoal,
    Alternative,
    EdgeGoal,
    Formula,
    Goal,
    Literal,
    NodeGoal,
    atoms,
    read_formula,
    read_scene,
)

FOLDER = "eai-virtualhome"
_TASKS, _PROMPTS = "task_state_LTL_formula_dev.json", "goal_interpretation_prompts_dev.json"
_DESCRIPTION = re.compile(r"^Goal description: (.*)$", re.MULTILINE)
_NUMBERED = re.compile(r"(.+)\.(\d+)")


def read_virtualhome(folder: Path) -> TaskData:
    """
    Raises:
        FormatError: a file is missing or damaged; says which, where and why.
    """
    path = folder / _TASKS
    prompts = prompts_by_id(folder / _PROMPTS)
    tasks = []
    for scene, names in mapping(read_json(path), str(path)).items():
        for name, each in mapping(names, f"{path}: {scene}").items():
            for identifier, entry in mapping(each, f"{path}: {scene}: {name}").items():
                where = f"{path}: {identifier}"
                prompt = prompts.get(identifier, "")
                tasks.append(_task(identifier, name, mapping(entry, where), prompt, where))
    return TaskData(VIRTUALHOME, _vocabulary(folder, tasks), tuple(tasks))


def _task(identifier: str, name: str, entry: Mapping[str, Any], prompt: str, where: str) -> BaseTask:
    told = entry.get("tl_goal")
    if told is not None and not isinstance(told, str):
        raise FormatError(f"{where}: 'tl_goal' must be text or null")
    formula = read_formula(told) if told else None
    goal = _goal(mapping(entry.get("vh_goal") or {}, where), formula, where)
    described = _DESCRIPTION.search(prompt)
    if goal.parts and not described:
        raise FormatError(f"{where}: no prompt describes this task; {_PROMPTS} lacks it")
    text = described[1].strip() if described else ""
    return BaseTask(VIRTUALHOME, identifier, name, text, read_scene(prompt), goal, prompt, formula)


def _goal(entry: Mapping[str, Any], formula: Formula | None, where: str) -> Goal:
    """Goals by names; what two instances of one name share is said once. An action is one of those with ``|``
    between."""
    goals = [mapping(item, f"{where}: goal") for item in listed(entry.get("goal", []), where)]
    names = _names(goals, formula)
    found: list[Literal] = []
    for item in goals:
        try:
            if "state" in item:
                found.append(NodeGoal(str(item["class_name"]), str(item["state"])))
            else:
                found.append(EdgeGoal(names[item["from_id"]], str(item["relation_type"]), names[item["to_id"]]))
        except KeyError as error:
            raise FormatError(f"{where}: goal {dict(item)} has no name or no key for {error}") from error
    parts: list[tuple[Alternative, ...]] = [((each,),) for each in {literal.key: literal for literal in found}.values()]
    for action in dict.fromkeys(texts(entry.get("actions", []), f"{where}: actions")):
        parts.append(tuple((ActionGoal(each),) for each in action.split("|")))
    return Goal(tuple(parts))


def _names(goals: list[Mapping[str, Any]], formula: Formula | None) -> dict[int, str]:
    """Names of instances, which goals of states and formulas tell."""
    names = {item["id"]: str(item["class_name"]) for item in goals if "id" in item and "class_name" in item}
    for atom in atoms(formula) if formula is not None else ():
        for name in atom.names:
            if found := _NUMBERED.fullmatch(name):
                names.setdefault(int(found[2]), found[1])
    return names


def _vocabulary(folder: Path, tasks: list[BaseTask]) -> Vocabulary:
    path = folder / "vocabulary.json"
    states = texts(mapping(read_json(path), str(path)).get("vh_states"), f"{path}: vh_states")
    relations = tuple(mapping(read_json(folder / "relation_types.json"), "relation_types.json"))
    actions = tuple(mapping(read_json(folder / "action_space.json"), "action_space.json"))
    asked = (goal.action for task in tasks for goal in task.gold.literals if isinstance(goal, ActionGoal))
    possible = (state for task in tasks for item in task.scene.objects for state in (*item.possible, *item.initial))
    return Vocabulary(
        states,
        tuple(dict.fromkeys((*states, *sorted(set(possible))))),
        relations,
        tuple(dict.fromkeys((*actions, *sorted(set(asked))))),
    )
