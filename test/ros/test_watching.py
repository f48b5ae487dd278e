from __future__ import annotations

from dataclasses import replace

import pytest
from box_world import look_around
from drawn_room import HIGH, LOW, POSITIONS, TABLE_TOP, empty_room, put

from vantage.answering.engine import QuestionAnswering
from vantage.errors import EpisodeError, UsageError
from vantage.nodes.qa.observed_views import MOST_CORRECTED, ObservedViews
from vantage.nodes.qa.view_filter import LATE, SAME
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, NoiseReport, NoiseType, Question, Verdict

EPISODE = Episode(
    "e",
    "search",
    "room",
    Viewpoint(2.5, 0.6, 1.3, 0.0, 0.0),
    (Question("made", "What is the blue mug on the table made of?"), Question("colored", "What color is the mug?")),
    10,
)


@pytest.fixture(scope="module")
def views():  # type: ignore[no-untyped-def]
    world = empty_room()
    put(world, 20, "mug", 1.6, 1.5, TABLE_TOP, "red", "ceramic")
    return list(look_around(world, POSITIONS, (-0.9, -0.35), 8))


@pytest.fixture
def told() -> list[tuple[str, str, int, NoiseReport]]:
    return []


@pytest.fixture
def observed(told):  # type: ignore[no-untyped-def]
    return ObservedViews(QuestionAnswering(PrivilegedPerceiver(12), LOW, HIGH), lambda *report: told.append(report))


def test_changed_assessments_are_reported_once_and_again_at_the_end(observed, views, told) -> None:  # type: ignore[no-untyped-def]
    observed.begin(EPISODE)
    for view in views:
        assert observed.observe(view) is not None
    of_made = [report for _, question, _, report in told if question == "made"]
    assert of_made[-1].noise_type == NoiseType.COLOR
    assert len(of_made) < 10 < len(views)
    told.clear()
    observed.end("another")
    assert told == []
    observed.end("e")
    assert [(episode, question) for episode, question, _, _ in told] == [("e", "made"), ("e", "colored")]
    assert told[0][2] == views[-1].stamp


def test_what_was_asked_in_words_is_of_the_phase_of_the_episode(observed) -> None:  # type: ignore[no-untyped-def]
    assert observed.question("", "q", "Is there a mug?").phase == "answer"
    phases = (EpisodePhase("explore", 3), EpisodePhase("again", 3, (Question("q", "Is there a mug?", "again"),)))
    whole = Episode.of_phases("two", "search", "room", EPISODE.start, phases)
    observed.begin(whole.in_phase(0))
    assert observed.question("two", "q", "Is there a mug?").phase == "explore"
    observed.begin(whole.in_phase(1))
    assert observed.question("two", "q", "Is there a bowl?").key == ("again", "q")


def test_an_episode_that_ended_begins_anew_and_does_not_go_on(observed) -> None:  # type: ignore[no-untyped-def]
    phases = (EpisodePhase("explore", 3), EpisodePhase("again", 3, (Question("q", "Is there a mug?", "again"),)))
    whole = Episode.of_phases("two", "search", "room", EPISODE.start, phases)
    assert observed.begin(whole.in_phase(1))  # a node that started in the middle
    observed.end("two")
    assert observed.begin(whole.in_phase(0)), "what was seen before is another place"
    assert not observed.begin(whole.in_phase(1))


def test_a_correction_is_answered_by_what_was_asked(observed, views) -> None:  # type: ignore[no-untyped-def]
    observed.begin(EPISODE)
    for view in views:
        observed.observe(view)
    with pytest.raises(UsageError, match="no correction of question 'made'"):
        observed.corrected("e", "made")
    understood, holds, report = observed.check("e", "made", "")
    assert (understood, holds, report.noise_type) == (True, False, NoiseType.COLOR)
    question = observed.corrected("e", "made")
    assert question == EPISODE.questions[0]
    refused, accepted = observed.confirm(question, False), observed.confirm(question, True)
    assert (refused.verdict, "ceramic" in refused.text) == (Verdict.UNANSWERABLE, False)
    assert (accepted.verdict, accepted.text.endswith("Answer: ceramic.")) == (Verdict.CORRECTED, True)
    observed.ask("e", "made", "What color is the mug?")
    with pytest.raises(UsageError, match="no correction"):
        observed.corrected("e", "made")


def test_premises_that_hold_are_as_sure_as_the_answer(observed, views) -> None:  # type: ignore[no-untyped-def]
    for view in views:
        observed.observe(view)
    asked = "What is the red mug on the table made of?"
    understood, holds, report = observed.check("", "honest", asked)
    assert (understood, holds, report.noise_type) == (True, True, NoiseType.NONE)
    assert report.confidence == observed.ask("", "honest", asked).confidence > 0.5


