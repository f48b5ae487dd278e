"""What others do in the middle of an episode, over real DDS: it ends at once, is named and never scored."""

from __future__ import annotations

import math
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import fake_world
import pytest
from action_msgs.msg import GoalStatus
from fake_set import fake_set
from rclpy.action import ActionClient
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, new_domain, spinning
from std_srvs.srv import Trigger
from vantage_eqa.action import RunEpisode
from vantage_eqa.srv import ResetWorld, ScoreBag

from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.graph import Client, EpisodeOutcome, GraphPlan, bring_up
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import advertise, listen
from vantage.recording.bags import read_bag
from vantage.recording.to_messages import Codec
from vantage.recording.topics import ANSWER, COMMAND_RESULT, EPISODE, Topic
from vantage.reports.scoring import score_bag, score_runs
from vantage.spatial import Viewpoint
from vantage.types import Answer, EpisodeState, Verdict

pytestmark = pytest.mark.real_time

fake_world.register()
CODEC = Codec(RclpyFactory())
LISTENERS = {EPISODE: 2, COMMAND_RESULT: 3, ANSWER: 1}  # the evaluator, QA, the planner, and the stranger itself
HERE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)


class Stranger(Node):
    """Another node on the network: hears results, and publishes and calls what it likes."""

    def __init__(self, context: Any) -> None:
        super().__init__("stranger", context=context)
        self.results: list[Any] = []
        listen(self, COMMAND_RESULT, self.results.append)
        self.told = {topic: advertise(self, topic) for topic in (EPISODE, COMMAND_RESULT, ANSWER)}
        self.goals = ActionClient(self, RunEpisode, "run_episode")

    def destroy_node(self) -> None:
        self.goals.destroy()
        super().destroy_node()

    def meet(self) -> None:
        """Until the evaluator hears this node, and this node hears the world."""
        for topic, publisher in self.told.items():
            eventually(lambda p=publisher, n=LISTENERS[topic]: p.get_subscription_count() >= n, 20.0)
        eventually(lambda: self.count_publishers(COMMAND_RESULT.name) >= 2, 20.0)

    def tell(self, topic: Topic, message: Any) -> None:
        self.told[topic].publish(message)


@dataclass
class Graph:
    """A graph that runs a set, and a stranger beside it."""

    client: Client
    stranger: Stranger
    made: EpisodeSet
    bags: Path

    def disturb(self, meddle: Callable[[], None], after: int = 3, and_cancel: bool = False) -> EpisodeOutcome:
        """Run episode ``one``, with something done to it after some commands, and then perhaps a cancel."""
        started, done = threading.Event(), threading.Event()

        def doing(episode: Any, step: int, text: str) -> None:
            if step >= after:
                started.set()

        def act() -> None:
            if started.wait(60.0):
                meddle()
                done.set()

        meddler = threading.Thread(target=act)
        meddler.start()
        [flown] = self.client.run(self.made.episodes[:1], doing=doing, canceled=lambda: and_cancel and done.is_set())
        started.set()
        meddler.join(60.0)
        return flown


@contextmanager
def graph(folder: Path, steps: int = 60, **more: Any) -> Iterator[Graph]:
    made = fake_set(folder / "set", episodes=2, max_steps=steps)
    changes = {"agent.name": "pacer", "agent.perception": "none", "camera.width": 64, "camera.height": 48, **more}
    settings, domain = Settings().with_values(changes, "test"), new_domain()
    plan = GraphPlan(settings, "fake", folder / "bags", made.folder)
    with bring_up(plan, domain, 0.0) as client, context_on(domain) as context:
        stranger = Stranger(context)
        with spinning(context, stranger):
            stranger.meet()
            yield Graph(client, stranger, made, plan.out)


