"""A review without its pages: what is kept, what is refused, and what becomes of it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from row_tables import each_row
from small_noisyeqa import small_noisyeqa, small_pairs
from small_search import small_search_set

from vantage.benchmarks.review.reviews import read_reviews
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths
from vantage.cli.main import main
from vantage.errors import FormatError, UsageError, VantageError
from vantage.registry import BENCHMARKS
from vantage.web.review.review_session import LEAD, ReviewSession

ACCEPT, REJECT = {"verdict": "accept"}, {"verdict": "reject", "note": "dull"}


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_pairs(tmp_path_factory))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BENCHMARKS._entries, "noisyeqa", small_noisyeqa)


@pytest.fixture
def session(pairs: EpisodeSet, tmp_path: Path) -> Iterator[ReviewSession]:
    with ReviewSession(pairs.folder, tmp_path / "marks.json", reviewers=2) as found:
        yield found


def test_everything_is_shown_of_every_item(session: ReviewSession) -> None:
    assert len(session.keys) == 6
    for key in session.keys:
        article = session.article(key)
        assert dict(article.rows)["Noisy question"]
        assert article.group == session.group(key)
        assert all("data:image/jpeg;base64," in figure for figure in article.figures)
        titles = {field.title for field in session.fields(key)}
        assert {"Question 1", "Question 2", "Falsehood 1", "Answer 2"} <= titles


def test_reviewers_do_not_see_one_another_and_the_lead_sees_where_they_differ(session: ReviewSession) -> None:
    one, two, *_ = session.keys
    session.judge("reviewer-1", one, ACCEPT)
    session.judge("reviewer-1", two, ACCEPT)
    session.judge("reviewer-2", one, ACCEPT)
    session.judge("reviewer-2", two, REJECT)
    assert set(session.own("reviewer-1")) == {one, two}
    assert session.own("reviewer-2")[two].note == "dull"
    assert session.own("nobody") == {}
    assert session.own(LEAD) == {}
    assert session.disagreements() == {two: {"reviewer-1": "accept", "reviewer-2": "reject"}}
    session.judge(LEAD, two, REJECT)
    assert session.disagreements() == {}
    session.withdraw(two)
    assert list(session.disagreements()) == [two]


def test_an_edit_passes_the_checks_of_the_set_or_is_refused(
    session: ReviewSession, pairs: EpisodeSet, tmp_path: Path
) -> None:
    key = session.keys[0]
    names = {field.title: field for field in session.fields(key)}
    corrected = names["Correction 1"]
    wrong = {"verdict": "edit", "edits": {names["Answer 2"].name: "a green elephant"}}
    with pytest.raises(UsageError, match="the edit is not kept, as the set's checks find"):
        session.judge("reviewer-1", key, wrong)
    assert session.own("reviewer-1") == {}
    new = "in fact " + corrected.text
    edit = {"verdict": "edit", "note": "clearer", "edits": {corrected.name: new}}
    for reviewer in session.reviewers:
        session.judge(reviewer, key, edit)
    for reviewer in session.reviewers:
        for other in session.keys[1:]:
            session.judge(reviewer, other, REJECT)
    marks = tmp_path / "marks.json"
    found = session.review.apply(pairs.folder, marks, tmp_path / "accepted")
    assert found.edited == (key,)
    assert "1 of the accepted ones edited" in found.summary()
    made = load_set(tmp_path / "accepted")
    truths = load_truths(made.folder, made.episodes)
    assert new in {truth.questions[0].correction for truth in truths.values()}
    assert small_noisyeqa().validate(made.folder, workers=1) == []


@each_row(
    "visitor, value, words",
    [
        ("reviewer-3", ACCEPT, "nothing of that name is judged here"),
        ("", ACCEPT, "nothing of that name"),
        ("reviewer-1", {"verdict": "perhaps"}, "must be accept or reject"),
        ("reviewer-1", None, "must be accept or reject"),
        ("reviewer-1", {"verdict": "accept", "note": 3}, "with a note in words"),
        ("reviewer-1", {"verdict": "reject", "reason": "ugly"}, "there are none to choose from"),
        ("reviewer-1", {"verdict": "accept", "note": "a" * 2001}, "more than 2000 characters"),
        ("reviewer-1", {"verdict": "edit"}, "must have edits"),
        ("reviewer-1", {"verdict": "edit", "edits": {"9.question": "Why?"}}, "has no text '9.question'"),
        ("reviewer-1", {"verdict": "edit", "edits": {"1.question": " "}}, "must not be empty"),
        ("reviewer-1", {"verdict": "edit", "edits": {"1.question": 7}}, "edits as texts"),
        ("reviewer-1", {"verdict": "accept", "edits": {"1.question": "Why?"}}, "must have edits if it is edit"),
    ],
)
def test_what_is_no_judgement_is_refused(session: ReviewSession, visitor: str, value: Any, words: str) -> None:
    before = session.file.path.read_bytes()
    with pytest.raises(VantageError, match=words):
        session.judge(visitor, session.keys[0], value)
    assert session.file.path.read_bytes() == before


def test_a_thousand_malformed_and_replayed_messages_change_nothing_but_what_is_meant(session: ReviewSession) -> None:
    draw = random.Random(21)
    whole = {"verdict": "reject", "note": "dull", "reason": "", "edits": {}}
    odd: tuple[Any, ...] = (None, 3, [], {}, "accept", True, "\x00", "x" * 5000, {"a": {}}, -1.5)
    kept = refused = 0
    for _ in range(1000):
        value: Any = {
            key: each if draw.random() < 0.8 else draw.choice(odd) for key, each in whole.items() if draw.random() < 0.9
        }
        key = draw.choice((*session.keys, "", "../etc/passwd", "home_9999-01"))
        visitor = draw.choice((*session.reviewers, LEAD, "", "reviewer-9"))
        try:
            session.judge(visitor, key, draw.choice((value, value, draw.choice(odd))))
            kept += 1
        except VantageError:
            refused += 1
    found = read_reviews(session.file.path, "pair")
    assert kept > 0
    assert kept + refused == 1000
    assert {each.name for each in found.reviewers} == {"reviewer-1", "reviewer-2"}
    assert set(found.judged) <= set(session.keys)
    session.judge("reviewer-1", session.keys[0], whole)
    once = session.file.path.read_bytes()
    for _ in range(3):
        session.judge("reviewer-1", session.keys[0], whole)
    assert session.file.path.read_bytes() == once, "what is sent again counts once"


def test_one_file_is_kept_by_one_review_of_the_same_set_and_people(pairs: EpisodeSet, tmp_path: Path) -> None:
    marks = tmp_path / "marks.json"
    with ReviewSession(pairs.folder, marks, 2) as session:
        session.judge("reviewer-2", session.keys[3], REJECT)
        with pytest.raises(UsageError, match="is kept by another review that runs"):
            ReviewSession(pairs.folder, marks, 2)
    with ReviewSession(pairs.folder, marks, 2) as session:
        assert session.own("reviewer-2")[session.keys[3]].verdict == "reject"
    with pytest.raises(UsageError, match="holds judgements of reviewer-1, reviewer-2, not of reviewer-1"):
        ReviewSession(pairs.folder, marks, 1)
    values = json.loads(marks.read_text())
    marks.write_text(json.dumps({**values, "set": "0" * 64}))
    with pytest.raises(FormatError, match="marks of another set"):
        ReviewSession(pairs.folder, marks, 2)
    marks.write_text("{")
    with pytest.raises(FormatError, match="as JSON"):
        ReviewSession(pairs.folder, marks, 2)
    assert marks.read_text() == "{", "what cannot be read is left as it is"


KILLED = """
import sys
sys.path.insert(0, sys.argv[3])
from small_noisyeqa import small_noisyeqa
from vantage.registry import BENCHMARKS
BENCHMARKS._entries["noisyeqa"] = small_noisyeqa
from vantage.web.review.review_session import ReviewSession
session = ReviewSession(sys.argv[1], sys.argv[2], 1)
while True:
    for verdict in ("accept", "reject"):
        for key in session.keys:
            session.judge("reviewer-1", key, {"verdict": verdict})
            print(key, verdict, flush=True)
