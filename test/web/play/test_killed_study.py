"""A study whose process is killed amid an episode goes on, and loses nothing that was finished."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import checked_hash, load_set
from vantage.recording import read_recording
from vantage.runs import Job, prepared
from vantage.types import EpisodeState
from vantage.web.play import CONSENT, Study, make_seats, play_server, study_episodes
from vantage.web.play.trial_run import try_out

# One person by rote finishes an episode, then sees the first picture of her next one and decides nothing any more.
_PROGRAM = """
import sys, time
sys.path[:0] = sys.argv[3:]
from pathlib import Path
from test_killed_study import seated
from vantage.web.play import CONSENT
from vantage.web.play.scripted_person import ScriptedPerson

study, seat, episode_set, truths = seated(Path(sys.argv[1]), Path(sys.argv[2]))
person = ScriptedPerson({each.episode_id: each for each in episode_set.episodes}, truths)
name = seat.agree(CONSENT)
study.practised(name)
seat.begin()
shown = None
until = time.monotonic() + 240.0
while time.monotonic() < until:
    sight = seat.mailbox.look(0, 1.0)
    if sight is None or sight is shown:
        continue
    if study.people[name].done:
        print("amid", flush=True)
        time.sleep(240.0)
    if shown is None or sight.number <= shown.number:
        person.begin(study.people[name].now.episode_id)
    seat.mailbox.decide(sight.number, person.decide(sight))
    shown = sight
"""


def seated(folder, out):
    job, episode_set = prepared(Job(folder, out, "splat", "human", SMALL))
    truths = benchmark_of("search").truths(episode_set)
    study = Study(out, study_episodes(episode_set, truths), checked_hash(load_set(folder)))
    return study, make_seats(["seat-1"], job, episode_set, study, 600.0)["seat-1"], episode_set, truths


@pytest.mark.needs("web")
def test_a_study_that_is_killed_amid_an_episode_goes_on_and_keeps_what_was_finished(tmp_path_factory, tmp_path):
    folder, out = small_search_set(tmp_path_factory, FEW), tmp_path / "out"
    paths = [str(Path(__file__).parent), *sys.path]
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(folder), str(out), *paths], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "amid\n"
        finally:
            process.send_signal(signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL
    study, seat, episode_set, _ = seated(folder, out)
    [(name, who)] = study.people.items()
    [finished], broken = who.done, who.now
    assert (study.sitting("seat-1"), study.lost(), study.doubled()) == (name, 0, 0)
    assert broken is not None
    assert not (study.bag(broken) / "metadata.yaml").exists()
    before = digests(study.bag(finished))
    assert study.next(name) == broken, "the one that was broken off is begun anew"
    seat.leave()  # and given back: somebody else does it
    with play_server({"seat-1": seat}, CONSENT, "nap") as server:
        found = try_out(study, {"seat-1": seat}, episode_set, server, "nap")
    assert (found.episodes, found.successes, found.people) == (len(episode_set.episodes), found.episodes, 2)
    assert (study.remaining(), found.lost, found.doubled) == (0, 0, 0)
    assert digests(study.bag(finished)) == before
    assert read_recording(study.bag(broken)).state == EpisodeState.FINISHED


def digests(bag):
    assert bag.is_dir()
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(bag.iterdir())}
