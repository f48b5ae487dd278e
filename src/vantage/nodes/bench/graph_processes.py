"""The graph as processes of its own, and a node beside it that calls its services: what a fault campaign works on."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.node import Node

from vantage.config import Settings
from vantage.errors import VantageError
from vantage.nodes.evaluator import evaluator_node
from vantage.nodes.graph import Client
from vantage.nodes.planner import planner_node
from vantage.nodes.qa import qa_node
from vantage.nodes.runtime import Spinner, interface, overrides
from vantage.nodes.world import world_node
from vantage.runs import Job, prepared, standing_starts
from vantage.types import Episode
from vantage.workers import ending_with_this_process

START = 90.0  # s for the graph to come up
ANSWER = 30.0  # s for an answer, whatever else a node has to do
_CLOSING = 120.0  # s for the episode that shows that all is well
_END = 20.0  # s for a process to go
_SERVICES = {  # by which a node shows that it answers
    world_node.NAME: ("vantage_eqa/srv/ResetWorld", "reset_world"),
    planner_node.NAME: ("vantage_eqa/srv/InterpretTask", "interpret_task"),
    qa_node.NAME: ("vantage_eqa/srv/CheckQuestion", "check_question"),
    evaluator_node.NAME: ("vantage_eqa/srv/ScoreBag", "score_bag"),
}
NODES = tuple(_SERVICES)


class Caller(Node):
    """Calls services of the graph; every call has a deadline."""

    def __init__(self, context: Context) -> None:
        super().__init__("bench_caller", context=context)
        self._known: dict[str, Any] = {}

    def call(self, type_name: str, name: str, request: Any = None, timeout: float = ANSWER) -> Any:
        """The response; None where none came in time or nobody offers the service."""
        kind = interface(type_name)
        client = self._known.get(name)
        if client is None:
            client = self._known[name] = self.create_client(kind, name)
        if not client.wait_for_service(timeout_sec=timeout):
            return None
        done = threading.Event()
        future = client.call_async(kind.Request() if request is None else request)
        future.add_done_callback(lambda _: done.set())
        if done.wait(timeout):
            return future.result()
        client.remove_pending_request(future)
        return None

    def answers(self, node: str, timeout: float = ANSWER) -> bool:
        """Whether a node of the graph answers at all; what it says is of no interest."""
        type_name, name = _SERVICES[node]
        request = interface(type_name).Request()
        if hasattr(request, "path"):
            request.path = "nowhere"  # scoring takes longer the more there is to score
        return self.call(type_name, name, request, timeout) is not None


class Graph:
    """The four nodes as processes, with their logs in files.

    Attributes:
        settings: of the graph, with the scenes and actions of the set.
        episodes: of the set.
    """

    def __init__(self, settings: Settings, episodes: Path, agent: str, folder: Path, world: str = "splat") -> None:
        job, episode_set = prepared(Job(episodes, folder / "bags", world, agent, settings))
        if world != "splat":
            episode_set = standing_starts(episode_set, world, job.settings)
        self.settings, self.episodes, self._folder = job.settings, episode_set.episodes, folder
        given: dict[str, dict[str, str]] = {
            world_node.NAME: {"world": world},
            planner_node.NAME: {"episodes": str(episodes)},
            qa_node.NAME: {},
            evaluator_node.NAME: {"episodes": str(episodes), "out": str(self.bags)},
        }
        self._files = {}
        for module, more in zip((world_node, planner_node, qa_node, evaluator_node), given.values(), strict=True):
            values = {item.name: item.value for item in overrides(self.settings, module.GROUPS, **more)}
            self._files[module.NAME] = folder / f"{module.NAME}.yaml"
            self._files[module.NAME].write_text(json.dumps({module.NAME: {"ros__parameters": values}}))
        self._modules = {module.NAME: module.__name__ for module in (world_node, planner_node, qa_node, evaluator_node)}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def log(self, node: str) -> Path:
        """What the processes of a node have printed."""
        return self._folder / f"{node}.log"

    @property
    def tracebacks(self) -> int:
        """How many tracebacks stand in the logs."""
        return sum(self.log(node).read_bytes().count(b"Traceback (most") for node in NODES if self.log(node).exists())

    @property
    def bags(self) -> Path:
        """The folder that the evaluator records into."""
        return self._folder / "bags"

    def unused_episodes(self) -> list[Episode]:
        """Episodes of the set of which there is no bag yet, whole or partial."""
        names = {path.name.split(".")[0] for path in self.bags.glob("*")}
        return [episode for episode in self.episodes if episode.episode_id not in names]

    def start(self, node: str) -> None:
        with self.log(node).open("ab") as log:
            command = [sys.executable, "-m", self._modules[node], "--ros-args", "--params-file", str(self._files[node])]
            self._processes[node] = subprocess.Popen(ending_with_this_process(command), stdout=log, stderr=log)

    def dead(self) -> list[str]:
        """Nodes whose process has ended."""
        return [node for node, process in self._processes.items() if process.poll() is not None]

    def stop(self, node: str) -> None:
        process = self._processes.pop(node)
        process.terminate()
        try:
            process.wait(_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(_END)

    def close(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for node in list(self._processes):
            self.stop(node)


@contextmanager
def graph(
    settings: Settings, episodes: Path, agent: str, folder: Path, context: Context, world: str = "splat"
) -> Iterator[tuple[Graph, Caller]]:
    """The graph, up and answering, and a caller, until the block ends.

    Args:
        world: registered name; where its robot stands on the floor, episodes begin where it can.

    Raises:
        VantageError: a node did not start; names the log.
    """
    folder.mkdir(parents=True)
    made, caller = Graph(settings, episodes, agent, folder, world), Caller(context)
    spinner = Spinner([caller], context)
    try:
        for node in NODES:
            made.start(node)
        await_answers(made, caller, NODES)
        yield made, caller
    finally:
        made.close()
        spinner.close()


def await_answers(made: Graph, caller: Caller, nodes: Sequence[str]) -> None:
    """Until nodes that were started answer.

    Raises:
        VantageError: one did not in time; names its log's last line.
    """
    ends = time.monotonic() + START
    for node in nodes:
        while not caller.answers(node, timeout=2.0):
            if node in made.dead() or time.monotonic() > ends:
                lines = made.log(node).read_text(errors="replace").strip().splitlines() or ["it printed nothing"]
                raise VantageError(f"{node} did not come up within {START:.0f} s: {lines[-1][:200]}; run it again")


def restart_nodes(made: Graph, caller: Caller, nodes: Sequence[str]) -> None:
    """Start nodes anew whose processes ended, or that no longer answer."""
    for node in nodes:
        made.stop(node)
        made.start(node)
    await_answers(made, caller, nodes)


@contextmanager
def beside(work: Callable[[], object], say: Callable[[str], None]) -> Iterator[None]:
    """Repeats some work in a thread of its own until the block ends; what fails is said, and begun again."""
    over = threading.Event()

    def repeat() -> None:
        while not over.is_set():
            try:
                work()
            except VantageError as error:
                say(f"beside: {error}")
                over.wait(0.5)

    thread = threading.Thread(target=repeat, name="beside", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(ANSWER)


def episode_runs(made: Graph, caller: Caller, context: Context, say: Callable[[str], None]) -> bool:
    """Whether the graph runs an episode that was not run before, to its end and its score.

    An episode that somebody else has left running has to end first, so this is tried until the deadline is over.
    """
    ends, why = time.monotonic() + _CLOSING, "the set has no episode left"
    over = threading.Event()
    watchdog = threading.Timer(_CLOSING, over.set)
    watchdog.start()
    try:
        while time.monotonic() < ends and (left := made.unused_episodes()):
            client = Client(context, made.settings, name="bench_client")
            try:
                await_answers(made, caller, NODES)
                flown = list(client.run(left[-1:], canceled=over.is_set))
                if flown and flown[0].complete:
                    return True
                why = flown[0].remark if flown else "it was not begun in time"
            except VantageError as error:
                why = str(error)
            finally:
                client.close()
            over.wait(1.0)
    finally:
        watchdog.cancel()
    say(f"no episode ran afterwards: {why}")
    return False