"""


def test_what_was_confirmed_survives_a_kill(pairs: EpisodeSet, tmp_path: Path) -> None:
    support = Path(__file__).resolve().parents[1] / "support"
    marks, kept = tmp_path / "marks.json", {}
    keys = list(small_noisyeqa().review.episodes_of(pairs))
    for lines in (3, 8, 14):
        command = [sys.executable, "-c", KILLED, str(pairs.folder), str(marks), str(support)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(lines)]
            process.kill()
            said += process.stdout.read().splitlines(keepends=True)
        number = sum(line.endswith("\n") for line in said)
        cycle = [(key, verdict) for verdict in ("accept", "reject") for key in keys]
        given = [cycle[k % len(cycle)] for k in range(number + 1)]
        assert [line.split() for line in said[:number]] == [list(each) for each in given[:number]]
        (reviewer,) = read_reviews(marks, "pair").reviewers
        told = {key: judgement.verdict for key, judgement in reviewer.judgements.items()}
        # the one that was under way may be there, although nobody was told so
        assert told in ({**kept, **dict(given[:number])}, {**kept, **dict(given)})
        kept = told
    with ReviewSession(pairs.folder, marks, 1) as session:
        assert set(session.own("reviewer-1")) == set(session.keys)


def test_sets_that_are_not_reviewed_are_refused(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(UsageError, match="benchmark 'search' are not reviewed"):
        ReviewSession(small_search_set(tmp_path_factory), tmp_path / "marks.json")
    with pytest.raises(FormatError):
        ReviewSession(tmp_path / "nowhere", tmp_path / "marks.json")
    assert not (tmp_path / "marks.json").exists()


def test_too_many_reviewers_are_refused(pairs: EpisodeSet, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="1 to 20 reviewers, not 21"):
        ReviewSession(pairs.folder, tmp_path / "marks.json", 21)


def test_agreement_is_told_of_the_file(session: ReviewSession, capsys: pytest.CaptureFixture[str]) -> None:
    for key in session.keys:
        session.judge("reviewer-1", key, ACCEPT if key < session.keys[3] else REJECT)
        session.judge("reviewer-2", key, ACCEPT if key < session.keys[2] else REJECT)
    assert main(["agree", str(session.file.path)]) == 0
    assert f"review of {session.keys[2]}: reviewer-1 accept, reviewer-2 reject" in capsys.readouterr().out
