"""Features of pictures: by a convolution that learns, by CLIP, and by detections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from open_field import OpenFieldWorld
from tiny_clip import tiny_clip

from vantage.config import Settings
from vantage.errors import ModelError, UnknownNameError, VantageError
from vantage.learning.visual_features import VisualFeatures
from vantage.types import InstanceLabel, Observation

pytestmark = pytest.mark.needs("learning")


def seen(width: int = 64, height: int = 48) -> Observation:
    return OpenFieldWorld(width, height).observe()


def of(features: VisualFeatures, *observations: Observation) -> torch.Tensor:
    return features(torch.from_numpy(np.stack([features.look(each) for each in observations])))


def test_pixels_learn(tmp_path: Path) -> None:
    features = VisualFeatures.create("pixels", edge=36)
    looks = torch.from_numpy(np.stack([features.look(seen()), np.full((36, 36, 3), 200, np.uint8)]))
    assert looks.dtype == torch.uint8
    found = features(looks)
    assert found.shape == (2, features.size)
    assert features.trainable
    found.sum().backward()
    assert all(value.grad is not None for value in features.parameters())


def test_clip_is_frozen_and_needs_weights(tmp_path: Path) -> None:
    given = Settings().with_values({"learning.clip": tiny_clip(tmp_path / "clip")}, "test")
    features = VisualFeatures.create("clip", given)
    assert (features.size, features.edge, features.trainable) == (12, 32, False)
    found = of(features, seen(), replace(seen(), rgb=np.full((48, 64, 3), 200, np.uint8)))
    assert found.shape == (2, 12)
    assert not found.requires_grad
    assert not torch.equal(found[0], found[1])
    larger = torch.randint(255, (1, 84, 84, 3)).byte()
    assert features(larger).shape == (1, 12)


def test_missing_weights_are_told_in_a_sentence(tmp_path: Path) -> None:
    option = r"--set learning\.clip=FOLDER, or take features pixels$"
    with pytest.raises(ModelError, match=f"and none is named; .*{option}"):
        VisualFeatures.create("clip")
    given = Settings().with_values({"learning.clip": str(tmp_path / "none")}, "test")
    with pytest.raises(ModelError, match=f"no CLIP model can be loaded from '.*none': .*{option}"):
        VisualFeatures.create("clip", given)
    with pytest.raises(UnknownNameError, match="there are no visual features 'pixel'; did you mean 'pixels'"):
        VisualFeatures.create("pixel")


def painted(observation: Observation, kind: str, color: str, column: int) -> Observation:
    """With a thing on the columns from one on to the next 16."""
    ids = np.zeros((48, 64), np.int32)
    ids[10:40, column : column + 16] = 1
    return replace(observation, instances=ids, legend={1: InstanceLabel(1, kind, color, "wood")})


def test_detections_tell_what_is_where_and_of_which_color() -> None:
    features = VisualFeatures.create("detections")
    features.begin(3)
    base = seen()
    shown = [
        painted(base, "mug", "red", 2),
        painted(base, "mug", "blue", 2),
        painted(base, "box", "red", 2),
        painted(base, "mug", "red", 44),
    ]
    found = of(features, *shown)
    assert found.shape == (4, features.size)
    assert len({tuple(row.tolist()) for row in found}) == 4
    assert torch.equal(found[0], of(features, shown[0])[0])
    assert features.perception == "privileged"
    assert not of(features, replace(base, instances=np.zeros((48, 64), np.int32)))[0].any()


def test_detections_depend_on_the_share_of_the_picture_and_not_on_its_size() -> None:
    features = VisualFeatures.create("detections")
    small, large = seen(32, 24), seen(128, 96)
    torch.testing.assert_close(of(features, small), of(features, large), atol=0.1, rtol=0.0)


def test_detections_need_what_their_perceiver_needs() -> None:
    features = VisualFeatures.create("detections")
    with pytest.raises(VantageError, match="the privileged perceiver needs instance ids"):
        features.look(replace(seen(), instances=None))
