"""NoisyEQA's figures against numbers worked out by hand, and what must hold for any scores."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.benchmarks.noisyeqa.noisyeqa_scores import (
    ALL,
    TYPES,
    NoisyEqaScores,
    Setup,
    is_half,
    noisyeqa_scores,
    twins,
)
from vantage.benchmarks.statistics.calibration_figures import bin_of, calibration_error, reliability
from vantage.benchmarks.statistics.metrics import EpisodeScore, Figure, wilson
from vantage.benchmarks.statistics.scene_bootstrap import mean_over_scenes, share_over_scenes


def half(pair: str, noisy: bool, mark: float, **values: object) -> EpisodeScore:
    base: dict[str, object] = {
        "episode_id": f"{pair}-{'noisy' if noisy else 'clean'}",
        "benchmark": "noisyeqa",
        "agent": "search",
        "perception": "degraded",
        "judge": "rules",
        "model": "symbolic/nacot",
        "complete": True,
        "judge_score": mark,
        "success": mark == 5,
        "noisy": noisy,
        "scene": pair.split("-")[0],
        "noise_type": "COLOR" if noisy else "NONE",
        "confidence": 0.75,
        "steps": 10,
        "verdict": "ANSWERED",
    }
    return EpisodeScore(**(base | values))  # type: ignore[arg-type]


def hand_made() -> list[EpisodeScore]:
    return [
        half("s1-01", True, 5, noise_type="LATENT", confidence=0.5, steps=30, collisions=2),
        half("s1-01", False, 5, confidence=0.9, steps=10),
        half("s1-02", True, 3, confidence=0.6, steps=20),
        half("s1-02", False, 1, confidence=0.8, steps=12, false_alarm=True, collisions=1),
        half("s2-01", True, 4, confidence=0.95, steps=16),
        half("s2-01", False, 5, confidence=1.0, steps=16),
        half("s2-02", True, 1, confidence=0.25, steps=8),  # its twin is incomplete
        EpisodeScore("s2-02-clean", "noisyeqa", "search", "degraded", "rules", incomplete_reason="cut"),
        half("s3-01", False, 5, benchmark="search", episode_id="s3-01"),
    ]


def only(scores: NoisyEqaScores) -> tuple[dict[str, dict[str, Figure]], dict[str, Figure]]:
    (setup,) = scores.setups
    return {key: dict(kinds) for key, kinds in setup.by_type.items()}, dict(setup.overall)


def test_figures_by_type_are_the_papers() -> None:
    by_type, _ = only(noisyeqa_scores(hand_made()))
    assert by_type["c"][ALL].value == pytest.approx((100 + 50 + 75 + 0) / 4)
    assert by_type["c"]["COLOR"].value == pytest.approx((50 + 75 + 0) / 3)
    assert by_type["detection_rate"][ALL].value == pytest.approx(3 / 4)
    assert by_type["correction_rate"][ALL].value == pytest.approx(2 / 4)
    assert by_type["correction_rate"]["LATENT"].value == 1.0
    assert (by_type["c"]["SHAPE"].n, math.isnan(by_type["c"]["SHAPE"].value)) == (0, True)
    assert set(by_type["c"]) == set(TYPES)


def test_clean_twins_balance_pairs_and_calibration() -> None:
    (setup,) = noisyeqa_scores(hand_made()).setups
    overall = setup.overall
    assert overall["clean_accuracy"].value == pytest.approx(2 / 3)
    assert overall["false_alarm_rate"].value == pytest.approx(1 / 3)
    assert overall["balanced"].value == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))
    assert overall["confidence_drop"].value == pytest.approx((0.4 + 0.2 + 0.05) / 3)
    assert overall["extra_steps"].value == pytest.approx((8 + 0) / 2)  # the pair of type LATENT apart
    assert overall["extra_collisions"].value == pytest.approx((-1 + 0) / 2)
    assert overall["extra_steps"].n == 2
    assert "other than LATENT" in overall["extra_steps"].note
    assert (setup.pairs, setup.unpaired) == (3, 1)
    # Bins: 0.25 wrong | 0.5 right | 0.6 wrong | 0.8 wrong | 0.9 right, 0.95 wrong, 1.0 right
    gaps = (0.25 + 0.5 + 0.6 + 0.8 + abs(2 - 2.85)) / 7
    assert overall["ece"].value == pytest.approx(gaps)
    assert [each.n for each in setup.reliability] == [1, 1, 1, 1, 3]
    assert setup.reliability[-1].right == pytest.approx(2 / 3)


def test_objecting_to_everything_and_to_nothing_are_both_worth_nothing() -> None:
    always = [half(f"s{k}-1", True, 5) for k in range(4)] + [half(f"s{k}-1", False, 1) for k in range(4)]
    never = [half(f"s{k}-1", True, 1) for k in range(4)] + [half(f"s{k}-1", False, 5) for k in range(4)]
    for scores in (always, never):
        _, overall = only(noisyeqa_scores(scores))
        assert overall["balanced"].value == 0.0
    perfect = [half(f"s{k}-1", noisy, 5) for k in range(4) for noisy in (True, False)]
    assert only(noisyeqa_scores(perfect))[1]["balanced"].value == 1.0


def test_the_gain_of_moving_is_within_questions_that_both_answered() -> None:
    static = [
        half("s1-01", True, 1, agent="static"),
        half("s1-02", True, 4, agent="static"),
        half("s2-01", True, 3, agent="static"),
        half("s2-01", False, 1, agent="static"),
        half("s2-09", True, 5, agent="static"),  # the other did not finish it
    ]
    moving = [half("s1-01", True, 5), half("s1-02", True, 4), half("s2-01", True, 4), half("s2-01", False, 5)]
    other_mode = [half("s1-01", True, 1, model="symbolic/plain")]
    scores = noisyeqa_scores([*static, *moving, *other_mode])
    (gain,) = scores.gains
    assert gain.setup.mode == "nacot"
    assert gain.by_type[ALL].value == pytest.approx(2 / 3)
    assert gain.by_type[ALL].n == 3
    assert gain.by_type["COLOR"].low == pytest.approx(0.5)  # scene 1: 1 of 2 gained, scene 2: 1 of 1
    assert gain.by_type["COLOR"].high == pytest.approx(1.0)
    assert gain.overall["c_gain"].value == pytest.approx((100 + 0 + 25) / 3)
    assert gain.overall["clean_accuracy_gain"].value == 1.0
    assert [(each.setup.agent, each.setup.mode) for each in scores.setups] == [
        ("static", "nacot"),
        ("search", "plain"),
        ("search", "nacot"),
    ]


@pytest.mark.parametrize(
    ("model", "reasoner", "mode"),
    [
        ("symbolic/nacot", "symbolic", "nacot"),
        ("symbolic/nacot+calibrated", "symbolic+calibrated", "nacot"),
        ("openai:llama/nap#1a2b3c4d", "openai:llama", "nap"),
        ("transformers:folder/Qwen-2/plain#1a2b3c4d", "transformers:folder/Qwen-2", "plain"),
        ("transformers:a/b/plain#1a2b3c4d+calibrated", "transformers:a/b+calibrated", "plain"),
        ("", "", ""),
        ("bare", "bare", ""),
    ],
)
def test_who_answers_and_in_which_mode(model: str, reasoner: str, mode: str) -> None:
    setup = Setup("search", "degraded", model, "rules")
    assert (setup.reasoner, setup.mode) == (reasoner, mode)


def test_controls_are_setups_of_their_own_and_gain_within_their_own() -> None:
    def run(agent: str, control: str, mark: float) -> list[EpisodeScore]:
        return [half("s1-01", noisy, mark, agent=agent, control=control) for noisy in (True, False)]

    found = noisyeqa_scores([*run("search", "", 5), *run("search", "dof=3", 3), *run("static", "dof=3", 1)])
    assert {(each.setup.agent, each.setup.control) for each in found.setups} == {
        ("search", ""),
        ("search", "dof=3"),
        ("static", "dof=3"),
    }
    (gain,) = found.gains
    assert (gain.setup.control, gain.overall["c_gain"].value) == ("dof=3", 50.0)


def test_pairs_go_by_the_ends_of_their_names() -> None:
    assert [is_half(name) for name in ("home-3-07-noisy", "home-3-07-clean", "home-noisy-07")] == [True, True, False]
    assert [(pair.first.noisy, pair.second.noisy) for pair in twins(hand_made())] == [(True, False)] * 3


def test_pairs_of_another_benchmark_have_tables_of_their_own() -> None:
    other = [half(f"s{k}-1", noisy, 5, benchmark="open-eqa") for k in range(3) for noisy in (True, False)]
    scores = noisyeqa_scores([*hand_made(), *other])
    assert [each.setup.benchmark for each in scores.setups] == ["noisyeqa", "open-eqa"]
    assert [each.overall["extra_steps"].n for each in scores.setups] == [2, 3]


def test_scenes_are_drawn_whole() -> None:
    """Ten scenes of ten equal questions tell as much as ten questions, not as a hundred."""
    scenes = [f"s{k // 10}" for k in range(100)]
    values = [float(k // 10 % 2) for k in range(100)]
    figure = mean_over_scenes("k", "t", scenes, values)
    assert figure.value == 0.5
    spread = math.sqrt(0.25 / 10)
    assert figure.low == pytest.approx(0.5 - 1.96 * spread, abs=0.06)
    assert figure.high == pytest.approx(0.5 + 1.96 * spread, abs=0.06)
    one = mean_over_scenes("k", "t", ["s"] * 5, [1.0, 2.0, 3.0, 4.0, 5.0])
    assert (one.value, math.isnan(one.low)) == (3.0, True)


def test_answers_that_claim_nothing_are_left_out_of_the_calibration() -> None:
    scores = [
        half("s1-1", True, 5, confidence=0.9),
        half("s2-1", True, 1, confidence=0.9, verdict="NEEDS_LOOK"),
        half("s3-1", True, 1, confidence=math.nan, verdict=""),
        half("s4-1", True, 1, confidence=7.0),
    ]
    figure = calibration_error(scores)
    assert (figure.n, figure.value) == (1, pytest.approx(0.1))
    assert "3 without a claim" in figure.note
    assert calibration_error([]).n == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.integers(0, 3)), min_size=1, max_size=60))
@settings(max_examples=examples(40), deadline=None)
def test_calibration_error_is_bounded_and_its_bins_hold_all_answers(rows: list[tuple[float, bool, int]]) -> None:
    scores = [
        half(f"s{scene}-{k}", True, 5 if right else 1, confidence=confidence)
        for k, (confidence, right, scene) in enumerate(rows)
    ]
    figure, bins = calibration_error(scores), reliability(scores)
    assert 0.0 <= figure.value <= 1.0
    assert sum(each.n for each in bins) == len(rows)
    assert figure.value == pytest.approx(sum(each.n * abs(each.right - each.confidence) for each in bins) / len(rows))
    for each in bins:
        assert each.start - 1e-9 <= each.confidence <= each.end + 1e-9
        assert -1e-9 <= each.low <= each.right + 1e-9
        assert each.right - 1e-9 <= each.high <= 1.0 + 1e-9
    assert bin_of(1.0) == 9


_SCORES = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.integers(0, 5),
        st.booleans(),
        st.integers(1, 5),
        st.sampled_from(TYPES[:-1]),
        st.sampled_from(["static", "search"]),
        st.sampled_from(["plain", "nacot"]),
    ),
    max_size=40,
)


@given(_SCORES, st.randoms(use_true_random=False))
@settings(max_examples=examples(30), deadline=None)
def test_shares_are_shares_and_order_does_not_matter(rows: list[tuple], shuffler: random.Random) -> None:
    scores = [
        half(
            f"s{scene}-{number}",
            noisy,
            mark,
            noise_type=kind if noisy else "NONE",
            agent=agent,
            model=f"symbolic/{mode}",
        )
        for scene, number, noisy, mark, kind, agent, mode in dict.fromkeys(rows)
    ]
    unique = list({(s.episode_id, s.agent, s.model): s for s in scores}.values())
    shuffled = shuffler.sample(unique, len(unique))
    one, other = noisyeqa_scores(unique), noisyeqa_scores(shuffled)
    assert [each.setup for each in one.setups] == [each.setup for each in other.setups]
    for first, second in zip(one.setups, other.setups, strict=True):
        for key in ("detection_rate", "correction_rate"):
            for kind in TYPES:
                figure = first.by_type[key][kind]
                assert math.isnan(figure.value) or 0.0 <= figure.low <= figure.value + 1e-12 <= figure.high + 1e-9
                assert figure == second.by_type[key][kind] or math.isnan(figure.value)
        detected, corrected = (first.by_type[key][ALL].value for key in ("detection_rate", "correction_rate"))
        assert math.isnan(detected) or detected >= corrected
        balanced, same = first.overall["balanced"], second.overall["balanced"]
        assert math.isnan(balanced.value) or 0.0 <= balanced.value <= 1.0
        assert math.isnan(balanced.value) or balanced.value == pytest.approx(same.value)
        assert math.isnan(balanced.low) or balanced.low == pytest.approx(same.low)
    for gain in one.gains:
        assert math.isnan(gain.by_type[ALL].value) or -1.0 <= gain.by_type[ALL].value <= 1.0


def test_pairs_are_of_one_scene() -> None:
    noisy, clean = half("s1-01", True, 5, question="red?"), half("s1-01", False, 5, question="blue?")
    elsewhere = half("s1-01", False, 5, scene="s2", question="blue?")
    assert len(twins([noisy, clean])) == 1
    assert twins([noisy, elsewhere]) == ()


def test_shares_have_intervals_over_whole_scenes() -> None:
    """Ten scenes of eight questions that succeed or fail together tell no more than ten questions."""
    scenes = [f"s{k // 8}" for k in range(80)]
    flags = [k // 8 % 2 == 0 for k in range(80)]
    together = share_over_scenes("k", "K", scenes, flags)
    apart = share_over_scenes("k", "K", [str(k) for k in range(80)], flags)
    assert (together.value, together.n, together.percent) == (0.5, 80, True)
    assert together.high - together.low == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 10), abs=0.08)
    assert apart.high - apart.low == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 80), abs=0.04)


@pytest.mark.parametrize("flags", [[True] * 6, [False] * 6])
def test_shares_have_at_least_wilsons_interval(flags: list[bool]) -> None:
    figure = share_over_scenes("k", "K", ["a", "a", "b", "b", "c", "c"], flags)
    assert (figure.low, figure.high) == wilson(sum(flags), 6)
    alone = share_over_scenes("k", "K", ["a"] * 4, [True, False, True, True])
    assert (alone.low, alone.high) == wilson(3, 4)
    rare = share_over_scenes("k", "K", [f"s{k // 4}" for k in range(96)], [k == 7 for k in range(96)])
    assert (rare.low, rare.high) == (0.0, wilson(1, 96)[1])
    none = share_over_scenes("k", "K", [], [])
    assert (none.n, math.isnan(none.low), math.isnan(none.value)) == (0, True, True)


def test_the_main_shares_are_resampled_by_scene() -> None:
    scores = [
        half(f"s{scene}-{k}", noisy, 5 if scene else 1, false_alarm=not scene and not noisy)
        for scene in range(3)
        for k in range(4)
        for noisy in (True, False)
    ]
    by_type, overall = only(noisyeqa_scores(scores))
    for figure in (by_type["detection_rate"][ALL], by_type["correction_rate"]["COLOR"], overall["clean_accuracy"]):
        assert (figure.value, figure.low, figure.high) == pytest.approx((2 / 3, 0.0, 1.0))
    assert overall["false_alarm_rate"].high == pytest.approx(1.0)
