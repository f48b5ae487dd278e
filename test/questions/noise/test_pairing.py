"""Descriptions in other words, with the steps that go with them."""

from __future__ import annotations

from hand_made import hand_made
from row_tables import each_row

from vantage.questions.execution import Executor
from vantage.questions.generation.referring_expressions import called
from vantage.questions.noise.pair_templates import filled
from vantage.questions.noise.pairing import Mention, loosely_placed, renamed, with_adjective, with_noun, without_noun
from vantage.questions.programs import Rooms, Scene

RUN = Executor(hand_made())
ON_TABLE = called("apple").placed("on", called("table"))


def test_adjectives_stand_where_people_put_them() -> None:
    phrase = with_adjective(called("vase"), "material", "wood")
    phrase = with_adjective(phrase, "color", "green")
    assert with_adjective(phrase, "shape", "round").the == "the round green wooden vase"


def test_an_adjective_narrows_what_is_meant() -> None:
    assert RUN.members(called("mug").objects) == (20, 21, 28)
    assert RUN.members(with_adjective(called("mug"), "color", "red").objects) == (28,)


def test_another_noun_keeps_the_place() -> None:
    other = renamed(ON_TABLE, "vase")
    assert other.the == "the vase on the table"
    assert RUN.members(other.objects) == (22,)


def test_no_noun_stands_for_everything_there() -> None:
    assert RUN.members(without_noun(ON_TABLE.objects)) == (20, 21, 22, 23)
    assert without_noun(called("mug").objects) == Scene()


def test_loose_places_hold_what_is_deep_in_them() -> None:
    assert RUN.members(ON_TABLE.objects) == ()
    assert RUN.members(loosely_placed(ON_TABLE.objects)) == (24,)
    beside = called("mug").placed("next to", called("vase"))
    assert loosely_placed(beside.objects) == beside.objects


def test_sets_without_a_noun_stay_as_they_are() -> None:
    assert with_noun(Rooms(), "mug") == without_noun(Rooms()) == loosely_placed(Rooms()) == Rooms()


@each_row("noun, several", [("keys", True), ("scissors", True), ("mug", False), ("bread", False)])
def test_what_is_always_said_in_the_plural_takes_a_plural_verb(noun: str, several: bool) -> None:
    mention = Mention.of(called(noun).placed("on", called("table")))
    assert mention.several == several
    assert mention.premise.number == 1
    said = filled("Which room {is} {the} in?", mention.the, mention.several)
    assert said == f"Which room {'are' if several else 'is'} the {noun} on the table in?"
