"""Temporal logic on finite traces, as text."""

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.goals import atoms, read_formula


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
