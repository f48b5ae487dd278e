"""Where texts put objects, and which places exclude each other."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.benchmarks.judging.answer_lists import segments
from vantage.benchmarks.judging.stated_places import Place, named_kinds, placed, places_in, puts_elsewhere


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the ball is on the desk in the kitchen", (("on", "desk"), ("in", "kitchen"))),
        ("next to the white washing machine", (("beside", "washing machine"),)),
        ("the jar on the counter carries a label", (("on", "counter"),)),
        ("in fact it is on the small kitchen table", (("on", "table"),)),
        ("in the picture there is a ball", ()),
        ("in the mirror there is a ball", ()),
        ("not on the desk", ()),
        ("on the gizmo", ()),
        ("", ()),
    ],
)
def test_places_are_rooms_and_kinds_that_are_known(text: str, found: tuple[tuple[str, str], ...]) -> None:
    assert places_in(text) == found


@each_row(
    "text, elsewhere",
    [
        ("The ball is on the desk.", False),
        ("The ball is on the sofa.", True),
        ("There is a ball under the desk.", True),
        ("There is a ball. It is on the bed.", True),
        ("There is a ball, in the basket.", True),
        ("On the sofa, there is a ball.", True),
        ("There is no orange on the desk but a ball on the sofa.", True),
        ("The ball is in the kitchen.", True),
        ("The ball is in the office.", False),
        ("The ball is in the box on the desk.", False),
        ("The ball is on the desk next to the sofa.", False),
        ("The ball is next to the sofa.", False),
        ("The ball is not on the sofa.", False),
        ("The lamp is on the sofa.", False),
        ("The lamp is next to the ball on the sofa.", False),
        ("ball", False),
    ],
)
def test_only_a_place_that_excludes_the_right_one_is_elsewhere(text: str, elsewhere: bool) -> None:
    assert puts_elsewhere(text, "ball", (("on", "desk"), ("in", "office"))) is elsewhere


def test_a_bookshelf_holds_objects_on_it_and_in_it_and_may_be_called_a_shelf() -> None:
    for text in ("in the bookshelf", "on the bookcase", "on the shelf"):
        assert not puts_elsewhere(f"The ball is {text}.", "ball", (("on", "bookshelf"),))


def test_outright_means_a_statement_and_no_description() -> None:
    right = (("on", "desk"),)
    assert puts_elsewhere("The ball on the sofa is red.", "ball", right)
    assert not puts_elsewhere("The ball on the sofa is red.", "ball", right, outright=True)
    assert puts_elsewhere("The ball is on the sofa.", "ball", right, outright=True)


def test_nothing_is_elsewhere_where_no_place_is_right() -> None:
    assert not puts_elsewhere("The ball is on the sofa.", "ball", ())
    assert not puts_elsewhere("The ball is on the sofa.", "", (("on", "desk"),))


def test_kinds_that_are_only_places_are_not_named() -> None:
    assert named_kinds(("blue", "mug", "on", "desk")) == {"mug"}
    assert named_kinds(("is", "actually", "on", "desk")) == set()


@each_row(
    "text, found",
    [
        ("there is a mug on the desk", [("mug", ("on", "desk"))]),
        ("the red mug is now standing on the desk", [("mug", ("on", "desk"))]),
        ("the mug beside the lamp is on the desk", [("mug", ("on", "desk"))]),
        ("the desk in the kitchen is on the table", [("desk", ("in", "kitchen")), ("desk", ("on", "table"))]),
        ("the bed which has a lamp on the nightstand is blue", [("lamp", ("on", "nightstand"))]),
        ("the mug beside the lamp on the desk", []),
        ("the lamp by the mug is on the desk", []),
        ("the mug that i see on the desk is red", []),
        ("the mug is not on the desk", []),
        ("the gizmo is on the desk", []),
        ("on the desk", []),
        ("is on the desk", []),
    ],
)
def test_a_kind_is_put_where_words_say_so_of_it_and_of_no_other(text: str, found: list[tuple[str, Place]]) -> None:
    assert [pair for part in segments(text) for pair in placed(part)] == found
