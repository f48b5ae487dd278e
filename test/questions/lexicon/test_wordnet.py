"""The reader of WordNet, on files made here and on the real ones where these are installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from vantage.errors import MissingExtraError
from vantage.questions.lexicon.wordnet import WordNet, installed

_LICENCE = "  1 a remark of the licence\n  2 another one\n"


@pytest.fixture
def small(tmp_path: Path) -> WordNet:
    """Four senses: object above vessel and seat, vessel above mug (also cup)."""
    entries = [  # number, topic, words, hypernym
        ("thing", 6, ("thing",), None),
        ("vessel", 6, ("vessel",), "thing"),
        ("seat", 6, ("seat", "place_to_sit"), "thing"),
        ("mug", 6, ("mug", "Coffee_Mug"), "vessel"),
    ]
    names = [name for name, *_ in entries]
    offsets = dict.fromkeys(names, 0)
    for _ in range(2):  # the second time with the right offsets
        text = _LICENCE
        for name, topic, words, above in entries:
            offsets[name] = len(text)
            pointers = [f"@ {offsets[above]:08d} n 0000"] if above else []
            pointers += [f"~ {offsets[low]:08d} n 0000" for low, *_, up in entries if up == name]
            said = " ".join(f"{word} 0" for word in words)
            text += (
                f"{offsets[name]:08d} {topic:02d} n {len(words):02x} {said} {len(pointers):03d} "
                f"{' '.join(pointers)} | a gloss  \n"
            )
    (tmp_path / "data.noun").write_text(text)
    lemmas = {word.lower(): offsets[name] for name, _, words, _ in entries for word in words}
    index = [f"{lemma} n 1 2 @ ~ 1 0 {offset:08d}  \n" for lemma, offset in sorted(lemmas.items())]
    (tmp_path / "index.noun").write_text(_LICENCE + "".join(index))
    return WordNet(tmp_path)


def test_finds_every_word(small: WordNet) -> None:
    for word in ("thing", "vessel", "seat", "mug", "coffee mug", "Place to sit"):
        (sense,) = small.senses(word)
        assert word.lower() in small.synset(sense).words


def test_unknown_words_have_no_sense(small: WordNet) -> None:
    for word in ("", "aaa", "mu", "mugs", "zzz", "1", "  ", "é" * 100):
        assert small.senses(word) == ()


def test_steps_to_all_that_is_above(small: WordNet) -> None:
    (mug,), (vessel,), (obj,) = (small.senses(word) for word in ("mug", "vessel", "thing"))
    assert small.ancestors(mug) == {mug: 0, vessel: 1, obj: 2}
    assert small.ancestors(obj) == {obj: 0}


def test_all_kinds_of_a_sense_once(small: WordNet) -> None:
    (obj,) = small.senses("thing")
    words = [small.synset(offset).words[0] for offset in small.kinds(obj)]
    assert sorted(words) == ["mug", "seat", "thing", "vessel"]


def test_absent_files_are_named_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match="wordnet-base"):
        WordNet(tmp_path)
    (tmp_path / "index.noun").write_text("")
    (tmp_path / "data.noun").write_text("")
    with pytest.raises(MissingExtraError, match="wordnet-base"):
        WordNet(tmp_path)


@pytest.mark.needs("wordnet")
def test_reads_the_real_files() -> None:
    wordnet = installed()
    assert "couch" in wordnet.synset(wordnet.senses("sofa")[0]).words
    assert len(wordnet.senses("table")) == 6
    above = {wordnet.synset(offset).words[0] for offset in wordnet.ancestors(wordnet.senses("sofa")[0])}
    assert {"seat", "furniture", "entity"} <= above
    assert wordnet.senses("'s gravenhage")
    assert wordnet.senses("zyrian")
