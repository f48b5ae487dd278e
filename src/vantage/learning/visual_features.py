"""What networks are given of a picture: features of CLIP, of detections, or of a small convolution that learns.

``clip`` is the image encoder of a CLIP model of ``transformers``, which has vision transformers alone and no ResNet50.
``detections`` sums up what a perceiver of this project makes out, in the role of Mask R-CNN. ``pixels`` needs no
weights: it is trained with whatever uses it.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError, UnknownNameError
from vantage.learning.frozen_t5 import fingerprint, quietly
from vantage.learning.network_inputs import picture
from vantage.models import told
from vantage.perception import BlindPerceiver, Perceiver
from vantage.registry import PERCEIVERS, did_you_mean
from vantage.scenes.catalog import labels
from vantage.scenes.spec import COLORS, MATERIALS, OPPOSITES
from vantage.types import Detection, Observation

CLIP, DETECTIONS, PIXELS = FEATURES = ("clip", "detections", "pixels")
EDGE = 84  # pixels of pictures


class VisualFeatures(nn.Module, ABC):
    """A module that takes ``look`` of observations, side by side, and gives (B, F).

    Attributes:
        size: F.
        trainable: whether it has parameters that take gradients.
        edge: of the pictures that it takes, pixels.
        perception: name of the perceiver that it sees through.
        weights: what tells its frozen weights from others'; empty where it has none.
    """

    size: int
    trainable = False
    edge = EDGE
    perception = BlindPerceiver.name
    weights = ""

    @staticmethod
    def create(name: str, settings: Settings | None = None, edge: int = EDGE) -> VisualFeatures:
        """
        Args:
            name: one of ``FEATURES``.
            settings: those of perceivers (detections) and ``learning.clip`` are used.
            edge: of the pictures of ``pixels``.

        Raises:
            UnknownNameError: there are none of that name.
            MissingExtraError: transformers is not installed (clip).
            ModelError: the weights of CLIP are missing.
        """
        if name not in FEATURES:
            raise UnknownNameError(f"there are no visual features '{name}'{did_you_mean(name, list(FEATURES))}")
        if name == PIXELS:
            return PixelFeatures(edge)
        given = settings or Settings()
        return ClipFeatures(given.learning.clip) if name == CLIP else DetectionFeatures(given)

    def begin(self, seed: int) -> None:
        """Prepare for an episode."""

    def look(self, observation: Observation) -> NDArray[Any]:
        """What of an observation the features are made of: for ``clip`` and ``pixels`` a picture (edge, edge, 3), as
        ``EpisodeEnv`` shows it in ``rgb``."""
        return picture(observation.rgb, self.edge)

    @abstractmethod
    def forward(self, looks: Tensor) -> Tensor:
        """Features (B, F) of looks (B, ...)."""


class PixelFeatures(VisualFeatures):
    """Three convolutions over the picture (Mnih et al., Nature 2015, with half as many channels), and one layer."""

    trainable = True
    size = 128

    def __init__(self, edge: int = EDGE) -> None:
        super().__init__()
        self.edge = edge
        self.convolutions = nn.Sequential(
            nn.Conv2d(3, 16, 8, 4), nn.ReLU(), nn.Conv2d(16, 32, 4, 2), nn.ReLU(), nn.Conv2d(32, 32, 3, 1), nn.ReLU()
        )
        with torch.no_grad():
            count = self.convolutions(torch.zeros(1, 3, edge, edge)).numel()
        self.layer = nn.Linear(count, self.size)

    def forward(self, looks: Tensor) -> Tensor:
        shown = looks.permute(0, 3, 1, 2).float() / 255.0 - 0.5
        return functional.relu(self.layer(self.convolutions(shown).flatten(1)))


class ClipFeatures(VisualFeatures):
    """Embeddings of pictures by a CLIP model (Radford et al., 2021), frozen.

    Args:
        which: folder, or a name in this machine's cache of the Hugging Face hub; nothing is downloaded.

    Raises:
        MissingExtraError: transformers is not installed.
        ModelError: the weights are missing, or of another kind.
    """

    edge = 224

    def __init__(self, which: str) -> None:
        super().__init__()
        self.encoder = _clip(which)
        self.weights = fingerprint(self.encoder)
        self.size, self.edge = int(self.encoder.config.projection_dim), int(self.encoder.config.image_size)
        self.register_buffer("mean", torch.tensor([0.48145466, 0.4578275, 0.40821073]), persistent=False)
        self.register_buffer("deviation", torch.tensor([0.26862954, 0.26130258, 0.27577711]), persistent=False)

    def forward(self, looks: Tensor) -> Tensor:
        with torch.no_grad():
            shown = ((looks.float() / 255.0 - self.mean) / self.deviation).permute(0, 3, 1, 2)
            if shown.shape[-1] != self.edge:
                shown = functional.interpolate(shown, (self.edge, self.edge), mode="bicubic", antialias=True)
            found: Tensor = self.encoder(pixel_values=shown).image_embeds
        return found


@lru_cache(maxsize=1)
def _clip(which: str) -> Any:
    mend = "give the folder of a CLIP model of transformers by --set learning.clip=FOLDER, or take features pixels"
    if not which:
        raise ModelError(f"features clip need the weights of a CLIP model, and none is named; {mend}")
    try:
        from transformers import CLIPVisionModelWithProjection
    except ImportError as error:
        raise MissingExtraError(
            f"features clip need transformers, which cannot be imported ({error}); run: make setup WITH=learning"
        ) from error
    with quietly(), told(f"no CLIP model can be loaded from '{which}'", mend):
        model = CLIPVisionModelWithProjection.from_pretrained(which, dtype=torch.float32, local_files_only=True)
    return model.eval().requires_grad_(False)


_THIRDS = 3  # of the width of the picture, in which things are told apart
_STATES = tuple(state for pair in OPPOSITES for state in pair)
_BINS = 128  # into which colors and materials of kinds of things fall
_ORDINARY = 640 * 480  # pixels of the picture for which numbers of pixels in settings are meant


class DetectionFeatures(VisualFeatures):
    """How much of the picture each kind of thing covers on the left, in the middle and on the right, and with which
    colors, materials and states, as the perceiver of ``agent.perception`` makes it out.

    Shares are given as square roots. Numbers of pixels in the settings are taken as of pictures of 640 x 480.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.perception = settings.agent.perception
        self._column = {label: column for column, label in enumerate(labels())}
        self._words = {word: number for number, word in enumerate((*COLORS, *MATERIALS, *_STATES))}
        self._other = len(self._column)
        self.size = _THIRDS * (self._other + 1) + len(self._words) + _BINS
        self._seed, self._perceivers = 0, dict[int, Perceiver]()
        self._perceiver(_ORDINARY)  # what it lacks is told before anything runs

    def begin(self, seed: int) -> None:
        """Its perceiver makes the errors of a seed."""
        self._seed, self._perceivers = seed, {}

    def look(self, observation: Observation) -> NDArray[Any]:
        """The features themselves, (F,) float32.

        Raises:
            VantageError: the observation lacks what the perceiver needs.
        """
        camera = observation.intrinsics
        pixels = camera.width * camera.height
        found = np.zeros(self.size, np.float32)
        for seen in self._perceiver(pixels).perceive(observation):
            if not seen.part_of:
                self._add(found, seen, min(1.0, seen.pixels / pixels), camera.width)
        return np.sqrt(found)

    def forward(self, looks: Tensor) -> Tensor:
        return looks.float()

    def _add(self, found: NDArray[np.float32], seen: Detection, share: float, width: int) -> None:
        left, _, across, _ = seen.box
        third = min(_THIRDS - 1, int(_THIRDS * (left + across / 2) / width))
        found[_THIRDS * self._column.get(seen.label, self._other) + third] += share
        words = _THIRDS * (self._other + 1)
        for word in (seen.color, seen.material, *seen.states):
            if word in self._words:
                found[words + self._words[word]] += share
                found[words + len(self._words) + zlib.crc32(f"{word} {seen.label}".encode()) % _BINS] += share

    def _perceiver(self, pixels: int) -> Perceiver:
        """For pictures of so many pixels."""
        if pixels not in self._perceivers:
            scale = pixels / _ORDINARY
            given, rates = self._settings, self._settings.degraded
            least = max(1, round(given.agent.min_pixels * scale))
            reference = max(1, round(rates.reference_pixels * scale))
            scaled = replace(given, degraded=replace(rates, reference_pixels=reference))
            made = PERCEIVERS.create(self.perception, min_pixels=least, settings=scaled, seed=self._seed)
            self._perceivers[pixels] = made
        return self._perceivers[pixels]
