"""The pages of a review in Chromium: two people and a lead, by keyboard alone, with a text that means harm."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest
from browsers import console_errors, first, narrow, requested, sideways, until
from contrast import faint
from reviewed_set import HARM, with_harm
from small_noisyeqa import small_noisyeqa, small_pairs

from vantage.benchmarks.review.reviews import read_reviews
from vantage.benchmarks.sets.episodes_io import load_set
from vantage.registry import BENCHMARKS
from vantage.web import require_web
from vantage.web.review import LEAD, ReviewSession, review_server

pytestmark = pytest.mark.needs("web")


@pytest.fixture(scope="session")
def pairs(tmp_path_factory):
    made = load_set(small_pairs(tmp_path_factory))
    return with_harm(made, tmp_path_factory.mktemp("harm") / "set <b>of pairs")


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setitem(BENCHMARKS._entries, "noisyeqa", small_noisyeqa)


class Review:
    """A review that is served, with its file."""

    def __init__(self, pairs, marks):
        self.session = ReviewSession(pairs.folder, marks, 2)
        self.server = review_server(self.session).start()
        self.marks = marks

    def close(self):
        self.server.stop()
        self.session.close()

    def enter(self, browser, visitor):
        browser.delete_all_cookies()
        browser.get(self.server.address(visitor))
        until(lambda: "judged" in status(browser) or "decided" in status(browser), "the list")

    def kept(self, visitor):
        return {key: each.verdict for key, each in self.session.own(visitor).items()}


@pytest.fixture
def review(pairs, tmp_path):
    found = Review(pairs, tmp_path / "marks.json")
    yield found
    found.close()


def text(browser, selector):
    """What the first such element says; empty while the page has none, for pages come and go."""
    return browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def status(browser):
    return text(browser, "[role=status]")


def heading(browser):
    return text(browser, "h1")


def press(browser, *keys):
    """Keys to whatever has the focus, once the page listens to them."""
    from selenium.webdriver.common.action_chains import ActionChains

    until(lambda: browser.execute_script("return !!window.socket && window.socket.connected"), "the connection")
    ActionChains(browser).send_keys(*keys).perform()


def button(browser, words):
    found = until(
        lambda: [
            each for each in browser.find_elements("css selector", "button") if each.text.lower() == words.lower()
        ],
        f"the button {words}",
    )
    return found[0]


def write(box, words):
    """Other words instead of those that are there, as somebody types them."""
    from selenium.webdriver.common.keys import Keys

    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(Keys.DELETE, words)


def at(browser, key):
    until(lambda: heading(browser) == key, key)
    until(lambda: "Your mark" in text(browser, "main"), "the form")


def test_two_people_judge_by_keyboard_alone_and_the_lead_decides(review, browser):
    keys = review.session.keys
    review.enter(browser, "reviewer-1")
    press(browser, "n")
    at(browser, keys[0])
    assert "reviewer-2" not in browser.page_source
    press(browser, "a")
    at(browser, keys[1])
    assert review.kept("reviewer-1") == {keys[0]: "accept"}
    press(browser, "r")
    at(browser, keys[2])
    press(browser, "p")
    at(browser, keys[1])
    assert "Your mark: reject" in browser.page_source
    press(browser, "o")
    until(lambda: browser.find_elements("css selector", ".bare svg"), "the outlines are hidden")

    review.enter(browser, "reviewer-2")
    assert status(browser) == "0 of 6 pairs judged"
    press(browser, "n")
    at(browser, keys[0])
    assert "Your mark: none yet" in browser.page_source, "reviewers do not see one another"
    press(browser, "a")
    at(browser, keys[1])
    press(browser, "a")
    at(browser, keys[2])

    review.enter(browser, LEAD)
    assert status(browser) == "1 pairs not agreed on, 0 decided"
    assert faint(browser) == []
    assert "reviewer-1 reject, reviewer-2 accept" in text(browser, ".items")
    press(browser, "n")
    at(browser, keys[1])
    assert "reviewer-1: reject" in text(browser, "main")
    assert faint(browser) == []
    press(browser, "r")
    until(lambda: review.session.disagreements() == {}, "the decision")
    assert read_reviews(review.marks, "pair").settled(keys[1]).verdict == "reject"
    assert console_errors(browser) == []


def test_an_edit_is_checked_as_the_set_is(review, browser):
    titled = {key: {field.title: field for field in review.session.fields(key)} for key in review.session.keys}
    key, fields = next((key, fields) for key, fields in titled.items() if "Answer 1" in fields)
    review.enter(browser, "reviewer-1")
    browser.get(address_of(review, browser, key))
    at(browser, key)
    button(browser, "Edit").click()
    box = first(browser, f"textarea[aria-label='{fields['Answer 1'].title}']")
    until(box.is_displayed, "the texts")
    assert faint(browser) == []
    button(browser, "Accept as edited").click()
    until(lambda: "Nothing was edited" in status(browser), "the refusal")
    box.send_keys(" elephant")
    button(browser, "Accept as edited").click()
    until(lambda: "Not kept: the edit is not kept, as the set's checks find" in status(browser), "the checks")
    assert review.kept("reviewer-1") == {}
    write(box, fields["Answer 1"].text)
    other = first(browser, f"textarea[aria-label='{fields['Correction 1'].title}']")
    write(other, "in fact " + fields["Correction 1"].text)
    button(browser, "Accept as edited").click()
    until(lambda: review.kept("reviewer-1") == {key: "edit"}, "the edit")
    assert dict(review.session.own("reviewer-1")[key].edits) == {
        fields["Correction 1"].name: "in fact " + fields["Correction 1"].text
    }


def address_of(review, browser, key):
    return urllib.parse.urljoin(browser.current_url, f"/item/{review.session.ids[key]}")


def test_notes_last_and_harmful_text_stays_text(review, browser):
    key = review.session.keys[0]
    review.enter(browser, "reviewer-1")
    assert heading(browser) == "Review of set <b>of pairs"
    press(browser, "n")
    at(browser, key)
    first(browser, "input[aria-label=Note]").send_keys("a note" + HARM)
    button(browser, "Reject").click()
    at(browser, review.session.keys[1])
    browser.get(address_of(review, browser, key))
    at(browser, key)
    assert first(browser, "input[aria-label=Note]").get_attribute("value") == "a note" + HARM
    review.enter(browser, LEAD)
    browser.get(address_of(review, browser, key))
    at(browser, key)
    shown = text(browser, "main")
    assert "onerror" in shown, "it is shown as it was written"
    assert browser.title != "harmed"
    assert not browser.find_elements("css selector", "img[src=x]")
    assert console_errors(browser) == []
    elsewhere = [url for url in requested(browser) if url.startswith("http") and f":{review.server.port}/" not in url]
    assert elsewhere == []


def test_a_narrow_page_does_not_scroll_sideways_and_pictures_have_words(review, browser):
    review.enter(browser, "reviewer-1")
    with narrow(browser):
        press(browser, "n")
        at(browser, review.session.keys[0])
        assert browser.execute_script("return window.innerWidth") == 400
        assert sideways(browser) == [0, []]
        pictures = browser.find_elements("css selector", "figure img")
        assert pictures
        assert all(each.get_attribute("alt") for each in pictures)
        assert all(each.size["width"] <= 400 for each in pictures)


def asked(address, path, cookie=None):
    parts = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    connection.request("GET", path, headers={"cookie": cookie} if cookie else {})
    response = connection.getresponse()
    return response.status, response.read().decode(), response.headers


def test_only_ids_that_were_given_open_an_item_and_only_for_those_let_in(review):
    address = review.server.address("reviewer-1")
    given = review.session.ids[review.session.keys[0]]
    assert asked(address, f"/item/{given}")[0] == 403
    cookie = asked(address, f"/?{urllib.parse.urlsplit(address).query}")[2]["set-cookie"].split(";")[0]
    assert asked(address, f"/item/{given}", cookie)[0] == 200
    key = review.session.keys[0]
    for wrong in ("nothing", key, "..%2f..%2fset.json", "%2e%2e", given + "x", "a" * 500):
        assert asked(address, f"/item/{wrong}", cookie)[0] == 404
    stranger = review.server.address("stranger")
    cookie = asked(stranger, f"/?{urllib.parse.urlsplit(stranger).query}")[2]["set-cookie"].split(";")[0]
    assert asked(stranger, "/", cookie)[0] == 404


SERVED = """
import sys
sys.path.insert(0, sys.argv[1])
from small_noisyeqa import small_noisyeqa
from vantage.registry import BENCHMARKS
BENCHMARKS._entries["noisyeqa"] = small_noisyeqa
from vantage.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def served(pairs, marks):
    support = Path(__file__).resolve().parents[1] / "support"
    words = ["review", str(pairs.folder), "--out", str(marks), "--reviewers", "2", "--json"]
    command = [sys.executable, "-c", SERVED, str(support), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, json.loads(process.stdout.readline())


def test_a_review_is_taken_up_after_its_server_was_killed(pairs, tmp_path, browser):
    require_web()
    marks = tmp_path / "marks.json"
    process, told = served(pairs, marks)
    try:
        assert set(told["addresses"]) == {"reviewer-1", "reviewer-2", LEAD}
        assert told["pairs"] == 6
        browser.get(told["addresses"]["reviewer-1"])
        until(lambda: "0 of 6" in status(browser), "the list")
        press(browser, "n")
        until(lambda: "Your mark" in text(browser, "main"), "the form")
        key = heading(browser)
        press(browser, "a")
        until(lambda: heading(browser) != key, "the next one")
    finally:
        process.kill()
        process.wait(60)
        process.stdout.close()
    process, told = served(pairs, marks)
    try:
        browser.delete_all_cookies()
        browser.get(told["addresses"]["reviewer-1"])
        until(lambda: "1 of 6 pairs judged" in status(browser), "what was judged before")
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.stdout.close()
    (reviewer, _) = read_reviews(marks, "pair").reviewers
    assert {key: each.verdict for key, each in reviewer.judgements.items()} == {key: "accept"}
