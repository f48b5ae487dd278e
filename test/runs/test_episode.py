import pytest
from open_field import OpenFieldWorld, make_episode
from scripted_agent import ScriptedAgent

from vantage.errors import ModelError, WorldError
from vantage.recording.events import EpisodeListener
from vantage.runs.episode import EpisodeRunner
from vantage.types import Answer, Cause, Command, EpisodeState, Question, Status


class Log(EpisodeListener):
    def __init__(self):
        self.events = []

    def started(self, episode, agent, stamp):
        self.events.append("started")

    def observed(self, observation):
        self.events.append("observed")

    def commanded(self, command, stamp):
        self.events.append(command.sequence)

    def concluded(self, result):
        self.events.append(result.status)

    def answered(self, answer, stamp):
        self.events.append(answer.question_id)

    def ended(self, outcome, stamp):
        self.events.append(outcome.state)


def test_listeners_hear_everything_in_order():
    log, agent = Log(), ScriptedAgent(["x+", "yaw+"])
    outcome = EpisodeRunner(OpenFieldWorld(), agent, [log]).run(make_episode(questions=2), 0)
    assert (outcome.state, outcome.steps, outcome.reason) == (EpisodeState.FINISHED, 2, "")
    assert [answer.question_id for answer in outcome.answers] == ["q1", "q2"]
    done = Status.DONE
    expected = ["started", "observed", 1, "observed", done, 2, "observed", done, "q1", "q2", EpisodeState.FINISHED]
    assert log.events == expected
    assert agent.results[0] is None
    assert agent.results[1].status == done


def test_sequence_and_source_are_the_runners_and_restart_with_each_episode():
    world, agent = OpenFieldWorld(), ScriptedAgent(["x+"])
    runner = EpisodeRunner(world, agent)
    for name in ("one", "two"):
        outcome = runner.run(make_episode(name), 0)
        assert outcome.state == EpisodeState.FINISHED
        assert agent.results[-1].command.episode_id == name
        assert agent.results[-1].command.source == "planner"
        assert agent.results[-1].status == Status.DONE


def test_the_budget_ends_an_episode_without_an_answer():
    outcome = EpisodeRunner(OpenFieldWorld(), ScriptedAgent(["yaw+"] * 9)).run(make_episode(max_steps=3), 0)
    assert outcome.state == EpisodeState.FINISHED
    assert outcome.steps == 3
    assert outcome.answers == []
    assert "3 steps" in outcome.reason


def test_a_latched_stop_fails_the_episode():
    world = OpenFieldWorld()
    world.stop("red button")
    outcome = EpisodeRunner(world, ScriptedAgent(["x+", "x+"])).run(make_episode(), 0)
    assert outcome.state == EpisodeState.FAILED
    assert "red button" in outcome.reason
    assert outcome.steps == 1


class Meddler(EpisodeListener):
    """Does something to the world after the second command of an episode."""

    def __init__(self, meddle):
        self.meddle = meddle

    def concluded(self, result):
        if result.command.sequence == 2:
            self.meddle()


def test_a_stop_ends_the_episode_even_when_it_is_cleared_at_once_and_the_next_one_runs():
    world = OpenFieldWorld()

    def touch():
        world.stop("red button")
        world.clear_stop()

    runner = EpisodeRunner(world, ScriptedAgent(["yaw+"] * 9), [Meddler(touch)])
    outcome = runner.run(make_episode("one"), 0)
    assert (outcome.state, outcome.steps) == (EpisodeState.FAILED, 3)
    assert outcome.reason == "stopped: red button; the stop was cleared before this command came"
    again = EpisodeRunner(world, ScriptedAgent(["yaw+"] * 3)).run(make_episode("two"), 0)
    assert (again.state, again.steps) == (EpisodeState.FINISHED, 3)


def _reset(world, name):
    world.reset(make_episode(name), 0)


def _reset_and_take(world):
    _reset(world, "one")
    world.step(Command(world.observe().viewpoint, episode_id="one", source="joystick", sequence=1))


@pytest.mark.parametrize(
    ("meddle", "why"),
    [
        (lambda world: _reset(world, "other"), "the command is for episode 'one', running is 'other'"),
        (lambda world: _reset(world, "one"), "out of sequence: expected command 1, got 3"),
        (_reset_and_take, "source 'planner' does not hold the lease; 'joystick' does"),
    ],
)
def test_whoever_loses_the_world_fails_at_once(meddle, why):
    world = OpenFieldWorld()
    runner = EpisodeRunner(world, ScriptedAgent(["yaw+"] * 9), [Meddler(lambda: meddle(world))])
    outcome = runner.run(make_episode("one"), 0)
    assert (outcome.state, outcome.steps, outcome.answers) == (EpisodeState.FAILED, 3, [])
    assert outcome.reason == f"somebody else took over the world before command 3: {why}"


