"""Marks of people for recorded answers: what is shown of them, what is kept, and what `vantage agree` makes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gold_bags import NOISY, Telling, gold, record, said
from row_tables import each_row

from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.cli.main import main
from vantage.errors import FormatError, RecordingError, UsageError
from vantage.reports.answer_marks import MARKS, AnswerToMark, MarkFile, answers_to_mark, read_answer_marks
from vantage.reports.ratings import Kind, Who, read_ratings

NAMES = ("reviewer-1", "reviewer-2")


@pytest.fixture(scope="module")
def bags(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bags")
    for number, word in enumerate(("red", "green", "blue", "red")):
        record(
            folder, f"e{number}", Telling(["x+"], said(word), [1]), gold(NOISY if number == 3 else gold().questions[0])
        )
    return folder


@pytest.fixture(scope="module")
def answers(bags: Path) -> tuple[AnswerToMark, ...]:
    return answers_to_mark(bags)


def test_answers_are_shown_without_who_gave_them_or_what_a_judge_made_of_them(
    answers: tuple[AnswerToMark, ...],
) -> None:
    assert {item.unit.episode_id for item in answers} == {"e0", "e1", "e2", "e3"}
    assert [item.unit.key for item in answers] == sorted(item.unit.key for item in answers)
    by = {item.unit.episode_id: item for item in answers}
    assert (by["e1"].gold, by["e1"].answer) == ("red", "green; answered")
    assert by["e0"].question
    assert "the ball is green" in by["e3"].gold
    assert "the ball is red" in by["e3"].gold
    shown = json.dumps([(item.question, item.gold, item.answer) for item in answers])
    assert not [name for name in filter(None, answers[0].unit.setup) if name in shown]


def test_marks_are_kept_apart_taken_up_again_and_set_against_the_judge(
    bags: Path, answers: tuple[AnswerToMark, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "marks.json"
    right = {item.unit.key: 5 if item.unit.episode_id == "e0" else 1 for item in answers}
    with MarkFile(out, answers, NAMES) as file:
        for key, value in right.items():
            file.mark("reviewer-1", key, value)
        assert file.of("reviewer-2") == {}
        with pytest.raises(UsageError, match="is kept by another review"):
            MarkFile(out, answers, NAMES)
    with MarkFile(out, answers, NAMES) as file:
        assert file.of("reviewer-1") == right
        for key, value in right.items():
            file.mark("reviewer-2", key, max(2, value))
    ratings = read_ratings([bags, out], [RuleJudge()])
    marks = [each for each in ratings if each.kind is Kind.MARK and each.who is Who.PEOPLE]
    judged = {each.unit for each in ratings if each.kind is Kind.MARK and each.who is Who.JUDGES}
    assert {each.unit for each in marks} == judged
    assert sorted(each.value for each in marks) == [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 5.0, 5.0]
    assert main(["agree", str(bags), str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["level"] for each in found["alphas"] if each["kind"] == "MARK"] == ["ORDINAL", "INTERVAL"]
    (against,) = found["against_judges"]
    assert against["spearman"]["value"] > 0.5
    assert against["spearman"]["n"] == 4


def test_only_marks_for_what_is_shown_are_taken(answers: tuple[AnswerToMark, ...], tmp_path: Path) -> None:
    key = answers[0].unit.key
    with MarkFile(tmp_path / "marks.json", answers, NAMES) as file:
        before = file.path.read_bytes()
        for rater, named, value in (
            ("reviewer-3", key, 3),
            ("reviewer-1", "../x", 3),
            *(("reviewer-1", key, value) for value in (0, 6, True, 2.0, "3", None)),
        ):
            with pytest.raises(UsageError, match="a whole number of 1 to 5"):
                file.mark(rater, named, value)
        assert file.path.read_bytes() == before


def test_a_file_of_others_is_left_as_it_is(answers: tuple[AnswerToMark, ...], tmp_path: Path) -> None:
    out = tmp_path / "marks.json"
    MarkFile(out, answers, NAMES).close()
    before = out.read_bytes()
    with pytest.raises(UsageError, match="holds marks of reviewer-1, reviewer-2, not of"):
        MarkFile(out, answers, NAMES[:1])
    with pytest.raises(FormatError, match="marks other answers"):
        MarkFile(out, answers[:2], NAMES)
    assert out.read_bytes() == before
    with pytest.raises(RecordingError):
        answers_to_mark(tmp_path / "nowhere")


def test_what_cannot_be_written_is_not_kept(
    answers: tuple[AnswerToMark, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    key = answers[0].unit.key
    with MarkFile(tmp_path / "marks.json", answers, NAMES) as file:
        monkeypatch.setattr("vantage.files.write_whole", full)
        with pytest.raises(OSError, match="No space"):
            file.mark("reviewer-1", key, 4)
        assert file.of("reviewer-1") == {}


@each_row(
    "change, words",
    [
        ({"answers": []}, "holds no marks of answers"),
        ({"raters": {"a": {"nothing": 3}}}, "of an answer that it names"),
        ({"raters": {"a": 3}}, "holds no marks of answers"),
        ({"answers": {"x": {"benchmark": "b"}}}, "holds no marks of answers"),
    ],
)
def test_a_damaged_file_is_refused(
    answers: tuple[AnswerToMark, ...], tmp_path: Path, change: dict[str, object], words: str
) -> None:
    out = tmp_path / "marks.json"
    MarkFile(out, answers, NAMES).close()
    values = json.loads(out.read_text())
    assert values["schema"] == MARKS
    out.write_text(json.dumps({**values, **change}))
    with pytest.raises(FormatError, match=words):
        read_answer_marks(out)
