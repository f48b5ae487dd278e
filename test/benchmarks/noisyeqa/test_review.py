"""What people are told of pairs, and what becomes of their marks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_noisyeqa import small_noisyeqa

from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths
from vantage.benchmarks.sets.noisy_pairs import pairs_of
from vantage.errors import FormatError, UsageError
from vantage.types import NoiseType

REVIEW = NoisyEqaBenchmark().review


def marks_file(folder: Path, episode_set: EpisodeSet, marks: Any, **changes: Any) -> Path:
    values = {"schema": "vantage.review/1", "set": episode_set.info.content_hash, "marks": marks, **changes}
    path = folder / "marks.json"
    path.write_text(json.dumps(values))
    return path


def test_everything_about_every_pair_is_told(noisy_set: EpisodeSet) -> None:
    pairs, _ = pairs_of(noisy_set, load_truths(noisy_set.folder, noisy_set.episodes))
    items = {item.key: item for item in REVIEW.items_of(noisy_set)}
    assert list(items) == list(pairs)
    for key, pair in pairs.items():
        gold = pair.noisy.gold
        told = dict(items[key].rows)
        for words in (pair.noisy.text, pair.clean.text, gold.false_claim, gold.correction):
            assert words in told.values()
        one = pair.noisy.truth.goal == pair.clean.truth.goal and gold.noise_type != NoiseType.LATENT
        pictures = [figure.html(1.2) for figure in items[key].figures]
        assert len(pictures) == (1 if one else 2)
        assert all("data:image/jpeg;base64," in picture for picture in pictures)


def test_accepted_pairs_are_a_sound_set_of_their_own(noisy_set: EpisodeSet, tmp_path: Path) -> None:
    marks = {
        "home_15001-02": {"verdict": "accept", "note": ""},
        "home_15001-01": {"verdict": "reject", "note": "too dark"},
    }
    review = REVIEW.apply(noisy_set.folder, marks_file(tmp_path, noisy_set, marks), tmp_path / "accepted")
    assert review.summary() == "1 pairs accepted, 1 rejected, 4 without a mark"
    assert review.problems() == ["pair 'home_15001-01' was rejected: too dark"]
    made = load_set(tmp_path / "accepted")
    assert [episode.episode_id for episode in made.episodes] == ["home_15001-02-noisy", "home_15001-02-clean"]
    assert list(made.info.scenes) == ["home_15001"]
    assert small_noisyeqa().validate(made.folder, workers=1) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "other/1"}, "holds no marks"),
        ({"marks": []}, "holds no marks"),
        ({"set": "0" * 64}, "marks of another set"),
        ({"marks": {"home_15000-99": {"verdict": "accept"}}}, "marks pair 'home_15000-99', which the set lacks"),
        ({"marks": {"home_15000-01": {"verdict": "perhaps"}}}, "must be accept or reject"),
        ({"marks": {"home_15000-01": "accept"}}, "must be accept or reject"),
        ({"marks": {"home_15000-01": {"verdict": "accept", "note": 3}}}, "with a note in words"),
        ({"marks": {"home_15000-01": {"verdict": "reject", "reason": "ugly"}}}, "there are none to choose from"),
    ],
)
def test_marks_that_are_none_are_refused(
    noisy_set: EpisodeSet, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(FormatError, match=words):
        REVIEW.apply(noisy_set.folder, marks_file(tmp_path, noisy_set, **{"marks": {}, **changes}))


def test_a_file_of_marks_that_is_cut_is_refused(noisy_set: EpisodeSet, tmp_path: Path) -> None:
    path = marks_file(tmp_path, noisy_set, {})
    path.write_text(path.read_text()[:-3])
    with pytest.raises(FormatError, match=r"marks\.json as JSON"):
        REVIEW.apply(noisy_set.folder, path)


def test_nothing_accepted_is_no_set(noisy_set: EpisodeSet, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no pair was accepted"):
        REVIEW.apply(noisy_set.folder, marks_file(tmp_path, noisy_set, {}), tmp_path / "accepted")
    assert not (tmp_path / "accepted").exists()
