"""What callbacks raise ends no node, over real DDS; services with job queues answer while the node hears the rest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from rclpy.action import ActionClient, CancelResponse, GoalResponse
from rclpy.context import Context
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, spinning
from std_srvs.srv import SetBool, Trigger
from vantage_eqa.action import RunEpisode

from vantage.errors import WorldError
from vantage.nodes.planner.action_server import ThreadedActionServer
from vantage.nodes.runtime.callbacks import callbacks_of, every, on_executor, serve
from vantage.nodes.runtime.diagnostics import Diagnostics, Health
from vantage.nodes.runtime.topics import advertise, listen
from vantage.recording.topics import DIAGNOSTICS, ESTOP

pytestmark = pytest.mark.real_time


@pytest.fixture
def context() -> Iterator[Context]:
    with context_on() as made:
        yield made


def test_a_callback_that_raises_leaves_its_message_out_and_diagnostics_tell(context: Context) -> None:
    node, other, heard, alarms, told = Node("ears", context=context), Node("mouth", context=context), [], [], []

    def hear(message) -> None:
        heard.append(message.data)
        if message.data:
            raise ValueError("nobody\nexpected this")

    listen(node, ESTOP, hear)
    callbacks_of(node).alarm = alarms.append
    Diagnostics(node, lambda: Health(True, "ready"))
    listen(other, DIAGNOSTICS, lambda message: told.extend(message.status))
    publisher = advertise(other, ESTOP)
    kind = publisher.msg_type
    with spinning(context, node), spinning(context, other):
        eventually(lambda: publisher.get_subscription_count() > 0)
        for bad in (False, True, True, False):
            publisher.publish(kind(data=bad))
        eventually(lambda: len(heard) == 4)
        eventually(lambda: told and told[-1].level == told[-1].WARN)
    assert heard == [False, True, True, False]
    assert callbacks_of(node).failures == 2
    assert alarms == ["a message on estop failed and is left out: ValueError: nobody expected this"] * 2
    status = told[-1]
    assert status.message == alarms[0]
    assert {item.key: item.value for item in status.values}["failed callbacks"] == "2"


def test_a_timer_that_raises_goes_on(context: Context) -> None:
    node, ticks = Node("clockwork", context=context), []

    def tick() -> None:
        ticks.append(1)
        raise RuntimeError("tock")

    every(node, 0.01, tick)
    with spinning(context, node):
        eventually(lambda: len(ticks) > 3)


def test_a_timer_of_a_job_queue_that_is_busy_waits_once(context: Context) -> None:
    node, gate, ticks = Node("clockwork", context=context), threading.Event(), []
    job_queue = callbacks_of(node).job_queue("slow")

    def tick() -> None:
        ticks.append(1)
        gate.wait(10.0)

    every(node, 0.01, tick, job_queue)
    beats = []
    every(node, 0.01, lambda: beats.append(1))
    with spinning(context, node):
        eventually(lambda: len(beats) > 20)
        assert len(ticks) == 1
        assert job_queue.waiting("tick") <= 1
        gate.set()


def test_a_service_of_a_job_queue_answers_while_others_are_answered_first(context: Context) -> None:
    node, asker, gate = Node("server", context=context), Node("asker", context=context), threading.Event()

    def slow(request, response):
        response.success = gate.wait(10.0)
        return response

    serve(node, Trigger, "slow", slow, callbacks_of(node).job_queue("slow"))
    serve(node, SetBool, "fast", lambda request, response: SetBool.Response(success=request.data))
    slow_client = asker.create_client(Trigger, "slow")
    with spinning(context, node), spinning(context, asker):
        assert slow_client.wait_for_service(10.0)
        future = slow_client.call_async(Trigger.Request())
        assert call(asker, SetBool, "fast", data=True).success
        assert not future.done()
        gate.set()
        assert eventually(future.done)
        assert future.result().success


@pytest.mark.parametrize("threads", [0, 1])
def test_a_handler_that_raises_is_answered_for(context: Context, threads: int) -> None:
    node, asker = Node("server", context=context), Node("asker", context=context)

    def handler(request, response):
        raise KeyError("lost")

    serve(node, Trigger, "broken", handler, callbacks_of(node).job_queue("work") if threads else None)
    with spinning(context, node), spinning(context, asker):
        for _ in range(2):
            answer = call(asker, Trigger, "broken")
            assert not answer.success
            assert "a request to broken failed and is left out: KeyError: 'lost'" in answer.message
    assert callbacks_of(node).failures == 2


def test_a_service_that_is_gone_when_its_answer_is_ready_ends_nothing(context: Context) -> None:
    node, asker, gate, entered = Node("server", context=context), Node("asker", context=context), *two_events()

    def slow(request, response):
        entered.set()
        gate.wait(10.0)
        return response

    job_queue = callbacks_of(node).job_queue("slow")
    service = serve(node, Trigger, "slow", slow, job_queue)
    serve(node, Trigger, "alive", lambda request, response: Trigger.Response(success=True))
    client = asker.create_client(Trigger, "slow")
    with spinning(context, node), spinning(context, asker):
        assert client.wait_for_service(10.0)
        client.call_async(Trigger.Request())
        assert entered.wait(10.0)
        node.destroy_service(service)
        gate.set()
        assert job_queue.drain(10.0)
        assert call(asker, Trigger, "alive").success
    assert callbacks_of(node).failures == 0


def two_events() -> tuple[threading.Event, threading.Event]:
    return threading.Event(), threading.Event()


def test_functions_run_between_callbacks_and_their_errors_come_back(context: Context) -> None:
    node, spun = Node("spun", context=context), []
    with pytest.raises(WorldError, match="spun is not running"):
        on_executor(node, lambda: 1, 1.0)
    with spinning(context, node):
        every(node, 0.01, lambda: spun.append(threading.get_ident()))
        eventually(lambda: spun)
        assert on_executor(node, threading.get_ident, 10.0) == spun[0]
        with pytest.raises(ZeroDivisionError):
            on_executor(node, lambda: 1 // 0, 10.0)
        entered, gate = two_events()
        blocking = threading.Thread(target=lambda: on_executor(node, lambda: entered.set() or gate.wait(10.0), 20.0))
        blocking.start()
        assert entered.wait(10.0)
        with pytest.raises(WorldError, match="callbacks of spun took longer than 0 s"):
            on_executor(node, lambda: 1, 0.05)
        gate.set()
        blocking.join(10.0)


def goal_server(node: Node, work) -> ThreadedActionServer:
    return ThreadedActionServer(
        node, RunEpisode, "goal", work, lambda request: GoalResponse.ACCEPT, lambda goal: CancelResponse.ACCEPT
    )


def accepted(asker: Node, client: ActionClient) -> Any:
    """The handle of a goal that was sent and taken."""
    sent = on_executor(asker, lambda: client.send_goal_async(RunEpisode.Goal()), 10.0)
    return eventually(lambda: sent.done() and sent.result())


def test_a_goal_runs_beside_the_callbacks_and_is_settled(context: Context) -> None:
    node, asker, (entered, gate) = Node("server", context=context), Node("asker", context=context), two_events()

    def work(goal):
        entered.set()
        gate.wait(10.0)

        def settle(goal):
            goal.canceled() if goal.is_cancel_requested else goal.succeed()
            return RunEpisode.Result(message="done")

        return settle

    server, client = goal_server(node, work), ActionClient(asker, RunEpisode, "goal")
    with spinning(context, node), spinning(context, asker):
        assert client.wait_for_server(10.0)
        for canceled, status in ((False, 4), (True, 5)):  # succeeded, canceled
            entered.clear(), gate.clear()
            handle = accepted(asker, client)
            result = on_executor(asker, handle.get_result_async, 10.0)
            assert entered.wait(10.0)
            if canceled:
                answer = on_executor(asker, handle.cancel_goal_async, 10.0)
                eventually(answer.done)
                assert len(answer.result().goals_canceling) == 1
            assert not result.done()
            gate.set()
            eventually(result.done)
            assert result.result().status == status
            assert result.result().result.message == "done"
        client.destroy(), server.destroy()


def test_a_goal_whose_work_raises_is_aborted_and_the_next_one_runs(context: Context) -> None:
    node, asker, tries = Node("server", context=context), Node("asker", context=context), []

    def work(goal):
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("no way")
        return lambda goal: goal.succeed() or RunEpisode.Result()

    server, client = goal_server(node, work), ActionClient(asker, RunEpisode, "goal")
    with spinning(context, node), spinning(context, asker):
        assert client.wait_for_server(10.0)
        for status in (6, 4):  # aborted, succeeded
            handle = accepted(asker, client)
            result = on_executor(asker, handle.get_result_async, 10.0)
            eventually(result.done)
            assert result.result().status == status
        client.destroy(), server.destroy()
    assert callbacks_of(node).failures == 1
