"""Scores of many bags for a table: kept, read anew where a bag changed, and worked out beside the server."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace

import pytest
from gold_bags import Telling, gold, record, said

from vantage.recording import find_bags
from vantage.reports import score_bag
from vantage.web.runs_index import RunsIndex, bags_of

pytestmark = pytest.mark.needs("web")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two bags."""
    folder = tmp_path_factory.mktemp("runs")
    for name, actions in (("e1", ("x+", "yaw+")), ("e2", ("x+", "x+"))):
        record(folder, name, Telling(actions, said("red"), (0,)), gold())
    return folder


def test_scores_are_kept_for_the_next_time(runs, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    bags = bags_of(runs)
    assert bags == find_bags(runs)[0]
    scored = []

    def score(bag):
        scored.append(bag)
        return score_bag(bag)

    for expected in (2, 2):
        index = RunsIndex(runs, bags, score)
        index.start()
        assert index.done.wait(60)
        index.close()
        assert len(scored) == expected
        assert set(index.scores) == set(bags)
    os.utime(next(bags[0].glob("*.mcap")), ns=(1, 1))
    index = RunsIndex(runs, bags, score)
    index.start()
    assert index.done.wait(60)
    assert len(scored) == 3
    index = RunsIndex(runs, bags[1:], score)  # of a folder from which a bag is gone
    index.start()
    assert index.done.wait(60)
    assert len(scored) == 3


def test_many_bags_are_scored_beside_the_server_and_some_of_them_are_damaged(runs, tmp_path):
    [bag, *_] = find_bags(runs)[0]
    for number in range(40):
        shutil.copytree(bag, tmp_path / "many" / f"{bag.name}-{number:02d}", copy_function=os.link)
    for number in (3, 38):  # of those that are scored here and of those that a process scores
        [recording] = (tmp_path / "many" / f"{bag.name}-{number:02d}").glob("*.mcap")
        recording.unlink()
        recording.write_bytes(b"no recording")
    bags = bags_of(tmp_path / "many")
    index = RunsIndex(tmp_path / "many", bags, cache=tmp_path / "cache")
    index.start()
    assert index.done.wait(120)
    index.close()
    whole = score_bag(bags[0])
    assert [number for number, each in enumerate(bags) if not index.scores[each].complete] == [3, 38]
    assert all(index.scores[each] == replace(whole, bag=each.name) for each in bags if index.scores[each].complete)


def test_what_is_known_is_kept_when_the_table_is_closed_while_it_fills(runs, tmp_path):
    bags = bags_of(runs)

    def score(bag):
        index._ended.set()
        return score_bag(bag)

    index = RunsIndex(runs, bags, score, cache=tmp_path)
    index.start()
    assert index.done.wait(60)
    index.close()
    assert len(index.scores) == 1
    [kept] = tmp_path.iterdir()
    assert list(json.loads(kept.read_text())["bags"]) == [bags[0].name]
