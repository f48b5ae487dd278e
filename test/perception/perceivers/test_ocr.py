"""Print read from pixels: what is large enough is read, the rest is left alone, and nothing hangs.

Print found anywhere in a picture, and where it is: drawn, and on a real box.
"""

import builtins
import logging
import math
import sys
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError, VantageError
from vantage.perception.perceivers import ocr
from vantage.perception.perceivers.ocr import LABEL, Line, OcrReader, TextDetector
from vantage.perception.protocol import Perceiver
from vantage.registry import PERCEIVERS, WORLDS
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Detection, Episode, Observation, Question

LENS = Intrinsics.from_fov(400, 300, 1.2)


class Reader:
    """Reads what it was made with."""

    def __init__(self, *lines):
        self.lines = list(lines)

    def lines_in(self, picture):
        self.shape = picture.shape
        return None if self.lines == [None] else [replace(line, corners=line.corners * 3.2) for line in self.lines]


def line(text, left, top, right, bottom, score=0.99):
    return Line(text, score, np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=float))


def wall(depth=2.0):
    image = np.full((300, 400, 3), 200, np.uint8)
    image[100:150, 100:300] = 30
    return Observation(1, Viewpoint(0, 0, 1, 0, 0), LENS, image, np.full((300, 400), depth, np.float32))


def test_lines_below_each_other_are_one_text_and_others_are_not():
    reader = Reader(
        line("GREEN", 100, 100, 180, 120),
        line("TEA", 105, 125, 160, 145),
        line("SALT", 300, 110, 360, 130),
        line("FAINT", 10, 10, 60, 30, score=0.5),
    )
    finder = TextDetector(20, reader)
    found = {each.text: each for each in finder.perceive(wall())}
    assert set(found) == {"GREEN TEA", "SALT"}
    assert reader.shape == (960, 1280, 3)
    assert found["GREEN TEA"].label == LABEL
    assert found["GREEN TEA"].box == (100, 100, 80, 45)
    assert found["GREEN TEA"].center[0] == pytest.approx(2.0, abs=0.01)
    assert found["SALT"].center[1] < found["GREEN TEA"].center[1], "to the right"


def test_a_picture_without_print_or_depth_and_a_reader_that_takes_too_long():
    assert TextDetector(20, Reader()).perceive(wall()) == ()
    with pytest.raises(VantageError, match="the ocr perceiver cannot tell where things are without depth"):
        TextDetector(20, Reader()).perceive(replace(wall(), depth=None))
    with pytest.raises(ModelError, match="reading the print of a picture took too long"):
        TextDetector(20, Reader(None)).perceive(wall())


@pytest.mark.needs("ocr")
def test_the_printed_words_of_a_real_box(data_folder, monkeypatch):
    """A phone capture of a box of cards, from a good view of its front and of its lid."""
    monkeypatch.setenv("VANTAGE_DATA", str(data_folder))
    finder = PERCEIVERS.create("ocr", min_pixels=30, reader=OcrReader(deadline=120.0))  # however busy the machine is
    assert isinstance(finder, Perceiver)
    settings = Settings().with_values({"world.scenes": "config/captures/tarot.yaml", "world.instances": False}, "test")
    world = WORLDS.create("splat", settings)
    try:
        read = {}
        for name, angle, z in (("front", math.pi / 6, 0.7), ("side", 2 * math.pi / 3, 0.7)):
            x, y = 0.75 * math.cos(angle), 0.75 * math.sin(angle)
            start = Viewpoint(x, y, z, math.atan2(-y, -x), math.atan2(0.5 - z, 0.75))
            episode = Episode(name, "search", "tarot", start, (Question("q1", "What is printed there?"),), 1)
            read[name] = finder.perceive(world.reset(episode, 0))
    finally:
        world.close()
    front = " ".join(each.text for each in read["front"])
    assert {"ACADEMIC", "TAROT", "CARDS", "SERIOUS", "LEGIT"} <= set(front.split())
    assert "SEEKERS" in " ".join(each.text for each in read["side"])
    for each in read["front"]:
        assert abs(each.center[0]) < 0.2, "on the box, which stands in the middle"
        assert abs(each.center[1]) < 0.3
        assert 0.0 < each.center[2] < 1.0


