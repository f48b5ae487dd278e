"""Perception noise as in NoisyEQA (arXiv 2412.10726, section 3.3): what a model misreads in a disturbed picture.

Gaussian noise is laid over the picture of a scene, a model describes what it sees, and what it takes for something else
than it is goes into a question.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.bounded_json import bounded_json
from vantage.errors import ModelError, VantageError
from vantage.models import Model, prompt
from vantage.questions.generation import Facts, shuffled
from vantage.questions.lexicon import kind_of, may_be_called
from vantage.questions.noise.noisy_pairs import called_so
from vantage.questions.noise.pair_templates import Wording
from vantage.questions.noise.pairing import NoisyPair, PairScene
from vantage.types import NoiseType

SIGMA = 0.25  # of the noise, as a share of the range of a channel
SCALE = 1000  # of the coordinates that are asked for
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
                },
                "required": ["label", "box"],
            },
        }
    },
    "required": ["objects"],
}

_MOST = 20  # objects that the model may list
_LEAST_SHARE = 0.4  # of a box that one object must fill, so that the model speaks of it


@dataclass(frozen=True)
class Misread:
    """An object, and the kind that a model took it for."""

    instance_id: int
    said: str


def disturbed(image: NDArray[np.uint8], rng: np.random.Generator, sigma: float = SIGMA) -> NDArray[np.uint8]:
    """An image with Gaussian noise on every channel; ``sigma`` is a share of the full range."""
    noisy = image.astype(np.float64) + rng.normal(0.0, 255.0 * sigma, image.shape)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def misread_objects(
    model: Model,
    image: NDArray[np.uint8],
    instances: NDArray[np.int32],
    facts: Facts,
    rng: np.random.Generator,
    sigma: float = SIGMA,
) -> tuple[Misread, ...]:
    """What a model takes for something else in a picture that was disturbed.

    Args:
        image: (H, W, 3), undisturbed.
        instances: (H, W), the id of what each pixel shows; 0 for nothing.

    Raises:
        VantageError: image and ids are of different sizes.
        ModelError: the model did not reply, or not in the form asked for.
    """
    if image.shape[:2] != instances.shape:
        raise VantageError(
            f"the image is {image.shape[:2]} and its instance ids are {instances.shape}; give those of one view"
        )
    text = prompt("describe_disturbed").fill(most=_MOST, scale=SCALE)
    found: dict[int, Misread] = {}
    for label, box in _listed(model.chat(text, [disturbed(image, rng, sigma)], SCHEMA)):
        shown = _shown(instances, box)
        obj = next((node for node in facts.in_sight if node.instance_id == shown), None)
        if obj is not None and label and not (may_be_called(obj.label, label) or may_be_called(label, obj.label)):
            found.setdefault(obj.instance_id, Misread(obj.instance_id, label))
    return tuple(found.values())


def misread_pair(
    model: Model,
    image: NDArray[np.uint8],
    instances: NDArray[np.int32],
    facts: Facts,
    rng: np.random.Generator,
    wording: Wording = "test",
    sigma: float = SIGMA,
) -> NoisyPair | None:
    """A question with perception noise from what a model misreads; None where it misreads nothing that can be asked.

    Raises:
        VantageError, ModelError: as ``misread_things``.
    """
    misread = misread_objects(model, image, instances, facts, rng, sigma)
    pairing = PairScene(facts, rng, wording=wording)
    for slip in shuffled(misread, rng):
        drafts = called_so(pairing, NoiseType.PERCEPTION, facts.node(slip.instance_id), (slip.said,))
        pair = next((draft for draft in drafts if draft is not None), None)
        if pair is not None:
            return pair
    return None


def _listed(reply: str) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Label and box (0..1) of each object in a reply."""
    try:
        objects = bounded_json(reply)["objects"]
        listed = []
        for each in objects[:_MOST]:
            left, top, right, bottom = (_share(edge) for edge in each["box"])
            listed.append((kind_of(str(each["label"])), (left, top, right, bottom)))
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"the model did not list what it sees as it was asked to ({type(error).__name__}: {error}); try another one"
        ) from error
    return listed


def _share(edge: Any) -> float:
    """A coordinate of a reply as a share of the picture, 0..1."""
    value = float(edge)
    if not math.isfinite(value):
        raise ValueError(f"a box has the coordinate {value}")
    return min(max(value / SCALE, 0.0), 1.0)


def _shown(instances: NDArray[np.int32], box: tuple[float, float, float, float]) -> int:
    """The id of the object that fills most of a box; 0 where none fills enough of it."""
    height, width = instances.shape
    columns = slice(round(box[0] * width), round(box[2] * width))
    rows = slice(round(box[1] * height), round(box[3] * height))
    inside = instances[rows, columns]
    counts = Counter(int(key) for key in inside[inside > 0].ravel())
    if not counts:
        return 0
    shown, pixels = counts.most_common(1)[0]
    return shown if pixels >= _LEAST_SHARE * inside.size else 0
