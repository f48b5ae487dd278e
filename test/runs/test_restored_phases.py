"""Episodes that go on in the world as it was found: reset, numbers, budgets, bags and scores of what was complete."""

from dataclasses import replace
from itertools import pairwise

import pytest
from gold_bags import gold, record
from open_field import START, OpenFieldWorld
from phased import EXPLORE, REENTER, REFINE, SECRET, Log, PhasedAgent, look_answer_look_again

from vantage.benchmarks.judging import RuleJudge
from vantage.benchmarks.scoring import score_recording
from vantage.errors import EpisodeError, RecordingError, WorldError
from vantage.recording.bags import read_bag_raw
from vantage.recording.recordings import read_recording
from vantage.recording.topics import EPISODE, RECORDED, TF_STATIC
from vantage.reports.scoring import score_bag
from vantage.runs.episode import EpisodeRunner
from vantage.types import (
    Answer,
    Command,
    Episode,
    EpisodePhase,
    EpisodeState,
    Question,
    Status,
    TruthQuestion,
    Verdict,
)

SCRIPT = {EXPLORE: ["x+", "y+", "x+"], REENTER: ["yaw+", "x+"]}
TEXTS = {"answer": "red", REFINE: "blue"}
GOLD = replace(
    gold(TruthQuestion("q1", "color", "blue")),
    questions=tuple(
        TruthQuestion(name, "color", text, phase=phase)
        for phase in ("answer", REFINE)
        for name, text in (("q1", "blue"), ("q2", "red"))
    ),
)


def run(agent, episode, world=None):
    log = Log()
    outcome = EpisodeRunner(world or OpenFieldWorld(), agent, [log]).run(episode, 0)
    return outcome, log


def test_the_world_is_put_back_and_command_numbers_run_on():
    agent = PhasedAgent(SCRIPT, TEXTS)
    outcome, log = run(agent, look_answer_look_again())
    assert (outcome.state, outcome.reason) == (EpisodeState.FINISHED, "")
    assert log.numbers == [1, 2, 3, 4, 5]
    assert outcome.phase_steps == {EXPLORE: 3, "answer": 0, REENTER: 2, REFINE: 0}
    assert [item.restored for item in agent.given] == [False, False, True, False]
    viewpoints, lasts = zip(*agent.first, strict=True)
    assert viewpoints[0] == viewpoints[2] == START
    assert viewpoints[1] != START
    assert (lasts[0], lasts[2]) == (None, None)
    assert (lasts[1].command.sequence, lasts[3].command.sequence) == (3, 5)


def test_questions_are_told_when_they_are_asked_and_known_when_the_world_is_put_back():
    agent = PhasedAgent(SCRIPT, TEXTS)
    outcome, log = run(agent, look_answer_look_again())
    assert SECRET not in log.before("answer")
    assert SECRET not in str(agent.given[0])
    assert agent.given[2].questions == ()
    assert [(answer.key, answer.text) for answer in outcome.answers] == [
        (("answer", "q1"), "red"),
        (("answer", "q2"), "red"),
        ((REFINE, "q1"), "blue"),
        ((REFINE, "q2"), "blue"),
    ]


def test_an_agent_that_is_never_done_is_stopped_and_that_is_told():
    outcome, _ = run(PhasedAgent({EXPLORE: ["yaw+"] * 99, REENTER: ["yaw+"] * 99}, TEXTS), look_answer_look_again())
    assert outcome.state == EpisodeState.FINISHED
    assert outcome.reason == "phase 'reenter': agent 'scripted' was not done within the 5 steps that it had at most"
    assert outcome.phase_steps == {EXPLORE: 4, "answer": 0, REENTER: 5, REFINE: 0}
    assert len(outcome.answers) == 4


def test_actions_that_fail_count():
    walk = {REENTER: ["x+"] * 9}
    start = replace(START, x=2.9)
    world = OpenFieldWorld()
    outcome, _ = run(PhasedAgent(walk, TEXTS), look_answer_look_again(start=start, cap=9), world)
    assert outcome.phase_steps[REENTER] == 9
    assert world.observe().viewpoint == start


def test_an_answer_to_a_question_of_before_is_one_sentence():
    class Late(PhasedAgent):
        def act(self, observation, last):
            if self.given[-1].phase == REENTER:
                return Answer("q1", "red", Verdict.ANSWERED, 1.0)
            return super().act(observation, last)

    outcome, _ = run(Late({}, TEXTS), look_answer_look_again())
    assert outcome.state == EpisodeState.FAILED
    assert outcome.reason == (
        "agent 'scripted' answered question 'q1' of phase 'answer', which is not open; open are: none"
    )


def test_a_first_phase_that_is_restored_is_refused():
    with pytest.raises(ValueError, match="phase 'a' of episode 'e' is the first one, before which nothing can be"):
        Episode.of_phases("e", "search", "field", START, (EpisodePhase("a", 1, restored=True),))


