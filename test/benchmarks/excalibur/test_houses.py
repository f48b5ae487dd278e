"""Houses of the splits: never the same in two of them, and always the same from the same seed."""

from __future__ import annotations

from itertools import combinations

import pytest

from vantage.benchmarks.excalibur.houses import (
    DESIGNED,
    PRACTICE,
    SPLITS,
    TEST,
    TRAIN,
    USUAL_COUNT,
    VAL,
    House,
    houses_of,
    split_size,
)
from vantage.errors import UsageError
from vantage.scenes.checks import check_placement

HAND_MADE = [*houses_of(DESIGNED, None, 0), *houses_of(PRACTICE, None, 0)]


def test_splits_have_the_published_sizes_and_share_no_seed():
    assert {split: split_size(split) for split in (TRAIN, VAL, TEST)} == {TRAIN: 10_000, VAL: 1_000, TEST: 1_000}
    for first, second in combinations(SPLITS.values(), 2):
        assert not set(first) & set(second)
    assert not {house.seed for house in HAND_MADE} & {seed for split in SPLITS.values() for seed in split}


def test_houses_are_drawn_without_repetition_by_the_seed():
    houses = houses_of(TEST, 40, 7)
    assert houses == houses_of(TEST, 40, 7) != houses_of(TEST, 40, 8)
    assert len({house.name for house in houses}) == 40
    assert houses_of(TEST, 10, 7) == houses[:10]
    assert {house.rooms for house in houses} == set(range(3, 9))
    assert {house.rooms for house in houses_of(TRAIN, 5, 0, 2)} == {2}
    assert len(houses_of(VAL, None, 0)) == USUAL_COUNT
    assert len(houses_of(VAL, 1000, 0)) == 1000


def test_the_same_house_has_the_same_bytes_and_others_differ():
    house = House(TRAIN, 3, 1)
    assert repr(house.spec()) == repr(house.spec())
    assert House(TRAIN, 4, 1).spec().objects != house.spec().objects
    assert house.spec().name == house.name == "train_00003"


@pytest.mark.parametrize(
    ("split", "count", "rooms", "told"),
    [
        ("dev", 1, None, "there is no split 'dev'; take one of train, val, test, designed, practice"),
        (TEST, 1001, None, "split 'test' has 1000 houses, not 1001; ask for 1 to 1000"),
        (TEST, 0, None, "split 'test' has 1000 houses, not 0"),
        (TEST, 2, 11, "a house cannot have 11 rooms; give a number from 1 to 10"),
        (PRACTICE, 2, None, "split 'practice' has 1 houses, not 2"),
        (PRACTICE, 1, 3, "leave rooms out"),
    ],
)
def test_impossible_wishes_are_refused_in_a_sentence(split, count, rooms, told):
    with pytest.raises(UsageError, match=told):
        houses_of(split, count, 0, rooms)


@pytest.mark.parametrize("house", HAND_MADE, ids=lambda house: house.name)
def test_designed_houses_are_sound_and_large_enough_to_ask_about(house):
    home = house.spec()
    assert not check_placement(home)
    assert home.name == house.name
    assert len(home.rooms) >= 3
    things = [obj for obj in home.objects if not obj.is_structure]
    assert len(things) >= 50
    assert sum(obj.relation == "in" for obj in things) >= 8