def forged_result(**changes: Any) -> Any:
    fields = {"episode_id": "one", "source": "planner", "sequence": 2, "action": "yaw+", **changes}
    reached = CODEC.viewpoint(changes.pop("reached", HERE))
    return CODEC.make("vantage_eqa/msg/CommandResult", header=CODEC.header(0), **{**fields, "reached": reached})


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("elsewhere", "the command is for episode 'one', running is 'elsewhere'"),
        ("one", "out of sequence: expected command 1, got"),
    ],
)
def test_a_strangers_reset_in_the_middle_ends_the_episode_at_once_and_by_name(
    tmp_path: Path, name: str, why: str
) -> None:
    with graph(tmp_path, steps=5000) as here:
        episode = replace(here.made.episodes[0], episode_id=name)
        request = CODEC.episode(0, episode, EpisodeState.PENDING)
        flown = here.disturb(lambda: call(here.stranger, ResetWorld, "reset_world", episode=request))
        results = [item for item in here.stranger.results if item.source == "planner" and item.episode_id == "one"]
        assert flown.outcome.state == EpisodeState.FAILED
        assert flown.outcome.reason.startswith("somebody else took over the world before command")
        assert why in flown.outcome.reason
        assert sum(item.status == item.REJECTED for item in results) <= 1, "no command after the refused one"
        assert not flown.complete
        assert flown.remark == "not scored: interference: the world was reset in the middle of the episode"
        asked = call(here.stranger, ScoreBag, "score_bag", path=str(here.bags))
        assert [line.split(": ")[:2] for line in asked.incomplete] == [["one", "interference"]]
        [after] = here.client.run(here.made.episodes[1:], canceled=steps_of(here, 3))
    assert "interference" not in after.remark, "the next episode is undisturbed"
    offline = score_bag(here.bags / "one")
    assert (offline.complete, offline.incomplete_reason) == (False, flown.remark.removeprefix("not scored: "))


def steps_of(here: Graph, count: int) -> Callable[[], bool]:
    """Whether the second episode has done so many steps."""
    return lambda: sum(item.episode_id == "two" for item in here.stranger.results) >= count


FORGED: dict[str, tuple[Callable[[EpisodeSet], tuple[Topic, Any]], str]] = {
    "finished": (
        lambda made: (
            EPISODE,
            CODEC.episode(0, made.episodes[0], EpisodeState.FINISHED, commands_sent=3, answers_given=0),
        ),
        "somebody else than the planner told that the episode was finished",
    ),
    "result": (
        lambda made: (COMMAND_RESULT, forged_result(reached=replace(HERE, x=1.9))),
        "somebody else than the world told what became of a command",
    ),
    "result to come": (
        lambda made: (COMMAND_RESULT, forged_result(sequence=900)),
        "somebody else than the world told what became of a command",
    ),
    "not finite": (
        lambda made: (COMMAND_RESULT, forged_result(reached=replace(HERE, x=math.nan))),
        "somebody else than the world told what became of a command",
    ),
}


@pytest.mark.parametrize("kind", FORGED)
def test_what_a_stranger_tells_of_an_episode_is_named_and_never_scored(tmp_path: Path, kind: str) -> None:
    forge, words = FORGED[kind]
    with graph(tmp_path) as here:
        flown = here.disturb(lambda: here.stranger.tell(*forge(here.made)))
        taken = [
            message.sequence
            for _, _, message in read_bag(here.bags / "one", (COMMAND_RESULT,))
            if message.sequence < 900
        ]
        assert flown.outcome.state == EpisodeState.FINISHED
        assert flown.outcome.steps == 60
        assert taken == list(range(1, 61)), "the bag holds what the world told, to the planner's end"
        assert (flown.complete, flown.remark) == (False, f"not scored: interference: {words}")
    table = score_runs(here.bags)
    assert [score.incomplete_reason for score in table.incomplete] == [f"interference: {words}"]
    assert "nan" not in table.text()


def test_a_strangers_answer_makes_an_episode_invalid(tmp_path: Path) -> None:
    with graph(tmp_path) as here:
        said = CODEC.answer(0, "one", Answer("one-q", "yes", Verdict.ANSWERED, 1.0))
        flown = here.disturb(lambda: here.stranger.tell(ANSWER, said))
    assert flown.outcome.answers == []
    words = "interference: it holds 1 answers, and the planner gave 0"
    assert (flown.complete, flown.remark) == (False, f"not scored: {words}")
    assert score_bag(here.bags / "one").incomplete_reason == words


