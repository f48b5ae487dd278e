"""Records of calls: what each was asked, shown and answered, what it took, and whether it came from the cache.

Whoever runs an episode notes them (``noted``); a record never holds a key, nor the pictures themselves.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from vantage.models.protocol import Call, Image, Reply


@dataclass(frozen=True)
class CallRecord:
    """One call to a model.

    Attributes:
        time: when it began, s since 1970; no clock of the world.
        prompt: with the system text and earlier turns before it, where there are any.
        pictures: SHA-256 of the pixels of each, in order.
        form: ``words``, ``json`` by a schema, or ``choice`` of yes and no.
        reply: text, or why there was none (``error``).
        probability: of yes against no; None where it was not asked for or not told.
        tokens_in, tokens_out: None where the back end does not count.
        seconds: that it took, retries and waits included.
        cost: in the currency of the prices.
        retries: further trials after a busy or failing server.
        cached: the reply was kept from before; nothing was sent.
    """

    time: float
    model: str
    prompt: str
    pictures: tuple[str, ...]
    form: str
    reply: str = ""
    thoughts: str = ""
    probability: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0
    cost: float = 0.0
    retries: int = 0
    cached: bool = False
    error: str = ""


_NOTE: ContextVar[Callable[[CallRecord], None] | None] = ContextVar("call note", default=None)


@contextmanager
def noted(note: Callable[[CallRecord], None]) -> Iterator[None]:
    """Within it, every call of this thread, or of one with a copy of its context, is noted once it is over."""
    token = _NOTE.set(note)
    try:
        yield
    finally:
        _NOTE.reset(token)


def note_call(
    model: str, call: Call, begun: float, reply: Reply | None, cost: float = 0.0, cached: bool = False, error: str = ""
) -> None:
    """Note a call, if anybody listens.

    Args:
        begun: by ``time.time``.
        reply: None where there was none.
    """
    note = _NOTE.get()
    if note is None:
        return
    said = reply or Reply("")
    counted = reply is not None and said.counted and not cached
    earlier = [text for turn in call.earlier for text in (turn.prompt, turn.reply)]
    note(
        CallRecord(
            begun,
            model,
            "\n\n".join(filter(None, (call.system, *earlier, call.prompt))),
            tuple(map(_fingerprint, call.images)),
            "choice" if call.choice else "json" if call.schema is not None else "words",
            said.text,
            said.thoughts,
            said.probability,
            said.tokens_in if counted else None,
            said.tokens_out if counted else None,
            round(time.time() - begun, 3),
            cost,
            said.retries,
            cached,
            error,
        )
    )


def _fingerprint(image: Image) -> str:
    return hashlib.sha256(image.tobytes()).hexdigest()