WIDTH, HEIGHT = 400, 300
SALT = ocr.Line("SALT", 0.99, np.array([[40.0, 40.0], [120.0, 40.0], [120.0, 60.0], [40.0, 60.0]]))


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
    return ocr.OcrReader(deadline=120.0)


@pytest.mark.needs("ocr")
@pytest.mark.parametrize("words", ["SUGAR", "Milk", "TAX 2024"])
def test_reads_words_in_upper_case(reader, words):
    assert reader.read(*printed(words)) == words.upper()


@pytest.mark.needs("ocr")
def test_reads_lines_from_top_to_bottom(reader):
    assert reader.read(*printed("GREEN\nTEA")) == "GREEN TEA"


@pytest.mark.needs("ocr")
def test_reads_small_print_after_enlarging(reader):
    assert reader.read(*printed("COFFEE", scale=0.5)) == "COFFEE"


@pytest.mark.needs("ocr")
def test_leaves_alone_what_is_too_small(reader, monkeypatch):
    monkeypatch.setattr(reader, "lines_in", lambda picture: pytest.fail("tried to read"))
    observation, _ = printed("SALT")
    assert reader.read(observation, detection((10, 10, 12, 40))) == ""


@pytest.mark.needs("ocr")
def test_an_empty_panel_has_no_words_and_says_nothing(reader, caplog, capfd):
    with caplog.at_level(logging.DEBUG):
        assert reader.read(*printed(" ")) == ""
    assert capfd.readouterr() == ("", "")


def test_one_view_is_read_once(monkeypatch):
    calls = []
    monkeypatch.setattr(ocr, "_make_engine", lambda: None)
    reader = ocr.OcrReader()
    monkeypatch.setattr(reader, "lines_in", lambda picture: calls.append(picture.shape) or [SALT])
    observation, panel = printed("SALT")
    assert [reader.read(observation, panel) for _ in range(3)] == ["SALT"] * 3
    assert len(calls) == 1


def test_a_box_at_the_border_is_cut_there(monkeypatch):
    shapes = []
    monkeypatch.setattr(ocr, "_make_engine", lambda: None)
    reader = ocr.OcrReader()
    monkeypatch.setattr(reader, "lines_in", lambda picture: shapes.append(picture.shape) or [])
    observation, _ = printed("SALT")
    reader.read(observation, detection((0, 0, WIDTH, HEIGHT)))
    reader.read(observation, detection((WIDTH - 30, HEIGHT - 30, 30, 30)))
    assert shapes[0] == (384, 512, 3)
    assert shapes[1] == (102, 102, 3)


@pytest.mark.real_time
def test_gives_up_at_the_deadline(monkeypatch):
    stuck = threading.Event()

    def engine(picture):
        stuck.wait(10)
        return SimpleNamespace(txts=None)

    monkeypatch.setattr(ocr, "_make_engine", lambda: engine)
    monkeypatch.setattr(ocr, "_reading", threading.Lock())
    reader = ocr.OcrReader(deadline=0.2)
    started = time.perf_counter()
    assert reader.read(*printed("SALT")) == ""
    assert time.perf_counter() - started < 5.0
    stuck.set()
    reader = ocr.OcrReader()
    monkeypatch.setattr(reader, "lines_in", lambda picture: None)
    assert reader.read(*printed("SALT")) == ""
    monkeypatch.setattr(reader, "lines_in", lambda picture: [SALT])
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
        ocr.OcrReader()


@pytest.mark.needs("ocr")
def test_several_threads_read_the_same(reader):
    found = []
    views = [printed(word) for word in ("SALT", "RICE", "TEA")]
    threads = [threading.Thread(target=lambda view=view: found.append(reader.read(*view))) for view in views]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(found) == ["RICE", "SALT", "TEA"]


