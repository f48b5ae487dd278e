"""The choice among drafts: what words tell is dropped, and answers come out even."""

from __future__ import annotations

from collections import Counter

from vantage.benchmarks.excalibur.needed_evidence import Needed
from vantage.benchmarks.excalibur.question_choice import chosen
from vantage.benchmarks.excalibur.question_drafts import Draft
from vantage.benchmarks.excalibur.question_labels import COUNT, YES_NO
from vantage.questions import programs as steps

PROGRAM = steps.Exist(steps.Filter(steps.Scene(), "label", "mug"))
COLORS = ("red", "blue", "green", "white", "black", "gray")
THINGS = ("mug", "cup", "box", "ball", "pan", "jar")


def draft(text: str, answer: str, kind: str = YES_NO, relations: frozenset[str] = frozenset()) -> Draft:
    return Draft(text, PROGRAM, "exist", kind, relations, answer, Needed((), (), ()))


def told(house: int, place: int) -> list[Draft]:
    """A draft whose answer its words tell in all houses, and two of which they tell nothing."""
    color, thing = COLORS[place % 6], THINGS[(place + house) % 6]
    return [
        draft(f"Is there a zebra near number {place} of {house}?", "yes"),
        draft(f"Is the {thing} {color} by {place} of {house}?", "yes" if (house + place // 6) % 2 else "no"),
    ]


def test_what_is_told_by_words_is_dropped():
    houses = [[told(house, place) for place in range(30)] for house in range(12)]
    found = chosen(houses)
    assert not any("zebra" in each.text for house in found for each in house)


def test_where_all_is_told_something_is_asked_still():
    houses = [[[draft(f"Is there a zebra in {house} {place}?", "yes")] for place in range(20)] for house in range(8)]
    assert [len(house) for house in chosen(houses)] == [20] * 8


def test_what_words_tell_in_most_of_other_houses_is_dropped_too():
    """Leather things are there in three of four houses, wherever there is a choice."""

    def place(house: int, number: int) -> list[Draft]:
        there = "yes" if (house + number) % 4 else "no"
        thing, color = THINGS[number % 6], COLORS[(house + number) % 6]
        other = "yes" if (house // 2 + number) % 2 else "no"
        return [draft(f"Is there a leather {thing}?", there), draft(f"Is the {thing} of {number} {color}?", other)]

    found = chosen([[place(house, number) for number in range(12)] for house in range(16)])
    leather = Counter(each.answer for house in found for each in house if "leather" in each.text)
    assert leather["yes"] <= leather["no"]


def test_every_run_of_words_comes_out_even_where_it_can():
    """Each pair of words has its own answer in what is drawn first, and in half of the other drafts."""
    pairs = [(color, thing) for color in COLORS for thing in THINGS]

    def place(house: int, number: int) -> list[Draft]:
        told = [pairs[(house + number * 7 + k * 5) % 36] for k in range(4)]
        usual = ["yes" if pairs.index(pair) % 2 else "no" for pair in told]
        answers = [usual[0], "no" if usual[1] == "yes" else "yes", usual[2], "no" if usual[3] == "yes" else "yes"]
        return [draft(f"Is there a {' '.join(pair)}?", each) for pair, each in zip(told, answers, strict=True)]

    houses = [[place(house, number) for number in range(18)] for house in range(4)]
    uneven = []
    for taken in ([[drafts[0] for drafts in places] for places in houses], chosen(houses)):
        often: Counter[str] = Counter()
        for each in (each for house in taken for each in house):
            words = each.text.removeprefix("Is there a ").rstrip("?")
            for run in (words, *words.split()):
                often[run] += 1 if each.answer == "yes" else -1
        uneven.append(sum(value * value for value in often.values()))
    assert uneven[1] < 0.2 * uneven[0]


def test_few_houses_keep_all_drafts():
    houses = [[[draft("Is there a zebra?", "yes")]], [[draft("Is there a zebra?", "yes")]]]
    assert chosen(houses) == [[houses[0][0][0]], [houses[1][0][0]]]


def test_yes_and_no_are_even_in_each_house_and_for_each_relation():
    relations = [frozenset({"color"}), frozenset({"material"}), frozenset({"color", "heavier"})]
    houses = [
        [
            [
                draft(f"Is a thing {place} {house} {answer} {k}?", answer, YES_NO, relations[place % 3])
                for answer in ("yes", "no")
                for k in range(2)
            ]
            for place in range(18)
        ]
        for house in range(4)
    ]
    found = chosen(houses)
    for house in found:
        assert abs(sum(each.answer == "yes" for each in house) - 9) <= 1
    for relation in ("color", "material", "heavier"):
        answers = Counter(each.answer for house in found for each in house if relation in each.relations)
        assert abs(answers["yes"] - answers["no"]) <= 4


def test_counts_are_varied():
    places = [[draft(f"How many {n} in {place}?", str(n), COUNT) for n in (1, 2, 3)] for place in range(9)]
    answers = Counter(each.answer for each in chosen([places])[0])
    assert max(answers.values()) <= 4


def test_no_text_is_asked_twice_in_a_house_where_another_will_do():
    places = [[draft("Is it red?", "yes"), draft("Is it blue?", "yes")]] * 2
    texts = [each.text for each in chosen([places])[0]]
    assert len(set(texts)) == 2
