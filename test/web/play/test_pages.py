"""The page of a seat in a real browser: agree, practise, search, answer, load again; and the same without one."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest
from browsers import console_errors, go_by_tab, narrow, sideways, until
from contrast import faint
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import checked_hash, load_set
from vantage.cli.main import main
from vantage.errors import UsageError
from vantage.recording import bags, read_recording, topics
from vantage.reports import score_bag
from vantage.reports.ratings import Who, ratings_of, read_ratings
from vantage.runs import Job, prepared
from vantage.web import Painter, Pictures, WebServer
from vantage.web.bag_story import read_story
from vantage.web.play import CONSENT, PlayPages, Study, digest_of, make_seats, study_episodes
from vantage.web.play.scripted_person import ScriptedPerson


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_search_set(tmp_path_factory, FEW)


@contextmanager
def seated(folder, out, seats=1, **more):
    settings = SMALL.with_values({"agent.mode": "nap", **more}, "test")
    job, episode_set = prepared(Job(folder, out, "splat", "human", settings))
    truths = benchmark_of("search").truths(episode_set)
    study = Study(out, study_episodes(episode_set, truths), checked_hash(load_set(folder)))
    places = make_seats([f"seat-{number}" for number in range(seats)], job, episode_set, study, 600.0)
    try:
        yield study, places, episode_set, truths
    finally:
        for seat in places.values():
            seat.close()


def messages(bag, topic):
    return [message for _, _, message in bags.read_bag(bag, (topic,))]


@pytest.mark.needs("web")
def test_two_people_by_rote_finish_a_study_whose_bags_score_as_any(folder, tmp_path, capsys):
    out, episode_set = tmp_path / "out", load_set(folder)
    words = ["play", "search", "--episodes", str(folder), "--out", str(out), "--seats", "2", "--mode", "nap"]
    assert main([*words, "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert found["episodes"] == found["successes"] == len(episode_set.episodes)
    assert [found[key] for key in ("remaining", "lost", "doubled", "gold_sent")] == [0, 0, 0, 0]
    assert found["received_bytes"] > 10_000 * found["actions"], "pictures are fetched"
    assert 0.0 < found["median_ms"] <= found["p95_ms"]
    assert 0.0 < found["bare_median_ms"] <= found["bare_p95_ms"]
    assert found["peak_bytes"] > 1e8
    truths = benchmark_of("search").truths(episode_set)
    study = Study(out, study_episodes(episode_set, truths), checked_hash(episode_set))
    for name, who in study.people.items():
        for trial in who.done:
            told = messages(study.bag(trial), topics.PARTICIPANT)
            recording = read_recording(study.bag(trial))
            assert {message.pseudonym for message in told} == {name}
            assert {message.consent_sha256 for message in told} == {digest_of(CONSENT)}
            assert {message.mode for message in told} == {"nap"}
            assert told[0].action == ""
            assert told[-1].action == "answer"
            assert [message.sequence for message in told[1:-1]] == list(range(1, len(recording.motions) + 1))
            assert all(0.0 <= message.thinking_time < 600.0 for message in told)
            score = score_bag(study.bag(trial))
            assert (score.agent, score.perception, score.participant) == ("human", "eyes", name)
            assert {rating.rater for rating in ratings_of([score]) if rating.who is Who.PEOPLE} == {name}
            story = read_story(study.bag(trial), with_truth=False)
            assert (story.agent, story.problem, len(story.answers)) == ("human", "", 1)
            assert len(story.steps) == len(recording.motions) + 1
    page = tmp_path / "report.html"
    assert main(["report", str(tmp_path / "out" / "1"), "--out", str(page)]) == 0
    assert "human" in page.read_text(encoding="utf-8")
    assert main(["score", str(tmp_path / "out" / "1"), "--json"]) == 0
    saved = tmp_path / "scores.json"
    saved.write_text(capsys.readouterr().out.strip().splitlines()[-1])
    raters = {rating.rater for rating in read_ratings([saved], ()) if rating.who is Who.PEOPLE}
    assert raters == {name for name, who in study.people.items() if who.done}


def test_who_leaves_gives_back_the_episode_and_leaves_no_bag(folder, tmp_path):
    with seated(folder, tmp_path / "out") as (study, seats, episode_set, _truths):
        seat = seats["seat-0"]
        with pytest.raises(UsageError, match="nobody sits here"):
            seat.begin()
        name = seat.agree(CONSENT)
        with pytest.raises(UsageError, match="sits here already"):
            seat.agree(CONSENT)
        study.practised(name)
        assert seat.begin()
        assert seat.mailbox.look(timeout=120.0) is not None
        trial = study.people[name].now
        seat.leave()
        assert study.sitting("seat-0") is None
        assert study.remaining() == len(episode_set.episodes)
        assert not study.bag(trial).exists()


def test_who_leaves_during_practice_holds_no_episode(folder, tmp_path):
    with seated(folder, tmp_path / "out") as (study, seats, _set, _truths):
        seat = seats["seat-0"]
        name = seat.agree(CONSENT)
        assert seat.begin()
        assert "Practice" in seat.mailbox.look(timeout=120.0).question
        assert study.people[name].now is not None
        seat.mailbox.close("nothing was decided for long")
        until(lambda: not seat.busy, "the end of the seat's thread")
        assert study.people[name].now is None
        assert not study.people[name].practised


def test_what_goes_wrong_is_told_without_names_of_homes_and_files(folder, tmp_path):
    with seated(folder, tmp_path / "out") as (study, seats, episode_set, _truths):
        seat = seats["seat-0"]
        study.practised(seat.agree(CONSENT))
        for episode_id, episode in seat._episodes.items():
            seat._episodes[episode_id] = replace(episode, scene="no-such-home")
        assert seat.begin()
        until(lambda: not seat.busy, "the end of the seat's thread")
        assert "no-such-home" in seat.failure
        assert seat.told == "This could not go on; tell who runs the study."
        assert study.remaining() == len(episode_set.episodes)


def test_hardware_is_refused(folder, tmp_path):
    job = Job(folder, tmp_path, "rig", "human", SMALL)
    with pytest.raises(UsageError, match="simulated homes alone"):
        make_seats(["a"], job, load_set(folder), None, 1.0)


@pytest.mark.needs("web")
def test_a_person_plays_in_the_browser_and_no_gold_is_sent(browser, folder, tmp_path):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    painter = Painter()
    pictures = Pictures(painter)
    with seated(folder, tmp_path / "out", **{"control.frames": 3}) as (study, seats, episode_set, truths):
        pages = PlayPages(seats, pictures, CONSENT, "nap")
        server = WebServer({"/": pages.index}, {Pictures.route: pictures.answer})
        sent = tapped(server)
        try:
            with server:
                browser.get(server.address("seat-0"))
                until(lambda: text(browser, "#agree"))
                assert faint(browser) == []
                for button in ("#agree", "#begin"):  # by keyboard alone
                    go_by_tab(browser, button).send_keys(Keys.ENTER)
                until(lambda: text(browser, "#question").startswith("Practice"))
                assert faint(browser) == []
                left = text(browser, "#left")
                browser.find_element("css selector", "h1").click()
                ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform()
                until(lambda: text(browser, "#left") not in ("", left))
                go_by_tab(browser, "[data-field=answer]").send_keys("tried")
                go_by_tab(browser, "#give").send_keys(Keys.ENTER)
                person = ScriptedPerson({each.episode_id: each for each in episode_set.episodes}, truths)
                name = study.sitting("seat-0")
                until(lambda: study.people[name].now is not None and study.people[name].practised)
                trial = study.people[name].now
                person.begin(trial.episode_id)
                until(lambda: text(browser, "#question") == question_of(episode_set, trial))
                browser.get(server.address("seat-0"))  # loaded again: the same episode goes on
                until(lambda: text(browser, "#question") == question_of(episode_set, trial))
                with narrow(browser):
                    assert sideways(browser) == [0, []]
                    assert faint(browser) == []
                while (decided := person.decide(seats["seat-0"].mailbox.look(timeout=60.0))).action:
                    left = text(browser, "#left")
                    pressed(browser, f'[data-action="{decided.action}"]')
                    until(lambda left=left: text(browser, "#left") not in ("", left))
                shown = browser.find_elements("css selector", ".canvas")
                assert 1 < sum(each.is_displayed() for each in shown) <= 3
                assert len(pictures._kept) <= 2 * 4, "one page, and the one before, which may not be gone yet"
                unsaid = [each.scene for each in episode_set.episodes]
                before = b"".join(sent)
                for gold in truths[trial.episode_id].questions:
                    unsaid += [gold.correction, gold.false_claim, gold.program]
                assert not [word for word in unsaid if len(word) > 3 and word.encode() in before]
                assert f'"{trial.episode_id}"'.encode() not in before
                typed(browser, decided.answer.text)
                until(lambda: study.people[name].done)
                assert console_errors(browser) == []
        finally:
            pages.close()
            painter.close()
        assert study.people[name].done == [trial]
        assert [each.text for each in read_recording(study.bag(trial)).answers] == [decided.answer.text]
        assert json.loads((tmp_path / "out" / "study.json").read_text())["people"][name]["seat"] == "seat-0"


@pytest.mark.needs("web")
def test_a_restricted_camera_offers_its_axes_alone_and_refuses_the_keys_of_others(browser, folder, tmp_path):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    painter = Painter()
    pictures = Pictures(painter)
    given = {"agent.mode": "plain", "control.dof": "planar"}
    with seated(folder, tmp_path / "out", **given) as (study, seats, _set, _truths):
        study.practised(seats["seat-0"].agree(CONSENT))
        pages = PlayPages(seats, pictures, CONSENT, "plain")
        try:
            with WebServer({"/": pages.index}, {Pictures.route: pictures.answer}) as server:
                browser.get(server.address("seat-0"))
                pressed(browser, "#begin")
                until(lambda: text(browser, "#left"))
                buttons = browser.find_elements("css selector", "[data-action]")
                offered = [each.get_attribute("data-action") for each in buttons]
                assert offered == ["x+", "x-", "y+", "y-", "yaw+", "yaw-"]
                assert text(browser, "#restriction") == (
                    "Your camera is restricted. It moves: x (level), y (level), yaw (turn left and right). It stays: "
                    "z (up and down), pitch (look up and down)."
                )
                assert faint(browser) == []
                left, sight = text(browser, "#left"), seats["seat-0"].mailbox.look()
                browser.find_element("css selector", "h1").click()
                for key, action in ((Keys.ARROW_UP, "pitch+"), ("f", "z-")):
                    ActionChains(browser).send_keys(key).perform()
                    until(lambda action=action: f"'{action}' is not possible" in text(browser, "[role=status]"), action)
                assert seats["seat-0"].mailbox.look() is sight, "nothing moved"
                assert text(browser, "#left") == left
                ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform()
                until(lambda: text(browser, "#left") not in ("", left))
                with narrow(browser):
                    assert sideways(browser) == [0, []]
                name = study.sitting("seat-0")
                trial = study.people[name].now
                typed(browser, "red")
                until(lambda: study.people[name].done)
                assert console_errors(browser) == []
        finally:
            pages.close()
            painter.close()
        recording = read_recording(study.bag(trial))
        assert (recording.agent, recording.control) == ("human", "dof=x+y+yaw")
        assert [each.action for each in recording.motions] == ["yaw+"]


@pytest.mark.needs("web")
def test_people_with_a_restricted_camera_have_a_row_of_their_own_beside_agents(folder, tmp_path, capsys):
    study, words = tmp_path / "study", ["search", "--episodes", str(folder)]
    assert main(["play", *words, "--out", str(study), "--dof", "planar", "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert [found[key] for key in ("remaining", "lost", "doubled", "gold_sent")] == [0, 0, 0, 0]
    assert set(found["kinds"]) <= {"x+", "x-", "y+", "y-", "yaw+", "yaw-"}
    for dof in ("planar", "full"):
        assert main(["run", *words, "--agent", "random", "--dof", dof, "--out", str(tmp_path / dof)]) == 0
    capsys.readouterr()
    bags_of = [str(study / "1"), str(tmp_path / "planar"), str(tmp_path / "full")]
    assert main(["score", *bags_of, "--json"]) == 0
    groups = json.loads(capsys.readouterr().out.strip().splitlines()[-1])["groups"]
    rows = [(each["agent"], each["control"]) for each in groups]
    assert sorted(rows) == [("human", "dof=x+y+yaw"), ("random", ""), ("random", "dof=x+y+yaw")]
    before = (study / "study.json").read_bytes()
    for dof in ("full", "yaw"):
        assert main(["play", *words, "--out", str(study), "--dof", dof, "--check"]) == 2
        told = capsys.readouterr().err.strip().splitlines()
        assert "was begun with control = 'dof=x+y+yaw', not" in told[-1]
        assert main(["run", *words, "--agent", "random", "--dof", dof, "--resume", "--out", bags_of[1]]) == 1
        assert "was recorded with control.dof = 'x,y,yaw'" in capsys.readouterr().err
    assert (study / "study.json").read_bytes() == before
    for dof in ("3", "yaw,y,x"):  # the same by another name
        assert main(["run", *words, "--agent", "random", "--dof", dof, "--resume", "--out", bags_of[1]]) == 0


def tapped(server):
    """All that a server sends from now on, as it grows."""
    sent, inner = [], server.gate._app

    async def app(scope, receive, send):
        async def kept(message):
            sent.append(message.get("body") or message.get("bytes") or (message.get("text") or "").encode())
            await send(message)

        await inner(scope, receive, kept)

    server.gate._app = app
    return sent


def text(browser, css):
    found = browser.find_elements("css selector", css)
    return found[0].text if found else ""


def question_of(episode_set, trial):
    return next(each.questions[0].text for each in episode_set.episodes if each.episode_id == trial.episode_id)


def pressed(browser, css):
    until(lambda: [each for each in browser.find_elements("css selector", css) if each.is_displayed()])
    browser.execute_script("arguments[0].click()", browser.find_element("css selector", css))


def typed(browser, answer):
    until(lambda: [e for e in browser.find_elements("css selector", "[data-field=answer]") if e.is_displayed()])
    browser.find_element("css selector", "[data-field=answer]").send_keys(answer)
    pressed(browser, "#give")
