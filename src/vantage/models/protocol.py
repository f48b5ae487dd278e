"""The protocols of models: ``Model`` answers prompts about images; a ``Backend`` takes one call and gives its reply."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@runtime_checkable
class Model(Protocol):
    """A chat model that takes images."""

    @property
    def name(self) -> str:
        """Goes into every answer that the model had a part in."""
        ...

    def chat(
        self,
        prompt: str,
        images: Sequence[NDArray[np.uint8]] = (),
        schema: dict[str, Any] | None = None,
        system: str = "",
        image_names: Sequence[str] = (),
        earlier: Sequence[Turn] = (),
    ) -> str:
        """The reply to a prompt with images (H, W, 3) uint8; JSON text where a schema is given.

        ``system`` is the text of the system role; of ``image_names``, where given, each stands before its image.
        ``earlier`` is what was said before in the same conversation.
        """
        ...

    def yes_probability(self, prompt: str, images: Sequence[NDArray[np.uint8]] = ()) -> float | None:
        """Probability of "yes" against "no" at the first position, 0..1, or None where the model cannot tell."""
        ...


@runtime_checkable
class SeesSeveral(Protocol):
    """A model that may be shown several pictures in one question."""

    @property
    def pictures(self) -> int:
        """How many, 1 or more."""
        ...


@runtime_checkable
class ThinksAloud(Protocol):
    """A model that tells what it thought before it replied."""

    def said(
        self,
        prompt: str,
        images: Sequence[NDArray[np.uint8]] = (),
        schema: dict[str, Any] | None = None,
        system: str = "",
        image_names: Sequence[str] = (),
        earlier: Sequence[Turn] = (),
    ) -> Reply:
        """As ``Model.chat``, with the thoughts beside the text."""
        ...


@dataclass(frozen=True)
class Turn:
    """What was asked before in a conversation, and what the model replied."""

    prompt: str
    reply: str


@dataclass(frozen=True)
class Call:
    """One question to a model.

    Attributes:
        prompt: as it is sent.
        images: each (H, W, 3) uint8.
        schema: that the reply should follow; the prompt asks for it too.
        choice: yes or no is asked for, and the probability of yes counts.
        most_tokens: of the reply; 0 for as many as the settings allow.
        system: text of the system role; where a model knows no such role, the prompt begins with it.
        image_names: none, or one for each image, such as END_IMAGE, which stands as text before it.
        earlier: what was said before, without pictures.
    """

    prompt: str
    images: tuple[Image, ...] = ()
    schema: Mapping[str, Any] | None = None
    choice: bool = False
    most_tokens: int = 0
    system: str = ""
    image_names: tuple[str, ...] = ()
    earlier: tuple[Turn, ...] = ()

    @property
    def parts(self) -> Iterator[Image | str]:
        """What is sent as the user's turn, in order: images, each behind its name, and last the prompt."""
        for index, image in enumerate(self.images):
            if self.image_names:
                yield f"{self.image_names[index]}:"
            yield image
        yield self.prompt

    def without_system(self) -> Call:
        """The same for a model that knows no system role."""
        if not self.system:
            return self
        if self.earlier:
            first = replace(self.earlier[0], prompt=f"{self.system}\n\n{self.earlier[0].prompt}")
            return replace(self, system="", earlier=(first, *self.earlier[1:]))
        return replace(self, system="", prompt=f"{self.system}\n\n{self.prompt}")


@dataclass(frozen=True)
class Reply:
    """What came back.

    Attributes:
        text: empty for a choice.
        probability: of yes against no, 0..1; None where the model cannot tell or was not asked.
        tokens_in, tokens_out: sent and received, images included; 0 where the back end does not count.
        thoughts: what the model thought before, where it tells; at most the last 50,000 characters of it.
        counted: whether the back end counts tokens.
        retries: further trials that it took.
    """

    text: str
    probability: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    thoughts: str = ""
    counted: bool = True
    retries: int = 0


class Deadline:
    """A moment by which a call must be over."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """s, never below 0."""
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        return self.left == 0.0


class Backend(Protocol):
    """Runs calls; entries of ``registry.MODELS`` make one from (which, settings). Safe to call from several threads."""

    @property
    def name(self) -> str:
        """As it stands in answers."""
        ...

    @property
    def identity(self) -> Mapping[str, object]:
        """All that replies depend on besides the call, as JSON values: weights, server, generation settings."""
        ...

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        """Run one call.

        Raises:
            RefusedCallError: it does not take such a call, for instance one with pictures.
            ModelError: no reply, or not in time.
        """
        ...


@runtime_checkable
class Limiting(Protocol):
    """A back end that can keep a reply to the schema of a call while it is made."""

    @property
    def limits_decoding(self) -> bool:
        """Whether it does so; a server may have refused to."""
        ...


@runtime_checkable
class Remote(Protocol):
    """A back end behind a server."""

    def knock(self, deadline: Deadline) -> None:
        """See whether the server is there; costs nothing.

        Raises:
            NoServerError: nobody answers.
        """
        ...
