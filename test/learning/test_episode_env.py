"""Episodes as environments of Gymnasium."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv

from vantage.benchmarks import benchmark_of
from vantage.errors import FormatError, UsageError, VantageError
from vantage.learning.episode_env import EpisodeEnv

pytestmark = pytest.mark.needs("learning")


@pytest.fixture(scope="module")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learning") / "set"
    benchmark_of("search").make(folder, seed=0, miniature=True)
    return folder


def making(folder: Path) -> partial[gymnasium.Env]:
    """Makes an environment, also in a process that is started anew."""
    name = "vantage.learning.registration:vantage/ActiveSearch-v0"
    return partial(gymnasium.make, name, episodes=str(folder), size=32)


def made(folder: Path) -> gymnasium.Env:
    return making(folder)()


def test_gymnasium_finds_nothing_wrong(search_set: Path) -> None:
    env = made(search_set)
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_the_same_seed_gives_the_same_bytes_and_the_budget_truncates(search_set: Path) -> None:
    def told() -> list[bytes]:
        env = made(search_set)
        seen, _ = env.reset(seed=3)
        env.action_space.seed(4)
        found, truncated = [b"".join(seen[key].tobytes() for key in sorted(seen))], False
        while not truncated:
            seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
            assert not terminated
            assert reward == info["r_novelty"] + info["r_qa"] >= 0.0
            found.append(b"".join(seen[key].tobytes() for key in sorted(seen)) + np.float64(reward).tobytes())
        env.close()
        return found

    assert told() == told()


def test_two_processes_step_together(search_set: Path) -> None:
    envs = AsyncVectorEnv([making(search_set)] * 2)
    seen, _ = envs.reset(seed=1)
    assert seen["rgb"].shape == (2, 32, 32, 3)
    assert envs.step(np.zeros(2, np.int64))[1].shape == (2,)
    envs.close()


def test_the_change_of_correctness_is_a_reward_and_no_number_is_refused(search_set: Path) -> None:
    given = iter([0.25, 0.75, float("nan")])
    env = EpisodeEnv(search_set, "splat", 16, correctness=lambda episode, observation: next(given))
    env.reset(seed=0)
    assert env.step(0)[4]["r_qa"] == 0.5
    with pytest.raises(VantageError, match=r"the reward after step 2 of episode .* is nan; mend what judges answers"):
        env.step(0)
    env.close()


def test_bad_input_ends_with_a_sentence(search_set: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        EpisodeEnv(tmp_path, "splat")
    with pytest.raises(UsageError, match="size of pictures is 0"):
        EpisodeEnv(search_set, "splat", 0)
