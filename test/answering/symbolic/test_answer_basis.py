"""Which objects one look has to show for an answer to be read off it."""

import pytest
from two_rooms import BED, MUG, SMALL, TABLE, assess, obj, with_more

MUGS = with_more(obj(30, "mug", (1.5, 1.5, 0.75), SMALL, 10, color="red", material="ceramic", shape="cylindrical"))
BOOK = "unique(filter(scene(), 'label', 'book'))"
BLUE, RED = (f"unique(filter({MUG}, 'color', '{color}'))" for color in ("blue", "red"))


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        (f"query({BLUE}, 'material')", [20]),
        (f"query(unique(filter(relate({MUG}, 'on', {TABLE}), 'color', 'red')), 'shape')", [30]),
        (f"query({BLUE}, 'place')", [20]),
        (f"query({BLUE}, 'room')", [20]),
        (f"query(unique({MUG}), 'room')", [20, 30]),
        (f"query(unique(relate({MUG}, 'on', {BED})), 'color')", [20, 30]),  # those that are on the table
        (f"verify({RED}, 'material', 'glass')", [30]),
        (f"exist(relate({MUG}, 'next to', {BOOK}))", [30, 21]),
        (f"exist(relate({MUG}, 'on', {TABLE}))", [20]),
        (f"count(relate({MUG}, 'on', {TABLE}))", [20, 30]),
        (f"count(relate({MUG}, 'next to', {BOOK}))", [30, 21]),
        (f"count(same({BLUE}, 'shape'))", [30, 20]),
        (f"compare_attribute('color', {BLUE}, {RED})", [20, 30]),
        (f"compare_quantity('volume', {BOOK}, {BED}, False)", [21, 11]),
        (f"compare_number('more', {MUG}, filter(scene(), 'label', 'book'))", [20, 30, 21]),
        (f"verify_relation({BLUE}, 'on', {TABLE})", [20, 10]),
        (f"query(most(relate(scene(), 'on', {TABLE}), 'height', False), 'label')", [20, 21, 30]),
        ("query(unique(rooms()), 'label')", []),  # no single look shows a room
    ],
)
def test_what_is_asked_about_is_shown_and_not_what_only_says_which_is_meant(program, shown):
    found = assess(program, graph=MUGS)
    assert [each.instance_id for each in found.rests_on if not each.among] == shown, found.text
    assert not any(each.top for each in found.rests_on)


@pytest.mark.parametrize("program", ["exist({})", "query(unique({}), 'color')", "count({})"])
def test_of_a_place_where_nothing_is_all_of_the_top_is_shown(program):
    found = assess(program.format(f"relate(filter(scene(), 'label', 'guitar'), 'on', {TABLE})"))
    assert [(each.instance_id, each.top) for each in found.rests_on] == [(10, True)], found.text


@pytest.mark.parametrize(
    ("program", "attribute"),
    [
        (f"query(unique({MUG}), 'state')", "state"),
        (f"query(unique({MUG}), 'text')", "text"),
        (f"query(unique(filter({MUG}, 'text', 'TEA')), 'color')", "text"),
        (f"exist({MUG})", ""),
    ],
)
def test_it_is_told_what_of_it_has_to_be_made_out(program, attribute):
    assert [(each.instance_id, each.attribute) for each in assess(program).rests_on] == [(20, attribute)]


@pytest.mark.parametrize(
    ("program", "places"),
    [
        (f"count(relate({MUG}, 'on', {TABLE}))", [10]),
        (f"query(most(relate(scene(), 'on', {TABLE}), 'height', False), 'label')", [10]),
        (f"count(relate({MUG}, 'next to', {BOOK}))", []),
        (f"query({BLUE}, 'material')", []),
    ],
)
def test_the_place_is_shown_where_things_on_it_are_counted_or_compared(program, places):
    found = assess(program, graph=MUGS)
    assert [each.instance_id for each in found.rests_on if each.among] == places, found.text
