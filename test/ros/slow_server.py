"""An OpenAI-compatible server on the loopback interface that keeps everybody waiting until it is let go."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from vantage.models.prompts import prompt


class SlowServer:
    """
    Attributes:
        asked: requests that came; the tiny picture by which a model is tried out is answered at once, and is none.
        go: once set, replies are sent.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.go = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                if prompt("tiny_picture").text not in asked:
                    outer.asked += 1
                    outer.go.wait(30.0)
                message = {"role": "assistant", "content": "yes"}
                body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # whoever asked went away

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.go.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5.0)


@contextmanager
def slow_server() -> Iterator[SlowServer]:
    server = SlowServer()
    try:
        yield server
    finally:
        server.close()
