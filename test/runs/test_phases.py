from dataclasses import replace

import pytest
from gold_bags import gold, record
from open_field import START, OpenFieldWorld
from phased import AGAIN, EXPLORE, FIRST, SECRET, Log, PhasedAgent, answer_twice, explore_then_answer

from vantage.benchmarks.scoring import case_of
from vantage.errors import RecordingError
from vantage.recording.bags import read_bag_raw
from vantage.recording.recordings import Motion, PhaseBegin, Recording, read_recording
from vantage.recording.topics import EPISODE, RECORDED
from vantage.reports.scoring import score_bag
from vantage.runs.episode import EpisodeRunner
from vantage.types import Answer, Done, Episode, EpisodePhase, EpisodeState, Question, Status, TruthQuestion, Verdict


def run(agent, episode):
    log = Log()
    outcome = EpisodeRunner(OpenFieldWorld(), agent, [log]).run(episode, 0)
    return outcome, log


def test_nothing_of_a_phase_is_told_before_it_begins():
    agent = PhasedAgent({EXPLORE: ["x+", "yaw+"], "answer": ["y+"]})
    outcome, log = run(agent, explore_then_answer())
    assert (outcome.state, outcome.reason) == (EpisodeState.FINISHED, "")
    assert SECRET not in log.before("answer")
    assert SECRET not in str(agent.given[0])
    assert (agent.given[0].phase, agent.given[0].max_steps, agent.given[0].phases) == (EXPLORE, 3, ())
    assert (agent.given[1].phase, agent.given[1].max_steps, agent.given[1].questions[0].text) == ("answer", 2, SECRET)


def test_command_numbers_run_on_and_steps_are_counted_in_each_phase():
    outcome, log = run(PhasedAgent({EXPLORE: ["x+", "yaw+"], "answer": ["y+"]}), explore_then_answer())
    assert log.numbers == [1, 2, 3]
    assert (outcome.steps, outcome.phase_steps) == (3, {EXPLORE: 2, "answer": 1})


def test_each_phase_has_its_own_budget():
    outcome, _ = run(PhasedAgent({EXPLORE: ["yaw+"] * 9, "answer": ["yaw-"] * 2}), explore_then_answer())
    assert (outcome.state, outcome.reason) == (EpisodeState.FINISHED, "")
    assert outcome.phase_steps == {EXPLORE: 3, "answer": 2}
    assert len(outcome.answers) == 1


def test_a_phase_whose_budget_is_used_up_without_an_answer_does_not_end_the_episode():
    outcome, _ = run(PhasedAgent({FIRST: ["yaw+"] * 9, AGAIN: []}), answer_twice())
    assert outcome.state == EpisodeState.FINISHED
    assert outcome.reason == "phase 'first': the budget of 2 steps is used up without an answer"
    assert [answer.key for answer in outcome.answers] == [(AGAIN, "q1"), (AGAIN, "q2")]


def test_one_question_id_may_be_asked_in_two_phases():
    outcome, _ = run(PhasedAgent({}, {FIRST: "red", AGAIN: "blue"}), answer_twice())
    assert [(answer.key, answer.text) for answer in outcome.answers] == [
        ((FIRST, "q1"), "red"),
        ((AGAIN, "q1"), "blue"),
        ((AGAIN, "q2"), "blue"),
    ]


class Wrong(PhasedAgent):
    """Decides something else in a phase."""

    def __init__(self, phase, decision):
        super().__init__({})
        self._phase, self._decision = phase, decision

    def act(self, observation, last):
        return self._decision if self._episode.phase == self._phase else super().act(observation, last)


@pytest.mark.parametrize(
    ("episode", "phase", "decision", "said"),
    [
        (
            answer_twice(),
            AGAIN,
            Answer("q1", "red", Verdict.ANSWERED, 1.0, phase=FIRST),
            "agent 'scripted' answered question 'q1' of phase 'first', which is not open; open are: q1, q2",
        ),
        (
            explore_then_answer(),
            EXPLORE,
            Answer("q1", "red", Verdict.ANSWERED, 1.0),
            "agent 'scripted' answered question 'q1' of phase 'answer', which is not open; open are: none",
        ),
        (
            answer_twice(),
            FIRST,
            Done(),
            "agent 'scripted' says that it is done, and these questions are open: q1",
        ),
    ],
)
def test_what_does_not_fit_the_phase_fails_the_episode(episode, phase, decision, said):
    outcome, _ = run(Wrong(phase, decision), episode)
    assert (outcome.state, outcome.reason) == (EpisodeState.FAILED, said)


ASKED = (Question("q1", "Is there a ball?"),)


@pytest.mark.parametrize(
    ("phases", "said"),
    [
        ((), "episode 'e' has no phase; give it at least one"),
        ((EpisodePhase("a", 1), EpisodePhase("a", 2)), "episode 'e' has two phases 'a'; name each, and differently"),
        ((EpisodePhase("a", 1), EpisodePhase("b", 0)), "phase 'b' of episode 'e' is empty; give it questions or steps"),
        ((EpisodePhase("a", 1, ASKED),), "question 'q1' of phase 'a' of episode 'e' says that it is of phase 'answer'"),
        ((EpisodePhase("answer", 1, ASKED * 2),), "two questions of phase 'answer' of episode 'e' have the same"),
    ],
)
def test_impossible_phases_are_refused(phases, said):
    with pytest.raises(ValueError, match=said):
        Episode.of_phases("e", "search", "field", START, phases)


