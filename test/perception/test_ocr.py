"""Print read from pixels: what is large enough is read, the rest is left alone, and nothing hangs."""

import builtins
import logging
import threading
import time
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vantage.errors import MissingExtraError
from vantage.perception import ocr
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Detection, Observation

WIDTH, HEIGHT = 400, 300


def printed(words, scale=1.2, left=120, top=100):
    """An observation with a white panel that bears words, and the detection of the panel."""
    image = np.full((HEIGHT, WIDTH, 3), (70, 90, 60), np.uint8)
    lines = words.split("\n")
    sizes = [cv2.getTextSize(line, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)[0] for line in lines]
    line_height = round(1.9 * sizes[0][1])
    width, height = max(size[0] for size in sizes) + 16, line_height * len(lines) + 10
    image[top : top + height, left : left + width] = (235, 235, 228)
    for k, line in enumerate(lines):
        at = left + 8, top + round((k + 0.8) * line_height)
        cv2.putText(image, line, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (30, 30, 40), 2, cv2.LINE_AA)
    lens = Intrinsics.from_fov(WIDTH, HEIGHT, 1.2)
    observation = Observation(1, Viewpoint(0, 0, 1, 0, 0), lens, image)
    return observation, detection((left, top, width, height))


def detection(box):
    _, _, width, height = box
    return Detection(5, "box", "", "", 0.9, width * height, box, (1, 0, 1), (1, 0, 1), (1, 0, 1))


@pytest.fixture(scope="module")
def reader():
    pytest.importorskip("rapidocr")
    pytest.importorskip("onnxruntime")
    return ocr.PrintReader(deadline=120.0)


@pytest.mark.parametrize("words", ["SUGAR", "Milk", "TAX 2024"])
def test_reads_words_in_upper_case(reader, words):
    assert reader.read(*printed(words)) == words.upper()


def test_reads_lines_from_top_to_bottom(reader):
    assert reader.read(*printed("GREEN\nTEA")) == "GREEN TEA"


def test_reads_small_print_after_enlarging(reader):
    assert reader.read(*printed("COFFEE", scale=0.5)) == "COFFEE"


def test_leaves_alone_what_is_too_small(reader, monkeypatch):
    monkeypatch.setattr(reader, "words_in", lambda picture: pytest.fail("tried to read"))
    observation, _ = printed("SALT")
    assert reader.read(observation, detection((10, 10, 12, 40))) == ""


def test_an_empty_panel_has_no_words_and_says_nothing(reader, caplog, capfd):
    with caplog.at_level(logging.DEBUG):
        assert reader.read(*printed(" ")) == ""
    assert capfd.readouterr() == ("", "")


def test_one_view_is_read_once(monkeypatch):
    calls = []
    monkeypatch.setattr(ocr, "_make_engine", lambda: None)
    reader = ocr.PrintReader()
    monkeypatch.setattr(reader, "words_in", lambda picture: calls.append(picture.shape) or "SALT")
    observation, panel = printed("SALT")
    assert [reader.read(observation, panel) for _ in range(3)] == ["SALT"] * 3
    assert len(calls) == 1


def test_a_box_at_the_border_is_cut_there(monkeypatch):
    shapes = []
    monkeypatch.setattr(ocr, "_make_engine", lambda: None)
    reader = ocr.PrintReader()
    monkeypatch.setattr(reader, "words_in", lambda picture: shapes.append(picture.shape) or "")
    observation, _ = printed("SALT")
    reader.read(observation, detection((0, 0, WIDTH, HEIGHT)))
    reader.read(observation, detection((WIDTH - 30, HEIGHT - 30, 30, 30)))
    assert shapes[0] == (HEIGHT, WIDTH, 3)
    assert min(shapes[1][:2]) >= 100


def test_gives_up_at_the_deadline(monkeypatch):
    stuck = threading.Event()

    def engine(picture):
        stuck.wait(10)
        return SimpleNamespace(txts=None)

    monkeypatch.setattr(ocr, "_make_engine", lambda: engine)
    monkeypatch.setattr(ocr, "_reading", threading.Lock())
    reader = ocr.PrintReader(deadline=0.2)
    started = time.perf_counter()
    assert reader.read(*printed("SALT")) == ""
    assert time.perf_counter() - started < 5.0
    stuck.set()
    reader = ocr.PrintReader()
    monkeypatch.setattr(reader, "words_in", lambda picture: None)
    assert reader.read(*printed("SALT")) == ""
    monkeypatch.setattr(reader, "words_in", lambda picture: "SALT")
    assert reader.read(*printed("SALT")) == "SALT"  # what was given up is tried again


def test_names_the_missing_extra(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith(("rapidocr", "onnxruntime")):
            raise ImportError(f"No module named '{name}'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    ocr._make_engine.cache_clear()
    with pytest.raises(MissingExtraError, match="WITH=ocr"):
        ocr.PrintReader()


def test_several_threads_read_the_same(reader):
    found = []
    views = [printed(word) for word in ("SALT", "RICE", "TEA")]
    threads = [threading.Thread(target=lambda view=view: found.append(reader.read(*view))) for view in views]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(found) == ["RICE", "SALT", "TEA"]
