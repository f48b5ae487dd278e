"""Tasks in words as changes of things."""

from __future__ import annotations

from row_tables import each_row

from vantage.planning.goals.asked_changes import Phrase
from vantage.planning.goals.clauses import read_changes


def told(phrases: tuple[Phrase, ...]) -> str:
    return ", ".join(phrase.text for phrase in phrases)


@each_row(
    "text, changes",
    [
        ("Turn on the lamp.", ["switch on lamp"]),
        ("Please turn the lamp off.", ["switch off lamp"]),
        ("Find the lamp. Then turn it on.", ["other lamp", "switch on lamp"]),
        ("Make sure that the lamp is on.", ["switch on lamp"]),
        ("Put the cup and the plate in the sink.", ["place cup, plate in sink"]),
        ("Fill the jar with sweets.", ["place sweets in jar"]),
        ("Take the shirt and put it into the washing machine.", ["place shirt", "place shirt in washing machine"]),
        ("Put the pan on the stove, and the lid next to the pan.", ["place pan on stove", "place lid near pan"]),
        ("Use the rag to clean the window, then leave it in the sink.", ["clean window", "place rag in sink"]),
        ("Clean the stained stove past the piano.", ["clean stove"]),
        ("Open the door without bumping into the globe.", ["open door"]),
        ("", []),
        ("?!.,", []),
    ],
)
def test_changes_are_read_in_order(text: str, changes: list[str]) -> None:
    found = [
        f"{asked.change.value} {told(asked.things)} {asked.relation} {told(asked.places)}".strip()
        for asked in read_changes(text)
        if not asked.aside
    ]
    assert found == changes


def test_what_is_said_of_things_is_kept() -> None:
    (asked,) = read_changes("Put 3 soaked rags into each bucket.")
    assert (asked.things[0].number, asked.things[0].state, asked.places[0].each) == (3, ("soaked",), True)


def test_another_place_that_would_do_stands_apart() -> None:
    first, second = read_changes("Place the bag on the bed or on the floor.")
    assert (first.instead, second.instead, told(second.places)) == (False, True, "floor")


def test_ten_thousand_words_are_read_to_a_bound() -> None:
    assert len(read_changes("Put the cup in the sink. " * 2000)) < 400
