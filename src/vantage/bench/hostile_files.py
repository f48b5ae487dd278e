"""Files from elsewhere that ask for what is the user's alone: whether any of it is obeyed, read or sent.

A set, a bag, a study, a calibration, a robot, a rig and a scene each say every setting in turn, and name files outside
of their folders. Beside them runs a server that must receive nothing, and the environment and a folder hold a secret
that must turn up nowhere. Commands run in this process, where every file that is opened is seen; a part of them runs
again as processes of their own.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from vantage.bench.hostile_asks import (
    MARK,
    PLACE_VARIABLE,
    SECRET_VARIABLE,
    Ask,
    Grounds,
    asks,
    furnish,
    touched,
)
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import VantageError

Command = Callable[[Sequence[str]], int]  # as ``vantage.cli.main.main``
_DEADLINE = 300.0  # s, of one process
_PER_PROCESS = 50  # asks for each one that is read by a process of its own, too
_TELL_EVERY = 100
_SAID = 200  # characters of an output that are kept


class Attacker:
    """A server on loopback that takes whatever it is sent, and answers as a model would.

    Attributes:
        received: what came with each request: its line, headers and body.
    """

    def __init__(self) -> None:
        self.received: list[str] = []
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                received.append(f"{self.requestline}\n{self.headers}\n{body.decode(errors='replace')}")
                message = {"role": "assistant", "content": "yes"}
                choices = [{"index": 0, "finish_reason": "stop", "message": message}]
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                data = json.dumps({"object": "chat.completion", "choices": choices, "usage": usage}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_PUT = do_POST  # noqa: N815

            def log_message(self, format: str, *arguments: Any) -> None:
                """Nothing: requests are counted."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=10.0)


class OpenedFiles:
    """Which files of a folder this process opens; Python tells of every one, links followed here."""

    def __init__(self) -> None:
        self._folder, self._seen = "", list[str]()
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and self._folder and isinstance(arguments[0], (str, bytes)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path.startswith(self._folder):
                self._seen.append(path)

    @contextlib.contextmanager
    def of(self, folder: Path) -> Iterator[list[str]]:
        """Those that are opened in the block; one block at a time."""
        self._folder, self._seen = os.path.realpath(folder) + os.sep, []
        try:
            yield self._seen
        finally:
            self._folder = ""


_OPENED: list[OpenedFiles] = []  # one for the process, because such a hook stays


def bench_hostile_files(
    episodes: EpisodeSet,
    bag: Path,
    folder: Path,
    settings: int,
    seed: int,
    command: Command,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Have everything read that asks for what it may not, and count what comes of it.

    ``refused`` counts files that were refused in one sentence that names what they ask for, ``passed_over`` those that
    were read and from which nothing was taken. ``obeyed`` counts the others, ``sent`` requests that the attacker
    received, ``secrets`` those and outputs that hold the secret, ``read_outside`` files that were opened outside.

    Args:
        episodes: an honest set of the benchmark ``search`` with one episode.
        bag: of that episode.
        folder: for what is made.
        settings: how many of them each kind of file asks for; one command in ``_PER_PROCESS`` runs as a process, too.
        seed: of the draw of settings.
        command: the command line, in this process.

    Raises:
        VantageError: the honest set itself is not run.
    """
    attacker = Attacker()
    grounds = Grounds(episodes, bag, folder / "outside", folder / "made", attacker.url)
    grounds.outside.mkdir(parents=True)
    furnish(grounds)
    if not _OPENED:
        _OPENED.append(OpenedFiles())
    found, faults = Counter[str](), list[str]()
    environment = {SECRET_VARIABLE: MARK, PLACE_VARIABLE: str(grounds.outside)}
    with contextlib.closing(attacker), _environment(environment):
        status, text = _here(command, ("episodes", "show", "search", str(episodes.folder)))
        if status != 0:
            raise VantageError(f"{episodes.folder} cannot be shown as it is: {text[-_SAID:]}")
        for number, ask in enumerate(asks(grounds, settings, seed), start=1):
            outcomes = _outcome(ask, grounds, attacker, lambda words: _here(command, words))
            _take(found, faults, ask, outcomes)
            if ask.words and number > _PER_PROCESS * found["processes"]:
                outcomes = _outcome(ask, grounds, attacker, _beside)
                _take(found, faults, ask, outcomes + Counter(processes=1))
            if number % _TELL_EVERY == 0:
                say(f"files {number}: {dict(found)}")
    keys = ("asked", "refused", "passed_over", "processes", "obeyed", "sent", "secrets", "read_outside", "tracebacks")
    return {**{key: found[key] for key in keys}, "faults": faults}


def _take(found: Counter[str], faults: list[str], ask: Ask, outcomes: Counter[str]) -> None:
    found.update(outcomes)
    bad = [key for key in ("obeyed", "sent", "secrets", "read_outside", "tracebacks") if outcomes[key]]
    if bad:
        faults.append(f"{ask.kind} asks for {ask.what}: {', '.join(bad)}")


def _outcome(
    ask: Ask, grounds: Grounds, attacker: Attacker, run: Callable[[tuple[str, ...]], tuple[int, str]]
) -> Counter[str]:
    before = len(attacker.received)
    with _OPENED[0].of(grounds.outside) as opened:
        status, text = run(ask.words) if ask.words else _called(ask)
    sent = attacker.received[before:]
    written = "".join(path.read_bytes().decode(errors="replace") for path in _files(grounds.made / "runs"))
    refused = status not in (0, None) and ask.named in text and "Traceback" not in text
    passed_over = not ask.refused and status == 0
    return Counter(
        asked=1,
        refused=int(refused),
        passed_over=int(passed_over),
        obeyed=int(touched(grounds) or not (refused or passed_over)),
        sent=len(sent),
        secrets=sum(MARK in each for each in (*sent, text, written)),
        read_outside=len(opened),
        tracebacks=int("Traceback" in text),
    )


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


def _here(command: Command, words: tuple[str, ...]) -> tuple[int, str]:
    """The status and the output of a command in this process."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            status = command(words)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except Exception:  # what no command may do, which is counted
            return 1, f"{told.getvalue()}\n{traceback.format_exc()}"
    return status, told.getvalue()


def _beside(words: tuple[str, ...]) -> tuple[int, str]:
    """The same in a process of its own."""
    whole = [sys.executable, "-m", "vantage.cli.main", *words]
    ended = subprocess.run(whole, capture_output=True, text=True, timeout=_DEADLINE, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def _called(ask: Ask) -> tuple[int, str]:
    assert ask.call is not None
    try:
        ask.call()
    except VantageError as error:
        return 1, str(error)
    except Exception:  # what no reader may raise, which is counted
        return 1, traceback.format_exc()
    return 0, ""


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {key: os.environ.get(key) for key in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
