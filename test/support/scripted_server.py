"""A server on loopback whose model says what a function makes of each request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from faulty_server import FaultyServer, Step, completion

from vantage.models.prompts import prompt


@dataclass(frozen=True)
class Asked:
    """What one request asks.

    Attributes:
        system: the system text; empty without one.
        text: what the user says, without the names of pictures.
        pictures: their names, in order; of those without one, empty texts.
        body: the whole request.
    """

    system: str
    text: str
    pictures: tuple[str, ...]
    body: Mapping[str, Any]

    @staticmethod
    def of(body: Mapping[str, Any]) -> Asked:
        said = {message["role"]: message["content"] for message in body["messages"]}
        content = said["user"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        names = {k for k in range(len(parts) - 1) if parts[k]["type"] == "text" and parts[k + 1]["type"] == "image_url"}
        return Asked(
            said.get("system", ""),
            "\n".join(each["text"] for k, each in enumerate(parts) if each["type"] == "text" and k not in names),
            tuple(
                parts[k - 1]["text"].removesuffix(":") if k - 1 in names else ""
                for k, each in enumerate(parts)
                if each["type"] == "image_url"
            ),
            body,
        )

    @property
    def is_rehearsal(self) -> bool:
        """Whether it is the tiny picture that every model is shown before anything runs."""
        return prompt("tiny_picture").text.strip() in self.text


class ScriptedServer(FaultyServer):
    """Replies with what ``says`` makes of a request: the text of a completion, or a step with something else.

    Attributes:
        asked: all requests but those with the tiny picture, which is answered with yes.
    """

    def __init__(self, says: Callable[[Asked], str | Step]) -> None:
        super().__init__()
        self._says = says
        self.asked: list[Asked] = []

    def next_step(self, request: tuple[Mapping[str, str], Mapping[str, Any]]) -> Step:
        asked = Asked.of(request[1])
        if asked.is_rehearsal:
            return Step(completion("Yes."))
        with self._lock:
            self.asked.append(asked)
            said = self._says(asked)
        return said if isinstance(said, Step) else Step(completion(said))
