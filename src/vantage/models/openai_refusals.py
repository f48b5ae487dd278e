"""What an OpenAI-compatible server means by a request that it refuses: which parameter, and what to send instead.

Servers quote the request in their errors. So only their own words count: the ``param`` member, and messages without
what they quote.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vantage.bounded_json import bounded_json

_OWN = ("message", "msg", "detail", "error", "errors", "title", "description", "loc", "reason")
_QUOTED = re.compile(r"\[type=\w+, input_value=.*?input_type=\w+\]", re.DOTALL)
_ECHO = re.compile(r"(?:['\"](?:input|body|request|received)['\"]\s*:|\binput(?:_value)?\s*=).*", re.DOTALL)
_MOST_ERRORS = 50
_DEEPEST = 6
_LONGEST, _LONGEST_LIST = 20_000, 8_000  # characters of an error that are read, and of a list of errors in one
_LARGEST_LEAST = 1024  # tokens of a reply that a server may ask for at least
_BOUNDS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens")
_NAMES = {  # other words for what was sent
    "response_format": ("response_format", "json_schema", "schema", "grammar", "structured output", "guided"),
    "system": ("system role", "system message", "'system'", '"system"', "roles must alternate"),
    "max_tokens": _BOUNDS,
}
_LARGE = re.compile(
    r"too (?:large|long|many|big|high)|exceed|context (?:length|window|size)|at most|less than|maximum|<=|range|"
    r"longer than"
)
_SMALL = re.compile(r"below minimum|minimum value|at least|greater than|>=|too (?:small|low)")
_LIMITS = re.compile(
    r"(?:context (?:length|window|size)(?: of| is| \w+ is)?|at most|less than or equal to|<=|up to|"
    r"maximum (?:value )?(?:is|of))\D{0,12}(\d{1,9})|\[\s*\d{1,9}\s*,\s*(\d{1,9})\s*\]|between \d{1,9} and (\d{1,9})"
)
_LEAST = re.compile(r"(?:>=|at least|greater than or equal to|minimum (?:value )?(?:is|of))\D{0,12}(\d{1,9})")
_PROMPT = re.compile(
    r"(\d{1,9})\s+(?:\w+\s+)?(?:input|prompt) tokens|(\d{1,9})\s+(?:\w+\s+)?in the messages|"
    r"prompt (?:of|has|contains) (\d{1,9})"
)
_PICTURES = re.compile(r"image|picture|pixel|payload|entity|request body|content.?length")
_STREAM = re.compile(
    r"non-?stream|only (?:support\w* )?stream|stream\w* (?:must|has to|is required|only)|set stream|stream=true"
)


@dataclass(frozen=True)
class Refusal:
    """A request that was refused.

    Attributes:
        status: of HTTP.
        param: the parameter that the server names, or empty.
        words: its own words, in lower case.
    """

    status: int
    param: str
    words: str

    def names(self, parameter: str) -> bool:
        """Whether the server names a parameter, or what was sent by it, in its own words."""
        others = _NAMES.get(parameter, (parameter,))
        named = self.param.rsplit(".", 1)[-1] in others or self.param.startswith(f"{parameter}.")
        return named or any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.words) for word in others)

    @property
    def wants_stream(self) -> bool:
        """Whether it replies piece by piece only."""
        return bool(_STREAM.search(self.words))

    @property
    def finds_pictures_large(self) -> bool:
        """Whether a picture has too many bytes or pixels."""
        return self.status == 413 or bool(_PICTURES.search(self.words) and _LARGE.search(self.words))

    def fewer_tokens(self, most: int) -> int | None:
        """How long a reply may be where ``most`` tokens are too many; None where that is not what was refused.

        0 where the prompt alone fills the context.
        """
        if not self._bounds_reply or not _LARGE.search(self.words):
            return None
        numbers = [int(next(filter(None, found))) for found in _LIMITS.findall(self.words)]
        sent = _PROMPT.search(self.words)
        room = min(numbers, default=most // 2) - (int(next(filter(None, sent.groups()))) if sent else 0)
        return max(0, min(room, most - 1)) if room < most else most // 2

    def more_tokens(self, most: int) -> int | None:
        """The least length of a reply where ``most`` tokens are too few; None where that is not what was refused."""
        if not self._bounds_reply or not _SMALL.search(self.words):
            return None
        found = _LEAST.search(self.words)
        least = int(found[1]) if found else 0
        return least if most < least <= _LARGEST_LEAST else None

    def likeliest(self, wanted: int) -> int | None:
        """How many likely tokens it gives where ``wanted`` are too many; None where that is not what was refused."""
        if not self.names("top_logprobs") or not _LARGE.search(self.words):
            return None
        numbers = [int(next(filter(None, found))) for found in _LIMITS.findall(self.words)]
        return next((number for number in numbers if 0 < number < wanted), None)

    @property
    def _bounds_reply(self) -> bool:
        return any(self.names(name) for name in _BOUNDS) or (not self.param and "context" in self.words)


def refusal_of(status: int, body: Any) -> Refusal:
    """What a server says in the body of an error: JSON, or the text of one that is none."""
    param = ""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(inner, Mapping) and isinstance(inner.get("param"), str):
        param = inner["param"]
    return Refusal(status, param.lower(), " ".join(_own(body, 0)).lower())


def _own(value: Any, depth: int) -> Iterator[str]:
    """The server's own words in an error: messages and places, nothing that it quotes."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield from _of_text(value[:_LONGEST], depth)
    elif isinstance(value, Mapping):
        for name in _OWN:
            if name in value:
                yield from _own(value[name], depth + 1)
    elif isinstance(value, (list, tuple)):
        if value and all(isinstance(part, (str, int)) for part in value):
            yield ".".join(map(str, value))  # a place in the request
            return
        for part in value[:_MOST_ERRORS]:
            yield from _own(part, depth + 1)


def _of_text(text: str, depth: int) -> Iterator[str]:
    """A message that is itself a list of errors, as text, is read; what others quote at their end is cut off."""
    start = re.search(r"[\[{]", text)
    if start is not None and len(text) <= _LONGEST_LIST:
        for read in (bounded_json, ast.literal_eval):
            try:
                inner = read(text[start.start() :].strip())
            except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
                continue
            if any(isinstance(part, dict) for part in (inner if isinstance(inner, list) else [inner])):
                yield text[: start.start()]
                yield from _own(inner, depth + 1)
                return
    yield _ECHO.sub("", _QUOTED.sub("", text))