def test_a_world_goes_on_only_with_the_episode_that_it_runs():
    world, whole = OpenFieldWorld(), look_answer_look_again("one")
    with pytest.raises(EpisodeError, match=r"no phase of episode 'one' can begin .* because no episode is running"):
        world.reset(whole.in_phase(2), 0)
    world.reset(replace(whole.in_phase(0), episode_id="two"), 0)
    with pytest.raises(EpisodeError, match=r"because 'two' is running; begin with its first phase"):
        world.reset(whole.in_phase(2), 0)


def test_whoever_commands_keeps_the_lease_over_the_reset():
    world, whole = OpenFieldWorld(), look_answer_look_again("one")
    world.reset(whole.in_phase(0), 0)

    def turn(source, number):
        target = replace(world.observe().viewpoint, yaw=0.1 * number)
        return world.step(Command(target, "yaw+", None, "one", source, number)).status

    assert turn("planner", 1) is Status.DONE
    world.reset(whole.in_phase(2), 0)
    world.reset(whole.in_phase(2), 0)
    assert turn("stranger", 2) is Status.REJECTED
    assert turn("planner", 1) is Status.REJECTED
    assert turn("planner", 2) is Status.DONE


class Breaking(OpenFieldWorld):
    """Breaks down with a command of some number, or when it is put back."""

    def __init__(self, number=0):
        super().__init__()
        self._number = number

    def reset(self, episode, seed):
        if episode.restored and not self._number:
            raise EpisodeError("the home cannot be put back")
        return super().reset(episode, seed)

    def step(self, command):
        if command.sequence == self._number:
            raise WorldError("the physics broke down")
        return super().step(command)


@pytest.mark.parametrize(("number", "said"), [(0, "the home cannot be put back"), (5, "the physics broke down")])
def test_what_was_complete_is_scored_though_a_later_phase_failed(tmp_path, monkeypatch, number, said):
    monkeypatch.setattr("gold_bags.OpenFieldWorld", lambda: Breaking(number))
    bag, outcome = record(tmp_path, "e", PhasedAgent(SCRIPT, TEXTS), GOLD, whole=look_answer_look_again("e"))
    assert (outcome.state, outcome.reason) == (EpisodeState.FAILED, said)
    recording = read_recording(bag)
    assert recording.shortfall() == f"the episode was not finished but failed: {said}"
    assert recording.ended_phases == (EXPLORE, "answer")
    part = recording.until("answer")
    assert part.shortfall() == ""
    assert part.ended_phases == (EXPLORE, "answer")
    assert [answer.text for answer in part.answers] == ["red", "red"]
    assert [motion.action for motion in part.motions] == SCRIPT[EXPLORE]
    score = score_recording(part, RuleJudge())
    assert (score.complete, score.steps) == (True, 3)
    assert score.judge_score == 3.0
    with pytest.raises(RecordingError, match="holds no phase 'refine' that ended; ended are: explore, answer"):
        recording.until(REFINE)
    assert recording.until(EXPLORE).truth.questions == ()


def test_a_whole_bag_tells_all_phases_and_its_way_has_no_jump(tmp_path):
    whole = look_answer_look_again("e")
    bag, _ = record(tmp_path, "e", PhasedAgent(SCRIPT, TEXTS), GOLD, whole=whole)
    recording = read_recording(bag)
    assert recording.shortfall() == ""
    assert recording.episode == whole
    assert [item.episode.restored for item in recording.phases] == [False, False, True, False]
    assert recording.ended_phases == (EXPLORE, "answer", REENTER, REFINE)
    assert recording.until(REFINE) is recording
    assert [motion.action for motion in recording.motions_in(REENTER)] == SCRIPT[REENTER]
    first, second = recording.ways()
    assert (len(first), len(second), first[0], second[0]) == (4, 3, START, START)
    score = score_bag(bag)
    assert score.complete
    assert score.path_length == pytest.approx(sum(a.distance(b) for way in (first, second) for a, b in pairwise(way)))
    assert score.path_length == pytest.approx(4 * 0.25)
    half = recording.until("answer")
    assert (half.shortfall(), half.truth.questions) == ("", GOLD.questions[:2])


def test_no_byte_of_a_bag_holds_a_question_before_it_is_asked(tmp_path):
    bag, _ = record(tmp_path, "e", PhasedAgent(SCRIPT, TEXTS), None, whole=look_answer_look_again("e"))
    messages = [(topic, data) for topic, _, data in read_bag_raw(bag, RECORDED)]
    asked = next(k for k, (topic, data) in enumerate(messages) if topic is EPISODE and SECRET.encode() in data)
    assert not any(SECRET.encode() in data for _, data in messages[:asked])
    assert sum(topic is TF_STATIC for topic, _ in messages) == 2, "listeners hear that the world was put back"


def test_phases_may_ask_the_same_question_only_under_their_own_names():
    asked = (Question("q1", "Is there a ball?", "answer"),)
    with pytest.raises(ValueError, match="question 'q1' of phase 'refine' of episode 'e' says that it is of phase"):
        Episode.of_phases(
            "e", "search", "field", START, (EpisodePhase("answer", 1, asked), EpisodePhase("refine", 1, asked))
        )
