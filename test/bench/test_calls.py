"""The server that knows what looks show, and the measurement of calls against it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from small_noisyeqa import small_pairs

from vantage.bench.calls import bench_calls
from vantage.bench.knowing_server import KnowingServer, KnownEpisode
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.models.openai_model import OpenAIBackend
from vantage.models.protocol import Call, Deadline
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import NoiseType, Observation, TruthQuestion

pytestmark = pytest.mark.needs("openai")

TRUTH = TruthQuestion(
    "q",
    "color",
    "red",
    premise_holds=False,
    noise_type=NoiseType.POSITION,
    false_claim="the mug is on the desk",
    correction="the mug is on the shelf",
    target_instances=(5,),
)
LENS = Intrinsics.from_fov(64, 48, 1.2)


def look(number: int, shows: bool) -> Observation:
    rgb = np.full((48, 64, 3), 40 * number, np.uint8)
    rgb[: 6 * number] = 200
    instances = np.full((48, 64), 5 if shows else 1, np.int32)
    return Observation(number, Viewpoint(0, 0, 1, 0, 0), LENS, rgb, None, instances)


def test_it_answers_by_what_looks_show() -> None:
    known = KnownEpisode(TRUTH)
    looks = [look(1, False), look(3, True)]
    for each in looks:
        known.observed(each)
    with KnowingServer(0.0, 0.0, 1) as server:
        backend = OpenAIBackend("knowing", server.url, "NO_KEY", 0)
        assert backend.reply(Call("What color is the square?", (looks[0].rgb,)), Deadline(5.0)).text == "red"
        assert server.calls == 0, "no episode is played yet"
        server.episode = known
        text = "Does this one picture show all that is needed to answer?"
        told = [backend.reply(Call(text, (each.rgb,), choice=True), Deadline(5.0)).probability for each in looks]
        assert told[0] < 0.1 < 0.9 < told[1]
        verdict = json.loads(backend.reply(Call("Go through these steps", (looks[1].rgb,)), Deadline(5.0)).text)
        assert (verdict["noise"], verdict["correction"], verdict["answer"]) == ("position", TRUTH.correction, "red")
        blind = json.loads(backend.reply(Call("Go through these steps", (looks[0].rgb,)), Deadline(5.0)).text)
        assert blind["answer"] == "I cannot tell"
        assert server.calls == 4


def test_some_replies_are_wrong_and_always_the_same_ones() -> None:
    known = KnownEpisode(TRUTH)
    known.observed(look(3, True))
    replies = []
    for _ in range(2):
        with KnowingServer(0.0, 0.5, 1) as server:
            server.episode = known
            backend = OpenAIBackend("knowing", server.url, "NO_KEY", 0)
            texts = [f"{number} Does this one picture show all that is needed?" for number in range(40)]
            calls = [Call(text, (look(3, True).rgb,), choice=True) for text in texts]
            replies.append([backend.reply(call, Deadline(5.0)).probability > 0.5 for call in calls])
    assert replies[0] == replies[1]
    assert 8 <= sum(replies[0]) <= 32


def test_asked_about_news_it_takes_fewer_calls_than_about_every_view(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings().with_values({"agent.perception": "degraded"}, "test")
    episodes = small_pairs(tmp_path_factory)
    found = bench_calls(episodes, settings, number=2, latency=0.0, error=0.0)
    assert found["episodes"] == 2
    assert found["setups"]["news"]["mean"] < found["setups"]["every"]["mean"]
    with pytest.raises(UsageError, match="fewer than 9999"):
        bench_calls(episodes, settings, number=9999)
