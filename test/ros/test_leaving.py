"""Nodes leave the network when they end or cannot be made, whether or not Python has collected them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import fake_world
import pytest
from rclpy.context import Context
from rclpy.node import Node
from ros_fixtures import SMALL, context_on, eventually, new_domain, parameters, spinning

from vantage.errors import VantageError
from vantage.nodes.evaluator.evaluator_node import EvaluatorNode
from vantage.nodes.planner.planner_node import PlannerNode
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.replay_node import ReplayNode
from vantage.nodes.world.world_node import WorldNode

pytestmark = pytest.mark.real_time

fake_world.register()

MADE: dict[str, Callable[[Context, Path], Node]] = {
    "world": lambda context, out: WorldNode(context, parameters(world="fake", **SMALL)),
    "qa": lambda context, out: QaNode(context, parameters()),
    "planner": lambda context, out: PlannerNode(context, parameters()),
    "evaluator": lambda context, out: EvaluatorNode(context, parameters(out=str(out))),
}
FAILING: dict[str, Callable[[Context, Path], Node]] = {
    "world": lambda context, out: WorldNode(context, parameters(world="fake", camera__width=0)),
    "qa": lambda context, out: QaNode(context, parameters(ask_timeout=0.0)),
    "planner": lambda context, out: PlannerNode(context, parameters(agent__name="serch")),
    "evaluator": lambda context, out: EvaluatorNode(context, parameters(episodes=str(out / "nowhere"))),
    "replay": lambda context, out: ReplayNode(context, parameters(bag=str(out / "nowhere"))),
}


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def looker(uncollected: None) -> Iterator[Node]:
    with context_on() as context:
        node = Node("looker", context=context)
        yield node
        node.destroy_node()


@pytest.mark.parametrize("name", MADE)
def test_a_node_that_ends_is_gone(looker: Node, tmp_path: Path, name: str) -> None:
    with context_on(looker.context.get_domain_id()) as context:
        node = MADE[name](context, tmp_path)
        with spinning(context, node):
            eventually(lambda: f"{name}_node" in looker.get_node_names())
    eventually(lambda: looker.get_node_names() == ["looker"])
    assert node is not None, "not collected"


@pytest.mark.parametrize("name", FAILING)
def test_a_node_that_cannot_be_made_is_not_there(uncollected: None, tmp_path: Path, name: str) -> None:
    domain = new_domain()
    with context_on(domain) as context:
        with pytest.raises(VantageError) as raised:
            FAILING[name](context, tmp_path)
        with context_on(domain) as other:
            looker, witness = Node("looker", context=other), Node("witness", context=context)
            eventually(lambda: "witness" in looker.get_node_names())
            assert sorted(looker.get_node_names()) == ["looker", "witness"]
            looker.destroy_node()
            witness.destroy_node()
    assert raised.value is not None, "its frames still hold the node"
