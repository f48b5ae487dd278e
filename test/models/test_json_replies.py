import json

import pytest
from hypothesis import given, strategies as st

from vantage.errors import UsageError
from vantage.models.json_replies import ReplyFaultError, json_in

BOX = {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 4, "maxItems": 4}
SCHEMA = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "minLength": 1, "maxLength": 20},
        "count": {"type": ["integer", "null"]},
        "box": BOX,
        "color": {"enum": ["red", "blue"]},
        "kind": {"anyOf": [{"const": "thing"}, {"type": "integer"}]},
    },
    "required": ["label"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "text",
    [
        '{"label": "mug"}',
        '```json\n{"label": "mug"}\n```',
        'Here it is: {"label": "mug"} - I hope that {this} helps [1].',
        'First I thought {"label": 3}, but it is {"label": "mug"}.',
        '<think>[it] may {be}</think>{"label": "mug"}',
    ],
)
def test_the_value_is_found_between_words(text):
    assert json_in(text, SCHEMA) == {"label": "mug"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it is empty"),
        ("no idea", "it holds no JSON value"),
        ('{"label": "mug"', "it holds no JSON value"),
        ('{"label": NaN}', "it holds no JSON value"),
        ("[" * 100_000, "it holds no JSON value"),
        ("[1]", "the value is not of type object"),
        ("{}", "the value lacks 'label'"),
        ('{"label": ""}', "'label' has fewer characters than 1"),
        ('{"label": "a", "count": 1.5}', "'count' is not of type"),
        ('{"label": "a", "count": true}', "'count' is not of type"),
        ('{"label": "a", "box": [1, 2, 3]}', "'box' has fewer items than 4"),
        ('{"label": "a", "box": [1, 2, 3, -1]}', r"'box'\[3\] is below 0"),
        ('{"label": "a", "color": "green"}', "'color' is none of"),
        ('{"label": "a", "kind": "ghost"}', "'kind' is none of the kinds allowed"),
        ('{"label": "a", "more": 1}', "has an unknown 'more'"),
    ],
)
def test_faults_are_named(text, fault):
    with pytest.raises(ReplyFaultError, match=fault):
        json_in(text, SCHEMA)


def test_whole_numbers_and_null_pass_where_they_may():
    assert json_in('{"label": "a", "count": 2.0, "box": [0, 1, 2.5, 3], "kind": 7}', SCHEMA)["kind"] == 7
    assert json_in('{"label": "a", "count": null}', SCHEMA)["count"] is None


@pytest.mark.parametrize("part", [{"minimun": 1}, {"$ref": "https://example.org/schema"}])
def test_unknown_keywords_and_references_are_refused_at_any_depth(part):
    with pytest.raises(UsageError, match=f"'\\{min(part)}' is not supported" if "$ref" in part else "mean 'minimum'"):
        json_in("{}", {"properties": {"a": {"items": part}}})


def test_what_is_no_schema_is_refused():
    with pytest.raises(UsageError, match=r"schema is wrong at '\$\.properties\.a\.type'"):
        json_in("{}", {"properties": {"a": {"type": "text"}}})


def test_a_number_that_no_float_holds_is_none():
    with pytest.raises(ReplyFaultError, match="'a' is not of type number"):
        json_in('{"a": 1e999}', {"properties": {"a": {"type": "number"}}})


@given(st.text(max_size=200))
def test_any_text_is_either_a_value_or_a_fault(text):
    try:
        value = json_in(text, SCHEMA)
    except ReplyFaultError:
        return
    assert isinstance(value["label"], str)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=8))
def test_every_value_is_found_again(value):
    assert json_in(json.dumps(value), {}) == value


@pytest.mark.parametrize("text", ["x" + '{"a":' * 300_000, "x" + "{" * 300_000, "x" + '["a", ' * 200, "[1] " * 50_000])
def test_no_reply_is_looked_at_without_end(monkeypatch, text):
    read = []

    class Decoder(json.JSONDecoder):
        """Keeps how much text it was to read."""

        def raw_decode(self, s, idx=0):
            read.append(len(s) - idx)
            return super().raw_decode(s, idx)

    monkeypatch.setattr(json, "JSONDecoder", Decoder)
    with pytest.raises(ReplyFaultError):
        json_in(text, SCHEMA)
    assert len(read) <= 1 + 64
    assert read.count(len(text)) <= 1, "whole, once, unless it is beyond the bounds of JSON"
    assert max(size for size in read if size != len(text)) <= 100_000


def test_a_long_reply_that_is_json_is_taken_whole():
    assert json_in(json.dumps(["x" * 200_000]), {"type": "array"}) == ["x" * 200_000]
