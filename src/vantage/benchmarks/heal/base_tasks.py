"""Tasks of the Embodied Agent Interface as this benchmark knows them, whichever simulator they come from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vantage.errors import FormatError
from vantage.files import read_json
from vantage.goals import Formula, Goal, SceneFacts
from vantage.wording import shown

VIRTUALHOME, BEHAVIOR, HOMES = "virtualhome", "behavior", "homes"
ENVIRONMENTS = (VIRTUALHOME, BEHAVIOR, HOMES)
FIT, TEST = "fit", "test"
AGENTS = ("character", "agent")  # kinds of objects that are the agent itself


@dataclass(frozen=True)
class Vocabulary:
    """What goals of an environment may speak of.

    Attributes:
        states: that goals may ask for.
        all_states: and those that things of its scenes can have besides.
        actions: none where its goals know none.
    """

    states: tuple[str, ...]
    all_states: tuple[str, ...]
    relations: tuple[str, ...]
    actions: tuple[str, ...] = ()


@dataclass(frozen=True)
class BaseTask:
    """One task as it was published.

    Attributes:
        identifier: of the data.
        name: what several tasks have in common that are worded differently, or in other scenes.
        text: the instruction.
        published: the prompt that comes with the data; empty where none does.
        formula: the goal in temporal logic; None where the data have none.
    """

    environment: str
    identifier: str
    name: str
    text: str
    scene: SceneFacts
    gold: Goal
    published: str = ""
    formula: Formula | None = None

    @property
    def episode_id(self) -> str:
        return f"{self.environment}-{self.identifier}"


def split_of(environment: str, name: str) -> str:
    """The half to which tasks of a name belong."""
    return FIT if hashlib.sha256(f"{environment}/{name}".encode()).digest()[0] % 2 else TEST


@dataclass(frozen=True)
class TaskData:
    """All tasks of one environment, those without a goal too."""

    environment: str
    vocabulary: Vocabulary
    tasks: tuple[BaseTask, ...]

    @property
    def with_goals(self) -> tuple[BaseTask, ...]:
        return tuple(task for task in self.tasks if task.gold.parts)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """
    Raises:
        FormatError: it is none.
    """
    if not isinstance(value, Mapping):
        raise FormatError(f"{where}: expected an object, got {shown(value)}")
    return value


def listed(value: Any, where: str) -> list[Any]:
    """
    Raises:
        FormatError: it is no list.
    """
    if not isinstance(value, list):
        raise FormatError(f"{where}: expected a list, got {shown(value)}")
    return value


def texts(value: Any, where: str) -> tuple[str, ...]:
    """
    Raises:
        FormatError: it is no list of texts.
    """
    if not all(isinstance(item, str) for item in listed(value, where)):
        raise FormatError(f"{where}: expected texts, got {shown(value)}")
    return tuple(value)


def prompts_by_id(path: Any) -> dict[str, str]:
    """The prompts of a file, by the identifiers of their tasks.

    Raises:
        FormatError: the file is missing or is none of prompts.
    """
    found = {}
    for number, item in enumerate(listed(read_json(path), str(path))):
        entry = mapping(item, f"{path}[{number}]")
        keys = texts([entry.get("identifier"), entry.get("llm_prompt")], f"{path}[{number}]")
        found[keys[0]] = keys[1]
    return found
