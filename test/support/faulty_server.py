"""An HTTP server on loopback that fails in the ways of model servers, one behaviour for each request."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def completion(text, logprobs=None, **usage):
    """A chat completion as a server sends it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    if logprobs is not None:
        tops = [{"token": token, "logprob": value} for token, value in logprobs.items()]
        choice["logprobs"] = {"content": [{**tops[0], "top_logprobs": tops}]}
    return {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}


@dataclass
class Step:
    """What one request gets.

    Attributes:
        body: bytes or text as they are, anything else as JSON.
        cut: send only half of the body that the header promised, then hang up.
        stall: send nothing, or after ``headers_first`` only the header, until the server closes.
        endless: send bytes of JSON white space for ever, ``pause`` s apart.
    """

    body: object = b""
    status: int = 200
    headers: dict = field(default_factory=dict)
    cut: bool = False
    stall: bool = False
    headers_first: bool = False
    endless: bool = False
    pause: float = 0.0


class FaultyServer:
    """Serves steps in their order, the last one for ever; ``requests`` are (headers, in lower case, and body).

    What is fetched (GET) gets ``fetched``, or is refused where there is none; ``paths`` are those of all requests.
    """

    def __init__(self, *steps):
        self.steps, self.requests, self.paths = list(steps), [], []
        self.fetched = None
        self.closing = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.paths.append(self.path)
                if server.fetched is None:
                    self.send_error(501)
                else:
                    server.play(server.fetched, self)

            def do_POST(self):
                server.paths.append(self.path)
                data = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                step = server.next_step((headers, json.loads(data)))
                try:
                    server.play(step, self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5.0)

    def next_step(self, request):
        with self._lock:
            self.requests.append(request)
            return self.steps[min(len(self.requests), len(self.steps)) - 1]

    def play(self, step, handler):
        if step.stall and not step.headers_first:
            self.closing.wait(60.0)
            handler.close_connection = True
            return
        body = step.body if isinstance(step.body, bytes) else None
        if body is None:
            body = step.body.encode() if isinstance(step.body, str) else json.dumps(step.body).encode()
        length = 1 << 40 if step.endless else len(body)
        handler.send_response(step.status)
        for name, value in {"Content-Type": "application/json", "Content-Length": length, **step.headers}.items():
            handler.send_header(name, str(value))
        handler.end_headers()
        handler.wfile.flush()
        if step.stall:
            self.closing.wait(60.0)
        elif step.endless:
            while not self.closing.wait(step.pause):
                handler.wfile.write(b" " if step.pause else b" " * (1 << 20))
        else:
            handler.wfile.write(body[: len(body) // 2] if step.cut else body)
        handler.close_connection = step.cut or step.stall or step.endless


class BlindServer(FaultyServer):
    """Refuses every request with a picture in it, as servers of models without eyes do; others get the steps."""

    refusal = Step({"error": {"code": 400, "message": "image input is not supported by this model"}}, status=400)

    def next_step(self, request):
        step = super().next_step(request)
        return self.refusal if "image_url" in json.dumps(request[1]) else step
