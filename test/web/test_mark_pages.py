"""Marking recorded answers in Chromium, by keyboard alone: two people apart, and a text that means harm."""

from __future__ import annotations

import pytest
from browsers import console_errors, narrow, sideways, until
from contrast import faint
from gold_bags import Telling, gold, record, said
from reviewed_set import HARM

from vantage.reports import MarkFile, answers_to_mark
from vantage.web.review import mark_server

pytestmark = pytest.mark.needs("web")
NAMES = ("reviewer-1", "reviewer-2")


def shown(browser, css):
    found = browser.find_elements("css selector", css)
    return found[0].text if found else ""


def press(browser, name):
    browser.execute_script(
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], code: arguments[1], bubbles: true}))",
        name,
        f"Digit{name}" if name.isdigit() else f"Key{name.upper()}",
    )


def test_two_people_mark_apart_by_keys_and_what_they_gave_is_there_again(browser, tmp_path):
    for number, word in enumerate(("red", f"green {HARM}", "blue")):
        record(tmp_path / "bags", f"e{number}", Telling(["x+"], said(word), [1]), gold())
    answers = answers_to_mark(tmp_path / "bags")
    with MarkFile(tmp_path / "marks.json", answers, NAMES) as file, mark_server(answers, file, NAMES) as server:
        browser.get(server.address(NAMES[0]))
        until(lambda: "0 of 3 answers are marked" in shown(browser, "[role=status]"), "the page")
        for number, item in enumerate(answers, start=1):
            until(lambda number=number: f"Answer {number} of 3" in shown(browser, "#place"), "the next answer")
            assert shown(browser, "#question") == item.question
            assert shown(browser, "#gold") == item.gold
            assert item.answer.split()[0].rstrip(";") in shown(browser, "#answer")
            assert not [name for name in filter(None, item.unit.setup) if name in browser.page_source]
            press(browser, str(6 - number))
            until(lambda number=number: len(file.of(NAMES[0])) == number, "the mark")
        assert [file.of(NAMES[0])[item.unit.key] for item in answers] == [5, 4, 3]
        assert faint(browser) == []
        with narrow(browser):
            assert sideways(browser) == [0, []]
        assert browser.title == "Marks for answers - Vantage"
        assert console_errors(browser) == []
        browser.delete_all_cookies()
        browser.get(server.address(NAMES[1]))
        until(lambda: "0 of 3 answers are marked" in shown(browser, "[role=status]"), "another person's page")
        assert shown(browser, "#given") == "Your mark: none yet"
        browser.delete_all_cookies()
        browser.get(server.address("stranger"))
        until(lambda: "There is no such page" in browser.page_source, "the refusal")
