"""The review page as a browser shows it, and what becomes of the marks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from needs import chromium
from small_noisyeqa import small_noisyeqa

from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
from vantage.benchmarks.sets.episode_json import to_line
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths
from vantage.benchmarks.sets.noisy_pairs import pairs_of
from vantage.errors import FormatError, UsageError
from vantage.types import NoiseType

REVIEW = NoisyEqaBenchmark().review


@pytest.fixture(scope="module")
def page(noisy_set: EpisodeSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "review.html"
    assert REVIEW.write_page(noisy_set.folder, path) == 6
    return path


def marks_file(folder: Path, episode_set: EpisodeSet, marks: Any, **changes: Any) -> Path:
    values = {"schema": "vantage.review/1", "set": episode_set.info.content_hash, "marks": marks, **changes}
    path = folder / "marks.json"
    path.write_text(json.dumps(values))
    return path


def test_the_page_holds_everything_about_every_pair(page: Path, noisy_set: EpisodeSet) -> None:
    text = page.read_text()
    pairs, _ = pairs_of(noisy_set, load_truths(noisy_set.folder, noisy_set.episodes))
    for key, pair in pairs.items():
        gold = pair.noisy.gold
        article = re.search(rf'<article data-item="{key}".*?</article>', text, re.DOTALL)
        assert article is not None
        for words in (pair.noisy.text, pair.clean.text, gold.false_claim, gold.correction, gold.answer):
            assert words in article[0]
        one = pair.noisy.truth.goal == pair.clean.truth.goal and gold.noise_type != NoiseType.LATENT
        assert article[0].count("data:image/jpeg;base64,") == (1 if one else 2)
    assert not re.search(r"(src|href)=\"(?!data:)", text), "one file holds it all"


def test_what_a_set_says_is_escaped(noisy_set: EpisodeSet, tmp_path: Path) -> None:
    shutil.copytree(noisy_set.folder, tmp_path / "set<b>")
    made = load_set(tmp_path / "set<b>")
    lines = [to_line(episode) for episode in made.episodes]
    wicked = json.loads(lines[0])
    wicked["questions"][0]["text"] = "</script><script>alert(1)</script>"
    (made.folder / "episodes.jsonl").write_text("\n".join([json.dumps(wicked), *lines[1:]]) + "\n")
    REVIEW.write_page(made.folder, tmp_path / "review.html")
    text = (tmp_path / "review.html").read_text()
    assert "<script>alert" not in text
    assert "<b>" not in text


@pytest.mark.needs("chromium")
def test_marks_are_kept_counted_and_shown(page: Path, tmp_path: Path) -> None:
    clicks = """<script>
      const boxes = document.querySelectorAll("input[type=radio]");
      boxes[0].click(); boxes[3].click();
      const note = document.querySelectorAll("input[name=note]")[1];
      note.value = "odd"; note.dispatchEvent(new Event("change", { bubbles: true }));
      document.getElementById("state").value = "reject";
      document.getElementById("state").dispatchEvent(new Event("change"));
      document.title = localStorage.getItem(KEY);
    </script></body>"""
    clicked = tmp_path / "clicked.html"
    clicked.write_text(page.read_text().replace("</body>", clicks))
    command = [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", clicked.as_uri()]
    shown = subprocess.run(command, check=True, capture_output=True, timeout=60, text=True).stdout
    assert "1 accepted, 1 rejected, 4 open" in shown
    assert shown.count('hidden=""') == 5
    kept = re.search(r"<title>(.*?)</title>", shown)
    assert kept is not None
    marks = json.loads(kept[1].replace("&quot;", '"'))
    assert list(marks.values()) == [{"verdict": "accept", "note": ""}, {"verdict": "reject", "note": "odd"}]


def test_accepted_pairs_are_a_sound_set_of_their_own(noisy_set: EpisodeSet, tmp_path: Path) -> None:
    marks = {
        "home_4001-02": {"verdict": "accept", "note": ""},
        "home_4001-01": {"verdict": "reject", "note": "too dark"},
    }
    review = REVIEW.apply(noisy_set.folder, marks_file(tmp_path, noisy_set, marks), tmp_path / "accepted")
    assert review.summary() == "1 pairs accepted, 1 rejected, 4 without a mark"
    assert review.problems() == ["pair 'home_4001-01' was rejected: too dark"]
    made = load_set(tmp_path / "accepted")
    assert [episode.episode_id for episode in made.episodes] == ["home_4001-02-noisy", "home_4001-02-clean"]
    assert list(made.info.scenes) == ["home_4001"]
    assert small_noisyeqa().validate(made.folder, workers=1) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "other/1"}, "holds no marks"),
        ({"marks": []}, "holds no marks"),
        ({"set": "0" * 64}, "marks of another set"),
        ({"marks": {"home_4000-99": {"verdict": "accept"}}}, "marks pair 'home_4000-99', which the set lacks"),
        ({"marks": {"home_4000-01": {"verdict": "perhaps"}}}, "must be accept or reject"),
        ({"marks": {"home_4000-01": "accept"}}, "must be accept or reject"),
        ({"marks": {"home_4000-01": {"verdict": "accept", "note": 3}}}, "with a note in words"),
        ({"marks": {"home_4000-01": {"verdict": "reject", "reason": "ugly"}}}, "there are none to choose from"),
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


def test_a_set_without_pairs_has_no_page(search_set: EpisodeSet, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no pair"):
        REVIEW.write_page(search_set.folder, tmp_path / "review.html")
    assert not (tmp_path / "review.html").exists()
