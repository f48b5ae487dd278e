"""What is sent to an OpenAI-compatible server, and what is changed about it where a server refuses something."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any

import cv2

from vantage.errors import ModelError
from vantage.models.openai_refusals import Refusal
from vantage.models.protocol import Call, Image

_REFUSED = (400, 404, 413, 415, 422, 500, 501)  # what servers say to a parameter that they do not know
_SYSTEM = "system"  # the role; chat templates of some models have none, and then the prompt begins with its text
_TEMPLATE = "chat_template_kwargs"  # in the body, variables of the chat template
_EFFORTS = {"on": "medium", "off": "none"}
_SPARED = {  # what can be left out, or said otherwise, where a server refuses it
    "response_format": None,
    "max_tokens": "max_completion_tokens",
    "temperature": None,
    "seed": None,
    "stream_options": None,
}
FEWEST = 16  # tokens of a reply; fewer hold no answer


@dataclass(frozen=True)
class Dialect:
    """What a server takes, as far as it has refused something.

    Attributes:
        left_out: parameters, and the system role.
        least: tokens of a reply that must be asked for at least.
        likeliest: tokens at the first position, of which those that say yes or no are summed.
        stream: it replies piece by piece only.
    """

    left_out: frozenset[str] = frozenset()
    least: int = 1
    likeliest: int = 20
    stream: bool = False

    def joined(self, other: Dialect) -> Dialect:
        """What is known from both."""
        return Dialect(
            self.left_out | other.left_out,
            max(self.least, other.least),
            min(self.likeliest, other.likeliest),
            self.stream or other.stream,
        )


@dataclass(frozen=True)
class Request:
    """One call as it is sent.

    Attributes:
        most: tokens of the reply.
        thinking: on or off; empty for as the server has it.
        shrunk: whether its pictures were made smaller.
    """

    model: str
    call: Call
    most: int
    thinking: str
    dialect: Dialect
    shrunk: bool = False

    @property
    def body(self) -> dict[str, Any]:
        """The parameters of a chat completion.

        Raises:
            ModelError: an image cannot be encoded.
        """
        left_out, call = self.dialect.left_out, self.call
        if _SYSTEM in left_out:
            call = call.without_system()
        body: dict[str, Any] = {"model": self.model, "messages": _messages(call)}
        most = max(self.dialect.least, 1 if call.choice else self.most)
        wanted: dict[str, Any] = {"temperature": 0.0, "seed": 0, "max_tokens": most}
        if call.schema is not None:
            schema = {"name": "reply", "schema": dict(call.schema), "strict": True}
            wanted["response_format"] = {"type": "json_schema", "json_schema": schema}
        if self.dialect.stream:
            body["stream"] = True
            wanted["stream_options"] = {"include_usage": True}
        for name, value in wanted.items():
            if name not in left_out:
                body[name] = value
            elif other := _SPARED[name]:
                body[other] = value
        if self.thinking and _TEMPLATE not in left_out:
            body["extra_body"] = {_TEMPLATE: {"enable_thinking": self.thinking == "on"}}
        elif self.thinking:
            body["reasoning_effort"] = _EFFORTS[self.thinking]
        if call.choice:
            body |= {"logprobs": True, "top_logprobs": self.dialect.likeliest}
        return body

    def instead(self, refusal: Refusal) -> Request | None:
        """What to send after a refusal; None where nothing can be changed about it."""
        if refusal.status not in _REFUSED:
            return None
        if not self.dialect.stream and refusal.wants_stream:
            return self._with(stream=True)
        if self.call.choice and (fewer := refusal.likeliest(self.dialect.likeliest)):
            return self._with(likeliest=fewer)
        most = max(self.dialect.least, 1 if self.call.choice else self.most)
        if more := refusal.more_tokens(most):
            return self._with(least=more)
        if (less := refusal.fewer_tokens(most)) is not None:
            return replace(self, most=less) if less >= FEWEST else None
        if self.call.images and not self.shrunk and refusal.finds_pictures_large:
            return replace(self, shrunk=True, call=replace(self.call, images=tuple(map(_halved, self.call.images))))
        refused = self._refused(refusal)
        return None if refused is None else self._with(left_out=self.dialect.left_out | {refused})

    def _with(self, **changes: Any) -> Request:
        return replace(self, dialect=replace(self.dialect, **changes))

    def _refused(self, refusal: Refusal) -> str | None:
        """What to leave out next: a parameter or role that the server names."""
        if self.call.system and _SYSTEM not in self.dialect.left_out and refusal.names(_SYSTEM):
            return _SYSTEM
        body = self.body
        if "extra_body" in body and refusal.names(_TEMPLATE):
            return _TEMPLATE
        return next((name for name in _SPARED if name in body and refusal.names(name)), None)


def _messages(call: Call) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": _data_url(part)}}
        for part in call.parts
    ]
    messages: list[dict[str, Any]] = [{"role": _SYSTEM, "content": call.system}] if call.system else []
    for turn in call.earlier:
        messages += [{"role": "user", "content": turn.prompt}, {"role": "assistant", "content": turn.reply}]
    return [*messages, {"role": "user", "content": parts if call.images else call.prompt}]


def _halved(image: Image) -> Image:
    """Half as wide and as high."""
    height, width = image.shape[:2]
    size = max(1, width // 2), max(1, height // 2)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _data_url(image: Image) -> str:
    """PNG: lossless, so that the model sees what the camera saw."""
    written, data = cv2.imencode(".png", cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    if not written:
        raise ModelError(f"an image of {image.shape[1]} x {image.shape[0]} pixels cannot be encoded; check its size")
    return f"data:image/png;base64,{base64.b64encode(data.tobytes()).decode()}"


def names_logprobs(refusal: Refusal) -> bool:
    """Whether a server refuses to tell how likely tokens are."""
    return refusal.status in _REFUSED and (refusal.names("logprobs") or refusal.names("top_logprobs"))


def fills_context(request: Request, refusal: Refusal) -> bool:
    """Whether the prompt leaves no room for a reply."""
    less = refusal.fewer_tokens(request.most)
    return less is not None and less < FEWEST
