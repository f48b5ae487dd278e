"""Small made-up data in the format of the Embodied Agent Interface: odd where that is odd."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_ACTIONS = {"WASH": "wash sth", "RINSE": "rinse sth"}
_RELATIONS = {"ON": "rests atop another", "INSIDE": "is contained within another"}
_NOTE = "{'name': 'washing_machine', 'state': 'ON'}"

_HOME = (
    "character, initial states: [], possible states: ['LYING', 'SITTING']",
    "lamp, initial states: ['OFF', 'CLEAN'], possible states: ['ON', 'OFF', 'CLEAN']",
    "lamp, initial states: ['OFF'], possible states: ['ON', 'OFF']",
    "table, initial states: ['CLEAN'], possible states: ['CLEAN', 'DIRTY']",
    "cup, initial states: [], possible states: []",
)
_GARDEN = (
    "character, initial states: [], possible states: ['LYING', 'SITTING']",
    "bed, initial states: ['CLEAN'], possible states: ['CLEAN', 'DIRTY']",
    "pillow, initial states: [], possible states: ['CLEAN']",
)
VIRTUALHOME: tuple[tuple[str, str, str, tuple[str, ...], Any, str | None], ...] = (
    (
        "Light up",
        "1_1",
        "Walk to the lamp. Turn it on.",
        _HOME,
        [{"id": 5, "class_name": "lamp", "state": "ON"}, {"id": 6, "class_name": "lamp", "state": "ON"}],
        "(ON(lamp.5) and ON(lamp.6))",
    ),
    (
        "Set the table",
        "2_1",
        "put the cup onto the table",
        _HOME,
        [
            {"id": 7, "class_name": "table", "state": "CLEAN"},
            {"from_id": 8, "relation_type": "ON", "to_id": 7},
            {"from_id": 1, "relation_type": "ON", "to_id": 7},
        ],
        "(CLEAN(table.7) and ONTOP(cup.8, table.7) and ONTOP(character.1, table.7))",
    ),
    ("Wash up", "3_1", "Clean yourself.", _GARDEN, [], "exists x0. ((WASH(x0) or SLEEP(x0)))"),
    ("Nothing", "4_1", "do nothing.", _GARDEN, [], None),
)
_LIKE = {"3_1": ["WASH|SLEEP"]}

BEHAVIOR = {
    "storing_cups_0_House_0": (
        "Put the cups into one of the boxes, closed.",
        {"cup.n.01_1": ["Stained"], "cup.n.01_2": ["Stained"], "box.n.01_1": ["Open"], "box.n.01_2": ["Open"]},
        {"1": ["stained", "cup.n.01_1"], "2": ["not", "open", "box.n.01_2"]},
        {
            "1": [[["inside", "cup.n.01_1", "box.n.01_1"]], [["inside", "cup.n.01_1", "box.n.01_2"]]],
            "2": [[["not", ["stained", "cup.n.01_1"]], ["not", "open", "box.n.01_1"]]],
        },
    ),
    "airing_0_House_0": (
        "Open the window, and turn on the fan.",
        {"window.n.01_1": ["Open"], "fan.n.01_1": ["ToggledOn"]},
        {"1": ["not", "toggled_on", "fan.n.01_1"]},
        {"1": [[["open", "window.n.01_1"], ["toggled_on", "fan.n.01_1"]]]},
    ),
}


def write_eai(root: Path) -> Path:
    """Both parts below ``root``, which is returned."""
    _write_virtualhome(root / "eai-virtualhome")
    _write_behavior(root / "eai-behavior")
    return root


def _save(folder: Path, name: str, value: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(value), encoding="utf-8")


def _write_virtualhome(folder: Path) -> None:
    tasks: dict[str, dict[str, Any]] = {}
    prompts = []
    for name, identifier, text, scene, goal, formula in VIRTUALHOME:
        entry = {"vh_goal": {"actions": _LIKE.get(identifier, []), "goal": goal}, "tl_goal": formula}
        tasks.setdefault(name, {})[identifier] = entry
        lines = "\n".join(scene)
        told = (
            f"\nSay the goals.\n\nRelevant objects in the scene are:\n{lines}\n\n\nFor example, {_NOTE} is one.\n\n"
            f"Goal name: {name}\n\nGoal description: {text}\n\n\n\nWrite node goals and 'action goals'.\n"
        )
        prompts.append({"identifier": identifier, "llm_prompt": told})
    _save(folder, "task_state_LTL_formula_dev.json", {"scene_1": tasks})
    _save(folder, "goal_interpretation_prompts_dev.json", prompts)
    _save(folder, "vocabulary.json", {"vh_states": ["ON", "OFF", "CLEAN", "DIRTY", "SITTING", "LYING"]})
    _save(folder, "relation_types.json", _RELATIONS)
    _save(folder, "action_space.json", _ACTIONS)


def _write_behavior(folder: Path) -> None:
    prompts = []
    for identifier, (text, objects, initial, _) in BEHAVIOR.items():
        name = identifier.rsplit("_0_House", 1)[0]
        things = "\n".join(f"{each}: {states}" for each, states in objects.items())
        facts = "\n".join(map(str, initial.values()))
        told = (
            f"Say the goals.\n\nRelevant objects in the scene are:\n{things}\n\nAll initial states in the scene are:\n"
            f'{facts}\n\nFor example, ["Frozen", "chicken.n.01_1"].\n\n{{\n    "Task Name": "{name}",\n'
            f'    "Goal Instructions": {json.dumps(text)}\n}}\n'
        )
        prompts.append({"identifier": identifier, "llm_prompt": told})
    _save(folder, "user_prompts_dev.json", prompts)
    conditions = {
        identifier: {"initial_conditions": initial, "goal_conditions": goal}
        for identifier, (_, _, initial, goal) in BEHAVIOR.items()
    }
    _save(folder, "all_conditions_dev.json", conditions)
    _save(folder, "all_objects_dev.json", {identifier: objects for identifier, (_, objects, _, _) in BEHAVIOR.items()})
    _save(
        folder,
        "instructions_dev.json",
        {"storing_cups": BEHAVIOR["storing_cups_0_House_0"][0], "airing": BEHAVIOR["airing_0_House_0"][0]},
    )
    _save(
        folder,
        "object_states.json",
        {"node_states": ["Open", "Stained", "ToggledOn"], "edge_states": ["Inside", "OnTop"]},
    )
