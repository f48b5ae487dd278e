"""A person who sees her own exploration again while she is asked: what is kept of it, her page, and her row."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from browsers import console_errors, narrow, sideways, until
from contrast import faint
from four_phases import record_four, score_of, whole_episode
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks.excalibur.excalibur_tables import section
from vantage.benchmarks.sets import load_set
from vantage.config import Settings
from vantage.errors import UsageError, VantageError
from vantage.planning.agents import Decided, HumanAgent, KeptPicture, Mailbox, WrittenAnswer
from vantage.recording import bags, read_recording, topics
from vantage.reports import ScoreTable
from vantage.runs import Job
from vantage.types import Participation
from vantage.web import Painter, Pictures, WebServer
from vantage.web.play import CONSENT, PlayPages, make_seats
from vantage.web.play.seats import practice_before

WAIT = 60.0  # s
MOVES = {"explore": 2, "reenter": 1}


class FourPhases:
    """A seat whose person goes through the four phases of an episode, in a thread of its own."""

    told, pseudonym = "", "p-1"

    def __init__(self, folder, mode):
        self.mailbox = Mailbox()
        self._agent = HumanAgent(Settings(), self.mailbox)
        self._agent.seat(Participation(self.pseudonym, "00", mode, "c"))
        self._thread = threading.Thread(target=self._run, args=(folder,))
        self.bag = None

    def _run(self, folder):
        self.bag = record_four(folder, self._agent)

    @property
    def busy(self):
        return self._thread.is_alive()

    def begin(self):
        self._thread.start()
        return True

    def next(self, shown=0):
        sight = self.mailbox.look(shown, WAIT)
        assert sight is not None
        return sight

    def explore(self, sight, moves):
        """Move so often, then end the phase; gives the sight after that and the pictures of the phase."""
        pictures = [sight.pictures[-1]]
        for _ in range(moves):
            self.mailbox.decide(sight.number, Decided("x+"))
            sight = self.next(sight.number)
            pictures.append(sight.pictures[-1])
        self.mailbox.decide(sight.number, Decided())
        return self.next(sight.number), pictures

    def answer(self, sight, last, evidence=()):
        """Answer every question of a phase; gives the sight after that, None after the last phase."""
        phase = sight.phase
        while sight.phase == phase:
            self.mailbox.decide(sight.number, Decided(answer=WrittenAnswer("yes", evidence=evidence)))
            if last and sight.question.startswith("Is there a vase"):
                return None
            sight = self.next(sight.number)
        return sight

    def ended(self):
        self._thread.join(WAIT)
        assert not self._thread.is_alive()
        return self.bag


def played(folder, mode):
    """The bag of a whole episode, with the sights of the two phases that ask."""
    seat = FourPhases(folder, mode)
    try:
        seat.begin()
        asked, explored = seat.explore(seat.next(), 2)
        again = seat.answer(asked, False, tuple(each.number for each in asked.explored[:1]))
        refined, more = seat.explore(again, 1)
        seat.answer(refined, True)
        return seat.ended(), (asked, refined), (explored, [*explored, *more])
    finally:
        seat.mailbox.close("the test ended")


def test_her_own_exploration_is_kept_for_the_phases_that_ask_and_makes_a_row_of_its_own(tmp_path):
    scores = []
    for mode in ("plain", "replay"):
        bag, sights, pictures = played(tmp_path / mode, mode)
        for sight, taken in zip(sights, pictures, strict=True):
            kept = [each.rgb() for each in sight.explored]
            expected = taken if mode == "replay" else []
            assert len(kept) == len(expected)
            assert all(np.array_equal(*pair) for pair in zip(kept, expected, strict=True))
            assert {each.number for each in sight.explored} <= set(sight.taken)
        recording = read_recording(bag)
        assert recording.shortfall() == ""
        assert len(recording.answers[0].evidence) == (2 if mode == "replay" else 1)
        assert {told.mode for _, _, told in bags.read_bag(bag, (topics.PARTICIPANT,))} == {mode}
        scores.append(score_of(bag))
    assert [score.control for score in scores] == ["", "mode=replay"]
    assert [score.participant for score in scores] == ["p-1", "p-1"]
    assert [row["control"] for row in section(scores).data["setups"]] == ["", "mode=replay"]
    assert [(group.agent, group.control) for group in ScoreTable(tuple(scores)).groups] == [
        ("human", ""),
        ("human", "mode=replay"),
    ]


def test_nothing_is_replayed_of_a_set_that_asks_at_once(tmp_path_factory, tmp_path):
    folder = small_search_set(tmp_path_factory, FEW)
    with pytest.raises(UsageError, match="no episode that asks after an exploration"):
        make_seats(["a"], Job(folder, tmp_path, "splat", "human", SMALL), load_set(folder), None, 1.0, replays=True)


def test_practice_explores_where_the_set_does_so_that_replay_is_tried_too():
    first, other = whole_episode("e1", "home-1"), whole_episode("e2", "home-2")
    practice = practice_before((first, other), first)
    assert (practice.scene, [each.name for each in practice.phases]) == ("home-2", ["explore", "answer"])
    assert practice_before((first,), first).scene == "home-1"
    asks = replace(first, scene="home-3", phases=(), phase="answer", questions=first.questions[:1])
    practice = practice_before((asks,), None)
    assert [(each.name, each.max_steps > 0) for each in practice.phases] == [("answer", True)]
    assert not {each.text for each in practice.questions} & {each.text for each in first.questions}


def test_a_kept_picture_that_is_damaged_is_refused():
    rgb = np.random.default_rng(0).integers(0, 256, (6, 8, 3)).astype(np.uint8)
    assert np.array_equal(KeptPicture.of(rgb, 1, "explore").rgb(), rgb)
    with pytest.raises(VantageError, match="sight 7 is damaged"):
        KeptPicture(7, "explore", b"\x89PNG").rgb()


@pytest.mark.needs("web")
def test_she_goes_through_it_by_buttons_and_keys(browser, tmp_path):
    painter = Painter()
    pictures = Pictures(painter)
    seat = FourPhases(tmp_path / "bags", "replay")
    pages = PlayPages({"seat": seat}, pictures, CONSENT, "plain")
    server = WebServer({"/": pages.index}, {Pictures.route: pictures.answer})
    where = lambda: shown(browser, "#replay-where")  # noqa: E731
    try:
        with server:
            browser.get(server.address("seat"))
            pressed(browser, "#begin")
            first = seat.next()
            until(lambda: shown(browser, "#left"))
            assert where() == "", "nothing is asked yet"
            asked, _ = seat.explore(first, 2)
            until(lambda: where().startswith("Picture 1 of 3 of your exploration, phase explore"))
            assert faint(browser) == []
            with narrow(browser):
                assert sideways(browser) == [0, []]
            pressed(browser, "[data-replay=on]")
            until(lambda: where().startswith("Picture 2 of 3"))
            assert [each for each in alts(browser) if each.startswith("Picture 2 of 3 of your exploration")]
            pressed(browser, "[data-replay=mark]")
            until(lambda: f"pictures {asked.explored[1].number} and" in browser.find_element("tag name", "body").text)
            for key, place in ((".", 3), (".", 3), (",", 2), (",", 1), (",", 1)):
                browser.find_element("tag name", "body").send_keys(key)
                until(lambda place=place: where().startswith(f"Picture {place} of 3"))
            pressed(browser, "[data-replay=last]")
            until(lambda: where().startswith("Picture 3 of 3"))
            pressed(browser, "[data-replay=first]")
            until(lambda: where().startswith("Picture 1 of 3"))
            seat.answer(asked, False)
            until(lambda: where() == "")
            assert console_errors(browser) == []
    finally:
        seat.mailbox.close("the test ended")
        pages.close()
        painter.close()
    seat.ended()


def shown(browser, css):
    found = browser.find_elements("css selector", css)
    return found[0].text if found else ""


def alts(browser):
    return [each.get_attribute("aria-label") or "" for each in browser.find_elements("css selector", ".canvas")]


def pressed(browser, css):
    until(lambda: [each for each in browser.find_elements("css selector", css) if each.is_displayed()])
    browser.execute_script("arguments[0].click()", browser.find_element("css selector", css))
