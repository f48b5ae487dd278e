"""Setups beside each other and beside Table 2 of the paper."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from vantage.benchmarks.excalibur.excalibur_figures import figures, setups_of
from vantage.benchmarks.excalibur.excalibur_tables import section
from vantage.benchmarks.statistics import EpisodeScore


def score(house: int, agent: str, exp: float, ref: float, steps: float, **changes: object) -> EpisodeScore:
    value = exp + (ref - exp) * math.exp(-5e-4 * steps)
    named = {"acc_exp": exp, "acc_ref": ref, "t3": steps, "exqa": value, "k": 5e-4, "acc_exp_count": exp / 2}
    done = EpisodeScore(
        f"house-{house}", "excalibur", agent, "degraded", "exact", True, scene=f"house-{house}", figures=named
    )
    return replace(done, **({"control": "grasp=assisted,feel=grasp"} | changes))  # type: ignore[arg-type]


SCORES = [
    *(score(k, "language", 0.5, 0.5, 0.0) for k in range(6)),
    *(score(k, "curious", 0.7 + 0.01 * k, 0.9, 1000.0 * k) for k in range(6)),
    *(score(k, "curious", 0.6, 0.8, 100.0, control="grasp=friction,feel=grasp") for k in range(6)),
    *(score(k, "curious", 0.8, 0.9, 100.0, perception="privileged") for k in range(6)),
]


def test_json_names_each_setup_with_its_headline() -> None:
    found = section(SCORES)
    assert found is not None
    assert found.key == "excalibur"
    named = [(one["agent"], one["perception"], one["grasp"], one["feel"]) for one in found.data["setups"]]
    assert named == [  # what is harder comes first
        ("curious", "degraded", "friction", "grasp"),
        ("curious", "degraded", "assisted", "grasp"),
        ("language", "degraded", "assisted", "grasp"),
        ("curious", "privileged", "assisted", "grasp"),
    ]
    language = found.data["setups"][2]
    assert {key: language[key] for key in ("acc_exp", "acc_ref", "t3", "exqa")} == {
        "acc_exp": 0.5,
        "acc_ref": 0.5,
        "t3": 0.0,
        "exqa": 0.5,
    }
    json.dumps(found.data)


def test_the_mean_of_episodes_is_not_exqa_of_the_means() -> None:
    curious = [each for each in SCORES if each.agent == "curious" and "assisted" in each.control][:6]
    found = {figure.key: figure for figure in figures(curious)}
    assert found["exqa"].value == pytest.approx(sum(each.figures["exqa"] for each in curious) / 6)
    assert found["exqa_of_means"].value == pytest.approx(0.725 + 0.175 * math.exp(-5e-4 * 2500))
    assert found["exqa_of_means"].value != pytest.approx(found["exqa"].value, abs=1e-3)
    assert found["exqa_of_means"].low < found["exqa_of_means"].value < found["exqa_of_means"].high


def test_agents_are_compared_house_by_house() -> None:
    found = section(SCORES)
    assert found is not None
    gaps = {
        (row["first"]["agent"], row["first"]["control"], row["second"]["agent"]): row["figures"]
        for row in found.data["differences"]
        if row["first"]["perception"] == row["second"]["perception"]
    }
    gap = gaps["language", "grasp=assisted,feel=grasp", "curious"]["acc_exp"]
    assert gap["value"] == pytest.approx(-0.1) or gap["value"] == pytest.approx(-0.225)
    assert gap["n"] == 6
    assert gap["high"] < 0


def test_markdown_has_table_2_beside_and_says_of_which_houses_it_is() -> None:
    found = section(SCORES)
    assert found is not None
    told = found.markdown()
    assert "| Human without replay (ArchitecTHOR) | 63.6 | 87.1 | 759.4 | 79.4 |" in told
    assert "other houses" in told
    assert "degraded, grasp=friction,feel=grasp" in told
    assert "k 0.0005" not in found.text() or "ExQA" in found.text()


def test_an_episode_that_broke_off_counts_for_what_it_has_and_is_named() -> None:
    broken = score(9, "curious", 1.0, math.nan, math.nan, incomplete_reason="scored until phase 'answer': it blew up")
    found = section([*SCORES, broken])
    assert found is not None
    row = next(one for one in found.data["setups"] if one["grasp"] == "assisted" and one["agent"] == "curious")
    assert (row["episodes"], row["figures"]["acc_exp"]["n"], row["figures"]["acc_ref"]["n"]) == (7, 7, 6)
    assert row["figures"]["exqa_of_means"]["n"] == 6
    assert "it blew up" in found.markdown()


def test_other_benchmarks_and_incomplete_episodes_are_left_out() -> None:
    assert section([replace(SCORES[0], benchmark="search"), replace(SCORES[0], complete=False)]) is None
    assert setups_of([]) == {}
