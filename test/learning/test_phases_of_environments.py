"""Environments over all phases of episodes, in a house."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv
from touch_set import ASKED, touch_set

from vantage.config import Settings
from vantage.errors import UsageError
from vantage.learning.episode_env import EpisodeEnv, small_pictures

pytestmark = pytest.mark.needs("learning", "house")

BLIND = Settings().with_values({"house.pictures": "none"}, "test")
TEXTS = tuple(text for text, _ in ASKED.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return touch_set(tmp_path_factory.mktemp("learning") / "set").folder


@pytest.fixture(scope="module")
def env(folder: Path) -> Iterator[EpisodeEnv]:
    with closing(made(folder).unwrapped) as found:
        yield found


def making(folder: Path, **more: Any) -> partial[gymnasium.Env[Any, Any]]:
    """Makes an environment, also in a process that is started anew."""
    name = "vantage.learning.registration:vantage/Excalibur-v0"
    return partial(gymnasium.make, name, episodes=str(folder), size=24, **{"settings": BLIND, "phases": "all", **more})


def made(folder: Path, **more: Any) -> gymnasium.Env[Any, Any]:
    return making(folder, **more)()


def taken(env: EpisodeEnv, *actions: str) -> list[tuple[dict[str, Any], float, bool, bool, dict[str, Any]]]:
    return [env.step(env.action_names.index(action)) for action in actions]


def test_gymnasium_finds_nothing_wrong(env: EpisodeEnv) -> None:
    check_env(env, skip_render_check=True)


def test_questions_are_public_from_the_second_phase_on(env: EpisodeEnv) -> None:
    seen, info = env.reset(options={"episode": 0})
    start = seen["pose"]
    assert (info["phase"], info["questions"], float(seen["asked"][0])) == ("explore", (), 0.0)
    steps = taken(env, *["turn_left", "move_forward"] * 3)
    for seen, _, terminated, truncated, info in steps[:-1]:
        assert (info["phase"], info["questions"], float(seen["asked"][0])) == ("explore", (), 0.0)
        assert not terminated
        assert not truncated
    seen, _, terminated, truncated, info = steps[-1]  # the budget ends the phase; the next one begins at the start
    assert (info["phase"], info["questions"], float(seen["asked"][0])) == ("reenter", TEXTS, 1.0)
    assert (terminated, truncated) == (False, False)
    np.testing.assert_allclose(seen["pose"], start, atol=1e-5)
    assert env.phase_names[int(seen["phase"].argmax())] == "reenter"
    ends = [each[2:4] for each in taken(env, *["turn_right"] * 4)]
    assert ends == [(False, False)] * 3 + [(False, True)]
    with pytest.raises(UsageError, match="no episode is on"):
        env.step(0)


def test_who_is_done_goes_on_to_the_next_phase_and_then_ends(env: EpisodeEnv) -> None:
    env.reset(options={"episode": 1})
    (seen, reward, terminated, _, info), (_, _, ended, truncated, _) = taken(env, "done", "done")
    assert (info["phase"], terminated, ended, truncated) == ("reenter", False, True, False)
    assert float(seen["asked"][0]) == 1.0
    assert reward == 0.0


def test_what_is_seen_is_new_once_also_after_the_house_was_put_back(env: EpisodeEnv) -> None:
    _, info = env.reset(options={"episode": 0})
    first = info["r_novelty"]
    assert first > 0.0  # the things on the table
    explored = [reward for _, reward, *_ in taken(env, "turn_left", "turn_right", "done", "turn_left", "turn_right")]
    assert explored[0] >= 0.0
    assert explored[1:] == [0.0] * 4


def test_all_that_can_be_seen_and_reached_is_two(folder: Path, tmp_path: Path) -> None:
    found = touch_set(tmp_path / "set", explore=200)
    with closing(EpisodeEnv(found.folder, "house", 8, BLIND)) as env:
        _, info = env.reset(options={"episode": 0})
        around = [*["turn_left"] * 24, "look_down", "look_down", *["turn_left"] * 24]
        there = [*["move_backward"] * 4, *around]
        total = info["r_novelty"] + sum(each[1] for each in taken(env, *around, *there))
        assert 1.0 < total <= 2.0


def test_lessons_are_the_questions_with_their_gold_answers(env: EpisodeEnv, folder: Path) -> None:
    env.reset(options={"episode": 1})
    assert env.lessons == tuple(ASKED.values())
    assert env.lessons_of(0) == env.lessons
    assert env.episode_count == 2
    with closing(made(folder).unwrapped) as other, pytest.raises(UsageError, match="reset it first"):
        _ = other.lessons


def test_the_first_phase_alone_asks_nothing(folder: Path) -> None:
    with closing(made(folder, phases="first").unwrapped) as env:
        env.reset(seed=1)
        seen, _, terminated, _, info = taken(env, "done")[0]
        assert (info["phase"], info["questions"], terminated, float(seen["asked"][0])) == ("explore", (), True, 0.0)


def test_two_processes_step_together(folder: Path) -> None:
    envs = AsyncVectorEnv([making(folder)] * 2)
    try:
        envs.reset(seed=1)
        for _ in range(6):
            seen, _, _, _, info = envs.step(np.zeros(2, np.int64))
        assert seen["asked"].tolist() == [[1.0], [1.0]]
        assert info["questions"].tolist() == [TEXTS, TEXTS]
    finally:
        envs.close()


@pytest.mark.needs("gl")
def test_pictures_are_small_and_ids_are_there_where_they_are_asked_for(folder: Path) -> None:
    with closing(EpisodeEnv(folder, "house", 24)) as env:
        seen, _ = env.reset(seed=1)
        assert env.observation.rgb.shape == (24, 32, 3)
        assert env.observation.instances is None
        assert seen["rgb"].shape == (24, 24, 3)
        assert len(np.unique(seen["rgb"])) > 10
    with closing(EpisodeEnv(folder, "house", 24, ids=True)) as env:
        env.reset(seed=1)
        assert env.observation.instances is not None
        assert env.observation.instances.shape == (24, 32)


@pytest.mark.needs("gl")
def test_closing_gives_everything_back(folder: Path) -> None:
    def held() -> tuple[int, int]:
        return threading.active_count(), len(os.listdir("/proc/self/fd"))

    def run() -> None:
        with closing(EpisodeEnv(folder, "house", 24)) as env:
            env.reset(seed=1)
            env.close()

    run()
    before = held()
    for _ in range(3):
        run()
    assert held() == before


def test_pictures_keep_the_view_and_none_stay_none() -> None:
    whole = Settings().with_values({"camera.width": 800, "camera.height": 600}, "test")
    small = small_pictures(whole, 84)
    assert (small.camera.width, small.camera.height, small.house.pictures) == (112, 84, "color")
    assert not small.world.instances
    assert small_pictures(BLIND, 84).house.pictures == "none"
    assert small_pictures(whole, 84, ids=True).house.pictures == "all"


def test_bad_input_ends_with_a_sentence(env: EpisodeEnv, folder: Path) -> None:
    with pytest.raises(UsageError, match="phases is 'second'; give 'first' or 'all'"):
        made(folder, phases="second")
    with pytest.raises(UsageError, match=r"there is no episode 2 in .*; give a number from 0 to 1"):
        env.reset(options={"episode": 2})
    env.reset(seed=0)
    with pytest.raises(UsageError, match="there is no action -1; give a number from 0"):
        env.step(-1)
