"""Print is read only once a question turns on it, from near, and no longer where there is none."""

from dataclasses import replace

import pytest
from box_world import BoxWorld, look_around
from drawn_room import HIGH, LOW, TABLE_TOP, empty_room, put

from vantage.answering.engine import QuestionAnswering
from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.text_reading import TextMemory, asks_for_text, labels_with_text
from vantage.errors import MissingExtraError
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.perception.perceivers.text_readings import TextReading
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import read_program
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Detection, Verdict

BOX = "unique(filter(scene(), 'label', 'box'))"
WRITTEN = ParsedQuestion("What is written on the box?", read_program(f"query({BOX}, 'text')"))
COLOR = ParsedQuestion("What color is the box?", read_program(f"query({BOX}, 'color')"))
LABELLED = ParsedQuestion(
    "What color is the box that says TEA?",
    read_program("query(unique(filter(filter(scene(), 'label', 'box'), 'text', 'TEA')), 'color')"),
)
FAR, NEAR = (3.6, 2.2, 1.4), (2.2, 1.5, 1.1)


class Reader:
    """Reads ``words``, and keeps what it was shown."""

    def __init__(self, words="TEA"):
        self.words, self.shown = words, []

    def text_on(self, observation, detection):
        self.shown.append(detection.label)
        if isinstance(self.words, TextReading):
            return self.words
        return TextReading(self.words, 0.99, True, 30.0) if self.words else TextReading()


def watching(reader):
    world = empty_room()
    put(world, 30, "box", 1.6, 1.5, TABLE_TOP, "brown", "paper", (0.2, 0.2, 0.2))
    made = []

    def make():
        made.append(reader)
        return reader

    return QuestionAnswering(PrivilegedPerceiver(12), LOW, HIGH, make_reader=make), world, made


def look(answering, world, *positions):
    for observation in look_around(world, positions, (-0.5,), 8):
        answering.observe(observation)


def test_nothing_is_read_while_no_question_asks_for_it():
    reader = Reader()
    answering, world, made = watching(reader)
    look(answering, world, FAR, NEAR)
    assert answering.assess_parsed(COLOR).answer == "brown"
    assert (made, reader.shown) == ([], [])


def test_unread_print_is_looked_at_from_near_and_then_told():
    answering, world, made = watching(Reader())
    look(answering, world, FAR)
    found = answering.assess_parsed(WRITTEN)
    assert found.verdict is Verdict.NEEDS_LOOK
    (hint,) = found.look_for
    assert (hint.what, hint.instance_id, hint.closeness) == (LookAt.SIDES, 30, 0.8)
    look(answering, world, NEAR)
    found = answering.assess_parsed(WRITTEN)
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "TEA")
    assert answering.assess_parsed(LABELLED).answer == "brown"
    assert len(made) == 1


def test_the_last_view_is_read_when_a_question_comes_after_it():
    answering, world, _ = watching(Reader())
    views = list(look_around(world, (NEAR,), (-0.5,), 8))
    shown = next(view for view in views if (view.instances == 30).any())
    answering.observe(shown)
    assert answering.assess_parsed(WRITTEN).answer == "TEA"


def test_letters_that_were_misread_do_not_matter():
    answering, world, _ = watching(Reader("T E A"))
    answering.assess_parsed(LABELLED)
    look(answering, world, NEAR)
    assert answering.assess_parsed(LABELLED).answer == "brown"


def test_a_object_has_no_print_only_once_it_was_seen_all_around():
    reader = Reader("")
    answering, world, _ = watching(reader)
    answering.assess_parsed(WRITTEN)
    look(answering, world, *[(2.2, 1.5 + 0.15 * k, 1.1) for k in range(4)])
    assert answering.assess_parsed(WRITTEN).verdict is Verdict.NEEDS_LOOK
    look(answering, world, (1.5, 2.2, 1.1), (1.5, 0.8, 1.1))
    found = answering.assess_parsed(WRITTEN)
    assert (found.verdict, found.text) == (
        Verdict.UNANSWERABLE,
        "I see the box, but nothing readable is written on it.",
    )
    answering.reset()
    assert answering.assess_parsed(WRITTEN).verdict is Verdict.NEEDS_LOOK


def test_only_objects_of_the_kind_in_question_are_read():
    reader = Reader()
    answering, world, _ = watching(reader)
    answering.assess_parsed(WRITTEN)
    look(answering, world, FAR, NEAR)
    assert set(reader.shown) == {"box"}


def test_print_is_read_no_more_once_it_is_settled():
    reader = Reader()
    answering, world, _ = watching(reader)
    answering.assess_parsed(WRITTEN)
    look(answering, world, NEAR)
    before = len(reader.shown)
    look(answering, world, (2.2, 1.6, 1.1), (2.1, 1.5, 1.1))
    assert (before, len(reader.shown)) == (1, 1)


def test_a_view_that_shows_no_more_than_another_is_not_read():
    reader = Reader("")
    answering, world, _ = watching(reader)
    answering.assess_parsed(WRITTEN)
    look(answering, world, NEAR)
    before = len(reader.shown)
    look(answering, world, NEAR)
    look(answering, world, (2.4, 1.5, 1.1))
    assert len(reader.shown) == before


