"""Replies by hand: what is taken in, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from row_tables import each_row

from vantage.errors import FormatError, UsageError
from vantage.panel import CANNOT, Panel, read_readers, reader_name, take_replies


def test_replies_are_taken_from_csv_and_json(panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "by_hand.csv").write_text(f"number,reply\n1,{CANNOT.upper()}\n\n2, {panel.asked[1].replies[0]} \n")
    (tmp_path / "by_hand.json").write_text(json.dumps({"1": panel.asked[0].replies[1]}))
    first = take_replies(panel, tmp_path / "by_hand.csv", "ann", "person")
    second = take_replies(panel, tmp_path / "by_hand.json", "bert", "model", "m:1")
    assert first.replies == {1: CANNOT, 2: panel.asked[1].replies[0]}
    assert (first.who, second.who) == ("ann (person)", "bert (m:1)")
    assert read_readers(panel) == [first, second]


def test_nobody_answers_twice(panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "by_hand.csv").write_text(f"1,{CANNOT}\n")
    take_replies(panel, tmp_path / "by_hand.csv", "ann", "person")
    with pytest.raises(UsageError, match="reader 'ann' has answered this panel"):
        take_replies(panel, tmp_path / "by_hand.csv", "ann", "person")
    shutil.copy(panel.folder / "readers" / "ann.json", panel.folder / "readers" / "copy.json")
    with pytest.raises(FormatError, match="two files of reader 'ann'"):
        read_readers(panel)


@pytest.mark.parametrize("name", ["", "../up", "a b", ".hidden", "x" * 65])
def test_a_name_that_is_no_file_is_refused(panel: Panel, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="a reader cannot be called"):
        take_replies(panel, tmp_path / "by_hand.csv", name, "person")


def test_a_model_gives_its_reader_a_name() -> None:
    assert reader_name("openai:org/model v2") == "openai-org-model-v2"
    assert reader_name("///") == "model"


@each_row(
    "name, text, told",
    [
        ("a.csv", "", "holds no reply"),
        ("a.csv", "1\n", "is no number and reply"),
        ("a.csv", "one,red\n", "is no number and reply"),
        ("a.csv", f"1,{CANNOT}\n1,{CANNOT}\n", "replies to frame 1 twice"),
        ("a.csv", f"9999,{CANNOT}\n", "replies to frame 9999"),
        ("a.csv", "1,zeppelin\n", "'zeppelin' was not offered for frame 1"),
        ("a.json", "[]", "no object of replies"),
        ("a.json", '{"1": 2}', "no object of replies"),
        ("a.json", '{"one": "red"}', "no object of replies"),
        ("b.csv", None, "does not exist"),
    ],
)
def test_replies_that_cannot_be_meant_are_refused(
    drawn_panel: Panel, tmp_path: Path, name: str, text: str | None, told: str
) -> None:
    tmp_path.mkdir(exist_ok=True)
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=told):
        take_replies(drawn_panel, tmp_path / name, "ann", "person")
    assert not (drawn_panel.folder / "readers").exists()


def test_a_file_of_another_panel_or_kind_is_refused(panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "by_hand.csv").write_text(f"1,{CANNOT}\n")
    take_replies(panel, tmp_path / "by_hand.csv", "ann", "person")
    path = panel.folder / "readers" / "ann.json"
    held = json.loads(path.read_text())
    for change, told in (
        ({"panel": "another"}, "answers another panel"),
        ({"kind": "cat"}, "neither person nor model"),
        ({"replies": {"1": "zeppelin"}}, "was not offered"),
        ({"replies": {"one": CANNOT}}, "is not as it was written"),
    ):
        path.write_text(json.dumps({**held, **change}))
        with pytest.raises(FormatError, match=told):
            read_readers(panel)
