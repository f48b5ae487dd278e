"""An agent that plays back a list of decisions."""

from vantage.planning.actions import GantryActions
from vantage.types import Answer, Command, SearchView, Verdict

ACTIONS = GantryActions(0.25, 0.5)


class ScriptedAgent:
    """Takes the actions one by one, then answers every question with ``text``."""

    name = "scripted"
    perception = "privileged"

    def __init__(self, actions=(), text="red"):
        self._script = list(actions)
        self._text = text
        self.results = []

    def begin(self, episode, info, seed):
        self._left = list(self._script)
        self.results = []
        self.begin_phase(episode)

    def begin_phase(self, episode):
        self._episode = episode
        self._open = list(episode.questions)

    def act(self, observation, last):
        self.results.append(last)
        if self._left:
            action = self._left.pop(0)
            return Command(target=ACTIONS.apply(action, observation.viewpoint), action=action)
        asked = self._open.pop(0)
        return Answer(
            asked.question_id, self._text, Verdict.ANSWERED, 0.9, perception=self.perception, phase=asked.phase
        )

    def detections(self):
        return ()

    def view(self):
        return SearchView()
