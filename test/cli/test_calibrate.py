"""``vantage calibrate`` on recorded answers."""

import json
from dataclasses import replace

import numpy as np
import pytest
from gold_bags import Telling, gold, record, said

from vantage.answering.calibration import read_calibration
from vantage.cli.main import main
from vantage.types import Verdict

MODEL = "symbolic/nacot"


def run(capsys, *words):
    status = main(list(words))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def run_json(capsys, *words):
    status, out, _ = run(capsys, *words, "--json")
    return status, json.loads(out)


def make_bags(folder, n=24, model=MODEL, perception="privileged", first=0, verdict=Verdict.ANSWERED):
    """Answers that are right as often as they say, and always from 0.9 on."""
    rng = np.random.default_rng(first)
    for k in range(first, first + n):
        stated = float(rng.uniform(0.3, 1.0))
        right = stated > 0.9 or rng.random() < stated
        answer = replace(said("red" if right else "blue", verdict), confidence=stated, model=model)
        record(folder, f"e{k:03d}", Telling([], replace(answer, perception=perception)), gold())
    return folder


@pytest.fixture(scope="module")
def bags(tmp_path_factory):
    return make_bags(tmp_path_factory.mktemp("bags"))


def test_a_calibration_is_learned_from_bags_and_told(bags, tmp_path, capsys):
    out = tmp_path / "c.json"
    status, found = run_json(capsys, "calibrate", str(bags), "--epsilon", "0.2", "--out", str(out))
    assert status == 0
    made = read_calibration(out)
    assert (made.model, made.perception, made.epsilon) == (MODEL, "privileged", 0.2)
    assert (made.learned, made.measured) == (12, 12)
    assert found["coverage"] == pytest.approx(made.coverage)
    assert 0.0 <= found["error_after"] <= 1.0
    assert found["left_out"] == {}
    fields = json.loads(out.read_text())
    assert fields["schema"] == "vantage.calibration/1"
    assert fields["stated"] == sorted(fields["stated"])


def test_the_same_bags_give_the_same_file_and_people_are_told(bags, tmp_path, capsys):
    for name in "ab":
        status, out, err = run(capsys, "calibrate", str(bags), "--out", str(tmp_path / name))
        assert (status, err) == (0, "")
    for words in ("12 answers to learn from, 12 held out", "wanted: 90.0%", "calibration error (ECE)", "--calibration"):
        assert words in out
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_claims_nothing_is_left_out_and_counted(bags, tmp_path, capsys):
    other = make_bags(tmp_path / "more", 3, verdict=Verdict.NEEDS_LOOK, first=100)
    status, found = run_json(capsys, "calibrate", str(bags), str(other), "--out", str(tmp_path / "c.json"))
    assert status == 0
    assert found["left_out"] == {"without a claim": 3}


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["missing"], 1, "there is no folder missing"),
        (["{bags}", "--epsilon", "1.5"], 2, "epsilon must be between 0 and 1"),
        (["{bags}", "--epsilon", "x"], 2, "invalid float"),
        (["{bags}", "--judge", "ruls"], 2, "did you mean 'rules'"),
        (["{few}"], 2, "3 judged answers are too few"),
        (["{bags}", "{other}"], 2, "calibrate each alone"),
        (["{before}"], 2, "were calibrated before"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(words, status, sentence, bags, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folders = {"bags": str(bags)}
    if "few" in words[0]:
        folders["few"] = str(make_bags(tmp_path / "few", 3))
    if "other" in words[-1]:
        folders["other"] = str(make_bags(tmp_path / "other", 2, model="symbolic/plain", first=50))
    if "before" in words[0]:
        folders["before"] = str(make_bags(tmp_path / "before", 2, model=f"{MODEL}+calibrated"))
    out = tmp_path / "c.json"
    given, _, err = run(capsys, "calibrate", *[word.format(**folders) for word in words], "--out", str(out))
    assert given == status
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
    assert not out.exists()
