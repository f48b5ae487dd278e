"""Warrants: signed permissions, without which no gate lets an arm do anything.

A warrant is granted to the gate of a world (``World.grant``), not carried by commands. Its dates are stamps of that
world's clock, those of observations: whoever issues one has an observation, and the gate has the clock, so that both
agree, also where simulated time passes with commands alone. Within a process warrants are signed with a key that is
drawn at random and never leaves its memory; between processes with a shared one (``vantage.nodes``), by
``countersigned``.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from vantage.errors import WorldError
from vantage.types import CLOSE, OPEN, Episode

TAKE, PUT, SWITCH, MOVE_ARM = "take", "put", "switch", "move_arm"
MANIPULATIONS = frozenset({OPEN, CLOSE, TAKE, PUT, SWITCH, MOVE_ARM})
GUARD, PERSON = "guard", "person"  # who issues warrants
KEY_SIZE = 32  # bytes
MOST_COMMANDS = 1_000_000
LONGEST = 7 * 86_400 * 10**9  # ns from issue to expiry
MOST_OBJECTS = 1_000
MOST_CHARACTERS = 1_000  # of each text

_LAST_STAMP = 2**63 - 1
_IDENTITY = re.compile(r"[0-9a-f]{32}")
_SIGNED = "vantage warrant 1"  # what the bytes that are signed begin with


class WarrantFault(Enum):
    """What is wrong with a warrant, or with a command for want of one, in words."""

    MALFORMED = "the warrant cannot be read"
    FORGED = "the warrant was not signed by anybody who may issue one, or was changed since"
    FOREIGN_EPISODE = "the warrant is for another episode"
    FOREIGN_SOURCE = "the warrant is for another source of commands"
    EXPIRED = "the warrant is out of date"
    REPLAYED = "the warrant was granted before"
    MISSING = "no warrant was granted"
    USED_UP = "the warrant's commands are used up"
    OTHER_MANIPULATION = "the warrant is for something else"
    OTHER_OBJECT = "the warrant is for other things"
    UNSIGNED = "the command was not signed for this episode by anybody who may command the arm"
    NO_RULING = "the guard did not find the goal feasible"


class WarrantError(WorldError):
    """A warrant was not granted, or not issued.

    Attributes:
        fault: why, as a kind that can be counted.
    """

    def __init__(self, fault: WarrantFault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault


@dataclass(frozen=True)
class Warrant:
    """Permission to manipulate, for one source in one episode.

    Attributes:
        identity: drawn at random; a gate takes each once.
        issuer: ``guard`` or ``person``.
        goal: in words.
        manipulations: of ``MANIPULATIONS``. Each of them allows motions of the arm; ``take`` and ``put`` the gripper.
        objects: labels or names of the things that may be touched, where a world knows what a command touches; empty
            for all.
        commands: of the arm, that the gate lets through at most.
        issued, expires: ns on the world's clock, which is that of the stamps of observations.
        signature: HMAC-SHA256 over all of this.
    """

    identity: str
    issuer: str
    episode_id: str
    source: str
    goal: str
    manipulations: frozenset[str]
    objects: frozenset[str]
    commands: int
    issued: int
    expires: int
    signature: bytes = b""


class WarrantIssuer:
    """Signs warrants.

    Args:
        key: that of this process where none is given.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._key = _PROCESS_KEY if key is None else key

    def issue(
        self,
        issuer: str,
        episode_id: str,
        source: str,
        goal: str,
        manipulations: Iterable[str],
        objects: Iterable[str] = (),
        *,
        commands: int,
        issued: int,
        seconds: float,
    ) -> Warrant:
        """A new warrant.

        Args:
            goal: in words; what is longer than a thousand characters is cut.
            issued: stamp of the newest observation, ns.
            seconds: that it lasts, on the world's clock.

        Raises:
            WarrantError: no such warrant can be.
        """
        drawn, length = secrets.token_hex(16), round(seconds * 1e9) if 0.0 < seconds < LONGEST else 0
        kinds, things = frozenset(manipulations), frozenset(objects)
        words = goal[:MOST_CHARACTERS]
        plain = Warrant(drawn, issuer, episode_id, source, words, kinds, things, commands, issued, issued + length)
        return signed(plain, self._key)


