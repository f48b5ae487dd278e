"""A Perceiver turns an observation into located detections."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vantage.config import Settings
from vantage.types import Detection, Observation


@runtime_checkable
class Perceiver(Protocol):
    """Every score names the perceiver behind it."""

    @property
    def name(self) -> str: ...

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """The objects that this one view supports, located in the world frame."""
        ...


@runtime_checkable
class AsksModel(Protocol):
    """A factory of perceivers that ask a model: a class with such a static method, or an object that is called."""

    def asked_model(self, settings: Settings) -> str:
        """The model by its name in the settings, such as ``openai:NAME``."""
        ...


def asked_model(factory: object, settings: Settings) -> str:
    """The name of the model that perceivers of a factory ask, empty where they ask none."""
    return factory.asked_model(settings) if isinstance(factory, AsksModel) else ""


class BlindPerceiver:
    """Names no object in any view: for flights through captures, where only space is of interest."""

    name = "none"

    def __init__(self, **_: object) -> None:
        """Takes and ignores the options of other perceivers."""

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        return ()
