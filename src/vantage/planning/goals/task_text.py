"""The name and the words of a task, found in what a model is sent, or in a sentence that somebody says."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_MOST_TEXT = 20_000  # characters of a task that are read
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
    """A task in words.

    Attributes:
        name: what it is called; empty where it has no name.
        text: what is to be done.
    """

    name: str
    text: str


def read_task(sent: str) -> TaskText:
    """The task of a prompt; a text that marks none is the task itself."""
    text = _first(_TEXTS, sent)
    if text is None:
        return TaskText("", sent.strip()[:_MOST_TEXT])
    name = _first(_NAMES, sent) or ""
    return TaskText(re.sub(r"[_\s]+", " ", name).strip()[:_MOST_TEXT], text.strip()[:_MOST_TEXT])


def _first(patterns: tuple[re.Pattern[str], ...], sent: str) -> str | None:
    for pattern in patterns:
        if found := pattern.search(sent):
            return _unquoted(found[1])
    return None


def _unquoted(text: str) -> str:
    """As it stands, or the value of a JSON string."""
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return text.strip('"')
