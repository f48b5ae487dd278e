"""Questions whose words give their answers away."""

from __future__ import annotations

from row_tables import each_row

from vantage.questions.generation.giveaways import gives_away, names_answer
from vantage.questions.lexicon import uses
from vantage.questions.programs import Count, Filter, Program, Query, Scene, Unique


def query(attribute: str) -> Program:
    return Query(Unique(Filter(Scene(), "label", "thing")), attribute)


@each_row(
    "text, answer, attribute, gives",
    [
        ("What can I get soap from?", "soap dispenser", "label", True),
        ("What could I read a story in?", "book", "label", True),  # which is reading
        ("Which thing could I use to toast bread?", "toaster", "label", True),
        ("What could I use to clean my teeth?", "toothbrush", "label", True),
        ("Where could I wash the dishes?", "dishwasher", "label", True),
        ("What could light up the room?", "lamp", "label", True),  # which people call a light
        ("Where could I watch the telly?", "television", "label", True),
        ("What brightens the room?", "lamp", "label", False),
        ("What is next to the mug?", "cup", "label", False),
        ("Can you tell me what I could use to paint?", "paint can", "label", True),
        ("Can you tell me what holds the soup?", "can", "label", False),
        ("Where is the shoe?", "on the shoe rack", "place", True),
        ("Where is the mug?", "on the table", "place", False),
        ("Which room is the lamp in?", "living room", "room", False),
        ("Which room is the kitchen stove in?", "kitchen", "room", True),
        ("What is written on the milk carton?", "MILK", "text", True),
        ("What is written on the jar?", "RICE", "text", False),
        ("What color is the orange?", "orange", "color", True),
        ("Is the box large or small?", "large", "size", False),  # which is offered
        ("What is next to the mug?", "", "label", False),
    ],
)
def test_a_word_of_the_answer_its_stem_or_another_name_gives_it_away(
    text: str, answer: str, attribute: str, gives: bool
) -> None:
    assert gives_away(text, query(attribute), answer) == gives


def test_numbers_are_never_given_away() -> None:
    assert not gives_away("How many of the 2 mugs are there?", Count(Scene()), "2")


def test_most_uses_can_be_said_without_naming_what_is_for_them() -> None:
    named = [
        (use.name, kind)
        for use in uses().values()
        for kind in use.kinds
        if all(names_answer(wording, kind) for wording in use.wordings)
    ]
    assert len(named) <= 14
    assert ("read a story", "book") in named
