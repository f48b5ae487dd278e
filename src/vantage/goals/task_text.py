"""The task in a prompt, in words: its name and what is to be done."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vantage.bounded_json import bounded_json

_MOST_TEXT = 100_000  # characters of a task that are read
_NAMES = (
    re.compile(r"^Goal name: (.*)$", re.MULTILINE),
    re.compile(r'"Task Name": (".*"),?$', re.MULTILINE),
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
        name: what several tasks have in common, with spaces between words; empty where the task has none.
        text: what is to be done.
    """

    name: str
    text: str


def read_task(prompt: str) -> TaskText:
    """The task that a prompt tells of, in one of the ways of ``scene_text``; empty where it tells of none."""
    name, text = (
        next((_unquoted(found[1]) for pattern in patterns if (found := pattern.search(prompt))), "")
        for patterns in (_NAMES, _TEXTS)
    )
    return TaskText(re.sub(r"[_\s]+", " ", name).strip()[:_MOST_TEXT], text.strip()[:_MOST_TEXT])


def _unquoted(said: str) -> str:
    """As it stands, or the value of a JSON string."""
    if not said.startswith('"'):
        return said
    try:
        return str(bounded_json(said))
    except ValueError:
        return said
