"""Prompts as files beside this module, each with a version that goes into every answer it had a part in.

A file holds the text as it is sent. ``{name}``, in lower case, is a field to fill; other braces stand for themselves,
so that JSON can be shown.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from vantage.errors import UnknownNameError, UsageError
from vantage.registry import did_you_mean

_FOLDER = Path(__file__).with_name("prompts")
_FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Prompt:
    """A text with fields to fill."""

    name: str
    text: str

    @property
    def version(self) -> str:
        """The first 8 hexadecimal digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:8]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields, each once, in the order of the text."""
        return tuple(dict.fromkeys(_FIELD.findall(self.text)))

    def fill(self, **values: object) -> str:
        """The text with every field filled; what a value contains is never filled again.

        Raises:
            UsageError: a field has no value, or a value no field.
        """
        missing = [field for field in self.fields if field not in values]
        if missing:
            raise UsageError(f"prompt '{self.name}' needs a value for {_listed(missing)}; give one to fill()")
        unknown = [name for name in values if name not in self.fields]
        if unknown:
            known = did_you_mean(unknown[0], list(self.fields))
            raise UsageError(f"prompt '{self.name}' has no field {_listed(unknown)}{known}")
        return _FIELD.sub(lambda found: str(values[found[1]]), self.text)


@cache
def prompt(name: str) -> Prompt:
    """The prompt of a name.

    Raises:
        UnknownNameError: there is no file of that name; the message proposes the closest one.
        UsageError: the file cannot be read.
    """
    if name not in prompt_names():
        raise UnknownNameError(f"unknown prompt '{name}'{did_you_mean(name, prompt_names())}")
    path = _FOLDER / f"{name}.txt"
    try:
        return Prompt(name, path.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"prompt '{name}' cannot be read from {path}: {error}; reinstall the package") from error


def version_of(names: Iterable[str]) -> str:
    """One version of several prompts, as of one: another word in any of them changes it.

    Raises:
        As ``prompt``.
    """
    return Prompt("", "\n".join(prompt(name).text for name in names)).version


def prompt_names() -> list[str]:
    """All prompts, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.txt"))


def _listed(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
