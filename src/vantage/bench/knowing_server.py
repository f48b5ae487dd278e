"""A model server that answers from what the looks of an episode truly show, with some errors, and after some time.

It stands for a model that sees: what calls cost and what their number changes can be measured without one.
"""

from __future__ import annotations

import base64
import json
import math
import threading
import time
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.recording import EpisodeListener
from vantage.types import NoiseType, Observation, TruthQuestion

_SURE = 0.95  # probability of what it takes for true
_SIZE = (16, 12)  # pixels of what looks are told apart by
_SHOWN = 215  # pixels of a thing from which on it is told


@dataclass
class KnownEpisode(EpisodeListener):
    """What is asked, what is true, and what each look shows."""

    truth: TruthQuestion
    looks: list[tuple[NDArray[np.float32], bool]] = field(default_factory=list)

    def observed(self, observation: Observation) -> None:
        shown = True
        if observation.instances is not None:
            ids, counts = np.unique(observation.instances, return_counts=True)
            pixels = dict(zip(ids.tolist(), (counts * observation.color_pixels).tolist(), strict=True))
            shown = all(pixels.get(each, 0) >= _SHOWN for each in self.truth.target_instances)
        self.looks.append((_small(observation.rgb), shown))

    def shows(self, image: NDArray[np.uint8]) -> bool:
        """Whether the look that a picture is of shows what the question needs."""
        if not self.looks or float(image.std()) < 1.0:
            return False
        small = _small(image)
        return min(self.looks, key=lambda look: float(np.abs(look[0] - small).mean()))[1]


class KnowingServer:
    """Serves on loopback while it is open.

    Args:
        latency: s before each reply.
        error: share of replies that are wrong, by lot of the request.
    """

    def __init__(self, latency: float, error: float, seed: int) -> None:
        self._latency, self._error, self._seed = latency, error, seed
        self.episode: KnownEpisode | None = None
        self.calls = 0
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                data = json.dumps(server.completion(body)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                """Not printed."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> KnowingServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5.0)

    @property
    def url(self) -> str:
        """For ``model.url``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def completion(self, body: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request, after the latency; only requests of an episode count."""
        time.sleep(self._latency)
        text, images = _said(body)
        if self.episode is None:
            return _completion("red")
        with self._lock:
            self.calls += 1
        wrong = self._is_wrong(text, images)
        shown = any(self.episode.shows(image) for image in images)
        answer = _yes(text, self.episode.truth, shown)
        if answer is not None:
            return _completion(
                "yes" if answer != wrong else "no", probability=_SURE if answer != wrong else 1.0 - _SURE
            )
        return _completion(json.dumps(_verdict(self.episode.truth, shown, wrong)))

    def _is_wrong(self, text: str, images: list[NDArray[np.uint8]]) -> bool:
        digest = blake2b(f"{self._seed} {text}".encode(), digest_size=8)
        for image in images:
            digest.update(_small(image).astype(np.uint8).tobytes())
        return int.from_bytes(digest.digest(), "big") / 2.0**64 < self._error


def _yes(text: str, truth: TruthQuestion, shown: bool) -> bool | None:
    """What is true of a question that takes yes or no; None for one that takes a verdict."""
    if "show all that is needed" in text:
        return shown
    if "Two statements about" in text:
        return text.split("\nA: ", 1)[1].split("\n", 1)[0] == truth.correction
    if "Is there " in text and "Answer yes or no" in text:
        return shown and truth.noise_type is not NoiseType.LATENT
    return None


def _verdict(truth: TruthQuestion, shown: bool, wrong: bool) -> dict[str, Any]:
    """A reply by the schema of NACoT."""
    said: dict[str, Any] = {
        "noise": "none",
        "false_claim": "",
        "correction": "",
        "corrected_question": "",
        "explanation": "",
    }
    said |= {"objects": [], "attributes": "", "function": "", "picture": 1, "place_shown": shown}
    if not shown:
        return {**said, "answer": "I cannot tell"}
    if wrong or truth.premise_holds:
        return {**said, "answer": "a guess" if wrong else truth.answer}
    said |= {"noise": truth.noise_type.name.lower(), "false_claim": truth.false_claim, "correction": truth.correction}
    said |= {"corrected_question": truth.corrected_question, "explanation": f"{truth.correction}."}
    return {**said, "answer": truth.answer}


def _said(body: dict[str, Any]) -> tuple[str, list[NDArray[np.uint8]]]:
    """Text and pictures of the last message."""
    content = body["messages"][-1]["content"]
    parts: list[dict[str, Any]] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    images = []
    for part in parts:
        if part["type"] == "image_url":
            data = np.frombuffer(base64.b64decode(part["image_url"]["url"].split(",", 1)[1]), np.uint8)
            decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
            assert decoded is not None  # what Vantage encoded
            images.append(np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), np.uint8))
    return "\n".join(part["text"] for part in parts if part["type"] == "text"), images


def _small(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(image, _SIZE, interpolation=cv2.INTER_AREA), np.float32)


def _completion(text: str, probability: float | None = None) -> dict[str, Any]:
    choice: dict[str, Any] = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    if probability is not None:
        tops = [
            {"token": "yes", "logprob": math.log(probability)},
            {"token": "no", "logprob": math.log1p(-probability)},
        ]
        choice["logprobs"] = {"content": [{**tops[0], "top_logprobs": tops}]}
    return {"choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 50}}
