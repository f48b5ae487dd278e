"""Questions of an ordinary set in the review of a benchmark that offers reasons."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from row_tables import each_row

from vantage.benchmarks.protocol import Review
from vantage.benchmarks.review.item import ViewFigure
from vantage.benchmarks.review.questions import question_episodes, question_items
from vantage.benchmarks.review.set_review import SetReview
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths, save_set
from vantage.errors import FormatError

REASONS = ("needs several views", "hidden")
REVIEW = SetReview("question", question_episodes, question_items, "Accept what one look answers.", "Category", REASONS)


def marks_file(folder: Path, episode_set: EpisodeSet, marks: Any) -> Path:
    path = folder / "marks.json"
    values = {"schema": "vantage.review/1", "set": episode_set.info.content_hash, "marks": marks}
    path.write_text(json.dumps(values))
    return path


def test_it_is_a_review_of_a_benchmark() -> None:
    review: Review = REVIEW
    assert (review.item, review.items) == ("question", "questions")


def test_question_answer_start_and_goal_are_told(search_set: EpisodeSet) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    keys = []
    for item in REVIEW.items_of(search_set):
        keys.append(item.key)
        gold = truths[item.key].questions[0]
        told = dict(item.rows)
        episode = next(each for each in search_set.episodes if each.episode_id == item.key)
        assert told["Question"] == episode.questions[0].text
        assert gold.answer in told["Answer"] or told["Answer"] == "none"
        assert told.get("Falsehood", "") == gold.false_claim
        assert item.kind == gold.kind
        pictures = "".join(figure.html(1.2) for figure in item.figures)
        assert re.findall("<figcaption>(Start|Goal)", pictures) == ["Start", "Goal"]
        assert pictures.count("data:image/jpeg;base64,") == 2
    assert keys == [episode.episode_id for episode in search_set.episodes]


def test_a_pair_of_several_starts_is_one_item_by_its_category(search_set: EpisodeSet, tmp_path: Path) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    first, second, *others = (truths[episode.episode_id] for episode in search_set.episodes)
    gold = tuple(replace(question, category="OS") for question in first.questions)
    truths_now = [replace(first, pair_id="p1", questions=gold), replace(second, pair_id="p1"), *others]
    # Only the gold data change: the scenes and goal images are those of the set.
    folder = Path(shutil.copytree(search_set.folder, tmp_path / "set"))
    made = save_set(folder, search_set.info, search_set.episodes, truths_now)
    episodes = question_episodes(made)
    items = {item.key: item for item in question_items(made)}
    assert episodes["p1"] == (first.episode_id, second.episode_id)
    assert list(items) == list(episodes)
    assert items["p1"].group == "OS"
    assert [figure.caption for figure in items["p1"].figures] == ["Start 1", "Goal 1", "Start 2", "Goal 2"]


def test_reasons_are_counted_and_said(search_set: EpisodeSet, tmp_path: Path) -> None:
    one, two, three, _ = (episode.episode_id for episode in search_set.episodes)
    marks = {
        one: {"verdict": "accept", "note": ""},
        two: {"verdict": "reject", "note": "too far", "reason": "hidden"},
        three: {"verdict": "reject", "note": ""},
    }
    found = REVIEW.apply(search_set.folder, marks_file(tmp_path, search_set, marks), tmp_path / "accepted")
    assert found.problems() == [f"question '{two}' was rejected: hidden; too far", f"question '{three}' was rejected"]
    assert found.to_json()["reasons"] == {"hidden": 1}
    assert [episode.episode_id for episode in load_set(tmp_path / "accepted").episodes] == [one]


@each_row(
    "mark, words",
    [
        ({"verdict": "reject", "reason": "ugly"}, "must be one of: needs several views, hidden"),
        ({"verdict": "reject", "reason": 3}, "has a reason that the page does not offer"),
        ({"verdict": "later"}, "the mark of question '.*' must be accept or reject"),
    ],
)
def test_marks_that_the_page_does_not_make_are_refused(
    search_set: EpisodeSet, tmp_path: Path, mark: Any, words: str
) -> None:
    path = marks_file(tmp_path, search_set, {search_set.episodes[0].episode_id: mark})
    with pytest.raises(FormatError, match=words):
        REVIEW.apply(search_set.folder, path)


def test_a_view_that_cannot_be_taken_is_said_to_be_missing() -> None:
    assert "Start: no picture" in ViewFigure("Start", lambda: None).html(1.2)
