"""Nodes as processes: how they end, whom they tolerate, and what is left when one is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib.metadata import entry_points
from pathlib import Path

import fake_world
import pytest
from fake_set import fake_set
from ros_fixtures import eventually, kept_domain, new_domain

from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.graph import Client
from vantage.nodes.runtime.running import ros_context
from vantage.nodes.world.ros_world import connect
from vantage.recording import IMAGE_COMPRESSED, read_bag, read_recording
from vantage.reports.scoring import score_runs
from vantage.spatial import Viewpoint
from vantage.types import Command, EpisodeState, Status

pytestmark = pytest.mark.real_time

HERE = Path(__file__).resolve().parent
RUN = """
import sys
sys.path.insert(0, {here!r})
import fake_world
fake_world.register()
from importlib.metadata import entry_points
(node,) = entry_points(group="console_scripts", name="{module}_node")
sys.exit(node.load()(["node", "--ros-args", *sys.argv[1:]]))
"""
UNHEARD = 2.0  # s; after one without a sign of life, shared memory holds nothing more for a process
LONG_WALK = 36  # a seed with which the random agent takes 58 steps before it answers
SMALL = ("-p", "camera.width:=64", "-p", "camera.height:=48")

fake_world.register()


def main_of(module: str) -> Callable[[list[str]], int]:
    """What the command of a node runs."""
    (command,) = entry_points(group="console_scripts", name=f"{module}_node")
    main: Callable[[list[str]], int] = command.load()
    return main


@contextmanager
def node(module: str, domain: int, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN.format(here=str(HERE), module=module), *arguments],
        env=os.environ | {"ROS_DOMAIN_ID": str(domain)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def client(domain: int, **run: float) -> Iterator[Client]:
    settings = Settings().with_values({f"run.{key}": value for key, value in run.items()}, "test")
    with ros_context([], domain) as context:
        asker = Client(context, settings)
        try:
            yield asker
        finally:
            asker.close()


def wait_for(domain: int, *names: str) -> None:
    """Until nodes of these names are on the network and offer something."""
    from rclpy.node import Node

    with ros_context([], domain) as context:
        looker = Node("looker", context=context)
        eventually(lambda: set(names) <= set(looker.get_node_names()), 180.0)
        if "world_node" in names:
            eventually(lambda: "/reset_world" in dict(looker.get_service_names_and_types()), 180.0)
        looker.destroy_node()
    time.sleep(2.0)  # the nodes find each other when the looker finds them, but not in the same moment


class Graph:
    """A world and a planner that stay up."""

    def __init__(self, up: ExitStack, *planner: str) -> None:
        self.domain = up.enter_context(kept_domain())
        self.world = up.enter_context(node("world", self.domain, "-p", "world:=fake", *SMALL))
        up.enter_context(node("planner", self.domain, "-p", "agent.name:=random", *planner))

    @contextmanager
    def scored(self, episodes: Path, bags: Path, **run: float) -> Iterator[tuple[subprocess.Popen[str], Client]]:
        """With an evaluator of its own, and who asks for episodes."""
        options = ("-p", f"out:={bags}", "-p", f"episodes:={episodes}")
        with node("evaluator", self.domain, *options) as evaluator, client(self.domain, **run) as asker:
            wait_for(self.domain, "world_node", "planner_node", "evaluator_node")
            yield evaluator, asker


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    with ExitStack() as up:
        yield Graph(up)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nodes_end_cleanly_on_signals(tmp_path: Path, number: signal.Signals) -> None:
    domain = new_domain()
    arguments = {"world": ("-p", "world:=fake", *SMALL), "evaluator": ("-p", f"out:={tmp_path}")}
    with ExitStack() as up:
        modules = ("world", "planner", "qa", "evaluator")
        nodes = {each: up.enter_context(node(each, domain, *arguments.get(each, ()))) for each in modules}
        wait_for(domain, *(f"{module}_node" for module in nodes))
        for module, process in nodes.items():
            process.send_signal(number)
            output, _ = process.communicate(timeout=180)
            assert process.returncode == 0, f"{module}: {output}"
            for word in ("Traceback", "abort", "terminate", "never retrieved"):
                assert word not in output, f"{module}: {output}"


def test_a_graph_in_the_middle_of_an_episode_ends_cleanly(tmp_path: Path) -> None:
    domain = new_domain()
    with (
        node("world", domain, "-p", "world:=fake", *SMALL) as world,
        node("planner", domain, "-p", "agent.name:=pacer") as planner,
        node("qa", domain) as qa,
        node("evaluator", domain, "-p", f"out:={tmp_path}") as evaluator,
        client(domain) as asker,
    ):
        wait_for(domain, "world_node", "planner_node", "qa_node", "evaluator_node")
        processes, interrupted = (world, planner, qa, evaluator), threading.Event()

        def interrupt(episode: object, step: int, doing: str) -> None:
            if step > 3 and not interrupted.is_set():
                interrupted.set()
                for process in processes:
                    process.send_signal(signal.SIGINT)

        endless = fake_world.fake_episode("endless", max_steps=10_000)
        with ThreadPoolExecutor(1) as pool:
            flight = pool.submit(lambda: list(asker.run([endless], doing=interrupt, score_timeout=0.1)))
            assert interrupted.wait(60.0)
            for process in processes:
                output, _ = process.communicate(timeout=180)
                assert process.returncode == 0, output
                for word in ("Traceback", "abort", "never retrieved"):
                    assert word not in output
            # The planner's last word arrives, or it is gone before.
            error = flight.exception(30.0)
            assert isinstance(error, WorldError | None)
            if error is None:
                assert [item.outcome.state for item in flight.result()] == [EpisodeState.FAILED]
    assert (tmp_path / "endless.partial").is_dir() or (tmp_path / "endless").is_dir()


def test_a_second_node_of_one_name_gives_way(graph: Graph) -> None:
    wait_for(graph.domain, "world_node")
    with node("world", graph.domain, "-p", "world:=fake", *SMALL) as second:
        output, _ = second.communicate(timeout=180)
        assert second.returncode == 1
        assert "a node named /world_node is running already" in output
        assert "Traceback" not in output
    with node("world", graph.domain, "-p", "world:=fake", "-r", "__node:=other_world", *SMALL):
        wait_for(graph.domain, "other_world")
    assert graph.world.poll() is None


@pytest.mark.parametrize(
    ("module", "arguments", "sentence"),
    [
        ("world", ("-p", "world:=splatt"), "unknown 'splatt'; did you mean 'splat'?"),
        ("world", ("-p", "world:=fake", "-p", "camera.widht:=64"), "unknown setting 'camera.widht'; did you mean"),
        ("world", ("-p", "world:=fake", "-p", "camera.width:=0"), "camera.width = 0 is outside [1, 8192]"),
        ("planner", ("-p", "run.rate_hz:=fast"), "run.rate_hz must be of type float, got 'fast'"),
        ("planner", ("-p", "agent.name:=serch"), "did you mean 'search'?"),
        ("qa", ("-p", "autostart:=3"), "autostart of qa_node must be of type bool"),
        ("evaluator", ("-p", "episodes:=/nowhere"), "/nowhere/set.json is missing"),
        ("replay", (), "replay_node needs a bag"),
        ("replay", ("-p", "bag:=/nowhere"), "there is no folder /nowhere"),
    ],
)
def test_wrong_parameters_are_one_sentence(
    module: str,
    arguments: tuple[str, ...],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    assert main_of(module)(["node", "--ros-args", *arguments]) == 1
    printed = "".join(capfd.readouterr())
    assert sentence in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("module", ["world", "planner", "qa", "evaluator", "replay"])
@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_starts_no_node(module: str, word: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main_of(module)(["node", "--ros-args", word]) == 0
    printed = capfd.readouterr()
    assert printed.out.startswith(f"usage: {module}_node ")
    assert "is active" not in "".join(printed)


def test_every_look_crosses_between_processes() -> None:
    """Images are larger than the shared memory that the middleware takes by default."""
    domain = new_domain()
    with node("world", domain, "-p", "world:=fake"), ros_context([], domain) as context:
        world = connect(Settings(), context=context)
        world.reset(fake_world.fake_episode(), 1)
        for number in range(1, 61):
            target = Viewpoint(0.01 * (number % 10), 0.0, 1.0, 0.0, 0.0)
            result = world.step(Command(target, episode_id="episode-1", source="test", sequence=number))
            assert result.status == Status.DONE
            assert result.observation.rgb.shape == (480, 640, 3)
            assert result.observation.rgb[0, 0, 0] == int(40 * (target.x + 2.5))
        world.close()


def test_an_evaluator_that_is_held_up_misses_no_look(graph: Graph, tmp_path: Path) -> None:
    """The middleware keeps 30 pictures for it; the world sends it the others when it asks for them."""
    made = fake_set(tmp_path / "set", episodes=1, max_steps=4000)
    bags = tmp_path / "bags"
    held: list[int] = []  # step at which it was held up, and at which it goes on
    with graph.scored(made.folder, bags) as (evaluator, asker):

        def hold_up(episode: object, step: int, doing: str) -> None:
            if not held and (bags / "one.partial").exists():
                held.append(step)
                evaluator.send_signal(signal.SIGSTOP)
            elif len(held) == 1 and step > held[0] + 40:
                held.append(step)
                time.sleep(UNHEARD)
                evaluator.send_signal(signal.SIGCONT)

        [outcome] = asker.run(made.episodes, seed=LONG_WALK, doing=hold_up)
    assert held[-1] - held[0] > 40
    assert outcome.complete, outcome.remark
    looks = {motion.observation_stamp for motion in read_recording(bags / "one").motions}
    assert len(looks) == outcome.outcome.steps
    assert looks <= {stamp for _, stamp, _ in read_bag(bags / "one", (IMAGE_COMPRESSED,))}


def test_the_evaluator_is_killed_in_the_middle(graph: Graph, tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=2, max_steps=4000)
    bags = tmp_path / "bags"
    with graph.scored(made.folder, bags) as (evaluator, asker):
        assert next(asker.run(made.episodes[:1])).complete

        def kill(episode: object, step: int, doing: str) -> None:
            if (bags / "two.partial").exists():
                evaluator.send_signal(signal.SIGKILL)

        with pytest.raises(WorldError, match="did not score episode 'two'"):
            list(asker.run(made.episodes[1:], seed=LONG_WALK, doing=kill, score_timeout=1.0))
    table = score_runs(bags)
    assert [(score.episode_id, score.complete) for score in table.scores] == [("one", True), ("two", False)]
    assert "partial" in table.scores[1].incomplete_reason


def test_the_world_is_killed_in_the_middle(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=2, max_steps=4000)
    bags = tmp_path / "bags"
    with ExitStack() as up:
        graph = Graph(up, "-p", "run.step_timeout:=1.5")
        _, asker = up.enter_context(graph.scored(made.folder, bags, step_timeout=1.0))
        assert next(asker.run(made.episodes)).complete
        killed_at = 0.0

        def kill(episode: object, step: int, doing: str) -> None:
            nonlocal killed_at
            if killed_at == 0.0:
                graph.world.send_signal(signal.SIGKILL)
                killed_at = time.monotonic()

        [failed] = asker.run(made.episodes[1:], seed=LONG_WALK, doing=kill)
        assert failed.outcome.state == EpisodeState.FAILED
        assert "did not arrive" in failed.outcome.reason
        assert time.monotonic() - killed_at < 60.0
        assert "failed" in failed.remark
    table = score_runs(bags)
    assert [score.complete for score in table.scores] == [True, False]
