"""The campaign of flipped bits counts what scoring makes of them, and leaves the bag as it was."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from gold_bags import Telling, gold, record, said

from vantage.bench import flipped_bags as campaign
from vantage.bench.flipped_bags import bench_flipped_bags
from vantage.errors import VantageError

COUNTED = ("refused_bags", "same", "unnoticed", "crashed")


def agent() -> Telling:
    return Telling(("x+", "yaw+"), said("red"))


def digest(bag: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(bag.iterdir()))).hexdigest()


def test_every_flip_is_counted_once_and_the_same_again_with_the_same_seed(tmp_path: Path) -> None:
    (bag, _), told = record(tmp_path / "bags", "one", agent(), gold()), list[str]()
    before, found = digest(bag), []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        found.append(bench_flipped_bags(bag, 40, 7, tmp_path / name, told.append))
        assert digest(tmp_path / name / "one") == before, "each flip is taken back"
    assert digest(bag) == before
    assert sum(found[0][key] for key in COUNTED) == found[0]["flips"] == 40
    assert found[0] == found[1]
    assert len(found[0]["places"]["unnoticed"]) == found[0]["unnoticed"]
    assert told


def test_what_scoring_does_with_a_changed_bag_is_what_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bag, _ = record(tmp_path / "bags", "one", agent(), gold())
    sound = campaign.score_bag(bag)
    copy, answers = tmp_path / "one", []

    def score(path: Path) -> object:
        if path != copy:
            return sound
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(campaign, "score_bag", score)
    monkeypatch.setattr(campaign, "_messages", lambda path: [len(answers)] if path == copy else [1])
    answers += [sound, replace(sound, steps=99), replace(sound, complete=False), KeyError("x"), VantageError("refused")]
    found = bench_flipped_bags(bag, 5, 1, tmp_path, lambda text: None)
    assert {key: found[key] for key in (*COUNTED, "other_scores")} == {
        "refused_bags": 2,
        "same": 0,
        "unnoticed": 2,
        "other_scores": 1,
        "crashed": 1,
    }


def test_a_bag_that_is_not_scored_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VantageError, match="give a complete bag"):
        bench_flipped_bags(tmp_path / "none", 1, 1, tmp_path, lambda text: None)