def test_corrections_that_may_be_confirmed_are_bounded(observed, views) -> None:  # type: ignore[no-untyped-def]
    for view in views:
        observed.observe(view)
    for number in range(MOST_CORRECTED + 1):
        observed.ask("", f"q{number}", "What is the blue mug on the table made of?")
    with pytest.raises(UsageError, match="'q0'"):
        observed.corrected("", "q0")
    assert observed.corrected("", f"q{MOST_CORRECTED}").question_id == f"q{MOST_CORRECTED}"


def test_people_are_shown_the_object_that_is_meant(observed, views) -> None:  # type: ignore[no-untyped-def]
    assert observed.place_of("What is the red mug made of?") is None, "nothing was seen"
    for view in views:
        observed.observe(view)
    x, y, _ = observed.place_of("What is the red mug on the table made of?")
    assert (x, y) == pytest.approx((1.6, 1.5), abs=0.1)
    at = views[-1].viewpoint
    assert observed.place_of("Where is the zebra?") == (at.x, at.y, at.z)


def test_a_reset_of_the_world_empties_the_memory(observed, views) -> None:  # type: ignore[no-untyped-def]
    for view in views:
        observed.observe(view)
    assert observed.ask("", "", "What color is the mug?").text == "red"
    later = views[-1].stamp + 10
    observed.world_reset(later)
    assert observed.ask("", "", "What color is the mug?").verdict == Verdict.NEEDS_LOOK
    assert observed.observe(views[-1]) is None, "a look from before the reset"
    assert observed.observe(replace(views[0], stamp=later)) is not None
    observed.world_reset(later)
    assert observed.observe(replace(views[1], stamp=later + 1)) is not None


def test_where_the_world_is_put_back_what_was_seen_is_kept(observed, views) -> None:  # type: ignore[no-untyped-def]
    asked = (Question("made", "What color is the mug?", "refine"),)
    phases = (EpisodePhase("explore", 9), EpisodePhase("reenter", 9, restored=True), EpisodePhase("refine", 2, asked))
    whole = Episode.of_phases("e", "search", "room", EPISODE.start, phases)
    observed.begin(whole.in_phase(0))
    for view in views:
        observed.observe(view)
    later = views[-1].stamp + 10
    assert not observed.begin(whole.in_phase(1))
    assert not observed.world_reset(later), "it is the same place"
    assert not observed.world_reset(later + 5), "a reset may be repeated"
    assert observed.observe(views[-1]) is None, "a look from before the reset"
    assert observed.observe(replace(views[0], stamp=later + 5)) is not None
    assert not observed.begin(whole.in_phase(2))
    assert observed.ask("e", "made", "").text == "red"
    assert observed.world_reset(later + 9), "no phase that is restored is on"
    assert observed.ask("e", "made", "").verdict == Verdict.NEEDS_LOOK


def test_a_view_that_does_not_change_is_not_looked_at_twice(observed, views) -> None:  # type: ignore[no-untyped-def]
    assert observed.observe(views[0]) is not None
    assert observed.observe(replace(views[0], stamp=views[0].stamp + 1)) is None
    assert observed.observe(views[0]) is None
    assert observed.views == 1
    assert observed.view_filter.left_out == {SAME: 1, LATE: 1}


def test_questions_of_other_episodes_and_without_words_are_refused(observed) -> None:  # type: ignore[no-untyped-def]
    observed.begin(EPISODE)
    with pytest.raises(EpisodeError, match="'f' is not in memory, 'e' is"):
        observed.ask("f", "made", "")
    with pytest.raises(UsageError, match="no question 'unknown'"):
        observed.ask("e", "unknown", "  ")


def test_the_next_phase_of_an_episode_keeps_what_was_seen(observed, views) -> None:  # type: ignore[no-untyped-def]
    asked = (Question("made", "What color is the mug?", "again"),)
    whole = Episode.of_phases(
        "e", "search", "room", EPISODE.start, (EpisodePhase("explore", 9), EpisodePhase("again", 2, asked))
    )
    assert observed.begin(whole.in_phase(0))
    for view in views:
        observed.observe(view)
    with pytest.raises(UsageError, match="the running episode has no question 'made'"):
        observed.ask("e", "made", "")
    assert not observed.begin(whole.in_phase(1)), "it goes on"
    answer = observed.ask("e", "made", "")
    assert (answer.text, answer.key) == ("red", ("again", "made"))
    assert observed.begin(whole.in_phase(0)), "it begins anew"
    assert observed.ask("e", "x", "What color is the mug?").verdict == Verdict.NEEDS_LOOK
