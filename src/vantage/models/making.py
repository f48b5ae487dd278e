"""Models by name, with their budget and cache around them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.config import ModelSettings, Settings
from vantage.errors import ModelError, NoServerError, SilentServerError, UsageError
from vantage.models.budget import PROCESS_LEDGER, Budget, Contact, Ledger, Usage
from vantage.models.cache import ReplyCache, key_of
from vantage.models.calls import Backend, Call, Deadline, Image, Remote, Reply
from vantage.models.cutoff import check_cutoff, seconds_left
from vantage.models.json_replies import ReplyFaultError, check_schema, json_in
from vantage.models.prompts import prompt as prompt_file
from vantage.registry import MODELS

_MOST_SHARED = 4  # models kept at once
_MAKING = threading.Lock()


def make_model(which: str, settings: Settings) -> CheckedModel:
    """The model of ``NAME:WHICH``, such as ``openai:llama`` or ``transformers:FOLDER``.

    Raises:
        UsageError: the text is of another form, or nothing is registered by that name.
        ModelError: the model cannot be loaded, or its cache folder not be used.
        MissingExtraError: what the back end needs is not installed.
    """
    name, colon, rest = which.partition(":")
    if not (name and colon and rest.strip()):
        known = ", ".join(f"{name}:..." for name in MODELS.names())
        raise UsageError(f"model '{which}' is not of the form NAME:WHICH; give one of {known}")
    backend: Backend = MODELS.create(name, rest.strip(), settings)
    return CheckedModel(backend, settings.model)


def shared_model(which: str, settings: ModelSettings) -> CheckedModel:
    """The model of ``make_model``, made once in a process: agents and perceivers begin anew with each episode, weights,
    connections and budgets do not. Safe to call from several threads.

    Raises:
        As ``make_model``; nothing is kept then.
    """
    with _MAKING:
        return _made(which, settings)


@lru_cache(maxsize=_MOST_SHARED)
def _made(which: str, settings: ModelSettings) -> CheckedModel:
    return make_model(which, Settings(model=settings))


class CheckedModel:
    """A ``Model`` that stays within its budget, remembers replies, and gives JSON that was checked."""

    def __init__(self, backend: Backend, settings: ModelSettings, ledger: Ledger = PROCESS_LEDGER) -> None:
        self._backend = backend
        self._budget = Budget(settings)
        self._ledger = ledger
        self._own = Ledger()
        self._cache = ReplyCache(settings.cache) if settings.cache else None

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def usage(self) -> Usage:
        """What this model spent by itself; bounds hold for all models of the process together."""
        return self._own.usage

    def rehearse(self) -> None:
        """See whether it can be asked at all. One that keeps its replies may need no server.

        Raises:
            NoServerError: its server is not there, or silent for the deadline of a call.
        """
        if self._cache is None and isinstance(self._backend, Remote):
            self._backend.knock(Deadline(self._budget.settings.timeout))

    def chat(self, prompt: str, images: Sequence[NDArray[np.uint8]] = (), schema: dict[str, Any] | None = None) -> str:
        """The reply; JSON text that follows the schema where one is given.

        Raises:
            ModelError: no reply, not in time, not within the budget, or twice not of the form asked for.
            UsageError: the schema has keywords that are not supported, or an image another form than (H, W, 3) uint8.
        """
        pictures = _checked(images)
        if schema is None:
            return self._remembered(Call(prompt, pictures), lambda reply: reply.text).text
        check_schema(schema)
        asked = prompt_file("json_reply").fill(prompt=prompt, schema=json.dumps(schema))
        try:
            return self._json(Call(asked, pictures, schema), schema)
        except ReplyFaultError as first:
            again = prompt_file("json_again").fill(prompt=asked, fault=first)
        try:
            return self._json(Call(again, pictures, schema), schema)
        except ReplyFaultError as second:
            raise ModelError(f"model '{self.name}' replied twice without usable JSON because {second}") from second

    def yes_probability(self, prompt: str, images: Sequence[NDArray[np.uint8]] = ()) -> float | None:
        """Probability of "yes" against "no" at the first position of the reply.

        Raises:
            ModelError: no reply, not in time, or not within the budget.
            UsageError: an image has another form than (H, W, 3) uint8.
        """
        return self._remembered(Call(prompt, _checked(images), choice=True), lambda reply: reply.text).probability

    def _json(self, call: Call, schema: Mapping[str, Any]) -> str:
        return self._remembered(call, lambda reply: json.dumps(json_in(reply.text, schema))).text

    def _remembered(self, call: Call, text_of: Any) -> Reply:
        """From the cache, or asked for; kept only once ``text_of`` could make use of it."""
        key = "" if self._cache is None else key_of(self.name, self._backend.identity, call)
        if self._cache is not None and (known := self._cache.get(key)) is not None:
            return known
        found = self._run(call)
        reply = Reply(text_of(found), found.probability)
        if self._cache is not None and not (call.choice and reply.probability is None):
            self._cache.put(key, self.name, call, reply)
        return reply

    def _run(self, call: Call) -> Reply:
        check_cutoff()
        self._ledger.begin(self._budget)
        self._own.begin(Budget(ModelSettings()))
        started = time.monotonic()
        longest = min(self._budget.longest_call(self._ledger.usage), seconds_left())
        reply, contact = Reply(""), Contact.MADE
        try:
            reply = self._backend.reply(call, Deadline(longest))
        except SilentServerError:
            contact = Contact.SILENT if longest >= self._budget.settings.timeout else Contact.CUT_SHORT
            raise
        except NoServerError:
            contact = Contact.REFUSED
            raise
        finally:
            spent = time.monotonic() - started
            cost = self._budget.cost(reply.tokens_in, reply.tokens_out)
            for ledger in (self._ledger, self._own):
                ledger.end(spent, reply.tokens_in, reply.tokens_out, cost, contact)
        return reply


def _checked(images: Sequence[NDArray[np.uint8]]) -> tuple[Image, ...]:
    for image in images:
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            raise UsageError(f"a model was given an image {image.shape} {image.dtype}; give (height, width, 3) uint8")
    return tuple(np.ascontiguousarray(image) for image in images)
