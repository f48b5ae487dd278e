"""A study on a full disk says so in one sentence, leaves nothing half-written, and goes on once there is room."""

from __future__ import annotations

import threading
import time

import pytest
from small_disks import fill, small_disk
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import checked_hash, load_set
from vantage.runs import Job, prepared
from vantage.web.play import CONSENT, Study, make_seats, study_episodes
from vantage.web.play.scripted_person import ScriptedPerson

DEADLINE = 120.0  # s


@pytest.mark.parametrize("left", [0, 60_000])
def test_a_seat_on_a_full_disk_stops_with_a_sentence_and_goes_on_afterwards(
    tmp_path_factory, tmp_path, monkeypatch, left
):
    broken = []
    monkeypatch.setattr(threading, "excepthook", broken.append)
    folder = small_search_set(tmp_path_factory, FEW)
    with small_disk(tmp_path / "disk") as disk:
        job, episode_set = prepared(Job(folder, disk / "out", "splat", "human", SMALL))
        truths = benchmark_of("search").truths(episode_set)
        study = Study(disk / "out", study_episodes(episode_set, truths), checked_hash(load_set(folder)))
        seat = make_seats(["seat-1"], job, episode_set, study, 600.0)["seat-1"]
        person = ScriptedPerson({each.episode_id: each for each in episode_set.episodes}, truths)
        name = seat.agree(CONSENT)
        study.practised(name)
        assert study.next(name) is not None  # is written down while there is room
        hog = fill(disk, left)
        play(seat, study, name, person)
        assert "disk is full" in seat.failure
        assert seat.failure.count("\n") == 0
        assert not list(disk.rglob("*.partial*"))
        assert not list(disk.rglob("metadata.yaml"))
        assert {path.name for path in (disk / "out").iterdir()} <= {"study.json", "1"}, "no temporary file is left"
        hog.unlink()
        play(seat, study, name, person)
        seat.close()
        assert (seat.failure, study.remaining(), study.lost(), study.doubled()) == ("", 0, 0, 0)
    assert broken == []


def play(seat, study, name, person):
    """Have a person by rote play until her seat stops."""
    assert seat.begin()
    shown, until = None, time.monotonic() + DEADLINE
    while seat.busy:
        assert time.monotonic() < until
        sight = seat.mailbox.look(0, 0.2)
        if sight is None or sight is shown:
            continue
        if shown is None or sight.number <= shown.number:
            person.begin(study.people[name].now.episode_id)
        seat.mailbox.decide(sight.number, person.decide(sight))
        shown = sight