def person_warrant(episode: Episode, source: str, issued: int, commands: int = 0, goal: str = "") -> Warrant:
    """That of a person who lets somebody manipulate freely in an episode.

    Args:
        issued: stamp of the newest observation, ns.
        commands: at most; as many as the episode has steps where there are none.
        goal: in words.

    Raises:
        WarrantError: no such warrant can be.
    """
    return WarrantIssuer().issue(
        PERSON,
        episode.episode_id,
        source,
        goal or f"whatever episode {episode.episode_id} takes"[:MOST_CHARACTERS],
        MANIPULATIONS,
        commands=min(commands or max(1, episode.max_steps), MOST_COMMANDS),
        issued=issued,
        seconds=_A_DAY,
    )


def signed(warrant: Warrant, key: bytes, session: str = "") -> Warrant:
    """A warrant with another signature.

    Args:
        session: of the gate that it is meant for, where it goes to another process.

    Raises:
        WarrantError: it holds what no warrant can hold.
    """
    _require_readable(warrant)
    return replace(warrant, signature=_signature(warrant, key, session))


def require_signed(warrant: Warrant, key: bytes | None = None, session: str = "") -> None:
    """
    Args:
        key: that of this process where none is given.

    Raises:
        WarrantError: it cannot be read, or was not signed with the key for that session.
    """
    _require_readable(warrant)
    expected = _signature(warrant, _PROCESS_KEY if key is None else key, session)
    if not isinstance(warrant.signature, bytes) or not hmac.compare_digest(warrant.signature, expected):
        raise WarrantError(WarrantFault.FORGED, "ask whoever issues warrants for a new one")


def countersigned(
    warrant: Warrant, *, key: bytes | None = None, session: str = "", by: bytes | None = None, into: str = ""
) -> Warrant:
    """The same warrant signed with another key, once it is sure that it was signed with the first.

    Args:
        key, session: with which it is signed; this process's key where none is given.
        by, into: with which it shall be signed.

    Raises:
        WarrantError: as ``require_signed``.
    """
    require_signed(warrant, key, session)
    return signed(warrant, _PROCESS_KEY if by is None else by, into)


def _signature(warrant: Warrant, key: bytes, session: str) -> bytes:
    fields = [
        _SIGNED,
        session,
        warrant.identity,
        warrant.issuer,
        warrant.episode_id,
        warrant.source,
        warrant.goal,
        sorted(warrant.manipulations),
        sorted(warrant.objects),
        warrant.commands,
        warrant.issued,
        warrant.expires,
    ]
    return hmac.digest(key, json.dumps(fields, separators=(",", ":")).encode("ascii"), "sha256")


def _require_readable(warrant: Any) -> None:
    """
    Raises:
        WarrantError: a field is of another type or beyond its range.
    """
    reason = _unreadable(warrant)
    if reason:
        raise WarrantError(WarrantFault.MALFORMED, reason)


def _unreadable(warrant: Any) -> str:
    """Which field is wrong and how, in words; empty for none."""
    if not isinstance(warrant, Warrant):
        return "it is no warrant; issue one with a WarrantIssuer"
    for name in ("identity", "issuer", "episode_id", "source", "goal"):
        text = getattr(warrant, name)
        if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
            return f"its {name} is no text of at most {MOST_CHARACTERS} characters; shorten it"
    if not _IDENTITY.fullmatch(warrant.identity):
        return "its identity is not 32 hexadecimal digits; issue a new one"
    if warrant.issuer not in (GUARD, PERSON):
        return f"its issuer is neither {GUARD} nor {PERSON}; ask one of them"
    for name in ("manipulations", "objects"):
        words = getattr(warrant, name)
        if not isinstance(words, frozenset) or len(words) > MOST_OBJECTS:
            return f"its {name} are no set of at most {MOST_OBJECTS}; name fewer"
        if not all(isinstance(word, str) and len(word) <= MOST_CHARACTERS for word in words):
            return f"its {name} are no texts of at most {MOST_CHARACTERS} characters; shorten them"
    if not warrant.manipulations or not warrant.manipulations <= MANIPULATIONS:
        return f"its manipulations are not of {', '.join(sorted(MANIPULATIONS))}; name some of these"
    for name, most in (("commands", MOST_COMMANDS), ("issued", _LAST_STAMP), ("expires", _LAST_STAMP)):
        number = getattr(warrant, name)
        if type(number) is not int or not 0 <= number <= most:
            return f"its {name} is no whole number from 0 to {most}; mend it"
    if not warrant.commands:
        return "it allows no command; give it some"
    if not 0 < warrant.expires - warrant.issued <= LONGEST:
        return f"it lasts no time, or more than {LONGEST / 86_400e9:g} days; set another time of expiry"
    return ""


_A_DAY = 86_400.0  # s
_PROCESS_KEY = secrets.token_bytes(KEY_SIZE)
