"""Episode after episode in many threads: the memory of a process with a QA node stays where it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ros_fixtures import new_domain

from vantage.nodes.bench.qa_soak import growth

HERE = Path(__file__).resolve().parent
WARM_UP, EPISODES, THREADS, VIEWS = 6, 40, 12, 4
PROCESS = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
sys.path.insert(0, {here!r})
import fake_world
from vantage.config import Settings
from vantage.bench.memory import resident_mb
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.runtime.running import ros_context
from vantage.nodes.qa.observed_views import ObservedViews
from vantage.bench.question_answering import make_engine
from vantage.types import Question

with ros_context([]) as context, ThreadPoolExecutor({threads}) as pool:
    node = QaNode(context)
    together = threading.Barrier({threads})
    list(pool.map(lambda _: together.wait(60.0), range({threads})))
    settings = Settings()
    world = fake_world.make_fake_world(settings)
    observed = ObservedViews(make_engine(settings), lambda *told: None)
    for number in range({episodes}):
        episode = fake_world.fake_episode(f"episode-{{number}}")
        view = world.reset(episode, 0)
        pool.submit(observed.world_reset, view.stamp).result()
        pool.submit(observed.begin, episode).result()
        for _ in range({views}):
            pool.submit(observed.observe, world.observe()).result()
        pool.submit(observed.ask, "", "q", "Is there a cup?").result()
        print(resident_mb(), flush=True)
    node.destroy_node()
"""


def test_memory_does_not_grow_from_episode_to_episode() -> None:
    """Before, each of these threads kept the map of an episode: 3 MB an episode."""
    script = PROCESS.format(here=str(HERE), threads=THREADS, episodes=EPISODES, views=VIEWS)
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"ROS_DOMAIN_ID": str(new_domain())},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    held = [float(line) for line in run.stdout.split()]
    assert len(held) == EPISODES
    assert max(held) - held[WARM_UP] < 10.0, held


def test_growth_is_that_of_the_second_half() -> None:
    marks = [{"minutes": k / 2, "episodes": 10 * k, "rss_mb": 500.0 + min(k, 6) * 20 + 2 * k} for k in range(1, 13)]
    found = growth(marks)
    assert found["mb_per_minute"] == pytest.approx(4.0)
    assert found["mb_per_episode"] == pytest.approx(0.2)
    assert not found["met"]
    assert growth([{**mark, "rss_mb": 500.0} for mark in marks])["met"]
    assert growth(marks[:1])["mb_per_minute"] == 0.0
