"""Models by name, with a budget and a cache of their replies on disk.

The same question to the same model about the same pixels is asked once. Each reply is a file of its own, written whole,
so that several processes may share a folder. What cannot be read is asked for anew and written over. Questions and
replies are private: the folder is for its user alone, and files of other users in it are not used.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.config import ModelSettings, Settings
from vantage.errors import (
    FormatError,
    ModelError,
    NoServerError,
    RefusedCallError,
    SilentServerError,
    UnusableReplyError,
    UsageError,
)
from vantage.files import read_json, untrusted_owner, write_whole
from vantage.models.budget import PROCESS_LEDGER, Budget, Contact, Ledger, Usage, check_cutoff, seconds_left
from vantage.models.call_log import note_call
from vantage.models.json_replies import ReplyFaultError, check_schema, json_in
from vantage.models.picture_check import is_about_pictures, picture_call
from vantage.models.prompts import prompt as prompt_file
from vantage.models.protocol import Backend, Call, Deadline, Image, Limiting, Remote, Reply, Turn
from vantage.registry import MODELS

_VERSION = 1
_PRIVATE = 0o700
_SHELF = re.compile("[0-9a-f]{2}")  # the first digits of keys
_LOG = logging.getLogger(__name__)
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
        self._checking = threading.Lock()
        self._shown = False  # a picture, which was not refused
        self._pictures = settings.pictures
        self._told_uncounted = False

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def usage(self) -> Usage:
        """What this model spent by itself; bounds hold for all models of the process together."""
        return self._own.usage

    @property
    def pictures(self) -> int:
        """How many go into one question, as far as that was found out."""
        return self._pictures

    @property
    def limits_decoding(self) -> bool:
        """Whether a reply is kept to a schema while it is made, and not only checked afterwards."""
        return isinstance(self._backend, Limiting) and self._backend.limits_decoding

    def require_limits(self) -> None:
        """
        Raises:
            UsageError: this model is never kept to a schema.
        """
        if not isinstance(self._backend, Limiting):
            raise UsageError(
                f"model '{self.name}' cannot be kept to a schema while it replies; serve it by llama.cpp or vLLM and "
                "name it as openai:NAME, or take another --mitigation"
            )

    def rehearse(self, pictures: bool = False) -> None:
        """See whether it can be asked at all. One that keeps its replies may need no server.

        Args:
            pictures: it is going to be shown pictures. It is shown a tiny one then, once; the call counts as any other.

        Raises:
            NoServerError: its server is not there, or silent for the deadline of a call.
            ModelError: it takes no pictures, or nothing at all. What it says of one does not matter, nor whether it
                was too busy to say it.
        """
        if self._cache is None and isinstance(self._backend, Remote):
            self._backend.knock(Deadline(self._budget.settings.timeout))
        if pictures:
            with self._checking:
                self._shown = self._shown or self._show_picture()

    def chat(
        self,
        prompt: str,
        images: Sequence[NDArray[np.uint8]] = (),
        schema: dict[str, Any] | None = None,
        system: str = "",
        image_names: Sequence[str] = (),
        earlier: Sequence[Turn] = (),
    ) -> str:
        """The reply; JSON text that follows the schema where one is given.

        Raises:
            As ``said``.
        """
        return self.said(prompt, images, schema, system, image_names, earlier).text

    def said(
        self,
        prompt: str,
        images: Sequence[NDArray[np.uint8]] = (),
        schema: dict[str, Any] | None = None,
        system: str = "",
        image_names: Sequence[str] = (),
        earlier: Sequence[Turn] = (),
    ) -> Reply:
        """As ``chat``, with what the model thought beside the text.

        Raises:
            ModelError: no reply, not in time, not within the budget, or twice not of the form asked for.
            UsageError: the schema has keywords that are not supported, an image another form than (H, W, 3) uint8, or
                the names are not one for each image.
        """
        names = _checked_names(image_names, len(images))
        call = Call(prompt, _checked(images), system=system, image_names=names, earlier=tuple(earlier))
        if schema is None:
            return self._remembered(call, lambda reply: reply.text)
        check_schema(schema)
        asked = prompt_file("json_reply").fill(prompt=prompt, schema=json.dumps(schema))
        try:
            return self._json(replace(call, prompt=asked, schema=schema), schema)
        except ReplyFaultError as first:
            again = prompt_file("json_again").fill(prompt=asked, fault=first)
        try:
            return self._json(replace(call, prompt=again, schema=schema), schema)
        except ReplyFaultError as second:
            told = f"model '{self.name}' replied twice without usable JSON because {second}"
            raise UnusableReplyError(told) from second

    def yes_probability(self, prompt: str, images: Sequence[NDArray[np.uint8]] = ()) -> float | None:
        """Probability of "yes" against "no" at the first position of the reply.

        Raises:
            ModelError: no reply, not in time, or not within the budget.
            UsageError: an image has another form than (H, W, 3) uint8.
        """
        return self._remembered(Call(prompt, _checked(images), choice=True), lambda reply: reply.text).probability

    def _show_picture(self) -> bool:
        """Whether a picture was shown; not where its server is not there and may not be needed.

        Raises:
            NoServerError: its server is not there, or silent.
            ModelError: it does not take one.
        """
        call = picture_call()
        try:
            self._count_pictures()
        except NoServerError:
            if self._cache is None:
                raise
            return False
        except RefusedCallError as refusal:
            self._require_words(call)
            if not is_about_pictures(str(refusal)):
                raise ModelError(
                    f"model '{self.name}' answers words and not the tiny picture that it is shown first: {refusal}"
                ) from refusal
            raise ModelError(
                f"model '{self.name}' takes no pictures, and would be shown some: {refusal}; name one that sees, or "
                "start its server with one (llama.cpp: with --mmproj; see docs/models.md)"
            ) from refusal
        except ModelError as error:  # busy, late, over its budget or speechless: that is no refusal
            _LOG.info("model '%s' was shown a tiny picture in vain: %s", self.name, error)
        return True

    def _count_pictures(self) -> None:
        """Find out whether it takes as many pictures in one question as it may be shown; else it is shown one.

        Raises:
            ModelError: it does not take one.
        """
        if self._pictures > 1:
            try:
                self._remembered(picture_call(self._pictures), lambda reply: reply.text)
                return
            except RefusedCallError as refusal:
                _LOG.info("model '%s' takes one picture in a question: %s", self.name, refusal)
                self._pictures = 1
        self._remembered(picture_call(), lambda reply: reply.text)

    def _require_words(self, call: Call) -> None:
        """Tell a model that refuses a picture from one that refuses everything, for instance because of its name.

        Raises:
            ModelError: it refuses the same call without pictures, too.
        """
        try:
            self._run(replace(call, images=(), image_names=()))
        except RefusedCallError as refusal:
            raise ModelError(f"model '{self.name}' cannot be asked: {refusal}") from refusal
        except ModelError as error:  # which is no refusal
            _LOG.info("model '%s' could not be asked without a picture: %s", self.name, error)

    def _json(self, call: Call, schema: Mapping[str, Any]) -> Reply:
        return self._remembered(call, lambda reply: json.dumps(json_in(reply.text, schema)))

    def _remembered(self, call: Call, text_of: Any) -> Reply:
        """From the cache, or asked for; kept only once ``text_of`` could make use of it."""
        key = "" if self._cache is None else key_of(self.name, self._backend.identity, call)
        if self._cache is not None and (known := self._cache.get(key)) is not None:
            note_call(self.name, call, time.time(), known, cached=True)
            return known
        found = self._run(call)
        reply = Reply(text_of(found), found.probability, thoughts=found.thoughts)
        if self._cache is not None and not (call.choice and reply.probability is None):
            self._cache.put(key, self.name, call, reply)
        return reply

    def _run(self, call: Call) -> Reply:
        check_cutoff()
        self._ledger.begin(self._budget)
        self._own.begin(Budget(ModelSettings()))
        started, begun = time.monotonic(), time.time()
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
            error = sys.exc_info()[1]
            note_call(self.name, call, begun, None if error else reply, cost, error=str(error) if error else "")
            for ledger in (self._ledger, self._own):
                ledger.end(spent, reply.tokens_in, reply.tokens_out, cost, contact)
        self._require_counts(reply)
        return reply

    def _require_counts(self, reply: Reply) -> None:
        """Warn once where tokens are to be bounded or paid, and the back end does not count them."""
        bounds = self._budget.settings
        bounded = [name for name in ("max_tokens", "max_cost") if getattr(bounds, name)]
        if bounded and not reply.counted and not self._told_uncounted:
            self._told_uncounted = True
            names = " and ".join(f"model.{name}" for name in bounded)
            _LOG.warning("model '%s' counts no tokens, so %s cannot hold; set model.max_calls", self.name, names)


def _checked(images: Sequence[NDArray[np.uint8]]) -> tuple[Image, ...]:
    for image in images:
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            raise UsageError(f"a model was given an image {image.shape} {image.dtype}; give (height, width, 3) uint8")
    return tuple(np.ascontiguousarray(image) for image in images)


def _checked_names(names: Sequence[str], images: int) -> tuple[str, ...]:
    if names and (len(names) != images or len(set(names)) != images or not all(name.strip() for name in names)):
        told = ", ".join(names)
        raise UsageError(f"a model was given {images} images and the names '{told}'; give each image a name of its own")
    return tuple(names)


class ReplyCache:
    """A folder of replies."""

    def __init__(self, folder: str | Path) -> None:
        """
        Raises:
            ModelError: the folder cannot be made, or is not this user's alone.
        """
        self._folder = Path(folder).expanduser()
        try:
            self._folder.mkdir(_PRIVATE, parents=True, exist_ok=True)
            why = _unfit(self._folder)
        except OSError as error:
            raise ModelError(f"model.cache = {folder} cannot be used: {error.strerror}; name another folder") from error
        if why:
            raise ModelError(f"model.cache = {folder} cannot be used: {why}; name a folder of your own for it alone")

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key; its tokens are 0, because nothing is sent for it."""
        path = self._path(key)
        try:
            if untrusted_owner(path.parent) or untrusted_owner(path):
                return None
            entry = read_json(path)
        except (FormatError, OSError):
            return None
        if not isinstance(entry, dict) or entry.get("key") != key or entry.get("version") != _VERSION:
            return None
        text, probability = entry.get("text"), entry.get("probability")
        if not isinstance(text, str) or not (probability is None or isinstance(probability, float)):
            return None
        thoughts = entry.get("thoughts", "")
        return Reply(text, probability, thoughts=thoughts if isinstance(thoughts, str) else "")

    def put(self, key: str, model: str, call: Call, reply: Reply) -> None:
        """Keep a reply; where the disk does not take it, a warning is logged and it will be asked for again."""
        entry = {
            "version": _VERSION,
            "key": key,
            "model": model,
            "system": call.system,
            "prompt": call.prompt,
            "text": reply.text,
            "probability": reply.probability,
            **({"thoughts": reply.thoughts} if reply.thoughts else {}),
        }
        path = self._path(key)
        try:
            path.parent.mkdir(_PRIVATE, exist_ok=True)
            why = untrusted_owner(path.parent)
            if not why:
                write_whole(path, json.dumps(entry, indent=1), 0o600)
        except OSError as error:
            why = error.strerror or str(error)
        if why:
            _LOG.warning("a reply could not be kept in %s: %s", path.parent, why)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _unfit(folder: Path) -> str:
    """Why replies cannot lie in a folder, empty if they can. One that holds nothing but replies and that others can
    look into, as caches were made before, is closed to them.

    Raises:
        OSError: it cannot be looked into or closed.
    """
    why = untrusted_owner(folder)
    if why or not folder.lstat().st_mode & 0o077:
        return why
    if not all(_SHELF.fullmatch(item.name) for item in folder.iterdir()):
        return "other users can look into it, and it holds other things than replies"
    folder.chmod(_PRIVATE)
    return ""


def key_of(name: str, identity: Mapping[str, object], call: Call) -> str:
    """SHA-256 over all that a reply depends on: model, its settings, texts, schema, and the pixels of the images."""
    digest = hashlib.sha256()
    parts = [_VERSION, name, dict(identity), call.prompt, call.schema, call.choice, [i.shape for i in call.images]]
    # Not for all calls, so that replies that were kept before these existed count.
    parts += [call.most_tokens] if call.most_tokens else []
    parts += [{"system": call.system, "names": call.image_names}] if call.system or call.image_names else []
    parts += [{"earlier": [(turn.prompt, turn.reply) for turn in call.earlier]}] if call.earlier else []
    digest.update(json.dumps(parts, sort_keys=True).encode())
    for image in call.images:
        digest.update(image.tobytes())
    return digest.hexdigest()
