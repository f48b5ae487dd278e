"""Figures of written questions by type of noise and by kind."""

from __future__ import annotations

from vantage.benchmarks.statistics import EpisodeScore
from vantage.benchmarks.written.written_tables import section


def score(number: int, mark: float, noise: str = "", kind: str = "color", **more: bool | str) -> EpisodeScore:
    return EpisodeScore(
        f"q-{number}",
        "written",
        "search",
        "degraded",
        "rules",
        complete=True,
        judge_score=mark,
        success=mark == 5,
        noisy=bool(noise),
        noise_type=noise or "NONE",
        kind=kind,
        scene=f"home_{number % 2}",
        model="symbolic/nacot",
        **more,
    )


def test_shares_are_of_the_questions_of_a_type() -> None:
    noisy = [score(1, 5.0, "LATENT"), score(2, 3.0, "COLOR"), score(3, 4.0, "COLOR"), score(4, 1.0, "COLOR")]
    clean = [score(5, 5.0), score(6, 1.0, false_alarm=True), score(7, 5.0, kind="count")]
    told = section([*noisy, *clean])
    assert told is not None
    (setup,) = told.data["setups"]
    assert setup["by_type"]["all"]["detection_rate"]["value"] == 0.75
    assert setup["by_type"]["color"]["correction_rate"]["value"] == 1 / 3
    assert setup["by_kind"]["all"]["clean_accuracy"]["value"] == 2 / 3
    assert setup["by_kind"]["color"]["false_alarm_rate"]["value"] == 0.5
    assert [row[:2] for row in told.tables[0][1][0].rows] == [("all", "4"), ("color", "3"), ("latent", "1")]
    assert "Clean questions by kind" in told.text()


def test_setups_have_tables_of_their_own() -> None:
    other = EpisodeScore("q-1", "written", "static", "degraded", "rules", complete=True, judge_score=1.0)
    told = section([score(1, 5.0), other])
    assert told is not None
    assert [heading.split(",")[0] for heading, _ in told.tables] == ["search", "static"]


def test_controls_have_tables_of_their_own() -> None:
    told = section([score(1, 5.0), score(1, 1.0, control="frames=3")])
    assert told is not None
    assert [setup["control"] for setup in told.data["setups"]] == ["", "frames=3"]
    assert told.tables[1][0].endswith(", control frames=3")


def test_other_benchmarks_have_none() -> None:
    assert section([EpisodeScore("q-1", "search", complete=True), EpisodeScore("q-2", "written")]) is None
