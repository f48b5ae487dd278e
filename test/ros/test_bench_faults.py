"""The fault campaign over ROS: random messages of every type, and a graph of processes whose deaths are seen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fake_set import room_set
from rclpy.serialization import deserialize_message, serialize_message
from ros_fixtures import context_on, eventually

from vantage.bench.killed_runs import repeated, small_pictures
from vantage.config import Settings
from vantage.nodes.bench.graph_processes import NODES, graph, restart_nodes
from vantage.nodes.bench.message_flood import random_bytes, random_message
from vantage.nodes.bench.transitions import bench_transitions
from vantage.nodes.runtime.rclpy_messages import interface
from vantage.recording.topics import RECORDED
from vantage.reports.scoring import score_bag

pytestmark = pytest.mark.real_time

TYPES = sorted({topic.type for topic in RECORDED})
SETTINGS = small_pictures(Settings())


@pytest.mark.parametrize("name", [*TYPES, "vantage_eqa/srv/AskQuestion", "vantage_eqa/srv/ResetWorld"])
def test_random_messages_can_be_sent_and_come_again_with_their_seed(name: str) -> None:
    kind = interface(name)
    kind = getattr(kind, "Request", kind)
    for seed in range(20):
        message = random_message(kind, random.Random(seed))
        # Compared in words, because bytes between fields are whatever the memory held, and NaN equals nothing; after
        # one way through the middleware, because a float32 holds fewer digits.
        sent = deserialize_message(serialize_message(message), kind)
        assert repr(deserialize_message(serialize_message(sent), kind)) == repr(sent)
        assert repr(random_message(kind, random.Random(seed))) == repr(message)
        assert len(random_bytes(kind, random.Random(seed))) == len(random_bytes(kind, random.Random(seed)))


def test_random_messages_reach_the_limits_of_their_fields() -> None:
    kind, draw = interface("vantage_eqa/msg/Episode"), random.Random(3)
    made = [random_message(kind, draw) for _ in range(200)]
    assert {0, 255} <= {message.state for message in made}
    assert any(message.start.x != message.start.x for message in made), "NaN"
    assert any(len(message.episode_id) > 500 for message in made)
    assert any(".." in message.episode_id for message in made)


def test_repeated_episodes_have_names_and_gold_data_of_their_own(tmp_path: Path) -> None:
    made = repeated(room_set(tmp_path / "set"), tmp_path / "more", 5)
    names = [episode.episode_id for episode in made.episodes]
    assert len(set(names)) == 5
    assert all(made.goal_image(name).is_file() for name in names)


@pytest.mark.needs("time")
def test_the_graph_tells_who_died_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    episodes = repeated(room_set(tmp_path / "set"), tmp_path / "more", 12).folder
    with context_on() as context:
        monkeypatch.setenv("ROS_DOMAIN_ID", str(context.get_domain_id()))
        with graph(SETTINGS, episodes, "random", tmp_path / "graph", context) as (made, caller):
            assert made.dead() == []
            assert all(caller.answers(node) for node in NODES)
            made.log("qa_node").write_bytes(b"Traceback (most recent call last):\n")
            assert made.tracebacks == 1
            made._processes["evaluator_node"].kill()
            assert eventually(made.dead) == ["evaluator_node"]
            restart_nodes(made, caller, ["evaluator_node"])
            assert caller.answers("evaluator_node")
        found = bench_transitions(SETTINGS, episodes, tmp_path / "transitions", context, 2, 1, lambda text: None)
    assert found["transitions"] == 2
    assert found["managed"] == ["world_node", "qa_node"]
    assert found["made"] + found["refused"] + found["hung"] + found["dead_nodes"] >= 2
    bags = [path for path in (tmp_path / "transitions" / "bags").iterdir() if ".partial" not in path.name]
    assert found["episode_after"] is any(score_bag(bag).complete for bag in bags)
