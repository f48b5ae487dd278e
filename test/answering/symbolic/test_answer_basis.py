"""Which objects one look has to show for an answer to be read off it."""

import pytest
from two_rooms import BED, MUG, SMALL, TABLE, assess, obj, with_more

from vantage.types import Verdict

MUGS = with_more(obj(30, "mug", (1.5, 1.5, 0.75), SMALL, 10, color="red", material="ceramic", shape="cylindrical"))
BOOK = "unique(filter(scene(), 'label', 'book'))"
BLUE, RED = (f"unique(filter({MUG}, 'color', '{color}'))" for color in ("blue", "red"))


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        (f"query({BLUE}, 'material')", [20]),
        (f"query(unique(relate({MUG}, 'on', {BED})), 'color')", []),
        (f"query(unique(filter(relate({MUG}, 'on', {TABLE}), 'color', 'red')), 'shape')", [30]),
        (f"query({BLUE}, 'place')", [20]),
        (f"query({BLUE}, 'room')", [20]),
        (f"verify({RED}, 'material', 'glass')", [30]),
        (f"query({BLUE}, 'size')", [20, 30]),
        (f"exist(relate({MUG}, 'on', {TABLE}))", None),
        (f"exist(relate({MUG}, 'near', {BOOK}))", None),
        (f"count(relate({MUG}, 'on', {TABLE}))", [20, 30]),
        (f"count(relate({MUG}, 'near', {BOOK}))", [20, 30, 21]),
        (f"compare_attribute('color', {BLUE}, {RED})", [20, 30]),
        (f"verify_relation({BLUE}, 'on', {TABLE})", [20, 10]),
        (f"query(most(relate(scene(), 'on', {TABLE}), 'height', 'false'), 'label')", None),
    ],
)
def test_what_is_asked_about_is_shown_and_not_what_only_says_which_is_meant(program, shown):
    found = assess(program, graph=MUGS)
    keys = [each.instance_id for each in found.rests_on]
    if shown is None:
        print(program, found.verdict, found.text, keys)
        return
    assert keys == shown, found.text
