"""Whether gold data is in what a seat was sent: every text in headers, pages, messages and pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Set
from typing import Any

from vantage.types import Episode, Key, Truth
from vantage.web.page_client import described

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_OF_PIXELS = (b"IHDR", b"IDAT", b"IEND")
# What is drawn by lot, or counts: no text of gold data.
_DRAWN = re.compile(r"/picture/[\w-]{32}/\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_COUNTS = ("content-length:", "date:")


class GoldSearch:
    """Holds what a seat is sent until it is known what of it must not be told then; not thread-safe.

    Attributes:
        received: bytes, in all.
        found: texts of gold data that were sent, each with the text in which it was found.
    """

    def __init__(self) -> None:
        self.received = 0
        self.found: list[tuple[str, str]] = []
        self._usual: set[str] = set()
        self._held: list[tuple[str, bytes]] = []

    def heard(self, kind: str, sent: bytes) -> None:
        """Something came in, as ``PageClient`` tells it."""
        self.received += len(sent)
        self._held.append((kind, sent))

    def learn(self) -> None:
        """What came in so far is said to everybody, whatever is asked: only before an episode is chosen."""
        self._usual |= {text for kind, sent in self._taken() for text in texts_in(kind, sent)}

    def search(self, secrets: Iterable[str], expected: Set[str]) -> None:
        """Look for secrets, as whole words, in all that came in since the last call.

        Args:
            expected: texts that are meant to be sent.
        """
        words = sorted({text.strip().lower() for text in secrets} - {""})
        taken = self._taken()
        if not words:
            return
        sought = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")
        for kind, sent in taken:
            for text in texts_in(kind, sent):
                if text in expected or text in self._usual:
                    continue
                self.found += [(each, text) for each in sought.findall(_DRAWN.sub(" ", text.lower()))]

    def _taken(self) -> list[tuple[str, bytes]]:
        taken, self._held = self._held, []
        return taken


def secrets_of(episode: Episode, truth: Truth, answered: Set[Key]) -> Iterator[str]:
    """What nobody may be told who does an episode: what is right, of questions that she has not answered, what they are
    made of, and the names of the home and the episode."""
    yield from (episode.episode_id, episode.scene)
    for gold in truth.questions:
        if any(gold.is_about(item) and item.key in answered for item in episode.questions):
            continue
        yield from (gold.answer, *gold.accepted, gold.false_claim, gold.correction, gold.corrected_question)
        yield gold.program


def texts_in(kind: str, sent: bytes) -> Iterator[str]:
    """All texts in something that a server sent. Numbers are ids and sizes, and no texts.

    Args:
        kind: ``header``, ``page``, ``picture`` or ``message``.
    """
    if kind == "picture":
        yield from _beside_pixels(sent)
        return
    text = sent.decode("utf-8", "replace")
    if kind == "page":
        elements, rest = described(text)
        yield from _leaves(elements)
        yield _DRAWN.sub(" ", rest)
    elif kind == "message":
        start = re.match(r"\d*", text)
        packet = text[start.end() if start else 0 :]
        try:
            yield from _leaves(json.loads(packet) if packet else None)
        except ValueError:
            yield packet
    elif not text.lower().startswith(_COUNTS):
        yield text


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if not (key.isdecimal() or key == "sid"):
                yield key
            if key != "sid":  # of a connection, drawn by lot
                yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, str):
        yield value


def _beside_pixels(sent: bytes) -> Iterator[str]:
    """What a picture holds besides its pixels; everything of what is no PNG."""
    if not sent.startswith(_SIGNATURE):
        yield sent.decode("latin-1")
        return
    place = len(_SIGNATURE)
    while place + 12 <= len(sent):
        length, kind = int.from_bytes(sent[place : place + 4], "big"), sent[place + 4 : place + 8]
        if kind not in _OF_PIXELS:
            yield sent[place + 4 : place + 8 + length].decode("latin-1")
        place += 12 + length
        if kind == b"IEND":
            break
    if place < len(sent):
        yield sent[place:].decode("latin-1")
