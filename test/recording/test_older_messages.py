"""Messages of types that had other fields are read as if they had been recorded today."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rosbags.interfaces import MessageDefinition, MessageDefinitionFormat
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from vantage.recording.bags import BAD_BAG
from vantage.recording.older_messages import renewal

INNER = "pkg/msg/Inner"
OUTER = "pkg/msg/Outer"


def store(inner: str, outer: str) -> Typestore:
    made = get_typestore(Stores.EMPTY)
    made.register({**get_types_from_msg(inner, INNER), **get_types_from_msg(outer, OUTER)})
    return made


def connection(older: Typestore, **changes: Any) -> Any:
    definition, digest = older.generate_msgdef(OUTER, ros_version=2)[0], older.hash_rihs01(OUTER)
    given = {"msgtype": OUTER, "digest": digest, "msgdef": MessageDefinition(MessageDefinitionFormat.MSG, definition)}
    return SimpleNamespace(**{**given, **changes})


THEN = store("int32 number\nstring gone", "pkg/Inner one\npkg/Inner[] many\nfloat64[] values")
NOW = store(
    "int32 number\nbool new",
    "pkg/Inner one\npkg/Inner[] many\nfloat64[] values\nstring text\nfloat64[3] three\npkg/Inner added\nstring[] words",
)


def test_new_fields_are_empty_and_old_ones_go() -> None:
    inner, outer = THEN.types[INNER], THEN.types[OUTER]
    old = outer(one=inner(3, "x"), many=[inner(4, "y"), inner(5, "z")], values=np.array([1.5, 2.5]))
    renewed = renewal(connection(THEN), NOW)
    assert renewed is not None
    new: Any = NOW.deserialize_cdr(renewed(bytes(THEN.serialize_cdr(old, OUTER))), OUTER)
    assert (new.one.number, new.one.new) == (3, False)
    assert [item.number for item in new.many] == [4, 5]
    assert new.values.tolist() == [1.5, 2.5]
    assert (new.text, new.three.tolist(), new.added.number, new.words) == ("", [0.0, 0.0, 0.0], 0, [])


def test_what_is_as_today_is_left_alone() -> None:
    assert renewal(connection(NOW), NOW) is None
    assert renewal(connection(THEN, digest=""), NOW) is None
    assert renewal(connection(THEN, msgtype="pkg/msg/Unknown"), NOW) is None


def test_a_definition_that_cannot_be_read_is_told() -> None:
    broken = MessageDefinition(MessageDefinitionFormat.MSG, "int32 = ]")
    with pytest.raises(ValueError, match=r"the definition of pkg/msg/Outer cannot be read"):
        renewal(connection(THEN, msgdef=broken), NOW)


@pytest.mark.parametrize("definition", ["", "uint8", "uint8 status\nNowhere reached", "\x00", "float64 one"])
def test_a_definition_that_is_none_makes_a_bad_bag(definition: str) -> None:
    wrong = MessageDefinition(MessageDefinitionFormat.MSG, definition)
    with pytest.raises(BAD_BAG, match=r"definition|mismatch|deserialize|older"):
        renewed = renewal(connection(THEN, msgdef=wrong), NOW)
        assert renewed is not None
        renewed(b"\x00\x01\x00\x00" + b"\x07" * 8)
