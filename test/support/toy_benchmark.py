"""A benchmark of another package: in which shade of gray is the room? Its judge looks at pictures, not at words."""

import cv2
import numpy as np

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.judging.judges import Judgement
from vantage.benchmarks.protocol import Option
from vantage.benchmarks.scoring import score_recording
from vantage.benchmarks.sections import Section, Table
from vantage.benchmarks.sets.episodes_io import GOALS, SCENES, new_set_folder, save_set
from vantage.benchmarks.sets.set_info import SceneBounds, SetInfo
from vantage.planning.actions import GantryActions
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question, Truth, TruthQuestion


class PictureJudge:
    """Content where the last frame looks like the goal image."""

    name, version = "pictures", "7"

    def judge(self, case):
        gap = float(np.abs(case.frames()[-1].mean() - case.goal_image().mean()))
        return Judgement(5 if gap < 20 else 1, f"{gap:.0f} levels of gray between frame and goal", gap < 20, True)


class ToyBenchmark(BaseBenchmark):
    """Rooms in shades from black on; nobody gets anywhere, so that only the black one is right."""

    name = "toy"
    options = (Option("shades", "number of shades", int, default=2, size=True),)

    @property
    def section(self):
        return toy_section

    def make(self, folder, *, shades=2, seed=0, miniature=False, settings=None, progress=None):
        start, names = Viewpoint(0, 0, 0, 0, 0), [f"room-{k}" for k in range(shades)]
        asked = (Question("q1", "Which shade is the room?"),)
        with new_set_folder(folder) as root:
            (root / GOALS).mkdir(parents=True)
            for k, name in enumerate(names):
                (root / SCENES / name).mkdir(parents=True)
                cv2.imwrite(str(root / GOALS / f"{name}.png"), np.full((8, 8, 3), 200 * k // shades, np.uint8))
            scenes = dict.fromkeys(names, SceneBounds((-1, -1, -1), (1, 1, 1)))
            episodes = [Episode(name, self.name, name, start, asked, 3, seed) for name in names]
            truths = [Truth(name, (TruthQuestion("q1", "shade", "gray"),), start, ()) for name in names]
            return save_set(root, SetInfo(self.name, GantryActions(0.25, 0.5), scenes), episodes, truths)

    def score(self, recording, judge):
        score = score_recording(recording, judge)
        return score.__class__(**{**vars(score), "figures": {"shade_error": 5.0 - score.judge_score}})


def toy_section(scores):
    rows = tuple((s.episode_id, f"{s.figures['shade_error']:g}") for s in scores if s.benchmark == "toy")
    table = Table("Shades", ("Room", "Error"), rows)
    return Section("toy", "Toy", "Error: 5 - mark.", (("all rooms", (table,)),), {"rooms": len(rows)}) if rows else None
