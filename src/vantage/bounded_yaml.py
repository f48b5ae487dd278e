"""YAML of strangers: depth, values and aliases are counted, event by event, before anything is made of them.

An alias counts as much as what it stands for, so that a few lines cannot stand for a million ("billion laughs"), and
what is merged counts where it is merged.
"""

from __future__ import annotations

from typing import Any

import yaml

MOST_BYTES = 1 << 20  # of a YAML file
MOST_DEPTH = 100  # lists and mappings within each other
MOST_VALUES = 50_000  # of one document: items, keys and values, those behind aliases counted each time
MOST_ALIASES = 200
_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Count:
    """What was met so far of one document."""

    def __init__(self) -> None:
        self._values = self._aliases = 0
        self._begun: list[tuple[str | None, int]] = []  # anchors of what is open, and the values before it
        self._sizes: dict[str, int] = {}  # of what anchors name

    def take(self, event: Any) -> None:
        """Count one event of a parser.

        Raises:
            yaml.composer.ComposerError: the document is beyond a bound, or holds itself.
        """
        if isinstance(event, yaml.AliasEvent):
            self._aliases += 1
            if self._aliases > MOST_ALIASES:
                raise _beyond(f"more than {MOST_ALIASES} aliases", event)
            if any(anchor == event.anchor for anchor, _ in self._begun):
                raise _beyond(f"'{event.anchor}' holds itself", event)
            self._values += self._sizes.get(str(event.anchor), 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begun.append((event.anchor, self._values))
            self._values += 1
            if len(self._begun) > MOST_DEPTH:
                raise _beyond(f"nested too deeply, more than {MOST_DEPTH} levels", event)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = self._begun.pop()
            if anchor is not None:
                self._sizes[anchor] = self._values - before
        elif isinstance(event, yaml.ScalarEvent):
            self._values += 1
        if self._values > MOST_VALUES:
            raise _beyond(f"more than {MOST_VALUES} values, those behind aliases and merges counted each time", event)


def _beyond(what: str, event: Any) -> yaml.composer.ComposerError:
    return yaml.composer.ComposerError(None, None, what, event.start_mark)


class BoundedEvents:
    """Mixed into a loader of PyYAML, before it: a document beyond the bounds ends in a ``ComposerError``."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)  # type: ignore[call-arg]
        self._count = _Count()

    def get_event(self) -> Any:
        event = super().get_event()  # type: ignore[misc]
        self._count.take(event)
        return event


def check_yaml(text: str) -> None:
    """Make sure that another library may read a text; it is read by the C library of PyYAML where that is there.

    Raises:
        yaml.YAMLError: it is not YAML, or larger than ``MOST_BYTES``, or beyond another bound.
    """
    if len(text) > MOST_BYTES:
        raise yaml.YAMLError(f"it has more than {MOST_BYTES} characters")
    parser, count = _PARSER(text), _Count()
    try:
        while parser.check_event():
            count.take(parser.get_event())
    finally:
        parser.dispose()
