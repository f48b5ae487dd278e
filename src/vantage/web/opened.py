"""What a server shows, by ids that say nothing: no path ever comes from a browser."""

from __future__ import annotations

import secrets
from typing import Generic, TypeVar

T = TypeVar("T")


class Opened(Generic[T]):
    """Things that were opened when the server began, or later by it; thread-safe.

    An id is random: nobody finds one that was not given to them, and it names no file.
    """

    def __init__(self) -> None:
        self._things: dict[str, T] = {}
        self._ids: dict[T, str] = {}

    def add(self, thing: T) -> str:
        """The id of a thing, which must be hashable; the same one when it is added again."""
        known = self._ids.get(thing)
        if known is None:
            known = self._ids.setdefault(thing, secrets.token_urlsafe(9))
            self._things[known] = thing
        return known

    def get(self, opened_id: str) -> T | None:
        """What has an id; None where nothing has, whatever the text is."""
        return self._things.get(opened_id)

    def __len__(self) -> int:
        return len(self._things)
