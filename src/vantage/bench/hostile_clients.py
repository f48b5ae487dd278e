"""``vantage play`` and ``vantage view`` as processes, attacked by strangers and by who was let in, while somebody else
uses them."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from vantage.bench.hostile_requests import ATTACKS, Target
from vantage.benchmarks.sets import SCENES, EpisodeSet
from vantage.errors import VantageError

_STARTED = 120.0  # s until a server says where it is
_ENDED = 60.0  # s until it has ended
_STALL = 5.0  # s that an honest request may take
_EVERY = 0.5  # s between honest requests


def bench_hostile_clients(
    made: EpisodeSet,
    folder: Path,
    count: int,
    seed: int,
    say: Callable[[str], None],
    only: Sequence[str] = ("play", "view"),
) -> dict[str, Any]:
    """Attack servers in every way, about so many times each.

    ``stalls`` counts honest requests, on new connections, that were not answered well within 5 s, ``accepted`` what
    should have been refused and was not, ``wrong`` other answers than the one that is due, ``tracebacks`` and
    ``escapes`` (control characters) what the servers printed, ``dead`` servers that ended, or do not end when told to.

    Args:
        made: an episode set of scenes.
        folder: for what is written.
        only: commands whose servers are attacked.

    Raises:
        VantageError: a server does not start.
    """
    folder_of_set, study = str(made.folder), str(folder / "study")
    servers = {
        "play": ["play", made.info.benchmark, "--episodes", folder_of_set, "--out", study, "--seats", "2"],
        "view": ["view", str(made.folder / SCENES)],
    }
    with ThreadPoolExecutor(len(servers)) as pool:  # much of it is waiting
        futures = {
            name: pool.submit(
                _tried,
                words,
                folder / f"{name}.log",
                count,
                random.Random(f"{seed} {name}"),
                partial(_say_of, say, name),
            )
            for name, words in servers.items()
            if name in only
        }
        tried = {name: future.result() for name, future in futures.items()}
    found = sum((counts for counts, _ in tried.values()), Counter[str]())
    keys = ("sent", "honest", "stalls", "accepted", "wrong", "tracebacks", "escapes", "dead", "printed_lines")
    attacks = {name: each for name, (_, each) in tried.items()}
    return {**{key: found[key] for key in keys}, "attacks": attacks}


_Attacks = dict[str, dict[str, int]]


def _tried(
    words: list[str], log: Path, count: int, draw: random.Random, say: Callable[[str], None]
) -> tuple[Counter[str], _Attacks]:
    """One server, attacked and ended, with what it printed looked through."""
    found: Counter[str] = Counter()
    with _server(words, log) as (process, addresses):
        attacks = _attacked(addresses, count, draw, found, say)
        found["dead"] += int(process.poll() is not None or not _ended_well(process))
    printed = log.read_text(encoding="utf-8", errors="replace")
    found["tracebacks"] += printed.count("Traceback (most recent call last)")
    found["escapes"] += sum(sign not in "\n\t" and unicodedata.category(sign) in ("Cc", "Cf") for sign in printed)
    found["printed_lines"] += len(printed.splitlines())
    return found, attacks


def _say_of(say: Callable[[str], None], name: str, text: str) -> None:
    say(f"web, {name}: {text}")


def _attacked(
    addresses: list[str], count: int, draw: random.Random, found: Counter[str], say: Callable[[str], None]
) -> _Attacks:
    """What came of each attack, while who holds the last address opens her page again and again; the attacker holds
    another one, or is a stranger where there is but one."""
    honest, parts = _Honest(addresses[-1]), urlsplit(addresses[0])
    host, port = str(parts.hostname), int(parts.port or 0)
    is_let_in = len(addresses) > 1
    cookie = _cookie_of(addresses[0]) if is_let_in else f"vantage_{port}={draw.getrandbits(256):x}"
    mine = addresses[0] if is_let_in else ""
    target = Target(host, port, mine, cookie, ("/picture/x/", "/scene/", "/_nicegui/x/resources/y/", "/"))
    told: _Attacks = {}
    with honest:
        for name, attack in ATTACKS.items():
            stalls = honest.stalls
            try:
                counts = attack(target, count, draw)
            except (VantageError, OSError) as error:  # the attacker's own page did not open again, or nobody listens
                say(f"{name}: {error}")
                counts = Counter(stalls=1)
            counts["stalls"] += honest.stalls - stalls
            told[name] = dict(counts)
            found.update(counts)
            say(f"{name}: {', '.join(f'{value} {key}' for key, value in counts.items() if value)}")
    found["honest"] += honest.asked
    return told


class _Honest:
    """Opens a page on a new connection again and again within the block.

    Attributes:
        asked: how often.
        stalls: of these, not answered well in time.
    """

    def __init__(self, address: str) -> None:
        self._parts, self._cookie = urlsplit(address), _cookie_of(address)
        self.asked = self.stalls = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask, name="honest visitor", daemon=True)

    def _ask(self) -> None:
        while not self._stop.wait(_EVERY):
            begun = time.monotonic()
            try:
                status = _answered(self._parts.netloc, "/", self._cookie).status
            except (OSError, http.client.HTTPException):
                status = 0
            self.asked += 1
            self.stalls += int(status != 200 or time.monotonic() - begun > _STALL)

    def __enter__(self) -> _Honest:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(4 * _STALL)


def _answered(netloc: str, path: str, cookie: str = "") -> http.client.HTTPResponse:
    """The answer to GET, read to its end."""
    connection = http.client.HTTPConnection(netloc, timeout=2 * _STALL)
    try:
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        response = connection.getresponse()
        response.read()
        return response
    finally:
        connection.close()


def _cookie_of(address: str) -> str:
    parts = urlsplit(address)
    return (_answered(parts.netloc, f"{parts.path}?{parts.query}").getheader("set-cookie") or "").split(";")[0]


@contextmanager
def _server(words: list[str], log: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[str]]]:
    """A server within the block, with the addresses that it tells; all that it prints goes into a file.

    Raises:
        VantageError: it does not start.
    """
    command = [sys.executable, "-m", "vantage.cli.main", *words, "--json"]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True) as process:
        try:
            yield process, _addresses(process, log, words[0])
        finally:
            if process.poll() is None:
                process.kill()


def _addresses(process: subprocess.Popen[bytes], log: Path, name: str) -> list[str]:
    ends = time.monotonic() + _STARTED
    while time.monotonic() < ends and process.poll() is None:
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
            if line.startswith("{") and line.endswith("\n"):
                told = json.loads(line)
                return list(told["addresses"].values()) if "addresses" in told else [told["address"]]
        time.sleep(0.1)
    last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    raise VantageError(f"vantage {name} did not start: {''.join(last) or 'it said nothing'}")


def _ended_well(process: subprocess.Popen[bytes]) -> bool:
    process.terminate()
    try:
        return process.wait(_ENDED) == 0
    except subprocess.TimeoutExpired:
        return False
