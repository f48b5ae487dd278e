"""Questions about things told by their use, in the words of people rather than of the generator."""

from __future__ import annotations

import numpy as np
from row_tables import each_row

from vantage.questions.generation import Facts, clean_question
from vantage.questions.kinds import QuestionKind
from vantage.questions.lexicon import gerund, third_person, uses
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text
from vantage.scenes.generator import generate_home
from vantage.scenes.graph import SceneGraph


def asked(use: str, attribute: str = "label", room: str = "") -> str:
    """The program of a question about the one thing for a use."""
    objects = f"filter(scene(), 'use', '{use}')"
    objects = f"filter({objects}, 'room', '{room}')" if room else objects
    return f"query(unique({objects}), '{attribute}')"


@each_row(
    "text, program",
    [
        ("With what could I slice a loaf of bread?", asked("cut bread")),
        ("I want to cut some bread. What should I use?", asked("cut bread")),
        ("To chop vegetables, what would you use?", asked("cut bread")),
        ("What in the kitchen would be good for cutting up a cake?", asked("cut bread", room="kitchen")),
        ("What is there in the kitchen to boil water with?", asked("boil water", room="kitchen")),
        ("Which item lets me see my own reflection?", asked("see myself")),
        ("What do people use to dry their hands?", asked("dry my hands")),
        ("Where should I go to wash my hands?", asked("wash my hands")),
        ("I'd like to sit down, where could I do that?", asked("sit down")),
        ("Where is the best place to lie down?", asked("sleep")),
        ("What could I throw the banana peel into?", asked("throw away rubbish")),
        ("Which object in the living room is used for watching films?", asked("watch a film", room="living room")),
        ("What helps me find out the time?", asked("tell the time")),
        ("Which one of the things in the hall keeps me dry in the rain?", asked("keep off the rain", room="hall")),
        ("What can the kids kick around?", asked("kick around")),
        ("What might somebody wear on their head?", asked("wear on my head")),
        ("Which thing is meant for keeping milk cold?", asked("keep food cold")),
        ("Which room is the thing for washing clothes in?", asked("wash clothes", "room")),
        (
            "What color is the thing in the kitchen that I could boil water with?",
            asked("boil water", "color", "kitchen"),
        ),
        ("Where is the object whose purpose is to tell the time?", asked("tell the time", "place")),
        ("Where can I find something to sweep the floor with?", asked("clean the floor", "place")),
        ("What is the thing that you brush your teeth with made of?", asked("brush my teeth", "material")),
        ("Tell me what I could use to print out a document.", asked("print a document")),
        ("Could you tell me where one can hang up a jacket?", asked("hang up my coat")),
        ("On what could one watch the news?", asked("watch a film")),
        ("Is the thing for keeping food cold open or closed?", asked("keep food cold", "state")),
        (
            "How many things in the kitchen could I sit on?",
            "count(filter(filter(scene(), 'use', 'sit down'), 'room', 'kitchen'))",
        ),
        (
            "Is there anything to cut bread with on the table?",
            "exist(relate(filter(scene(), 'use', 'cut bread'), 'on', unique(filter(scene(), 'label', 'table'))))",
        ),
        (
            "What color is the thing on the table that tells the time?",
            "query(unique(relate(filter(scene(), 'use', 'tell the time'), 'on', unique(filter(scene(), 'label', "
            "'table')))), 'color')",
        ),
    ],
)
def test_a_thing_is_known_by_its_use(text: str, program: str) -> None:
    found = parse(text)
    assert found is not None
    assert program_text(found.program) == program


@each_row("form", ["What could I use to {base}?", "What is used for {ing}?", "Where is the thing that I could {base}?"])
def test_every_wording_of_every_use_is_understood(form: str) -> None:
    for use in uses().values():
        for wording in use.wordings if not use.by_itself else ():
            found = parse(form.format(base=wording, ing=gerund(wording)))
            assert found is not None, (use.name, wording)
            assert "'use'" in program_text(found.program), (use.name, wording)
        for wording in use.wordings if use.by_itself else ():
            found = parse(f"Which thing {third_person(wording)}?")
            assert found is not None
            assert program_text(found.program) == asked(use.name)


def test_generated_questions_come_to_the_same_program() -> None:
    for seed in (1, 2, 3):
        facts, rng = Facts(SceneGraph.from_spec(generate_home(seed, 2))), np.random.default_rng(seed)
        for _ in range(12):
            made = clean_question(facts, QuestionKind.USE, rng)
            if made is not None:
                found = parse(made.text)
                assert found is not None, made.text
                assert found.program == made.program, made.text


@each_row(
    "text",
    [
        "What could I use to repair the roof of the church?",
        "Which thing is for juggling politicians?",
        "What would I use to cut bread and hide the body?",
        "What is the thing that regrets the time?",
        "Where could I cut?",
        "What could I use to?",
    ],
)
def test_a_use_that_nobody_knows_is_not_guessed(text: str) -> None:
    assert parse(text) is None


@each_row(
    "text, program",
    [
        ("What is on the cutting board?", "'on', unique(filter(scene(), 'label', 'cutting board'))"),
        ("Where is the bread?", "filter(scene(), 'label', 'bread')"),
        ("Where is the knife next to the bread?", "'next to', unique(filter(scene(), 'label', 'bread'))"),
        ("Where did I put the tea?", "filter(scene(), 'label', 'tea')"),
    ],
)
def test_things_that_uses_speak_of_are_things_still(text: str, program: str) -> None:
    found = parse(text)
    assert found is not None
    assert program in program_text(found.program)
    assert "'use'" not in program_text(found.program)


def test_kinds_for_the_use_are_looked_for() -> None:
    found = parse("What could I write a note with?")
    assert found is not None
    assert set(found.labels) == {"pen", "pencil"}
