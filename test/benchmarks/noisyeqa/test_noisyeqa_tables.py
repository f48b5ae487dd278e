"""NoisyEQA's tables from bags: on screen, as Markdown, as JSON and in the report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from noisy_bags import CLEAN, NOISY, record_half, record_run, told

from vantage.benchmarks.noisyeqa.noisyeqa_scores import noisyeqa_scores
from vantage.benchmarks.statistics.calibration_figures import Bin
from vantage.cli.main import main
from vantage.errors import RecordingError
from vantage.reports.charts import reliability_plot
from vantage.reports.report import write_report
from vantage.reports.scoring import runs_of, score_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs side by side in one folder."""
    root = tmp_path_factory.mktemp("runs")
    for agent in ("static", "search"):
        for mode in ("plain", "nacot"):
            record_run(root / f"{agent}-{mode}", agent, mode)
    return root


def cells(table: str, row: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    line = next(line for line in table.splitlines() if line.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_one_command_prints_the_tables(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(runs), "--markdown"]) == 0
    printed = capsys.readouterr().out
    sections = {part.split("**", 1)[0]: part for part in printed.split("\n**")[1:]}
    correction = next(part for title, part in sections.items() if title.startswith("CR, %"))
    rows = [line.split("|")[1].strip() for line in correction.splitlines() if line.startswith("| s")]
    assert rows == ["static, plain", "static, NACoT", "search, plain", "search, NACoT"]
    assert cells(correction, "search, NACoT")[-1].startswith("75.0 [")
    assert cells(correction, "static, NACoT")[-1].startswith("50.0 [")
    assert cells(correction, "static, plain")[-1].startswith("0.0 [")
    assert cells(correction, "search, NACoT")[0].startswith("100.0 [")
    assert cells(correction, "search, NACoT")[3] == "-"
    quality = next(part for title, part in sections.items() if title.startswith("C, 0-100"))
    assert cells(quality, "search, NACoT")[-1].startswith("75.00 [")
    clean = next(part for title, part in sections.items() if title.startswith("Clean questions"))
    right, shown, accuracy, alarms, balanced, error, drop, extra, collisions = cells(clean, "search, NACoT")
    assert right.startswith("100.0 [")
    assert shown.startswith("100.0 [")
    assert accuracy.startswith("100.0 [")
    assert alarms.startswith("0.0 [")
    assert balanced.startswith("85.7 [")
    assert error.startswith("0.11 [")  # |6 right - 5.6| of the surest bin, |1 - 0.8| and |0 - 0.3|, over 8 answers
    assert drop.startswith("0.22 [")  # 0.05, 0.15, 0.05 and 0.65
    assert extra.startswith("2.67 [")  # without the pair of type LATENT
    assert collisions.startswith("0.00 [")
    gain = next(part for title, part in sections.items() if title.startswith("Gain of moving"))
    assert cells(gain, "search, NACoT")[8].startswith("25.0 [")
    assert cells(gain, "search, plain")[8].startswith("0.0 [")
    numbers = next(part for title, part in sections.items() if title.startswith("Questions"))
    assert cells(numbers, "search, NACoT") == ["1", "0", "3", "0", "0", "0", "0", "0", "4", "4", "4", "0"]


def test_json_holds_every_figure_with_its_interval(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *(str(run) for run in sorted(runs.iterdir())), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {group["model"] for group in document["groups"]} == {"symbolic/plain", "symbolic/nacot"}
    assert len(document["episodes"]) == 32
    setups = document["noisyeqa"]["setups"]
    assert [(each["agent"], each["mode"], each["reasoner"]) for each in setups][:2] == [
        ("static", "plain", "symbolic"),
        ("static", "nacot", "symbolic"),
    ]
    figure = setups[3]["by_type"]["correction_rate"]["ALL"]
    assert (figure["value"], figure["n"]) == (0.75, 4)
    assert (figure["low"], figure["high"]) == pytest.approx((0.3006, 1.0), abs=1e-4)  # of Wilson, of the scenes
    assert setups[3]["by_type"]["c"]["SHAPE"]["value"] is None
    assert sum(each["n"] for each in setups[3]["reliability"]) == 8
    (gain,) = [each for each in document["noisyeqa"]["gains"] if each["mode"] == "nacot"]
    assert gain["correction_rate"]["ALL"]["value"] == 0.25


def test_a_folder_of_runs_stands_for_its_runs(runs: Path, tmp_path: Path) -> None:
    assert [run.name for run in runs_of(runs)] == ["search-nacot", "search-plain", "static-nacot", "static-plain"]
    assert runs_of(runs / "search-plain") == [runs / "search-plain"]
    both, all_of_them = score_runs([runs, runs / "search-plain"]).scores, score_runs(runs).scores
    assert repr(both) == repr(all_of_them), "scores hold NaN, which equals nothing"
    with pytest.raises(RecordingError, match="holds no bag"):
        runs_of(tmp_path)


def test_who_ran_out_of_steps_counts_for_the_model_of_the_run(tmp_path: Path) -> None:
    record_half(tmp_path, "s1-01", NOISY, told("in the box", 0.4), 2)
    record_half(tmp_path, "s1-01", CLEAN, None, 3)
    table = score_runs(tmp_path)
    assert {score.model for score in table.complete} == {"symbolic/nacot"}
    (setup,) = noisyeqa_scores(table.complete).setups
    assert setup.overall["clean_accuracy"].value == 0.0
    assert setup.overall["confidence_drop"].n == 0
    assert setup.overall["extra_steps"].n == 1


def test_other_benchmarks_have_no_such_tables(tmp_path: Path) -> None:
    from gold_bags import Telling, gold, record, said

    record(tmp_path, "e1", Telling([], said("red")), gold())
    table = score_runs(tmp_path)
    assert "noisyeqa" not in table.to_json()
    assert "NoisyEQA" not in table.text()
    assert "NoisyEQA" not in table.markdown()


def test_the_report_holds_tables_and_plots(runs: Path, tmp_path: Path) -> None:
    page = write_report(runs, tmp_path / "report.html").read_text()
    assert page.count('<svg class="reliability"') == 4
    assert "Gain of moving" in page
    assert "search, NACoT" in page
    assert page.count("<article") == 32
    plot = re.search(r'<svg class="reliability".*?</svg>', page, re.DOTALL)
    assert plot is not None
    ElementTree.fromstring(plot[0])


def test_of_many_episodes_the_report_shows_the_worst(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vantage.reports import report

    monkeypatch.setattr(report, "_MOST_CARDS", 5)
    page = write_report(runs, tmp_path / "report.html").read_text()
    assert page.count("<article") == 5
    assert "the 5 of 32 with the lowest scores" in page
    assert "32 episodes scored" in page


def test_the_plot_of_nothing_and_of_something() -> None:
    assert "no answers" in reliability_plot((), "static, plain")
    bins = (Bin(0.2, 0.3, 4, 0.25, 0.5, 0.15, 0.85), Bin(0.9, 1.0, 10, 0.95, 0.9, 0.6, 0.98))
    svg = ElementTree.fromstring(reliability_plot(bins, 'a "b" <c>'))
    bars = [item for item in svg.iter() if item.attrib.get("class") == "bin"]
    assert [float(bar.attrib["height"]) for bar in bars] == pytest.approx([100.0, 180.0])
    assert "95" in svg.attrib["aria-label"] or "0.95" in svg.attrib["aria-label"]
