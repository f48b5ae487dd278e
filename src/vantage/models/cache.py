"""Replies kept on disk by content: the same question to the same model about the same pixels is asked once.

Each reply is a file of its own, written whole, so that several processes may share a folder. What cannot be read is
asked for anew and written over. Questions and replies are nobody else's: the folder is for its user alone, and what
another user put there is not believed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path

from vantage.errors import FormatError, ModelError
from vantage.files import read_json, strangers, write_whole
from vantage.models.calls import Call, Reply

_VERSION = 1
_PRIVATE = 0o700
_SHELF = re.compile("[0-9a-f]{2}")  # the first digits of keys
_LOG = logging.getLogger(__name__)


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
            if strangers(path.parent) or strangers(path):
                return None
            entry = read_json(path)
        except (FormatError, OSError):
            return None
        if not isinstance(entry, dict) or entry.get("key") != key or entry.get("version") != _VERSION:
            return None
        text, probability = entry.get("text"), entry.get("probability")
        if not isinstance(text, str) or not (probability is None or isinstance(probability, float)):
            return None
        return Reply(text, probability)

    def put(self, key: str, model: str, call: Call, reply: Reply) -> None:
        """Keep a reply; where the disk does not take it, a warning is logged and it will be asked for again."""
        entry = {
            "version": _VERSION,
            "key": key,
            "model": model,
            "prompt": call.prompt,
            "text": reply.text,
            "probability": reply.probability,
        }
        path = self._path(key)
        try:
            path.parent.mkdir(_PRIVATE, exist_ok=True)
            why = strangers(path.parent)
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
    why = strangers(folder)
    if why or not folder.lstat().st_mode & 0o077:
        return why
    if not all(_SHELF.fullmatch(item.name) for item in folder.iterdir()):
        return "other users can look into it, and it holds other things than replies"
    folder.chmod(_PRIVATE)
    return ""


def key_of(name: str, identity: Mapping[str, object], call: Call) -> str:
    """SHA-256 over all that a reply depends on: model, its settings, prompt, schema, and the pixels of the images."""
    digest = hashlib.sha256()
    parts = [_VERSION, name, dict(identity), call.prompt, call.schema, call.choice, [i.shape for i in call.images]]
    digest.update(json.dumps(parts, sort_keys=True).encode())
    for image in call.images:
        digest.update(image.tobytes())
    return digest.hexdigest()