def test_a_command_beyond_a_limit_is_the_agents_to_mend():
    agent = ScriptedAgent(["z+"] * 9)
    outcome = EpisodeRunner(OpenFieldWorld(), agent).run(make_episode(), 0)
    assert (outcome.state, outcome.steps) == (EpisodeState.FINISHED, 9)
    assert (agent.results[-1].status, agent.results[-1].cause) == (Status.REJECTED, Cause.LIMIT)


def test_cancel_is_asked_before_each_decision():
    asked = iter([False, False, True])
    outcome = EpisodeRunner(OpenFieldWorld(), ScriptedAgent(["x+"] * 9)).run(make_episode(), 0, lambda: next(asked))
    assert (outcome.state, outcome.steps) == (EpisodeState.CANCELED, 2)


class Asked(ScriptedAgent):
    """Is being asked when the cancel comes; a model that may not be called is its answer, or its error."""

    def __init__(self, error=None):
        super().__init__(["x+"])
        self.canceled, self.error = False, error

    def act(self, observation, last):
        decision = super().act(observation, last)
        self.canceled = isinstance(decision, Answer)
        if self.canceled and self.error is not None:
            raise self.error
        return decision


@pytest.mark.parametrize("error", [None, ModelError("the request was canceled")])
def test_what_is_answered_while_the_cancel_comes_does_not_count(error):
    agent, log = Asked(error), Log()
    outcome = EpisodeRunner(OpenFieldWorld(), agent, [log]).run(make_episode(), 0, lambda: agent.canceled)
    assert (outcome.state, outcome.steps, outcome.answers) == (EpisodeState.CANCELED, 1, [])
    assert outcome.reason == "canceled on request"
    assert log.events[-1] == EpisodeState.CANCELED


def test_what_breaks_while_the_cancel_comes_is_still_told():
    agent = Asked(WorldError("the camera went away"))
    outcome = EpisodeRunner(OpenFieldWorld(), agent).run(make_episode(), 0, lambda: agent.canceled)
    assert (outcome.state, outcome.reason) == (EpisodeState.FAILED, "the camera went away")


def test_a_model_that_fails_without_a_cancel_fails_the_episode():
    outcome = EpisodeRunner(OpenFieldWorld(), Asked(ModelError("no reply"))).run(make_episode(), 0)
    assert (outcome.state, outcome.reason) == (EpisodeState.FAILED, "no reply")


def test_an_impossible_start_fails_in_words_and_still_ends():
    log = Log()
    episode = make_episode(start=make_episode().start.__class__(9, 9, 9, 0, 0))
    outcome = EpisodeRunner(OpenFieldWorld(), ScriptedAgent(), [log]).run(episode, 0)
    assert outcome.state == EpisodeState.FAILED
    assert "x = 9.000 m is outside the limits" in outcome.reason
    assert log.events == ["started", EpisodeState.FAILED]


def test_an_answer_to_no_open_question_fails():
    agent = ScriptedAgent()
    agent.begin = lambda episode, info, seed: agent.__dict__.update(_left=[], _open=[Question("q7", "Is it?")])
    outcome = EpisodeRunner(OpenFieldWorld(), agent).run(make_episode(), 0)
    assert outcome.state == EpisodeState.FAILED
    assert "'q7'" in outcome.reason


def test_a_world_that_breaks_is_an_outcome_and_a_bug_is_not_swallowed():
    class Broken(OpenFieldWorld):
        failure: BaseException = WorldError("camera/image_raw did not arrive within 1 s; is world_node running?")

        def step(self, command):
            raise self.failure

    outcome = EpisodeRunner(Broken(), ScriptedAgent(["x+"])).run(make_episode(), 0)
    assert outcome.state == EpisodeState.FAILED
    assert "camera/image_raw" in outcome.reason

    log, world = Log(), Broken()
    world.failure = ZeroDivisionError("bug")
    with pytest.raises(ZeroDivisionError):
        EpisodeRunner(world, ScriptedAgent(["x+"]), [log]).run(make_episode(), 0)
    assert log.events[-1] == EpisodeState.FAILED, "the recording is closed even then"
