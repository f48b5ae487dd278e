"""Replies of models: goals, empty, refused in words or unreadable, strictly or tolerantly read."""

import json

import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.goals import ActionGoal, EdgeGoal, NodeGoal, ReplyForm, read_reply, reply_text

ON, INSIDE, WASH = NodeGoal("lamp", "ON"), EdgeGoal("cup", "INSIDE", "box"), ActionGoal("WASH", "wash it")
SHUT = NodeGoal("box", "Open", False)
KEYED = '{"node goals": [{"name": "lamp", "state": "ON"}], "edge goals": [{"from_name": "cup", "relation": "INSIDE", '
KEYED += '"to_name": "box"}], "action goals": [{"action": "WASH", "description": "wash it"}]}'
WORDED = '{"node goals": [["ON", "lamp"], ["not", ["Open", "box"]]], "edge goals": [["INSIDE", "cup", "box"]]}'
EMPTY = '{"node goals": [], "edge goals": [], "action goals": []}'


@each_row(
    "text, goals, strict",
    [
        (KEYED, (ON, INSIDE, WASH), True),
        (WORDED, (ON, SHUT, INSIDE), True),
        (f"```json\n{KEYED}\n```", (ON, INSIDE, WASH), True),
        (f"<think>maybe {EMPTY}</think>{WORDED}", (ON, SHUT, INSIDE), True),
        (f"The goal {{lamp}} in words: {KEYED} That is all.", (ON, INSIDE, WASH), False),
        (f"First {EMPTY}, no: {WORDED}", (ON, SHUT, INSIDE), False),
        ("{'node goals': [['ON', 'lamp'],], 'edge goals': []}", (ON,), False),
        ('{"Node_Goals": [["ON", "lamp"]]}', (ON,), False),
        ('{"node goals": {"name": "lamp", "state": "ON"}}', (ON,), False),
        ('{"node goals": [["INSIDE", "cup", "box"]]}', (INSIDE,), False),
        ('{"node goals": [["not", "Open", "box"]]}', (SHUT,), False),
        ('{"node goals": [["ON", "lamp"], ["on", "Lamp"]]}', (ON,), True),
        ('{"action goals": ["WASH"]}', (ActionGoal("WASH"),), False),
        ('{"node goals": [["ON", "lamp"]], "note": 1}', (ON,), False),
    ],
)
def test_goals_are_read_in_every_way_of_writing(text, goals, strict):
    found = read_reply(text)
    assert (found.form, found.goals, found.strict, found.unread) == (ReplyForm.GOALS, goals, strict, 0)


@each_row(
    "text, form, refuses",
    [
        (EMPTY, ReplyForm.EMPTY, False),
        (f"There is no lamp. {EMPTY}", ReplyForm.EMPTY, True),
        ("I cannot fulfil this request. There's not enough information about light.", ReplyForm.REFUSED, True),
        ("The washing machine isn't present in the scene.", ReplyForm.REFUSED, True),
        (f"There is no cat, so this cannot be fulfilled. I take the lamp: {WORDED}", ReplyForm.GOALS, True),
        ("Turn on the lamp.", ReplyForm.UNPARSABLE, False),
        ("", ReplyForm.UNPARSABLE, False),
        ("<think>it is not there", ReplyForm.UNPARSABLE, False),
        ("{}", ReplyForm.UNPARSABLE, False),
        ("[1, NaN]", ReplyForm.UNPARSABLE, False),
        ('{"node goals": [{"name": "lamp"}, 3, null, ["a"]]}', ReplyForm.GOALS, False),
        ("{" * 5000, ReplyForm.UNPARSABLE, False),
        ("[" * 100_000, ReplyForm.UNPARSABLE, False),
        ("\ud800\x00", ReplyForm.UNPARSABLE, False),
    ],
)
def test_empty_refused_and_unreadable_replies_differ(text, form, refuses):
    found = read_reply(text)
    assert (found.form, found.refuses) == (form, refuses)


def test_what_is_no_goal_is_counted():
    assert read_reply('{"node goals": [{"name": "lamp"}, 3, null, ["a"], ["ON", "lamp"]]}').unread == 4


@pytest.mark.needs("goals")
def test_broken_json_is_mended():
    found = read_reply('Here: {"node goals": [{"name": "lamp", "state": "ON"}, {"name": "cup')
    assert found.form is ReplyForm.GOALS
    assert ON in found.goals
    assert not found.strict


def test_goals_are_read_back_as_they_are_written():
    for instances, goals in ((False, (ON, INSIDE, WASH)), (True, (ON, SHUT, INSIDE))):
        found = read_reply(reply_text(goals, instances))
        assert (found.goals, found.strict) == (goals, True)
    assert read_reply(reply_text((), True)).form is ReplyForm.EMPTY


@given(
    st.recursive(
        st.none() | st.text(max_size=5) | st.integers(), lambda each: st.lists(each) | st.dictionaries(st.text(), each)
    )
)
def test_any_json_under_the_keys_is_read_without_a_crash(value):
    read_reply(json.dumps({"node goals": value, "edge goals": [value]}))
