"""Replies kept on disk by content: the same question to the same model about the same pixels is asked once.

Each reply is a file of its own, written whole, so that several processes may share a folder. What cannot be read is
asked for anew and written over.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path

from vantage.errors import FormatError, ModelError
from vantage.files import read_json, write_whole
from vantage.models.calls import Call, Reply

_VERSION = 1
_LOG = logging.getLogger(__name__)


class ReplyCache:
    """A folder of replies."""

    def __init__(self, folder: str | Path) -> None:
        """
        Raises:
            ModelError: the folder cannot be made.
        """
        self._folder = Path(folder).expanduser()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ModelError(f"model.cache = {folder} cannot be used: {error.strerror}; name another folder") from error

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key; its tokens are 0, because nothing is sent for it."""
        try:
            entry = read_json(self._path(key))
        except FormatError:
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
        try:
            write_whole(self._path(key), json.dumps(entry, indent=1))
        except OSError as error:
            _LOG.warning("a reply could not be kept in %s: %s", self._folder, error.strerror)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def key_of(name: str, identity: Mapping[str, object], call: Call) -> str:
    """SHA-256 over all that a reply depends on: model, its settings, prompt, schema, and the pixels of the images."""
    digest = hashlib.sha256()
    parts = [_VERSION, name, dict(identity), call.prompt, call.schema, call.choice, [i.shape for i in call.images]]
    digest.update(json.dumps(parts, sort_keys=True).encode())
    for image in call.images:
        digest.update(image.tobytes())
    return digest.hexdigest()
