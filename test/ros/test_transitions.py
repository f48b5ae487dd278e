"""Lifecycle transitions at random moments of calls, commands and episodes, over real DDS: no node dies or goes deaf."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import fake_world
import pytest
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
from rclpy.context import Context
from rclpy.node import Node
from ros_fixtures import SMALL, call, context_on, eventually, parameters, spinning
from std_srvs.srv import Trigger
from vantage_eqa.srv import AskQuestion, CancelQuestion, CheckQuestion, ConfirmCorrection, ResetWorld

from vantage.config import Settings
from vantage.nodes.graph import Client
from vantage.nodes.planner.planner_node import PlannerNode
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.runtime.callbacks import callbacks_of
from vantage.nodes.runtime.lifecycle import ManagedNode
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.running import Spinner
from vantage.nodes.runtime.topics import advertise
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.events import Outcome
from vantage.recording.to_messages import Codec
from vantage.recording.topics import VIEWPOINT_COMMAND
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, EpisodeState

pytestmark = pytest.mark.real_time

fake_world.register()
CODEC = Codec(RclpyFactory())
TRANSITIONS = 200
SOON = 20.0  # s

# From where which transition leads where.
LADDER = {
    State.PRIMARY_STATE_UNCONFIGURED: (Transition.TRANSITION_CONFIGURE,),
    State.PRIMARY_STATE_INACTIVE: (Transition.TRANSITION_ACTIVATE, Transition.TRANSITION_CLEANUP),
    State.PRIMARY_STATE_ACTIVE: (Transition.TRANSITION_DEACTIVATE,),
}


@pytest.fixture
def context() -> Iterator[Context]:
    with context_on() as made:
        yield made


class Manager(Node):
    """Moves one node through its states."""

    def __init__(self, context: Context, managed: str) -> None:
        super().__init__("manager", context=context)
        self._change = self.create_client(ChangeState, f"{managed}/change_state")
        self._look = self.create_client(GetState, f"{managed}/get_state")

    def meet(self) -> None:
        assert self._change.wait_for_service(SOON)
        assert self._look.wait_for_service(SOON)

    @property
    def state(self) -> int:
        future = self._look.call_async(GetState.Request())
        return int(eventually(lambda: future.done() and future.result(), SOON).current_state.id)

    def change(self, transition: int) -> bool:
        future = self._change.call_async(ChangeState.Request(transition=Transition(id=transition)))
        return bool(eventually(lambda: future.done() and future.result(), SOON).success)

    def bring_up(self) -> None:
        while (state := self.state) != State.PRIMARY_STATE_ACTIVE:
            assert self.change(LADDER[state][0])


@contextmanager
def bothered(*callers: Any) -> Iterator[None]:
    """Each caller is called again and again in a thread of its own until the block ends."""
    over = threading.Event()

    def bother(caller: Any) -> None:
        while not over.is_set():
            caller()

    with ThreadPoolExecutor(len(callers)) as pool:
        futures = [pool.submit(bother, caller) for caller in callers]
        try:
            yield
        finally:
            over.set()
        for future in futures:
            future.result(SOON)


def caller_of(node: Node, kind: Any, name: str, **request: Any) -> Any:
    """Calls a service without minding whether it is there or answers."""
    client = node.create_client(kind, name)

    def ask() -> None:
        if client.service_is_ready():
            future = client.call_async(kind.Request(**request))
            threading.Event().wait(random.uniform(0.0, 0.02))
            client.remove_pending_request(future)
        else:
            threading.Event().wait(0.005)

    return ask


def wander(manager: Manager, times: int, seed: int) -> None:
    """So many transitions, one after another at random moments; each that is possible must succeed."""
    lots = random.Random(seed)
    for _ in range(times):
        threading.Event().wait(lots.uniform(0.0, 0.03))
        state = manager.state
        assert manager.change(lots.choice(LADDER[state])), f"from state {state}"


def test_the_world_outlives_transitions_in_the_middle_of_everything(context: Context) -> None:
    node = WorldNode(context, parameters(world="fake", run__rate_hz=50.0, **SMALL))
    manager, stranger = Manager(context, "world_node"), Node("stranger", context=context)
    commands = advertise(stranger, VIEWPOINT_COMMAND)
    episode = CODEC.episode(0, fake_world.fake_episode(), EpisodeState.PENDING)
    number = [0]

    def command() -> None:
        number[0] += 1
        sent = Command(Viewpoint(0.1, 0, 1, 0, 0), episode_id="episode-1", source="test", sequence=number[0])
        commands.publish(CODEC.viewpoint_command(0, sent))
        threading.Event().wait(0.005)

    with spinning(context, node), spinning(context, manager, stranger):
        manager.meet()
        callers = [
            caller_of(stranger, ResetWorld, "reset_world", episode=episode, seed=1),
            *(caller_of(stranger, Trigger, name) for name in ("stop", "clear_stop", "confirm_motion")),
            command,
        ]
        with bothered(*callers):
            wander(manager, TRANSITIONS, 1)
        manager.bring_up()
        assert eventually(lambda: call(stranger, Trigger, "clear_stop").success)
        assert call(stranger, ResetWorld, "reset_world", episode=episode, seed=1).ok
    assert callbacks_of(node).failures == 0


def test_the_question_answerer_outlives_transitions_in_the_middle_of_everything(context: Context) -> None:
    world = WorldNode(context, parameters(world="fake", run__rate_hz=50.0, **SMALL))
    node, manager = QaNode(context), Manager(context, "qa_node")
    stranger = Node("stranger", context=context)
    episode = CODEC.episode(0, fake_world.fake_episode(), EpisodeState.PENDING)
    asked = {"question_id": "q", "question": "What color is the cup?"}
    with spinning(context, world), spinning(context, node), spinning(context, manager, stranger):
        manager.meet()
        assert call(stranger, ResetWorld, "reset_world", episode=episode, seed=1).ok
        callers = [
            caller_of(stranger, AskQuestion, "ask_question", **asked),
            caller_of(stranger, CheckQuestion, "check_question", **asked),
            caller_of(stranger, ConfirmCorrection, "confirm_correction", question_id="q", accept=True),
            caller_of(stranger, CancelQuestion, "cancel_question"),
        ]
        with bothered(*callers):
            wander(manager, TRANSITIONS, 2)
        manager.bring_up()
        assert call(stranger, AskQuestion, "ask_question", **asked).ok
    assert callbacks_of(node).failures == 0


def test_what_is_under_way_ends_before_a_node_pauses(context: Context) -> None:
    node, manager = WorldNode(context, parameters(world="fake", **SMALL)), Manager(context, "world_node")
    asker = Node("asker", context=context)
    commands = advertise(asker, VIEWPOINT_COMMAND)
    episode = CODEC.episode(0, fake_world.fake_episode(), EpisodeState.PENDING)
    slow = Command(Viewpoint(0.1, 0, 1, 0, 0), fake_world.SLOW, episode_id="episode-1", source="test", sequence=1)
    with spinning(context, node), spinning(context, manager, asker):
        manager.meet()
        assert call(asker, ResetWorld, "reset_world", episode=episode, seed=1).ok
        eventually(lambda: commands.get_subscription_count() > 0)
        commands.publish(CODEC.viewpoint_command(0, slow))
        eventually(lambda: node._job_queue.busy and not node._job_queue.waiting("commands of test"))
        with ThreadPoolExecutor(1) as pool:
            pausing = pool.submit(manager.change, Transition.TRANSITION_DEACTIVATE)
            assert call(asker, Trigger, "stop").success, "a stop is heard while a transition waits"
            assert pausing.result(SOON)
        assert manager.state == State.PRIMARY_STATE_INACTIVE


def test_an_impossible_transition_is_refused_and_stops_nothing(context: Context) -> None:
    node, manager = WorldNode(context, parameters(world="fake", **SMALL)), Manager(context, "world_node")
    with spinning(context, node), spinning(context, manager):
        manager.meet()
        assert not manager.change(Transition.TRANSITION_CONFIGURE)
        assert not manager.change(99)
        assert manager.state == State.PRIMARY_STATE_ACTIVE
    assert callbacks_of(node).failures == 0


@pytest.mark.parametrize("transition", [Transition.TRANSITION_DEACTIVATE])
def test_an_episode_fails_in_a_sentence_when_its_world_pauses_and_the_next_one_runs(
    context: Context, transition: int
) -> None:
    settings = Settings().with_values({"agent.name": "pacer", "run.step_timeout": 2.0}, "test")
    world: ManagedNode = WorldNode(context, parameters(world="fake", **SMALL))
    planner = PlannerNode(context, parameters(agent__name="pacer", run__step_timeout=2.0))
    manager, steps = Manager(context, "world_node"), []
    episodes = [fake_world.fake_episode(name, max_steps=limit) for name, limit in (("endless", 10_000), ("short", 5))]
    client = Client(context, settings)
    with spinning(context, world), spinning(context, planner), spinning(context, manager):
        manager.meet()
        with ThreadPoolExecutor(1) as pool:

            def run(episode: Episode) -> Outcome:
                return client._run_one(episode, 1, lambda: False, lambda _, step, doing: steps.append(step))

            flight = pool.submit(run, episodes[0])
            eventually(lambda: len(steps) > 3)
            assert manager.change(transition)
            outcome = flight.result(SOON)
            assert outcome.state == EpisodeState.FAILED
            assert "not active" in outcome.reason
            manager.bring_up()
            assert pool.submit(run, episodes[1]).result(SOON).state == EpisodeState.FINISHED
        client.close()


@pytest.mark.parametrize("ahead", [1, 2])
def test_a_manager_may_be_faster_than_autostart(context: Context, ahead: int) -> None:
    node, manager = WorldNode(context, parameters(world="fake", **SMALL)), Manager(context, "world_node")
    spinner, other = Spinner([node], context), Spinner([manager], context)
    try:
        manager.meet()
        for transition in (Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE)[:ahead]:
            assert manager.change(transition)
        node.start()
        assert manager.state == State.PRIMARY_STATE_ACTIVE
    finally:
        node.halt()
        spinner.close()
        other.close()


def test_an_episode_that_waits_for_its_world_is_canceled_at_once_and_a_new_world_is_understood(
    context: Context,
) -> None:
    settings = Settings().with_values({"agent.name": "pacer"}, "test")
    world = WorldNode(context, parameters(world="fake", run__rate_hz=50.0, **SMALL))
    planner = PlannerNode(context, parameters(agent__name="pacer"))
    manager, cancel, client = Manager(context, "world_node"), threading.Event(), Client(context, settings)
    episode, short = (fake_world.fake_episode(name, max_steps=5) for name in ("waits", "short"))

    def run(episode: Episode, canceled: Callable[[], bool] = lambda: False) -> Outcome:
        return client._run_one(episode, 1, canceled, lambda *_: None)

    with spinning(context, world), spinning(context, planner), spinning(context, manager):
        manager.meet()
        for _ in range(5):  # each reset tells a legend with a later stamp
            assert run(short).state == EpisodeState.FINISHED
        assert manager.change(Transition.TRANSITION_DEACTIVATE)
        assert manager.change(Transition.TRANSITION_CLEANUP)
        with ThreadPoolExecutor(1) as pool:
            flight = pool.submit(run, episode, cancel.is_set)
            eventually(lambda: planner._action.busy)
            cancel.set()
            assert flight.result(SOON).state == EpisodeState.CANCELED
            assert manager.change(Transition.TRANSITION_CONFIGURE)
            assert manager.change(Transition.TRANSITION_ACTIVATE)
            assert pool.submit(run, short).result(SOON).state == EpisodeState.FINISHED
        client.close()
