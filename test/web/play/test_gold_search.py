"""Gold data is found in whatever a server sends, and what is meant to be sent is not taken for it."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import checked_hash, load_set
from vantage.runs import Job, prepared
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question, Truth, TruthQuestion
from vantage.web.play import CONSENT, Study, make_seats, play_server, study_episodes
from vantage.web.play.gold_search import GoldSearch, secrets_of, texts_in
from vantage.web.play.pages import _SeatPage
from vantage.web.play.trial_run import try_out

PNG = cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes()
PAGE = '<title>Vantage</title><script>parseElements(String.raw`{"4": {"text": "%s"}}`)</script>'


def message(*values):
    return ("42" + json.dumps(["update", *values])).encode()


def with_chunk(png, kind, data):
    """A picture with one more chunk before its end."""
    return png[:-12] + len(data).to_bytes(4, "big") + kind + data + b"\0\0\0\0" + png[-12:]


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("message", message({"_id": 3, "7": {"text": "It is Teal."}})),
        ("message", message({"7": {"props": {"data-gold": "teal"}}})),
        ("message", message({"7": {"teal": 1}})),
        ("message", b'42["run_javascript", {"code": "x = \'teal\'"'),  # cut off: no JSON
        ("page", (PAGE % "teal").encode()),
        ("page", (PAGE % "").replace("Vantage", "teal").encode()),
        ("header", b"x-hint: teal"),
        ("picture", with_chunk(PNG, b"tEXt", b"hint\0teal")),
        ("picture", PNG + b"teal"),
        ("picture", b"no picture, but teal"),
    ],
)
def test_gold_is_found_wherever_it_is_sent(kind, sent):
    search = GoldSearch()
    search.heard(kind, sent)
    search.search(["teal"], frozenset())
    assert [gold for gold, _ in search.found] == ["teal"]
    assert search.received == len(sent)


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("message", message({"7": {"text": "two steals of steel"}})),  # within a word
        ("message", message({"7": {"text": "Is it teal?"}})),  # the question
        ("message", message({"7": {"text": "what all see: teal"}})),
        ("message", message({"7": {"props": {"src": f"/picture/{'-' * 32}/12"}}})),
        ("message", b'0{"sid": "a-12-teal"}'),
        ("message", b"2"),
        ("header", b"content-length: 12"),
        ("picture", PNG),
    ],
)
def test_what_is_meant_to_be_sent_is_no_gold(kind, sent):
    search = GoldSearch()
    search.heard("message", message({"3": {"text": "what all see: teal"}}))
    search.learn()
    search.heard(kind, sent)
    search.search(["teal", "12"], frozenset(("Is it teal?",)))
    assert search.found == []


def test_what_was_answered_is_no_secret_any_more():
    questions = (Question("q1", "a?"), Question("q2", "b?"))
    episode = Episode("e-noisy", "search", "home", Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0), questions, 9)
    truth = Truth("e-noisy", (TruthQuestion("q1", "k", "red", ("crimson",)), TruthQuestion("q2", "k", "blue")))
    assert {"e-noisy", "home", "red", "crimson", "blue"} <= set(secrets_of(episode, truth, set()))
    later = set(secrets_of(episode, truth, {episode.questions[0].key}))
    assert "blue" in later
    assert not {"red", "crimson"} & later


def test_a_picture_as_it_is_sent_holds_pixels_alone():
    assert list(texts_in("picture", PNG)) == []


@pytest.mark.needs("web")
def test_a_page_that_tells_the_answer_is_found_out(tmp_path_factory, tmp_path, monkeypatch):
    folder = small_search_set(tmp_path_factory, FEW)
    job, episode_set = prepared(Job(folder, tmp_path / "out", "splat", "human", SMALL))
    truths = benchmark_of("search").truths(episode_set)
    study = Study(tmp_path / "out", study_episodes(episode_set, truths), checked_hash(load_set(folder)))
    seats = make_seats(["seat-1"], job, episode_set, study, 600.0)
    told, show = [], _SeatPage._show

    async def tells(page, sight):
        who = study.people[study.sitting("seat-1")]
        if who.practised and not told:
            told.append(truths[who.now.episode_id].questions[0].answer)
            page._evidence.set_text(f"psst: {told[0]}")
        await show(page, sight)

    monkeypatch.setattr(_SeatPage, "_show", tells)
    monkeypatch.setattr(_SeatPage, "_show_marked", lambda page: None)
    with play_server(seats, CONSENT, "plain") as server:
        found = try_out(study, seats, episode_set, server, "plain")
    assert len(told) == 1
    assert (told[0].lower(), f"psst: {told[0]}") in found.gold_sent
    assert found.successes == len(episode_set.episodes), "whose false questions are put right in plain words, too"
