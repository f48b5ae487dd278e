"""

What unknown space is worth: by height, by room, by what such objects usually stand on or where they hang.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from box_room import BoxRoom, furnished_room
from made_detections import detection, remembered

from vantage.answering.protocol import LookAt, LookFor
from vantage.config import Settings
from vantage.perception.map.coverage import FREE, CoverageMap
from vantage.perception.object_categories import HIGH as HANGS_HIGH, usual_places
from vantage.planning.agents.search_agent import SearchAgent, by_height, interest
from vantage.planning.agents.search_targets import LooksTaken, Target, targets_at
from vantage.planning.protocol import Agent
from vantage.planning.view_planning.information_gain import Panorama
from vantage.recording.events import EpisodeListener
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, NoiseType, Question, Status, StepResult, Verdict

LOW, HIGH = (0.0, 0.0, 0.0), (8.0, 4.0, 2.6)
KITCHEN = detection(1, "floor", (0.0, 0.0, -0.02), (3.9, 4.0, 0.0), "kitchen")
BEDROOM = detection(2, "floor", (4.1, 0.0, -0.02), (8.0, 4.0, 0.0), "bedroom")
COUNTER = detection(3, "counter", (0.0, 0.0, 0.0), (2.0, 0.6, 0.9))
BED = detection(4, "bed", (5.0, 2.0, 0.0), (7.0, 4.0, 0.5))


def at(coverage, weights, x, y, z):
    i, j, k = ((np.array([x, y, z]) - coverage.origin) / coverage.voxel).astype(int)
    return float(weights[i, j, k])


def test_low_space_counts_more_than_what_is_under_the_ceiling():
    coverage = CoverageMap(LOW, HIGH)
    weights = by_height(coverage, 0.0, 1.0)
    column = weights[10, 10]
    assert column[0] == 1.0
    assert (np.diff(column) <= 0).all()
    assert column[-1] < 0.1


def test_what_hangs_or_stands_high_is_looked_for_at_the_height_of_eyes():
    coverage = CoverageMap(LOW, HIGH)
    column = by_height(coverage, 0.0, 1.0, high=True)[10, 10]
    heights = (np.arange(len(column)) + 0.5) * coverage.voxel
    assert (column[(heights > 0.6) & (heights < 2.2)] == 1.0).all()
    assert (column[heights < 0.6] == 0.5).all()
    assert column[-1] < 0.1
    lifted = by_height(CoverageMap((0.0, 0.0, -1.0), (8.0, 4.0, 1.6)), -1.0, 1.0, high=True)[10, 10]
    assert (lifted == column).all()  # heights are those above the floor


@pytest.mark.parametrize(("labels", "higher"), [(["picture"], True), (["shoe"], False), (["shoe", "picture"], False)])
def test_the_object_that_is_wanted_most_tells_at_which_height_to_look(labels, higher):
    """What is on the wall beside the shoe is only there to find the shoe by."""
    coverage = CoverageMap(LOW, HIGH)
    weights = interest(coverage, remembered(), labels, leads=False)
    assert (at(coverage, weights, 6.0, 2.0, 1.75) > at(coverage, weights, 6.0, 2.0, 0.3)) is higher
    assert (labels[0] in HANGS_HIGH) is higher


def test_a_room_that_was_seen_in_part_may_go_on():
    coverage, part = CoverageMap(LOW, HIGH), detection(1, "floor", (0.0, 0.0, -0.02), (2.0, 4.0, 0.0), "kitchen")
    weights = interest(coverage, remembered(part), ["kettle"], leads=False)
    inside, beyond, far = (at(coverage, weights, x, 2.0, 0.7) for x in (1.0, 2.7, 5.0))
    assert inside == beyond > 2 * far


def test_what_is_in_a_room_that_was_found_is_not_in_space_that_belongs_to_no_room():
    coverage, kitchen = CoverageMap(LOW, HIGH), remembered(KITCHEN)
    named, usual = (interest(coverage, kitchen, labels, leads=False) for labels in (["mug", "kitchen"], ["mug"]))
    assert at(coverage, named, 7.0, 2.0, 0.7) < at(coverage, usual, 7.0, 2.0, 0.7)
    assert at(coverage, named, 2.0, 2.0, 0.7) > 2 * at(coverage, named, 7.0, 2.0, 0.7)


def test_the_usual_room_and_the_usual_support_count_more():
    coverage = CoverageMap(LOW, HIGH)
    weights = interest(coverage, remembered(KITCHEN, BEDROOM, COUNTER, BED), ["kettle"], leads=False)
    kitchen, bedroom = at(coverage, weights, 3.0, 3.0, 0.7), at(coverage, weights, 4.5, 1.0, 0.7)
    assert kitchen > 2 * bedroom
    assert at(coverage, weights, 1.0, 0.3, 1.0) > 2 * kitchen


def test_a_room_that_the_question_names_counts_whatever_is_usual():
    coverage = CoverageMap(LOW, HIGH)
    weights = interest(coverage, remembered(KITCHEN, BEDROOM), ["kettle", "bedroom"], leads=False)
    assert at(coverage, weights, 4.5, 1.0, 0.7) > 2 * at(coverage, weights, 3.0, 3.0, 0.7)


def test_little_counts_elsewhere_while_the_reasoner_leads():
    coverage, memory = CoverageMap(LOW, HIGH), remembered(KITCHEN)
    free, led = (interest(coverage, memory, ["kettle"], leads) for leads in (False, True))
    assert led.sum() < 0.3 * free.sum()


@pytest.mark.parametrize(
    ("label", "room", "support"),
    [("kettle", "kitchen", "counter"), ("towel", "bathroom", "sink"), ("keyboard", "office", "desk")],
)
def test_habits(label, room, support):
    habit = usual_places(label)
    assert room in habit.rooms
    assert support in habit.supports


def test_anything_else_may_be_anywhere():
    assert usual_places("flibbertigibbet").rooms == frozenset()


def test_what_is_left_of_a_room_that_was_seen_counts_little():
    coverage, memory = CoverageMap(LOW, HIGH), remembered(KITCHEN, BEDROOM)
    before = interest(coverage, memory, ["ball"], leads=False)
    after = interest(coverage, memory, ["ball"], leads=False, done={"bedroom"})
    assert at(coverage, after, 6.0, 2.0, 0.7) < 0.5 * at(coverage, before, 6.0, 2.0, 0.7)
    assert at(coverage, after, 2.0, 2.0, 0.7) == at(coverage, before, 2.0, 2.0, 0.7)


BEHIND = Viewpoint(1.0, 0.6, 1.2, math.pi, 0.0)  # west of the partition, looking away


class Trace(EpisodeListener):
    def __init__(self):
        self.actions, self.statuses, self.poses, self.doing = [], [], [], []

    def observed(self, observation):
        self.poses.append(observation.viewpoint)

    def concluded(self, result):
        self.actions.append(result.command.action)
        self.statuses.append(result.status)

    def thought(self, view, detections, observation):
        self.doing.append(view.doing)


def search(*questions, start=BEHIND, max_steps=60, boxes=None, world=None):
    asked = tuple(Question(f"q{k}", text) for k, text in enumerate(questions))
    episode = Episode("e", "search", "room", start, asked, max_steps)
    trace = Trace()
    agent = SearchAgent(Settings())
    outcome = EpisodeRunner(world or BoxRoom(boxes or furnished_room()), agent, [trace]).run(episode, 0)
    return outcome, trace


def half_hidden_table():
    """Half of the table is below a cabinet that reaches down to it, so that nobody sees what is there."""
    room = furnished_room()
    room.boxes = [box for box in room.boxes if box[0] != 8]
    room.boxes.append((8, (3.15, 0.7, 0.75), (3.25, 0.8, 0.87)))  # the mug
    room.add(12, "cabinet", (3.45, 0.0, 0.82), (4.0, 3.0, 2.4), "white", "wood")
    return room


def test_it_is_an_agent():
    assert isinstance(SearchAgent(Settings()), Agent)


def test_it_goes_around_a_partition_to_answer():
    outcome, trace = search("What color is the mug on the table?")
    answer = outcome.answers[0]
    assert (answer.text, answer.verdict) == ("red", Verdict.ANSWERED)
    assert answer.confidence >= 0.8
    assert answer.evidence
    assert 0 < outcome.steps <= 30
    assert any(doing.startswith("looking for") for doing in trace.doing)


def test_it_rises_to_look_onto_a_high_shelf():
    outcome, trace = search("What color is the vase on the shelf?")
    assert outcome.answers[0].text == "blue"
    outcome, trace = search("How many vases are on the shelf?")
    assert outcome.answers[0].text == "1"
    assert max(pose.z for pose in trace.poses) > 1.65, "the top of the shelf is only seen from above it"


def test_a_false_color_is_corrected():
    answer = search("What is the green mug on the table made of?")[0].answers[0]
    assert answer.verdict == Verdict.CORRECTED
    assert answer.noise.noise_type == NoiseType.COLOR
    assert answer.text.endswith("Answer: ceramic.")


def test_an_absent_object_is_absent_only_after_the_place_was_seen():
    outcome, trace = search("What color is the guitar on the table?")
    answer = outcome.answers[0]
    assert answer.verdict == Verdict.UNANSWERABLE
    assert "guitar" in answer.text
    assert any(pose.x > 2.0 or pose.y > 1.3 for pose in trace.poses), "it left the corner that hides the table"


def test_not_seen_yet_is_never_absent():
    for budget in (0, 1, 3):
        outcome, _ = search("What color is the guitar on the table?", max_steps=budget)
        answer = outcome.answers[0]
        assert answer.verdict == Verdict.NEEDS_LOOK
        assert outcome.steps <= budget


@pytest.mark.parametrize("budget", [6, 12, 18, 24])
def test_a_short_budget_never_makes_a_object_absent_that_is_there(budget):
    for label in ("vase", "mug"):
        answer = search(f"Where is the {label}?", max_steps=budget)[0].answers[0]
        assert answer.verdict in (Verdict.ANSWERED, Verdict.NEEDS_LOOK), answer.text


def test_it_stops_when_no_look_would_tell_more():
    start = Viewpoint(2.7, 1.8, 1.5, -1.0, -0.4)
    outcome, _ = search("How many mugs are on the table?", start=start, boxes=half_hidden_table())
    answer = outcome.answers[0]
    assert (answer.text, answer.verdict) == ("I have not seen all of the table yet. Answer: 1.", Verdict.ANSWERED)
    assert answer.confidence < 0.5
    assert outcome.steps < 40  # 56 and no more to tell where it goes on


def test_it_answers_every_question_of_an_episode():
    outcome, _ = search("What color is the mug on the table?", "Where is the vase?")
    assert [answer.question_id for answer in outcome.answers] == ["q0", "q1"]
    assert [answer.text for answer in outcome.answers] == ["red", "on the shelf"]


def test_a_question_it_does_not_understand_costs_no_step():
    outcome, _ = search("Colorless green ideas sleep furiously, don't they")
    assert outcome.steps == 0
    assert outcome.answers[0].verdict == Verdict.NEEDS_MODEL


def test_the_same_seed_gives_the_same_way():
    first, second = (search("Where is the vase?")[1].poses for _ in range(2))
    assert first == second


def test_unexpected_collisions_are_worked_around():
    class Sticky(BoxRoom):
        """The first moves along +y end in a collision that nothing explains."""

        blocked = 3

        def step(self, command):
            if command.action == "y+" and self.blocked:
                self.blocked -= 1
                self._gate.admit(command, self._viewpoint)
                return StepResult(Status.COLLIDED, "collided with glass", command, self.observe())
            return super().step(command)

    outcome, trace = search("What color is the mug on the table?", world=Sticky(furnished_room()))
    assert outcome.answers[0].text == "red"
    assert trace.statuses.count(Status.COLLIDED) <= 4


@pytest.mark.parametrize("limit", [5, 20])
def test_the_budget_is_never_exceeded(limit):
    outcome, _ = search("Where is the guitar?", max_steps=limit)
    assert outcome.steps <= limit
    assert len(outcome.answers) == 1


class Watched(SearchAgent):
    """Remembers what it gave up."""

    def begin(self, episode, info, seed):
        super().begin(episode, info, seed)
        self.gave_up = set()

    def act(self, observation, last):
        self.gave_up |= self._qa.memory.given_up
        decision = super().act(observation, last)
        self.given_up_last = set(self._qa.memory.given_up)
        return decision


def watched(text, boxes, start, max_steps=80):
    agent = Watched(Settings())
    episode = Episode("e", "search", "room", start, (Question("q0", text),), max_steps)
    return EpisodeRunner(BoxRoom(boxes), agent, []).run(episode, 0), agent


def test_a_place_that_shows_no_more_is_given_up_and_other_places_are_looked_at():
    """The vase is asked for where it is not: on a table of which only a half can be seen."""
    start = Viewpoint(2.7, 1.8, 1.5, -1.0, -0.4)
    outcome, agent = watched("What color is the vase on the table?", half_hidden_table(), start)
    answer = outcome.answers[0]
    assert (7, "on", 0) in agent.gave_up, "the top of the table"
    assert not any(obj == 7 and relation != "on" for obj, relation, _ in agent.gave_up), "nothing else of it"
    assert (answer.verdict, answer.noise.noise_type) == (Verdict.CORRECTED, NoiseType.POSITION)
    assert answer.text == "The vase is on the shelf, not on the table. Answer: blue."
    assert agent.given_up_last == set(), "the next question starts afresh"


def test_what_can_be_seen_is_not_given_up():
    outcome, agent = watched("What color is the vase on the table?", furnished_room(), BEHIND)
    assert outcome.answers[0].text == "The vase is on the shelf, not on the table. Answer: blue."
    assert agent.gave_up == set()


class Cleared(Watched):
    """What hides half of the table is taken away, for whoever looks around too, once that was given up."""

    def act(self, observation, last):
        place = self._qa.memory.given_up
        if place and not self.cleared:
            self.room.boxes = [box for box in self.room.boxes if box[0] != 12]
            self._coverage._states[self._coverage._box((3.4, 0.0, 0.8), (4.0, 3.0, 2.4))] = FREE
            self.cleared = True
        elif self.cleared and not place:
            self.taken_back = True
        return super().act(observation, last)


def test_a_place_that_was_given_up_is_looked_at_again_once_a_look_would_show_it():
    agent = Cleared(Settings())
    agent.room, agent.cleared, agent.taken_back = half_hidden_table(), False, False
    start, question = Viewpoint(2.7, 1.8, 1.5, -1.0, -0.4), Question("q0", "How many mugs are on the table?")
    asked = (replace(question, text="What color is the vase on the table?"),)
    outcome = EpisodeRunner(BoxRoom(agent.room), agent, []).run(Episode("e", "search", "room", start, asked, 80), 0)
    assert agent.cleared
    assert agent.taken_back
    assert outcome.answers[0].text == "The vase is on the shelf, not on the table. Answer: blue."


POINT = (3.45, 1.0, 1.0)
WHOLE = LookFor(LookAt.WHOLE, "mug", 8, (POINT,))
CLOSER = LookFor(LookAt.OBJECT, "mug", 8, (POINT,), 0.8)
ONTO, INTO = (LookFor(LookAt.SURFACE, label, 7, (POINT,), place=(7, "at", 0)) for label in ("table", "basket"))


class Hinted(SearchAgent):
    """Wants to see what it is told to."""

    hint = WHOLE

    def _hints(self, question):
        return (self.hint,)

    def worth_from(self, position, hint, lens):
        self.hint = hint
        ways = Panorama(lens, np.arange(-math.pi, math.pi, 0.5), np.array([-0.5, 0.0]))
        return float(
            self._wanted(
                self._targets(self._open[0], self._hints(self._open[0]), lens), ways, np.array([position])
            ).max()
        )


@pytest.mark.parametrize(
    ("first", "start", "then", "place"),
    [
        (WHOLE, (2.6, 2.7, 1.2, -1.1, -0.3), CLOSER, (3.2, 1.5, 1.2)),
        (ONTO, (2.9, 1.9, 1.5, -1.1, -0.3), INTO, (3.2, 1.5, 1.7)),
    ],
)
def test_a_look_for_one_purpose_does_not_count_for_another(first, start, then, place):
    """A whole object is seen from afar, its details are not; a table is seen from low above, the inside of a basket is
    not."""
    room, agent = BoxRoom(furnished_room()), Hinted(Settings())
    asked = (Question("q0", "Where is the guitar?"),)
    agent.begin(Episode("e", "search", "room", Viewpoint(*start), asked, 9), room.info, 0)
    view = room.reset(Episode("e", "search", "room", Viewpoint(*start), asked, 9), 0)
    lens = view.intrinsics
    agent.hint = first
    agent.act(view, None)
    before = [agent.worth_from(at, hint, lens) for at, hint in ((start[:3], first), (place, then))]
    agent.hint = first
    agent.act(replace(view, stamp=view.stamp + 1), None)
    after = [agent.worth_from(at, hint, lens) for at, hint in ((start[:3], first), (place, then))]
    assert after[0] < 0.3 * before[0], "the first was seen"
    assert after[1] == pytest.approx(before[1])
    assert after[1] > 400.0


def test_a_object_that_was_cut_off_is_worth_a_step_back():
    room, agent = BoxRoom(furnished_room()), Hinted(Settings())
    asked = (Question("q0", "Where is the guitar?"),)
    near = Viewpoint(3.3, 1.6, 1.2, -1.3, -0.3)
    agent.begin(Episode("e", "search", "room", near, asked, 9), room.info, 0)
    view = room.reset(Episode("e", "search", "room", near, asked, 9), 0)
    back = 2.8, 2.4, 1.2
    agent.act(view, None)
    before = agent.worth_from(back, WHOLE, view.intrinsics)
    agent.act(replace(view, stamp=view.stamp + 1), None)
    after = agent.worth_from(back, WHOLE, view.intrinsics)
    assert 0.2 * before < after < 0.5 * before


def gained(target, *looks):
    """What looks at a target from positions one after the other are worth, each as far as those before left it."""
    taken, found = LooksTaken(), []
    for look in np.array(looks):
        found.append(float(taken.worth(target, look[None]).sum()))
        taken.add(target, look, np.ones(len(target.points), bool))
    return found


def test_print_is_looked_for_on_every_side():
    (sides,) = targets_at(LookFor(LookAt.SIDES, "can", 8, (POINT,), 0.8, (0.1, 0.1, 0.1)))
    x, y, z = POINT
    front, again, behind, aside = gained(sides, (x + 0.7, y, z), (x + 0.7, y, z), (x - 0.7, y, z), (x, y + 0.7, z))
    assert again < 0.1 * front
    assert front == pytest.approx(behind, rel=0.1), "its back was not seen at all"
    assert aside > 2 * again


def test_print_on_what_lies_flat_is_looked_for_from_above():
    (top,) = targets_at(LookFor(LookAt.SIDES, "book", 8, (POINT,), 0.8, (0.2, 0.3, 0.04)))
    x, y, z = POINT
    above, beside = gained(top, (x, y, z + 0.7), (x + 0.7, y, z))
    assert beside == 0.0 < above


def test_print_is_looked_for_from_nearer_where_the_lens_makes_it_smaller():
    hint = LookFor(LookAt.SIDES, "can", 8, (POINT,), 0.8, (0.1, 0.1, 0.1))
    (usual,), (wide,), (long,) = targets_at(hint), targets_at(hint, 256.0), targets_at(hint, 900.0)
    assert usual.near == long.near == 0.8
    assert wide.near == pytest.approx(0.8 * 256.0 / 467.7)


def test_what_was_misread_from_one_place_is_worth_a_look_from_another():
    (closer,) = targets_at(LookFor(LookAt.OBJECT, "mug", 8, (POINT,), 1.0, (0.1, 0.1, 0.1)))
    x, y, z = POINT
    first, again, elsewhere = gained(closer, (x + 1.5, y, z), (x + 1.5, y, z), (x, y + 1.5, z))
    assert again < 0.1 * first
    assert elsewhere == pytest.approx(first)


def test_all_of_a_large_object_is_in_view_from_afar_alone():
    room, agent = BoxRoom(furnished_room()), Hinted(Settings())
    start = Viewpoint(2.8, 2.4, 1.2, -1.1, -0.3)
    episode = Episode("e", "search", "room", start, (Question("q0", "Where is the guitar?"),), 9)
    agent.begin(episode, room.info, 0)
    lens = room.reset(episode, 0).intrinsics
    small, large = (replace(WHOLE, extents=(size, size, size)) for size in (0.1, 1.2))
    near, far = (3.2, 1.4, 1.2), (2.6, 2.7, 1.2)
    assert agent.worth_from(near, large, lens) < 0.5 * agent.worth_from(near, small, lens)
    assert agent.worth_from(far, large, lens) > 0.8 * agent.worth_from(far, small, lens)


class Fixed(SearchAgent):
    """Wants to see one point over the table, whatever it has seen of it."""

    target = Target(np.array([[3.45, 1.0, 1.0]]), worth=100.0, near=1.0, tried=0.6)

    def _targets(self, question, hints, camera):
        return [self.target]

    def worth_from(self, position, lens):
        ways = Panorama(lens, np.arange(-math.pi, math.pi, 0.5), np.array([-0.5, 0.0]))
        return float(self._wanted([self.target], ways, np.array([position])).max())


def test_a_look_is_worth_what_it_shows_better_than_any_before():
    """From two meters a quarter of the worth is had once: a step aside adds little, a step nearer the rest."""
    room, agent = BoxRoom(furnished_room()), Fixed(Settings())
    lens = room.observe().intrinsics
    episode = Episode(
        "e", "search", "room", Viewpoint(2.6, 2.7, 1.2, -1.1, -0.3), (Question("q0", "Where is the guitar?"),), 9
    )
    aside, nearer = (2.6, 2.45, 1.2), (3.3, 1.6, 1.2)
    agent.begin(episode, room.info, 0)
    first = room.reset(episode, 0)
    agent.act(first, None)
    before = agent.worth_from(aside, lens), agent.worth_from(nearer, lens)
    agent.act(replace(first, stamp=first.stamp + 1), None)
    after = agent.worth_from(aside, lens), agent.worth_from(nearer, lens)
    assert before[0] > 20.0
    assert before[1] > 95.0
    assert after[0] < 0.35 * before[0]
    assert 0.5 * before[1] < after[1] < 0.85 * before[1]
