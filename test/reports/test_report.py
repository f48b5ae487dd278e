"""The report: one page, self-contained, escaped, small."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from gold_bags import NOISY, Telling, gold, record, said
from needs import chromium
from phased import EXPLORE, REENTER, REFINE, PhasedAgent, look_answer_look_again

from vantage.errors import RecordingError
from vantage.recording.bags import read_bag, read_bag_raw
from vantage.recording.topics import DETECTIONS
from vantage.reports import report
from vantage.reports.bag_contents import together
from vantage.reports.charts import coverage_chart
from vantage.reports.report import write_report
from vantage.reports.scoring import score_bag
from vantage.reports.trajectory_plan import Plan, Seen, draw, draw_scene, room_of
from vantage.spatial import Viewpoint
from vantage.types import NoiseReport, NoiseType, TruthQuestion, Verdict

EVIL = "</dd><script>alert('x')</script><img src=x onerror=alert(1)> \"quoted\" \x00\x1b[31m \u202e" + "y" * 5000


class Checker(HTMLParser):
    """Well-formed nesting, and what the page would load."""

    VOID = frozenset({"meta", "img", "br", "link", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.images_without_text = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        self.sources += [str(values[key]) for key in ("src", "href", "xlink:href") if key in values]
        self.images_without_text += tag == "img" and not values.get("alt")
        assert not any(key.startswith("on") for key in values)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def bags(tmp_path: Path) -> Path:
    folder = tmp_path / "bags"
    record(folder, "fine", Telling(["x+", "yaw+", "yaw+", "y+"], said("red")), gold())
    record(folder, "bumps", Telling(["x+"] * 10, said("blue")), gold())
    noise = NoiseReport(NoiseType.COLOR, EVIL, "the ball is red", EVIL, 0.5, EVIL)
    record(folder, "evil", Telling(["yaw-"], said(EVIL, Verdict.CORRECTED, noise)), gold(NOISY, None))
    record(folder, "cut", Telling([], said("red")), gold(), finish=False)
    return folder


@pytest.fixture
def written(bags: Path, tmp_path: Path) -> str:
    path = write_report(bags, tmp_path / "out" / "report.html")
    return path.read_bytes().decode("utf-8")


def test_the_page_is_well_formed_and_loads_nothing(written: str) -> None:
    checker = Checker()
    checker.feed(written)
    checker.close()
    assert checker.open == []
    assert all(source.startswith(("data:image/jpeg;base64,", "#episode-", "#scene-")) for source in checker.sources)
    assert checker.images_without_text == 0
    assert "script" not in checker.tags
    assert checker.tags.count("article") == 3
    assert not re.search(r"https?://|@import|url\(", written)


def test_texts_from_bags_are_escaped_shortened_and_printable(written: str) -> None:
    assert "<script" not in written
    assert "&lt;script&gt;" in written
    assert "y" * 2000 not in written
    assert "(50" in written
    assert not re.search("[\x00-\x08\x0b-\x1f]", written)


def test_it_shows_figures_verdicts_answers_frames_and_incomplete_bags(written: str) -> None:
    for words in (
        "Right in words",
        "Shown",
        "Both (success)",
        "Target visible at best",
        "SPL in actions",
        "False alarms, clean",
        "[",
        "First frame",
        "Last frame",
        "Goal",
        "cut.partial",
    ):
        assert words in written
    assert written.count("data:image/jpeg;base64,") == 9
    assert "the ball is red" in written
    assert written.count("collision (x+)") == 2


def test_it_shows_what_an_answer_explains_where_no_premise_is_false(tmp_path: Path) -> None:
    noise = NoiseReport(explanation="Replies of the model that were not as asked: prose 2.")
    record(tmp_path / "bags", "asked", Telling(["x+"], said("red", Verdict.ANSWERED, noise)), gold())
    page = write_report(tmp_path / "bags", tmp_path / "report.html").read_text()
    assert noise.explanation in page
    assert "Noise report" not in page


def test_it_shows_evidence_coverage_and_the_scene_once(bags: Path, tmp_path: Path) -> None:
    record(bags, "seen", Telling(["x+", "yaw+"], said("red"), evidence=(0, 2)), gold())
    page = write_report(bags, tmp_path / "evidence.html").read_text()
    assert page.count("<figcaption>Evidence 1</figcaption>") == page.count("<figcaption>Evidence 2</figcaption>") == 1
    assert page.count('<svg class="chart"') == 4
    assert page.count('<g id="scene-0">') == 1
    assert page.count('<use href="#scene-0"/>') == 4


def test_runs_of_one_episode_stand_side_by_side(bags: Path, tmp_path: Path) -> None:
    other = Telling(["yaw+"], said("blue"))
    other.name = "other"
    record(tmp_path / "more", "bumps", other, gold())
    page = write_report([bags, tmp_path / "more"], tmp_path / "both.html").read_text()
    (beside,) = re.findall(r'<section class="runs".*?</section>', page, re.DOTALL)
    assert 'aria-label="Runs of episode bumps"' in beside
    assert re.findall(r"<article id=\"(episode-\d)\"", beside) == ["episode-0", "episode-3"]
    assert re.findall("<b>(.*?)</b>", beside) == ["scripted, privileged, rules", "other, privileged, rules"]
    for caption in ("First frame", "Last frame", "Goal"):
        assert beside.count(f"<figcaption>{caption}</figcaption>") == 2
    assert set(re.findall(r'href="#(episode-\d)"', page)) == set(re.findall(r'<article id="(episode-\d)"', page))
    assert "Differences on the same episodes" in page
    checker = Checker()
    checker.feed(page)
    assert checker.open == []


def test_of_too_many_the_runs_of_an_episode_are_shown_together(
    bags: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Telling(["yaw+"], said("red"))
    other.name = "other"
    record(tmp_path / "more", "bumps", other, gold())
    monkeypatch.setattr(report, "_MOST_CARDS", 2)
    page = write_report([bags, tmp_path / "more"], tmp_path / "both.html").read_text()
    assert page.count("<article") == page.count("<h3>bumps</h3>") == 2
    assert "the 2 of 4 with the lowest scores" in page


def test_one_damaged_bag_is_named_and_stops_nothing(bags: Path, tmp_path: Path) -> None:
    file = bags / "fine" / "fine.mcap"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    told: list[str] = []
    page = write_report(bags, tmp_path / "report.html", tell=told.append).read_text()
    assert page.count("<article") == 2
    assert "<b>fine</b>" in page
    assert "fine.mcap is damaged" in page
    assert [line for line in told if line.startswith("not scored: fine: ")]


def test_damage_to_what_no_figure_needs_stops_no_report_of_old_bags(bags: Path, tmp_path: Path) -> None:
    """Without checksums scoring does not see that detections cannot be read."""
    file = bags / "bumps" / "bumps.mcap"
    data = bytearray(file.read_bytes())
    message = next(message for _, _, message in read_bag_raw(bags / "bumps", (DETECTIONS,)))
    frame = data.index(message) + 12  # behind the encapsulation and the stamp: the length of a text
    data[frame : frame + 4] = b"\xff\xff\xff\x7f"
    summary = int.from_bytes(data[-28:-20], "little")
    chunk = data.index(b"\x06", 17 + int.from_bytes(data[9:17], "little"))
    for checksum in (len(data) - 12, summary - 4, chunk + 33):
        data[checksum : checksum + 4] = bytes(4)
    file.write_bytes(data)
    with pytest.raises(RecordingError, match="corrupt message on camera/detections"):
        list(read_bag(bags / "bumps"))
    assert score_bag(bags / "bumps").complete
    told: list[str] = []
    page = write_report(bags, tmp_path / "report.html", tell=told.append).read_text()
    assert page.count("<article") == 2
    assert "not readable as a whole" in page
    assert [line for line in told if line.startswith("not shown: bumps: ")]


@pytest.mark.needs("chromium")
def test_a_browser_shows_all_of_it(bags: Path, tmp_path: Path) -> None:
    page, shot = write_report(bags, tmp_path / "report.html"), tmp_path / "shot.png"
    command = [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1200,4000", "--hide-scrollbars"]
    subprocess.run([*command, f"--screenshot={shot}", page.as_uri()], check=True, capture_output=True, timeout=60)
    picture = cv2.imread(str(shot))
    assert picture.shape == (4000, 1200, 3)
    blue = (picture[:, :, 0].astype(int) - picture[:, :, 2] > 100).any(axis=1)
    assert blue.sum() > 100, "the ways that the camera took are drawn in blue"
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


def test_it_stays_small(bags: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = write_report(bags, tmp_path / "whole.html").stat().st_size
    assert whole < 300_000
    monkeypatch.setattr(report, "_BUDGET", 2_000)
    small = write_report(bags, tmp_path / "small.html")
    assert small.stat().st_size < whole
    assert "Frames left out" in small.read_text()


def test_the_same_bags_give_the_same_page(bags: Path, tmp_path: Path) -> None:
    pages = [write_report(bags, tmp_path / name).read_bytes() for name in ("a.html", "b.html")]
    assert pages[0] == pages[1]


def test_one_bag_and_only_broken_bags(bags: Path, tmp_path: Path) -> None:
    assert "fine" in write_report(bags / "fine", tmp_path / "one.html").read_text()
    broken = tmp_path / "broken"
    record(broken, "cut", Telling([], said("red")), gold(), finish=False)
    assert "Incomplete" in write_report(broken, tmp_path / "none.html").read_text()
    with pytest.raises(RecordingError, match="no folder"):
        write_report(tmp_path / "nowhere", tmp_path / "x.html")


def test_a_way_that_begins_again_is_drawn_as_another_line(tmp_path: Path) -> None:
    agent = PhasedAgent({EXPLORE: ["x+", "y+"], REENTER: ["y+", "yaw+"]})
    question = TruthQuestion("q1", "color", "red", phase="answer")
    asked = tuple(replace(question, question_id=key, phase=name) for name in ("answer", REFINE) for key in ("q1", "q2"))
    record(tmp_path, "four", agent, replace(gold(), questions=asked), whole=look_answer_look_again("four"))
    page = write_report(tmp_path, tmp_path / "report.html").read_text()
    assert "4 motions over 0.75 m from (1.00, 1.00) m, once again from there, 0 collisions" in page
    [plan] = re.findall(r'<svg class="plan".*?</svg>', page, re.DOTALL)
    lines = re.findall(r'<polyline class="(way[a-z ]*)" points="([^"]*)"', plan)
    assert [style for style, _ in lines] == ["way", "way again"]
    first, again = (points.split() for _, points in lines)
    assert (len(first), len(again), first[0]) == (3, 3, again[0])


def test_the_drawing_lies_within_its_frame() -> None:
    start = Viewpoint(0.2, 0.3, 1.0, 0.0, 0.0)
    way = [Viewpoint(0.2 + 0.25 * k, 0.3, 1.0, 0.5 * k, 0.3) for k in range(6)]
    objects = (
        Seen("floor", (0.0, 0.0, 4.0, 3.0)),
        Seen("table <b>", (1.0, 1.0, 2.0, 2.0)),
        Seen("ceiling", (0, 0, 4, 3), 2.5),
    )
    room = room_of(objects, [start, *way])
    assert room == (0.0, 0.0, 4.0, 3.0)
    svg = ElementTree.fromstring(
        draw(Plan(start, [[start, *way]], [(start, "x-")], way[-1], objects), room, 'a "title"')
    )
    _, _, width, height = (float(value) for value in svg.attrib["viewBox"].split())
    assert width / height == pytest.approx(4 / 3, abs=0.15)
    (line,) = [item for item in svg if item.tag == "polyline"]
    points = [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
    assert len(points) == 7
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    assert points[-1][0] > points[1][0]
    labels = [item.text for item in svg if item.tag == "text"]
    assert labels == ["1 m"]
    assert len([item for item in svg if item.attrib.get("class") == "look"]) == 7
    store = ElementTree.fromstring(draw_scene("scene-0", objects, room))
    assert [item.text for item in store.iter() if item.tag == "text"] == ["table <b>"]


def test_names_keep_clear_of_each_other_that_of_the_larger_thing_stands() -> None:
    objects = (
        Seen("floor", (0.0, 0.0, 4.0, 3.0), room="kitchen"),
        Seen("tray", (1.0, 0.1, 1.6, 0.7)),
        Seen("rug", (0.5, 0.0, 2.1, 0.9)),
        Seen("chair", (3.0, 2.0, 3.6, 2.6)),
    )
    store = ElementTree.fromstring(draw_scene("scene-0", objects, room_of(objects, [])))
    marks, names = store[0]
    assert [item.text for item in names] == ["kitchen", "rug", "chair"]
    assert {item.tag for item in marks} == {"rect"}


def test_objects_without_identity_are_drawn_once() -> None:
    first = [Seen("mug", (1.0, 1.0, 1.1, 1.1)), Seen("floor", (0.0, 0.0, 4.0, 3.0), room="kitchen")]
    second = [Seen("mug", (1.02, 1.0, 1.14, 1.1)), Seen("mug", (2.0, 1.0, 2.1, 1.1))]
    second.append(Seen("floor", (0.5, 0.0, 4.5, 3.0), room="hall"))
    found = together([first, second])
    assert [(obj.label, obj.room) for obj in found] == [
        ("mug", ""),
        ("floor", "kitchen"),
        ("mug", ""),
        ("floor", "hall"),
    ]
    assert found[0].box == (1.0, 1.0, 1.14, 1.1)
    assert first[0].box == (1.0, 1.0, 1.1, 1.1), "the episode's own record stays as it was"


def test_the_coverage_chart_rises_with_what_was_seen() -> None:
    svg = ElementTree.fromstring(coverage_chart([0.1, 0.4, 0.9]))
    (line,) = [item for item in svg if item.tag == "polyline"]
    heights = [float(pair.split(",")[1]) for pair in line.attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)
    assert "90 % after 2 steps" in svg.attrib["aria-label"]
    assert coverage_chart([]) == ""
    assert ElementTree.fromstring(coverage_chart([0.5])).tag == "svg"


def test_a_room_is_known_without_structure_and_without_anything() -> None:
    here = Viewpoint(1.0, 2.0, 1.0, 0.0, 0.0)
    assert room_of((), [here]) == (0.5, 1.5, 1.5, 2.5)
    assert room_of((Seen("mug", (3.0, 2.0, 3.1, 2.1)),), [here]) == (0.5, 1.5, 3.1, 2.5)
    assert room_of((), []) == (-1.0, -1.0, 1.0, 1.0)
