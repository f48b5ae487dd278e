"""What a server's parts log becomes single lines, the same thing once a minute."""

from __future__ import annotations

import logging

from hostile import HOSTILE, assert_tame

from vantage.web.told_lines import ToldLines, lines_only


def test_the_same_thing_is_told_once_a_minute_with_how_often_it_came():
    told, now = [], [0.0]
    lines = ToldLines(told.append, lambda: now[0])
    for _ in range(5000):
        lines.tell("a", "it happened")
    lines.tell("b", "something else")
    assert told == ["it happened", "something else"]
    now[0] = 61.0
    lines.tell("a", "it happened")
    assert told[2:] == ["it happened (and 4999 times before)"]


def test_things_that_are_all_different_are_bounded_too():
    told, now = [], [0.0]
    lines = ToldLines(told.append, lambda: now[0])
    for number in range(5000):
        lines.tell(number, f"thing {number}")
    assert len(told) == 20
    now[0] = 10.0
    for number in range(5000):
        lines.tell(number, f"thing {number}")
    assert len(told) == 25


def test_a_logged_exception_is_one_visible_line_and_the_logger_is_as_before_afterwards():
    told = []
    logger = logging.getLogger("uvicorn.error")
    before = logger.handlers, logger.propagate, logger.level
    with lines_only(ToldLines(told.append)):
        try:
            raise ValueError(HOSTILE)
        except ValueError:
            logger.exception("Exception in ASGI application\n")
        logging.getLogger("nicegui").warning("%s not found", HOSTILE)
        logging.getLogger("asyncio").error("%d", "no number")
    assert (logger.handlers, logger.propagate, logger.level) == before
    assert len(told) == 3
    for line in told:
        assert_tame(line, lines=1, longest=500)
    assert "ValueError (test_told_lines.py, line " in told[0]
    assert "Traceback" not in "".join(told)
