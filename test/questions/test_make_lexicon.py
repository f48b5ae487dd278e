"""The table of related kinds is what the tool computes, where WordNet and the embeddings are installed."""

from __future__ import annotations

import pytest

import make_lexicon
from make_lexicon import differences, entries, in_words
from vantage.questions.lexicon.related_kinds import Entry, Neighbour, table
from vantage.questions.lexicon.wordnet import installed


@pytest.mark.needs("wordnet", "lexicon")
def test_the_table_is_what_the_tool_computes() -> None:
    found = entries(installed())
    assert differences(table(), found) == []
    assert [line.split("\t")[0] for line in in_words(found).splitlines()[1:]] == list(table())


def test_the_tool_says_what_differs() -> None:
    known = dict(table())
    changed = {**known, "mug": known["cup"]}
    del changed["sofa"]
    problems = differences(known, changed)
    assert any(problem.startswith("mug: ") for problem in problems)
    assert "sofa: only in one of the two" in problems
    near = {**known, "mug": Entry(known["mug"].synonyms, known["mug"].broader, (Neighbour("bowl", 0.1, "function"),))}
    assert any("the neighbour bowl differs" in problem for problem in differences(known, near))


def test_small_differences_of_similarity_are_none() -> None:
    known = table()
    entry = known["kettle"]
    shifted = [Neighbour(item.label, item.similarity + 0.001, item.reason) for item in entry.neighbours]
    other = {**known, "kettle": Entry(entry.synonyms, entry.broader, tuple(shifted))}
    assert differences(known, other) == []
    far = [Neighbour(item.label, item.similarity + 0.1, item.reason) for item in entry.neighbours]
    other = {**known, "kettle": Entry(entry.synonyms, entry.broader, tuple(far))}
    assert len(differences(known, other)) == len(far) > 0


def test_without_wordnet_the_tool_says_what_to_install(monkeypatch, capsys) -> None:
    monkeypatch.setattr(make_lexicon, "installed", lambda: None)
    assert make_lexicon.main(["--check"]) == 1
    assert "wordnet-base" in capsys.readouterr().err