def at(monkeypatch, text="RUNCH", score=0.99, left=140, right=200, depth=None, corners=None):
    """What is read on a panel at columns 120 to 220 when the engine gives one line, in pixels of the observation."""
    monkeypatch.setattr(ocr, "_make_engine", lambda: None)
    monkeypatch.setattr(ocr, "_crop", lambda rgb, box: (rgb, 1.0, np.zeros(2)))
    reader = ocr.OcrReader()
    found = np.array(corners or [[left, 120], [right, 120], [right, 140], [left, 140]], float)
    monkeypatch.setattr(reader, "lines_in", lambda picture: [ocr.Line(text, score, found)])
    observation, _ = printed("SALT")
    return reader.text_on(replace(observation, depth=depth), detection((120, 100, 100, 60)))


@pytest.mark.parametrize(("left", "right", "whole"), [(140, 200, True), (121, 200, False), (140, 219, False)])
def test_print_at_the_edge_of_its_object_may_go_on(monkeypatch, left, right, whole):
    assert at(monkeypatch, left=left, right=right).whole is whole


def test_height_and_ends_of_upright_print(monkeypatch):
    found = at(monkeypatch, corners=[[150, 102], [162, 102], [162, 158], [150, 158]])
    assert (found.height, found.whole) == (12.0, True)
    assert not at(monkeypatch, corners=[[150, 100], [162, 100], [162, 158], [150, 158]]).whole


def test_print_that_something_hides_is_not_whole_and_that_of_others_does_not_count(monkeypatch):
    depth = np.full((HEIGHT, WIDTH), 1.0, np.float32)
    lens = printed("SALT")[0].intrinsics
    y, z = (lens.cx - 170) / lens.fx, 1.0 + (lens.cy - 130) / lens.fy
    place = {"center": (1, y, z), "bounds_min": (0.98, y - 0.2, z - 0.2), "bounds_max": (1.02, y + 0.2, z + 0.2)}
    panel = detection
    monkeypatch.setattr(sys.modules[__name__], "detection", lambda box: replace(panel(box), **place))
    assert at(monkeypatch, depth=depth).is_sure
    depth[:, :138] = 0.5
    assert not at(monkeypatch, depth=depth).whole
    depth[:] = 2.0
    assert at(monkeypatch, depth=depth).words == ""


def test_stains_are_no_print(monkeypatch):
    assert at(monkeypatch, text="7", score=0.9).words == ""
    assert at(monkeypatch, text="7", score=0.99).words == "7"
    assert at(monkeypatch, score=0.5).words == ""


def read_on(observation, text, left, top, right, bottom):
    """What is said of a line on something that fills the picture."""
    box, low, high = (0, 0, 400, 300), (1.0, -3.0, -2.0), (3.0, 3.0, 4.0)
    detection = Detection(0, "box", "", "", 0.9, 90000, box, (2.0, 0.0, 1.0), low, high)
    return ocr._together([line(text, left, top, right, bottom)], observation, detection)


def slanted(angle):
    """A wall 2 m ahead that is turned about the vertical by an angle, rad."""
    across = (np.arange(400) + 0.5 - LENS.cx) / LENS.fx
    depth = np.broadcast_to(2.0 / (1.0 + across * math.tan(angle)), (300, 400)).astype(np.float32)
    return replace(wall(), depth=np.ascontiguousarray(depth))


@pytest.mark.parametrize("angle", [0.0, 0.5, -0.9])
def test_where_print_is_which_way_it_looks_and_how_tall_its_letters_are(angle):
    spot = read_on(slanted(angle), "TEA", 180, 140, 220, 160).spot
    assert spot.middle == pytest.approx((2.0, 0.0, 1.0), abs=0.03)
    way = np.array([-math.cos(angle), math.sin(angle), 0.0])
    assert np.array(spot.normal) @ way == pytest.approx(1.0, abs=1e-3)
    assert spot.letter == pytest.approx(0.5 * 20 * 2.0 / LENS.fy, rel=0.15)


def test_letters_are_no_taller_than_the_width_of_their_line_allows():
    spot = read_on(wall(), "TEA", 190, 140, 210, 160).spot
    assert spot.letter < 0.4 * 20 * 2.0 / LENS.fy


def test_print_without_a_depth_is_nowhere():
    assert read_on(wall(math.nan), "TEA", 180, 140, 220, 160).spot is None
