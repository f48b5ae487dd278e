"""Temporal logic on finite traces: reading, writing, and when a formula holds."""

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.goals import atoms, holds, read_formula, written

OFF, ON = {("OFF", "lamp.1")}, {("ON", "lamp.1")}
GRAB, OPEN = {("GRAB", "cup.2")}, {("OPEN", "door.3"), ("ON", "lamp.1")}


@each_row(
    "text, trace, expected",
    [
        ("ON(lamp.1)", [OFF, ON], True),
        ("ON(lamp.1)", [OFF, ON, OFF], True),
        ("ON(lamp.1)", [], False),
        ("ON(lamp.1) and OPEN(door.3)", [ON, {("OPEN", "door.3")}], False),
        ("ON(lamp.1) and OPEN(door.3)", [OFF, OPEN], True),
        ("ON(lamp.1) then GRAB(cup.2)", [GRAB, ON], False),
        ("ON(lamp.1) then GRAB(cup.2)", [ON, GRAB], True),
        ("ON(lamp.1) then ON(lamp.1)", [ON], False),
        ("exists x. (GRAB(x) or TOUCH(x))", [OFF, GRAB], True),
        ("exists x. (TOUCH(x)) then ON(lamp.1)", [OFF, GRAB, ON], False),
        ("forall x. (ON(x))", [ON, OFF], True),
        ("forall x. (ON(x))", [OPEN], False),
        ("not ON(lamp.1)", [ON], False),
        ("not ON(lamp.1)", [ON, OFF], True),
        ("not (ON(lamp.1) then OFF(lamp.1))", [OFF, ON], True),
        ("exists x. (ON(x) then OPEN(x))", [ON, {("OPEN", "lamp.1")}], True),
        ("(ON(lamp.1) then GRAB(cup.2)) or OPEN(door.3)", [OPEN], True),
        ("Toggled_On(fan.1)", [{("ToggledOn", "fan.1")}], True),
    ],
)
def test_a_formula_holds_of_a_trace(text, trace, expected):
    assert holds(read_formula(text), trace) is expected
    assert read_formula(written(read_formula(text))) == read_formula(text)


def test_then_joins_loosest_and_atoms_are_told_in_order():
    formula = read_formula("A(x) and B(y) or C(z) then D(w)")
    assert formula.kind == "then"
    assert formula.parts[0].kind == "or"
    assert [atom.name for atom in atoms(formula)] == ["A", "B", "C", "D"]


@each_row(
    "text",
    [
        "",
        "ON(",
        "ON(lamp",
        "ON lamp",
        "and ON(x)",
        "ON(x) and",
        "ON(x))",
        "ON(x y)",
        "exists x (ON(x))",
        "%",
        "(" * 500,
    ],
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(FormatError, match="formula"):
        read_formula(text)
