"""A person by rote at the page of a seat: she does there what she decides, and sees what the page shows."""

from __future__ import annotations

import time

from vantage.errors import RecordingError, VantageError
from vantage.planning.agents import Decided, Sight, WrittenAnswer
from vantage.types import NoiseType
from vantage.web.page_client import PageClient
from vantage.web.play.controls import graded_actions
from vantage.web.play.pages import CANVAS, GRADED, NOISES, STRENGTH, VERDICT_WORDS
from vantage.web.play.seats import Seat
from vantage.web.play.sight_words import LOADING, NOTHING_LEFT, left_of, state_of

_WAITED = 180.0  # s for a picture, of a home that is being loaded on a busy machine


class PagePerson:
    """Goes through the page of a seat; not thread-safe."""

    def __init__(self, page: PageClient, seat: Seat) -> None:
        self._page, self._seat = page, seat
        self._source = ""
        self._sight: Sight | None = None

    def sit_down(self) -> None:
        """Agree to the text, unless somebody sits here, who goes on then.

        Raises:
            VantageError: the page does not let her.
        """
        page = self._page
        page.wait(lambda: page.found("id", "agree") or page.found("id", "begin"), "its front")
        if page.found("id", "agree"):
            page.press("id", "agree")
            page.wait(lambda: page.found("id", "begin"), "the pseudonym")

    def begin(self) -> None:
        """Begin, or go on.

        Raises:
            VantageError: the page does not let her.
        """
        page, self._sight = self._page, None
        page.press("id", "begin")
        page.wait(lambda: page.text("role", "status") in (LOADING, NOTHING_LEFT), "that it begins")

    def leave(self) -> None:
        """Stand up, once nothing is left for her.

        Raises:
            VantageError: the page does not let her.
        """
        page = self._page
        page.wait(lambda: page.found("id", "leave"), "that she may leave")
        page.press("id", "leave")
        page.wait(lambda: page.found("id", "agree"), "the front for somebody else")

    def load_again(self) -> None:
        """Load the page again, as somebody does who closed it amid an episode; gives what it shows then.

        Raises:
            VantageError: it does not show the same.
        """
        self._page.open()
        self._source = ""
        self._page.wait(lambda: self._shows(self._sight), "the same picture again", _WAITED)
        self._look()

    def next(self) -> Sight | None:
        """The next sight, once the page shows it, picture and all; None where nothing is left for her.

        Raises:
            VantageError: nothing is shown for too long, or the seat stopped.
        """
        page, before = self._page, self._sight

        def came() -> Sight | str | None:
            sight = self._seat.mailbox.look()
            if sight is not None and sight is not before and self._shows(sight):
                return sight
            return page.found("id", "begin") if not self._seat.busy else None

        try:
            found = page.wait(came, "a picture", _WAITED)
        except VantageError as error:
            raise RecordingError(f"seat '{self._seat.name}': {self._seat.failure or error}") from error
        if not isinstance(found, Sight):
            if self._seat.failure:
                raise RecordingError(f"seat '{self._seat.name}': {self._seat.failure}")
            return None
        self._sight = found
        self._look()
        return found

    def do(self, decided: Decided) -> float:
        """Do what was decided on the sight that is shown; when that was sent, on the monotonic clock.

        Raises:
            VantageError: the page has nothing to do it with.
        """
        assert self._sight is not None
        page = self._page
        if decided.answer is not None:
            self._answer(decided.answer)
        graded = graded_actions(self._sight.actions)
        if decided.action in graded:
            page.write("data-field", STRENGTH, str(graded.index(decided.action) + 1))
        then = time.monotonic()
        if decided.answer is not None:
            page.press("id", "give")
        elif decided.action:
            page.press("data-action", GRADED if decided.action in graded else decided.action)
        else:
            page.press("id", "finish")
        return then

    def _answer(self, answer: WrittenAnswer) -> None:
        page = self._page
        page.write("data-field", "answer", answer.text)
        page.choose("data-field", "verdict", VERDICT_WORDS[answer.verdict])
        if answer.noise is NoiseType.NONE:
            return
        page.wait(lambda: page.found("data-field", "noise"), "the field for what is wrong with the question")
        page.choose("data-field", "noise", NOISES[answer.noise])
        page.write("data-field", "claim", answer.false_claim)
        page.write("data-field", "correction", answer.correction)
        page.write("data-field", "corrected", answer.corrected_question)

    def _shows(self, sight: Sight | None) -> bool:
        """Whether the page shows a sight, and another picture than before."""
        page = self._page
        return (
            sight is not None
            and page.text("role", "status") == state_of(sight)
            and page.text("id", "left") == left_of(sight)
            and page.text("id", "question") == sight.question
            and self._picture() not in ("", self._source)
        )

    def _picture(self) -> str:
        name = self._page.found("aria-label", CANVAS)
        return "" if name is None else str(self._page.elements[name]["props"].get("src") or "")

    def _look(self) -> None:
        """Fetch the picture, as a browser does."""
        self._source = self._picture()
        self._page.get(self._source)
