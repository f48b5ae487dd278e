"""Programs as lists of steps: read, checked, and refused in one sentence."""

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.questions import PROGRAM_SCHEMA, program_from_steps, signatures
from vantage.questions.programs import program_text


def step(name, inputs=(), values=()):
    return {"step": name, "inputs": list(inputs), "values": list(values)}


MUGS = [step("scene"), step("filter", [0], ["label", "mug"])]
TABLE = [step("scene"), step("filter", [2], ["label", "table"]), step("unique", [3])]


@each_row(
    "steps, program",
    [
        ([*MUGS, step("count", [1])], "count(filter(scene(), 'label', 'mug'))"),
        (
            [*MUGS, *TABLE, step("relate", [1, 4], ["on"]), step("exist", [5])],
            "exist(relate(filter(scene(), 'label', 'mug'), 'on', unique(filter(scene(), 'label', 'table'))))",
        ),
        (
            [*MUGS, step("most", [1], ["size", "yes"]), step("query", [2], ["color"])],
            "query(most(filter(scene(), 'label', 'mug'), 'size', True), 'color')",
        ),
    ],
)
def test_a_list_is_a_program(steps, program):
    assert program_text(program_from_steps(steps)) == program


@each_row(
    "steps, fault",
    [
        ([], "has no steps"),
        ([step("scene"), step("fly", [0])], "step 1 of the program is the unknown 'fly'"),
        ([step("scene"), step("fliter", [0], ["label", "mug"])], "did you mean 'filter'"),
        ([step("filter", [0], ["label", "mug"])], "goes on from step 0, which is not before it"),
        ([step("scene"), step("filter", [0], ["label"])], "lacks its 'value'"),
        ([step("scene"), step("filter", [0], ["taste", "sweet"])], "'attribute' of the step 'filter' is 'taste'"),
        ([step("scene"), step("count", [0, 0])], "has more inputs or values than it takes"),
        ([step("scene"), step("unique", [0]), step("count", [1])], "must be one of"),
        ([step("scene")], "gives no answer"),
    ],
)
def test_what_is_no_program_is_refused_in_one_sentence(steps, fault):
    with pytest.raises(FormatError) as refused:
        program_from_steps(steps)
    assert fault in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_step_has_a_signature_and_the_schema_is_closed():
    assert "relate(inputs: objects, anchor, [viewer]; values: relation)" in signatures()
    assert PROGRAM_SCHEMA["additionalProperties"] is False
