"""JSON that would become large, or deeper than Python goes, is refused by its text; all other is read as ever."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage import bounded_json as bounds
from vantage.bounded_json import MOST_DEPTH, bounded_json, check_json
from vantage.models.json_replies import ReplyFaultError, json_in

MARKS = st.text(alphabet='"[]{},:\\ aé\u2028', max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | MARKS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(MARKS, inner, max_size=4),
    max_leaves=20,
)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def values(value: Any) -> int:
    """Lists and objects, and the commas between what is in them."""
    inner = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(len(inner) - 1, 0) + sum(map(values, inner))


@given(VALUES, st.booleans(), st.sampled_from([1, 2, 3, 1000]))
def test_depth_and_values_are_counted_as_they_are_whatever_texts_hold_and_pieces_cut(
    value: Any, plain: bool, piece: int
) -> None:
    text = json.dumps(value, ensure_ascii=plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "_PIECE", piece)
        for name, count in (("MOST_DEPTH", depth(value)), ("MOST_VALUES", values(value))):
            with pytest.MonkeyPatch.context() as bound:
                bound.setattr(bounds, name, count)
                assert bounded_json(text) == value
                if count:
                    bound.setattr(bounds, name, count - 1)
                    with pytest.raises(ValueError, match=r"levels|values"):
                        check_json(text)


@each_row(
    "text",
    [
        "[" * 1_000_000,
        '{"a":' * 100_000,
        "[[]," * 1_000_000,
        "[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1),
        '["' + "\\\\" * 1_000_000 + '"' + ", [" * 200,
        "[" + "{}," * 5_000_000 + "0]",
        b"[" * 1_000_000,
    ],
)
def test_bombs_are_refused_at_once(text: str | bytes) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError, match=r"nested too deeply|more than 4000000 values"):
        bounded_json(text)
    assert time.process_time() - begun < 5.0


def test_brackets_in_texts_are_no_lists() -> None:
    assert bounded_json(json.dumps("[" * 10_000)) == "[" * 10_000
    assert bounded_json(json.dumps(['\\"[' * 500])) == ['\\"[' * 500]


def test_a_reply_that_is_nested_too_deeply_holds_no_value_whatever_stands_around_it() -> None:
    deep = '{"a":' * 300 + "1" + "}" * 300
    for reply in (deep, f"Here it is: {deep}."):
        with pytest.raises(ReplyFaultError):
            json_in(reply, {"type": "object", "required": ["b"]})
