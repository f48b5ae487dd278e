"""Objects found in the picture by a vision-language model, under a JSON schema."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from vantage.bounded_json import bounded_json
from vantage.config import Settings
from vantage.errors import ConfigError, ModelError
from vantage.models import Model, prompt, shared_model
from vantage.perception.perceivers.boxes import FoundBox, check_depth, located
from vantage.scenes.spec import COLORS, MATERIALS
from vantage.types import Detection, Observation

SCALE = 1000  # of the coordinates that are asked for: what most models are trained on, whatever the size of a picture
_MOST = 40
_LONGEST_LABEL, _LONGEST_TEXT, _MOST_STATES = 80, 300, 8  # characters, characters; a model may write without end

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "objects": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "box": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
                    "confidence": {"type": "number"},
                    "color": {"type": "string"},
                    "material": {"type": "string"},
                    "states": {"type": "array", "items": {"type": "string"}},
                    "text": {"type": "string"},
                },
                "required": ["label", "box"],
            },
        }
    },
    "required": ["objects"],
}


class VlmPerceiver:
    """Asks a model what each view shows. What it tells of an object beyond the fixed words is left out."""

    name = "vlm"

    def __init__(self, model: Model, min_pixels: int = 60) -> None:
        self._model, self.min_pixels = model, min_pixels
        self._prompt = prompt("detect").fill(
            most=_MOST, scale=SCALE, colors=", ".join(COLORS), materials=", ".join(MATERIALS)
        )

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """The objects that the model finds in this view, by falling number of pixels.

        Raises:
            VantageError: the observation has no depth.
            ModelError: the model did not reply, or not in the form asked for.
        """
        check_depth(observation, self.name)
        reply = self._model.chat(self._prompt, [observation.rgb], SCHEMA)
        height, width = observation.rgb.shape[:2]
        return located(observation, boxes_in(reply, width, height), self.min_pixels)


def boxes_in(reply: str, width: int, height: int) -> list[FoundBox]:
    """The boxes of a reply, in pixels; objects without a name or with an impossible box are left out.

    Raises:
        ModelError: it is not the JSON asked for.
    """
    try:
        objects = bounded_json(reply)["objects"]
        return [found for each in objects[:_MOST] if (found := _box(each, width, height)) is not None]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = _clean(str(error), _LONGEST_TEXT, str)
        raise ModelError(
            f"the model did not list what it sees as it was asked to ({type(error).__name__}: {why}); try another one"
        ) from error


def _box(told: dict[str, Any], width: int, height: int) -> FoundBox | None:
    edges = [_number(value) for value in told["box"]]
    label = _clean(told["label"], _LONGEST_LABEL, str.lower)
    if len(edges) != 4 or not all(map(math.isfinite, edges)) or not label:
        return None
    x0, y0, x1, y1 = (
        round(min(max(value / SCALE, 0.0), 1.0) * size)
        for value, size in zip(edges, (width, height, width, height), strict=True)
    )
    if x0 >= x1 or y0 >= y1:
        return None
    confidence = _number(told.get("confidence", 0.5))
    color, material = (_clean(told.get(name, ""), _LONGEST_LABEL, str.lower) for name in ("color", "material"))
    states = (_clean(state, _LONGEST_LABEL, str.lower) for state in list(told.get("states", ()))[:_MOST_STATES])
    return FoundBox(
        label=label,
        score=min(max(confidence, 0.0), 1.0) if math.isfinite(confidence) else 0.0,
        box=(x0, y0, x1 - x0, y1 - y0),
        color=color if color in COLORS else "",
        material=material if material in MATERIALS else "",
        states=tuple(state for state in states if state),
        text=_clean(told.get("text", ""), _LONGEST_TEXT, str.upper),
    )


def _number(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # whole numbers in JSON have no largest one
        return math.nan


def _clean(told: Any, most: int, case: Callable[[str], str]) -> str:
    """Words on one line, cut to so many characters, without what cannot be shown; empty where no text was told."""
    if not isinstance(told, str):
        return ""
    shown = "".join(letter if letter.isprintable() else " " for letter in told[: 4 * most])
    return case(" ".join(shown.split()))[:most].strip()


class VlmFactory:
    """Makes the perceiver with the model of the setting ``pixels.model``, or else of ``agent.model``."""

    def asked_model(self, settings: Settings) -> str:
        """The name of that model."""
        return settings.pixels.model or settings.agent.model

    def __call__(self, min_pixels: int = 60, settings: Settings | None = None, **_: object) -> VlmPerceiver:
        """
        Raises:
            ConfigError: no model is named.
        """
        settings = settings or Settings()
        which = self.asked_model(settings)
        if which == "symbolic":
            raise ConfigError("no model is named that sees; set pixels.model to one such as openai:NAME")
        return VlmPerceiver(shared_model(which, settings.model), min_pixels)


make_vlm = VlmFactory()
