"""A recorded run played again into QA and evaluator."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import fake_world
import pytest
from fake_set import fake_set
from rclpy.node import Node
from ros_fixtures import context_on, eventually, new_domain, parameters, spinning

from vantage.config import Settings
from vantage.errors import ConfigError, RecordingError
from vantage.nodes.evaluator.evaluator_node import EvaluatorNode
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.replay_node import ReplayNode
from vantage.nodes.runtime.rclpy_messages import interface
from vantage.nodes.runtime.topics import profile
from vantage.recording.bags import read_bag
from vantage.recording.recordings import read_recording
from vantage.recording.topics import DETECTIONS, EPISODE_SCORE, RECORDED, RECORDING_SUMMARY, REPLAYED
from vantage.runs.batch import Job, prepared, run_set

pytestmark = pytest.mark.real_time

fake_world.register()
FULL = {"run.record_raw": True, "run.record_depth": True, "run.record_instances": True}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An episode set and the folder of its bags, recorded in process with all images."""
    folder = tmp_path_factory.mktemp("recorded")
    made = fake_set(folder / "set")
    values = {"agent.name": "random", "camera.width": 96, "camera.height": 72, **FULL}
    job, _ = prepared(
        Job(made.folder, folder / "bags", "fake", "random", Settings().with_values(values, "test"), seed=5)
    )
    list(run_set(job))
    return made.folder, folder / "bags"


def test_a_replay_scores_like_the_run(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    episodes, bags = recorded
    with context_on() as context:
        options = {key.replace(".", "__"): value for key, value in FULL.items()}
        evaluator = EvaluatorNode(context, parameters(episodes=str(episodes), out=str(tmp_path / "again"), **options))
        qa = QaNode(context, parameters())
        replay = ReplayNode(context, parameters(bag=str(bags), rate=5.0))
        scores: list = []
        ears = Node("ears", context=context)
        ears.create_subscription(
            interface(EPISODE_SCORE.type), EPISODE_SCORE.name, scores.append, profile(EPISODE_SCORE)
        )
        with spinning(context, ears, evaluator, qa, replay):
            assert replay.finished.wait(60.0)
            assert replay.failure is None
            eventually(lambda: len(scores) == 2, 20.0)
    for name in ("one", "two"):
        before, after = read_recording(bags / name), read_recording(tmp_path / "again" / name)
        assert after.motions == before.motions
        assert after.visibility == before.visibility
        assert [answer.text for answer in after.answers] == [answer.text for answer in before.answers]
        assert after.dropped == 0
    assert all(score.complete for score in scores)


def test_only_public_topics_are_played_with_their_quality_of_service(recorded: tuple[Path, Path]) -> None:
    domain = new_domain()
    with context_on(domain) as context:
        heard: Counter[str] = Counter()
        ears = Node("ears", context=context)
        for topic in (*RECORDED, EPISODE_SCORE):
            ears.create_subscription(
                interface(topic.type),
                topic.name,
                lambda _, name=topic.name: heard.update([name]),
                profile(topic, depth=100),
            )
        replay = ReplayNode(context, parameters(bag=str(recorded[1] / "one"), rate=20.0))
        with spinning(context, ears, replay):
            assert replay.finished.wait(30.0)
            eventually(lambda: sum(heard.values()) >= replay.played)
            for topic in REPLAYED:
                [info] = ears.get_publishers_info_by_topic(topic.name)
                assert info.qos_profile.durability == profile(topic).durability
                assert info.qos_profile.reliability == profile(topic).reliability
    expected = Counter(topic.name for topic, _, _ in read_bag(recorded[1] / "one", REPLAYED))
    assert heard == expected
    assert heard[DETECTIONS.name] > 0
    for topic in RECORDED:
        if topic.is_truth or topic is RECORDING_SUMMARY:
            assert heard[topic.name] == 0


def test_what_the_qa_node_will_miss_is_said_before_playing(
    recorded: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, kept in (("bare", {}), ("seen", {"run.record_raw": True, "run.record_depth": True})):
        settings = Settings().with_values({"camera.width": 96, "camera.height": 72, **kept}, "test")
        list(run_set(prepared(Job(recorded[0], tmp_path / name, "fake", "random", settings))[0]))
        with context_on(new_domain()) as context:
            replay = ReplayNode(context, parameters(bag=str(tmp_path / name / "one"), rate=50.0))
            with spinning(context, replay):
                assert replay.finished.wait(60.0)
            assert replay.failure is None
    told = capfd.readouterr().err
    places = [told.index(said) for said in ("bare/one\n", "no raw images or depth", "seen/one\n", "no instance ids")]
    assert places == sorted(places)


def test_broken_bags_and_wrong_parameters(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(recorded[1] / "one", broken / "one")
    [data] = (broken / "one").glob("*.mcap")
    data.write_bytes(data.read_bytes()[: data.stat().st_size // 2])
    with context_on() as context:
        replay = ReplayNode(context, parameters(bag=str(broken), rate=100.0))
        with spinning(context, replay):
            assert replay.finished.wait(20.0)
        assert isinstance(replay.failure, RecordingError)
        assert "one is not a readable bag" in str(replay.failure)
        with pytest.raises(ConfigError, match="rate of replay_node must be positive"):
            ReplayNode(context, parameters(bag=str(broken), rate=0.0))
        with pytest.raises(RecordingError, match="there is no folder"):
            ReplayNode(context, parameters(bag=str(tmp_path / "none")))
