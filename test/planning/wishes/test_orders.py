"""Wishes about homes, clause by clause."""

from __future__ import annotations

import random

from row_tables import each_row

from vantage.planning.wishes import Clause, NounPhrase, read_clauses
from vantage.planning.wishes.noun_phrases import noun_phrase
from vantage.planning.wishes.wordings import MOST_WORDS, uses


def told(phrase: NounPhrase) -> str:
    wheres = (f"{where.relation} {told(where.place) if where.place else 'there'}" for where in phrase.wheres)
    return " ".join((phrase.pronoun or phrase.text, *(f"[{where}]" for where in wheres)))


def words(clause: Clause) -> str:
    place = clause.place
    aim = f" {place.relation} {told(place.place) if place.place else 'there'}" if place else ""
    return f"{clause.change.value if clause.change else 'tell'} {', '.join(map(told, clause.things))}{aim}"


@each_row(
    "text, clauses",
    [
        ("Switch off the lamp that's on the desk.", ["switch off lamp [on desk]"]),
        ("Pop the cup in the sink with the plate.", ["place cup in sink [with plate]"]),
        ("The scarf goes on the bed.", ["place scarf on bed"]),
        ("Get the pear out of the bowl, then put it on the tray.", ["tell pear [from bowl]", "place it on tray"]),
        ("Could you open the window of the bedroom?", ["open window [of bedroom]"]),
        ("I need the cup in the sink.", ["place cup in sink"]),
        ("Set the cup on the table in the kitchen.", ["place cup on table [in kitchen]"]),
        ("Take my brother's cup to the kitchen.", ["place cup to kitchen"]),
        ("Put the cup down on the table without bumping into the globe.", ["place cup on table"]),
        ("Fill the jar with sweets.", ["place sweets in jar"]),
        ("The fridge is open. Close it.", ["tell fridge [state open]", "close it"]),
        ("Get the toaster going, please.", ["switch on toaster"]),
        ("Turn the lamp in the hall off.", ["switch off lamp [in hall]"]),
        ("You can kill the heat on the cooker.", ["switch off cooker"]),
        ("Kitchen window open, please.", ["open kitchen window"]),
        ("Into the sink with the plate.", ["place plate in sink"]),
        ("In the bin it goes.", ["place it in bin"]),
        ("Off with the radio!", ["switch off radio"]),
        ("The plate hasn't been washed.", ["tell plate [state dirty]"]),
        ("The cooker's still on.", ["tell cooker [state on]"]),
        ("I've left a cup on the desk.", ["tell cup [on desk]"]),
        ("Put the pear in the one with the apple.", ["place pear in one [with apple]"]),
        ("Shut the bathroom door and the bedroom one.", ["close bathroom door, one [in bedroom]"]),
        ("Close the window in the hall and the door too.", ["close window [in hall], door"]),
        ("Bring the box from the top of the fridge to the sofa.", ["place box [from fridge] to sofa"]),
        ("Return the pair of them to the shelf.", ["place them to shelf"]),
        ("Can you close it, quick?", ["close it"]),
        ("Lights out in the hall.", ["switch off lights [in hall]"]),
        ("Off, please.", ["switch off it"]),
        ("Dishwasher, please.", ["place it to dishwasher"]),
        ("Some light in the hall, please.", ["switch on light [in hall]"]),
        ("I need some heat in here.", ["switch on heat"]),
        ("Let some fresh air in through the window.", ["open window [in there]"]),
        ("Who left the fridge open? Close it.", ["tell fridge", "close it"]),
        ("Someone should close the fridge.", ["close fridge"]),
        ("See the hat on the bed?", ["tell hat [on bed]"]),
        ("My son wants his bear to sit on the chair.", ["place bear on chair"]),
        ("Grandma wants to sit on the sofa.", ["tell sofa"]),
        ("There are books all over the sofa.", ["tell books [on sofa]"]),
        ("The car doesn't belong in the box.", ["place car in box"]),  # denied
        ("The towel in the basket smells.", ["tell towel [in basket]"]),
        ("Turn the radio off and the lamp on.", ["switch off radio", "switch on lamp"]),
        ("Turn off the radio. The lamp too.", ["switch off radio", "switch off lamp"]),
        ("I'm about to start cooking. Open the window.", ["open window"]),
        ("Put the bathroom light on.", ["switch on bathroom light"]),
        ("Put the cup in the sink and the pear in the bowl.", ["place cup in sink", "place pear in bowl"]),
        ("The ball goes in the box, the bear on the bed there.", ["place ball in box", "place bear on bed"]),
        ("Put the cup in the sink and the pear away.", ["place cup in sink", "tell pear"]),
        ("Bring a book to the hall. It's on the bed.", ["place book [on bed] to hall", "tell it [on bed]"]),
        ("Leave the window in the hall open but close the door.", ["open window [in hall]", "close door"]),
        ("Bring it to me in the hall.", ["place it in hall"]),
        ("The hat is on the wardrobe and I want it inside.", ["tell hat [on wardrobe]", "place it in there"]),
        (
            "Bring the cup and the plate from the desk to the sink.",
            ["place cup [from desk], plate [from desk] to sink"],
        ),
        ("", []),
        ("?!.,", []),
    ],
)
def test_clauses_are_read_in_order(text: str, clauses: list[str]) -> None:
    assert [words(clause) for clause in read_clauses(text)] == clauses


def test_what_shall_not_be_done_is_told_apart() -> None:
    (clause,) = read_clauses("Don't open the fridge.")
    assert clause.denied


def test_ten_thousand_words_are_read_to_a_bound() -> None:
    assert 0 < len(read_clauses("Put the cup in the sink. " * 2000)) <= MOST_WORDS


def test_every_order_of_words_is_read_to_its_end() -> None:
    known = sorted(word for group in uses().values() for word in group)
    known += [",", ".", "of", "in", "on", "with", "where", "mug", "table", "'s", "without"]
    lots = random.Random(0)
    for _ in range(500):
        text = " ".join(lots.choice(known) for _ in range(lots.randrange(1, 40)))
        assert len(read_clauses(text)) <= text.count(" ") + 1, text


def test_only_few_words_stand_before_a_name() -> None:
    found, end = noun_phrase(("all", "of", "the", "two", "mugs"), 0)
    assert found is not None
    assert (found.text, found.number, found.every, end) == ("mugs", 2, True, 5)
    assert noun_phrase((*(500 * ("the",)), "mug"), 0) == (None, 0), "each of them would read all that follow"
    assert [clause.things[0].text for clause in read_clauses(f"Open {500 * 'the '}fridge.")] == ["fridge"]