def test_a_whole_episode_asks_what_its_phases_ask():
    with pytest.raises(ValueError, match=r"are not those of its phases; use Episode\.of_phases"):
        replace(explore_then_answer(), questions=())


def test_in_an_episode_of_one_phase_the_question_id_says_enough():
    episode = Episode("e", "search", "field", START, (Question("q1", "Is there a ball?", EXPLORE),), 2, phase=EXPLORE)
    outcome, _ = run(Wrong(EXPLORE, Answer("q1", "red", Verdict.ANSWERED, 1.0)), episode)
    assert [answer.key for answer in outcome.answers] == [(EXPLORE, "q1")]


# Bags ---------------------------------------------------------------------------------------------------------------


def truth_of(*questions):
    return replace(gold(TruthQuestion("q1", "color", "red")), questions=questions)


TWICE = truth_of(
    TruthQuestion("q1", "color", "red", phase=FIRST),
    TruthQuestion("q1", "color", "blue", phase=AGAIN),
    TruthQuestion("q2", "existence", "yes", phase=AGAIN),
)


def test_a_bag_says_of_each_phase_what_was_asked_done_and_answered(tmp_path):
    episode = answer_twice("two")
    agent = PhasedAgent({FIRST: ["x+"], AGAIN: ["yaw+", "y+"]}, {FIRST: "red", AGAIN: "blue"})
    bag, _ = record(tmp_path, "two", agent, TWICE, whole=episode)
    recording = read_recording(bag)
    assert recording.shortfall() == ""
    assert recording.episode == episode
    assert [item.episode for item in recording.phases] == [episode.in_phase(0), episode.in_phase(1)]
    assert [motion.action for motion in recording.motions_in(FIRST)] == ["x+"]
    assert [motion.action for motion in recording.motions_in(AGAIN)] == ["yaw+", "y+"]
    assert [motion.action for motion in recording.motions_until(FIRST)] == ["x+"]
    assert recording.motions_until(AGAIN) == recording.motions_until("") == recording.motions
    assert [answer.key for answer in recording.answers] == [(FIRST, "q1"), (AGAIN, "q1"), (AGAIN, "q2")]
    assert [recording.answer_to(item).text for item in TWICE.questions] == ["red", "blue", "blue"]
    with pytest.raises(RecordingError, match="holds no phase 'answer', but first, again"):
        recording.motions_in("answer")


def test_the_score_knows_the_answer_of_each_phase(tmp_path):
    agent = PhasedAgent({}, {FIRST: "red", AGAIN: "yes"})
    bag, _ = record(tmp_path, "two", agent, TWICE, whole=answer_twice("two"))
    score = score_bag(bag)
    assert score.complete
    assert score.answer == "red yes yes"
    assert score.judge_score == pytest.approx((5 + 1 + 5) / 3)


def test_no_byte_of_a_bag_holds_a_question_before_its_phase_begins(tmp_path):
    agent = PhasedAgent({EXPLORE: ["x+"], "answer": ["y+"]})
    bag, _ = record(tmp_path, "two", agent, None, whole=explore_then_answer("two"))
    messages = [(topic, data) for topic, _, data in read_bag_raw(bag, RECORDED)]
    (second,) = [k for k, (topic, data) in enumerate(messages) if topic is EPISODE and SECRET.encode() in data][:1]
    assert second > 5
    assert not any(SECRET.encode() in data for _, data in messages[:second])


class Killed(PhasedAgent):
    """Raises in the first phase what ends its process."""

    def act(self, observation, last):
        raise KeyboardInterrupt


def test_a_bag_that_is_cut_off_in_the_first_phase_is_incomplete(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        record(tmp_path, "cut", Killed({}), TWICE, whole=answer_twice("cut"))
    score = score_bag(tmp_path / "cut.partial")
    assert (score.complete, "partial" in score.incomplete_reason) == (False, True)


def test_a_bag_that_ends_before_the_last_phase_began_is_incomplete(tmp_path):
    only_first = replace(answer_twice("two").in_phase(0), episode_id="two")
    bag, _ = record(tmp_path, "two", PhasedAgent({}), TWICE, whole=only_first)
    assert score_bag(bag).incomplete_reason == "its gold data ask 3 questions, and the phases that began 1"


def test_what_a_question_rests_on_was_seen_before_its_phase_ended(tmp_path):
    whole = answer_twice()
    recording = Recording(tmp_path, whole, [PhaseBegin(whole.in_phase(0), 0, 0), PhaseBegin(whole.in_phase(1), 1, 1)])
    recording.motions = [Motion("x+", Status.DONE, "", START, 10), Motion("y+", Status.DONE, "", START, 20)]
    recording.visibility = {10: {7: 0.0}, 20: {7: 1.0}}
    first, again = (TruthQuestion("q1", "color", "red", target_instances=(7,), phase=name) for name in (FIRST, AGAIN))
    assert (case_of(recording, first).visible, case_of(recording, again).visible) == (0.0, 1.0)
