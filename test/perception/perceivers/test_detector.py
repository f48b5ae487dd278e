"""The zero-shot detector, on a real model of the right architecture with random weights: plumbing alone."""

import json
import shutil

import numpy as np
import pytest
from painted_boxes import AHEAD, painted, table_with_objects

from vantage.config import Settings
from vantage.errors import ConfigError, ModelError, VantageError
from vantage.perception.perceivers.detector import DetectorPerceiver, ZeroShotDetector
from vantage.perception.protocol import Perceiver
from vantage.registry import PERCEIVERS

pytestmark = pytest.mark.needs("models")

LABELS = ("box", "book", "table")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """OWL-ViT (Minderer et al. 2022), small enough to be made in a second."""
    import transformers

    path = tmp_path_factory.mktemp("owlvit")
    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = [*letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    (path / "vocab.json").write_text(json.dumps(vocabulary))
    (path / "merges.txt").write_text("#version: 0.2\n")
    start, end = vocabulary["<|startoftext|>"], vocabulary["<|endoftext|>"]
    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.OwlViTConfig(
        text_config={
            **small,
            "vocab_size": len(pieces),
            "bos_token_id": start,
            "eos_token_id": end,
            "pad_token_id": end,
        },
        vision_config={**small, "image_size": 64, "patch_size": 16},
        projection_dim=16,
    )
    tokenizer = transformers.CLIPTokenizer(
        str(path / "vocab.json"), str(path / "merges.txt"), model_max_length=16, pad_token="<|endoftext|>"
    )
    images = transformers.OwlViTImageProcessor(size={"height": 64, "width": 64})
    transformers.set_seed(0)
    model = transformers.OwlViTForObjectDetection(config)
    for part in model.box_head.dense2.parameters():
        part.data *= 0.0  # each box is that of its patch; random ones have no size
    model.save_pretrained(path)
    transformers.OwlViTProcessor(image_processor=images, tokenizer=tokenizer).save_pretrained(path)
    return path


def test_boxes_have_names_scores_and_lie_about_the_picture(folder):
    view = painted(table_with_objects().observe(AHEAD))
    found = ZeroShotDetector(str(folder), LABELS, 0.0, "cpu").boxes(view.rgb)
    assert found
    for each in found:
        assert each.label in LABELS
        assert 0.0 <= each.score <= 1.0
        assert each.box[2] > 0
        assert each.box[3] > 0
    surest = max(each.score for each in found)
    assert len(ZeroShotDetector(str(folder), LABELS, surest, "cpu").boxes(view.rgb)) < len(found)


def test_the_perceiver_locates_them(folder):
    view = painted(table_with_objects().observe(AHEAD))
    settings = Settings().with_values(
        {"pixels.detector": str(folder), "pixels.labels": "box, book", "pixels.threshold": 0.0}, "test"
    )
    perceiver = PERCEIVERS.create("detector", min_pixels=20, settings=settings)
    assert isinstance(perceiver, Perceiver)
    found = perceiver.perceive(view)
    assert found
    assert {each.label for each in found} <= {"box", "book"}
    for each in found:
        assert np.isfinite(each.center).all()
        assert each.center[0] <= 4.2, "nothing lies behind the wall"
    with pytest.raises(VantageError, match="the detector perceiver cannot tell where things are without depth"):
        perceiver.perceive(type(view)(1, AHEAD, view.intrinsics, view.rgb))


def test_every_kind_of_object_is_looked_for_where_none_is_named(folder):
    settings = Settings().with_values({"pixels.detector": str(folder)}, "test")
    perceiver = PERCEIVERS.create("detector", settings=settings)
    assert isinstance(perceiver, DetectorPerceiver)


def test_no_detector_or_a_wrong_one_is_told(tmp_path):
    with pytest.raises(ConfigError, match=r"no detector is named; set pixels\.detector"):
        PERCEIVERS.create("detector", settings=Settings())
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ModelError, match="no zero-shot detector can be loaded from"):
        ZeroShotDetector(str(tmp_path), LABELS, 0.1, "cpu")


def test_files_of_wrong_kinds_are_told(folder, tmp_path):
    """Whatever the library raises over them, it is one sentence."""
    config = json.loads((folder / "config.json").read_text())
    for number, change in enumerate(
        ({"text_config": 7}, {"projection_dim": "wide"}, {"vision_config": {"patch_size": 0}}, {"model_type": None})
    ):
        broken = shutil.copytree(folder, tmp_path / str(number))
        (broken / "config.json").write_text(json.dumps({**config, **change}))
        with pytest.raises(ModelError, match="no zero-shot detector can be loaded from") as caught:
            ZeroShotDetector(str(broken), LABELS, 0.1, "cpu")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [0, 1000])
def test_cut_weights_are_told(folder, tmp_path, size):
    broken = shutil.copytree(folder, tmp_path / "cut")
    with (broken / "model.safetensors").open("r+b") as file:
        file.truncate(size)
    with pytest.raises(ModelError, match="no zero-shot detector can be loaded from"):
        ZeroShotDetector(str(broken), LABELS, 0.1, "cpu")


def test_a_device_that_is_not_there_is_told(folder):
    with pytest.raises(ModelError, match="no zero-shot detector can be loaded from"):
        ZeroShotDetector(str(folder), LABELS, 0.1, "tpu")


def test_boxes_that_are_no_numbers_are_left_out(folder):
    import torch

    view = painted(table_with_objects().observe(AHEAD))
    detector = ZeroShotDetector(str(folder), LABELS, 0.0, "cpu")
    assert detector.boxes(view.rgb)
    detector._model.box_head.dense2.bias.data[2] = torch.nan
    assert detector.boxes(view.rgb) == []


def test_a_picture_that_the_model_cannot_take_is_told(folder):
    detector = ZeroShotDetector(str(folder), LABELS, 0.0, "cpu")
    for rgb in (np.zeros(5, np.uint8), None):
        with pytest.raises(ModelError, match="the zero-shot detector failed on a picture"):
            detector.boxes(rgb)
    detector._processor = object()
    with pytest.raises(ModelError, match="the zero-shot detector failed on a picture"):
        detector.boxes(np.zeros((64, 64, 3), np.uint8))


def test_every_episode_shares_one_detector(folder):
    settings = Settings().with_values({"pixels.detector": str(folder), "pixels.labels": "box"}, "test")
    first, second = (PERCEIVERS.create("detector", settings=settings) for _ in range(2))
    assert first is not second
    assert first._detector is second._detector
    other = PERCEIVERS.create("detector", settings=settings.with_values({"pixels.threshold": 0.5}, "test"))
    assert other._detector is not first._detector
