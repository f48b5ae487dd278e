"""A page on which people look through the pairs of a set and accept or reject each.

One file with everything in it. Marks are kept in the browser under the set's hash and saved as a file of marks, which
``noisyeqa_review`` reads. Every text of the set is escaped.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from vantage.benchmarks.labelling.claimed_places import claimed_contents
from vantage.benchmarks.noisyeqa.review import ACCEPT, REJECT, SCHEMA
from vantage.benchmarks.noisyeqa.review_pictures import figures_of
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths
from vantage.benchmarks.sets.noisy_pairs import Pair, pairs_of
from vantage.config import RelationSettings
from vantage.errors import FormatError
from vantage.files import write_whole
from vantage.questions.execution import Truths
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.splats.scene_file import load_graph
from vantage.types import NoiseType, TruthQuestion


def write_review_page(folder: str | Path, path: str | Path) -> int:
    """Write the page of a set; returns the number of pairs on it.

    Raises:
        FormatError: the set cannot be read, or holds no pair.
    """
    episode_set = load_set(folder)
    pairs, _ = pairs_of(episode_set, load_truths(episode_set.folder, episode_set.episodes))
    if not pairs:
        raise FormatError(f"{folder} holds no pair of a noisy and a clean question; there is nothing to review")
    write_whole(path, review_page(episode_set, pairs))
    return len(pairs)


def review_page(episode_set: EpisodeSet, pairs: dict[str, Pair]) -> str:
    """The whole page as HTML."""
    types = dict.fromkeys(pair.noisy.gold.noise_type.name for pair in pairs.values())
    options = "".join(f"<option>{_text(name)}</option>" for name in types)
    articles = "".join(_articles(episode_set, pairs))
    facts = {"schema": SCHEMA, "set": episode_set.info.content_hash, "name": episode_set.folder.name}
    about = json.dumps(facts).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Review: {_text(episode_set.folder.name)}</title><style>{_part('review.css')}</style></head><body>"
        f"<header><h1>Review of {_text(episode_set.folder.name)}</h1>"
        "<p>Accept a pair when the noisy question takes something false for granted, its twin nothing, the correction "
        "is right and the answer follows from the picture and the facts. A solid outline is what a question is about, "
        "a dashed one the place that it names; outlines go through what stands before them. Marks stay in this browser "
        "until saved.</p>"
        f'<p class="bar"><label>Noise <select id="type"><option value="">all</option>{options}</select></label> '
        '<label>Marks <select id="state"><option value="">all</option><option value="open">none yet</option>'
        f'<option value="{ACCEPT}">accepted</option><option value="{REJECT}">rejected</option></select></label> '
        '<button id="save">Save marks</button> <label class="file">Load marks <input id="load" type="file" '
        'accept=".json,application/json"></label> '
        '<label><input id="outlines" type="checkbox" checked> Outlines</label> '
        '<output id="count"></output></p></header>'
        f"<main>{articles}</main><script>const SET = {about};\n{_part('review.js')}</script></body></html>\n"
    )


def _articles(episode_set: EpisodeSet, pairs: dict[str, Pair]) -> Iterator[str]:
    @lru_cache(maxsize=1)
    def graph_of(scene: str) -> SceneGraph:
        return load_graph(episode_set.scene_folder(scene))

    for number, (key, pair) in enumerate(pairs.items(), start=1):
        yield _article(number, key, pair, graph_of(pair.noisy.episode.scene), episode_set)


def _article(number: int, key: str, pair: Pair, graph: SceneGraph, episode_set: EpisodeSet) -> str:
    noisy, clean = pair.noisy, pair.clean
    latent = noisy.gold.noise_type == NoiseType.LATENT
    rows: tuple[tuple[str, str], ...] = (
        ("Noisy question", noisy.text),
        ("Twin", clean.text),
        ("Fact about the twin" if latent else "Fact", "; ".join(_facts(clean.gold, graph))),
        ("Falsehood", noisy.gold.false_claim),
        ("Correction", noisy.gold.correction),
        ("Corrected question", noisy.gold.corrected_question or "none: what it asks about is not there"),
        ("Answer to it", _answers(noisy.gold) or "none"),
        ("Answer to the twin", _answers(clean.gold)),
    )
    there = ", ".join(_counted(claimed_contents(noisy.gold, clean.gold, graph)))
    if latent or noisy.gold.noise_type == NoiseType.POSITION:
        rows = (*rows[:4], ("At the claimed place", there or "nothing"), *rows[4:])
    entries = "".join(f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in rows)
    figures = "".join(figure.html(episode_set) for figure in figures_of(pair, graph))
    name = f"mark-{number}"
    return (
        f'<article data-pair="{_text(key)}" data-type="{_text(noisy.gold.noise_type.name)}">'
        f"<h2>{_text(key)} <small>{_text(noisy.gold.noise_type.name)}, {_text(noisy.gold.kind)}</small></h2>"
        f'<div class="parts"><dl>{entries}</dl><div class="figures">{figures}</div></div>'
        f'<fieldset><legend>Mark of pair {_text(key)}</legend><label><input type="radio" name="{name}" '
        f'value="{ACCEPT}"> accept</label> <label><input type="radio" name="{name}" value="{REJECT}"> reject</label> '
        f'<label class="note">Note <input type="text" name="note" maxlength="500"></label></fieldset></article>'
    )


def _facts(truth: TruthQuestion, graph: SceneGraph) -> Iterator[str]:
    """What the scene graph says of the things that the twin is about."""
    truths = Truths(graph, RelationSettings(), hidden=False)
    for target in truth.target_instances:
        node = truths.nodes[target]
        room = truths.word(node, "room")
        words = (*node.states, node.color, node.shape, node.material, node.label)
        place = truths.word(node, "place")
        where = place if not room or place == f"in the {room}" else f"{place}, in the {room}"
        yield f"{' '.join(word for word in words if word)} (id {target}) {where}"


def _counted(things: Iterable[GraphNode]) -> Iterator[str]:
    """The kinds of things, and how many there are of each."""
    for label, number in sorted(Counter(thing.label for thing in things).items()):
        yield label if number == 1 else f"{label} ({number})"


def _answers(truth: TruthQuestion) -> str:
    others = f" (or {', '.join(truth.accepted)})" if truth.accepted else ""
    return truth.answer + others if truth.answer else ""


def _text(value: str) -> str:
    return html.escape(value, quote=True)


def _part(name: str) -> str:
    return (Path(__file__).parent / "review_page" / name).read_text(encoding="utf-8")