def test_print_that_was_cut_off_is_looked_at_again():
    reader = Reader(TextReading("EA", 0.99, False, 30.0))
    answering, world, _ = watching(reader)
    answering.assess_parsed(WRITTEN)
    look(answering, world, NEAR)
    assert answering.assess_parsed(WRITTEN).verdict is Verdict.NEEDS_LOOK
    reader.words = TextReading("TEA", 0.99, True, 30.0)
    look(answering, world, (2.1, 1.6, 1.1))
    assert answering.assess_parsed(WRITTEN).answer == "TEA"


def test_of_which_objects_the_print_matters():
    unnamed = read_program("query(unique(filter(scene(), 'text', 'TEA')), 'color')")
    placed = read_program("query(unique(relate(filter(scene(), 'label', 'jar'), 'on', " + BOX + ")), 'text')")
    assert labels_with_text(WRITTEN.program) == {"box", "crate", "cereal box"}
    assert labels_with_text(placed) == {"jar"}
    assert labels_with_text(unnamed) is None
    assert labels_with_text(COLOR.program) == frozenset()


def test_where_print_cannot_be_read_it_says_what_to_install():
    answering, world, _ = watching(Reader())

    def missing():
        raise MissingExtraError("reading print needs the extra 'ocr'; run make setup WITH=ocr")

    answering = QuestionAnswering(PrivilegedPerceiver(12), LOW, HIGH, make_reader=missing)
    look(answering, world, FAR)
    for question in (WRITTEN, LABELLED):
        found = answering.assess_parsed(question)
        assert found.verdict is Verdict.NEEDS_MODEL
        assert "cannot read print" in found.text
        assert "WITH=ocr" in found.text
    assert answering.assess_parsed(COLOR).answer == "brown"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (WRITTEN.program, True),
        (LABELLED.program, True),
        (COLOR.program, False),
        (read_program(f"verify({BOX}, 'text', 'TEA')"), True),
    ],
)
def test_which_programs_ask_for_print(program, expected):
    assert asks_for_text(program) is expected


def test_print_that_the_perceiver_tells_is_kept():
    answering, world, _ = watching(Reader(""))
    perceive = answering.perceiver.perceive

    class TextMemory:
        name = "reading"

        def perceive(self, observation):
            return tuple(replace(d, text="COCOA") if d.label == "box" else d for d in perceive(observation))

    answering.perceiver = TextMemory()
    look(answering, world, FAR)
    assert answering.assess_parsed(WRITTEN).answer == "COCOA"


def test_what_was_read_is_kept_for_the_objects_that_are_remembered_and_no_others():
    """A box comes, is taken for two at first, turns out to be one, and goes again, over and over."""
    memory, world, lens = ObservedScene(min_pixels=2), BoxWorld(), Intrinsics.from_fov(32, 24, 1.2)
    world.add(1, "wall", (6.0, -9.0, -9.0), (6.1, 9.0, 9.0))
    gone = [world.observe(Viewpoint(x, 0.0, 1.2, 0.0, 0.0), lens) for x in (-0.6, -1.2, -1.8)]
    here = replace(world.observe(Viewpoint(0.0, 0.0, 1.2, 0.0, 0.0), lens), depth=None)
    reader = Reader("")
    reading = TextMemory(memory, lambda: reader)
    reading.want_for(WRITTEN.program)
    left, right, whole = (
        box_at(x, length, truncated) for x, length, truncated in ((2.2, 0.4, True), (3.8, 0.4, True), (3.0, 2.0, False))
    )
    for _ in range(50):
        for seen in (left, right, whole):
            reading.take_in(here, [seen])
        (box,) = memory.objects
        assert set(reading._records) == {box.instance_id}
        for view in gone:
            reading.take_in(view, [])
        assert memory.objects == ()
        assert reading._records == {}
    assert len(reader.shown) >= 100


def test_print_that_was_read_on_a_part_stays_with_the_whole():
    memory, here = ObservedScene(), replace(BoxWorld().observe(Viewpoint(0.0, 0.0, 1.2, 0.0, 0.0)), depth=None)
    reading = TextMemory(memory, lambda: Reader(TextReading("TEA", 0.96, True, 30.0)))
    reading.want_for(WRITTEN.program)
    reading.take_in(here, [box_at(2.2, 0.4, True)])
    first = memory.objects[0].instance_id
    reading.take_in(here, [box_at(3.8, 0.4, True)])
    reading.take_in(here, [box_at(3.0, 2.0, False)])
    (box,) = memory.objects
    assert set(reading._records) == {box.instance_id}
    assert memory.get(first) is box
    assert not reading._records[box.instance_id].prints.is_blank


def box_at(x, length, truncated):
    center, size = (x, 0.0, 0.8), (length, 0.8, 0.8)
    low, high = (tuple(c + sign * s / 2 for c, s in zip(center, size, strict=True)) for sign in (-1, 1))
    return Detection(
        0, "box", "", "", 0.8, 1000 if truncated else 9000, (0, 0, 10, 10), center, low, high, truncated=truncated
    )
