"""Names that a prompt lists where pictures alone show the scene."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import read_known, read_scene, vocabulary_lines

LISTED = f"Look.\n\n{vocabulary_lines(('cup', 'sink'))}\n\nStates that goals may ask for: open, closed\n\nTask name: x"
TOLD = f"Things in the scene:\n- lamp | can be ON, OFF\n\n{LISTED}"


def test_each_name_may_be_there_in_any_state() -> None:
    known = read_known(LISTED)
    assert [item.name for item in known.objects] == ["cup", "sink"]
    assert known.possible["sink"] == {"open", "closed"}
    assert read_scene(LISTED).objects == ()


def test_a_scene_that_is_told_counts_alone() -> None:
    assert [item.name for item in read_known(TOLD).objects] == ["lamp"]


@each_row(
    "text, names",
    [
        ("", []),
        ("no list", []),
        (vocabulary_lines(()), []),
        (vocabulary_lines((" cup ", "", "sink")), ["cup", "sink"]),
        (f"{vocabulary_lines(('cup',))}\nStates that goals may ask for: ", ["cup"]),
    ],
)
def test_damaged_lists_are_read_as_far_as_they_go(text: str, names: list[str]) -> None:
    assert [item.name for item in read_known(text).objects] == names
