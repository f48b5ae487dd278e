"""An agent that plays back a list of decisions."""

from vantage.planning.actions import ActionSpace
from vantage.types import Answer, Command, SearchView, Verdict

ACTIONS = ActionSpace(0.25, 0.5)


class ScriptedAgent:
    """Takes the actions one by one, then answers every question with ``text``."""

    name = "scripted"
    perception = "privileged"

    def __init__(self, actions=(), text="red"):
        self._script = list(actions)
        self._text = text
        self.results = []

    def begin(self, episode, info, seed):
        self._episode = episode
        self._left = list(self._script)
        self._open = [question.question_id for question in episode.questions]
        self.results = []

    def act(self, observation, last):
        self.results.append(last)
        if self._left:
            action = self._left.pop(0)
            return Command(target=ACTIONS.apply(action, observation.viewpoint), action=action)
        return Answer(self._open.pop(0), self._text, Verdict.ANSWERED, 0.9, perception=self.perception)

    def detections(self):
        return ()

    def view(self):
        return SearchView()
