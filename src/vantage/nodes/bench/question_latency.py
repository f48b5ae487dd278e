"""Latency of a question over ROS, against a bare rclpy service with the same message; and of many at once."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from rclpy.qos import QoSProfile
from vantage_eqa.srv import AskQuestion

from vantage.bench import Times, measure, measure_live, restamped
from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.qa import GROUPS, QaNode
from vantage.nodes.runtime import (
    RclpyFactory,
    Spinner,
    advertise,
    halt,
    listen,
    overrides,
    refuse_taken_names,
    ros_context,
    start,
)
from vantage.recording import (
    CAMERA_INFO,
    DEPTH,
    DETECTIONS,
    EPISODE,
    IMAGE,
    INSTANCES,
    LEGEND,
    TF,
    TF_STATIC,
    Codec,
    publish_observation,
    read_stamp,
)
from vantage.types import Episode, EpisodeState, Observation

_PATIENCE = 30.0  # s for one answer or one view
_PARTS = (IMAGE, CAMERA_INFO, DEPTH, INSTANCES, TF)
_MOST = 256  # requests on their way


class ViewPublisher(Node):
    """Publishes views for the QA node and asks it questions."""

    def __init__(self, context: Context) -> None:
        super().__init__("bench_feeder", context=context)
        self._codec = Codec(RclpyFactory())
        self._out = {topic: advertise(self, topic) for topic in (*_PARTS, LEGEND, EPISODE, TF_STATIC)}
        self._seen: set[int] = set()
        self._changed = threading.Condition()
        self._client = self.create_client(AskQuestion, "ask_question", qos_profile=QoSProfile(depth=_MOST))
        listen(self, DETECTIONS, self._on_seen)

    def await_graph(self) -> None:
        """
        Raises:
            WorldError: the QA node is not heard of in time.
        """
        ends = time.monotonic() + _PATIENCE
        while not (
            self._client.service_is_ready()
            and all(self._out[topic].get_subscription_count() for topic in self._out)
            and self.count_publishers(DETECTIONS.name)
        ):
            if time.monotonic() > ends:
                raise WorldError(f"qa_node was not heard of within {_PATIENCE:.0f} s; run the bench again")
            time.sleep(0.05)

    def tell_legend(self, view: Observation) -> None:
        """What the ids of all views stand for."""
        if view.legend is not None:
            self._out[LEGEND].publish(self._codec.legend(view.stamp, "bench", view.legend))
            time.sleep(0.5)

    def tell_episode(self, episode: Episode, state: EpisodeState, stamp: int) -> None:
        """Where an episode is; one that begins to run comes with a reset of the world at this stamp, ns."""
        if state is EpisodeState.RUNNING:
            self._out[TF_STATIC].publish(self._codec.static_transforms(stamp))
        self._out[EPISODE].publish(self._codec.episode(stamp, episode, state))

    def show(self, view: Observation) -> None:
        """Until the node has looked at it.

        Raises:
            WorldError: it did not in time.
        """
        publish_observation(
            self._codec,
            lambda topic, stamp, message: self._out[topic].publish(message),
            view,
            lambda topic: topic in _PARTS,
        )
        with self._changed:
            if not self._changed.wait_for(lambda: view.stamp in self._seen, _PATIENCE):
                raise WorldError(f"qa_node did not look at a view within {_PATIENCE:.0f} s; run the bench again")
            self._seen.clear()

    def ask(self, texts: Sequence[str]) -> list[Any]:
        """Ask all at once; None for each that got no answer in time."""
        left, done = threading.Semaphore(0), []
        for text in texts:
            future = self._client.call_async(AskQuestion.Request(question_id="q", question=text))
            future.add_done_callback(lambda _: left.release())
            done.append(future)
        ends = time.monotonic() + _PATIENCE
        for _ in texts:
            left.acquire(timeout=max(0.0, ends - time.monotonic()))
        return [future.result() if future.done() else None for future in done]

    def _on_seen(self, message: Any) -> None:
        with self._changed:
            self._seen.add(read_stamp(message))
            self._changed.notify_all()


def bench_service(
    settings: Settings, views: list[Observation], texts: list[str], repetitions: int, parallel: int, rounds: int
) -> dict[str, Any]:
    """Times of ``ask_question`` right after a new view and while nothing changes, those of the bare service, and what
    became of requests that came at once.

    Node and client share the process, as in ``vantage up``; messages go through the middleware all the same.

    Raises:
        WorldError: node and client did not find each other, or a single question got no answer.
    """
    asked = itertools.cycle(texts)
    with ExitStack() as stack:
        context = stack.enter_context(ros_context([]))
        node, feeder = QaNode(context, overrides(settings, GROUPS)), ViewPublisher(context)
        stack.callback(Spinner([node], context).close)
        stack.callback(halt, node)
        stack.callback(Spinner([feeder], context).close)
        refuse_taken_names([node])
        start(node)
        feeder.await_graph()
        feeder.tell_legend(views[0])
        for view in views:
            feeder.show(view)
        coming = restamped(views)
        live = measure_live(
            "ask_question, after a new view",
            lambda: feeder.show(next(coming)),
            lambda: _one(feeder, next(asked)),
            repetitions,
        )
        still = measure("ask_question, nothing new", lambda: _one(feeder, next(asked)), repetitions)
        crowd = [_at_once(feeder, [next(asked) for _ in range(parallel)]) for _ in range(rounds)]
        answer = _one(feeder, next(asked)).answer
    bare = _bare_service(answer, texts[0], repetitions)
    return {
        "live": live,
        "still": still,
        "bare": bare,
        "parallel": {
            "requests": parallel * rounds,
            "at_once": parallel,
            "served": sum(served for served, _ in crowd),
            "lost": parallel * rounds - sum(served for served, _ in crowd),
            "slowest_round_ms": round(max(spent for _, spent in crowd), 2),
        },
    }


def _one(feeder: ViewPublisher, text: str) -> Any:
    [response] = feeder.ask([text])
    if response is None or not response.ok:
        why = "nothing came" if response is None else response.message
        raise WorldError(f"ask_question gave no answer within {_PATIENCE:.0f} s: {why}; run the bench again")
    return response


def _at_once(feeder: ViewPublisher, texts: Sequence[str]) -> tuple[int, float]:
    """How many were served, and ms until the last one was."""
    begun = time.perf_counter()
    responses = feeder.ask(texts)
    counts = Counter(response is not None and response.ok for response in responses)
    return counts[True], 1e3 * (time.perf_counter() - begun)


def _bare_service(answer: Any, text: str, repetitions: int) -> Times:
    """A service that answers with the same message at once, with the same quality of service."""

    def echo(request: Any, response: Any) -> Any:
        response.ok, response.answer = True, answer
        return response

    with ExitStack() as stack:
        context = stack.enter_context(ros_context([]))
        server, client_node = Node("bench_echo", context=context), Node("bench_asker", context=context)
        server.create_service(AskQuestion, "bench_ask", echo, qos_profile=QoSProfile(depth=_MOST))
        client = client_node.create_client(AskQuestion, "bench_ask", qos_profile=QoSProfile(depth=_MOST))
        stack.callback(Spinner([server], context).close)
        stack.callback(Spinner([client_node], context).close)
        if not client.wait_for_service(timeout_sec=_PATIENCE):
            raise WorldError(f"the bare service was not found within {_PATIENCE:.0f} s; run the bench again")
        return measure("bare rclpy service, same message", _calling(client, text), repetitions)


def _calling(client: Any, text: str) -> Callable[[], None]:
    def call() -> None:
        done = threading.Event()
        client.call_async(AskQuestion.Request(question=text)).add_done_callback(lambda _: done.set())
        if not done.wait(_PATIENCE):
            raise WorldError(f"the bare service did not answer within {_PATIENCE:.0f} s; run the bench again")

    return call
