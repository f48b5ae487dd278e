"""Sets of written questions about given homes: made, validated, run and scored through the command line's own parts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from row_tables import each_row
from small_pictures import SMALL_PICTURES
from small_search import SMALL

from vantage.benchmarks.sets import EpisodeSet, load_truths
from vantage.benchmarks.written.written_benchmark import WrittenBenchmark
from vantage.errors import SceneError, UsageError
from vantage.scenes.graph import GraphNode
from vantage.splats import load_graph

ABSENT = {"noise": "latent", "false_claim": "piano", "correction": "there is no piano"}


def small_written() -> WrittenBenchmark:
    """For pictures of a sixteenth of the usual area."""
    return WrittenBenchmark(SMALL_PICTURES)


def question(number: int, scene: str, target: int, **more: Any) -> dict[str, Any]:
    base = {"id": f"q-{number}", "scene": scene, "question": "what colour is it?", "kind": "color", "answer": "red"}
    return {**base, "targets": [target], **more}


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture(scope="module")
def home(search_set: EpisodeSet) -> Path:
    return search_set.scene_folder(search_set.episodes[0].scene)


@pytest.fixture(scope="module")
def bed(search_set: EpisodeSet) -> GraphNode:
    """Something large that one of the set's questions is about."""
    truths = load_truths(search_set.folder, search_set.episodes).values()
    graph = load_graph(search_set.scene_folder(search_set.episodes[0].scene))
    nodes = [graph.node(target) for truth in truths for target in truth.questions[0].target_instances]
    return max(nodes, key=lambda node: sum(node.extents))


@pytest.fixture(scope="module")
def written_set(home: Path, bed: GraphNode, tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    root = tmp_path_factory.mktemp("written")
    asked = [
        question(1, home.name, bed.instance_id, question=f"what colour is my {bed.label}?"),
        question(2, home.name, bed.instance_id, kind="state", question="Is the piano shut?", answer="", **ABSENT),
        question(3, home.name, bed.instance_id, kind="existence", question="any harps?", answer="no"),
    ]
    source = write(root / "questions.jsonl", *asked)
    return small_written().make(root / "set", source=source, scenes=home.parent, settings=SMALL, seed=3)


def test_a_set_asks_the_questions_as_they_stand(written_set: EpisodeSet, bed: GraphNode) -> None:
    texts = [episode.questions[0].text for episode in written_set.episodes]
    assert texts == [f"what colour is my {bed.label}?", "Is the piano shut?", "any harps?"]
    truths = load_truths(written_set.folder, written_set.episodes)
    assert truths["q-1"].oracle_actions
    assert not truths["q-2"].questions[0].premise_holds
    assert [truths[f"q-{k}"].questions[0].target_instances for k in (1, 3)] == [(bed.instance_id,), ()]
    assert small_written().validate(written_set.folder) == []
    assert small_written().labelled_questions(written_set) == ()


def test_validation_names_what_was_changed(written_set: EpisodeSet, bed: GraphNode, tmp_path: Path) -> None:
    shutil.copytree(written_set.folder, tmp_path / "copy")
    truth = tmp_path / "copy" / "truth.jsonl"
    lines = [json.loads(line) for line in truth.read_text().splitlines()]
    lines[0]["questions"][0]["target_instances"] = [999_999]
    lines[1]["questions"][0]["false_claim"] = bed.label
    truth.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = "\n".join(small_written().validate(tmp_path / "copy"))
    assert "content hash" in found
    assert "episode 'q-1': the scene has no object 999999" in found
    assert f"'{bed.label}' is said to be absent, but the scene holds it" in found


@each_row(
    "change, fault, told",
    [
        ({"scene": "home_9"}, UsageError, "about scene 'home_9', which --scenes does not give"),
        ({"targets": [999_999]}, SceneError, "999999"),
    ],
)
def test_questions_about_what_is_not_there_are_refused(
    home: Path, bed: GraphNode, tmp_path: Path, change: dict[str, Any], fault: type[Exception], told: str
) -> None:
    source = write(tmp_path / "questions.jsonl", question(1, home.name, bed.instance_id) | change)
    with pytest.raises(fault, match=told):
        small_written().make(tmp_path / "set", source=source, scenes=home.parent, settings=SMALL)
    assert not (tmp_path / "set").exists()


@each_row("options", [{}, {"source": "questions.jsonl"}, {"source": "questions.jsonl", "scenes": 3}])
def test_a_file_and_homes_are_needed(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="give --from FILE and --scenes FOLDER"):
        small_written().make(tmp_path / "set", **options)
