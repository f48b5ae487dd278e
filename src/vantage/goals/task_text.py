"""The task in a prompt, in words: its name and what is to be done."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_NAMES = (
    re.compile(r"^Goal name: (.*)$", re.MULTILINE),
    re.compile(r'"Task Name": "(.*)"', re.MULTILINE),
    re.compile(r"^Task name: (.*)$", re.MULTILINE),
)
_TEXTS = (
    re.compile(r"^Goal description: (.*)$", re.MULTILINE),
    re.compile(r'"Goal Instructions": (".*")$', re.MULTILINE),
    re.compile(r"^Task description: (.*)$", re.MULTILINE),
)


@dataclass(frozen=True)
class TaskText:
    """
    Attributes:
        name: what several tasks have in common; empty where the task has none.
        text: what is to be done.
    """

    name: str
    text: str


def read_task(text: str) -> TaskText:
    """The task that a prompt tells of, in one of the ways of ``scene_text``; empty where it tells of none."""
    name = next((found[1].strip() for pattern in _NAMES if (found := pattern.search(text))), "")
    said = next((found[1] for pattern in _TEXTS if (found := pattern.search(text))), "")
    return TaskText(name, _unquoted(said) if said.startswith('"') else said)


def _unquoted(said: str) -> str:
    try:
        return str(json.loads(said))
    except (ValueError, RecursionError):
        return said
