"""Print found anywhere in a picture, and where it is: drawn, and on a real box."""

import math
from dataclasses import replace

import numpy as np
import pytest

from vantage.config import Settings
from vantage.errors import ModelError, VantageError
from vantage.perception.perceivers.ocr import Line
from vantage.perception.perceivers.print_finder import LABEL, PrintFinder
from vantage.perception.protocol import Perceiver
from vantage.registry import PERCEIVERS, WORLDS
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Episode, Observation, Question

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
    finder = PrintFinder(20, reader)
    found = {each.text: each for each in finder.perceive(wall())}
    assert set(found) == {"GREEN TEA", "SALT"}
    assert reader.shape == (960, 1280, 3)
    assert found["GREEN TEA"].label == LABEL
    assert found["GREEN TEA"].box == (100, 100, 80, 45)
    assert found["GREEN TEA"].center[0] == pytest.approx(2.0, abs=0.01)
    assert found["SALT"].center[1] < found["GREEN TEA"].center[1], "to the right"


def test_a_picture_without_print_or_depth_and_a_reader_that_takes_too_long():
    assert PrintFinder(20, Reader()).perceive(wall()) == ()
    with pytest.raises(VantageError, match="the ocr perceiver cannot tell where things are without depth"):
        PrintFinder(20, Reader()).perceive(replace(wall(), depth=None))
    with pytest.raises(ModelError, match="reading the print of a picture took too long"):
        PrintFinder(20, Reader(None)).perceive(wall())


@pytest.mark.needs("ocr")
def test_the_printed_words_of_a_real_box(data_folder, monkeypatch):
    """A phone capture of a box of cards, from a good view of its front and of its lid."""
    monkeypatch.setenv("VANTAGE_DATA", str(data_folder))
    finder = PERCEIVERS.create("ocr", min_pixels=30)
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
