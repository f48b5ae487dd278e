"""What a scene graph says of where things are."""

from __future__ import annotations

from dataclasses import replace

from hand_made import hand_made
from row_tables import each_row

from vantage.questions.generation.facts import Facts


@each_row(
    "label, bottom, relation, is_on",
    [
        ("table", 0.75, "on", True),
        ("table", 0.2, "on", False),  # on the board below the top: some would say under the table
        ("table", 0.2, "in", True),  # in a drawer
        ("bookshelf", 0.2, "on", True),  # which is all boards
    ],
)
def test_what_lies_on_the_lower_board_of_a_table_is_not_said_to_be_on_it(
    label: str, bottom: float, relation: str, is_on: bool
) -> None:
    graph = hand_made()
    table, vase = replace(graph.node(10), label=label), graph.node(22)
    (x, y, _), (far_x, far_y, _) = vase.bounds_min, vase.bounds_max
    vase = replace(vase, bounds_min=(x, y, bottom), bounds_max=(far_x, far_y, bottom + 0.1), relation=relation)
    changed = {10: table, 22: vase}
    facts = Facts(replace(graph, nodes=tuple(changed.get(node.instance_id, node) for node in graph.nodes)))
    assert (facts.support(vase) is not None) == is_on
    assert (vase in facts.objects) == is_on
