"""What the words of a task say shall change: of which things, and where these shall be."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.planning.wishes import Change


@dataclass(frozen=True)
class Phrase:
    """What a thing is called.

    Attributes:
        words: without articles.
        state: what is said of it, such as ``soaked``.
        number: of them; 0 where none is said.
        each: every one has something of its own.
        another: not the one before.
    """

    words: tuple[str, ...]
    state: tuple[str, ...] = ()
    number: int = 0
    each: bool = False
    another: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True)
class Asked:
    """One change.

    Attributes:
        things: of which it is said.
        relation: where they shall be: ``on``, ``in``, ``near``, ``under``, ``from``, ``to`` or ``over``; empty for
            nowhere.
        places: what they shall stand to.
        aside: it is only said where something else is, so that it matters little.
        instead: it would do as well as the change before.
    """

    change: Change
    things: tuple[Phrase, ...]
    relation: str = ""
    places: tuple[Phrase, ...] = ()
    aside: bool = False
    instead: bool = False