def test_an_undisturbed_episode_beside_a_stranger_is_scored(tmp_path: Path) -> None:
    with graph(tmp_path, steps=12) as here:
        other = replace(here.made.episodes[1], episode_id="elsewhere")

        def chatter() -> None:
            here.stranger.tell(EPISODE, CODEC.episode(0, other, EpisodeState.FINISHED))
            here.stranger.tell(COMMAND_RESULT, forged_result(episode_id="elsewhere"))
            here.stranger.tell(COMMAND_RESULT, forged_result(source="joystick"))

        flown = here.disturb(chatter)
    assert flown.complete, flown.remark
    assert score_bag(here.bags / "one").steps == flown.outcome.steps == 12


@pytest.mark.parametrize("cleared", ["at once", "afterwards"])
def test_a_stop_in_the_middle_aborts_the_goal_and_the_next_one_works(tmp_path: Path, cleared: str) -> None:
    with graph(tmp_path, steps=5000) as here:
        stranger = here.stranger
        assert stranger.goals.wait_for_server(timeout_sec=10.0)
        for name in ("one", "two"):
            episode = next(item for item in here.made.episodes if item.episode_id == name)
            goal = RunEpisode.Goal(episode=CODEC.episode(0, episode, EpisodeState.PENDING), seed=1)
            sent = stranger.goals.send_goal_async(goal)
            handle = eventually(lambda sent=sent: sent.done() and sent.result())
            assert handle.accepted
            ended = handle.get_result_async()
            eventually(lambda name=name: sum(item.episode_id == name for item in stranger.results) >= 3)
            assert call(stranger, Trigger, "stop").success
            if cleared == "at once":
                assert call(stranger, Trigger, "clear_stop").success
            answer = eventually(lambda ended=ended: ended.done() and ended.result())
            assert answer.status == GoalStatus.STATUS_ABORTED
            assert answer.result.state == EpisodeState.FAILED
            assert answer.result.message.startswith("stopped: stop requested; ")
            assert "\n" not in answer.result.message
            if cleared == "afterwards":
                assert call(stranger, Trigger, "clear_stop").success
    assert score_bag(here.bags / "one").incomplete_reason.startswith("the episode was not finished but failed: stopped")


def test_an_output_folder_that_goes_away_is_told_at_once(tmp_path: Path) -> None:
    with graph(tmp_path, 100_000) as here, pytest.raises(WorldError, match=r"episode 'one' was not recorded: .*bags"):
        here.disturb(lambda: shutil.rmtree(here.bags), and_cancel=True)


def test_a_folder_that_cannot_be_written_ends_the_episode_at_its_beginning(tmp_path: Path) -> None:
    with graph(tmp_path, steps=100_000) as here:
        shutil.rmtree(here.bags)
        here.bags.write_text("a file where a folder is wanted")
        with pytest.raises(WorldError, match=r"episode 'one' was not recorded: cannot write .*bags/one: there is a"):
            list(here.client.run(here.made.episodes[:1]))
        assert max((item.sequence for item in here.stranger.results), default=0) < 5000
        here.bags.unlink()
        [after] = here.client.run(here.made.episodes[1:], canceled=steps_of(here, 3))
    assert after.outcome.state == EpisodeState.CANCELED
    assert (here.bags / "two" / "metadata.yaml").is_file(), "the next one is recorded"


def test_a_full_disk_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "bags").mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(tmp_path / "bags")], check=False)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here; run as root")
    try:
        with (
            graph(tmp_path, steps=100_000, **{"run.record_raw": True}) as here,
            pytest.raises(WorldError, match=r"episode 'one' was not recorded: .*[Nn]o space left|disk is full"),
        ):
            list(here.client.run(here.made.episodes[:1]))
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path / "bags")], check=True)


def test_a_path_that_no_folder_can_have_is_answered(tmp_path: Path) -> None:
    with graph(tmp_path) as here:
        for path in ("x" * 5000, "a/" * 2500, "\u202e\x1b[2J" * 800):
            asked = call(here.stranger, ScoreBag, "score_bag", path=path)
            assert not asked.ok
            assert "cannot be opened" in asked.message or "there is no folder" in asked.message
            assert len(asked.message) < 1000
