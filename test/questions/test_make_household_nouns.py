"""The tables of household nouns are what the tool computes, where WordNet is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

import make_household_nouns
from make_household_nouns import counted_senses, main
from vantage.errors import MissingExtraError


@pytest.mark.needs("wordnet")
def test_the_tables_are_what_the_tool_computes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr()


def test_senses_are_counted_by_noun_and_number(tmp_path: Path) -> None:
    (tmp_path / "cntlist.rev").write_text("cup%1:06:00:: 1 14\nput_on%2:35:00:: 1 3\ntea_cup%1:06:00:: 2 5\n")
    assert counted_senses(tmp_path) == {("cup", 1): 14, ("tea cup", 2): 5}


def test_without_wordnet_the_tool_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_household_nouns, "installed", lambda: None)
    assert main(["--check"]) == 1
    assert "wordnet-base" in capsys.readouterr().err
    with pytest.raises(MissingExtraError, match="wordnet-base"):
        counted_senses(tmp_path)
