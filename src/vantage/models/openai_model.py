"""Models behind an OpenAI-compatible server: vLLM, llama.cpp, or a hosted one (optional extra ``openai``)."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import SplitResult, urlsplit

from vantage.config import Settings
from vantage.errors import EmptyReplyError, ModelError, RefusedCallError
from vantage.models.openai_replies import NoCompletionError, read_completion
from vantage.models.openai_requests import Dialect, Request, fills_context, names_logprobs
from vantage.models.openai_wire import RefusedError, Wire, no_address
from vantage.models.protocol import Call, Deadline, Reply

_MOST_CHANGES = 12  # of one call, after which it is given up
_LOG = logging.getLogger(__name__)


def make_openai(which: str, settings: Settings) -> OpenAIBackend:
    """For ``registry.MODELS``: the model of that name on the server at ``model.url``.

    Raises:
        MissingExtraError: the client is not installed.
        ModelError: the URL is none, or what the environment variable holds no key.
    """
    part = settings.model
    return OpenAIBackend(which, part.url, part.key_variable, part.retries, part.max_new_tokens, part.thinking)


class OpenAIBackend:
    """One model of one server.

    Args:
        thinking: on or off; empty for as the server has it. It is asked for as a variable of the chat template, which
            vLLM, SGLang and llama.cpp know, and of a server that refuses that as an effort of reasoning, as OpenAI's.
    """

    def __init__(
        self,
        which: str,
        url: str,
        key_variable: str,
        retries: int = 3,
        max_new_tokens: int = 512,
        thinking: str = "",
    ) -> None:
        address = _address(url)
        self.name = which.rsplit("/", 1)[-1]
        self._which = which
        self._most, self._thinking = max_new_tokens, thinking
        self._wire = Wire(url, _key(key_variable), key_variable, retries)
        self._lock = threading.Lock()
        self._dialect = Dialect()
        self._told_shrunk = False
        self.identity: Mapping[str, object] = {
            "backend": "openai",
            "model": which,
            "url": f"{address.scheme}://{address.netloc.rsplit('@', 1)[-1]}{address.path}",
            "max_new_tokens": max_new_tokens,
            **({"thinking": thinking} if thinking else {}),
        }

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        """Send one call, again without what the server refuses. That is left out of later calls once a call succeeds.

        Raises:
            RefusedCallError: the server does not take the call, or is none that talks like OpenAI's.
            ModelError: the server does not reply, not in time, or with something else than a reply.
        """
        request = Request(self._which, call, call.most_tokens or self._most, self._thinking, self._dialect)
        changes = 0
        while changes < _MOST_CHANGES:
            try:
                document, retries = self._wire.send(request.body, deadline)
                break
            except RefusedError as error:
                changed = request.instead(error.refusal)
                if changed is None and call.choice and names_logprobs(error.refusal):
                    return Reply("")
                if changed is None:
                    raise self._refused(request, error) from error
                request, last, changes = changed, error, changes + 1
        else:
            raise self._refused(request, last) from last
        self._learn(request)
        return replace(self._read(call, document), retries=retries + changes)

    @property
    def limits_decoding(self) -> bool:
        """As ``Limiting``: until the server has refused a form of reply."""
        return "response_format" not in self._dialect.left_out

    def knock(self, deadline: Deadline) -> None:
        """As ``Remote``."""
        self._wire.knock(deadline)

    def _learn(self, request: Request) -> None:
        """Keep what a request that succeeded left out."""
        with self._lock:
            self._dialect = self._dialect.joined(request.dialect)
            told, self._told_shrunk = self._told_shrunk, self._told_shrunk or request.shrunk
        if request.shrunk and not told:
            _LOG.warning(
                "%s takes no pictures as large as they are; it is sent them half as wide and high", self._wire.where
            )

    def _refused(self, request: Request, error: RefusedError) -> RefusedCallError:
        if fills_context(request, error.refusal):
            return RefusedCallError(
                f"the prompt leaves no room for a reply: {error}; show fewer pictures or serve a longer context"
            )
        return RefusedCallError(str(error))

    def _read(self, call: Call, document: Any) -> Reply:
        """The reply in a completion.

        Raises:
            RefusedCallError: it is no completion.
            EmptyReplyError: the model said nothing.
        """
        try:
            reply, reason = read_completion(document, call)
        except NoCompletionError as error:
            raise RefusedCallError(
                f"{self._wire.where} replied with JSON that is no chat completion; check that model.url is the address "
                "of an OpenAI-compatible server"
            ) from error
        if not reply.text and not call.choice:
            raise EmptyReplyError(
                f"model '{self.name}' at {self._wire.where} gave an empty reply (finish_reason {reason})"
            )
        return reply


def _address(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        if address.scheme in ("http", "https") and address.hostname and address.port != 0:
            return address
    except ValueError:  # brackets without an end, or a port that is no number
        pass
    raise no_address(url)


def _key(variable: str) -> str:
    """What the environment variable holds; a key that cannot be sent would end up in what is said of the failure."""
    key = os.environ.get(variable, "").strip()
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise ModelError(
            f"the environment variable {variable} holds no key: it has characters that no key has; set it anew"
        )
    return key
