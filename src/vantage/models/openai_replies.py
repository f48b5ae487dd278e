"""Reads what an OpenAI-compatible server replies: completions in whole or piece by piece, as servers write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vantage.bounded_json import bounded_json
from vantage.models.protocol import Call, Reply
from vantage.models.thoughts import MOST_THOUGHTS, apart

_MOST_TOKENS = 10**9  # that a call can have taken; what a server counts beyond is no count
_SENT = ("prompt_tokens", "input_tokens", "prompt_token_count", "prompt_eval_count")
_RECEIVED = ("completion_tokens", "output_tokens", "candidates_token_count", "eval_count")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")  # members of a message beside its content
_THINKS = re.compile("think|reason", re.IGNORECASE)
_BLANK_MARKS = "\u2581\u0120\u010a"  # by which tokenizers write blanks and ends of lines
_CODES = {  # words of errors that come with HTTP 200, as the status that they would have had
    "rate": 429,
    "overloaded": 503,
    "unavailable": 503,
    "timeout": 408,
    "server_error": 500,
    "internal": 500,
}


class NoCompletionError(ValueError):
    """A document is no chat completion."""


def error_in(document: Any) -> tuple[int, Any] | None:
    """The status and the error of a document that came with HTTP 200 and holds one instead of a reply."""
    if not isinstance(document, Mapping):
        return None
    error = document.get("error")
    choices = document.get("choices")
    if not error and isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        error = choices[0].get("error")
    elif choices:
        return None
    if not error:
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, str) and re.fullmatch("[45][0-9]{2}", code):
        code = int(code)
    if isinstance(code, int) and 400 <= code <= 599:
        return code, error
    kind = f"{code} {error.get('type')}" if isinstance(error, Mapping) else str(error)
    return next((status for word, status in _CODES.items() if word in kind.lower()), 400), error


def read_completion(document: Any, call: Call) -> tuple[Reply, str]:
    """The reply in a completion, and why it ended there, in the server's words.

    The text is empty where the model said nothing.

    Raises:
        NoCompletionError: it is none.
    """
    try:
        choice = document["choices"][0]
        usage = document.get("usage") or {}
        sent, received = _count(usage, _SENT), _count(usage, _RECEIVED)
        counted = bool(sent or received)
        if call.choice and (probability := _probability(choice.get("logprobs"))) is not None:
            return Reply("", probability, sent, received, counted=counted), "stop"
        said, within = _content(choice["message"])
        if call.choice:
            return Reply("", None, sent, received, counted=counted), "stop"
        between, text = apart(said)
        beside = next((choice["message"][name] for name in _THOUGHTS if choice["message"].get(name)), "")
        thoughts = "\n".join(filter(None, (beside if isinstance(beside, str) else "", within, between)))
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise NoCompletionError(str(error)) from error
    reply = Reply(text, None, sent, received, thoughts.strip()[-MOST_THOUGHTS:], counted=counted)
    return reply, str(choice.get("finish_reason"))


def of_events(text: str) -> Any:
    """The completion that was sent piece by piece, as server-sent events, or the error that ended it.

    Raises:
        ValueError: these are no such events.
    """
    try:
        return _joined(_events(text))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no events of a completion: {error}") from error


def _joined(events: Iterator[Any]) -> Any:
    message: dict[str, str] = {}
    logprobs: list[Any] = []
    whole: dict[str, Any] = {}
    reason = None
    for event in events:
        if not isinstance(event, Mapping):
            raise ValueError("no event")
        if error_in(event) is not None:
            return event
        whole["usage"] = event.get("usage") or whole.get("usage")
        for choice in (event.get("choices") or [])[:1]:
            delta = choice.get("delta") or choice.get("message") or {}
            for name in ("content", *_THOUGHTS):
                if isinstance(delta.get(name), str):
                    message[name] = message.get(name, "") + delta[name]
            logprobs += (choice.get("logprobs") or {}).get("content") or []
            reason = choice.get("finish_reason") or reason
    choice = {"message": message, "finish_reason": reason, "logprobs": {"content": logprobs}}
    return {**whole, "choices": [choice]}


def _events(text: str) -> Iterator[Any]:
    found = False
    for line in text.splitlines():
        field, _, value = line.partition(":")
        if field.strip() == "data" and value.strip() != "[DONE]":
            found = True
            yield bounded_json(value)
    if not found:
        raise ValueError("no events")


def _content(message: Mapping[str, Any]) -> tuple[str, str]:
    """What a message says and what its content tells of thoughts; content may be missing, or come in parts."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or "", ""
    if not isinstance(content, list) or not all(isinstance(part, Mapping) for part in content):
        raise TypeError("content")
    said: list[str] = []
    thoughts: list[str] = []
    for part in content:
        (thoughts if _THINKS.search(str(part.get("type", ""))) else said).append(_text_of(part))
    return "".join(said), "\n".join(thoughts)


def _text_of(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Sequence):
        return "".join(map(_text_of, part))
    if isinstance(part, Mapping):
        return _text_of(next((part[name] for name in ("text", *_THOUGHTS, "content") if part.get(name)), ""))
    return ""


def _count(usage: Mapping[str, Any], names: Sequence[str]) -> int:
    """How many tokens a server counts; what it counts in fractions is rounded up.

    Raises:
        ValueError: that cannot be.
    """
    value = next((usage[name] for name in names if usage.get(name) is not None), 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST_TOKENS:
        raise ValueError("usage")
    return math.ceil(value)


def _probability(logprobs: Any) -> float | None:
    """Of yes against no among the likeliest tokens at the first position; None where neither is among them.

    A token without a figure has no chance.
    """
    if not logprobs or not logprobs.get("content"):
        return None
    first = logprobs["content"][0]
    sums = {"yes": 0.0, "no": 0.0}
    for entry in first.get("top_logprobs") or [first]:
        word = entry["token"].strip(f"{_BLANK_MARKS} \t\r\n\"'*`.").lower()
        if word in sums and entry.get("logprob") is not None:
            sums[word] += math.exp(min(0.0, float(entry["logprob"])))
    both = sums["yes"] + sums["no"]
    return sums["yes"] / both if both > 0.0 else None
