"""The one kind of error a person sees."""

from __future__ import annotations


class SetupError(Exception):
    """One sentence: what was wrong, where, and what to do. `details` are lines of evidence, printed before it."""

    def __init__(self, sentence: str, details: list[str] | None = None) -> None:
        super().__init__(sentence)
        self.details = details or []
