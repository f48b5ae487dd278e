"""Models behind an OpenAI-compatible server: vLLM, llama.cpp, or a hosted one (optional extra ``openai``)."""

from __future__ import annotations

import base64
import math
import os
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

import cv2

from vantage.config import Settings
from vantage.errors import EmptyReplyError, ModelError, RefusedCallError
from vantage.models.openai_wire import RefusedError, Wire, no_address
from vantage.models.protocol import MOST_THOUGHTS, Call, Deadline, Image, Reply, apart

_LIKELIEST = 20  # tokens at the first position, of which those that say yes or no are summed; servers give no more
_MOST_TOKENS = 10**9  # that a call can have taken; what a server counts beyond is no count
_REFUSED = (400, 404, 415, 422, 500, 501)  # what servers say to a parameter that they do not know
_SYSTEM = "system"  # the role; chat templates of some models have none, and then the prompt begins with its text
_TEMPLATE = "chat_template_kwargs"  # in the body, variables of the chat template
_EFFORTS = {"on": "medium", "off": "none"}
_SPARED = {  # what can be left out, or said otherwise, where a server refuses it
    "response_format": None,
    "max_tokens": "max_completion_tokens",
    "temperature": None,
    "seed": None,
}


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
        self._left_out: set[str] = set()  # parameters, and the system role, that this server refused
        self.identity: Mapping[str, object] = {
            "backend": "openai",
            "model": which,
            "url": f"{address.scheme}://{address.netloc.rsplit('@', 1)[-1]}{address.path}",
            "max_new_tokens": max_new_tokens,
            **({"thinking": thinking} if thinking else {}),
        }

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        """Send one call, again without the parameters that the server refuses.

        Raises:
            RefusedCallError: the server does not take the call, or is none that talks like OpenAI's.
            ModelError: the server does not reply, not in time, or with something else than a reply.
        """
        while True:
            body = self._body(call)
            try:
                return self._read(call, self._wire.send(body, deadline))
            except RefusedError as refusal:
                if call.choice and refusal.status in _REFUSED and _names("logprobs", refusal):
                    return Reply("")
                refused = self._refused(call, body, refusal)
                if refused is None:
                    raise RefusedCallError(str(refusal)) from refusal
                with self._lock:
                    self._left_out.add(refused)

    @property
    def limits_decoding(self) -> bool:
        """As ``Limiting``: until the server has refused a form of reply."""
        return "response_format" not in self._left_out

    def knock(self, deadline: Deadline) -> None:
        """As ``Remote``."""
        self._wire.knock(deadline)

    def _body(self, call: Call) -> dict[str, Any]:
        if _SYSTEM in self._left_out:
            call = call.without_system()
        parts: list[dict[str, Any]] = [
            {"type": "text", "text": part}
            if isinstance(part, str)
            else {"type": "image_url", "image_url": {"url": _data_url(part)}}
            for part in call.parts
        ]
        messages: list[dict[str, Any]] = [{"role": _SYSTEM, "content": call.system}] if call.system else []
        for turn in call.earlier:
            messages += [{"role": "user", "content": turn.prompt}, {"role": "assistant", "content": turn.reply}]
        messages.append({"role": "user", "content": parts if call.images else call.prompt})
        body: dict[str, Any] = {"model": self._which, "messages": messages}
        most = 1 if call.choice else call.most_tokens or self._most
        wanted: dict[str, Any] = {"temperature": 0.0, "seed": 0, "max_tokens": most}
        if call.schema is not None:
            schema = {"name": "reply", "schema": dict(call.schema), "strict": True}
            wanted["response_format"] = {"type": "json_schema", "json_schema": schema}
        for name, value in wanted.items():
            if name not in self._left_out:
                body[name] = value
            elif other := _SPARED[name]:
                body[other] = value
        if self._thinking and _TEMPLATE not in self._left_out:
            body["extra_body"] = {_TEMPLATE: {"enable_thinking": self._thinking == "on"}}
        elif self._thinking:
            body["reasoning_effort"] = _EFFORTS[self._thinking]
        if call.choice:
            body |= {"logprobs": True, "top_logprobs": _LIKELIEST}
        return body

    def _refused(self, call: Call, body: Mapping[str, Any], refusal: RefusedError) -> str | None:
        """What to leave out next: a parameter or role that the server names, or else the form of the reply."""
        if refusal.status not in _REFUSED:
            return None
        if call.system and _SYSTEM not in self._left_out and _names(_SYSTEM, refusal):
            return _SYSTEM
        if "extra_body" in body and _names(_TEMPLATE, refusal):
            return _TEMPLATE
        for name in _SPARED:
            if name in body and _names(name, refusal):
                return name
        return "response_format" if "response_format" in body else None

    def _read(self, call: Call, document: Any) -> Reply:
        """The first choice of a completion."""
        try:
            choice = document["choices"][0]
            text = choice["message"]["content"] or ""
            if not isinstance(text, str):
                raise TypeError("content")
            usage = document.get("usage") or {}
            tokens = [usage.get(name) or 0 for name in ("prompt_tokens", "completion_tokens")]
            if not all(isinstance(count, int) and 0 <= count <= _MOST_TOKENS for count in tokens):
                raise TypeError("usage")
            if call.choice:
                return Reply("", _probability(choice.get("logprobs")), tokens[0], tokens[1])
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise RefusedCallError(
                f"{self._wire.where} replied with JSON that is no chat completion; check that model.url is the address "
                "of an OpenAI-compatible server"
            ) from error
        thoughts, text = apart(text)
        if not text:
            reason = choice.get("finish_reason")
            raise EmptyReplyError(
                f"model '{self.name}' at {self._wire.where} gave an empty reply (finish_reason {reason})"
            )
        beside = choice["message"].get("reasoning_content") or choice["message"].get("reasoning")
        if isinstance(beside, str):
            thoughts = beside.strip()[-MOST_THOUGHTS:]
        return Reply(text, None, tokens[0], tokens[1], thoughts)


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


def _names(parameter: str, refusal: RefusedError) -> bool:
    words = {
        "response_format": ("response_format", "json_schema", "schema", "grammar"),
        _SYSTEM: ("system role", "system message", "'system'", '"system"', "roles must alternate"),
    }.get(parameter, (parameter,))
    return any(word in refusal.said.lower() for word in words)


def _probability(logprobs: Any) -> float | None:
    """Of yes against no among the likeliest tokens at the first position; None where neither is among them."""
    if not logprobs or not logprobs.get("content"):
        return None
    first = logprobs["content"][0]
    sums = {"yes": 0.0, "no": 0.0}
    for entry in first.get("top_logprobs") or [first]:
        word = entry["token"].strip().lower()
        if word in sums:
            sums[word] += math.exp(min(0.0, float(entry["logprob"])))
    both = sums["yes"] + sums["no"]
    return sums["yes"] / both if both > 0.0 else None


def _data_url(image: Image) -> str:
    """PNG: lossless, so that the model sees what the camera saw."""
    written, data = cv2.imencode(".png", cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    if not written:
        raise ModelError(f"an image of {image.shape[1]} x {image.shape[0]} pixels cannot be encoded; check its size")
    return f"data:image/png;base64,{base64.b64encode(data.tobytes()).decode()}"
